/**
 * Web workers that do the shares of kernels (worker-team.ts), for pages and for workers of pages.
 *
 * Memory is shared only where the server says so (`Cross-Origin-Opener-Policy: same-origin`, `Cross-Origin-Embedder-Policy: require-corp`); without these headers, and where a page's policy
 * forbids workers, one thread does all. Same bits from all.
 *
 *   const recording = simulate(model, { team: await pageWorkers() });
 *
 * A worker begins, and what it is told waits, until its page comes to rest. So they are started before the run and asked whether they are there: one that has answered takes its task at once.
 * A team serves one run.
 */
import { SerialTeam, type Team } from './team.js';
import { WORK, type WorkerTask, WorkerTeam } from './worker-team.js';

const PROGRAM = `${WORK} onmessage = ({ data }) => (data === 'there?' ? postMessage('there') : work(data));`;

/** @param threads the caller included; as many as there are processors unless given */
export async function pageWorkers(threads = globalThis.navigator?.hardwareConcurrency ?? 1): Promise<Team> {
  if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer !== 'function' || typeof Worker !== 'function')
    return new SerialTeam();
  const address = URL.createObjectURL(new Blob([PROGRAM], { type: 'text/javascript' }));
  const workers: Worker[] = [];
  try {
    for (let k = 1; k < threads; k++) workers.push(new Worker(address));
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            worker.onmessage = () => resolve();
            worker.onerror = reject;
            worker.postMessage('there?');
          }),
      ),
    );
    return new PageWorkers(threads, workers);
  } catch {
    for (const worker of workers) worker.terminate();
    return new SerialTeam();
  } finally {
    URL.revokeObjectURL(address);
  }
}

class PageWorkers extends WorkerTeam {
  constructor(
    threads: number,
    private readonly workers: readonly Worker[],
  ) {
    super(threads, typeof window === 'undefined');
  }

  protected start(tasks: readonly WorkerTask[]): void {
    tasks.forEach((task, k) => {
      this.workers[k].postMessage(task);
    });
  }

  protected leave(): void {
    for (const worker of this.workers) worker.terminate();
  }
}
