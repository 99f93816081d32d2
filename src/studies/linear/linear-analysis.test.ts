/** Linear models against closed forms. Differences of order 4 with steps of 1e-3 leave about 1e-11 of a slope; tolerances are a hundred times that. */
import { describe, expect, test } from 'vitest';
import quarterCar from '../../../examples/quarter-car/quarter-car.model.js';
import { body, lineForce, model, prismatic, revolute, sphere } from '../../index.js';
import { matrixFile } from '../../results/mat-level4.js';
import { frequencyResponse } from './frequency-response.js';
import { linearModel } from './linear-analysis.js';

const g = 9.81;
const bob = (mass: number, z: number) => body({ mass, inertia: [0, 0, 0], position: [0, 0, z] });

describe('a pendulum', () => {
  const [m, L] = [2, 0.7];
  const swing = (angle = 0) =>
    model({
      gravity: [0, 0, -g],
      bodies: { bob: bob(m, -L) },
      joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: angle }) },
    });
  // m L² φ'' = −m g L sin φ + torque; the bob's x is −L sin φ about −y… the sign is that of the joint's axis: x = −L φ
  test('at rest: A, B, C and D by hand', () => {
    const linear = linearModel(swing(), {
      inputs: ['pivot', 'bob.force.x'],
      outputs: ['pivot.angle', 'bob.position.x'],
    });
    expect(linear.states.map(({ name }) => name)).toEqual(['pivot', "pivot'"]);
    [0, 1, -g / L, 0].forEach((value, i) => {
      expect(linear.a[i]).toBeCloseTo(value, 8);
    });
    expect(linear.b[0][2]).toBeCloseTo(1 / (m * L * L), 9);
    expect(linear.b[0][3]).toBeCloseTo(-1 / (m * L), 9);
    [1, 0, -L, 0].forEach((value, i) => {
      expect(linear.c[i]).toBeCloseTo(value, 9);
    });
    expect(Math.max(...linear.d[0].map(Math.abs))).toBe(0);
    expect(linear.eigenvalues[0].imaginary).toBeCloseTo(Math.sqrt(g / L), 9);
  });
  // about any angle: −g/L cos φ
  test('at an angle, and from above to rest below', () => {
    expect(linearModel(swing(1)).a[2]).toBeCloseTo((-g / L) * Math.cos(1), 8);
    const below = linearModel(swing(1), { at: 'rest' });
    expect(below.a[2]).toBeCloseTo(-g / L, 6);
    expect(below.values[0]).toBeCloseTo(0, 7);
  });
  // the reaction along x at rest answers a torque at once: m x'' = −T/L, held by the joint
  test('a reaction has a direct part', () => {
    const { d } = linearModel(swing(), { inputs: ['pivot'], outputs: ['pivot.force.x'] });
    expect(d[0][0]).toBeCloseTo(-1 / L, 9);
  });
});

test('a double pendulum swings with ω² = (2 ± √2) g/L', () => {
  const L = 0.5;
  const { eigenvalues, states } = linearModel(
    model({
      gravity: [0, 0, -g],
      contacts: false,
      bodies: { upper: bob(1, -L), lower: bob(1, -2 * L) },
      joints: {
        shoulder: revolute({ body: 'upper', at: [0, 0, 0], axis: [0, 1, 0] }),
        elbow: revolute({ body: 'lower', to: 'upper', at: [0, 0, -L], axis: [0, 1, 0] }),
      },
    }),
  );
  expect(states).toHaveLength(4);
  const found = eigenvalues.filter(({ imaginary }) => imaginary > 0).map(({ imaginary }) => imaginary ** 2 / (g / L));
  expect(found[0]).toBeCloseTo(2 - Math.SQRT2, 8);
  expect(found[1]).toBeCloseTo(2 + Math.SQRT2, 8);
});

// Road to body, z_s/r = k_t (c s + k)/((m_s s² + c s + k)(m_u s² + c s + k + k_t) − (c s + k)²); the same over the wheel with m_s s² + c s + k above
test("a quarter car's answer to the road, to 1e-9", () => {
  const [ms, mu, k, c, kt] = [300, 40, 20e3, 1500, 180e3];
  const linear = linearModel(quarterCar(), {
    inputs: ['profile', 'chassis.force.z'],
    outputs: ['heave.position', 'wheel.position.z', 'tyre.force'],
  });
  const frequencies = [0.1, 1, 1.3, 5, 11, 40];
  const { real, imaginary } = frequencyResponse(linear, frequencies);
  type Complex = readonly [number, number];
  const times = ([a, b]: Complex, [x, y]: Complex): Complex => [a * x - b * y, a * y + b * x];
  const over = (p: Complex, [x, y]: Complex): Complex => {
    const s = x * x + y * y;
    return times(p, [x / s, -y / s]);
  };
  frequencies.forEach((f, i) => {
    const w = 2 * Math.PI * f;
    const link: Complex = [k, c * w];
    const sprung: Complex = [k - ms * w * w, c * w];
    const unsprung: Complex = [k + kt - mu * w * w, c * w];
    const [px, py] = times(sprung, unsprung);
    const [lx, ly] = times(link, link);
    const det: Complex = [px - lx, py - ly];
    const body = over(times([kt, 0], link), det);
    const wheel = over(times([kt, 0], sprung), det);
    const tyre: Complex = [kt * (1 - wheel[0]), -kt * wheel[1]];
    const byForce = over(unsprung, det);
    [body, byForce, wheel, over(link, det), tyre].forEach((expected, at) => {
      const size = Math.hypot(...expected);
      expect(Math.abs(real[6 * i + at] - expected[0]) / size).toBeLessThan(1e-9);
      expect(Math.abs(imaginary[6 * i + at] - expected[1]) / size).toBeLessThan(1e-9);
    });
  });
});

