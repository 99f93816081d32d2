// An excavator's bucket on a swinging arm goes through a bed of 20 000 pebbles, fills and is held up. The drive of the arm feels the load.
// npx tippetop run examples/bucket-in-gravel --threads 2 --view
import { body, box, extrude, halfSpace, model, revolute, rotate, subtract, translate } from 'tippetop';

export default ({
  pebbles = 20000,
  radius = 6e-3, // m, mean
  width = 0.16, // m, of the bucket inside
  stop = 1.6, // s
} = {}) => {
  const gravel = { density: 2600, youngsModulus: 2e6, poissonRatio: 0.25, restitution: 0.3, friction: 0.5 };
  const steel = { density: 7800, youngsModulus: 2e9, poissonRatio: 0.3, restitution: 0.3, friction: 0.3 };
  const across = 0.3; // m, width of the trough
  const along = 0.8; // m
  const wall = 0.01; // m
  // Section of the bucket in the plane of its motion, mouth towards +x, from its lip round the bottom and the back to the top
  const outside: [number, number][] = [
    [0.13, -0.09],
    [0, -0.09],
    [-0.09, -0.05],
    [-0.1, 0.05],
    [-0.06, 0.08],
    [0.13, 0.08],
  ];
  const inside: [number, number][] = [
    [0.14, -0.08],
    [0.002, -0.08],
    [-0.081, -0.043],
    [-0.09, 0.045],
    [-0.055, 0.07],
    [0.14, 0.07],
  ];
  const prism = (outline: [number, number][], height: number) =>
    rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, extrude(outline, height));
  const shell = subtract(prism(outside, width + 2 * wall), prism(inside, width));
  // The arm hangs from a hinge above the bed; at the start it points to −x, out of the bed
  const arm = 0.36; // m, hinge to the middle of the bucket
  const hinge: [number, number, number] = [0, 0, 0.4];
  const start = -1.35; // rad from straight down
  const sweep = 3.05; // rad
  const duration = 1.1; // s
  // Smooth from rest to rest: s(x) = x³ (10 − 15x + 6x²)
  const angle = (t: number): [number, number, number] => {
    const x = Math.min(1, t / duration);
    return [
      -sweep * x ** 3 * (10 - 15 * x + 6 * x * x),
      (-sweep * 30 * x * x * (1 - x) ** 2) / duration,
      (-sweep * (60 * x - 180 * x * x + 120 * x ** 3)) / duration ** 2,
    ];
  };
  const hanging = translate([0, 0, -arm], shell);
  const boom = translate([0, 0, -arm / 2 + 0.04], box([0.03, 0.03, arm - 0.08]));
  return model({
    title: 'Bucket in gravel',
    bodies: {
      yard: body({ shape: halfSpace(), material: gravel, fixed: true }),
      trough: body({
        shape: translate([0, 0, 0.1], subtract(box([along + 0.04, across + 0.04, 0.2]), box([along, across, 0.3]))),
        material: gravel,
        fixed: true,
        colour: [0.7, 0.75, 0.8, 0.2],
      }),
      bucket: body({
        shape: [hanging, boom].map((part) => translate(hinge, rotate({ axis: [0, 1, 0], angle: -start }, part))),
        material: steel,
        colour: [0.85, 0.62, 0.2, 1],
      }),
    },
    joints: { swing: revolute({ body: 'bucket', axis: [0, 1, 0], at: hinge, angle }) },
    contacts: false,
    grains: {
      species: {
        pebble: { radius: { uniform: [0.85 * radius, 1.15 * radius] }, material: gravel, rollingFriction: 0.1 },
      },
      packings: {
        bed: {
          species: 'pebble',
          region: {
            box: [
              [-along / 2, -across / 2, 0],
              [along / 2, across / 2, 0.24],
            ],
          },
          spacing: 1.0,
          jitter: 0,
          count: pebbles,
        },
      },
      step: 1.5e-4, // s
    },
    simulation: { stop, interval: 0.02 },
    plots: {
      'torque of the drive': 'swing.drive',
      'force on the bucket': ['bucket.grains.force.x', 'bucket.grains.force.z'],
    },
  });
};
