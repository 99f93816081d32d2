/**
 * Rows of numbers over time that grow without being copied: what a run records, one row per instant.
 *
 * A table holds blocks of rows; a new block is as long as all rows so far, up to about 1 MiB, so a short run takes little
 * memory and a long one never moves what it has. Rows stay together (values[row · width + column]): that is how they
 * come, how they go to a file, and what a picture of one instant needs. A column is gathered when someone asks for it.
 *
 * Two rows may have the same time: before and after an event.
 */
import { ModelError } from '../errors.js';
import { Hash } from '../math/hash.js';

interface Block {
  readonly start: number; // the table's row that is row 0 here
  readonly capacity: number; // rows
  readonly times: Float64Array; // one per row, s
  readonly values: Float64Array; // width per row
}

/** Rows that lie together in memory: `times[i]` belongs to `values[i · width …]`. Valid until the table grows. */
export interface Run {
  readonly start: number;
  readonly count: number;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

const FIRST_ROWS = 16;
const BLOCK_NUMBERS = 131_072; // 1 MiB of doubles

export class SampleTable {
  /** Numbers in a row, the time not counted. */
  readonly width: number;
  #rows = 0;
  #last = Number.NEGATIVE_INFINITY;
  readonly #blocks: Block[] = [];
  #hash = new Hash();
  #times: Float64Array | undefined;
  readonly #columns = new Map<number, Float64Array>();

  constructor(width: number) {
    if (!(width >= 1)) throw new ModelError('recording.signals', `expected at least one signal, got ${width}`);
    this.width = width;
  }

  get rows(): number {
    return this.#rows;
  }

  /** The time of the last row, s; −∞ before the first. */
  get lastTime(): number {
    return this.#last;
  }

  /** Fingerprint of all numbers in the order they came: of each row the time, then its values. */
  get hash(): string {
    return this.#hash.hex();
  }

  /**
   * Copies one row into the table.
   *
   * @param time s, not before that of the last row
   * @param values as many as the table is wide
   */
  append(time: number, values: ArrayLike<number>): void {
    if (!(time >= this.#last) || time === Number.POSITIVE_INFINITY)
      throw new ModelError('recording.append', `expected a time ≥ ${this.#last} s, got ${time}`);
    const { width } = this;
    if (values.length !== width)
      throw new ModelError('recording.append', `expected ${width} values at t = ${time} s, got ${values.length}`);
    let block = this.#blocks[this.#blocks.length - 1];
    if (block === undefined || this.#rows === block.start + block.capacity) block = this.#addBlock();
    const row = this.#rows - block.start;
    block.times[row] = time;
    const start = row * width;
    for (let i = 0; i < width; i++) block.values[start + i] = values[i];
    this.#hash.number(time).numbers(values);
    this.#last = time;
    this.#rows++;
  }

  /** @returns the way back: what is appended from now on is forgotten by it */
  keepPlace(): () => void {
    const [rows, last, hash] = [this.#rows, this.#last, this.#hash.copy()];
    return () => {
      this.#rows = rows;
      this.#last = last;
      this.#hash = hash.copy();
      while ((this.#blocks.at(-1)?.start ?? -1) >= rows) this.#blocks.pop();
      this.#times = undefined;
      this.#columns.clear();
    };
  }

  #addBlock(): Block {
    const most = Math.max(1, Math.floor(BLOCK_NUMBERS / this.width));
    const capacity = Math.min(most, Math.max(FIRST_ROWS, this.#rows));
    const times = new Float64Array(capacity);
    const block = { start: this.#rows, capacity, times, values: new Float64Array(capacity * this.width) };
    this.#blocks.push(block);
    return block;
  }

  /** The rows from..to − 1 as runs that lie together in memory. */
  *runs(from = 0, to = this.#rows): Generator<Run> {
    const { width } = this;
    for (const { start, capacity, times, values } of this.#blocks) {
      const first = Math.max(0, from - start);
      const end = Math.min(capacity, to - start);
      if (end <= first) continue;
      yield {
        start: start + first,
        count: end - first,
        times: times.subarray(first, end),
        values: values.subarray(first * width, end * width),
      };
    }
  }

  /** All times, s. Not to be written to. */
  get times(): Float64Array {
    if (this.#times?.length === this.#rows) return this.#times;
    const all = new Float64Array(this.#rows);
    for (const { start, times } of this.runs()) all.set(times, start);
    this.#times = all;
    return all;
  }

  /** All values of a column, gathered once and kept until the table grows. Not to be written to. */
  column(index: number): Float64Array {
    const kept = this.#columns.get(index);
    if (kept?.length === this.#rows) return kept;
    const { width } = this;
    const all = new Float64Array(this.#rows);
    for (const { start, count, values } of this.runs())
      for (let i = 0; i < count; i++) all[start + i] = values[i * width + index];
    this.#columns.set(index, all);
    return all;
  }

  /** The values of one row; a view, not to be written to. */
  row(index: number): Float64Array {
    for (const { values } of this.runs(index, index + 1)) return values;
    throw new ModelError('recording.row', `expected a row from 0 to ${this.#rows - 1}, got ${index}`);
  }
}
