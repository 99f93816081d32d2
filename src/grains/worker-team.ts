/**
 * Workers that do the shares of kernels: one instance of the module each, on one shared memory, each with its own pointer table. The caller is thread 0 and does its share too.
 * How workers are started is another matter in Node (src/node/kernel-workers.ts) than in a page (page-workers.ts).
 *
 * A phase begins when the caller raises a count and ends when all workers have counted themselves done. Whoever waits looks for a while, then sleeps. A sleeper needs tens of µs to be
 * up again, as long as a phase of a few thousand grains takes, so looks go on for about that long; but spinning threads count as work and collapse where there are more of them than
 * cores: each wait that ended asleep halves the next, down to a few µs, and one in so many tries the long one again. The main thread of a page may not sleep, and looks on.
 */
import { ModelError } from '../errors.js';
import { moduleBytes } from '../kernels/wasm-bytes.js';
import type { SharedOut, Team } from './team.js';

/** What the module exports for a phase; phases of spheres have short names */
const ENTRIES: Readonly<Record<string, string>> = {
  bounds: 'grainBounds',
  rows: 'grainRows',
  move: 'grainMove',
  forces: 'grainForces',
  movePolyhedra: 'movePolyhedra',
  pressPolyhedra: 'pressPolyhedra',
};
const PHASES = Object.keys(ENTRIES);

/** Places in the flags that caller and workers share */
const BEGUN = 0;
const PHASE = 1;
const DONE = 2;
const STOP = 3;
const FAILED = 4;
/** Looks of a wait, of 7 ns each, at most and at least; and every how many waits the most are tried again */
const MOST_LOOKS = 4000;
const LEAST_LOOKS = 400;
const AGAIN = 64;

/** What a worker is told at its start */
export interface WorkerTask {
  readonly bytes: Uint8Array;
  readonly memory: WebAssembly.Memory;
  /** Address of its pointer table */
  readonly table: number;
  readonly thread: number;
  readonly flags: Int32Array;
  readonly entries: readonly string[];
  /** Workers there are */
  readonly others: number;
}

/** What a worker does with its task until it is stopped. Plain JavaScript, for a worker starts from text as from a file, wherever the package lies. */
export const WORK = `
function work({ bytes, memory, table, thread, flags, entries, others }) {
  const kernels = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
  kernels.setTable(table);
  let looks = ${MOST_LOOKS};
  for (let seen = 0, turn = 1; ; turn++) {
    if (turn % ${AGAIN} === 0) looks = ${MOST_LOOKS};
    for (let look = 0; look < looks && Atomics.load(flags, ${BEGUN}) === seen; look++);
    looks = Atomics.load(flags, ${BEGUN}) === seen ? Math.max(${LEAST_LOOKS}, looks >> 1) : ${MOST_LOOKS};
    while (Atomics.load(flags, ${BEGUN}) === seen) Atomics.wait(flags, ${BEGUN}, seen);
    seen = Atomics.load(flags, ${BEGUN});
    if (Atomics.load(flags, ${STOP}) === 1) break;
    try {
      kernels[entries[Atomics.load(flags, ${PHASE})]](thread);
    } catch {
      Atomics.store(flags, ${FAILED}, 1);
    }
    if (Atomics.add(flags, ${DONE}, 1) + 1 === others) Atomics.notify(flags, ${DONE});
  }
}
`;

export abstract class WorkerTeam implements Team {
  readonly threads: number;
  readonly shared = true;
  private readonly flags = new Int32Array(new SharedArrayBuffer(64));
  private kernels: SharedOut | undefined;
  /** Workers at work */
  private others = 0;
  /** Of the next wait, and how many waits there were */
  private looks = MOST_LOOKS;
  private turn = 0;

  /**
   * @param threads the caller included
   * @param maySleep whether the caller may wait without looking on
   */
  constructor(
    threads: number,
    private readonly maySleep: boolean,
  ) {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= 256))
      throw new ModelError('threads', `expected a whole number from 1 to 256, got ${threads}`);
    this.threads = threads;
  }

  /** Sets one worker to each task. */
  protected abstract start(tasks: readonly WorkerTask[]): void;
  /** They have been stopped. */
  protected abstract leave(): void;

  join(kernels: SharedOut, memory: WebAssembly.Memory | undefined): void {
    this.kernels = kernels;
    // Without WebAssembly the caller does all shares itself
    if (!memory || kernels.tables.length === 0) return;
    const bytes = moduleBytes(true);
    const { threads, flags } = this;
    const entries = PHASES.map((phase) => ENTRIES[phase]);
    this.others = threads - 1;
    this.start(
      Array.from({ length: threads - 1 }, (_, k) => ({
        bytes,
        memory,
        table: kernels.tables[k + 1],
        thread: k + 1,
        flags,
        entries,
        others: threads - 1,
      })),
    );
  }

  run(phase: string): void {
    const { flags, kernels, others } = this;
    if (others === 0) {
      for (let thread = 0; thread < this.threads; thread++) kernels!.run(phase, thread);
      return;
    }
    Atomics.store(flags, PHASE, PHASES.indexOf(phase));
    Atomics.store(flags, DONE, 0);
    Atomics.add(flags, BEGUN, 1);
    Atomics.notify(flags, BEGUN);
    kernels!.run(phase, 0);
    if (++this.turn % AGAIN === 0) this.looks = MOST_LOOKS;
    for (let look = 0; (look < this.looks || !this.maySleep) && Atomics.load(flags, DONE) < others; look++);
    this.looks = Atomics.load(flags, DONE) < others ? Math.max(LEAST_LOOKS, this.looks >> 1) : MOST_LOOKS;
    for (let done = Atomics.load(flags, DONE); done < others; done = Atomics.load(flags, DONE))
      Atomics.wait(flags, DONE, done);
    if (Atomics.load(flags, FAILED) === 1) throw new Error(`a worker failed in the phase "${phase}"`);
  }

  close(): void {
    Atomics.store(this.flags, STOP, 1);
    Atomics.add(this.flags, BEGUN, 1);
    Atomics.notify(this.flags, BEGUN);
    this.others = 0;
    this.leave();
  }
}
