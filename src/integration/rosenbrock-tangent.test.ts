/** S = ∂y/∂p beside RODAS4P against closed forms: order 4, with the term that makes it so. */
import { describe, expect, test } from 'vitest';
import { factoriseLu, solveLu } from '../math/dense-lu.js';
import { cos, sin } from '../math/elementary.js';
import type { LinearSolver } from './problem.js';
import { RosenbrockTangent, type TangentProblem } from './rosenbrock-tangent.js';

type Rates = (p: number, t: number, y: Float64Array, out: Float64Array) => void;

/** With J and ∂f/∂t by central differences, which are exact to ten digits here */
function linearOf(f: Rates, p: number, n: number): LinearSolver {
  const [jacobian, lu, pivots] = [new Float64Array(n * n), new Float64Array(n * n), new Int32Array(n)];
  const [above, below] = [new Float64Array(n), new Float64Array(n)];
  const d = 1e-5;
  return {
    linearise(t, y, _f, byTime) {
      for (let j = 0; j < n; j++) {
        const moved = Float64Array.from(y);
        moved[j] = y[j] + d;
        f(p, t, moved, above);
        moved[j] = y[j] - d;
        f(p, t, moved, below);
        for (let i = 0; i < n; i++) jacobian[n * i + j] = (above[i] - below[i]) / (2 * d);
      }
      f(p, t + d, y, above);
      f(p, t - d, y, below);
      for (let i = 0; i < n; i++) byTime[i] = (above[i] - below[i]) / (2 * d);
    },
    factorise(e) {
      for (let i = 0; i < n * n; i++) lu[i] = (i % (n + 1) === 0 ? 1 : 0) - e * jacobian[i];
      return factoriseLu(lu, n, pivots);
    },
    solve: (r) => solveLu(lu, n, pivots, r),
  };
}

/** Walks to `end` in `steps` equal steps; S at the end */
function tangent(
  f: Rates,
  p: number,
  y0: readonly number[],
  end: number,
  steps: number,
): { y: Float64Array; s: Float64Array } {
  const delta = 1e-5 * Math.abs(p);
  const problem: TangentProblem = {
    size: y0.length,
    parameters: 1,
    steps: [delta],
    rates: (_, side, t, y, out) => f(p + side * delta, t, y, out),
    linear: linearOf(f, p, y0.length),
  };
  const method = new RosenbrockTangent(problem);
  let y: Float64Array = Float64Array.from(y0);
  const h = end / steps;
  for (let i = 0; i < steps; i++) {
    const y1 = new Float64Array(y.length);
    method.attempt(i * h, y, h, y1);
    method.accept(i * h, y, h);
    y = y1;
  }
  return { y, s: method.s[0] };
}

describe('a pendulum by its length', () => {
  // φ'' = −g/L sin φ, released at rest: φ depends on t √(g/L) alone, so ∂φ/∂L = −t φ'/(2 L) at any amplitude
  const [g, L, end] = [9.81, 1, 5];
  const f: Rates = (length, _t, y, out) => {
    out[0] = y[1];
    out[1] = (-g / length) * sin(y[0]);
  };
  const speed = tangent(f, L, [1, 0], end, 3200).y[1]; // good to 1e-13
  const error = (steps: number): number => Math.abs(tangent(f, L, [1, 0], end, steps).s[0] + (end * speed) / (2 * L));
  test('to 1e-5, and of order 4', () => {
    const errors = [100, 200, 400].map(error);
    expect(errors[0]).toBeLessThan(1e-4);
    expect(errors[2]).toBeLessThan(1e-6);
    // order 1 would be 2; 2⁴ = 16
    expect(errors[0] / errors[1]).toBeGreaterThan(11);
    expect(errors[1] / errors[2]).toBeGreaterThan(11);
  });
});

// y' = −p (y − cos ω t): y = p (p cos ωt + ω sin ωt)/(p² + ω²) + C e^{−pt}; its derivative by p from a difference of the closed form itself
test('a driven system: what depends on time and parameter alike', () => {
  const [p, w, end] = [30, 3, 2];
  const particular = (q: number, t: number): number => (q * (q * cos(w * t) + w * sin(w * t))) / (q * q + w * w);
  const exact = (q: number): number => particular(q, end) + (0.5 - particular(q, 0)) * Math.exp(-q * end);
  const d = 1e-4 * p;
  const slope = (8 * (exact(p + d) - exact(p - d)) - (exact(p + 2 * d) - exact(p - 2 * d))) / (12 * d);
  const f: Rates = (q, t, y, out) => {
    out[0] = -q * (y[0] - cos(w * t));
  };
  // further on differences of the rates are what is left
  const errors = [10, 20].map((steps) => Math.abs(tangent(f, p, [0.5], end, steps).s[0] - slope));
  expect(Math.abs(tangent(f, p, [0.5], end, 50).s[0] / slope - 1)).toBeLessThan(1e-6);
  expect(errors[1]).toBeLessThan(0.1 * errors[0]);
});
