/**
 * Mutations of real files for fuzzing: what bad disks, bad exporters and bad people do to a file.
 * Run k of a seed always gives the same bytes, so that a failure can be repeated alone.
 */

/** A small random number generator: Weyl sequence with the finaliser of MurmurHash3; good enough to pick places. */
export class Dice {
  #state: number;
  constructor(seed: number, run: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(run + 1, 0xc2b2ae35);
  }
  /** A whole number from 0 to n − 1. */
  below(n: number): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let h = this.#state;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
    return Math.floor(((h >>> 0) / 4294967296) * n);
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)];
  }
  /** Small numbers more often than large ones, from 0 to n − 1. */
  low(n: number): number {
    return this.below(this.below(n) + 1);
  }
}

export interface Mutant {
  readonly bytes: Uint8Array;
  /** What was done, for the report. */
  readonly story: string;
}

type Mutation = (bytes: Uint8Array, dice: Dice, samples: readonly Uint8Array[]) => Uint8Array;

/** The mutant of one run: a sample with one to four mutations. */
export function mutate(samples: readonly Uint8Array[], seed: number, run: number): Mutant {
  const dice = new Dice(seed, run);
  const which = dice.below(samples.length);
  let bytes: Uint8Array = samples[which].slice();
  const story = [`sample ${which}`];
  const times = 1 + dice.low(4);
  for (let i = 0; i < times; i++) {
    const name = dice.pick(NAMES);
    bytes = MUTATIONS[name](bytes, dice, samples);
    story.push(name);
  }
  return { bytes, story: story.join(', ') };
}

/** Cuts at the structural places of a file: its first and last bytes, line starts, multiples of 50 bytes. */
export function truncations(sample: Uint8Array, most: number): number[] {
  const places = new Set<number>();
  for (let i = 0; i < Math.min(160, sample.length); i++) places.add(i);
  for (let i = Math.max(0, sample.length - 96); i < sample.length; i++) places.add(i);
  for (let i = 84; i < sample.length; i += 50) places.add(i);
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0x0a) places.add(i).add(i + 1);
  const all = [...places].sort((a, b) => a - b);
  const stride = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, i) => i % stride === 0 || i < 90);
}

const NUMBERS = [
  'nan -nan NaN inf -inf Infinity -1 0 -0 1 2 255 256 65535 65536 2147483647 2147483648 -2147483648 4294967295',
  '4294967296 4e9 4000000000 1e309 -1e308 1e308 1e-320 99999999999999999999 0x10 1e 1.2.3 -- 1/2 1,5 1e5 0.5 -7',
]
  .join(' ')
  .split(' ')
  .concat(['', '9'.repeat(400), '1'.repeat(30)]);
const WORDS = [0xffffffff, 4_000_000_000, 0x7fffffff, 0x80000000, 0, 1, 2, 0x7f800000, 0x7fc00000, 0xff800000, 0xffff];
const BYTES = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x0d, 0x20, 0x22, 0x23, 0x2d, 0x2f, 0x30, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d];

