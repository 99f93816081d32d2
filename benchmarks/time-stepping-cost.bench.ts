// What a step of time stepping is made of, in a pen full of boxes: whole steps, Newton's method by body and iteration, points by pair. The error of steps is energy from nowhere, of what moved;
// of Newton's method how far its velocities are from those of the step, in g h; of points the deepest overlap, of the smallest side.
import { type BodyOptions, body, box, cylinder, halfSpace, model, Simulation, sphere, steel } from 'tippetop';
import type { Island, IslandNewton } from '../src/time-stepping/island-newton.js';
import type { StepContacts } from '../src/time-stepping/step-contacts.js';
import type { TimeStepping } from '../src/time-stepping/time-stepping.js';
import type { VelocityBlocks } from '../src/time-stepping/velocity-blocks.js';
import { benchmark } from './harness.js';

const STEP = 4e-3;
const G = 9.81;
const LEAST = 0.06; // m, smallest side

/** Solids in a lattice above the floor, between four walls that keep them in one pile */
function pen(count: number, mixed = false): TimeStepping {
  const shapes = mixed
    ? [box([0.1, 0.08, 0.06]), sphere(0.04), cylinder({ radius: 0.04, height: 0.08 })]
    : [box([0.1, 0.08, 0.06])];
  const side = Math.ceil(Math.cbrt(count));
  const width = 0.12 * (side - 1) + 0.16;
  const middle = 0.06 * (side - 1);
  const wall = (x: number, y: number, size: readonly [number, number, number]): BodyOptions =>
    body({ shape: box(size), material: steel, fixed: true, position: [middle + x, middle + y, 2] });
  const out = width / 2 + 0.1;
  const scene = model({
    bodies: {
      part: Array.from({ length: count }, (_, i) =>
        body({
          shape: shapes[i % shapes.length],
          material: steel,
          mass: 0.35,
          position: [
            0.12 * (i % side) + 0.003 * Math.sin(7 * i),
            0.12 * (Math.floor(i / side) % side) + 0.003 * Math.cos(5 * i),
            0.1 + 0.12 * Math.floor(i / side ** 2),
          ],
          velocity: [0, 0, -1],
          angularVelocity: [3 * Math.sin(i), 3 * Math.cos(2 * i), 3 * Math.sin(3 * i)],
        }),
      ),
      wall: [
        wall(-out, 0, [0.2, width + 0.4, 4]),
        wall(out, 0, [0.2, width + 0.4, 4]),
        wall(0, -out, [width, 0.2, 4]),
        wall(0, out, [width, 0.2, 4]),
      ],
      floor: body({ shape: halfSpace(), material: steel, fixed: true }),
    },
    contacts: { defaults: { friction: 0.5, restitution: 0.3 }, records: false },
  });
  const options = { integrator: 'time-stepping', step: STEP, resting: false, stopTime: 1e9, interval: 1e6 } as const;
  return new Simulation(scene, options).stepping!;
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

// ---- whole steps --------------------------------------------------------------------------------------------------------------

benchmark('time-stepping/piled', {
  source:
    'blocks of 10 × 8 × 6 cm let fall into a pen with -1 m/s, friction 0.5, restitution 0.3, steps of 4 ms, no one resting; the first 0.4 s, in which they become one pile. Size: their number',
  unit: 'step',
  sizes: [300, 1000],
  rounds: 1,
  run: (count) => {
    const stepping = pen(count);
    const { account } = stepping;
    const blocks: number[] = [];
    let gain = 0;
    for (let block = 0; block < 10; block++) {
      const start = cpu();
      for (let k = 0; k < 10; k++) {
        stepping.step(1e9);
        const [kinetic, potential, elastic] = account.parts;
        gain = Math.max(gain, (kinetic + potential + elastic - account.initial) / account.scale);
      }
      blocks.push((cpu() - start) / 10);
    }
    return { stepping, gain, blocks };
  },
  work: () => 100,
  error: ({ gain }) => gain,
  note: ({ stepping, blocks }) =>
    `${(blocks.reduce((a, b) => a + b) / 10).toFixed(1)} ms CPU a step, ${Math.max(...blocks).toFixed(1)} in the ten dearest, ${blocks[9].toFixed(1)} in the last ten; ${(stepping.iterations / 100).toFixed(0)} iterations over ${(stepping.solutions / 100).toFixed(0)} solutions a step, largest island ${stepping.largestIsland}`,
});

// ---- Newton's method ----------------------------------------------------------------------------------------------------------

/** What the benchmarks reach into */
interface Insides {
  readonly islands: { readonly newton: IslandNewton; readonly island: Island };
  readonly blocks: VelocityBlocks;
  readonly contacts: StepContacts;
  readonly v0: Float64Array;
  readonly free: Float64Array;
  readonly v: Float64Array;
}
const insides = (stepping: TimeStepping): Insides => stepping as unknown as Insides;

benchmark('time-stepping/newton', {
  source:
    'the last solution of a step of the pile above, again from the velocities at its start, to 1e-6 g h. Size: boxes',
  unit: 'body-iteration',
  sizes: [300, 1000],
  prepare: (count) => {
    const stepping = pen(count);
    const { islands } = insides(stepping);
    // until the island that was solved last is the pile
    for (let k = 0; k < 60 || islands.island.blockCount < 0.3 * count; k++) stepping.step(1e9);
    return stepping;
  },
  run: (stepping) => {
    const { islands, v0, free } = insides(stepping);
    const { newton, island } = islands;
    const v = Float64Array.from(v0);
    newton.enter(island);
    newton.solve(island, v, free, 1e-6, G * STEP, true);
    return { v, iterations: newton.iterations, island };
  },
  work: ({ iterations, island }) => iterations * island.blockCount,
  error: ({ v, island }, stepping) => {
    const { blocks, v: told } = insides(stepping);
    let worst = 0;
    for (let i = 0; i < island.blockCount; i++)
      for (let k = 0; k < 3; k++) {
        const at = blocks.at[island.blocks[i]] + k;
        worst = Math.max(worst, Math.abs(v[at] - told[at]) / (G * STEP));
      }
    return worst;
  },
  note: ({ iterations, island }) => `${iterations} iterations, ${island.blockCount} bodies, ${island.groupCount} pairs`,
});

// ---- points -------------------------------------------------------------------------------------------------------------------

for (const [name, mixed] of [
  ['boxes', false],
  ['mixed', true],
] as const)
  benchmark(`time-stepping/points-${name}`, {
    source: `pairs that may touch in a step of such a pile, ${mixed ? 'blocks, balls and cylinders' : 'blocks'}: broad phase, points and gaps. Size: bodies`,
    unit: 'pair',
    sizes: [300],
    prepare: (count) => {
      const stepping = pen(count, mixed);
      for (let k = 0; k < 100; k++) stepping.step(1e9);
      return stepping;
    },
    run: (stepping) => {
      const { contacts, free } = insides(stepping);
      contacts.find(STEP, free);
      return contacts;
    },
    work: ({ count }) => count,
    error: ({ present, count }) => {
      let deepest = 0;
      for (let i = 0; i < count; i++) deepest = Math.max(deepest, present[i].pair.depth);
      return deepest / LEAST;
    },
    note: ({ count }) => `${count} pairs with points`,
  });
