/**
 * Two recordings beside each other: for each signal that both have, the largest difference and when, over the time that both cover.
 * Rows need not be the same: the second is read between its rows on a straight line, so that the difference holds what that leaves out, about
 * a″ h²/8 for rows h apart.
 */
import type { Recording } from './recording.js';

export interface SignalDifference {
  readonly name: string;
  readonly unit: string;
  /** max |a − b| over time, */
  readonly largest: number;
  /** when, s, */
  readonly at: number;
  /** and as a part of the larger of the two ranges max − min; 0 where both are constant and equal, ∞ where both are constant and are not */
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
  const differences = common.map((name) => difference(first, second, name, from, to, sameRows));
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
  name: string,
  from: number,
  to: number,
  sameRows: boolean,
): SignalDifference {
  const a = first.signal(name);
  const b = second.signal(name);
  const times = first.times;
  let largest = 0;
  let at = from;
  let end = 0;
  let k = 0; // row of b at or before the instant
  for (let i = 0; i < times.length; i++) {
    const t = times[i];
    if (t < from || t > to) continue;
    // An event's instant stands there twice, before and after: with the same rows each is compared with its like.
    if (sameRows) k = i;
    else while (k + 2 < b.times.length && b.times[k + 1] <= t) k++;
    end = (sameRows ? b.values[i] : between(b.times, b.values, k, t)) - a.values[i];
    // A value that is no number in one of the two is as different as can be.
    const size =
      Number.isNaN(end) && !(Number.isNaN(a.values[i]) && Number.isNaN(b.values[k])) ? Infinity : Math.abs(end);
    if (size > largest) {
      largest = size;
      at = t;
    }
  }
  const range = Math.max(a.max() - a.min(), b.max() - b.min());
  return { name, unit: a.unit, largest, at, relative: largest === 0 ? 0 : largest / range, end };
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
