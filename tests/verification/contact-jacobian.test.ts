// The step matrix of every route against differences of the rates, with friction that sticks, slips, and contacts that are open.
// Where it were not exact the integrator would fall from order 4 to order 1.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type BodyOptions,
  body,
  box,
  capsule,
  cylinder,
  halfSpace,
  loadCsg,
  model,
  Simulation,
  type Solid,
  sphere,
  subtract,
  translate,
  type Vec3,
} from '../../src/index.js';
import { contactResidual } from '../fixtures/contact-residual.js';

const material = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };
const DEPTH = 1e-5; // m, at the start
const tilt = (angle: number) => ({ axis: [1, 2, 0] as Vec3, angle });
const lying = { axis: [1, 0, 0] as Vec3, angle: Math.PI / 2 + 1e-5 };
const table: BodyOptions = { shape: box([0.4, 0.4, 0.2]), position: [0, 0, -0.1], fixed: true };
const ground: BodyOptions = { shape: halfSpace(), fixed: true };
const surface: BodyOptions = { contact: { surfaces: [{ kind: 'rectangle' }] }, fixed: true };
const corners: Vec3[] = [-1, 1].flatMap((x) => [-1, 1].map((y): Vec3 => [0.05 * x, 0.05 * y, -0.025]));
const brick = box([0.1, 0.1, 0.05]);
let grooved: Solid;
beforeAll(async () => {
  await loadCsg();
  grooved = subtract(brick, translate([0, 0, 0.02], box([0.04, 0.2, 0.05])));
});

type Scene = readonly [name: string, route: string, lower: () => BodyOptions, upper: () => BodyOptions];
const scenes: readonly Scene[] = [
  [
    'ball on ground',
    'sphere–half-space',
    () => ground,
    () => ({ shape: sphere(0.05), position: [0, 0, 0.05 - DEPTH] }),
  ],
  [
    'ball on ball',
    'sphere–sphere',
    () => ({ shape: sphere(0.04), fixed: true }),
    () => ({ shape: sphere(0.05), position: [2e-3, 3e-3, Math.sqrt(0.09 ** 2 - 1.3e-5) - DEPTH] }),
  ],
  ['ball on box', 'sphere–box', () => table, () => ({ shape: sphere(0.05), position: [0, 0, 0.05 - DEPTH] })],
  [
    'ball on can',
    'sphere–cylinder',
    () => ({ shape: cylinder({ radius: 0.1, height: 0.1 }), position: [0, 0, -0.05], fixed: true }),
    () => ({ shape: sphere(0.05), position: [0.01, 0.02, 0.05 - DEPTH] }),
  ],
  [
    'capsule on ground',
    'capsule–half-space',
    () => ground,
    () => ({ shape: capsule({ radius: 0.05, height: 0.1 }), position: [0, 0, 0.05 - DEPTH], orientation: lying }),
  ],
  [
    'box on ground',
    'half-space–convex',
    () => ground,
    () => ({ shape: brick, position: [0, 0, 0.025 - DEPTH], orientation: tilt(1e-4) }),
  ],
  [
    'box on box',
    'convex–convex',
    () => table,
    () => ({ shape: brick, position: [0.01, 0.02, 0.025 - DEPTH], orientation: tilt(1e-4) }),
  ],
  [
    'concave on ground',
    'half-space–mesh',
    () => ground,
    () => ({ shape: grooved, position: [0, 0, 0.025 - DEPTH], orientation: tilt(1e-5) }),
  ],
  [
    'concave on box',
    'mesh–mesh',
    () => table,
    () => ({ shape: grooved, position: [0.01, 0.02, 0.025 - DEPTH], orientation: tilt(1e-5) }),
  ],
  [
    'ball on concave',
    'sphere–mesh',
    () => ({ shape: grooved, fixed: true }),
    () => ({ shape: sphere(0.02), position: [0.035, 0.02, 0.045 - DEPTH] }),
  ],
  [
    'corners on a plane',
    'points–rectangle',
    () => surface,
    () => ({
      shape: brick,
      contact: { surfaces: [{ kind: 'points', points: corners }] },
      position: [0, 0, 0.025 - DEPTH],
      orientation: tilt(1e-5),
    }),
  ],
  [
    'rectangle on a plane',
    'rectangle–rectangle',
    () => surface,
    () => ({
      shape: brick,
      contact: {
        surfaces: [
          {
            kind: 'rectangle',
            width: 0.1,
            length: 0.1,
            position: [0, 0, -0.025],
            orientation: { axis: [1, 0, 0], angle: Math.PI },
          },
        ],
      },
      position: [0, 0, 0.025 - DEPTH],
      orientation: tilt(1e-5),
    }),
  ],
  [
    'cylinder on a plane',
    'cylinder–rectangle',
    () => surface,
    () => ({
      shape: cylinder({ radius: 0.05, height: 0.1 }),
      contact: { surfaces: [{ kind: 'cylinder', radius: 0.05, length: 0.1 }] },
      position: [0, 0, 0.05 - DEPTH],
      orientation: lying,
    }),
  ],
];

// Velocity and spin that stick, slip or part; steps until friction is what its name says
const motions = [
  ['sticks', 1, 0, { velocity: [1e-5, 5e-6, -1e-4], angularVelocity: [1e-3, 2e-3, 1e-2] }],
  ['slips', 2, 0, { velocity: [0.5, 0.2, -1e-2], angularVelocity: [0.1, 0.2, 5] }],
  ['is open', 0, 1e-2, { velocity: [0.5, 0.2, 0.3], angularVelocity: [0.1, 0.2, 5] }],
] as const;

describe.each(scenes)('%s', (_name, route, lower, upper) => {
  test.each(motions)('%s', (_motion, regime, lift, motion) => {
    const on = upper();
    const position = on.position as Vec3;
    const simulation = new Simulation(
      model({
        bodies: {
          lower: body({ material, ...lower() }),
          upper: body({ material, ...on, ...motion, position: [position[0], position[1], position[2] + lift] }),
        },
        contacts: { defaults: { friction: 0.5, restitution: 0.5 } },
      }),
      { stopTime: 1, interval: 1 },
    );
    // some steps on, so that bristles are stretched
    const regimes = new Set<number>();
    for (let step = 0; step < 3; step++) simulation.advance(simulation.time + 1e-15);
    const { mechanics, time, state, contacts } = simulation;
    const y = Float64Array.from(state);
    mechanics.update(time, y);
    for (const pair of contacts!.pairs) {
      expect(pair.route.name).toBe(route);
      const rows = pair.findRegions(time);
      for (let p = 0; p < rows; p++) {
        pair.evaluateRegion(p, y);
        regimes.add(pair.forces.forces.regime);
      }
    }
    expect([...regimes]).toEqual(regime === 0 ? [] : [regime]);
    // Differences over kinks that are far away leave 1e-7 at worst
    for (const seed of [1, 2, 3]) expect(contactResidual(mechanics, time, y, 1e-4, seed)).toBeLessThan(1e-4);
  });
});