const MUTATIONS = {
  bitFlips: (bytes, dice) => {
    for (let n = 1 + dice.low(16); n > 0 && bytes.length > 0; n--)
      bytes[dice.below(bytes.length)] ^= 1 << dice.below(8);
    return bytes;
  },
  byteSets: (bytes, dice) => {
    for (let n = 1 + dice.low(8); n > 0 && bytes.length > 0; n--)
      bytes[dice.below(bytes.length)] = dice.below(2) ? dice.pick(BYTES) : dice.below(256);
    return bytes;
  },
  headBytes: (bytes, dice) => {
    for (let n = 1 + dice.low(4); n > 0 && bytes.length > 0; n--)
      bytes[dice.low(Math.min(512, bytes.length))] = dice.below(2) ? dice.pick(BYTES) : dice.below(256);
    return bytes;
  },
  word32: (bytes, dice) => {
    if (bytes.length < 4) return bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let n = 1 + dice.low(4); n > 0; n--) {
      const at = dice.below(2) ? dice.below(bytes.length - 3) : dice.low(Math.min(bytes.length - 3, 400));
      view.setUint32(at, dice.pick(WORDS), dice.below(2) === 0);
    }
    return bytes;
  },
  truncate: (bytes, dice) => bytes.slice(0, dice.below(bytes.length + 1)),
  dropStart: (bytes, dice) => bytes.slice(dice.low(Math.min(bytes.length + 1, 300))),
  deleteBlock: (bytes, dice) => {
    const { start, end } = block(bytes, dice);
    return concat(bytes.subarray(0, start), bytes.subarray(end));
  },
  duplicateBlock: (bytes, dice) => {
    const { start, end } = block(bytes, dice);
    const times = 1 + dice.low(6);
    const copies = Array.from({ length: times }, () => bytes.subarray(start, end));
    return concat(bytes.subarray(0, end), ...copies, bytes.subarray(end));
  },
  moveBlock: (bytes, dice) => {
    const { start, end } = block(bytes, dice);
    const rest = concat(bytes.subarray(0, start), bytes.subarray(end));
    const at = dice.below(rest.length + 1);
    return concat(rest.subarray(0, at), bytes.subarray(start, end), rest.subarray(at));
  },
  splice: (bytes, dice, samples) => {
    const other = dice.pick(samples);
    const { start, end } = block(other, dice);
    const at = dice.below(bytes.length + 1);
    const skip = dice.below(2) ? end - start : 0; // over what was there, or between
    return concat(bytes.subarray(0, at), other.subarray(start, end), bytes.subarray(Math.min(bytes.length, at + skip)));
  },
  numbers: (bytes, dice) => {
    for (let n = 1 + dice.low(4); n > 0; n--) {
      const token = tokenNear(bytes, dice.below(bytes.length + 1), isNumberByte);
      if (token) bytes = concat(bytes.subarray(0, token.start), ascii(dice.pick(NUMBERS)), bytes.subarray(token.end));
    }
    return bytes;
  },
  headNumbers: (bytes, dice) => {
    const token = tokenNear(bytes, dice.low(Math.min(600, bytes.length + 1)), isNumberByte);
    if (!token) return bytes;
    return concat(bytes.subarray(0, token.start), ascii(dice.pick(NUMBERS)), bytes.subarray(token.end));
  },
  swapWords: (bytes, dice) => {
    const a = tokenNear(bytes, dice.below(bytes.length + 1), isWordByte);
    const b = tokenNear(bytes, dice.below(bytes.length + 1), isWordByte);
    if (!a || !b || a.end > b.start) return bytes;
    const [first, second] = [bytes.subarray(a.start, a.end), bytes.subarray(b.start, b.end)];
    return concat(bytes.subarray(0, a.start), second, bytes.subarray(a.end, b.start), first, bytes.subarray(b.end));
  },
  deleteWord: (bytes, dice) => {
    const word = tokenNear(bytes, dice.below(bytes.length + 1), isWordByte);
    return word ? concat(bytes.subarray(0, word.start), bytes.subarray(word.end)) : bytes;
  },
  lineShuffle: (bytes, dice) => {
    const lines = splitLines(bytes);
    for (let n = 1 + dice.low(12); n > 0; n--) {
      const [i, j] = [dice.below(lines.length), dice.below(lines.length)];
      [lines[i], lines[j]] = [lines[j], lines[i]];
    }
    return concat(...lines);
  },
  lineDrop: (bytes, dice) => {
    const lines = splitLines(bytes);
    lines.splice(dice.below(lines.length), 1 + dice.low(3));
    return concat(...lines);
  },
  longRun: (bytes, dice) => {
    const at = dice.below(bytes.length + 1);
    const run = new Uint8Array(dice.pick([300, 5000, 100_000])).fill(dice.pick(BYTES));
    return concat(bytes.subarray(0, at), run, bytes.subarray(at));
  },
  lineEnds: (bytes, dice) => {
    const to = dice.pick([[0x0d], [0x0d, 0x0a], [0x20], [0x5c, 0x0a]]);
    return Uint8Array.from(Array.from(bytes).flatMap((b) => (b === 0x0a ? to : [b])));
  },
} satisfies Record<string, Mutation>;
const NAMES = Object.keys(MUTATIONS) as (keyof typeof MUTATIONS)[];

/** A block, more often small than large; half of them aligned to lines. */
function block(bytes: Uint8Array, dice: Dice): { start: number; end: number } {
  let start = dice.below(bytes.length + 1);
  let end = Math.min(bytes.length, start + dice.low(dice.pick([8, 64, 1024, bytes.length + 1])));
  if (dice.below(2)) {
    const lineStart = bytes.lastIndexOf(0x0a, start) + 1;
    const lineEnd = bytes.indexOf(0x0a, end);
    if (lineEnd >= 0 && lineEnd - lineStart < 100_000) [start, end] = [lineStart, lineEnd + 1];
  }
  return { start, end };
}

function tokenNear(
  bytes: Uint8Array,
  at: number,
  belongs: (byte: number) => boolean,
): { start: number; end: number } | undefined {
  let start = at;
  const last = Math.min(bytes.length, at + 4096);
  while (start < last && !belongs(bytes[start])) start++;
  if (start >= last) return undefined;
  let end = start;
  while (start > 0 && belongs(bytes[start - 1])) start--;
  while (end < bytes.length && belongs(bytes[end])) end++;
  return { start, end };
}

const isNumberByte = (b: number): boolean => (b >= 0x30 && b <= 0x39) || b === 0x2e || b === 0x2d;
const isWordByte = (b: number): boolean => b > 0x20 && b < 0x7f;

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end + 1));
    start = end < 0 ? bytes.length : end + 1;
  }
  return lines.length > 0 ? lines : [bytes];
}

function concat(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((n, piece) => n + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
