/**
 * A first step where nothing is known: Hairer, Nørsett & Wanner, Solving ODEs I (1993), §II.4. One hundredth of the time in which y would
 * change by itself, tried with one Euler step; then such that h^p times the larger of first and second derivative is 0.01 in the error norm.
 */
import { pow } from '../math/elementary.js';
import type { Workshop } from './one-step-method.js';

/** Costs one evaluation. `f` are the rates at (t, y). */
export function firstStep(
  { rates, measure }: Workshop,
  t: number,
  y: Float64Array,
  f: Float64Array,
  order: number,
  longest: number,
): number {
  const size = finiteOr(0, measure.norm(y, y, y));
  const speed = finiteOr(0, measure.norm(f, y, y));
  const euler = Math.min(size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * (size / speed), longest);
  const there = y.map((value, i) => value + euler * f[i]);
  const change = new Float64Array(y.length);
  rates.evaluate(t + euler, there, change);
  for (let i = 0; i < y.length; i++) change[i] -= f[i];
  const curvature = finiteOr(Number.POSITIVE_INFINITY, measure.norm(change, y, y)) / euler;
  if (curvature === Number.POSITIVE_INFINITY) return Math.min(1e-3 * euler, longest); // out of the rates' domain
  const fastest = Math.max(speed, curvature);
  const wanted = fastest <= 1e-15 ? Math.max(1e-6, euler * 1e-3) : pow(0.01 / fastest, 1 / (order + 1));
  return Math.min(100 * euler, wanted, longest);
}

const finiteOr = (otherwise: number, value: number): number => (Number.isFinite(value) ? value : otherwise);
