/**
 * What a stretch of a signal amounts to. Between rows a signal runs straight, so mean and root mean square are integrals over time and
 * do not depend on where rows lie densely:
 *
 *   mean = 1/T ∫ v dt,   ∫ over a row = Δt (a + b)/2
 *   rms² = 1/T ∫ v² dt,  ∫ over a row = Δt (a² + a b + b²)/3
 *
 * Rows that are NaN are passed over, with the lines to them.
 */
import { firstRowFrom, lastRowTo } from '../playback/decimation.js';

export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly rms: number;
  readonly peakToPeak: number;
  /** Of the last row in the stretch */
  readonly final: number;
}

/** @param from, to s; rows from the first not before `from` to the last not after `to` */
export function statistics(times: Float64Array, values: Float64Array, from: number, to: number): Statistics {
  const last = lastRowTo(times, to);
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let squares = 0;
  let integral = 0;
  let squareIntegral = 0;
  let span = 0;
  let final = Number.NaN;
  let before = -1;
  for (let i = firstRowFrom(times, from); i <= last; i++) {
    const value = values[i];
    if (Number.isNaN(value)) {
      before = -1;
      continue;
    }
    count++;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    squares += value * value;
    if (before >= 0) {
      const step = times[i] - times[before];
      const a = values[before];
      span += step;
      integral += (step * (a + value)) / 2;
      squareIntegral += (step * (a * a + a * value + value * value)) / 3;
    }
    final = value;
    before = i;
  }
  if (count === 0)
    return {
      count,
      min: Number.NaN,
      max: Number.NaN,
      mean: Number.NaN,
      rms: Number.NaN,
      peakToPeak: Number.NaN,
      final,
    };
  // no time passes between the rows: all count the same
  const mean = span > 0 ? integral / span : sum / count;
  const rms = Math.sqrt(span > 0 ? squareIntegral / span : squares / count);
  return { count, min, max, mean, rms, peakToPeak: max - min, final };
}
