/**
 * A long signal in as few points as a screen can show, without losing a peak: the visible rows are cut into as many stretches as there
 * are pixel columns, and of each stretch the first, the least, the greatest and the last row stay, in the order of time. Lines through
 * them cover the same pixels as lines through all rows.
 */

/** The first row whose time is not before `time`; the number of rows if all are. */
export function firstRowFrom(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last row whose time is not after `time`, −1 if all are. */
export function lastRowTo(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Rows to draw between two times, and one beyond each end so that lines run out of the picture.
 *
 * @param columns stretches, about one per pixel; at most four rows stay of each
 * @param signals values over the same times; a row that matters to one of them stays for all
 * @returns the rows, ascending
 */
export function decimate(
  times: Float64Array,
  signals: readonly Float64Array[],
  from: number,
  to: number,
  columns: number,
): Uint32Array {
  const first = Math.max(0, firstRowFrom(times, from) - 1);
  const last = Math.min(times.length - 1, lastRowTo(times, to) + 1);
  const count = last - first + 1;
  if (!(count > 0)) return new Uint32Array(0);
  if (count <= 4 * columns) return Uint32Array.from({ length: count }, (_, k) => first + k);
  // by time, not by number of rows: instants of a run with events lie unevenly
  const span = times[last] - times[first];
  const kept: number[] = [];
  let row = first;
  for (let column = 0; column < columns && row <= last; column++) {
    const end = column === columns - 1 ? Infinity : times[first] + (span * (column + 1)) / columns;
    const start = row;
    while (row <= last && times[row] <= end) row++;
    if (row > start) keepStretch(signals, start, row - 1, kept);
  }
  return Uint32Array.from(kept);
}

/** First, least, greatest and last of each signal. A gap (NaN) stays one: its first row is kept. */
function keepStretch(signals: readonly Float64Array[], start: number, end: number, kept: number[]): void {
  const rows = new Set([start, end]);
  for (const values of signals) {
    let least = -1;
    let greatest = -1;
    for (let i = start; i <= end; i++) {
      const value = values[i];
      if (Number.isNaN(value)) {
        if (i === start || !Number.isNaN(values[i - 1])) rows.add(i);
        continue;
      }
      if (least < 0 || value < values[least]) least = i;
      if (greatest < 0 || value > values[greatest]) greatest = i;
    }
    if (least >= 0) rows.add(least).add(greatest);
  }
  kept.push(...[...rows].sort((a, b) => a - b));
}

/**
 * The row of the greatest value near a place: what a click on a spike means.
 *
 * @param from, to s, the stretch around the click
 * @returns −1 if there is no row in it
 */
export function peakRow(times: Float64Array, values: Float64Array, from: number, to: number): number {
  const last = lastRowTo(times, to);
  let peak = -1;
  for (let i = firstRowFrom(times, from); i <= last; i++)
    if (!Number.isNaN(values[i]) && (peak < 0 || values[i] > values[peak])) peak = i;
  return peak;
}

/** The row nearest to a time, the later of two that are as near; −1 if there are none. */
export function nearestRow(times: Float64Array, time: number): number {
  const before = lastRowTo(times, time);
  if (before < 0) return times.length > 0 ? 0 : -1;
  if (before === times.length - 1 || times[before] === time) return before;
  return times[before + 1] - time <= time - times[before] ? before + 1 : before;
}
