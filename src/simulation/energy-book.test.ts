/** The energy ledger against closed forms: what turns into heat, what is put in, what an impact costs. */
import { describe, expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { body } from '../model/body.js';
import type { FlexibleOptions } from '../model/flexible.js';
import { applied, lineForce, spring } from '../model/forces.js';
import { fixed, prismatic, revolute, spherical } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { simulate } from './simulation.js';

const block = (joint: Partial<Parameters<typeof prismatic>[0]>, more: Partial<ModelOptions> = {}) =>
  model({
    gravity: 'none',
    bodies: { block: body({ mass: 2, inertia: [1, 1, 1] }) },
    joints: { rail: prismatic({ body: 'block', axis: [1, 0, 0], ...joint }) },
    ...more,
  });
const OPTIONS = { stopTime: 5, interval: 0.05, rtol: 1e-8 } as const;

/** Largest difference between a recorded signal and a function of time. */
function worst(run: Recording, name: string, expected: (t: number) => number): number {
  const { times, values } = run.signal(name);
  return values.reduce((most, value, i) => Math.max(most, Math.abs(value - expected(times[i]))), 0);
}

test('a damped oscillator turns into heat what it loses', () => {
  // m x″ + d x′ + k x = 0 from x = 1 at rest: ω₀ = 5, ζ = 0.05
  const run = simulate(block({ spring: { stiffness: 50 }, damping: 1, initialPosition: 1 }), OPTIONS);
  const [w, zeta] = [5, 1 / (2 * 2 * 5)];
  const wd = w * Math.sqrt(1 - zeta * zeta);
  const motion = (t: number): [number, number] => {
    const e = Math.exp(-zeta * w * t);
    return [e * (Math.cos(wd * t) + ((zeta * w) / wd) * Math.sin(wd * t)), ((-e * w * w) / wd) * Math.sin(wd * t)];
  };
  const held = (t: number): number => {
    const [x, v] = motion(t);
    return 25 * x * x + v * v;
  };
  // 25 J at the start; the quadrature of power over each step has the order of the steps themselves.
  expect(worst(run, 'rail.position', (t) => motion(t)[0])).toBeLessThan(1e-6);
  expect(worst(run, 'energy.kinetic', (t) => motion(t)[1] ** 2)).toBeLessThan(2e-5);
  expect(worst(run, 'energy.elastic', (t) => 25 * motion(t)[0] ** 2)).toBeLessThan(2e-5);
  expect(worst(run, 'energy.dissipated', (t) => 25 - held(t))).toBeLessThan(2e-5);
  expect(worst(run, 'energy.total', () => 25)).toBeLessThan(2e-5);
  expect(run.trust.energy!.relativeError).toBeLessThan(1e-6);
  expect(run.trust.energy!.putIn).toBe(0);
});

test('a motor puts in what the body has', () => {
  // PD control from rest to 1: the same oscillator, driven; its energy is all the motor's work
  const run = simulate(block({ motor: { target: 1, kp: 50, kd: 2 } }), OPTIONS);
  expect(worst(run, 'energy.total', () => 0)).toBeLessThan(2e-5);
  expect(run.signal('energy.kinetic').max()).toBeGreaterThan(10);
  expect(run.signal('energy.dissipated').max()).toBe(0);
});

test('a constant force does F x', () => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { block: body({ mass: 2, inertia: [1, 1, 1] }) },
      forces: { push: applied({ on: 'block', force: [4, 0, 0] }) },
    }),
    OPTIONS,
  );
  expect(worst(run, 'energy.supplied', (t) => 4 * t * t)).toBeLessThan(1e-10);
  expect(worst(run, 'momentum.x', (t) => 4 * t)).toBeLessThan(1e-11);
});

