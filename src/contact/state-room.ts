/** Room for the states of contacts at the end of y: runs of reserved states, handed out first come, first served. */
export class StateRoom {
  private used: Uint8Array;

  /**
   * @param first index in y of the first reserved state
   * @param size  length of y
   */
  constructor(
    readonly first: number,
    size: number,
  ) {
    this.used = new Uint8Array(size - first);
  }

  /** Reserved states that nobody has */
  get free(): number {
    let free = 0;
    for (let i = 0; i < this.used.length; i++) if (this.used[i] === 0) free++;
    return free;
  }

  /** Index in y of the first free run of so many states, which are zero from now on; −1: there is none. */
  allocate(count: number, y: Float64Array): number {
    const { used, first } = this;
    if (count === 0) return first;
    let run = 0;
    for (let i = 0; i < used.length; i++) {
      run = used[i] === 0 ? run + 1 : 0;
      if (run < count) continue;
      const start = first + i - count + 1;
      this.take(start, count);
      y.fill(0, start, start + count);
      return start;
    }
    return -1;
  }

  /** Takes a run that is known to be free; its states stay as they are. */
  take(start: number, count: number): void {
    this.used.fill(1, start - this.first, start - this.first + count);
  }

  release(start: number, count: number, y?: Float64Array): void {
    this.used.fill(0, start - this.first, start - this.first + count);
    y?.fill(0, start, start + count);
  }

  /** y has become longer. */
  resize(size: number): void {
    const used = new Uint8Array(size - this.first);
    used.set(this.used);
    this.used = used;
  }
}
