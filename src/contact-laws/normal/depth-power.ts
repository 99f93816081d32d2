/** dⁿ for d ≥ 0; the exponents of the common laws without a call of pow. */
import { pow } from '../../math/elementary.js';

export function depthPower(depth: number, exponent: number): number {
  if (exponent === 1.5) return depth * Math.sqrt(depth);
  if (exponent === 1) return depth;
  if (exponent === 0) return 1;
  if (exponent === 0.5) return Math.sqrt(depth);
  if (exponent === 2) return depth * depth;
  return pow(depth, exponent);
}
