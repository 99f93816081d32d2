/**
 * Threads for grains in Node: workers that share the memory of the bed and do their range of every phase. The caller does the first range itself and waits for
 * the others: it spins briefly, then sleeps. The answer is the same to the bit for any number of them.
 *
 * @example const recording = simulate(hopper(), { team: new GrainWorkers(2) });
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ModelError } from '../errors.js';
import type { Team } from '../grains/team.js';
import { GRAIN_PHASES, type GrainKernels, type GrainPhase } from '../kernels/index.js';
import { moduleBytes } from '../kernels/wasm-bytes.js';

/** control: 0 number of the round, 1 phase or −1 for the end, 2 workers that are done */
const ROUND = 0;
const PHASE = 1;
const DONE = 2;
const SPINS = 200;

/** The whole program of a worker: it needs the kernels and nothing else. */
const PROGRAM = `
const { bytes, memory, control, table, thread, workers } = require('node:worker_threads').workerData;
const flags = new Int32Array(control);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
exports.setTable(table);
const phases = [exports.grainBounds, exports.grainRows, exports.grainMove, exports.grainForces];
let round = 0;
for (;;) {
  for (let spin = 0; Atomics.load(flags, 0) === round; spin++) if (spin > ${SPINS}) Atomics.wait(flags, 0, round, 1000);
  round++;
  const phase = Atomics.load(flags, 1);
  if (phase < 0) break;
  phases[phase](thread);
  if (Atomics.add(flags, 2, 1) + 1 === workers) Atomics.notify(flags, 2);
}
`;

export class GrainWorkers implements Team {
  readonly threads: number;
  readonly shared = true;
  private kernels: GrainKernels | undefined;
  private readonly flags = new Int32Array(new SharedArrayBuffer(12));
  private workers: Worker[] = [];

  /** @param threads all cores unless said */
  constructor(threads = availableParallelism()) {
    if (!(threads >= 1 && threads <= 256 && Number.isInteger(threads)))
      throw new ModelError('threads', `expected a whole number from 1 to 256, got ${threads}`);
    this.threads = threads;
  }

  join(kernels: GrainKernels, memory: WebAssembly.Memory | undefined): void {
    this.kernels = kernels;
    if (kernels.kind !== 'wasm') return; // the TypeScript kernels do all ranges here
    const bytes = moduleBytes(true);
    for (let thread = 1; thread < this.threads; thread++) {
      const worker = new Worker(PROGRAM, {
        eval: true,
        workerData: {
          bytes,
          memory,
          control: this.flags.buffer,
          table: kernels.tables[thread],
          thread,
          workers: this.threads - 1,
        },
      });
      worker.unref();
      this.workers.push(worker);
    }
  }

  run(phase: GrainPhase): void {
    const { flags, kernels, workers } = this;
    if (workers.length === 0) {
      for (let thread = 0; thread < this.threads; thread++) kernels!.run(phase, thread);
      return;
    }
    Atomics.store(flags, PHASE, GRAIN_PHASES.indexOf(phase));
    Atomics.store(flags, DONE, 0);
    Atomics.add(flags, ROUND, 1);
    Atomics.notify(flags, ROUND);
    kernels!.run(phase, 0);
    for (let spin = 0; ; spin++) {
      const done = Atomics.load(flags, DONE);
      if (done === workers.length) return;
      if (spin > SPINS) Atomics.wait(flags, DONE, done, 1000);
    }
  }

  close(): void {
    if (this.workers.length === 0) return;
    Atomics.store(this.flags, PHASE, -1);
    Atomics.add(this.flags, ROUND, 1);
    Atomics.notify(this.flags, ROUND);
    this.workers = [];
  }
}
