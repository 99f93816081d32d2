/** Rows of P in the sweep of a mechanism that moves in the xy plane (plane-sweep.ts): three numbers for the acceleration, three for the velocity, three for the place. */
import type { StepColumns } from './step-columns.js';

/** Numbers of a row; those that there are without loads that have derivatives, for the others are zero then */
export const WIDTH = 9;
export const UNLOADED = 4;

/** A row of P, from `at`, by the columns α, β, χ of the velocity whose plane numbers begin at `c` */
export function byColumns(
  m: Float64Array,
  at: number,
  { alpha, beta, chi }: StepColumns,
  c: number,
  width: number,
): number {
  const sum = m[at] * alpha[c] + m[at + 1] * alpha[c + 1] + m[at + 2] * alpha[c + 2] + m[at + 3] * beta[c];
  if (width !== WIDTH) return sum;
  return (
    sum +
    (m[at + 4] * beta[c + 1] +
      m[at + 5] * beta[c + 2] +
      m[at + 6] * chi[c] +
      m[at + 7] * chi[c + 1] +
      m[at + 8] * chi[c + 2])
  );
}
