/** Bytes in little-endian order, growing as they come. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  #room(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  u8(...values: readonly number[]): this {
    for (const value of values) {
      const at = this.#room(1); // first, for it may replace the view
      this.#view.setUint8(at, value);
    }
    return this;
  }

  u16(...values: readonly number[]): this {
    for (const value of values) {
      const at = this.#room(2); // first, for it may replace the view
      this.#view.setUint16(at, value, true);
    }
    return this;
  }

  u32(...values: readonly number[]): this {
    for (const value of values) {
      const at = this.#room(4); // first, for it may replace the view
      this.#view.setUint32(at, value, true);
    }
    return this;
  }

  /** Whole numbers up to 2⁵³; −1 stands for all bits set, which HDF5 reads as "undefined" or "unlimited". */
  u64(...values: readonly number[]): this {
    for (const value of values) {
      const at = this.#room(8);
      this.#view.setUint32(at, value < 0 ? 0xffffffff : value % 4294967296, true);
      this.#view.setUint32(at + 4, value < 0 ? 0xffffffff : Math.floor(value / 4294967296), true);
    }
    return this;
  }

  ascii(text: string): this {
    for (let i = 0; i < text.length; i++) this.u8(text.charCodeAt(i));
    return this;
  }

  bytes(values: Uint8Array): this {
    const at = this.#room(values.length);
    this.#bytes.set(values, at);
    return this;
  }

  zeros(count: number): this {
    const at = this.#room(count);
    this.#bytes.fill(0, at, at + count);
    return this;
  }

  /** Zeros up to a multiple of 8. */
  align(): this {
    return this.zeros((8 - (this.length % 8)) % 8);
  }

  /** What was written; a copy. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }
}
