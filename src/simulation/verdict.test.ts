import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import { quantity } from '../math/quantity.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import type { Material } from '../model/materials.js';
import { type ModelOptions, model } from '../model/model.js';
import type { EnergyLedger, Verdict } from '../results/trust-report.js';
import { simulate } from './simulation.js';
import { type Evidence, verdictOf } from './verdict.js';

const ledger = (relativeError: number): EnergyLedger => ({
  kinetic: 1,
  potential: 0,
  elastic: 0,
  dissipated: 0,
  putIn: 0,
  error: relativeError,
  relativeError,
});
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  energy: ledger(1e-6),
  heldBack: [],
  metAtStart: [],
  guesses: [],
  failed: false,
  ...more,
});
const reasons = ({ reasons: all }: Verdict): string => all.map(({ reason }) => reason).join('; ');

describe('the word', () => {
  test.each([
    [1e-6, 'trusted'],
    [0.99e-3, 'trusted'],
    [1.01e-3, 'doubtful'],
    [0.99e-2, 'doubtful'],
    [1.01e-2, 'not to be trusted'],
    [Number.NaN, 'not to be trusted'],
    [Number.POSITIVE_INFINITY, 'not to be trusted'],
  ])('a ledger open by %s is %s', (relativeError, word) => {
    expect(verdictOf(evidence({ energy: ledger(relativeError) })).word).toBe(word);
  });

  test.each([
    [0.99e-3, 0, 'trusted'],
    [1.01e-3, 0, 'doubtful'],
    [5.1e-2, 0, 'not to be trusted'],
    [Number.NaN, 0, 'not to be trusted'],
    [0, 2e-3, 'doubtful'],
  ])('steps that lose %s, of whose solutions %s were not found: %s', (share, unsolved, word) => {
    expect(verdictOf(evidence({ steps: { share, most: share, loses: true, unsolved } })).word).toBe(word);
  });

  test('what steps made and undid counts from 5e-2 on', () => {
    const word = (most: number) => verdictOf(evidence({ steps: { share: 1e-4, most, loses: true, unsolved: 0 } })).word;
    expect([4.9e-2, 5.1e-2, 0.5, Number.NaN].map(word)).toEqual(['trusted', 'doubtful', 'doubtful', 'doubtful']);
  });

  test('what fast modes of flexible bodies took, and do not give back, counts from 5e-2 on', () => {
    const word = (modes: number) =>
      verdictOf(evidence({ steps: { share: 1e-4, most: 1e-4, loses: true, unsolved: 0, modes } })).word;
    expect([-0.3, 4.9e-2, 5.1e-2, Number.NaN].map(word)).toEqual(['trusted', 'trusted', 'doubtful', 'doubtful']);
  });

  test('an attitude that may be wrong counts although the ledger is closed', () => {
    const word = (error: number) => verdictOf(evidence({ attitude: { error, body: 'top' } })).word;
    expect([1e-5, 2e-3, 2e-2, Number.NaN].map(word)).toEqual([
      'trusted',
      'doubtful',
      'not to be trusted',
      'not to be trusted',
    ]);
  });

  test('the weightiest reason comes first, every doubt has a remedy', () => {
    const verdict = verdictOf(evidence({ energy: ledger(0.005), heldBack: ['latch'], failed: true }));
    expect(verdict.word).toBe('not to be trusted');
    expect(verdict.reasons.map(({ reason }) => reason)).toEqual([
      'the event "latch" has not happened although its condition is met',
      'the energy ledger is open by 0.005 of the energy that moved',
      'the run failed before its end',
    ]);
    for (const { remedy } of verdict.reasons) expect(remedy).toMatch(/\S/);
  });

  test.each([
    [5e-3, 'trusted'],
    [5e-2, 'doubtful'],
    [Number.NaN, 'not to be trusted'],
  ])('an element that made %s of the energy that moved: %s', (share, word) => {
    expect(verdictOf(evidence({ made: { element: 'elements.bed.block', share } })).word).toBe(word);
  });

  test('a run that is trusted says what it stands on', () => {
    expect(reasons(verdictOf(evidence()))).toBe('the energy ledger closes to 1.0e-6');
  });
});

// An elastic ball against a wall goes d* = (15 m v²/(16 E* √R))^(2/5) deep (Johnson 1985, §11.4); E is chosen so that d* is a part of R.
describe('depth', () => {
  const R = 0.01;
  const v = 1;
  const density = 1000;
  const pressed = (share: number) => {
    const mass = density * (4 / 3) * Math.PI * R ** 3;
    const reducedModulus = (15 * mass * v * v) / (16 * Math.sqrt(R) * (share * R) ** 2.5);
    const soft: Material = { density, youngsModulus: 1, poissonRatio: 0.3, friction: 0, restitution: 1 };
    return simulate(
      model({
        gravity: 'none',
        bodies: {
          wall: body({ shape: halfSpace(), material: soft, fixed: true }),
          ball: body({ shape: sphere(R), material: soft, position: [0, 0, 1.5 * R], velocity: [0, 0, -v] }),
        },
        contacts: { pairs: [{ between: ['wall', 'ball'], reducedModulus, restitution: 1, friction: 0 }] },
      }),
      { stopTime: 0.03 },
    ).trust;
  };

  test.each([
    [0.05, 'trusted'],
    [0.15, 'doubtful'],
    [0.35, 'not to be trusted'],
  ])('an impact %s of the radius deep is %s', (share, word) => {
    const { verdict, contacts } = pressed(share);
    expect(verdict?.word).toBe(word);
    const { deepest } = contacts as { deepest: { depth: number; time: number; pair: string } };
    // Told at the ends of steps: with n of them over the impact, d = d* cos(π/2n) at worst; ten make 0.988.
    expect(deepest.depth / (share * R)).toBeGreaterThan(0.98);
    expect(deepest.depth / (share * R)).toBeLessThan(1.001);
    if (word === 'not to be trusted')
      expect(reasons(verdict!)).toMatch(/wall–ball was 3\.5 mm deep .* ends at 2\.5 mm/);
  });
});