test('a loop is eliminated: one freedom is left, and its frequency is right', () => {
  // parallelogram of massless cranks L with a coupler of mass m: a pendulum of length L
  const L = 0.4;
  const { states, eigenvalues } = linearModel(
    model({
      gravity: [0, 0, -g],
      contacts: false,
      bodies: {
        left: body({ mass: 1e-9, inertia: [1e-12, 1e-12, 1e-12], position: [0, 0, -L / 2] }),
        right: body({ mass: 1e-9, inertia: [1e-12, 1e-12, 1e-12], position: [1, 0, -L / 2] }),
        coupler: body({ mass: 3, inertia: [1, 1, 1], position: [0.5, 0, -L] }),
      },
      joints: {
        a: revolute({ body: 'left', at: [0, 0, 0], axis: [0, 1, 0] }),
        b: revolute({ body: 'right', at: [1, 0, 0], axis: [0, 1, 0] }),
        c: revolute({ body: 'coupler', to: 'left', at: [0, 0, -L], axis: [0, 1, 0] }),
        d: revolute({ body: 'coupler', to: 'right', at: [1, 0, -L], axis: [0, 1, 0] }),
      },
    }),
  );
  expect(states).toHaveLength(2);
  // the cranks' mass of 1e-9 of the coupler's moves ω by as much
  expect(eigenvalues[0].imaginary).toBeCloseTo(Math.sqrt(g / L), 7);
});

test('a free body under a spring: shift along z swings with √(k/m)', () => {
  const linear = linearModel(
    model({
      gravity: 'none',
      contacts: false,
      bodies: { ball: body({ shape: sphere(0.1), mass: 2, position: [0, 0, -1] }) },
      forces: { spring: lineForce({ from: [0, 0, 0], to: 'ball', law: (length: number) => -50 * (length - 1) }) },
    }),
    { inputs: ['ball.force.z'], outputs: ['ball.position.z'] },
  );
  // at 0 Hz its turns, which nothing holds, make the matrix singular
  const { real } = frequencyResponse(linear, [0.5]);
  expect(real[0]).toBeCloseTo(1 / (50 - 2 * Math.PI ** 2), 10);
  expect(linear.states).toHaveLength(12);
});

test.each([
  [{ inputs: ['pivto'] }, /there is no input "pivto"; did you mean "pivot"/],
  [{ outputs: ['pivot.angel'] }, /no signal "pivot.angel"; did you mean "pivot.angle"/],
])('%j is refused', (options, message) => {
  const one = model({
    bodies: { bob: bob(1, -1) },
    joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0] }) },
  });
  expect(() => linearModel(one, options)).toThrow(message);
});

test('what nothing moves is refused, and a motion alone', () => {
  const fixed = model({
    bodies: { rack: body({ mass: 1, inertia: [1, 1, 1] }) },
    joints: { slide: prismatic({ body: 'rack', axis: [1, 0, 0], position: (t: number) => t }) },
  });
  expect(() => linearModel(fixed)).toThrow(/nothing in it can move/);
});

test('matrices are read back from the file: MATLAB level 4, column by column', () => {
  const bytes = matrixFile([
    { name: 'A', rows: 2, columns: 3, values: [1, 2, 3, 4, 5, 6] },
    { name: 'names', texts: ['heave', 'x'] },
  ]);
  const view = new DataView(bytes.buffer);
  const whole = (at: number): number => view.getInt32(at, true);
  expect([0, 4, 8, 12, 16].map(whole)).toEqual([0, 2, 3, 0, 2]);
  expect(String.fromCharCode(bytes[20])).toBe('A');
  expect(Array.from({ length: 6 }, (_, i) => view.getFloat64(22 + 8 * i, true))).toEqual([1, 4, 2, 5, 3, 6]);
  const second = 22 + 48;
  expect([0, 4, 8, 12, 16].map((k) => whole(second + k))).toEqual([51, 2, 5, 0, 6]);
  expect(new TextDecoder().decode(bytes.subarray(second + 26))).toBe('hxe a v e ');
});
