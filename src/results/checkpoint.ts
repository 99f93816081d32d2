/**
 * A run at one instant: all that the rest of it depends on. Going on from it gives the same bits as not having stopped.
 *
 *   bytes 0…7    "tippetop"
 *   8…15         length of the text that follows, f64
 *   text         JSON: version, time, facts, and of each array its name, type and length
 *   arrays       as they lie in memory, little-endian, each at a multiple of 8
 *   last 16      fingerprint of all before it, as text
 */
import { FileError } from '../errors.js';
import { hashBytes } from '../math/hash.js';
import type { Json } from './trust-report.js';

export interface Checkpoint {
  /** s */
  readonly time: number;
  /** What is not numbers: names, what kind of run it was */
  readonly facts: { readonly [name: string]: Json };
  readonly arrays: { readonly [name: string]: Float64Array };
}

const MAGIC = 'tippetop';
const VERSION = 7;

interface Header {
  readonly version: number;
  readonly time: number;
  readonly facts: Checkpoint['facts'];
  readonly arrays: readonly (readonly [name: string, length: number])[];
}

export function checkpointBytes({ time, facts, arrays }: Checkpoint): Uint8Array {
  const header: Header = {
    version: VERSION,
    time,
    facts,
    arrays: Object.entries(arrays).map(([name, { length }]) => [name, length] as const),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = 16 + 8 * Math.ceil(text.length / 8);
  const numbers = header.arrays.reduce((sum, [, length]) => sum + length, 0);
  const bytes = new Uint8Array(start + 8 * numbers + 16);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setFloat64(8, text.length, true);
  bytes.set(text, 16);
  let at = start;
  for (const values of Object.values(arrays)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  bytes.set(new TextEncoder().encode(hashBytes(bytes.subarray(0, at))), at);
  return bytes;
}

/** @param name of the file, for errors. @throws FileError if it is no checkpoint, or was damaged */
export function readCheckpoint(bytes: Uint8Array, name: string): Checkpoint {
  const refuse = (why: string): never => {
    throw new FileError(name, '', `${why}; expected what "tippetop run" leaves as checkpoint.bin`);
  };
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  if (bytes.length < 32 || text(0, 8) !== MAGIC) refuse('is no checkpoint');
  const end = bytes.length - 16;
  if (hashBytes(bytes.subarray(0, end)) !== text(end, bytes.length)) refuse('is damaged or not whole');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(8, true);
  const header: Header = JSON.parse(text(16, 16 + length));
  if (header.version !== VERSION) refuse(`is of version ${header.version}, and this program reads ${VERSION}`);
  let at = 16 + 8 * Math.ceil(length / 8);
  const arrays: Record<string, Float64Array> = {};
  for (const [array, count] of header.arrays) {
    arrays[array] = new Float64Array(Uint8Array.from(bytes.subarray(at, at + 8 * count)).buffer);
    at += 8 * count;
  }
  return { time: header.time, facts: header.facts, arrays };
}
