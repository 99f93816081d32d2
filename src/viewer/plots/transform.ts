/** What can be done to a signal before it is drawn: nothing, its rate of change, its absolute value. */

export const TRANSFORMS = ['plain', 'rate', 'absolute'] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** How a transformed signal is called: `d/dt ball.position.z`, `|ball.position.z|`. */
export const transformedName = (name: string, transform: Transform): string =>
  transform === 'rate' ? `d/dt ${name}` : transform === 'absolute' ? `|${name}|` : name;

/** The unit after it: m → m/s → m/s², N m → N m/s, none → 1/s. */
export function transformedUnit(unit: string, transform: Transform): string {
  if (transform !== 'rate') return unit;
  if (unit === '') return '1/s';
  if (unit.endsWith('/s')) return `${unit}²`;
  if (unit.endsWith('/s²')) return unit.replace(/²$/, '³');
  if (unit === 's') return '';
  if (unit === 'J') return 'W';
  return `${unit}/s`;
}

/**
 * Values after it. The rate at a row is the slope of the parabola through it and its neighbours, second order also where steps differ:
 *
 *   v' = (h₀ s₁ + h₁ s₀)/(h₀ + h₁),   h₀, h₁ the steps before and after, s₀, s₁ the slopes over them
 *
 * At an event, where an instant stands twice, each side has the slope of its own side: a jump is not turned into a spike.
 */
export function transformed(times: Float64Array, values: Float64Array, transform: Transform): Float64Array {
  if (transform === 'plain') return values;
  if (transform === 'absolute') return values.map(Math.abs);
  const n = values.length;
  const rates = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const before = i > 0 ? times[i] - times[i - 1] : 0;
    const after = i < n - 1 ? times[i + 1] - times[i] : 0;
    const slopeBefore = before > 0 ? (values[i] - values[i - 1]) / before : Number.NaN;
    const slopeAfter = after > 0 ? (values[i + 1] - values[i]) / after : Number.NaN;
    if (before > 0 && after > 0) rates[i] = (before * slopeAfter + after * slopeBefore) / (before + after);
    else rates[i] = before > 0 ? slopeBefore : slopeAfter;
  }
  return rates;
}
