/**
 * A function of time as a table, whose spline (motion-data.ts) meets it to 1e-6 of its range. The spline rests at its two ends; a table that begins and ends beyond the run by some of its
 * steps h does not feel them, for what an end does wears off by 2 − √3 = 0.27 with each value. A function that jumps or rattles has no such table.
 */
import { motionFromData } from './motion-data.js';

export interface Tabulated {
  readonly data: { readonly kind: 'table'; readonly times: readonly number[]; readonly values: readonly number[] };
  /** Largest distance between function and table that was found, in the function's unit */
  readonly error: number;
}

/** Steps of a run at first and at most, and those beyond either end of it */
const [LEAST, MOST, BEYOND] = [64, 4096, 12];
const CLOSE = 1e-6;

/** @param end s, of the run. @returns undefined where no table meets it */
export function tabulated(given: (t: number) => number | readonly number[], end: number): Tabulated | undefined {
  const value = (t: number): number => {
    const found = given(t);
    return typeof found === 'number' ? found : found[0];
  };
  for (let steps = LEAST; steps <= MOST; steps *= 2) {
    const h = end / steps;
    const times = Array.from({ length: steps + 1 + 2 * BEYOND }, (_, i) => (i - BEYOND) * h);
    const values = times.map(value);
    if (!values.every(Number.isFinite)) return undefined;
    const data = { kind: 'table' as const, times, values };
    const table = motionFromData(data);
    let [low, high, error] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    // between the values, at places that no period of the function shares
    for (let i = 0; i < steps; i++)
      for (const part of [0.211, 0.5, 0.789]) {
        const t = (i + part) * h;
        const wanted = value(t);
        [low, high] = [Math.min(low, wanted), Math.max(high, wanted)];
        error = Math.max(error, Math.abs(table(t)[0] - wanted));
      }
    if (error <= CLOSE * (high - low) || error <= 1e-15 * Math.max(Math.abs(low), Math.abs(high)))
      return { data, error };
  }
  return undefined;
}
