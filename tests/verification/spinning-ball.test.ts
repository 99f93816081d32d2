/**
 * A ball that spins on the spot. While it slips on its Hertz patch it is slowed evenly, then it twists on the patch that holds:
 *
 *   I ω' = −µ N b,  b = 3π/16 a,  a = √(R d)         spin down;  I = 2/5 m R²
 *   I φ'' + 2 ζ √(k_t b² I) φ' + k_t b² φ = 0        twist, damped as a slip is: the damping ratio of a slip
 *
 * k_t = 8 G* a (Mindlin 1949). b is some hundredth of R, so a twist feels a mass I/b² thousands of times that of a slip.
 */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { sphere } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/index.js';

const R = 0.02;
const gravity = 9.81;
const wood = { density: 700, youngsModulus: 11e9, poissonRatio: 0.35, restitution: 0.5, friction: 0.4 };
const modulus = wood.youngsModulus / (2 * (1 - wood.poissonRatio ** 2));
const mass = wood.density * (4 / 3) * Math.PI * R ** 3;
const inertia = 0.4 * mass * R * R;
const depth = ((0.75 * mass * gravity) / (modulus * Math.sqrt(R))) ** (2 / 3);
const a = Math.sqrt(R * depth);
const b = ((3 * Math.PI) / 16) * a;

const spun = (spin: number, stop: number, interval: number) =>
  simulate(
    model({
      gravity: [0, 0, -gravity],
      bodies: {
        floor: body({ shape: halfSpace(), material: wood, fixed: true }),
        ball: body({ shape: sphere(R), material: wood, position: [0, 0, R - depth], angularVelocity: [0, 0, spin] }),
      },
      simulation: { stop, interval },
    }),
  );

describe('a ball spins on the spot', () => {
  test('slows evenly, stops, and stays, in few steps', () => {
    const spin = 1;
    const time = (inertia * spin) / (wood.friction * mass * gravity * b);
    const run = spun(spin, 2 * time, time / 20);
    const about = run.signal('ball.angularVelocity.z');
    // the sum over the patch's 16 nodes has b to 1e-3
    expect(about.valueAt(0.5 * time) / spin).toBeCloseTo(0.5, 3);
    expect(about.valueAt(0.9 * time) / spin).toBeCloseTo(0.1, 3);
    expect(R * Math.abs(about.values.at(-1)!)).toBeLessThan(1e-6); // m/s
    // 8000 before a twist was damped by the inertia it feels, and by the mass its slip does
    expect(run.trust.steps?.accepted).toBeLessThan(200);
  });
  test('twists with the damping ratio of a slip', () => {
    // With a spin that its bristle can hold: the twist fades by exp(−2π ζ/√(1 − ζ²)) a period
    const shear = wood.youngsModulus / (2 * (1 + wood.poissonRatio));
    const kt = (8 * a * shear) / (2 * (2 - wood.poissonRatio));
    const frequency = Math.sqrt((kt * b * b) / inertia);
    const hold = (wood.friction * mass * gravity) / (kt * b); // twist at which it slips, rad
    const run = spun(0.3 * hold * frequency, 20 / frequency, 0.02 / frequency);
    const { values, times } = run.signal('ball.angularVelocity.z');
    const downward = [...values.keys()].slice(1).filter((i) => values[i - 1] > 0 && values[i] <= 0);
    const period = times[downward[1]] - times[downward[0]];
    const least = (from: number, to: number) => Math.min(...values.slice(from, to));
    const decay = Math.log(least(0, downward[1]) / least(downward[1], downward[1] + (downward[1] - downward[0])));
    const ratio = decay / Math.sqrt(4 * Math.PI ** 2 + decay ** 2);
    const slip = 0.43; // of a ball with e = 0.5; pair-law.ts
    expect(ratio).toBeCloseTo(slip, 2);
    expect((2 * Math.PI) / (period * frequency)).toBeCloseTo(Math.sqrt(1 - slip ** 2), 2);
  });
});
