/**
 * Worker threads that do the shares of kernels: one instance of the module each, on one shared memory, each with its own pointer table. The caller is thread 0
 * and does its share too.
 *
 * A phase begins when the caller raises a count and ends when all workers have counted themselves done. Whoever waits looks a few hundred times, then sleeps: spinning threads count
 * as work and collapse where there are more of them than cores.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ModelError } from '../errors.js';
import type { SharedOut, Team } from '../grains/team.js';
import { moduleBytes } from '../kernels/wasm-bytes.js';

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
const LOOKS = 400;

/** Plain JavaScript, for a worker starts from text as from a file, wherever the package lies. */
const PROGRAM = `
const { workerData } = require('node:worker_threads');
const { bytes, memory, table, thread, flags, entries, others } = workerData;
const kernels = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
kernels.setTable(table);
for (let seen = 0; ; ) {
  for (let look = 0; look < ${LOOKS} && Atomics.load(flags, ${BEGUN}) === seen; look++);
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
`;

export class KernelWorkers implements Team {
  readonly threads: number;
  readonly shared = true;
  private readonly flags = new Int32Array(new SharedArrayBuffer(64));
  private workers: Worker[] = [];
  private kernels: SharedOut | undefined;

  /** @param threads the caller included; as many as there are processors unless given */
  constructor(threads = availableParallelism()) {
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= 256))
      throw new ModelError('threads', `expected a whole number from 1 to 256, got ${threads}`);
    this.threads = threads;
  }

  join(kernels: SharedOut, memory: WebAssembly.Memory | undefined): void {
    this.kernels = kernels;
    // Without WebAssembly the caller does all shares itself
    if (!memory || kernels.tables.length === 0) return;
    const bytes = moduleBytes(true);
    const entries = PHASES.map((phase) => ENTRIES[phase]);
    for (let thread = 1; thread < this.threads; thread++) {
      const worker = new Worker(PROGRAM, {
        eval: true,
        workerData: {
          bytes,
          memory,
          table: kernels.tables[thread],
          thread,
          flags: this.flags,
          entries,
          others: this.threads - 1,
        },
      });
      worker.unref(); // a program may end without saying close
      this.workers.push(worker);
    }
  }

  run(phase: string): void {
    const { flags, kernels, workers } = this;
    if (workers.length === 0) {
      for (let thread = 0; thread < this.threads; thread++) kernels!.run(phase, thread);
      return;
    }
    Atomics.store(flags, PHASE, PHASES.indexOf(phase));
    Atomics.store(flags, DONE, 0);
    Atomics.add(flags, BEGUN, 1);
    Atomics.notify(flags, BEGUN);
    kernels!.run(phase, 0);
    for (let look = 0; look < LOOKS && Atomics.load(flags, DONE) < workers.length; look++);
    for (let done = Atomics.load(flags, DONE); done < workers.length; done = Atomics.load(flags, DONE))
      Atomics.wait(flags, DONE, done);
    if (Atomics.load(flags, FAILED) === 1) throw new Error(`a worker failed in the phase "${phase}"`);
  }

  close(): void {
    Atomics.store(this.flags, STOP, 1);
    Atomics.add(this.flags, BEGUN, 1);
    Atomics.notify(this.flags, BEGUN);
    this.workers = [];
  }
}
