/** Numbers as a person reads them. Machines get full precision through --json. */

import { LENGTH_UNITS, type LengthUnit } from '../geometry/files/cad-document.js';
import type { Vec3 } from '../math/vec3.js';

/** Six significant digits: 0.0123457, 7.85e-9, 12 345.7. */
export function number(value: number, digits = 6): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e6) return String(Number(value.toPrecision(digits)));
  return value
    .toExponential(digits - 1)
    .replace(/\.?0+e/, 'e')
    .replace('e+', 'e');
}

/** 12345 → 12 345 */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');

/** `1 triangle`, `2 triangles` */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** The unit in which lengths of this size are usually given. */
function lengthUnitFor(size: number): LengthUnit {
  if (size >= 1000) return 'km';
  if (size >= 1) return 'm';
  return size >= 1e-4 ? 'mm' : 'um';
}

/** `40 × 20 × 10 mm` */
export function size(extent: Vec3): string {
  const unit = lengthUnitFor(Math.max(...extent));
  return `${extent.map((x) => number(x / LENGTH_UNITS[unit])).join(' × ')} ${unitName(unit)}`;
}

/** `(1, 2.5, 0) mm`, in the unit that suits `reference`; rounding noise below 1e-7 of it, the single precision of most files, shows as 0. */
export function position(point: Vec3, reference: number): string {
  const unit = lengthUnitFor(reference);
  return `(${point.map((x) => number(Math.abs(x) < 1e-7 * reference ? 0 : x / LENGTH_UNITS[unit])).join(', ')}) ${unitName(unit)}`;
}

export const unitName = (unit: LengthUnit): string => (unit === 'um' ? 'µm' : unit);

/** `56.6 g`, `1.2 kg`: four digits, as all that is weighed */
export function mass(kilograms: number): string {
  if (kilograms >= 1) return `${number(kilograms, 4)} kg`;
  return kilograms >= 1e-4 ? `${number(1e3 * kilograms, 4)} g` : `${number(1e6 * kilograms, 4)} mg`;
}
