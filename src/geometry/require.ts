/** Checks of what a user passes, once, at the border. Written so that NaN is refused. */
import { ModelError } from '../errors.js';

/** @throws ModelError unless `value` is a finite length > 0 */
export function requireLength(path: string, value: number): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    throw new ModelError(path, `expected a length > 0 m, got ${value}`);
  return value;
}

/** @throws ModelError unless `value` is a finite length ≥ 0 */
export function requireLengthOrZero(path: string, value: number): number {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
    throw new ModelError(path, `expected a length ≥ 0 m, got ${value}`);
  return value;
}

/** @throws ModelError unless `value` is a finite number; `unit` is named in the message */
export function requireFinite(path: string, value: number, unit: string): number {
  if (!Number.isFinite(value)) throw new ModelError(path, `expected a finite number in ${unit}, got ${value}`);
  return value;
}

/** @throws ModelError unless `value` is a whole number from `least` to `most` */
export function requireCount(path: string, value: number, least: number, most = 1 << 20): number {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new ModelError(path, `expected a whole number from ${least} to ${most}, got ${value}`);
  return value;
}
