/** Test functions with known minima, as the literature of each method uses them. */
import { describe, expect, test } from 'vitest';
import { cmaEs } from './cma-es.js';
import { nelderMead } from './nelder-mead.js';
import { nsga2 } from './nsga2.js';
import { type Merit, search } from './search.js';

const merit = (value: number, violation = 0): Merit => ({ value, violation });
const sphere = (x: readonly number[]): number => x.reduce((sum, v) => sum + v * v, 0);
const ellipsoid = (x: readonly number[]): number =>
  x.reduce((sum, v, i) => sum + 1e6 ** (i / (x.length - 1)) * v * v, 0);
const rosenbrock = (x: readonly number[]): number =>
  x.slice(1).reduce((sum, v, i) => sum + 100 * (v - x[i] ** 2) ** 2 + (1 - x[i]) ** 2, 0);
const rastrigin = (x: readonly number[]): number =>
  x.reduce((sum, v) => sum + 10 + v * v - 10 * Math.cos(2 * Math.PI * v), 0);
const free = (n: number) => ({ lower: Array(n).fill(-Infinity), upper: Array(n).fill(Infinity) });

describe('CMA-ES', () => {
  const from3 = (f: (x: readonly number[]) => number, n: number, seed: number, more = {}) =>
    search(
      cmaEs(Array(n).fill(3), {
        bounds: free(n),
        sizes: Array(n).fill(1),
        seed,
        target: 1e-10,
        mostEvaluations: 1e5,
        ...more,
      }),
      (x) => merit(f(x)),
    );
  // Ranges of evaluations of an independent prototype over 11 seeds, a fifth to each side
  test.each([
    ['sphere', sphere, 1680, 1920],
    ['ellipsoid', ellipsoid, 5820, 6810],
  ] as const)('%s in 10 dimensions', (_, f, least, most) => {
    for (let seed = 1; seed <= 5; seed++) {
      const { merit: at, evaluations } = from3(f, 10, seed);
      expect(at!.value).toBeLessThan(1e-10);
      expect(evaluations).toBeGreaterThan(0.8 * least);
      expect(evaluations).toBeLessThan(1.2 * most);
    }
  });

  test('Rosenbrock in 10 dimensions: one seed in five may end in the local minimum', () => {
    const ends = [1, 2, 3, 4, 5].map((seed) => from3(rosenbrock, 10, seed));
    expect(ends.filter(({ merit: at }) => at!.value < 1e-10).length).toBeGreaterThanOrEqual(4);
    expect(ends.map(({ evaluations }) => evaluations).sort((a, b) => a - b)[2]).toBeLessThan(1.3 * 6650);
  });

  test('Rastrigin in 5 dimensions by doubled populations', () => {
    const { merit: at, evaluations } = from3(rastrigin, 5, 1, { population: 8, doublings: 9, tolerance: 1e-8 });
    expect(at!.value).toBeLessThan(1e-10);
    expect(evaluations).toBeLessThan(1e5);
  });

  test('a constraint cuts the minimum off: it ends on the border', () => {
    // x² + y² with x + y ≥ 2: (1, 1)
    const { point, merit: at } = search(
      cmaEs([3, 0], { bounds: { lower: [-5, -5], upper: [5, 5] }, sizes: [1, 1], seed: 3, mostEvaluations: 4000 }),
      (x) => merit(sphere(x), Math.max(0, 2 - x[0] - x[1])),
    );
    expect(at!.violation).toBe(0);
    for (const value of point) expect(value).toBeCloseTo(1, 4);
  });

  test('failed runs rank last, and a bound is kept', () => {
    const { point } = search(
      cmaEs([2, 2], { bounds: { lower: [0.5, -5], upper: [5, 5] }, sizes: [1, 1], seed: 2, mostEvaluations: 3000 }),
      (x) => (x[1] > 3 ? undefined : merit(sphere(x))),
    );
    expect(point[0]).toBeCloseTo(0.5, 6);
    expect(point[1]).toBeCloseTo(0, 4);
  });

  test('the same seed gives the same bits', () => {
    expect(from3(rosenbrock, 4, 5).point).toEqual(from3(rosenbrock, 4, 5).point);
  });
});

describe('Nelder–Mead', () => {
  test('Rosenbrock in 2 dimensions to 1e-8', () => {
    const { point, merit: at } = search(
      nelderMead([-1.2, 1], { bounds: free(2), mostEvaluations: 1000, tolerance: 1e-16 }),
      (x) => merit(rosenbrock(x)),
    );
    expect(at!.value).toBeLessThan(1e-16);
    for (const value of point) expect(Math.abs(value - 1)).toBeLessThan(1e-8);
  });

  test('within bounds, with a constraint and a region that fails', () => {
    const { point } = search(
      nelderMead([3, 3], { bounds: { lower: [0, 0], upper: [4, 4] }, mostEvaluations: 1000 }),
      (x) => (x[0] > 3.5 ? undefined : merit(sphere(x), Math.max(0, 1 - x[0]))),
    );
    expect(point[0]).toBeCloseTo(1, 5);
    expect(point[1]).toBeCloseTo(0, 5);
  });
});

describe('NSGA-II', () => {
  test('ZDT1 with 30 parameters: the front f₂ = 1 − √f₁ to 5e-3 in the mean, from end to end', () => {
    const n = 30;
    const front = search(
      nsga2({
        bounds: { lower: Array(n).fill(0), upper: Array(n).fill(1) },
        population: 100,
        generations: 250,
        seed: 1,
      }),
      (x) => {
        const g = 1 + (9 * x.slice(1).reduce((sum, v) => sum + v, 0)) / (n - 1);
        return { values: [x[0], g * (1 - Math.sqrt(x[0] / g))], violation: 0 };
      },
    );
    const distance = front.map(({ merits }) => Math.abs(merits!.values[1] - (1 - Math.sqrt(merits!.values[0]))));
    expect(distance.reduce((sum, d) => sum + d, 0) / distance.length).toBeLessThan(5e-3);
    expect(front.length).toBeGreaterThan(80);
    expect(front[0].merits!.values[0]).toBeLessThan(0.01);
    expect(front[front.length - 1].merits!.values[0]).toBeGreaterThan(0.99);
  });

  test('constraints by domination: the front lies where they are kept', () => {
    const front = search(
      nsga2({ bounds: { lower: [0, 0], upper: [3, 3] }, population: 40, generations: 40, seed: 2 }),
      ([x, y]) => ({ values: [x, y], violation: Math.max(0, 1 - x * y) }),
    );
    for (const { merits } of front) {
      expect(merits!.violation).toBe(0);
      expect(merits!.values[0] * merits!.values[1]).toBeLessThan(1.1);
    }
  });
});
