/**
 * A search asks for points and is told their values: a generator that yields batches of points and gets a value for each, undefined where the run
 * failed. Who computes them, and on how many cores or machines, is not its business; the same search serves a formula and ten thousand runs.
 */

/** Yields points, receives their values in the same order */
export type Search<Value, Result> = Generator<readonly number[][], Result, readonly (Value | undefined)[]>;

/** Runs a search whose values are computed here and now */
export function search<Value, Result>(
  steps: Search<Value, Result>,
  value: (point: readonly number[]) => Value | undefined,
): Result {
  for (let asked = steps.next(); ; asked = steps.next(asked.value.map(value))) if (asked.done) return asked.value;
}

/** Runs a search whose values come from elsewhere, a batch at a time */
export async function searchWith<Value, Result>(
  steps: Search<Value, Result>,
  values: (points: readonly number[][]) => Promise<readonly (Value | undefined)[]>,
): Promise<Result> {
  for (let asked = steps.next(); ; asked = steps.next(await values(asked.value))) if (asked.done) return asked.value;
}

/** Between these; ±∞ where there is none */
export interface Bounds {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** A value to be made small, and by how much constraints are broken: 0 where they are kept */
export interface Merit {
  readonly value: number;
  readonly violation: number;
}

/** What keeps the constraints is better than what does not; a failed run is worst. Deb (2000), doi 10.1016/S0045-7825(99)00389-8 */
export function compareMerits(a: Merit | undefined, b: Merit | undefined): number {
  const fails = Number(isWorthless(a)) - Number(isWorthless(b));
  if (fails !== 0 || isWorthless(a) || isWorthless(b)) return fails;
  if (a!.violation !== b!.violation) return a!.violation - b!.violation;
  return a!.value - b!.value;
}

const isWorthless = (merit: Merit | undefined): boolean =>
  merit === undefined || !(Number.isFinite(merit.value) && Number.isFinite(merit.violation));

/** Where a search for the smallest value ended */
export interface Minimum {
  readonly point: number[];
  readonly merit: Merit | undefined;
  readonly evaluations: number;
  /** Why it ended */
  readonly reason: string;
}

export const clamped = (x: readonly number[], { lower, upper }: Bounds): number[] =>
  x.map((value, i) => Math.min(upper[i], Math.max(lower[i], value)));
