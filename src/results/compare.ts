/**
 * Two recordings beside each other: for each signal that both have, the largest difference and when, over the time that both cover.
 * Rows need not be the same: the second is read between its rows on a straight line, so that the difference holds what that leaves out, about
 * a″ h²/8 for rows h apart. A quaternion and its negative are one orientation.
 */
import type { Recording } from './recording.js';

export interface SignalDifference {
  readonly name: string;
  readonly unit: string;
  /** max |a − b| over time, */
  readonly largest: number;
  /** when, s, */
  readonly at: number;
  /**
   * and as a part of the larger of the two ranges max − min; 0 where both are constant and equal, ∞ where both are constant and are not.
   * A range below 1e-10 of the largest value of that unit is rounding, and does not count as one: the difference is then a part of that.
   */
  readonly relative: number;
  /** Difference at the last common instant, b − a */
  readonly end: number;
}

export interface Comparison {
  /** Common time, s */
  readonly from: number;
  readonly to: number;
  /** Largest relative difference first */
  readonly differences: readonly SignalDifference[];
  /** Names that only one of the two has */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  /** All common signals have the same bits at the same rows */
  readonly equal: boolean;
  /** Events of the same name, in order, and how much later the second has them, s */
  readonly events: readonly { readonly name: string; readonly first: number; readonly later: number }[];
}

/**
 * @param patterns which signals; default all
 * @example compareRecordings(coarse, fine).differences[0] // the signal that differs most
 */
export function compareRecordings(
  first: Recording,
  second: Recording,
  patterns: string | readonly string[] = '*',
): Comparison {
  const names = new Set(first.names(patterns));
  const others = new Set(second.names(patterns));
  const common = [...names].filter((name) => others.has(name));
  const from = Math.max(first.times[0] ?? 0, second.times[0] ?? 0);
  const to = Math.min(first.times.at(-1) ?? 0, second.times.at(-1) ?? 0);
  const sameRows =
    first.rows > 0 && first.rows === second.rows && first.times.every((time, i) => time === second.times[i]);
  const columns = common.map((name) => ({ name, a: valuesOf(first, name), b: valuesOf(second, name) }));
  const scales = new Map<string, number>();
  for (const { name, a, b } of columns) {
    const { unit } = first.signal(name);
    for (const column of [a, b]) scales.set(unit, Math.max(scales.get(unit) ?? 0, largestOf(column)));
  }
  const differences = columns.map((column) => difference(first, second, column, { from, to }, sameRows, scales));
  differences.sort((a, b) => b.relative - a.relative || b.largest - a.largest);
  return {
    from,
    to,
    differences,
    onlyFirst: [...names].filter((name) => !others.has(name)),
    onlySecond: [...others].filter((name) => !names.has(name)),
    equal: sameRows && differences.every(({ largest }) => largest === 0),
    events: commonEvents(first, second),
  };
}

function difference(
  first: Recording,
  second: Recording,
  { name, a, b }: { readonly name: string; readonly a: ArrayLike<number>; readonly b: ArrayLike<number> },
  { from, to }: { readonly from: number; readonly to: number },
  sameRows: boolean,
  scales: ReadonlyMap<string, number>,
): SignalDifference {
  const { times } = first;
  const { unit } = first.signal(name);
  let largest = 0;
  let at = from;
  let end = 0;
  let k = 0; // row of b at or before the instant
  for (let i = 0; i < times.length; i++) {
    const t = times[i];
    if (t < from || t > to) continue;
    // An event's instant stands there twice, before and after: with the same rows each is compared with its like.
    if (sameRows) k = i;
    else while (k + 2 < second.times.length && second.times[k + 1] <= t) k++;
    end = (sameRows ? b[i] : between(second.times, b, k, t)) - a[i];
    // A value that is no number in one of the two is as different as can be.
    const size = Number.isNaN(end) && !(Number.isNaN(a[i]) && Number.isNaN(b[k])) ? Infinity : Math.abs(end);
    if (size > largest) {
      largest = size;
      at = t;
    }
  }
  const own = Math.max(rangeOf(a), rangeOf(b));
  const rounding = ROUNDING * (scales.get(unit) ?? 0);
  // Constants that differ by more than rounding have no range to be compared with.
  const range = own === 0 && largest > rounding ? 0 : Math.max(own, rounding);
  return { name, unit, largest, at, relative: largest === 0 ? 0 : largest / range, end };
}

/** Part of the largest value of a unit below which figures are what rounding leaves: forces that cancel, a plane that is kept */
const ROUNDING = 1e-10;

function largestOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) most = Math.max(most, Math.abs(values[i]));
  return most;
}

function rangeOf(values: ArrayLike<number>): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return Math.max(0, high - low);
}

/** The column of a signal; of an orientation that of the two quaternions of the same turn which begins with its largest part > 0 and never jumps. */
function valuesOf(recording: Recording, name: string): ArrayLike<number> {
  const body = /^(.*\.)?orientation\.[wxyz]$/.exec(name)?.[1];
  const { values } = recording.signal(name);
  const parts = ['w', 'x', 'y', 'z'].map((part) => `${body ?? ''}orientation.${part}`);
  const known = new Set(recording.signals.map((signal) => signal.name));
  if (body === undefined || !parts.every((part) => known.has(part))) return values;
  const all = parts.map((part) => recording.signal(part).values);
  const continuous = new Float64Array(values.length);
  let sign = 1;
  for (let i = 0; i < values.length; i++) {
    if (i === 0) {
      const first = all.map((column) => column[0]);
      sign = first.reduce((most, x) => (Math.abs(x) > Math.abs(most) + 1e-9 ? x : most), 0) < 0 ? -1 : 1;
    } else if (all.reduce((sum, column) => sum + column[i] * column[i - 1], 0) < 0) sign = -sign;
    continuous[i] = sign * values[i];
  }
  return continuous;
}

/** b at t, where row k is at or before it. */
function between(times: ArrayLike<number>, values: ArrayLike<number>, k: number, t: number): number {
  if (t === times[k] || k + 1 >= times.length) return values[k];
  if (t === times[k + 1]) return values[k + 1];
  return values[k] + ((values[k + 1] - values[k]) * (t - times[k])) / (times[k + 1] - times[k]);
}

/** The first, second, … event of a name in one is the first, second, … of that name in the other. */
function commonEvents(first: Recording, second: Recording): Comparison['events'] {
  const left = new Map<string, number[]>();
  for (const { name, time } of second.events) left.set(name, [...(left.get(name) ?? []), time]);
  return first.events.flatMap(({ name, time }) => {
    const later = left.get(name)?.shift();
    return later === undefined ? [] : [{ name, first: time, later: later - time }];
  });
}
