/** A progress bar with the time that remains, on a terminal; nothing where there is none. */
import { performance } from 'node:perf_hooks';

const WIDTH = 28;

export class Progress {
  readonly #end: number;
  readonly #shown: boolean;
  readonly #started = performance.now();
  #last = 0;

  constructor(end: number, quiet: boolean) {
    this.#end = end;
    this.#shown = !quiet && process.stderr.isTTY === true;
  }

  /** At most ten times a second. */
  show(time: number, steps: number, what = 'steps'): void {
    const now = performance.now();
    if (!this.#shown || now - this.#last < 100) return;
    this.#last = now;
    const part = Math.min(1, time / this.#end);
    const elapsed = (now - this.#started) / 1000;
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
    const left = part > 0.001 ? `, ${duration((elapsed * (1 - part)) / part)} left` : '';
    process.stderr.write(
      `\r${bar} ${(100 * part).toFixed(1)} %  t = ${time.toPrecision(4)} s, ${steps} ${what}${left}\x1b[K`,
    );
  }

  done(): void {
    if (this.#shown) process.stderr.write('\r\x1b[K');
  }
}

/** 75 s → 1 min 15 s */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
