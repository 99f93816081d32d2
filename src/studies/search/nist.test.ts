/**
 * Certified problems of NIST's Statistical Reference Datasets, nonlinear regression (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml): values, standard
 * deviations and sums of squares to eleven digits, each from the far and from the near start.
 */
import { describe, expect, test } from 'vitest';
import { levenbergMarquardt } from './levenberg-marquardt.js';
import { type Bounds, search } from './search.js';

interface Problem {
  readonly y: readonly number[];
  readonly x: readonly number[];
  readonly model: (b: readonly number[], x: number) => number;
  readonly starts: readonly (readonly number[])[];
  readonly certified: readonly number[];
  readonly deviations?: readonly number[];
  readonly squares: number;
  readonly bounds?: Bounds;
}

const saturation = ([b1, b2]: readonly number[], x: number): number => b1 * (1 - Math.exp(-b2 * x));
const PROBLEMS: Readonly<Record<string, Problem>> = {
  Misra1a: {
    y: [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78],
    x: [77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0],
    model: saturation,
    starts: [
      [500, 1e-4],
      [250, 5e-4],
    ],
    certified: [238.94212918, 5.5015643181e-4],
    deviations: [2.7070075241, 7.2668688436e-6],
    squares: 0.12455138894,
  },
  BoxBOD: {
    y: [109, 149, 149, 191, 213, 224],
    x: [1, 2, 3, 5, 7, 10],
    model: saturation,
    starts: [
      [1, 1],
      [100, 0.75],
    ],
    certified: [213.80940889, 0.54723748542],
    deviations: [12.354515176, 0.10455993237],
    squares: 1168.0088766,
    bounds: { lower: [0, 0.01], upper: [1000, 10] },
  },
  MGH09: {
    y: [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246],
    x: [4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625],
    model: ([b1, b2, b3, b4], x) => (b1 * (x * x + x * b2)) / (x * x + x * b3 + b4),
    starts: [
      [25, 39, 41.5, 39],
      [0.25, 0.39, 0.415, 0.39],
    ],
    certified: [0.19280693458, 0.19128232873, 0.12305650693, 0.13606233068],
    squares: 3.0750560385e-4,
  },
  Rat43: {
    y: [
      16.08, 33.83, 65.8, 97.2, 191.55, 326.2, 386.87, 520.53, 590.03, 651.92, 724.93, 699.56, 689.96, 637.56, 717.41,
    ],
    x: Array.from({ length: 15 }, (_, i) => i + 1),
    model: ([b1, b2, b3, b4], x) => b1 / (1 + Math.exp(b2 - b3 * x)) ** (1 / b4),
    starts: [
      [100, 10, 1, 1],
      [700, 5, 0.75, 1.3],
    ],
    certified: [699.6415127, 5.2771253025, 0.75962938329, 1.2792483859],
    squares: 8786.404908,
  },
};

const cases = Object.entries(PROBLEMS).flatMap(([name, problem]) =>
  problem.starts.map((start, i) => ({ name, i: i + 1, start, problem })),
);
describe('NIST certified', () => {
  test.each(cases)('$name from start $i', ({ start, problem }) => {
    const { x, y, model, certified, deviations, squares, bounds } = problem;
    const fit = search(
      levenbergMarquardt(start, { ...(bounds && { bounds }), scales: start, mostIterations: 500 }),
      (b) => x.map((at, i) => model(b, at) - y[i]),
    );
    // six digits of the parameters, eight of the squares (they are flat there), four of the deviations: what is asked of a fit by differences
    for (const [k, value] of certified.entries()) expect(Math.abs(fit!.point[k] / value - 1)).toBeLessThan(1e-6);
    expect(Math.abs(fit!.squares / squares - 1)).toBeLessThan(1e-8);
    for (const [k, value] of (deviations ?? []).entries())
      expect(Math.abs(fit!.deviations[k] / value - 1)).toBeLessThan(1e-4);
    expect(fit!.identifiability.together).toEqual([]);
  });

  test('parameters that only their product matters of are named', () => {
    const fit = search(levenbergMarquardt([2, 3, 1]), ([a, b, c]) =>
      [1, 2, 3, 4].map((t) => a * b * t + c - 7 * t - 0.1 * (t % 2)),
    );
    expect(fit!.identifiability.condition).toBeGreaterThan(1e6);
    expect(fit!.identifiability.together).toEqual([0, 1]);
  });

  test('a bound holds, and the rest is fitted beside it', () => {
    const fit = search(levenbergMarquardt([1, 1], { bounds: { lower: [0, 0], upper: [2, 10] } }), ([a, b]) =>
      [0, 1, 2, 3].map((t) => a + b * t - (3 + t)),
    );
    // a = 2 fixed: b = Σ t (1 + t)/Σ t²
    expect(fit!.point[0]).toBe(2);
    expect(fit!.point[1]).toBeCloseTo((1 * 2 + 2 * 3 + 3 * 4) / 14, 9);
  });

  test('where runs fail the step is shortened; a start that fails is told', () => {
    const fit = search(levenbergMarquardt([1]), ([a]) => (a > 5 ? undefined : [10 * (Math.exp(a) - Math.exp(3))]));
    expect(fit!.point[0]).toBeCloseTo(3, 9);
    expect(search(levenbergMarquardt([1]), () => undefined)).toBeUndefined();
  });
});
