/** Typed arrays that grow while a file is read, doubling each time, so memory follows what has really come. */

export class GrowingFloat64 {
  /** Filled up to `length`; replaced when it grows. */
  values: Float64Array;
  length = 0;

  constructor(capacity = 48) {
    this.values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(1);
    this.values[this.length++] = value;
  }

  push3(x: number, y: number, z: number): void {
    if (this.length + 3 > this.values.length) this.#grow(3);
    const { values, length } = this;
    values[length] = x;
    values[length + 1] = y;
    values[length + 2] = z;
    this.length = length + 3;
  }

  /** An array of just the right length. */
  toArray(): Float64Array<ArrayBuffer> {
    return this.values.slice(0, this.length) as Float64Array<ArrayBuffer>;
  }

  #grow(more: number): void {
    const grown = new Float64Array(Math.max(this.length + more, 2 * this.length));
    grown.set(this.values);
    this.values = grown;
  }
}

export class GrowingUint32 {
  /** Filled up to `length`; replaced when it grows. */
  values: Uint32Array;
  length = 0;

  constructor(capacity = 48) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(1);
    this.values[this.length++] = value;
  }

  push3(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length) this.#grow(3);
    const { values, length } = this;
    values[length] = a;
    values[length + 1] = b;
    values[length + 2] = c;
    this.length = length + 3;
  }

  /** An array of just the right length. */
  toArray(): Uint32Array<ArrayBuffer> {
    return this.values.slice(0, this.length) as Uint32Array<ArrayBuffer>;
  }

  #grow(more: number): void {
    const grown = new Uint32Array(Math.max(this.length + more, 2 * this.length));
    grown.set(this.values);
    this.values = grown;
  }
}
