// Hewn blocks, peanuts and balls in a drum with lifters: one closed mesh that is not convex. Lifters carry them up and let them fall; the drive feels their weight on a lever.
// npx tippetop run examples/lifter-drum --view
import { body, cylinder, extrude, model, revolute, rotate, translate } from 'tippetop';

export default ({
  radius = 0.15, // m
  length = 0.12, // m
  lifters = 6,
  blocks = 70,
  nuts = 40,
  balls = 40,
  speed = 3, // rad/s
  stop = 2, // s
} = {}) => {
  const oak = { density: 700, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.4, friction: 0.4 };
  const steel = { density: 7800, restitution: 0.4, friction: 0.4 };
  const wall = 0.02; // m
  const circle = (r: number, n: number) =>
    Array.from({ length: n }, (_, k) => {
      const angle = (2 * Math.PI * k) / n;
      return [r * Math.cos(angle), r * Math.sin(angle)] as const;
    });
  // The inside: eight corners from one lifter to the next, then out along its flank and back
  const inside = Array.from({ length: lifters }, (_, l) => {
    const at = (part: number, r: number) => {
      const angle = (2 * Math.PI * (l + part)) / lifters;
      return [r * Math.cos(angle), r * Math.sin(angle)] as const;
    };
    return [
      ...Array.from({ length: 9 }, (_, k) => at(k * 0.11, radius)),
      at(0.9, radius * 0.8),
      at(0.98, radius * 0.8),
    ];
  }).flat();
  const lying = [
    translate(
      [0, 0, -length / 2],
      extrude({ outer: circle(radius + wall, 64), holes: [inside.slice().reverse()] }, length),
    ),
    translate([0, 0, -length / 2 - wall / 2], cylinder({ radius: radius + wall, height: wall })),
    translate([0, 0, length / 2 + wall / 2], cylinder({ radius: radius + wall, height: wall })),
  ].map((part) => rotate({ axis: [1, 0, 0], angle: -Math.PI / 2 }, part));
  const region = {
    cylinder: { radius: 0.78 * radius, height: length, from: [0, -length / 2, 0], axis: [0, 1, 0] },
  } as const;
  return model({
    title: 'Drum with lifters',
    bodies: { drum: body({ shape: lying, material: steel, colour: [0.7, 0.75, 0.8, 0.25] }) },
    joints: { shaft: revolute({ body: 'drum', axis: [0, 1, 0], speed }) },
    grains: {
      species: {
        block: {
          shape: { block: { size: [0.03, 0.02, 0.02], variants: 12 } },
          material: oak,
          foundation: 1e8,
          colour: [0.75, 0.5, 0.3, 1],
        },
        nut: {
          shape: {
            clump: [
              [-0.007, 0, 0, 0.01],
              [0.007, 0, 0, 0.01],
            ],
          },
          material: oak,
          foundation: 1e8,
          colour: [0.9, 0.8, 0.5, 1],
        },
        ball: { radius: 0.01, material: oak, foundation: 1e8, colour: [0.35, 0.55, 0.8, 1] },
      },
      step: 5e-5, // s, half of the critical one
      packings: {
        blocks: { species: 'block', arrangement: 'random', region, count: blocks },
        nuts: { species: 'nut', arrangement: 'random', region, count: nuts },
        balls: { species: 'ball', arrangement: 'random', region, count: balls },
      },
    },
    simulation: { stop, interval: 0.01 },
    plots: { torque: ['shaft.drive'], centre: ['grains.centre.x', 'grains.centre.z'] },
  });
};
