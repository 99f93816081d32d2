/** Claims about islands with their own steps at sizes that tests do not run: 64 balls apart, a stack of ten boxes. */
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { oak } from '../model/materials.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import type { Check } from './check.js';

const BALLS = 64;
const floor = body({ shape: halfSpace(), material: oak, fixed: true });
const ball = (i: number) =>
  body({
    shape: sphere(0.05),
    material: oak,
    position: [i % 8, Math.floor(i / 8), 0.3 + 0.013 * ((7 * i) % 11)],
  });

function bounce(chosen: readonly number[]): Simulation {
  const balls = Object.fromEntries(chosen.map((i) => [`ball${i}`, ball(i)]));
  const simulation = new Simulation(model({ bodies: { floor, ...balls } }), { stopTime: 2, interval: 0.05 });
  simulation.advance();
  return simulation;
}

/** Steps of all balls together, and how many numbers recorded of three of them differ from those of single runs */
function compareBalls(): { steps: number; differing: number } {
  const together = bounce(Array.from({ length: BALLS }, (_, i) => i));
  const whole = together.finish();
  let differing = 0;
  for (const i of [0, 29, BALLS - 1]) {
    const alone = bounce([i]).finish();
    for (const { name } of whole.signals) {
      if (!name.startsWith(`ball${i}.`)) continue;
      const { values } = alone.signal(name);
      for (const [row, value] of whole.signal(name).values.entries()) if (!Object.is(value, values[row])) differing++;
    }
  }
  return { steps: together.statistics.accepted, differing };
}

let compared: { steps: number; differing: number } | undefined;
const balls = () => {
  compared ??= compareBalls();
  return compared;
};

function stack(): { perBox: number; fastest: number } {
  const count = 10;
  const gap = 1e-3; // m
  const simulation = new Simulation(
    model({
      bodies: {
        floor,
        boxes: Array.from({ length: count }, (_, i) =>
          body({ shape: box([0.2, 0.2, 0.1]), material: oak, position: [0, 0, 0.05 + gap + i * (0.1 + gap)] }),
        ),
      },
    }),
    { stopTime: 2 },
  );
  simulation.advance();
  const { accepted } = simulation.statistics;
  const run = simulation.finish();
  let fastest = 0;
  for (let i = 0; i < count; i++)
    for (const axis of ['x', 'y', 'z'])
      fastest = Math.max(fastest, Math.abs(run.signal(`boxes[${i}].velocity.${axis}`).at(-1)!));
  return { perBox: accepted / count, fastest };
}

let stacked: { perBox: number; fastest: number } | undefined;
const boxes = () => {
  stacked ??= stack();
  return stacked;
};

export const islandChecks: readonly Check[] = [
  {
    id: 'ISLANDS-64',
    title: '64 balls a metre apart, 2 s: steps of all together',
    source: 'with one step for all each ball would make the steps of all: 1.6 million body-steps',
    limit: 36_000,
    long: true,
    measure: () => ({ value: balls().steps, reference: 0 }),
  },
  {
    id: 'ISLANDS-bits',
    title: 'three of these balls alone: recorded numbers that differ in a bit',
    source: 'what touches nothing in common knows nothing of each other',
    limit: 0.5,
    long: true,
    measure: () => ({ value: balls().differing, reference: 0 }),
  },
  {
    id: 'STACK-10',
    title: 'ten oak boxes dropped from 1 mm, 2 s: steps per box',
    source: 'settling takes steps, rest takes none',
    limit: 500,
    long: true,
    measure: () => ({ value: boxes().perBox, reference: 0 }),
  },
  {
    id: 'STACK-rest',
    title: 'the same: fastest box at the end, m/s',
    source: 'a stack comes to rest',
    limit: 1e-6,
    long: true,
    measure: () => ({ value: boxes().fastest, reference: 0 }),
  },
];
