/**
 * How far each parameter swings an output over its own range, by a plane through all runs:
 *
 *   y ≈ b₀ + Σ b_k u_k,     u_k: the parameter from 0 (its least value) to 1 (its greatest); b_k is the swing
 *
 * and R², the share of the output's variance that the plane tells. Where R² is small a bar says little: the report shows it beside the bars.
 */
import { backSolve, triangular } from '../search/least-squares-step.js';

export interface Swings {
  /** One per parameter, in the output's unit */
  readonly swings: readonly number[];
  readonly rSquared: number;
  /** Runs that came through with numbers */
  readonly rows: number;
}

/** Undefined where runs are fewer than unknowns, or the output does not vary */
export function linearSwings(
  parameters: readonly (readonly number[])[],
  output: readonly number[],
): Swings | undefined {
  const n = parameters.length;
  const rows = output
    .map((_, i) => i)
    .filter((i) => Number.isFinite(output[i]) && parameters.every((column) => Number.isFinite(column[i])));
  if (n === 0 || rows.length < n + 2) return undefined;
  const columns = parameters.map((column) => {
    const values = rows.map((i) => column[i]);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity);
    const span = values.reduce((a, b) => Math.max(a, b), -Infinity) - low;
    return Float64Array.from(values, (value) => (span > 0 ? (value - low) / span : 0));
  });
  const y = Float64Array.from(rows, (i) => output[i]);
  const mean = y.reduce((sum, v) => sum + v, 0) / y.length;
  const total = y.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  if (!(total > 0)) return undefined;
  const ones = new Float64Array(rows.length).fill(1);
  const system = triangular([...columns, ones], y);
  const b = backSolve(system, system.right);
  if (!Array.from(b).every(Number.isFinite)) return undefined;
  let left = 0;
  for (let i = 0; i < y.length; i++)
    left += (y[i] - b[n] - columns.reduce((sum, column, k) => sum + b[k] * column[i], 0)) ** 2;
  return { swings: Array.from(b).slice(0, n), rSquared: 1 - left / total, rows: rows.length };
}
