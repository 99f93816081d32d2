import { describe, expect, test } from 'vitest';
import * as quaternion from './quaternion.js';
import { random } from './random.js';
import { norm } from './vec3.js';

const many = 40_000;
const draws = <T>(draw: () => T): T[] => Array.from({ length: many }, draw);
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const moment = (values: readonly number[], power: number): number => mean(values.map((x) => x ** power));

// Means of n draws with standard deviation σ scatter by σ/√n; five times that is allowed (chance 6e-7, and the seed is fixed).
const five = (sigma: number): number => (5 * sigma) / Math.sqrt(many);

describe('random', () => {
  test('repeats itself for a seed, differs for others', () => {
    const first = random(1);
    const again = random(1);
    const numbers = Array.from({ length: 50 }, () => first.uniform());
    expect(Array.from({ length: 50 }, () => again.uniform())).toEqual(numbers);
    const seeds = [2, -1, 1.5, 2 ** 32 + 1, '1', 'rocks', ''];
    const starts = new Set([numbers[0], ...seeds.map((seed) => random(seed).uniform())]);
    expect(starts.size).toBe(seeds.length + 1);
    expect(random(-0).uniform()).toBe(random(0).uniform());
    expect(() => random(Number.NaN)).toThrow('random.seed: expected a finite number');
  });

  test('gives the numbers of this version for ever', () => {
    const draw = random(2024);
    expect([draw.uniform(), draw.integer(1000), draw.normal()]).toEqual([0.4611657922037645, 64, -0.5717845599911987]);
  });

  test('forks do not depend on what was drawn, and differ', () => {
    const fresh = random(5).fork('wheel').uniform();
    const used = random(5);
    for (let i = 0; i < 10; i++) used.normal();
    expect(used.fork('wheel').uniform()).toBe(fresh);
    const others = [
      random(5),
      random(6).fork('wheel'),
      random(5).fork('wheel ').fork(''),
      random(5).fork('a').fork('b'),
      random(5).fork('b').fork('a'),
      random(5).fork('a / string b'),
      random(5).fork(1),
      random(5).fork('1'),
    ];
    expect(new Set([fresh, ...others.map((stream) => stream.uniform())]).size).toBe(others.length + 1);
    // two forks as two independent variables: correlation scatters by 1/√n
    const [a, b] = [random(5).fork(1), random(5).fork(2)];
    const products = draws(() => (a.uniform() - 0.5) * (b.uniform() - 0.5) * 12);
    expect(Math.abs(mean(products))).toBeLessThan(five(1));
  });

  test('uniform: moments 1/(k+1), 53 bits, in [0, 1)', () => {
    const draw = random(11);
    const values = draws(draw.uniform);
    for (const k of [1, 2, 3]) expect(Math.abs(moment(values, k) - 1 / (k + 1))).toBeLessThan(five(0.3));
    expect(Math.min(...values.slice(0, 10000))).toBeGreaterThanOrEqual(0);
    expect(values.every((x) => x < 1 && Number.isInteger(x * 2 ** 53))).toBe(true);
    expect(values.some((x) => !Number.isInteger(x * 2 ** 52))).toBe(true);
    const between = draws(() => draw.uniformBetween(-3, 5));
    expect(Math.abs(mean(between) - 1)).toBeLessThan(five(8 / Math.sqrt(12)));
    expect(between.every((x) => x >= -3 && x < 5)).toBe(true);
  });

  // χ² of 7 equal boxes has 6 degrees of freedom: above 38 with a chance of 1e-6.
  test('integer: equal chances', () => {
    const draw = random(12);
    const counts = new Array<number>(7).fill(0);
    for (let i = 0; i < many; i++) counts[draw.integer(7)]++;
    const expected = many / 7;
    expect(counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(38);
    expect(draw.integer(1)).toBe(0);
    const huge = Array.from({ length: 100 }, () => draw.integer(2 ** 53));
    expect(huge.every((x) => Number.isSafeInteger(x))).toBe(true);
    for (const n of [0, -1, 1.5, 2 ** 53 + 2, Number.NaN]) expect(() => draw.integer(n)).toThrow('random.integer');
  });

  // Moments of the normal distribution 0, 1, 0, 3; the k-th power scatters by √((2k − 1)!! − mean²).
  test('normal: moments', () => {
    const values = draws(random(13).normal);
    expect(Math.abs(moment(values, 1))).toBeLessThan(five(1));
    expect(Math.abs(moment(values, 2) - 1)).toBeLessThan(five(Math.sqrt(2)));
    expect(Math.abs(moment(values, 3))).toBeLessThan(five(Math.sqrt(15)));
    expect(Math.abs(moment(values, 4) - 3)).toBeLessThan(five(Math.sqrt(96)));
  });

  // ⟨x²⟩ is 1/3 on the unit sphere and 1/5 in the ball; ⟨r³⟩ in the ball is 1/2.
  test('directions and points are even', () => {
    const draw = random(14);
    const directions = draws(draw.unitVector);
    const points = draws(draw.inSphere);
    for (const axis of [0, 1, 2]) {
      expect(Math.abs(mean(directions.map((v) => v[axis])))).toBeLessThan(five(0.58));
      expect(Math.abs(mean(directions.map((v) => v[axis] ** 2)) - 1 / 3)).toBeLessThan(five(0.3));
      expect(Math.abs(mean(points.map((v) => v[axis] ** 2)) - 1 / 5)).toBeLessThan(five(0.23));
    }
    expect(directions.every((v) => Math.abs(norm(v) - 1) < 4e-16)).toBe(true);
    expect(points.every((v) => norm(v) <= 1)).toBe(true);
    expect(Math.abs(mean(points.map((v) => norm(v) ** 3)) - 1 / 2)).toBeLessThan(five(0.29));
  });

  // A uniform rotation has ⟨qᵢ²⟩ = 1/4, ⟨qᵢ⁴⟩ = 1/8, and takes a fixed vector to an even direction.
  test('rotations are even', () => {
    const rotations = draws(random(15).rotation);
    for (const i of [0, 1, 2, 3]) {
      expect(Math.abs(mean(rotations.map((q) => q[i] ** 2)) - 1 / 4)).toBeLessThan(five(0.25));
      expect(Math.abs(mean(rotations.map((q) => q[i] ** 4)) - 1 / 8)).toBeLessThan(five(0.22));
    }
    const turned = rotations.map((q) => quaternion.rotate(q, [1, 0, 0]));
    for (const axis of [0, 1, 2])
      expect(Math.abs(mean(turned.map((v) => v[axis] ** 2)) - 1 / 3)).toBeLessThan(five(0.3));
  });

  // 6 orders of 3 things; χ² with 5 degrees of freedom exceeds 36 with a chance of 1e-6.
  test('shuffle: all orders alike, the input untouched', () => {
    const draw = random(16);
    const items = ['a', 'b', 'c'] as const;
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = draw.shuffle(items).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    expect([...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(36);
    expect(items).toEqual(['a', 'b', 'c']);
  });
});
