/**
 * Numbers one after another, written and read back by the same code in the same order: what a run remembers, so that it can be gone on with. Each part that remembers has one
 * function `remember(tape)` for both directions, so that what is written and what is read cannot differ.
 */
export class Tape {
  private readonly written: number[] = [];
  private at = 0;

  /** @param given to be read; a tape to write on unless given */
  constructor(private readonly given?: Float64Array) {}

  get reading(): boolean {
    return this.given !== undefined;
  }

  /** Writes a number and gives it back, or gives the next that was written. */
  number(value: number): number {
    if (!this.given) {
      this.written.push(value);
      return value;
    }
    if (this.at >= this.given.length) throw new RangeError('fewer numbers were kept than this model remembers');
    return this.given[this.at++];
  }

  flag(value: boolean): boolean {
    return this.number(value ? 1 : 0) !== 0;
  }

  /** Writes the entries of an array, or sets them. Its length is the reader's to know. */
  array(values: Float64Array | Int32Array | Uint8Array): void {
    for (let i = 0; i < values.length; i++) values[i] = this.number(values[i]);
  }

  /** An array whose length is written with it */
  numbers(values: Float64Array): Float64Array {
    const length = this.number(values.length);
    const out = this.reading ? new Float64Array(length) : values;
    this.array(out);
    return out;
  }

  /** All fields of an object that are numbers, flags or arrays of numbers, in the order in which its class declares them */
  fields(object: object): void {
    const record = object as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (typeof value === 'number') record[key] = this.number(value);
      else if (typeof value === 'boolean') record[key] = this.flag(value);
      else if (value instanceof Float64Array) this.array(value);
    }
  }

  /** Plain data of any shape: numbers, texts, flags, lists, records, arrays of numbers. @throws TypeError for what is more than data */
  plain(value: unknown): unknown {
    const kind = this.number(this.reading ? 0 : kindOf(value));
    if (kind === NUMBER) return this.number(value as number);
    if (kind === TEXT) {
      const codes = Float64Array.from(this.reading ? '' : [...(value as string)], (letter) => letter.codePointAt(0)!);
      return String.fromCodePoint(...this.numbers(codes));
    }
    if (kind === LIST) {
      const list = (value ?? []) as readonly unknown[];
      return Array.from({ length: this.number(list.length) }, (_, i) => this.plain(list[i]));
    }
    if (kind === RECORD) return Object.fromEntries(this.plain(Object.entries(value ?? {})) as [string, unknown][]);
    if (kind < CONSTANTS.length) return CONSTANTS[kind];
    const Kind = ARRAYS[kind - TYPED];
    const values = this.numbers(Float64Array.from((value ?? []) as Float64Array));
    return this.reading ? Kind.from(values) : value;
  }

  /** What was written */
  get values(): Float64Array {
    return Float64Array.from(this.written);
  }

  /** Everything that was given has been read. */
  get ended(): boolean {
    return this.at === (this.given?.length ?? 0);
  }
}

const CONSTANTS = [undefined, null, false, true] as const;
const [NUMBER, TEXT, LIST, RECORD, TYPED] = [4, 5, 6, 7, 8];
const ARRAYS = [Float64Array, Float32Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Int8Array, Uint8Array];

function kindOf(value: unknown): number {
  const constant = CONSTANTS.indexOf(value as undefined);
  if (constant >= 0) return constant;
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'string') return TEXT;
  if (Array.isArray(value)) return LIST;
  const typed = ARRAYS.findIndex((Kind) => value instanceof Kind);
  if (typed >= 0) return TYPED + typed;
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) return RECORD;
  throw new TypeError(`expected plain data (numbers, texts, lists, records, typed arrays), got ${typeof value}`);
}
