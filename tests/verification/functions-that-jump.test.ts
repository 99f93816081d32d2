/**
 * Functions of the user's that jump or bend, in every place where a model takes one, at default settings. Closed forms by hand: torques and
 * forces are constant or linear between their jumps, so speeds and positions are polynomials piece by piece.
 * Asked for: 10 · rtol = 1e-5 of the largest value.
 */
import { describe, expect, test } from 'vitest';
import { body } from '../../src/model/body.js';
import { applied, lineForce } from '../../src/model/forces.js';
import { prismatic, revolute } from '../../src/model/joints.js';
import { type Model, model } from '../../src/model/model.js';
import type { Recording } from '../../src/results/recording.js';
import { simulate } from '../../src/simulation/simulation.js';

const ENOUGH = 1e-5;
const inertia = 0.5; // kg m²
const square =
  (frequency: number, duty = 0.5) =>
  (t: number) =>
    (t * frequency) % 1 < duty ? 1 : 0;

const rotor = (along: Partial<Parameters<typeof revolute>[0]>): Model =>
  model({
    gravity: 'none',
    bodies: { rotor: body({ mass: 1, inertia: [inertia, inertia, inertia] }) },
    joints: { axle: revolute({ body: 'rotor', at: [0, 0, 0], axis: [0, 0, 1], ...along }) },
  });
const last = (run: Recording, signal: string): number => run.signal(signal).at(-1)!;

/** Speed and angle after `turns` periods of a torque that is 1 N m for a part `duty` of each */
const squareWave = (frequency: number, duty: number, turns: number): [number, number] => {
  const period = 1 / frequency;
  const kick = (duty * period) / inertia; // gain of speed per period
  // angle: Σ over periods of (speed before · period) + what the torque adds within it
  const within = 0.5 * kick * duty * period + kick * (1 - duty) * period;
  return [turns * kick, ((turns * (turns - 1)) / 2) * kick * period + turns * within];
};

describe('torque along a joint', () => {
  test.each([
    [0.1, 0.5],
    [1, 0.5],
    [10, 0.5],
    [100, 0.5],
    [1, 0.01],
    [10, 0.01],
    [100, 0.01],
  ])('square wave of %s Hz, on for %s of the time', (frequency, duty) => {
    const torque = square(frequency, duty);
    const run = simulate(rotor({ torque }));
    const [speed, angle] = squareWave(frequency, duty, 10 * frequency);
    expect(Math.abs(last(run, 'axle.speed') / speed - 1)).toBeLessThan(ENOUGH);
    expect(Math.abs(last(run, 'axle.angle') / angle - 1)).toBeLessThan(ENOUGH);
    expect(run.trust!.energy!.relativeError).toBeLessThan(ENOUGH);
  });

  test('the same where it is a function of the motion, too, and where the joint is stiff', () => {
    const wave = square(10);
    // v' = (u − d v)/I with u = 0 or 1 N m: over half a period τ, v → u/d + (v − u/d) e^(−dτ/I)
    const damping = 0.2;
    let speed = 1;
    const decay = Math.exp((-damping * 0.05) / inertia);
    for (let half = 0; half < 200; half++) {
      const settled = half % 2 === 0 ? 1 / damping : 0;
      speed = settled + (speed - settled) * decay;
    }
    const run = simulate(
      rotor({ initialSpeed: 1, torque: (t: number, _x: number, v: number) => wave(t) - damping * v }),
    );
    expect(Math.abs(last(run, 'axle.speed') / speed - 1)).toBeLessThan(ENOUGH);
    for (const integrator of ['rodas4', 'radau5', 'esdirk4', 'dop853'] as const) {
      const other = simulate(rotor({ initialSpeed: 1, torque: wave, damping }), { integrator });
      expect(Math.abs(last(other, 'axle.speed') / speed - 1)).toBeLessThan(ENOUGH);
    }
  });

  test('one pulse of 1 ms in 10 s', () => {
    const run = simulate(rotor({ torque: (t: number) => (t > 4.321 && t <= 4.322 ? 100 : 0) }));
    expect(Math.abs(last(run, 'axle.speed') / (0.1 / inertia) - 1)).toBeLessThan(ENOUGH);
  });

  test('rows at a jump show what is behind it', () => {
    const run = simulate(rotor({ torque: (t: number) => (t < 1 ? 0 : 5) }), { stopTime: 2, interval: 0.5 });
    expect([...run.times]).toEqual([0, 0.5, 1, 1.5, 2]);
    expect(last(run, 'axle.speed')).toBeCloseTo(10, 9);
  });

  test('a ramp with corners, and a table', () => {
    const ramp = simulate(rotor({ torque: (t: number) => Math.min(1, Math.max(0, t - 3)) }));
    expect(Math.abs(last(ramp, 'axle.speed') / (6.5 / inertia) - 1)).toBeLessThan(ENOUGH);
    const values = Array.from({ length: 102 }, (_, i) => 1 + Math.sin(1.7 * i));
    const table = (t: number): number => {
      const i = Math.floor(10 * t);
      return values[i] + (10 * t - i) * (values[i + 1] - values[i]);
    };
    let impulse = 0;
    for (let i = 0; i < 100; i++) impulse += 0.05 * (values[i] + values[i + 1]);
    expect(Math.abs(last(simulate(rotor({ torque: table })), 'axle.speed') / (impulse / inertia) - 1)).toBeLessThan(
      ENOUGH,
    );
  });

  test('a torque that ends at an angle, and one in a narrow range of angles', () => {
    // φ = t² up to 5 rad, and on with 2 √5 rad/s
    const speed = 2 * Math.sqrt(5);
    const run = simulate(rotor({ torque: (_t: number, x: number) => (x > 5 ? 0 : 1) }));
    expect(Math.abs(last(run, 'axle.speed') / speed - 1)).toBeLessThan(ENOUGH);
    expect(Math.abs(last(run, 'axle.angle') / (5 + speed * (10 - Math.sqrt(5))) - 1)).toBeLessThan(ENOUGH);
    // work 100 N m · 0.01 rad on the way
    const band = simulate(rotor({ initialSpeed: 4, torque: (_t: number, x: number) => (x > 5 && x < 5.01 ? 100 : 0) }));
    expect(Math.abs(last(band, 'axle.speed') / Math.sqrt(16 + (2 * 100 * 0.01) / inertia) - 1)).toBeLessThan(ENOUGH);
  });
});

