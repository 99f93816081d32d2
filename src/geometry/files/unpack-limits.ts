/**
 * How far packed files may grow. Text of CAD models packs 5–30 times; a zip bomb packs 1000 times. More than 200 times
 * or 1 GiB is refused, before unpacking where a size is promised, and while unpacking since promises may be lies.
 */

export const MOST_UNPACKED_BYTES = 1024 * 1024 * 1024;
export const GREATEST_RATIO = 200;
/** Below this size the ratio does not matter. */
const HARMLESS_BYTES = 10 * 1024 * 1024;

/** What is wrong with unpacking `packed` bytes to `size`, or undefined if nothing is. */
export function growthDefect(packed: number, size: number): string | undefined {
  if (size > MOST_UNPACKED_BYTES) return `unpacks to more than ${MOST_UNPACKED_BYTES} bytes, which is refused`;
  if (size > HARMLESS_BYTES && size > GREATEST_RATIO * packed)
    return `unpacks ${packed} bytes to ${size} or more, over ${GREATEST_RATIO} times; such a zip bomb is refused`;
  return undefined;
}
