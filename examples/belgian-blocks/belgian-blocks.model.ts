// A bucket digs in a pile of Belgian blocks, hewn paving stones: Elmqvist et al. (2015), §8.3 and Fig. 17–19.
// The stones fall into a heap, the bucket drives into it at constant speed, curls and lifts. What it takes is bucket.grains.meanForce.
// npx tippetop run examples/belgian-blocks --blocks 400 --view
// npx tippetop run examples/belgian-blocks --model loader    the same bucket on an arm, moved by drives of bounded force that feel the stones
import {
  body,
  box,
  convexHull,
  granite,
  halfSpace,
  model,
  prismatic,
  random,
  revolute,
  rotate,
  type Solid,
  steel,
  translate,
  type Vec3,
} from 'tippetop';

/** A plate of the bucket: an outline in the x-z plane from y0 to y1, m. Convex, and thick on the side where no stones are. */
const plate = (outline: readonly (readonly [number, number])[], y0: number, y1: number): Solid => ({
  mesh: convexHull(
    outline.flatMap(([x, z]): Vec3[] => [
      [x, y0, z],
      [x, y1, z],
    ]),
  ),
  form: { kind: 'mesh' },
  pose: { position: [0, 0, 0], orientation: [1, 0, 0, 0] },
});

/** 0 before t0, 1 after t1, smooth between: value and rate */
const ramp = (t: number, t0: number, t1: number): number => {
  const s = Math.min(1, Math.max(0, (t - t0) / (t1 - t0)));
  return s * s * s * (10 - 15 * s + 6 * s * s);
};

const [width, length, height, thick] = [0.8, 0.6, 0.5, 0.08]; // m, of the bucket

const floor = body({ shape: halfSpace({ extent: 4 }), material: granite, fixed: true, colour: [0.55, 0.5, 0.45, 1] });

/** Layers of 9 × 9 stones, turned at random */
const pile = (
  blocks: number,
  seed: number,
  law: { foundation: number; friction: number; restitution: number },
  step: number,
) => {
  const draw = random(`pile ${seed}`);
  const jitter = () => 0.01 * draw.uniformBetween(-1, 1);
  const pitch = 0.22; // m, more than the diagonal of the largest stone
  return {
    species: {
      stone: {
        shape: { block: { size: [0.14, 0.09, 0.09] as const, seed, variants: 40 } },
        material: granite,
        colour: [0.56, 0.545, 0.53, 1] as const,
      },
    },
    packings: {
      pile: {
        species: 'stone',
        arrangement: 'given' as const,
        at: Array.from({ length: blocks }, (_, i) => {
          const [column, row, layer] = [i % 9, Math.floor(i / 9) % 9, Math.floor(i / 81)];
          return [pitch * (column - 4) + jitter(), pitch * (row - 4) + jitter(), 0.1 + pitch * layer];
        }),
      },
    },
    pairs: [{ between: ['*', '*'] as const, ...law }],
    seed,
    step,
  };
};

/** Floor with its cutting edge, back, two sides */
const bucketPlates = (): Solid[] => {
  const side = [
    [-thick, 0],
    [-thick, height],
    [0.3 * length, height],
    [length, 0.1],
    [length, 0],
  ] as const;
  return [
    plate(
      [
        [0, 0],
        [length, 0],
        [length, 0.03],
        [0, 0.09],
      ],
      -width / 2,
      width / 2,
    ),
    plate(
      [
        [-thick, 0],
        [0, 0],
        [0, height],
        [-thick, height],
      ],
      -width / 2,
      width / 2,
    ),
    plate(side, -width / 2 - thick, -width / 2),
    plate(side, width / 2, width / 2 + thick),
  ];
};
const yellow = [0.95, 0.7, 0.15, 1] as const;