describe('prescribed motion', () => {
  // x = t²/2: F = m, W = m t²/2. The second derivative of the user's function is a difference quotient.
  test('along its rail', () => {
    const run = simulate(block({ position: (t: number) => 0.5 * t * t }), OPTIONS);
    expect(worst(run, 'energy.supplied', (t) => t * t)).toBeLessThan(1e-6);
    expect(worst(run, 'energy.total', () => 0)).toBeLessThan(1e-6);
  });
  test('that lifts a weight', () => {
    const run = simulate(block({ axis: [0, 0, 1], speed: 0.5 }, { gravity: 'earth' }), OPTIONS);
    expect(worst(run, 'energy.potential', (t) => 2 * 9.81 * 0.5 * t)).toBeLessThan(1e-10);
    expect(worst(run, 'energy.supplied', (t) => 2 * 9.81 * 0.5 * t)).toBeLessThan(1e-10);
  });
  // Four turns in a step of 4 s: samples at its ends, middle and quarters all look alike.
  test.each([{}, { integrator: 'verlet', step: 4 }] as const)(
    'that turns a wheel: the torque of an unbalanced one sums to nothing over a turn, %j',
    (how) => {
      const run = simulate(
        model({
          bodies: { wheel: body({ mass: 1, inertia: [0.1, 0.1, 0.1], centreOfMass: [0.2, 0, 0] }) },
          joints: { axle: revolute({ body: 'wheel', axis: [0, 1, 0], speed: 2 * Math.PI }) },
        }),
        { stopTime: 4, interval: 0.125, rtol: 1e-8, ...how },
      );
      // m g z, z = −0.2 sin 2πt
      expect(worst(run, 'energy.supplied', (t) => -9.81 * 0.2 * Math.sin(2 * Math.PI * t))).toBeLessThan(1e-5);
      expect(worst(run, 'axle.drive', (t) => -9.81 * 0.2 * Math.cos(2 * Math.PI * t))).toBeLessThan(1e-9);
    },
  );
});

describe('a joint that takes hold', () => {
  test('costs the energy of an inelastic impact, ½ m₁m₂/(m₁+m₂) v²', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          a: body({ mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0] }),
          b: body({ mass: 1, inertia: [1, 1, 1], position: [2, 0, 0] }),
        },
        joints: { grip: fixed({ body: 'b', to: 'a' }) },
        events: { catch: { when: (signal) => signal('a.position.x') - 1, attach: 'grip' } },
      }),
      OPTIONS,
    );
    expect(run.events[0].time).toBeCloseTo(1, 12);
    expect(run.trust.energy!.dissipated).toBeCloseTo(1 / 3, 12);
    expect(worst(run, 'energy.total', () => 1)).toBeLessThan(1e-12);
    expect(worst(run, 'momentum.x', () => 2)).toBeLessThan(1e-12);
    expect(run.signal('b.velocity.x').at(-1)).toBeCloseTo(2 / 3, 12);
    expect(run.trust.energy!.relativeError).toBeLessThan(1e-12);
  });

  test('onto a belt: half of what the belt puts in becomes heat', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          belt: body({ mass: 1, inertia: [1, 1, 1] }),
          box: body({ mass: 4, inertia: [1, 1, 1], position: [2, 0, 0] }),
        },
        joints: {
          belt: prismatic({ body: 'belt', axis: [1, 0, 0], speed: 3 }),
          grip: fixed({ body: 'box', to: 'belt' }),
        },
        events: { drop: { at: 1, attach: 'grip' } },
      }),
      OPTIONS,
    );
    // m v² put in, ½ m v² of it motion
    expect(run.trust.energy!.putIn).toBeCloseTo(36, 10);
    expect(run.trust.energy!.dissipated).toBeCloseTo(18, 10);
    expect(run.trust.energy!.relativeError).toBeLessThan(1e-12);
    expect(run.signal('box.velocity.x').at(-1)).toBeCloseTo(3, 12);
  });

  test('a spinning disc catches one at rest: J₁J₂/(J₁+J₂) ω²/2', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: { one: body({ mass: 1, inertia: [1, 1, 2] }), two: body({ mass: 1, inertia: [2, 2, 3] }) },
        joints: {
          first: revolute({ body: 'one', axis: [0, 0, 1], initialSpeed: 5 }),
          second: revolute({ body: 'two', axis: [0, 0, 1] }),
          clutch: fixed({ body: 'two', to: 'one' }),
        },
        events: { engage: { at: 0.5, attach: 'clutch' }, letGo: { at: 1, release: 'clutch' } },
      }),
      { ...OPTIONS, stopTime: 2 },
    );
    expect(run.trust.energy!.dissipated).toBeCloseTo((0.5 * 25 * 2 * 3) / 5, 10);
    expect(worst(run, 'angularMomentum.z', () => 10)).toBeLessThan(1e-10);
    expect(run.signal('first.speed').at(-1)).toBeCloseTo(2, 10);
  });
});

