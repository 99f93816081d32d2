/**
 * A curve through points that never overshoots them: cubic pieces whose slopes are weighted harmonic means of the neighbouring chords,
 * 0 where the chords change sign. Fritsch & Butland (1984), doi 10.1137/0905021. Constant beyond the ends.
 */
export function monotoneCubic(points: readonly (readonly [number, number])[]): (x: number) => number {
  const n = points.length;
  const x = points.map(([a]) => a);
  const y = points.map(([, b]) => b);
  const slope = slopes(x, y);
  return (at) => {
    if (at <= x[0]) return y[0];
    if (at >= x[n - 1]) return y[n - 1];
    let [low, high] = [0, n - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x[middle] <= at) low = middle;
      else high = middle;
    }
    const h = x[high] - x[low];
    const t = (at - x[low]) / h;
    const u = 1 - t;
    return (
      y[low] * (1 + 2 * t) * u * u + y[high] * t * t * (3 - 2 * t) + h * t * u * (slope[low] * u - slope[high] * t)
    );
  };
}

/** Slope of the curve of `monotoneCubic` */
export function monotoneCubicSlope(points: readonly (readonly [number, number])[]): (x: number) => number {
  const n = points.length;
  const x = points.map(([a]) => a);
  const y = points.map(([, b]) => b);
  const slope = slopes(x, y);
  return (at) => {
    if (at <= x[0] || at >= x[n - 1]) return 0;
    let [low, high] = [0, n - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x[middle] <= at) low = middle;
      else high = middle;
    }
    const h = x[high] - x[low];
    const t = (at - x[low]) / h;
    return (
      (6 * t * (1 - t) * (y[high] - y[low])) / h + slope[low] * (1 - t) * (1 - 3 * t) + slope[high] * t * (3 * t - 2)
    );
  };
}

function slopes(x: readonly number[], y: readonly number[]): number[] {
  const n = x.length;
  const chord = (i: number): number => (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  return x.map((_, i) => {
    if (n === 1) return 0;
    if (i === 0) return n > 2 && chord(0) * chord(1) <= 0 ? 0 : chord(0);
    if (i === n - 1) return n > 2 && chord(n - 2) * chord(n - 3) <= 0 ? 0 : chord(n - 2);
    const [a, b] = [chord(i - 1), chord(i)];
    if (a * b <= 0) return 0;
    const [h, k] = [x[i] - x[i - 1], x[i + 1] - x[i]];
    return (3 * (h + k)) / ((2 * k + h) / a + (k + 2 * h) / b);
  });
}
