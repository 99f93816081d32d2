/**
 * Rainflow counting of a history: closed cycles with their range and mean, as fatigue needs them. Three-point method of ASTM E1049-85 (2017), §5.4.4:
 * X the last range, Y the one before; while X ≥ Y, Y is a full cycle and is taken out, or half a one where it holds the first point. What is left
 * at the end counts as half cycles. Ranges that are rounding of the largest value are none: what stands under load has no cycles.
 */
export interface Cycle {
  readonly range: number;
  readonly mean: number;
  /** 1 or ½ */
  readonly count: number;
}

/** Of the largest value, below which a range is rounding: solvers leave 1e-13 of it, and no material minds a billionth */
const ROUNDING = 1e-9;

export function rainflow(values: ArrayLike<number>): Cycle[] {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  const cycles: Cycle[] = [];
  const points: number[] = [];
  const note = (a: number, b: number, count: number): void => {
    const range = Math.abs(a - b);
    if (range > ROUNDING * largest) cycles.push({ range, mean: (a + b) / 2, count });
  };
  for (const turn of turningPoints(values)) {
    points.push(turn);
    while (points.length >= 3) {
      const n = points.length;
      const x = Math.abs(points[n - 1] - points[n - 2]);
      const y = Math.abs(points[n - 2] - points[n - 3]);
      if (x < y) break;
      if (n === 3) {
        note(points[0], points[1], 0.5);
        points.shift();
      } else {
        note(points[n - 3], points[n - 2], 1);
        points.splice(n - 3, 2);
      }
    }
  }
  for (let i = 0; i + 1 < points.length; i++) note(points[i], points[i + 1], 0.5);
  return cycles;
}

/** First and last value and every extreme between them; plateaus once */
function turningPoints(values: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const x = values[i];
    const n = out.length;
    if (n > 0 && x === out[n - 1]) continue;
    if (n >= 2 && x > out[n - 1] === out[n - 1] > out[n - 2]) out[n - 1] = x;
    else out.push(x);
  }
  return out;
}

export interface RainflowClass {
  /** Ranges from and up to, and the mean of the means, in the unit of the history */
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly count: number;
}

/** Cycles sorted into classes of equal width by range, the largest first; empty classes are left out. */
export function rainflowTable(cycles: readonly Cycle[], classes: number): RainflowClass[] {
  const largest = cycles.reduce((most, { range }) => Math.max(most, range), 0);
  if (!(largest > 0)) return [];
  const count = new Float64Array(classes);
  const mean = new Float64Array(classes);
  for (const cycle of cycles) {
    const k = Math.min(classes - 1, Math.floor((classes * cycle.range) / largest));
    count[k] += cycle.count;
    mean[k] += cycle.count * cycle.mean;
  }
  return Array.from(count, (own, k) => ({
    from: (largest * k) / classes,
    to: (largest * (k + 1)) / classes,
    mean: mean[k] / own,
    count: own,
  }))
    .filter((row) => row.count > 0)
    .reverse();
}