// A ball drawn d deep into a wall is pushed out with the energy of Hertz, 2/5 k d^(5/2), whatever it does then.
describe('overlap of the drawing', () => {
  const drawn = (depth: number, velocity: readonly [number, number, number] = [0, 0, 0]) => {
    const hard: Material = { density: 1000, youngsModulus: 1e9, poissonRatio: 0.3, friction: 0.2, restitution: 0.9 };
    return simulate(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), material: hard, fixed: true }),
          ball: body({ shape: sphere(0.01), material: hard, position: [0, 0, 0.01 - depth], velocity }),
        },
      }),
      { stopTime: 0.05 },
    );
  };

  test('that throws a body is doubtful, with its energy', () => {
    const { trust } = drawn(1e-4);
    const stiffness = (4 / 3) * (1e9 / (2 * (1 - 0.09))) * 0.1;
    const energy = 0.4 * stiffness * 1e-10; // (1e-4)^2.5 = 1e-10
    const mass = 1000 * (4 / 3) * Math.PI * 1e-6;
    const speed = Math.sqrt((2 * energy) / mass);
    expect(trust.verdict?.word).toBe('doubtful');
    expect(reasons(trust.verdict!)).toBe(
      `floor–ball overlaps by 100 µm as drawn, and is pushed apart with ${quantity(energy, 'J', 2)}, at ${quantity(speed, 'm/s', 2)}`,
    );
  });

  test('of the depth at rest is none, and one whose energy is nothing beside that of the motion is no matter', () => {
    expect(drawn(1e-7).trust.verdict?.word).toBe('trusted'); // 1.2e-6 m under its weight
    expect(drawn(2e-6, [3, 0, 0]).trust.verdict?.word).toBe('trusted');
  });
});

describe.each([{}, { integrator: 'time-stepping', step: 1e-3 } as const])('guesses, %o', (integrator) => {
  const run = (more: Partial<Material>, ball: object, stopTime = 0.6) => {
    const stuff: Material = { name: 'stuff', density: 1000, youngsModulus: 1e8, poissonRatio: 0.3, ...more };
    return simulate(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), material: stuff, fixed: true }),
          block: body({ material: stuff, ...ball } as Parameters<typeof body>[0]),
        },
      }),
      { stopTime, ...integrator },
    ).trust.verdict!;
  };
  const falling = { shape: sphere(0.05), position: [0, 0, 0.15] };
  const sliding = { shape: box([0.1, 0.1, 0.05]), position: [0, 0, 0.025], velocity: [0.5, 0, 0] };

  test('a bounce of unknown restitution is doubtful, with what to write', () => {
    const verdict = run({ friction: 0.3 }, falling);
    expect(verdict.word).toBe('doubtful');
    expect(reasons(verdict)).toContain('restitution of stuff on stuff, such as floor–block, was not given (0.5 taken)');
    expect(verdict.reasons[0].remedy).toBe("contacts: { pairs: [{ between: ['floor', 'block'], restitution: … }] }");
  });

  test('unknown friction that was not in play is no matter, nor restitution where nothing strikes', () => {
    expect(run({ restitution: 0.5 }, falling).word).toBe('trusted');
    expect(run({ friction: 0.3 }, sliding, 0.1).word).toBe('trusted');
  });

  test('unknown friction that brakes is doubtful', () => {
    const verdict = run({ restitution: 0.5 }, sliding, 0.1);
    expect(verdict.word).toBe('doubtful');
    expect(reasons(verdict)).toContain('friction of stuff on stuff');
  });

  test('what is combined from both materials is worth a note, no doubt', () => {
    expect(run({ restitution: 0.5, friction: 0.3 }, falling).word).toBe('trusted');
  });
});

describe('events', () => {
  const pendulum = (events: ModelOptions['events']) =>
    model({
      bodies: { bob: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1] }) },
      joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: 1 }) },
      ...(events && { events }),
    });

  test('a condition that was met from the start is doubtful', () => {
    const { trust } = simulate(pendulum({ latch: { when: (signal) => signal('pivot.angle') + 5, stop: true } }), {
      stopTime: 1,
    });
    expect(trust.verdict?.word).toBe('doubtful');
    expect(reasons(trust.verdict!)).toContain('"latch" was met from the start');
  });

  test('one that happens is no matter, nor one whose condition is never met', () => {
    const { trust, events } = simulate(
      pendulum({
        passed: { when: (signal) => -signal('pivot.angle'), stop: true },
        never: { when: (signal) => signal('pivot.angle') - 5, stop: true },
      }),
      { stopTime: 1 },
    );
    expect(events.map(({ name }) => name)).toEqual(['passed']);
    expect(trust.verdict?.word).toBe('trusted');
  });
});
