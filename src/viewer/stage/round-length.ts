/** Lengths of the series 1, 2, 5, 10, 20, 50, …: for grids and scale bars. */

/** The greatest length of the series that is not above `limit` (> 0). */
export function roundLength(limit: number): number {
  const decade = 10 ** Math.floor(Math.log10(limit));
  // Rounding of the logarithm may put a limit such as 1000 one decade off: both neighbours are tried.
  for (const length of [10 * decade, 5 * decade, 2 * decade, decade]) if (length <= limit * (1 + 1e-12)) return length;
  return 0.5 * decade;
}

/** Every so often a grid draws a stronger line: 10 for cells of 1 and 2, 50 for cells of 5. */
export function strongLength(spacing: number): number {
  const decade = 10 ** Math.floor(Math.log10(spacing) + 1e-9);
  return spacing > 3 * decade ? 10 * spacing : 10 * decade;
}
