/**
 * Plain values with typed arrays in them, as bytes:
 *
 *   0   8 letters that say what it is
 *   8   u32 little-endian: bytes of what follows, unpacked
 *   12  deflated: u32 bytes of the JSON text, the text in UTF-8, then all arrays one behind another
 *
 * The text has everything but the arrays; where one belongs stands { "f64": count }, { "u32": count } or { "u8": count }, and its bytes
 * are the next in the order of the text. Those of numbers are shuffled (hdf5/shuffle.ts), which halves them once deflated.
 */
import { FileError } from '../../errors.js';
import { deflate, inflate } from '../../geometry/deflate.js';
import { shuffle, unshuffle } from '../shuffle.js';

const HEAD = 12;
const TYPES = { f64: Float64Array, u32: Uint32Array, u8: Uint8Array } as const;
type TypeName = keyof typeof TYPES;

/** @param kind 8 letters */
export function packTree(
  kind: string,
  tree: unknown,
  level: Parameters<typeof deflate>[1] = 6,
): Uint8Array<ArrayBuffer> {
  const arrays: Uint8Array[] = [];
  const text = JSON.stringify(tree, (_, value) => {
    if (value instanceof Float64Array || value instanceof Uint32Array) {
      arrays.push(shuffle(value));
      return { [value instanceof Float64Array ? 'f64' : 'u32']: value.length };
    }
    if (!(value instanceof Uint8Array)) return value;
    arrays.push(value);
    return { u8: value.length };
  });
  const head = new TextEncoder().encode(text);
  const size = arrays.reduce((sum, { length }) => sum + length, 4 + head.length);
  const plain = new Uint8Array(size);
  new DataView(plain.buffer).setUint32(0, head.length, true);
  plain.set(head, 4);
  let at = 4 + head.length;
  for (const array of arrays) {
    plain.set(array, at);
    at += array.length;
  }
  const body = deflate(plain, level);
  const bytes = new Uint8Array(HEAD + body.length);
  bytes.set(new TextEncoder().encode(kind));
  new DataView(bytes.buffer).setUint32(8, size, true);
  bytes.set(body, HEAD);
  return bytes;
}

/**
 * What was packed; its arrays are the caller's own.
 *
 * @param refuse throws a FileError with what is wrong
 */
export function unpackTree(kind: string, bytes: Uint8Array, refuse: (defect: string) => never): unknown {
  if (bytes.length < HEAD || new TextDecoder().decode(bytes.subarray(0, 8)) !== kind)
    return refuse(`expected "${kind}" at its start`);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  // Deflate makes nothing smaller than 1/1032 of itself: zlib.net, "zlib Technical Details".
  if (size < 4 || size > 1100 * bytes.length) return refuse(`is damaged: it says that it unpacks to ${size} bytes`);
  const plain = inflate(bytes.subarray(HEAD), size) ?? refuse('is damaged: it cannot be unpacked');
  const textSize = new DataView(plain.buffer).getUint32(0, true);
  if (4 + textSize > size) return refuse('is damaged: its text is longer than it is');
  let at = 4 + textSize;
  const take = (type: TypeName, count: number): Float64Array | Uint32Array | Uint8Array => {
    const Type = TYPES[type];
    const length = count * Type.BYTES_PER_ELEMENT;
    if (!(Number.isInteger(count) && count >= 0 && at + length <= size))
      return refuse('is damaged: its numbers are not there');
    const own = plain.subarray(at, at + length);
    at += length;
    return type === 'u8' ? own.slice() : new Type(unshuffle(own, Type.BYTES_PER_ELEMENT).buffer);
  };
  // JSON.parse revives inner values first and in the order of the text, as the arrays were written.
  try {
    return JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + textSize)), (_, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const keys = Object.keys(value);
      return keys.length === 1 && Object.hasOwn(TYPES, keys[0]) && typeof value[keys[0]] === 'number'
        ? take(keys[0] as TypeName, value[keys[0]])
        : value;
    });
  } catch (error) {
    if (error instanceof FileError) throw error;
    return refuse('is damaged: its text is no JSON');
  }
}
