// A block on a belt, held by a spring: it is carried along until friction lets go, slips back, and sticks again.
// npx tippetop run examples/stick-slip --speed 0.2
import { body, box, model, prismatic, spring } from 'tippetop';

export default ({
  speed = 0.05 /* m/s of the belt */,
  stiffness = 1000 /* N/m of the spring */,
  mass = 1 /* kg of the block */,
  staticFriction = 0.5,
  kineticFriction = 0.3,
} = {}) => {
  const [length, width, height] = [0.1, 0.08, 0.06];
  const oak = { density: 700, youngsModulus: 1e10, poissonRatio: 0.3 };
  const about = (a: number, b: number): number => (mass * (a * a + b * b)) / 12;
  return model({
    title: 'Stick and slip',
    bodies: {
      belt: body({
        shape: box([1.4, 0.2, 0.04]),
        position: [0, 0, -0.02],
        material: oak,
        colour: [0.3, 0.33, 0.38, 1],
      }),
      block: body({
        shape: box([length, width, height]),
        mass,
        inertia: [about(width, height), about(length, height), about(length, width)],
        position: [0, 0, height / 2],
        velocity: [speed, 0, 0],
        material: oak,
        colour: [0.85, 0.5, 0.2, 1],
      }),
      wall: body({
        shape: box([0.02, 0.2, 0.16]),
        position: [-0.4, 0, 0.08],
        fixed: true,
        material: oak,
        colour: [0.6, 0.6, 0.6, 1],
      }),
    },
    joints: { drive: prismatic({ body: 'belt', axis: [1, 0, 0], speed }) },
    forces: { spring: spring({ from: [-0.4, 0, height / 2], to: 'block', stiffness, restLength: 0.4 }) },
    contacts: { exclude: [['belt', 'wall']], defaults: { staticFriction, kineticFriction, restitution: 0.3 } },
  });
};
