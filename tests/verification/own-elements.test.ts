// Contact elements of a user's own: states advanced with the motion, history committed on accepted steps, under every integrator.
import { describe, expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import { mechanismsOf } from '../../src/assembly/restrict.js';
import { body, contactElement, fixed, model, rubber, simulate, sphere } from '../../src/index.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';
import { crushingPad, zenerPad } from '../fixtures/pads.js';

const point = { mass: 1, inertia: [1e-3, 1e-3, 1e-3] as [number, number, number] };

/*
 * A mass on Zener's pad: with r = k₂/c
 *
 *   λ³ + r λ² + (k₁ + k₂)/m λ + k₁ r/m = 0
 *
 * Roots −p and −q ± iw are chosen, which gives r = p + 2q, k₁ = m p (q² + w²)/r, k₂ = m (2pq + q² + w²) − k₁. About the rest
 * z₀ = −m g/k₁ the height is z − z₀ = A e^(−pt) + e^(−qt) (B cos wt + C sin wt), from z, z' and z'' at the start.
 */
const [p, q, w, g, height] = [30, 4, 40, 9.81, 0.02];
const r = p + 2 * q;
const k1 = (p * (q * q + w * w)) / r;
const k2 = 2 * p * q + q * q + w * w - k1;
const pad = { k1, k2, c: k2 / r, scale: 0.01 };

function zenerHeight(t: number): number {
  const rest = -g / k1;
  // at the start z = height, z' = 0, s = 0: z'' = −g − (k₁ + k₂) height
  const [u, v, a] = [height - rest, 0, -g - (k1 + k2) * height];
  // A + B = u,  −p A − q B + w C = v,  p² A + (q² − w²) B − 2 q w C = a
  const A = (a + 2 * q * v + (q * q + w * w) * u) / ((p - q) * (p - q) + w * w);
  const B = u - A;
  const C = (v + p * A + q * B) / w;
  return rest + A * Math.exp(-p * t) + Math.exp(-q * t) * (B * Math.cos(w * t) + C * Math.sin(w * t));
}

const onZener = (differences = false) =>
  model({
    gravity: [0, 0, -g],
    contacts: false,
    bodies: { mass: body({ ...point, position: [0, 0, height] }) },
    elements: { pad: zenerPad({ ...pad, differences }) },
  });

function zenerError(options: SimulationOptions, differences = false): { error: number; ledger: number; steps: number } {
  const run = simulate(onZener(differences), { stopTime: 0.3, interval: 0.01, ...options });
  let error = 0;
  const heights = run.signal('elements.pad.height').values;
  for (let i = 0; i < run.rows; i++) error = Math.max(error, Math.abs(heights[i] - zenerHeight(run.times[i])));
  return { error, ledger: run.trust!.energy!.relativeError, steps: run.trust!.steps!.accepted };
}

describe("Zener's pad, a state of its own", () => {
  test.each(['rodas4', 'rodas4p', 'radau5', 'esdirk4', 'dopri5', 'dop853', 'automatic'] as const)(
    '%s',
    (integrator) => {
      // errors of places are held to rtol of the mechanism's length, here what gravity and the pad move it by: some 2 cm
      for (const rtol of [1e-5, 1e-8]) {
        const { error, ledger } = zenerError({ integrator, rtol });
        expect(error).toBeLessThan(20 * rtol * height);
        expect(ledger).toBeLessThan(20 * rtol);
      }
    },
  );
  test.each(['verlet', 'symplecticEuler'] as const)('%s converges with its order', (integrator) => {
    const coarse = zenerError({ integrator, step: 2e-4 }).error;
    const fine = zenerError({ integrator, step: 1e-4 }).error;
    expect(fine).toBeLessThan(1e-2 * height);
    expect(coarse / fine).toBeGreaterThan(integrator === 'verlet' ? 3.9 : 1.9);
  });
  test('differences do as well as exact derivatives', () => {
    const exact = zenerError({ integrator: 'rodas4', rtol: 1e-7 });
    const differenced = zenerError({ integrator: 'rodas4', rtol: 1e-7 }, true);
    expect(differenced.error).toBeLessThan(20 * 1e-7 * height);
    expect(differenced.steps).toBeLessThan(1.1 * exact.steps + 2);
  });
});

/*
 * A body hits a pad that crushes, without gravity: elastic until F_y, then slowed by F_y to a stop, then thrown back by what is stored.
 *
 *   d_y = F_y/k,   v_y² = v² − F_y²/(k m),   deepest d_m = d_y + m v_y²/(2 F_y),   crushed d_m − d_y,
 *   rebound F_y/√(k m),   heat ½ m v² − F_y²/(2k)
 */
const [k, strength, v] = [1e5, 50, 0.5];
const yieldDepth = strength / k;
const crushedDepth = (v * v - (strength * strength) / k) / (2 * strength);
const rebound = strength / Math.sqrt(k);

const impact = (options: { books?: 'element' | 'ledger'; differences?: boolean } = {}) =>
  model({
    gravity: [0, 0, 0],
    contacts: false,
    bodies: { mass: body({ ...point, position: [0, 0, 1e-3], velocity: [0, 0, -v] }) },
    elements: { pad: crushingPad({ stiffness: k, strength, ...options }) },
  });

describe('a pad that crushes, with history', () => {
  const crushes = (options: SimulationOptions, pad: Parameters<typeof impact>[0] = {}) => {
    const run = simulate(impact(pad), { stopTime: 0.02, ...options });
    return {
      crushed: Math.abs(run.signal('elements.pad.crushed').at(-1)! / crushedDepth - 1),
      rebound: Math.abs(run.signal('mass.velocity.z').at(-1)! / rebound - 1),
      ledger: run.trust!.energy!.relativeError,
      dissipated: run.signal('energy.dissipated').at(-1)!,
      steps: run.trust!.steps!.accepted,
    };
  };
  // Touch and yield are kinks, over each of which one step goes: its error is some tens of rtol, and what it does to the ledger's quadrature, too.
  test.each(['rodas4', 'radau5', 'esdirk4', 'dopri5', 'automatic'] as const)('%s', (integrator) => {
    for (const rtol of [1e-6, 1e-8]) {
      const { crushed, rebound, ledger, steps } = crushes({ integrator, rtol });
      expect(crushed).toBeLessThan(100 * rtol);
      expect(rebound).toBeLessThan(100 * rtol);
      expect(ledger).toBeLessThan(300 * rtol);
      expect(steps).toBeLessThan(150);
    }
  });
  test.each(['verlet', 'symplecticEuler'] as const)('%s', (integrator) => {
    const [coarse, fine] = [4e-5, 1e-5].map((step) => crushes({ integrator, step }));
    expect(coarse.crushed).toBeLessThan(1e-4);
    expect(fine.crushed).toBeLessThan(coarse.crushed / 4);
    expect(fine.rebound).toBeLessThan(1e-5);
    // energies at the ends of symplectic Euler's steps are of first order
    expect(fine.ledger).toBeLessThan(integrator === 'verlet' ? 1e-5 : 1e-3);
  });
  test('time-stepping', () => {
    // forces beyond its own terms act explicitly, of first order
    const [coarse, fine] = [1e-4, 2.5e-5].map((step) => crushes({ integrator: 'time-stepping', step }));
    expect(fine.crushed).toBeLessThan(2e-2);
    expect(fine.crushed).toBeLessThan(coarse.crushed / 2);
  });
  test('differences see the side that the motion goes to', () => {
    const exact = crushes({ integrator: 'rodas4' });
    const differenced = crushes({ integrator: 'rodas4' }, { differences: true });
    expect(differenced.crushed).toBeLessThan(1e-4);
    expect(differenced.steps).toBeLessThan(1.5 * exact.steps);
  });
  test('the ledger keeps the books where the element does not', () => {
    const { dissipated, ledger } = crushes({ integrator: 'radau5', rtol: 1e-8 }, { books: 'ledger' });
    expect(dissipated / (0.5 * v * v - strength ** 2 / (2 * k)) - 1).toBeCloseTo(0, 6);
    expect(ledger).toBeLessThan(3e-6);
  });
});

/*
 * Under gravity it bounces: each time the pad is found as deep as it was left. Below the height at which ½ m v² + m g d_y = F_y²/(2k) nothing more is
 * crushed, and the bounces are elastic for ever, each as high above the crushed pad as the last.
 */
describe('what is crushed stays', () => {
  const bouncing = (bodies = 1, options: Partial<Parameters<typeof model>[0]> = {}) =>
    model({
      contacts: false,
      bodies: Object.fromEntries(
        Array.from({ length: bodies }, (_, i) => [
          `mass${i}`,
          body({ ...point, position: [i, 0, 0.02 + 0.005 * i], velocity: [0, 0, 0] }),
        ]),
      ),
      elements: Object.fromEntries(
        Array.from({ length: bodies }, (_, i) => [`pad${i}`, crushingPad({ stiffness: k, strength, on: `mass${i}` })]),
      ),
      ...options,
    });
  test('and bounces end elastic', () => {
    const run = simulate(bouncing(), { stopTime: 2, integrator: 'radau5', rtol: 1e-8 });
    const crushed = run.signal('elements.pad0.crushed');
    // energy above the crushed pad: m g (z + p)
    const last = crushed.at(-1)!;
    let highest = Number.NEGATIVE_INFINITY;
    const heights = run.signal('mass0.position.z').values;
    for (let i = Math.floor(run.rows / 2); i < run.rows; i++) highest = Math.max(highest, heights[i]);
    // thrown up from rest at the yield: m g (z + p + d_y) = F_y²/(2k)
    expect((highest + last + yieldDepth) / (strength ** 2 / (2 * k * g))).toBeCloseTo(1, 3);
    for (let i = 1; i < run.rows; i++) expect(crushed.values[i]).toBeGreaterThanOrEqual(crushed.values[i - 1] - 1e-12);
    expect(run.trust!.energy!.relativeError).toBeLessThan(1e-5);
    expect(run.trust!.verdict!.word).toBe('trusted');
  });
  test('in islands with steps of their own, and in those that come together', () => {
    const options = { stopTime: 0.5, rtol: 1e-7 } as const;
    const together = simulate(bouncing(3), { ...options, steps: 'one for all' });
    const apart = simulate(bouncing(3), { ...options, steps: 'per island' });
    expect(apart.trust!.steps!.accepted).toBeGreaterThan(together.trust!.steps!.accepted / 3);
    for (const i of [0, 1, 2])
      for (const signal of [`elements.pad${i}.crushed`, `mass${i}.position.z`]) {
        const [one, other] = [together.signal(signal), apart.signal(signal)];
        let off = 0;
        for (let row = 0; row < together.rows; row++)
          off = Math.max(off, Math.abs(one.values[row] - other.values[row]));
        expect(off).toBeLessThan(1e-6);
      }
    // history that is shared makes one island of them
    const shared = bouncing(3, {
      elements: Object.fromEntries(
        [0, 1, 2].map((i) => [`pad${i}`, crushingPad({ stiffness: k, strength, on: `mass${i}`, shares: 'honeycomb' })]),
      ),
    });
    expect(mechanismsOf(assemble(shared)).all).toHaveLength(1);
    expect(mechanismsOf(assemble(bouncing(3))).all).toHaveLength(3);
  });
  test('a ball that meets another takes its pad along', () => {
    // two balls roll towards each other on pads, without friction: they meet, are one island, and part again
    const meeting = model({
      contacts: { defaults: { friction: 0, restitution: 0.8 } },
      bodies: Object.fromEntries(
        [0, 1].map((i) => [
          `mass${i}`,
          body({
            shape: sphere(0.05),
            material: rubber,
            mass: 1,
            position: [i * 0.3, 0, 0.02],
            velocity: [i === 0 ? 0.8 : -0.8, 0, 0],
          }),
        ]),
      ),
      elements: Object.fromEntries(
        [0, 1].map((i) => [`pad${i}`, crushingPad({ stiffness: k, strength, on: `mass${i}` })]),
      ),
    });
    const options = { stopTime: 0.4, rtol: 1e-7 } as const;
    const simulation = new Simulation(meeting, { ...options, steps: 'per island' });
    simulation.advance();
    const apart = simulation.finish();
    expect(simulation.islandCounts!.joins).toBeGreaterThan(0);
    expect(simulation.islandCounts!.splits).toBeGreaterThan(0);
    const together = simulate(meeting, { ...options, steps: 'one for all' });
    for (const i of [0, 1]) {
      const crushed = together.signal(`elements.pad${i}.crushed`).at(-1)!;
      expect(crushed).toBeGreaterThan(1e-3);
      expect(apart.signal(`elements.pad${i}.crushed`).at(-1)! / crushed - 1).toBeCloseTo(0, 4);
    }
    expect(apart.trust!.energy!.relativeError).toBeLessThan(1e-4);
  });
  test('over events: what is let go finds its pad as it was', () => {
    const released = model({
      contacts: false,
      bodies: { mass: body({ ...point, position: [0, 0, 0.02] }) },
      joints: { magnet: fixed({ body: 'mass' }) },
      elements: { pad: crushingPad({ stiffness: k, strength }) },
      events: {
        drop: { at: 0.1, release: 'magnet' },
        crush: { when: (signal) => signal('elements.pad.crushed') - 1e-3, stop: true },
      },
    });
    const run = simulate(released, { stopTime: 1, rtol: 1e-8 });
    expect(run.events.map(({ name }) => name)).toEqual(['drop', 'crush']);
    expect(run.signal('elements.pad.crushed').at(-1)).toBeCloseTo(1e-3, 9);
    // m g (h + d) = F_y²/(2k) + F_y p + ½ m v²
    const [h, d] = [0.02, 1e-3 + yieldDepth];
    const energy = g * (h + d) - strength ** 2 / (2 * k) - strength * 1e-3;
    expect(run.signal('mass.velocity.z').at(-1)! / -Math.sqrt(2 * energy)).toBeCloseTo(1, 5);
  });
  test('records tell where it touches', () => {
    const run = simulate(impact(), { stopTime: 0.02 });
    const contacts = run.table('contacts');
    expect(contacts.rows).toBeGreaterThan(10);
    expect(Math.max(...contacts.column('normalForce'))).toBeCloseTo(strength, 6);
    expect(contacts.labels).toEqual(['ground – mass']);
  });
  test('who holds the step', () => {
    const slow = model({
      contacts: false,
      bodies: { mass: body(point) },
      elements: {
        clock: contactElement({
          between: ['ground', 'mass'],
          create: () => ({ evaluate: () => {}, stepLimit: () => 2e-6 }),
        }),
      },
    });
    const simulation = new Simulation(slow, { stopTime: 1, maxSteps: 200 });
    simulation.advance();
    expect(simulation.holdUp).toMatch(/^elements\.clock holds the step at 2\.0 µs since t = 0 s/);
  });
});

describe('what is refused, by name', () => {
  const withElement = (options: object) => () =>
    new Simulation(
      model({
        contacts: false,
        bodies: { mass: body(point) },
        elements: { pad: { kind: 'contactElement', between: ['ground', 'mass'], ...options } as never },
      }),
      { stopTime: 1 },
    ).advance();
  const element = { evaluate: () => {} };
  test.each([
    [
      'no create',
      {},
      'elements.pad.create: expected a function ({ a, b }) that gives an element { evaluate, … }, got nothing',
    ],
    [
      'an unknown body',
      { between: ['ground', 'mas'], create: () => element },
      'elements.pad.between[1]: there is no body "mas"; did you mean "mass"?',
    ],
    [
      'nothing that moves',
      { between: ['ground', 'ground'], create: () => element },
      'elements.pad.between: expected two bodies of which one can move',
    ],
    [
      'a state without a scale',
      { states: { s: {} }, create: () => element },
      'elements.pad.states.s.scale: expected a size that errors of the state are compared with',
    ],
    ['an unknown option', { state: {}, create: () => element }, 'elements.pad: has no "state"; did you mean "states"?'],
    [
      'no element',
      { create: () => undefined },
      'elements.pad.create: expected it to give an element { evaluate(t, states, rates), … }, got none',
    ],
    [
      'accept alone',
      { create: () => ({ ...element, accept: () => {} }) },
      'elements.pad.create: expected "snapshot" and "restore" beside "accept"',
    ],
    [
      'signals nobody writes',
      { signals: { a: 'm' }, create: () => element },
      'elements.pad.create: expected a function "signals" that writes a, got none',
    ],
    [
      'a rate that is NaN',
      {
        states: { s: { scale: 1 } },
        create: () => ({
          evaluate: (_t: number, _s: unknown, rates: number[]) => {
            rates[0] = Number.NaN;
          },
        }),
      },
      'elements.pad.evaluate: t = 0 s: expected the rate of "s" to be finite, got NaN',
    ],
    [
      'a step limit of 0',
      { create: () => ({ ...element, stepLimit: () => 0 }) },
      'elements.pad.stepLimit: t = 0 s: expected a time > 0 s or Infinity, got 0',
    ],
  ])('%s', (_what, options, message) => {
    expect(withElement(options)).toThrow(message);
  });
});
