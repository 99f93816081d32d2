/** Which rows a run records, and that nothing but the model decides their bits. */
import { describe, expect, test } from 'vitest';
import { METHOD_NAMES } from '../integration/method-name.js';
import { body } from '../model/body.js';
import { fixed, prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { Simulation, type SimulationOptions, simulate } from './simulation.js';

/** A point mass of 1 kg on 1 m, let go at 1 rad; 9.81 m/s². */
const pendulum = (more: Partial<ModelOptions> = {}, joint: Partial<Parameters<typeof revolute>[0]> = {}) =>
  model({
    bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -1] }) },
    joints: { pivot: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0], initialAngle: 1, ...joint }) },
    ...more,
  });
const timesOf = (more: Partial<ModelOptions>, options: SimulationOptions) => [
  ...simulate(pendulum(more), options).times,
];
const FIXED_STEP = ['verlet', 'symplecticEuler'];
const stepOf = (integrator: string) => (FIXED_STEP.includes(integrator) ? { step: 1e-3 } : {});

describe('rows', () => {
  test('stand at multiples of the interval, and at the end', () => {
    expect(timesOf({}, { stopTime: 1, interval: 0.25 })).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(timesOf({}, { stopTime: 1, interval: 0.375 })).toEqual([0, 0.375, 0.75, 1]);
    expect(timesOf({}, { stopTime: 1, interval: 3 })).toEqual([0, 1]);
  });

  test('are 501 unless said, and the model says before the default', () => {
    expect(timesOf({}, { stopTime: 2 })).toHaveLength(501);
    expect(timesOf({ simulation: { stop: 0.5, interval: 0.25 } }, {})).toEqual([0, 0.25, 0.5]);
    expect(timesOf({ simulation: { stop: 0.5, interval: 0.25 } }, { stopTime: 1, interval: 1 })).toEqual([0, 1]);
  });

  test('0.1 added up does not drift: row k is at k × interval', () => {
    const times = timesOf({}, { stopTime: 10, interval: 0.1 });
    expect(times).toHaveLength(101);
    times.forEach((t, k) => {
      expect(Math.abs(t - k * 0.1)).toBeLessThan(1e-14);
    });
  });

  test('an event stands twice, before and after; not thrice where a row falls on it', () => {
    const latch = (at: number) =>
      model({
        bodies: { load: body({ mass: 1, inertia: [1, 1, 1] }) },
        joints: { latch: fixed({ body: 'load' }) },
        events: { drop: { at, release: 'latch' } },
      });
    const between = simulate(latch(0.3), { stopTime: 1, interval: 0.25 });
    expect([...between.times]).toEqual([0, 0.25, 0.3, 0.3, 0.5, 0.75, 1]);
    // held before, weightless after: the latch carries m g, then nothing
    expect(between.signal('latch.force.z').at(2)).toBeCloseTo(9.81, 12);
    expect(between.signal('latch.force.z').at(3)).toBe(0);
    expect([...simulate(latch(0.25), { stopTime: 0.5, interval: 0.25 }).times]).toEqual([0, 0.25, 0.25, 0.5]);
    expect([...simulate(latch(0.5), { stopTime: 0.5, interval: 0.25 }).times]).toEqual([0, 0.25, 0.5, 0.5]);
    expect([...simulate(latch(0), { stopTime: 0.5, interval: 0.25 }).times]).toEqual([0, 0, 0.25, 0.5]);
  });
});

