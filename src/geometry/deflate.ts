/** Bytes packed in the zlib format (RFC 1950), at once and with the same result everywhere. */
import { Unzlib, zlibSync } from 'fflate';

/** @param level 1 fast … 9 small */
export const deflate = (bytes: Uint8Array, level: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 = 6): Uint8Array<ArrayBuffer> =>
  zlibSync(bytes, { level }) as Uint8Array<ArrayBuffer>;

const STEP = 1 << 16; // deflate makes at most 1032 bytes of one: a lie about the size is noticed after 64 MiB

/** Undoes it if that gives just `size` bytes; undefined if they are other bytes, too many or too few. */
export function inflate(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> | undefined {
  const whole = new Uint8Array(size);
  let filled = 0;
  const stream = new Unzlib((part) => {
    if (filled + part.length > size) throw new RangeError('unpacks to more than it should');
    whole.set(part, filled);
    filled += part.length;
  });
  try {
    for (let i = 0; i < packed.length; i += STEP) stream.push(packed.subarray(i, i + STEP), i + STEP >= packed.length);
  } catch {
    return undefined;
  }
  return filled === size ? whole : undefined;
}
