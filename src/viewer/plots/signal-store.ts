/** Signals that were asked for, read once and kept; all over the same instants. */
import type { Playback } from '../playback/playback.js';

export interface LoadedSignal {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly values: Float64Array;
}

export class SignalStore {
  readonly names: readonly string[];
  readonly #loading = new Map<string, Promise<LoadedSignal>>();
  readonly #progress = new Map<string, number>();
  #times: Float64Array;

  /** @param onProgress told when more of a long signal has been read */
  constructor(
    private readonly playback: Playback,
    private readonly onProgress: () => void,
  ) {
    this.names = playback.signals.map(({ name }) => name);
    this.#times = playback.times;
  }

  /** s, of all values */
  get times(): Float64Array {
    return this.#times;
  }

  /** What is asked for from now on is read anew. */
  forget(): void {
    this.#loading.clear();
    this.#times = this.playback.times;
  }

  /** Signals that are being read, with the part that is there */
  get loading(): ReadonlyMap<string, number> {
    return this.#progress;
  }

  load(name: string): Promise<LoadedSignal> {
    const known = this.#loading.get(name);
    if (known) return known;
    this.#progress.set(name, 0);
    const loading = this.#read(name).finally(() => {
      this.#progress.delete(name);
      this.onProgress();
    });
    this.#loading.set(name, loading);
    loading.catch(() => this.#loading.delete(name)); // the next who asks tries again
    return loading;
  }

  async #read(name: string): Promise<LoadedSignal> {
    const signal = await this.playback.signal(name, (part) => {
      this.#progress.set(name, part);
      this.onProgress();
    });
    const { unit, description, times, values } = signal;
    // a film may have fewer rows of signals than instants: then its own rows are the common ones
    if (times.length === this.#times.length) return { name, unit, description, values };
    if (this.#loading.size <= 1) {
      this.#times = times;
      return { name, unit, description, values };
    }
    const at = (time: number): number =>
      time < times[0] || time > times[times.length - 1] ? Number.NaN : signal.valueAt(time);
    return { name, unit, description, values: this.#times.map(at) };
  }
}