describe('the same model gives the same bits', () => {
  test.each(METHOD_NAMES)('%s: run twice, and run in pieces', (integrator) => {
    const options: SimulationOptions = { stopTime: 2, interval: 0.05, integrator, rtol: 1e-6, ...stepOf(integrator) };
    const driven = () => pendulum({}, { torque: (t: number) => t - t * t, damping: 0.1 });
    const whole = simulate(driven(), options);
    expect(simulate(driven(), options).hash).toBe(whole.hash);

    const pieces = new Simulation(driven(), options);
    for (let t = 0.13; pieces.advance(t); t += 0.13);
    expect(pieces.finish().hash).toBe(whole.hash);

    const paused = new Simulation(driven(), options);
    while (paused.advance(undefined, () => true));
    expect(paused.finish().hash).toBe(whole.hash);
  });

  test.each(METHOD_NAMES)('%s: what is recorded does not change the motion', (integrator) => {
    const end = (interval: number): number | undefined =>
      simulate(pendulum({}, { friction: { limit: 0.1 } }), {
        stopTime: 1,
        interval,
        integrator,
        rtol: 1e-6,
        ...stepOf(integrator),
      })
        .signal('pivot.angle')
        .at(-1);
    expect(end(0.001)).toBe(end(1));
  });

  test('another parameter gives another hash', () => {
    const hash = (initialAngle: number) => simulate(pendulum({}, { initialAngle }), { stopTime: 0.1 }).hash;
    expect(hash(1)).not.toBe(hash(1 + 2 ** -52));
  });

  test('events in pieces', () => {
    const hit = () =>
      model({
        gravity: 'none',
        bodies: {
          a: body({ mass: 2, inertia: [1, 1, 1] }),
          b: body({ mass: 1, inertia: [1, 1, 1], position: [2, 0, 0] }),
        },
        joints: {
          rail: prismatic({ body: 'a', axis: [1, 0, 0], initialSpeed: 1, damping: 0.2 }),
          grip: fixed({ body: 'b', to: 'a' }),
        },
        events: { catch: { when: (signal) => signal('rail.position') - 0.7, attach: 'grip' } },
      });
    const whole = simulate(hit(), { stopTime: 2 });
    expect(whole.events).toHaveLength(1);
    const pieces = new Simulation(hit(), { stopTime: 2 });
    for (let t = 0.1; pieces.advance(t); t += 0.1);
    expect(pieces.finish().hash).toBe(whole.hash);
  });
});

describe('how a run ends', () => {
  test('interrupted: what is computed is there, with a row where it stopped', () => {
    const simulation = new Simulation(pendulum(), { stopTime: 10, interval: 1 });
    expect(simulation.advance(2.5)).toBe(true);
    const recording = simulation.finish();
    expect(recording.state).toBe('interrupted');
    expect(recording.times[recording.rows - 1]).toBe(simulation.time);
    expect(simulation.time).toBeGreaterThanOrEqual(2.5);
    expect(recording.trust.steps?.accepted).toBeGreaterThan(0);
  });

  test('before the first step', () => {
    const recording = new Simulation(pendulum()).finish();
    expect(recording.rows).toBe(1);
    expect(recording.trust.energy).toMatchObject({ kinetic: 0, error: 0, dissipated: 0 });
  });

  test('after the end there is nothing more to do', () => {
    const simulation = new Simulation(pendulum(), { stopTime: 1 });
    expect(simulation.advance()).toBe(false);
    const { rows } = simulation.finish();
    expect(simulation.advance()).toBe(false);
    expect(simulation.finish().rows).toBe(rows);
  });
});

// φ″ = −g sin φ from rest at 1 rad, t = 10 s: Jacobi's sn by the arithmetic–geometric mean,
// sin(φ/2) = k sn(K − √g t, k), k = sin ½.
function pendulumAngle(t: number): number {
  const k = Math.sin(0.5);
  const a = [1];
  const c = [k];
  let b = Math.sqrt(1 - k * k);
  while (Math.abs(c[c.length - 1]) > 1e-17) {
    const last = a[a.length - 1];
    a.push((last + b) / 2);
    c.push((last - b) / 2);
    b = Math.sqrt(last * b);
    if (a.length > 12) break;
  }
  const n = a.length - 1;
  const quarter = Math.PI / (2 * a[n]);
  let phi = 2 ** n * a[n] * (quarter - Math.sqrt(9.81) * t);
  for (let i = n; i > 0; i--) phi = 0.5 * (phi + Math.asin((c[i] / a[i]) * Math.sin(phi)));
  return 2 * Math.asin(k * Math.sin(phi));
}

describe('every integrator swings the pendulum for 10 s', () => {
  const error = (options: SimulationOptions): number =>
    Math.abs(
      simulate(pendulum(), { stopTime: 10, interval: 10, ...options })
        .signal('pivot.angle')
        .at(-1)! - pendulumAngle(10),
    );

  // The local error is held to rtol per step; over five periods phase errors add up, hardly ever to more than a hundred of them.
  test.each(['automatic', ...METHOD_NAMES.filter((name) => !FIXED_STEP.includes(name))] as const)(
    '%s',
    (integrator) => {
      expect(error({ integrator, rtol: 1e-5 })).toBeLessThan(1e-3);
      expect(error({ integrator, rtol: 1e-9 })).toBeLessThan(1e-7);
    },
  );

  // Order p: half the step, 1/2^p of the error.
  test.each([
    ['verlet', 2],
    ['symplecticEuler', 1],
  ] as const)('%s at order %i', (integrator, order) => {
    const ratio = error({ integrator, step: 2e-3 }) / error({ integrator, step: 1e-3 });
    expect(Math.abs(Math.log2(ratio) - order)).toBeLessThan(0.1);
  });
});
