/** A value that changes, and those who want to know. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<(value: Value, before: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    const before = this.#value;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value, before);
  }

  /** @returns the way to stop */
  onChange(listener: (value: Value, before: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
