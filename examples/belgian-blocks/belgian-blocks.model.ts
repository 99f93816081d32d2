// A bucket digs in a pile of Belgian blocks, hewn paving stones: Elmqvist et al. (2015), §8.3 and Fig. 17–19.
// The stones fall into a heap, the bucket drives into it at constant speed, curls and lifts. What it takes is bucket.grains.force.
// npx tippetop run examples/belgian-blocks --blocks 400 --view
import {
  belgianBlock,
  body,
  convexHull,
  granite,
  halfSpace,
  model,
  prismatic,
  random,
  revolute,
  type Solid,
  steel,
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
  const draw = random(`pile ${seed}`);
  const pitch = 0.22; // m, more than the diagonal of the largest stone
  const [width, length, height, thick] = [0.8, 0.6, 0.5, 0.08]; // m, of the bucket
  const [digging, end] = [2.8, 4]; // s
  const side = [
    [-thick, 0],
    [-thick, height],
    [0.3 * length, height],
    [length, 0.1],
    [length, 0],
  ] as const;
  return model({
    title: 'Bucket in a pile of Belgian blocks',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 4 }), material: granite, fixed: true, colour: [0.55, 0.5, 0.45, 1] }),
      // layers of 9 × 9, higher ones narrower, turned at random
      block: Array.from({ length: blocks }, (_, i) => {
        const layer = Math.floor(i / 81);
        const [column, row] = [i % 9, Math.floor(i / 9) % 9];
        const jitter = () => 0.01 * draw.uniformBetween(-1, 1);
        const grey = draw.uniformBetween(0.42, 0.68);
        return body({
          shape: belgianBlock({ seed: `${seed} ${i}` }),
          material: granite,
          position: [pitch * (column - 4) + jitter(), pitch * (row - 4) + jitter(), 0.1 + pitch * layer],
          orientation: draw.rotation(),
          colour: [grey, 0.97 * grey, 0.95 * grey, 1],
        });
      }),
      carriage: body({ mass: 1, inertia: [1, 1, 1], position: [-2.3, 0, 0.01] }),
      mast: body({ mass: 1, inertia: [1, 1, 1], position: [-2.3, 0, 0.01] }),
      bucket: body({
        shape: [
          // floor with its cutting edge, back, two sides
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
        ],
        material: steel,
        position: [-2.3, 0, 0.01],
        colour: [0.95, 0.7, 0.15, 1],
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
    contacts: { defaults: { normalLaw: { kind: 'foundation', modulus }, friction, restitution } },
    simulation: { integrator: 'grains', step, stop: end, interval: 0.02 },
    plots: {
      'force on the bucket': ['bucket.grains.force.x', 'bucket.grains.force.z'],
      'pairs that touch': 'grains.touching',
    },
  });
};
