/** Claims about studies: the example studies' figures, what ten thousand runs cost, and a queue whose workers are killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { random } from '../math/random.js';
import { MAIN } from '../node/package-root.js';
import type { Analysis } from '../studies/analysis.js';
import { outcomeFrom } from '../studies/outcome-text.js';
import type { Check, Measured } from './check.js';

interface Told {
  readonly rows: number;
  readonly failed: number;
  readonly seconds: number;
  readonly analysis: Analysis;
}

/** Runs a study as a user does, in a folder of its own, and hands on what it told and where */
async function withStudy<T>(
  study: string | object,
  use: (told: Told, folder: string) => T | Promise<T>,
  ...words: string[]
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-claim-'));
  try {
    let name = study;
    if (typeof name === 'object') {
      writeFileSync(join(folder, 'claim.study.json'), JSON.stringify(name));
      name = join(folder, 'claim.study.json');
    }
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [MAIN, 'study', 'run', name, '--json', '--out', join(folder, 'results'), ...words],
      { encoding: 'utf8', maxBuffer: 1e9 },
    );
    if (status !== 0) throw new Error(`the study ended with ${status}: ${stderr.trim().split('\n').at(-1)}`);
    return await use(JSON.parse(stdout) as Told, join(folder, 'results'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const columnOf = (folder: string, name: string): number[] => {
  const [head, ...rows] = readFileSync(join(folder, 'results.csv'), 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const at = head.findIndex((title) => title.replace(/ \[.*/, '') === name);
  return rows.map((row) => Number(row[at]));
};

/** How many of the fitted parameters have the true value outside their 95 % interval */
const outside = ({ fit }: Analysis, truth: Readonly<Record<string, number>>): number =>
  fit!.parameters.filter(({ name, low, high }) => !(truth[name] >= low && truth[name] <= high)).length;

const examples: readonly Check[] = [
  {
    id: 'STUDY-ball',
    title: "A thrown ball's track: friction and restitution within their 95 % intervals",
    source: 'the record was made with 0.72 and 0.14, noise 2 mm',
    limit: 0,
    measure: () =>
      withStudy(
        'thrown-ball',
        ({ analysis }): Measured => ({
          value: outside(analysis, { restitution: 0.72, friction: 0.14 }),
          reference: 0,
        }),
      ),
  },
  {
    id: 'STUDY-watch',
    title: "A watch's rate, amplitude and torque within their 95 % intervals",
    source: 'the record was made with 28800 beats an hour, 280°, 1.3 µN m, noise 0.02 rad',
    limit: 0,
    long: true,
    measure: () =>
      withStudy(
        'escapement-rate',
        ({ analysis }): Measured => ({
          value: outside(analysis, { beats: 28800, amplitude: 280, torque: 1.3e-6 }),
          reference: 0,
        }),
      ),
  },
  {
    id: 'STUDY-tippe-top',
    title: 'Map of the tippe top: level at spin 180, friction 0.3, s',
    source: 'rigid bodies in minimal coordinates: 0.97296 s, as the example tippe-top claims',
    limit: 2e-3,
    long: true,
    measure: () =>
      withStudy('tippe-top-inversion', (_, folder): Measured => {
        const [spin, friction, level] = ['p.spin', 'p.friction', 'out.level'].map((name) => columnOf(folder, name));
        return {
          value: level[spin.findIndex((s, i) => s === 180 && Math.abs(friction[i] - 0.3) < 1e-9)],
          reference: 0.97296,
        };
      }),
  },
  {
    id: 'STUDY-geneva',
    title: 'Geneva clearance against peak force: runs of the Pareto set that another run beats',
    source: 'definition, held against all runs of the table one by one',
    limit: 0,
    long: true,
    measure: () => withStudy('geneva-clearance', (told, folder) => beaten(told, folder, ['-clearance', 'peak'])),
  },
  {
    id: 'STUDY-car',
    title: 'Quarter car, comfort against road holding: runs of the Pareto set that another run beats',
    source: 'definition, held against all runs of the table one by one',
    limit: 0,
    long: true,
    measure: () =>
      withStudy('quarter-car-comfort', (told, folder) =>
        beaten(told, folder, ['acceleration', 'tyre'], { name: 'travel', most: 0.08 }),
      ),
  },
];

/** Both are to be small, or with a minus large; a Pareto set of fewer than five runs is none worth the name */
function beaten(
  { analysis }: Told,
  folder: string,
  goals: readonly string[],
  bound?: { readonly name: string; readonly most: number },
): Measured {
  const [a, b] = goals.map((goal) => {
    const name = goal.replace('-', '');
    return columnOf(folder, `out.${name}`).map((value) => (name === goal ? value : -value));
  });
  const bounded = bound && columnOf(folder, `out.${bound.name}`);
  const kept = (i: number): boolean => !bounded || bounded[i] <= bound.most;
  const front = analysis.pareto ?? [];
  if (front.length < 5) throw new Error(`the Pareto set has ${front.length} runs`);
  const count = front.filter(({ row }) =>
    a.some((_, i) => kept(i) && a[i] <= a[row] && b[i] <= b[row] && (a[i] < a[row] || b[i] < b[row])),
  ).length;
  return { value: count, reference: 0 };
}

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

const costs: readonly Check[] = [
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
        const lines = (): number => countLines(join(folder, 'results/journal.jsonl'));
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

const countLines = (file: string): number => {
  if (!existsSync(file)) return 0;
  let count = 0;
  for (const byte of readFileSync(file)) if (byte === 10) count++;
  return count;
};

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

/** Two workers on a real Redis, one killed again and again at random, the server stopped politely once and killed once */
export async function killWorkers(
  kills: number,
  runs: number,
): Promise<{ rows: number; equal: boolean; twice: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-kills-'));
  const draw = random('worker kills');
  const children = new Set<ChildProcess>();
  const start = (program: string, words: readonly string[]): ChildProcess => {
    const child = spawn(program, words, { cwd: folder, stdio: 'ignore' });
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  };
  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((done) =>
      child.exitCode !== null || child.signalCode ? done(child.exitCode) : child.on('exit', done),
    );
  const port = 20_000 + (process.pid % 20_000);
  const url = `redis://:secret@127.0.0.1:${port}`;
  const server = (): ChildProcess =>
    start('redis-server', [
      '--port',
      `${port}`,
      '--requirepass',
      'secret',
      '--appendonly',
      'yes',
      '--dir',
      folder,
      '--save',
      '',
    ]);
  const worker = (): ChildProcess =>
    start(process.execPath, [MAIN, 'worker', '--queue', url, '--models', folder, '--jobs', '1', '--quiet']);
  try {
    writeFileSync(join(folder, 'kills.study.json'), JSON.stringify(short(runs, 20)));
    const local = start(process.execPath, [MAIN, 'study', 'run', 'kills.study.json', '--quiet', '--out', 'local']);
    if ((await ended(local)) !== 0) throw new Error('the local study failed');
    let redis = server();
    await pause(500);
    const starter = start(process.execPath, [
      MAIN,
      'study',
      'run',
      'kills.study.json',
      '--quiet',
      '--out',
      'far',
      '--queue',
      url,
    ]);
    const workers = [worker(), worker()];
    const journal = join(folder, 'far/journal.jsonl');
    for (let k = 0; k < kills && starter.exitCode === null; k++) {
      // starting takes a second or more: let work begin, then a random while
      const before = countLines(journal);
      for (let i = 0; i < 400 && countLines(journal) === before && starter.exitCode === null; i++) await pause(50);
      await pause(1500 * draw.uniform());
      const which = Math.floor(2 * draw.uniform());
      workers[which].kill('SIGKILL');
      if (k === Math.floor(kills / 3) || k === Math.floor((2 * kills) / 3)) {
        redis.kill(k < kills / 2 ? 'SIGTERM' : 'SIGKILL');
        await ended(redis);
        await pause(500);
        redis = server();
        await pause(500);
      }
      workers[which] = worker();
    }
    if ((await ended(starter)) !== 0) throw new Error('the study through the queue failed');
    const keys = readFileSync(journal, 'utf8')
      .trim()
      .split('\n')
      .map((line) => outcomeFrom(line).key);
    const same = (file: string): boolean =>
      readFileSync(join(folder, 'far', file)).equals(readFileSync(join(folder, 'local', file)));
    return {
      rows: keys.length,
      equal: same('results.csv') && same('results.parquet'),
      twice: keys.length - new Set(keys).size,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await pause(200);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const RUNS_KILLED = 600;

const queue: Check = {
  id: 'STUDY-kills',
  title: 'Workers killed 50 times, Redis stopped twice: rows that miss, are double, or differ from the local study',
  source: 'same bytes as without a queue; needs redis-server',
  limit: 0,
  long: true,
  async measure() {
    if (spawnSync('redis-server', ['--version']).status !== 0)
      throw new Error('left out: redis-server is not installed (Debian: apt-get install redis-server)');
    const { rows, equal, twice } = await killWorkers(50, RUNS_KILLED);
    return { value: Math.abs(rows - RUNS_KILLED) + twice + (equal ? 0 : 1), reference: 0 };
  },
};

export const studyChecks: readonly Check[] = [...examples, ...costs, queue];
