/** Claims about what studies cost: overhead of ten thousand runs, speed-up on all processors, memory. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MAIN } from '../node/package-root.js';
import { outcomeFrom } from '../studies/outcome-text.js';
import type { Check, Measured } from './check.js';
import { lineCount } from './queue-kills.js';
import { withStudy } from './told-study.js';

/** Runs of about a millisecond */
const short = (runs: number, stop = 0.02) => ({
  model: 'pendulum',
  parameters: { length: { from: 0.5, to: 2 } },
  design: { kind: 'monte-carlo', runs },
  outputs: { end: "final('pivot.angle')" },
  simulation: { stop, interval: stop / 4 },
});

/** What two processes reach that do nothing but add, over one */
async function bareSpeedup(jobs: number): Promise<number> {
  const code = `let x = 0; const t = performance.now(); let n = 0; while (performance.now() - t < 3000) { for (let i = 0; i < 1e5; i++) x += Math.sqrt(i + x % 3); n++; } require('node:worker_threads').parentPort.postMessage(n + 0 * x);`;
  const loops = (count: number): Promise<number[]> =>
    Promise.all(
      Array.from(
        { length: count },
        () => new Promise<number>((done) => new Worker(code, { eval: true }).on('message', done)),
      ),
    );
  const [one] = await loops(1);
  const many = await loops(jobs);
  return many.reduce((sum, n) => sum + n, 0) / one;
}

export const studyCostChecks: readonly Check[] = [
  {
    id: 'STUDY-overhead',
    title: 'Ten thousand short runs: ms beside the simulation itself, a run',
    source: 'at most 0.3',
    limit: 0.3,
    long: true,
    measure: () =>
      withStudy(short(10_000), ({ rows, seconds }, folder): Measured => {
        const jobs = availableParallelism();
        const simulated = readFileSync(join(folder, 'journal.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .reduce((sum, line) => sum + outcomeFrom(line).seconds, 0);
        return { value: (1000 * Math.max(0, seconds - simulated / jobs)) / rows, reference: 0 };
      }),
  },
  {
    id: 'STUDY-speedup',
    title: 'Speed-up on all processors beside that of as many bare loops, missing part',
    source: 'at least 0.95 of it, 1600 runs of some 40 ms',
    limit: 0.05,
    long: true,
    async measure() {
      const jobs = Math.min(2, availableParallelism());
      const study = short(1600, 400); // 40 ms a run, and long enough that starting two processes does not count
      const before = await bareSpeedup(jobs);
      const one = await withStudy(study, ({ seconds }) => seconds, '--jobs', '1');
      const many = await withStudy(study, ({ seconds }) => seconds, '--jobs', String(jobs));
      const bare = (before + (await bareSpeedup(jobs))) / 2;
      return { value: one / many / bare, reference: 1, error: Math.max(0, 1 - one / many / bare) };
    },
  },
  {
    id: 'STUDY-memory',
    title: 'Memory of a study and its processes at 10 000 runs over that at 1 000',
    source: 'at most 1.1',
    limit: 0.1,
    long: true,
    async measure() {
      const folder = mkdtempSync(join(tmpdir(), 'tippetop-claim-'));
      try {
        writeFileSync(join(folder, 'claim.study.json'), JSON.stringify(short(10_500)));
        const child = spawn(
          process.execPath,
          [MAIN, 'study', 'run', 'claim.study.json', '--quiet', '--out', 'results'],
          {
            cwd: folder,
            stdio: 'ignore',
          },
        );
        const lines = (): number => lineCount(join(folder, 'results/journal.jsonl'));
        const at = async (count: number): Promise<number> => {
          while (lines() < count && child.exitCode === null) await pause(20);
          return memoryOf(child.pid!);
        };
        const [early, late] = [await at(1000), await at(10_000)];
        child.kill('SIGTERM');
        return { value: late / early, reference: 1, error: Math.max(0, late / early - 1) };
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  },
];

/** Resident memory of a process and of those it started, kB; Linux tells it */
function memoryOf(pid: number): number {
  const own = (id: number | string): { parent: number; kB: number } | undefined => {
    try {
      const text = readFileSync(`/proc/${id}/status`, 'utf8');
      return { parent: Number(/PPid:\s+(\d+)/.exec(text)?.[1]), kB: Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) };
    } catch {
      return undefined;
    }
  };
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.reduce((sum, id) => {
    const one = own(id);
    return one && (Number(id) === pid || one.parent === pid) ? sum + one.kB : sum;
  }, 0);
}
