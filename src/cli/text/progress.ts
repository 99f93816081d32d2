/** How far a run is: a bar on a terminal; where there is none a line every minute, the first as soon as something has held it up for seconds. */
import { performance } from 'node:perf_hooks';
import { count, number } from './format.js';

const WIDTH = 28;
/** ms between two drawings of the bar, and between two lines */
const REDRAWN = 100;
const LINE = 60_000;
/** ms after which a run without a terminal is first asked whether something holds it up, and between two such questions */
const FIRST = 5000;
/** ms after which a terminal is told what is made */
const SOON = 500;
const ASKED = 1000;

export interface Stand {
  /** How far, in the unit of the end */
  readonly at: number;
  readonly done: number;
  /** What is counted in `done`, e.g. steps */
  readonly what: string;
  /** The end is a time in s: how the run compares with the clock is worth telling. */
  readonly simulated?: boolean;
  /** What holds it up */
  readonly holdUp?: string | undefined;
}

export class Progress {
  readonly #end: number;
  readonly #terminal: boolean;
  readonly #quiet: boolean;
  readonly #started = performance.now();
  /** ms: nothing is drawn, told or asked before */
  #next: number;

  constructor(end: number, quiet: boolean) {
    this.#end = end;
    this.#quiet = quiet;
    this.#terminal = process.stderr.isTTY === true;
    this.#next = this.#started + (this.#terminal ? 0 : FIRST);
  }

  /** Asked often, told seldom: `stand` is called when there is something to show, with the s since the start. */
  show(stand: (elapsed: number) => Stand): void {
    const now = performance.now();
    if (this.#quiet || now < this.#next) return;
    const elapsed = (now - this.#started) / 1000;
    const told = stand(elapsed);
    const early = !this.#terminal && told.holdUp === undefined && now - this.#started < LINE;
    this.#next = now + (this.#terminal ? REDRAWN : early ? ASKED : LINE);
    if (early) return;
    const text = progressText(told, this.#end, elapsed);
    const part = Math.min(1, told.at / this.#end);
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
    process.stderr.write(this.#terminal ? `\r${bar} ${text}\x1b[K` : `${text}\n`);
  }

  done(): void {
    if (this.#terminal && !this.#quiet) process.stderr.write('\r\x1b[K');
  }
}

/** What is made before a run begins: one line, written again, on a terminal; where there is none a line after seconds, then every minute. */
export class Preparation {
  readonly #terminal = process.stderr.isTTY === true;
  #next = performance.now() + (this.#terminal ? SOON : FIRST);
  #written = false;

  show(what: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + (this.#terminal ? REDRAWN : LINE);
    this.#written = true;
    process.stderr.write(this.#terminal ? `\r${what}\x1b[K` : `${what}\n`);
  }

  /** The line is gone when it is made, or has failed. */
  during<Made>(make: () => Made): Made {
    try {
      return make();
    } finally {
      this.over();
    }
  }

  /** Takes the line away, where something else is written */
  over(): void {
    if (this.#terminal && this.#written) process.stderr.write('\r\x1b[K');
    this.#written = false;
  }
}

/** `12.3 %  t = 0.123 s, 4 567 steps, 0.02 of real time, 3 min 5 s left; pawl–ring holds the step at 1e-6 s since t = 0.14 s` */
export function progressText({ at, done, what, simulated, holdUp }: Stand, end: number, elapsed: number): string {
  const part = Math.min(1, at / end);
  const parts = [`${(100 * part).toFixed(1)} %  ${simulated ? `t = ${number(at, 4)} s, ` : ''}${count(done)} ${what}`];
  if (simulated && elapsed > 0 && at > 0)
    parts.push(at >= elapsed ? `${number(at / elapsed, 2)} × real time` : `1/${number(elapsed / at, 2)} of real time`);
  if (part > 0.001) parts.push(`${duration((elapsed * (1 - part)) / part)} left`);
  return `${parts.join(', ')}${holdUp ? `; ${holdUp}` : ''}`;
}

/** 75 s → 1 min 15 s */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}
