/** Recorded signals against closed forms. */
import { describe, expect, test } from 'vitest';
import { body } from '../model/body.js';
import { spring } from '../model/forces.js';
import { cylindrical, fixed, planar, prismatic, revolute, screw, universal } from '../model/joints.js';
import { model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { simulate } from './simulation.js';

const values = (run: Recording, name: string): Float64Array => run.signal(name).values;
/** Largest difference between a signal and what the other signals of its row say. */
const worst = (run: Recording, name: string, expected: (row: number, t: number) => number): number =>
  values(run, name).reduce((most, value, i) => Math.max(most, Math.abs(value - expected(i, run.times[i]))), 0);

describe('a pendulum', () => {
  const [m, l, g] = [2, 0.7, 9.81];
  const run = simulate(
    model({
      bodies: {
        bob: body({
          mass: m,
          inertia: [0, 0, 0],
          position: [0, 0, -l],
          frames: { tip: { position: [0.1, 0, -0.2] } },
        }),
      },
      joints: { pivot: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0], initialAngle: 1, initialSpeed: 2 }) },
    }),
    { stopTime: 3, interval: 0.01, rtol: 1e-9 },
  );
  const angle = values(run, 'pivot.angle');
  const speed = values(run, 'pivot.speed');
  // About +y by φ: (0, 0, −l) goes to (−l sin φ, 0, −l cos φ).
  // A row between two steps is as good as dense output: every signal follows from one state, so that these hold to rounding.
  test('position and velocity of the bob', () => {
    expect(worst(run, 'bob.position.x', (i) => -l * Math.sin(angle[i]))).toBeLessThan(1e-14);
    expect(worst(run, 'bob.position.z', (i) => -l * Math.cos(angle[i]))).toBeLessThan(1e-14);
    expect(worst(run, 'bob.velocity.x', (i) => -l * Math.cos(angle[i]) * speed[i])).toBeLessThan(1e-13);
    expect(worst(run, 'bob.velocity.z', (i) => l * Math.sin(angle[i]) * speed[i])).toBeLessThan(1e-13);
    expect(worst(run, 'bob.angularVelocity.y', (i) => speed[i])).toBeLessThan(1e-14);
    expect(worst(run, 'bob.orientation.w', (i) => Math.cos(angle[i] / 2))).toBeLessThan(1e-14);
    expect(worst(run, 'bob.orientation.y', (i) => Math.sin(angle[i] / 2))).toBeLessThan(1e-14);
  });
  test('a frame on it', () => {
    const [x, z] = [0.1, -l - 0.2];
    expect(worst(run, 'bob.tip.position.x', (i) => Math.cos(angle[i]) * x + Math.sin(angle[i]) * z)).toBeLessThan(
      1e-14,
    );
    expect(worst(run, 'bob.tip.position.z', (i) => -Math.sin(angle[i]) * x + Math.cos(angle[i]) * z)).toBeLessThan(
      1e-14,
    );
  });
  test('the pivot carries tension m (g cos φ + l φ′²) along the bar and nothing across', () => {
    const tension = (i: number): number => m * (g * Math.cos(angle[i]) + l * speed[i] ** 2);
    expect(worst(run, 'pivot.force.x', (i) => tension(i) * Math.sin(angle[i]))).toBeLessThan(1e-12);
    expect(worst(run, 'pivot.force.z', (i) => tension(i) * Math.cos(angle[i]))).toBeLessThan(1e-12);
    for (const name of ['pivot.force.y', 'pivot.torque.x', 'pivot.torque.y', 'pivot.torque.z'])
      expect(worst(run, name, () => 0)).toBeLessThan(1e-12);
  });
  test('momenta and energies', () => {
    expect(worst(run, 'angularMomentum.y', (i) => m * l * l * speed[i])).toBeLessThan(1e-13);
    expect(worst(run, 'momentum.x', (i) => m * values(run, 'bob.velocity.x')[i])).toBeLessThan(1e-13);
    expect(worst(run, 'energy.kinetic', (i) => 0.5 * m * (l * speed[i]) ** 2)).toBeLessThan(1e-12);
    expect(worst(run, 'energy.potential', (i) => -m * g * l * Math.cos(angle[i]))).toBeLessThan(1e-12);
  });
  test('units are told', () => {
    const units = Object.fromEntries(run.signals.map(({ name, unit }) => [name, unit]));
    expect(units).toMatchObject({
      'pivot.angle': 'rad',
      'pivot.speed': 'rad/s',
      'bob.position.x': 'm',
      'pivot.force.z': 'N',
      'pivot.torque.z': 'N m',
      'energy.total': 'J',
      'angularMomentum.y': 'kg m²/s',
    });
  });
});

test('drive: what springs, dampers and motors do along a joint', () => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { a: body({ mass: 1, inertia: [1, 1, 1] }), b: body({ mass: 1, inertia: [1, 1, 1] }) },
      joints: {
        rail: prismatic({
          body: 'a',
          axis: [1, 0, 0],
          initialPosition: 0.5,
          spring: { stiffness: 10, rest: 0.1 },
          damping: 2,
        }),
        servo: revolute({ body: 'b', axis: [0, 0, 1], motor: { target: 1, kp: 30, kd: 3, limit: 12 } }),
      },
    }),
    { stopTime: 1, interval: 0.01, rtol: 1e-8 },
  );
  const [x, v] = [values(run, 'rail.position'), values(run, 'rail.speed')];
  expect(worst(run, 'rail.drive', (i) => -10 * (x[i] - 0.1) - 2 * v[i])).toBeLessThan(1e-12);
  const [a, w] = [values(run, 'servo.angle'), values(run, 'servo.speed')];
  const clamp = (torque: number): number => Math.max(-12, Math.min(12, torque));
  expect(worst(run, 'servo.drive', (i) => clamp(30 * (1 - a[i]) - 3 * w[i]))).toBeLessThan(1e-12);
  expect(values(run, 'servo.drive')[0]).toBe(12);
  expect(run.signals.find(({ name }) => name === 'rail.drive')?.unit).toBe('N');
  expect(run.signals.find(({ name }) => name === 'servo.drive')?.unit).toBe('N m');
});

