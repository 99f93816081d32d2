/** Grains on soft ground, held to the law of pressure and sinkage and to the same stone as a body of the model. */
import { describe, expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { SerialTeam } from '../grains/team.js';
import { body } from '../model/body.js';
import { type ModelOptions, model } from '../model/model.js';
import { soilOf } from '../model/soil-bed.js';
import { checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import { Simulation, type SimulationOptions, simulate } from './simulation.js';

const stone = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, friction: 0.5, restitution: 0.2 };
const soil = 'dry-sand-lll';
const UPRIGHT = [1, 0, 0, 0] as const;
const a = 0.2;
const cube = { shape: { polyhedron: box(a) }, material: stone } as const;

const lying = (more: Partial<ModelOptions['grains']> = {}): ModelOptions => ({
  soils: { sand: { soil, spacing: 0.02, bodies: ['cube'] } },
  grains: {
    species: { cube },
    packings: {
      one: { species: 'cube', arrangement: 'given', at: [[0.003, 0.002, a / 2 + 1e-3]], orientation: UPRIGHT },
    },
    step: 1e-4,
    ...more,
  },
});
const asked: SimulationOptions = { stopTime: 0.5, interval: 0.02 };

describe('a cube let down on sand', () => {
  const grain = simulate(model(lying()), asked);
  const sunk = a / 2 - grain.signal('one.centre.z').at(-1)!;

  test('is carried with its weight', () => {
    const weight = 2500 * a * a * a * 9.81;
    expect(grain.signal('sand.grains.force.z').at(-1)! / -weight).toBeCloseTo(1, 3);
    expect(grain.signal('sand.grains.carried').at(-1)).toBe(1);
    expect(Math.abs(grain.signal('one.velocity.z').at(-1)!)).toBeLessThan(1e-3); // it came down with 0.14 m/s
    expect(grain.trust.energy!.relativeError).toBeLessThan(1e-2);
  });

  // Bekker: p = (k_c/b + k_φ) zⁿ. Let go on the ground it overshoots: all its energy goes into the ground, m g z = A k zⁿ⁺¹/(n + 1), so z lies between the static depth and (n + 1)^(1/n) of it
  test('sinks as deep as pressure and sinkage say', () => {
    const { kc = 0, kphi, n } = soilOf(soil, 'soil') as { kc?: number; kphi: number; n: number };
    const still = ((2500 * a * 9.81) / (kc / a + kphi)) ** (1 / n);
    expect(sunk).toBeGreaterThan(still);
    expect(sunk).toBeLessThan((n + 1) ** (1 / n) * (still + 1e-3));
  });

  // The same grid and law; steps of 0.1 ms of one, error control of the other. Elastic rebound is a few per cent of the depth
  test('sinks as deep as the same cube that is a body', () => {
    const run = simulate(
      model({
        bodies: {
          cube: body({ shape: box(a), material: stone, contact: false, position: [0.003, 0.002, a / 2 + 1e-3] }),
        },
        soils: { sand: { soil, spacing: 0.02, bodies: ['cube'] } },
      }),
      asked,
    );
    const other = a / 2 - run.signal('cube.position.z').at(-1)!;
    expect(Math.abs(sunk / other - 1)).toBeLessThan(0.02);
  });
});

/** Rocks and balls on a slope of sand, which turn and press each other in */
const heap = (): ModelOptions => ({
  soils: { sand: { soil, spacing: 0.02, bodies: ['rock', 'ball'], orientation: { axis: [0, 1, 0], angle: 0.1 } } },
  grains: {
    species: {
      rock: { shape: { rock: { variants: 2 } }, radius: 0.08, material: stone },
      ball: { radius: 0.06, material: stone },
    },
    packings: {
      rocks: {
        species: 'rock',
        arrangement: 'given',
        at: [
          [0, 0, 0.12],
          [0.18, 0, 0.12],
          [0, 0.18, 0.12],
        ],
      },
      balls: {
        species: 'ball',
        arrangement: 'given',
        at: [
          [0.16, 0.16, 0.26],
          [0.1, 0, 0.27],
        ],
      },
    },
    step: 2e-4,
  },
});

test('bits do not depend on the number of threads; the ledger closes', () => {
  const runs = [1, 3].map((threads) => {
    const run = new Simulation(model(heap()), { stopTime: 0.3, interval: 0.02, team: new SerialTeam(threads) });
    run.advance();
    return run.finish();
  });
  expect(runs[1].hash).toBe(runs[0].hash);
  const [run] = runs;
  expect(run.signal('sand.grains.carried').at(-1)).toBeGreaterThan(2);
  expect(run.signal('sand.grains.sinkage').at(-1)).toBeGreaterThan(0.002);
  expect(run.signal('grains.contacts').values.some((count) => count > 0)).toBe(true);
  expect(run.trust.energy!.relativeError).toBeLessThan(1e-2);
});

test('a run goes on from a checkpoint in a file with the same bits, ruts included', () => {
  const options: SimulationOptions = { stopTime: 0.3, interval: 0.02 };
  const whole = simulate(model(heap()), options);
  const half = new Simulation(model(heap()), options);
  half.advance(0.16);
  expect(half.recording.signal('sand.grains.carried').at(-1)).toBeGreaterThan(0);
  const checkpoint = readCheckpoint(checkpointBytes(half.checkpoint()!), 'heap');
  const rest = new Simulation(model(heap()), { ...options, restart: { checkpoint, recording: half.recording } });
  rest.advance();
  expect(rest.finish().hash).toBe(whole.hash);
});

test('what cannot be is refused by name', () => {
  const attempt = (more: Partial<ModelOptions>) => () => simulate(model({ ...lying(), ...more }), { stopTime: 0.01 });
  const sand = (bodies: unknown) => ({ soils: { sand: { soil, spacing: 0.02, bodies } } }) as Partial<ModelOptions>;
  expect(attempt(sand(['cubes']))).toThrow('soils.sand.bodies: there is no body "cubes"; did you mean "cube"?');
  expect(attempt(sand({ cube: { model: 'terra', radius: 0.1, width: 0.1 } }))).toThrow("expected 'scm'");
  expect(
    attempt({ bodies: { box: body({ shape: box(1), mass: 1, position: [5, 0, 1] }) }, ...sand(['cube', 'box']) }),
  ).toThrow('soils.sand.bodies: expected bodies or species of grains');
  const ball = { radius: 0.1, material: stone, rollingFriction: 0.1 };
  expect(attempt({ grains: { ...lying().grains!, species: { cube: ball } } })).toThrow(
    'grains.species.cube.rollingFriction: is for models whose grains are all balls among walls, and "cube" lie on soft ground',
  );
});
