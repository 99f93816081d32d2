import { describe, expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { body } from './body.js';
import { applied, lineForce } from './forces.js';
import { revolute } from './joints.js';
import { model } from './model.js';
import { fieldOfNumber } from './number-arguments.js';

// biome-ignore lint/suspicious/noExplicitAny: slips that the types would not allow
type Slip = any;
const SOME = 't';
const NUMBERS = ['t', 'x', 'v'];
const read = (given: Slip) => fieldOfNumber(given, NUMBERS)?.field;

describe('a function that reads fields of a number', () => {
  test('is found however it is written', () => {
    expect(read(({ t }: Slip) => (t < 1 ? 5 : 0))).toBe('t');
    expect(read(({ time = 0 }: Slip) => time)).toBe('time');
    expect(read((s: Slip) => (s.t < 1 ? 5 : 0))).toBe('t');
    expect(read((s: Slip) => (s?.t < 1 ? 5 : 0))).toBe('t');
    expect(read((s: Slip) => (s[SOME] < 1 ? 5 : 0))).toBe('t');
    expect(read((_t: number, { x, v }: Slip) => -x - v)).toBe('x');
    expect(
      read(function named({ t }: Slip) {
        return t < 1 ? 5 : 0;
      }),
    ).toBe('t');
    expect(
      read(
        {
          torque({ t }: Slip) {
            return t < 1 ? 5 : 0;
          },
        }.torque,
      ),
    ).toBe('t');
    expect(
      read((state: Slip) => {
        const { t } = state;
        return t < 1 ? 5 : 0;
      }),
    ).toBe('t');
  });

  test('is not mistaken for one that does not', () => {
    const points = [{ x: 2 }];
    expect(read((t: number) => (t < 1 ? 5 : 0))).toBeUndefined();
    expect(read((t: number) => t * 0.5)).toBeUndefined();
    expect(read((t: number) => Number(t.toFixed(3)))).toBeUndefined();
    expect(read((t: number) => points.find((t) => t.x > 1)!.x * t)).toBeUndefined();
    expect(read((t: number, x: number, v: number) => -x - v * t)).toBeUndefined();
    expect(
      read((t: number) => {
        const [a, { b }] = [1, { b: t }];
        return a * b;
      }),
    ).toBeUndefined();
    expect(read(Math.sin)).toBeUndefined();
    expect(read((t: number) => [t, 1][0].valueOf())).toBeUndefined();
    expect(read(() => 3)).toBeUndefined();
  });

  test('is not asked where its text shows that it reads none: it may remember', () => {
    let asked = 0;
    let last = 0;
    expect(
      read((t: number) => {
        asked++;
        const since = t - last;
        last += since;
        return since;
      }),
    ).toBeUndefined();
    expect(asked).toBe(0);
  });

  const withJoint = (options: Slip) => () =>
    model({
      bodies: { arm: body({ shape: box(0.1), mass: 1 }) },
      joints: { hinge: revolute({ body: 'arm', axis: [0, 0, 1], ...options }) },
    });

  test('is refused with its place in the model, wherever numbers are given', () => {
    const slip = ({ t }: Slip) => (t < 1 ? 5 : 0);
    const told =
      /whose arguments come one by one: t is a number, and the function reads "t" of it; write \(t.*\) => … without braces/;
    expect(withJoint({ torque: slip })).toThrow(/^joints\.hinge\.torque: expected a function \(t, x, v\)/);
    for (const options of [
      { torque: slip },
      { angle: slip },
      { motor: { target: slip, kp: 1 } },
      { motor: { targetSpeed: slip, kd: 1 } },
    ])
      expect(withJoint(options)).toThrow(told);
    const withForce = (force: Slip) => () =>
      model({ bodies: { arm: body({ shape: box(0.1), mass: 1 }) }, forces: { push: force } });
    expect(withForce(applied({ on: 'arm', force: (({ t }: Slip) => [t < 1 ? 5 : 0, 0, 0]) as Slip }))).toThrow(told);
    expect(
      withForce(lineForce({ from: [0, 0, 0], to: 'arm', law: (({ length }: Slip) => (length > 1 ? 1 : 0)) as Slip })),
    ).toThrow(/forces\.push\.law: expected a function \(length, rate, t\).*length is a number/);
    expect(withForce(applied({ on: 'arm', force: (t, { velocity }) => [t - velocity[0], 0, 0] }))).not.toThrow();
  });
});
