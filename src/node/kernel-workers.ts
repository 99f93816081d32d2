/** Worker threads of Node that do the shares of kernels (grains/worker-team.ts). */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { WORK, type WorkerTask, WorkerTeam } from '../grains/worker-team.js';

const PROGRAM = `${WORK} work(require('node:worker_threads').workerData);`;

export class KernelWorkers extends WorkerTeam {
  /** @param threads the caller included; as many as there are processors unless given */
  constructor(threads = availableParallelism()) {
    super(threads, true);
  }

  protected start(tasks: readonly WorkerTask[]): void {
    for (const workerData of tasks) new Worker(PROGRAM, { eval: true, workerData }).unref(); // a program may end without saying close
  }

  protected leave(): void {}
}
