/** Value axes of a plot: one for each unit, on alternate sides, so that lines of one unit share a scale and no other does. */
import { scaledUnit } from '../../math/quantity.js';

export interface ValueAxis {
  /** Name of the scale; the unit itself, `1` where there is none */
  readonly scale: string;
  /** SI */
  readonly unit: string;
  readonly side: 'left' | 'right';
  /** Lines on it, by their number */
  readonly lines: readonly number[];
}

export function assignAxes(units: readonly string[]): ValueAxis[] {
  const lines = new Map<string, number[]>();
  units.forEach((unit, i) => {
    const known = lines.get(unit);
    if (known) known.push(i);
    else lines.set(unit, [i]);
  });
  return [...lines].map(([unit, of], i) => ({
    scale: unit === '' ? '1' : unit,
    unit,
    side: i % 2 === 0 ? 'left' : 'right',
    lines: of,
  }));
}

/**
 * Least and greatest value of an axis, with a little room. A constant gets room in proportion to itself, so that rounding noise on it
 * is not blown up to a mountain range.
 */
export function paddedRange(min: number, max: number): [number, number] {
  if (!(min <= max)) return [-1, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  const span = max - min;
  if (span > 1e-9 * size) return [min - 0.05 * span, max + 0.05 * span];
  const room = size > 0 ? 0.1 * size : 1;
  return [min - room, max + room];
}

/** Labels of marks on an axis, in the unit that suits its range. */
export function tickLabels(marks: readonly number[], unit: string, min: number, max: number): string[] {
  const { factor } = scaledUnit(Math.max(Math.abs(min), Math.abs(max)), unit);
  const step = marks.length > 1 ? Math.abs(marks[1] - marks[0]) * factor : 0;
  const largest = Math.max(Math.abs(min), Math.abs(max)) * factor;
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3))
    return marks.map((mark) => (mark === 0 ? '0' : (mark * factor).toExponential(1).replace('e+', 'e')));
  // as many decimals as the step between marks needs: 1 for 0.2, 2 for 0.25
  let decimals = step > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))) : 3;
  const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-6 * x;
  while (step > 0 && decimals < 8 && !isWhole(step * 10 ** decimals)) decimals++;
  return marks.map((mark) => {
    const text = (mark * factor).toFixed(decimals);
    return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
  });
}

/** The unit that goes with these labels. */
export const axisUnit = (unit: string, min: number, max: number): string =>
  scaledUnit(Math.max(Math.abs(min), Math.abs(max)), unit).unit;