export default ({
  blocks = 400,
  seed = 1 /* of stones and pile */,
  speed = 0.55 /* m/s of the bucket */,
  lift = 0.6 /* m */,
  curl = 0.8 /* rad */,
  friction = 0.6,
  restitution = 0.3,
  modulus = 1e8 /* N/m³, pressure per depth of a contact; real stone has 5000 times as much */,
  step = 2e-4 /* s; goes with 1/√modulus */,
} = {}) => {
  const [digging, end] = [2.8, 4]; // s
  return model({
    title: 'Bucket in a pile of Belgian blocks',
    bodies: {
      floor,
      carriage: body({ mass: 1, inertia: [1, 1, 1], position: [-2.3, 0, 0.01] }),
      mast: body({ mass: 1, inertia: [1, 1, 1], position: [-2.3, 0, 0.01] }),
      bucket: body({
        shape: bucketPlates(),
        material: steel,
        position: [-2.3, 0, 0.01],
        colour: yellow,
      }),
    },
    joints: {
      drive: prismatic({ body: 'carriage', axis: [1, 0, 0], speed }),
      hoist: prismatic({
        body: 'mast',
        to: 'carriage',
        axis: [0, 0, 1],
        position: (t) => lift * ramp(t, digging, end),
      }),
      tilt: revolute({
        body: 'bucket',
        to: 'mast',
        at: [-2.3, 0, 0.01],
        axis: [0, -1, 0],
        angle: (t) => curl * ramp(t, digging, end),
      }),
    },
    contacts: false,
    grains: pile(blocks, seed, { foundation: modulus, friction, restitution }, step),
    simulation: { stop: end, interval: 0.02 },
    plots: {
      'force on the bucket': ['bucket.grains.meanForce.x', 'bucket.grains.meanForce.z'],
      'pairs that touch': 'grains.contacts',
    },
  });
};

/** A drive: spring and damper towards a moving target, of bounded force */
const servo =
  (target: (t: number) => number, stiffness: number, damping: number, most: number) =>
  (t: number, x: number, v: number): number =>
    Math.max(-most, Math.min(most, stiffness * (target(t) - x) - damping * v));

/** The bucket on an arm on a carriage that rolls: three drives, none of which is stronger than it is */
export const loader = ({
  blocks = 400,
  seed = 1 /* of stones and pile */,
  speed = 0.55 /* m/s that the carriage is to go */,
  push = 6000 /* N, the most its drive gives */,
  torque = 6000 /* N m, the most the drives of arm and bucket give */,
  raise = 0.5 /* rad, of the arm */,
  curl = 0.7 /* rad, of the bucket */,
  friction = 0.6,
  restitution = 0.3,
  modulus = 1e8 /* N/m³, pressure per depth of a contact */,
  step = 2e-4 /* s; goes with 1/√modulus */,
} = {}) => {
  const [digging, end] = [2.8, 4]; // s
  const pivot = [-3.3, 0, 0.7] as const; // of the arm, at the carriage
  const hinge = [-2.3, 0, 0.26] as const; // of the bucket, at the arm
  return model({
    title: 'Loader in a pile of Belgian blocks',
    bodies: {
      floor,
      carriage: body({
        shape: translate([-0.6, 0, 0], box([1.2, 0.9, 0.5])),
        mass: 800,
        contact: false,
        position: [...pivot],
        colour: yellow,
      }),
      arm: body({
        shape: translate([0.5, 0, -0.22], rotate({ axis: [0, 1, 0], angle: 0.414 }, box([1.09, 0.16, 0.16]))),
        mass: 60,
        contact: false,
        position: [...pivot],
        colour: [0.3, 0.3, 0.32, 1],
      }),
      bucket: body({
        shape: bucketPlates(),
        mass: 120,
        position: [-2.3, 0, 0.01],
        colour: yellow,
      }),
    },
    joints: {
      drive: prismatic({
        body: 'carriage',
        axis: [1, 0, 0],
        force: servo((t) => speed * t, 4e4, 8e3, push),
      }),
      lift: revolute({
        body: 'arm',
        to: 'carriage',
        at: [...pivot],
        axis: [0, -1, 0],
        torque: servo((t) => raise * ramp(t, digging, end), 3e5, 2e4, torque),
      }),
      tilt: revolute({
        body: 'bucket',
        to: 'arm',
        at: [...hinge],
        axis: [0, -1, 0],
        torque: servo((t) => curl * ramp(t, digging, end), 2e5, 1e4, torque),
      }),
    },
    contacts: false,
    grains: pile(blocks, seed, { foundation: modulus, friction, restitution }, step),
    simulation: { stop: end, interval: 0.02 },
    plots: {
      'force of the stones on the bucket': ['bucket.grains.meanForce.x', 'bucket.grains.meanForce.z'],
      'speed of the carriage': 'carriage.velocity.x',
      'angles of arm and bucket': ['lift.angle', 'tilt.angle'],
    },
  });
};
