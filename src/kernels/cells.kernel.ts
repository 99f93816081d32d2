/** Cells of a regular grid. */
import { type f64, type i32, wholeOf } from './prelude.js';

/** Cell of a coordinate, clamped: grains beyond the grid are in its outermost cells, so no near pair is missed. */
export function cellOf(x: f64, low: f64, perLength: f64, count: i32): i32 {
  const at: f64 = (x - low) * perLength;
  if (!(at > 0)) return 0;
  if (at >= count) return count - 1;
  return wholeOf(at);
}
