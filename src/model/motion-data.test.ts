import { describe, expect, test } from 'vitest';
import { simulate } from '../simulation/simulation.js';
import { modelFromJson } from './json.js';
import { dataOf, type MotionData, motionData } from './motion-data.js';
import { check } from './schema.js';

const made = (data: unknown) => check(motionData('an angle', 'rad'), data, 'motion');
const MOTIONS: MotionData[] = [
  { kind: 'constant', value: 0.3 },
  { kind: 'ramp', from: 1, to: -2, start: 0.25, duration: 0.5 },
  { kind: 'sine', amplitude: 0.4, frequency: 2, phase: 0.7, offset: 0.1 },
  { kind: 'table', times: [0.1, 0.2, 0.5, 0.9], values: [1, -1, 0.5, 2] },
];

describe('motions as data', () => {
  // Rate and acceleration against central differences of the value, h = 1e-5 s: the error of h² times the next derivatives, here below
  // 6e4 rad/s⁵, and rounding 1e-16/h² stay below 1e-4.
  test.each(MOTIONS)('$kind: rate and acceleration are those of the value', (data) => {
    const motion = made(data);
    expect(dataOf(motion)).toEqual(data);
    const h = 1e-5;
    for (const t of [0.05, 0.13, 0.31, 0.42, 0.66, 0.87, 1.4]) {
      const [before, here, after] = [t - h, t, t + h].map((time) => motion(time)[0]);
      expect(Math.abs((after - before) / (2 * h) - motion(t)[1])).toBeLessThan(1e-6);
      expect(Math.abs((after - 2 * here + before) / (h * h) - motion(t)[2])).toBeLessThan(1e-4);
    }
  });
  test('a ramp begins and ends at rest, without a jump of the acceleration', () => {
    const ramp = made(MOTIONS[1]);
    expect(ramp(0).map(Math.abs)).toEqual([1, 0, 0]);
    expect(ramp(0.25).map(Math.abs)).toEqual([1, 0, 0]);
    expect(ramp(0.5)[0]).toBeCloseTo(-0.5, 15);
    expect(ramp(0.75).map(Math.abs)).toEqual([2, 0, 0]);
    expect(ramp(9)[0]).toBe(-2);
  });
  test('a table passes its points, smoothly, and rests outside', () => {
    const table = made(MOTIONS[3]);
    expect([0.1, 0.2, 0.5, 0.9].map((t) => table(t)[0])).toEqual([1, -1, 0.5, 2]);
    for (const t of [0.2, 0.5]) expect(table(t - 1e-9)[2]).toBeCloseTo(table(t + 1e-9)[2], 4);
    expect([table(0), table(2)]).toEqual([
      [1, 0, 0],
      [2, 0, 0],
    ]);
    // A clamped spline gives a cubic back that has rate 0 at both ends
    const cubic = (t: number) => t * t * (3 - 2 * t);
    const times = [0, 0.1, 0.35, 0.8, 1];
    const again = made({ kind: 'table', times, values: times.map(cubic) });
    for (const t of [0.05, 0.2, 0.5, 0.9]) expect(again(t)[0]).toBeCloseTo(cubic(t), 14);
  });
  test.each<[unknown, string]>([
    [{ kind: 'ramp', to: 1 }, 'expected a time in s'],
    [{ kind: 'ramp', to: 1, duration: 0 }, 'expected a time > 0 s, got 0'],
    [{ kind: 'table', times: [0, 1], values: [0] }, 'expected 2 values, as many as times, got 1'],
    [{ kind: 'table', times: [0, 0], values: [0, 1] }, 'expected more than the time before, 0 s, got 0'],
    [{ kind: 'saw' }, 'or data of kind constant, ramp, sine or table, got {"kind":"saw"}'],
  ])('%j is refused in the model, at its place', async (angle, message) => {
    const joints = { j: { kind: 'revolute', body: 'a', axis: [0, 0, 1], angle } };
    const refused = modelFromJson({ bodies: { a: { mass: 1, inertia: [1, 1, 1] } }, joints });
    await expect(refused).rejects.toThrow(/^joints\.j\.angle/);
    await expect(refused).rejects.toThrow(message);
  });
  test('a driven joint, a motor and a torque follow them', async () => {
    const wheel = { mass: 1, inertia: [1, 1, 1] };
    const joint = { kind: 'revolute', axis: [0, 0, 1] };
    const run = simulate(
      await modelFromJson({
        gravity: 'none',
        bodies: { a: wheel, b: wheel, c: wheel },
        joints: {
          driven: { ...joint, body: 'a', angle: MOTIONS[2] },
          pushed: { ...joint, body: 'b', torque: { kind: 'sine', amplitude: 2, frequency: 0.5 } },
          led: { ...joint, body: 'c', motor: { target: { kind: 'constant', value: 0.5 }, kp: 100, kd: 20 } },
        },
      }),
      { stopTime: 1 },
    );
    const at = (name: string) => run.signal(name).at(-1);
    expect(at('driven.angle')).toBeCloseTo(made(MOTIONS[2])(1)[0], 9);
    // J φ̈ = 2 sin πt: φ = (2/π)(t − sin(πt)/π)
    expect(at('pushed.angle')).toBeCloseTo(2 / Math.PI, 5);
    // Critically damped, ω = 10: ½ (1 − (1 + 10) e^(−10))
    expect(at('led.angle')).toBeCloseTo(0.5 * (1 - 11 * Math.exp(-10)), 5);
  });
});
