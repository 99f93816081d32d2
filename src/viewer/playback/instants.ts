/** The last of rising times that is not after `time`; the first if all are. */
export function instantAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
