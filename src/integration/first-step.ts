/**
 * A first step where nothing is known, after Hairer, Nørsett & Wanner, Solving ODEs I (1993), §II.4, in a form that does not depend
 * on the unit of time. With all sizes in the error norm:
 *
 *   s = |y|, d1 = |f|, d2 = |f(t + h₀, y + h₀ f) − f|/h₀ ≈ |y''|,   h₀ = 0.01 s/d1
 *   τ = max(d1/d2, 1/√d2)   time in which y' changes, or in which y'' alone moves y by one tolerance
 *   h = τ (0.01/A)^(1/(p+1)), A = max(d1 τ, d2 τ²):   an error A (h/τ)^(p+1) of one hundredth, at most 100 h₀
 */
import { pow } from '../math/elementary.js';
import type { Workshop } from './one-step-method.js';

/** Costs one evaluation. `f` are the rates at (t, y); `longest` bounds the result. */
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
  const whole = finiteOr(1, longest);
  // near zero, or hardly moving in all the time there is: the quotient says nothing
  const euler = size < 1e-5 || speed * whole < 1e-5 ? 1e-6 * whole : Math.min(0.01 * (size / speed), longest);
  const there = y.map((value, i) => value + euler * f[i]);
  const change = new Float64Array(y.length);
  rates.evaluate(t + euler, there, change);
  for (let i = 0; i < y.length; i++) change[i] -= f[i];
  const curvature = measure.norm(change, y, y) / euler;
  if (!(curvature < Number.POSITIVE_INFINITY)) return Math.min(1e-3 * euler, longest); // out of the domain of the rates
  if (curvature === 0) return Math.min(100 * euler, longest);
  const time = Math.max(speed / curvature, Math.sqrt(1 / curvature));
  const amplitude = Math.max(speed * time, curvature * time * time);
  return Math.min(100 * euler, time * pow(0.01 / amplitude, 1 / (order + 1)), longest);
}

const finiteOr = (otherwise: number, value: number): number => (Number.isFinite(value) ? value : otherwise);