test('all parts of a messy model sum up', () => {
  const run = simulate(
    model({
      bodies: {
        arm: body({ mass: 1, inertia: [0.1, 0.2, 0.15], position: [0.5, 0, 0] }),
        ball: body({ mass: 0.5, inertia: [0.01, 0.02, 0.02], position: [1, 0.3, 0] }),
      },
      joints: {
        shoulder: revolute({
          body: 'arm',
          axis: [0, 1, 0],
          at: [0, 0, 0],
          damping: 0.3,
          torque: (t: number, x: number) => Math.sin(3 * t) * x,
        }),
        wrist: spherical({ body: 'ball', to: 'arm', at: [1, 0, 0], initialAngularVelocity: [3, 1, -2] }),
      },
      forces: {
        tie: spring({ from: [0, 0, 2], to: 'ball', stiffness: 30, damping: 0.4, restLength: 1 }),
        string: lineForce({
          from: [2, 0, 0],
          to: 'arm',
          law: (length: number, rate: number) => -2 * length - 0.1 * rate,
        }),
      },
    }),
    OPTIONS,
  );
  const { energy } = run.trust;
  const start = run.signal('energy.total').at(0)!;
  expect(energy!.dissipated).toBeGreaterThan(0.5);
  expect(Math.abs(energy!.putIn)).toBeGreaterThan(0.1);
  // rtol 1e-8 of some 20 J, over some 500 steps
  expect(worst(run, 'energy.total', () => start)).toBeLessThan(1e-4);
  expect(energy!.relativeError).toBeLessThan(1e-5);
});

test.each<FlexibleOptions>([{ modes: 1 }, { modes: 1, layers: 1, meshSize: 0.02 }])(
  'a field of one’s own works on what deformation moves, too (%o)',
  (flexible) => {
    // A uniform field as a function: what it puts in is m g times the fall of the centre of mass, and that is what uniform gravity takes from the potential.
    const run = (gravity: ModelOptions['gravity']): Recording =>
      simulate(
        model({
          gravity,
          contacts: false,
          bodies: {
            strip: body({
              shape: extrude(
                [
                  [0, -0.01],
                  [0.3, -0.01],
                  [0.3, 0.01],
                  [0, 0.01],
                ],
                0.01,
              ),
              material: { density: 2700, youngsModulus: 1e8, poissonRatio: 0.3 },
              flexible,
            }),
          },
          joints: { wall: fixed({ body: 'strip' }) },
        }),
        { stopTime: 0.05, interval: 1e-3, rtol: 1e-8 },
      );
    const [field, uniform] = [run(() => [0, -9.81, 0]), run([0, -9.81, 0])];
    const most = Math.max(
      ...uniform.signal('energy.potential').values.map((x) => Math.abs(x - uniform.signal('energy.potential').at(0)!)),
    );
    const fallen = (k: number): number =>
      uniform.signal('energy.potential').at(0)! - uniform.signal('energy.potential').values[k];
    field.signal('energy.supplied').values.forEach((x, k) => {
      expect(Math.abs(x - fallen(k))).toBeLessThan(1e-6 * most);
    });
    // its book closes, and no step is taken back for it
    expect(field.trust!.energy!.relativeError).toBeLessThan(1e-7);
  },
);