test('drive of a prescribed motion, also where the tree runs the joint backwards', () => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { base: body({ mass: 5, inertia: [1, 1, 1] }), sled: body({ mass: 3, inertia: [1, 1, 1] }) },
      joints: {
        foot: fixed({ body: 'base' }),
        // base against sled: the sled goes the other way
        rail: prismatic({ body: 'base', to: 'sled', axis: [1, 0, 0], position: (t: number) => 0.5 * t * t }),
      },
    }),
    { stopTime: 2, interval: 0.1, rtol: 1e-8 },
  );
  // The user's function is differentiated by differences.
  expect(worst(run, 'rail.position', (_, t) => 0.5 * t * t)).toBeLessThan(1e-14);
  expect(worst(run, 'rail.speed', (_, t) => t)).toBeLessThan(1e-9);
  expect(worst(run, 'sled.position.x', (_, t) => -0.5 * t * t)).toBeLessThan(1e-14);
  // The sled of 3 kg is pulled at −1 m/s². The motor's force on `base`, along +x, is what keeps pushing the two apart: work is F v > 0.
  const power = (i: number): number => values(run, 'rail.drive')[i] * values(run, 'rail.speed')[i];
  expect(worst(run, 'energy.kinetic', (_, t) => 1.5 * t * t)).toBeLessThan(1e-8);
  for (let i = 1; i < run.rows; i++) expect(power(i)).toBeCloseTo(3 * run.times[i], 6);
});

test('coordinates of joints with several', () => {
  const loose = body({ mass: 1, inertia: [1, 1, 1] });
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { c: loose, p: loose, u: loose, s: loose },
      joints: {
        rod: cylindrical({ body: 'c', axis: [0, 0, 1], initialSpin: 2, initialSpeed: 3 }),
        table: planar({ body: 'p', normal: [0, 0, 1], initialVelocity: [1, 2, 0], initialSpin: 4 }),
        cross: universal({ body: 'u', axis: [1, 0, 0], secondAxis: [0, 1, 0], initialSpeeds: [0.5, 0] }),
        lead: screw({ body: 's', axis: [1, 0, 0], pitch: 0.01, initialSpeed: 6 }),
      },
    }),
    { stopTime: 1, interval: 0.5, rtol: 1e-8 },
  );
  const end = (name: string): number => run.signal(name).at(-1)!;
  // Nothing acts: everything goes on as it began.
  expect(end('rod.angle')).toBeCloseTo(2, 10);
  expect(end('rod.position')).toBeCloseTo(3, 10);
  expect(end('c.position.z')).toBeCloseTo(3, 10);
  expect(Math.hypot(end('table.speed1'), end('table.speed2'))).toBeCloseTo(Math.hypot(1, 2), 10);
  expect([end('p.position.x'), end('p.position.y')]).toEqual([expect.closeTo(1, 10), expect.closeTo(2, 10)]);
  expect(end('table.angle')).toBeCloseTo(4, 10);
  expect(end('cross.angle1')).toBeCloseTo(0.5, 10);
  expect(end('cross.angle2')).toBeCloseTo(0, 10);
  expect(end('lead.angle')).toBeCloseTo(6, 10);
  expect(end('s.position.x')).toBeCloseTo((6 / (2 * Math.PI)) * 0.01, 12);
});

test('length and force of a spring; a force that pulls is negative', () => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { ball: body({ mass: 2, inertia: [1, 1, 1], position: [0, 0, 2], velocity: [1, 0, 0] }) },
      forces: { tie: spring({ from: [0, 0, 0], to: 'ball', stiffness: 10, damping: 0.5, restLength: 1 }) },
    }),
    { stopTime: 2, interval: 0.05, rtol: 1e-8 },
  );
  const [x, z, vx, vz] = ['position.x', 'position.z', 'velocity.x', 'velocity.z'].map((name) =>
    values(run, `ball.${name}`),
  );
  const length = (i: number): number => Math.hypot(x[i], z[i]);
  expect(worst(run, 'tie.length', length)).toBeLessThan(1e-14);
  expect(
    worst(run, 'tie.force', (i) => -10 * (length(i) - 1) - (0.5 * (x[i] * vx[i] + z[i] * vz[i])) / length(i)),
  ).toBeLessThan(1e-13);
  expect(values(run, 'tie.force')[0]).toBe(-10);
});

test('a body far from the centre of mass: signals are those of its frame', () => {
  const run = simulate(
    model({
      gravity: 'none',
      bodies: {
        plate: body({
          mass: 1,
          inertia: [1, 1, 2],
          centreOfMass: [1, 0, 0],
          velocity: [0, 0, 0],
          angularVelocity: [0, 0, 1],
        }),
      },
    }),
    { stopTime: 2, interval: 0.25, rtol: 1e-10 },
  );
  // The frame's origin is at rest at the start: the centre moves with ω × (1, 0, 0) = (0, 1, 0), the frame circles it.
  expect(worst(run, 'plate.position.x', (_, t) => 1 - Math.cos(t))).toBeLessThan(1e-8);
  expect(worst(run, 'plate.position.y', (_, t) => t - Math.sin(t))).toBeLessThan(1e-8);
  expect(worst(run, 'plate.velocity.x', (_, t) => Math.sin(t))).toBeLessThan(1e-8);
  expect(worst(run, 'momentum.y', () => 1)).toBeLessThan(1e-12);
});
