// Watt's governor: two balls on swinging arms lift a sleeve as the shaft turns faster. The links to the sleeve are stiff
// spring-dampers instead of rods, which makes the system stiff and free of loops; after the flyball governor of the IFToMM benchmarks.
// npx tippetop run examples/flyball-governor --shaft-speed 8
import { body, box, cos, cylinder, model, prismatic, revolute, sphere, spring, steel, translate, tube } from 'tippetop';

export default ({
  shaftSpeed = 6.283185307179586 /* rad/s at the start */,
  startAngle = 30 /* degrees between arm and shaft */,
  linkStiffness = 8e5 /* N/m */,
  linkDamping = 4e4 /* N s/m */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const angle = (startAngle * Math.PI) / 180;
  const [armLength, linkAt, top] = [0.5, 0.25, 0]; // m; links take hold half-way down the arms
  // The arm's frame is at its hinge, the arm along −z of the frame.
  const arm = () => ({
    shape: [
      translate([0, 0, -armLength / 2], box([0.012, 0.012, armLength])),
      translate([0, 0, -armLength], sphere(0.05)),
    ],
    material: steel,
    position: [0, 0, top] as const,
    frames: { link: { position: [0, 0, -linkAt] as const } },
    colour: [0.85, 0.45, 0.15, 1] as const,
  });
  const sleeveAt = top - 2 * linkAt * cos(angle);
  return model({
    title: 'Flyball governor',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      shaft: body({
        shape: translate([0, 0, -0.35], cylinder({ radius: 0.015, height: 0.8 })),
        material: steel,
        colour: [0.35, 0.35, 0.4, 1],
      }),
      right: body({ ...arm(), orientation: { axis: [0, 1, 0], angle: -angle } }),
      left: body({ ...arm(), orientation: { axis: [0, 1, 0], angle } }),
      sleeve: body({
        shape: tube({ outerRadius: 0.05, innerRadius: 0.016, height: 0.06 }),
        mass: 3,
        inertia: [0.003, 0.003, 0.004],
        position: [0, 0, sleeveAt],
        colour: [0.2, 0.45, 0.7, 1],
      }),
    },
    joints: {
      bearing: revolute({ body: 'shaft', axis: [0, 0, 1], at: [0, 0, 0], initialSpeed: shaftSpeed }),
      // Positive: the ball moves out.
      rightHinge: revolute({ body: 'right', to: 'shaft', axis: [0, -1, 0], at: [0, 0, top] }),
      leftHinge: revolute({ body: 'left', to: 'shaft', axis: [0, 1, 0], at: [0, 0, top] }),
      slide: prismatic({ body: 'sleeve', to: 'shaft', axis: [0, 0, 1] }),
    },
    forces: {
      rightLink: spring({ from: 'sleeve', to: 'right.link', stiffness: linkStiffness, damping: linkDamping }),
      leftLink: spring({ from: 'sleeve', to: 'left.link', stiffness: linkStiffness, damping: linkDamping }),
    },
    simulation: { stop: 5, interval: 0.01 },
    plots: {
      sleeve: 'slide.position',
      'shaft speed': 'bearing.speed',
      arms: ['rightHinge.angle', 'leftHinge.angle'],
      'angular momentum about the shaft': 'angularMomentum.z',
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated'],
    },
  });
};
