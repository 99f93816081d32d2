/**
 * Gives equal points one index while a file streams by, without first building the list of all corners.
 *
 * Equal means equal numbers, −0 and 0 included: a hash table with open addressing over the bits of the coordinates.
 * Indices count up in order of first appearance, so the result does not depend on the hash. A file made to collide
 * cannot make it slow: a search longer than LONGEST_SEARCH slots starts the table anew with another seed.
 */
import { GrowingFloat64 } from './growing.js';

/** Points in single precision, given by their bits. */
export class Float32Welder {
  /** Points so far. */
  count = 0;
  #bits: Int32Array; // 3 per point
  #table: Int32Array; // index + 1 of a point, 0 where free
  #mask: number;
  #seed = 1;
  #seedsLeft = SEEDS;

  /** @param expected number of points to make room for; more may come */
  constructor(expected: number) {
    const slots = powerOfTwo(2 * expected);
    this.#bits = new Int32Array(3 * Math.max(8, expected));
    this.#table = new Int32Array(slots);
    this.#mask = slots - 1;
  }

  /** The index of the point with these coordinates, which are the bits of three floats. */
  add(xBits: number, yBits: number, zBits: number): number {
    // −0 has only the sign bit set.
    const x = xBits << 1 === 0 ? 0 : xBits;
    const y = yBits << 1 === 0 ? 0 : yBits;
    const z = zBits << 1 === 0 ? 0 : zBits;
    const bits = this.#bits;
    const table = this.#table;
    const mask = this.#mask;
    let slot = hash3(x, y, z, this.#seed) & mask;
    let entry = 0;
    for (let search = 0; (entry = table[slot]) !== 0; search++) {
      const i = 3 * (entry - 1);
      if (bits[i] === x && bits[i + 1] === y && bits[i + 2] === z) return entry - 1;
      slot = (slot + 1) & mask;
      if (search > LONGEST_SEARCH && this.#seedsLeft > 0) {
        this.#seedsLeft--;
        this.#seed = nextSeed(this.#seed, this.count);
        this.#rebuild(table.length);
        return this.add(x, y, z);
      }
    }
    const index = this.count++;
    table[slot] = index + 1;
    if (3 * this.count > bits.length) {
      this.#bits = new Int32Array(2 * bits.length);
      this.#bits.set(bits);
    }
    this.#bits[3 * index] = x;
    this.#bits[3 * index + 1] = y;
    this.#bits[3 * index + 2] = z;
    if (2 * this.count > table.length) this.#rebuild(2 * table.length);
    return index;
  }

  /** The points, 3 numbers each, times `scale`. */
  points(scale: number): Float64Array {
    const singles = new Float32Array(this.#bits.buffer, 0, 3 * this.count);
    const scaled = new Float64Array(singles.length);
    for (let i = 0; i < scaled.length; i++) scaled[i] = singles[i] * scale;
    return scaled;
  }

  #rebuild(slots: number): void {
    const bits = this.#bits;
    const table = new Int32Array(slots);
    const mask = slots - 1;
    for (let i = 0; i < this.count; i++) {
      let slot = hash3(bits[3 * i], bits[3 * i + 1], bits[3 * i + 2], this.#seed) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = i + 1;
    }
    this.#table = table;
    this.#mask = mask;
  }
}

/** Points in double precision. */
export class Float64Welder {
  /** Points so far. */
  count = 0;
  readonly #points = new GrowingFloat64();
  #table = new Int32Array(32);
  #seed = 1;
  #seedsLeft = SEEDS;

  /** The index of the point (x, y, z). */
  add(x: number, y: number, z: number): number {
    const points = this.#points.values;
    const table = this.#table;
    const mask = table.length - 1;
    let slot = hashDoubles(x, y, z, this.#seed) & mask;
    let entry = 0;
    for (let search = 0; (entry = table[slot]) !== 0; search++) {
      const i = 3 * (entry - 1);
      if (points[i] === x && points[i + 1] === y && points[i + 2] === z) return entry - 1;
      slot = (slot + 1) & mask;
      if (search > LONGEST_SEARCH && this.#seedsLeft > 0) {
        this.#seedsLeft--;
        this.#seed = nextSeed(this.#seed, this.count);
        this.#rebuild(table.length);
        return this.add(x, y, z);
      }
    }
    table[slot] = this.count + 1;
    this.#points.push3(x, y, z);
    this.count++;
    if (2 * this.count > table.length) this.#rebuild(2 * table.length);
    return this.count - 1;
  }

  /** The points, 3 numbers each. */
  points(): Float64Array {
    return this.#points.toArray();
  }

  #rebuild(slots: number): void {
    const points = this.#points.values;
    const table = new Int32Array(slots);
    const mask = slots - 1;
    for (let i = 0; i < this.count; i++) {
      let slot = hashDoubles(points[3 * i], points[3 * i + 1], points[3 * i + 2], this.#seed) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = i + 1;
    }
    this.#table = table;
  }
}

/** Mixes three words; the multipliers and shifts are those of MurmurHash3 (Appleby, public domain). */
function hash3(a: number, b: number, c: number, seed: number): number {
  let h = Math.imul(a ^ seed, 0xcc9e2d51);
  h ^= h >>> 15;
  h = Math.imul(h ^ b, 0x1b873593);
  h ^= h >>> 13;
  h = Math.imul(h ^ c, 0x85ebca6b);
  h ^= h >>> 16;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 15);
}

const doubles = new Float64Array(3);
const words = new Int32Array(doubles.buffer);

function hashDoubles(x: number, y: number, z: number, seed: number): number {
  doubles[0] = x + 0; // −0 + 0 is 0
  doubles[1] = y + 0;
  doubles[2] = z + 0;
  return hash3(words[3], words[4], words[5], hash3(words[0], words[1], words[2], seed));
}

const nextSeed = (seed: number, count: number): number => (Math.imul(seed, 0x5bd1e995) + count) | 0;

function powerOfTwo(least: number): number {
  let n = 32;
  while (n < least) n *= 2;
  return n;
}

/** At the load of at most 1/2 that the tables keep, an honest search this long does not happen. */
const LONGEST_SEARCH = 200;
/** Times a table may start anew. */
const SEEDS = 8;