describe('elsewhere', () => {
  test('a force on a body', () => {
    const wave = square(10);
    const push = model({
      gravity: 'none',
      bodies: { block: body({ mass: 2, inertia: [1, 1, 1] }) },
      forces: { push: applied({ on: 'block', force: (t: number) => [wave(t), 0, 0] }) },
    });
    const run = simulate(push);
    expect(Math.abs(last(run, 'block.velocity.x') / (5 / 2) - 1)).toBeLessThan(ENOUGH);
  });

  test('a law along a line that lets go', () => {
    // 3 N push the masses of 1 kg and the ground apart until they are 2 m apart: ½ v² = 3 · 1
    const pushed = model({
      gravity: 'none',
      bodies: { block: body({ mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] }) },
      forces: { ram: lineForce({ from: [0, 0, 0], to: 'block', law: (length: number) => (length < 2 ? 3 : 0) }) },
    });
    expect(Math.abs(last(simulate(pushed), 'block.velocity.x') / Math.sqrt(6) - 1)).toBeLessThan(ENOUGH);
  });

  test('the target of a motor', () => {
    // x'' = −ω² (x − 1) from t = 2 on, ω² = kp/I: x = 1 − cos ω (t − 2)
    const kp = 8;
    const run = simulate(rotor({ motor: { target: (t: number) => (t < 2 ? 0 : 1), kp } }));
    const omega = Math.sqrt(kp / inertia);
    expect(Math.abs(last(run, 'axle.angle') - (1 - Math.cos(omega * 8)))).toBeLessThan(2 * ENOUGH);
  });

  test('a prescribed motion whose acceleration jumps', () => {
    // A slide starts at t = 1 with 2 m/s²; a mass on a spring on it, ω = 5/s: relative x'' = −ω² x − 2
    const motion = (t: number): [number, number, number] => (t < 1 ? [0, 0, 0] : [(t - 1) ** 2, 2 * (t - 1), 2]);
    const slide = model({
      gravity: 'none',
      bodies: {
        slide: body({ mass: 1, inertia: [1, 1, 1] }),
        load: body({ mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] }),
      },
      joints: {
        drive: prismatic({ body: 'slide', axis: [1, 0, 0], position: motion as unknown as (t: number) => number }),
        hold: prismatic({ body: 'load', to: 'slide', axis: [1, 0, 0], spring: { stiffness: 25 } }),
      },
    });
    const run = simulate(slide, { stopTime: 3 });
    const exact = (-2 / 25) * (1 - Math.cos(5 * 2));
    expect(Math.abs(last(run, 'hold.position') - exact)).toBeLessThan((ENOUGH * 4) / 25);
  });

  test('a prescribed speed that jumps is refused by name', () => {
    const motion = (t: number): [number, number, number] => (t < 1 ? [0, 0, 0] : [2 * (t - 1), 2, 0]);
    expect(() => simulate(rotor({ angle: motion as unknown as (t: number) => number }), { stopTime: 3 })).toThrow(
      /joints\.axle: its prescribed speed jumps from 0 to 2 at t = 1 s/,
    );
  });
});
