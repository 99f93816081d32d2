/** The claim about a queue: workers that are killed again and again and a server that is stopped twice change nothing of a study's results. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../math/random.js';
import { MAIN } from '../node/package-root.js';
import { outcomeFrom } from '../studies/outcome-text.js';
import type { Check } from './check.js';
import { LocalRedis, redisInstalled } from './local-redis.js';

const RUNS = 400;
const KILLS = 50;

/** Swings of a tenth of a second of computing each */
const STUDY = {
  model: 'pendulum',
  parameters: { length: { from: 0.5, to: 2 } },
  design: { kind: 'monte-carlo', runs: RUNS },
  outputs: { end: "final('pivot.angle')", most: "max('pivot.speed')" },
  simulation: { stop: 1000, interval: 1 },
};

export interface Kills {
  /** Lines of the journal of the study through the queue, and how many of them have a key that came before */
  readonly rows: number;
  readonly twice: number;
  /** Tables of the two studies, Parquet and CSV, are the same bytes */
  readonly equal: boolean;
}

/** Two workers on a Redis, one of them killed at a random moment, again and again; the server stopped politely once and killed once */
async function killWorkers(): Promise<Kills> {
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-kills-'));
  const draw = random('worker kills');
  const children = new Set<ChildProcess>();
  const tippetop = (...words: string[]): ChildProcess => {
    const child = spawn(process.execPath, [MAIN, ...words, '--quiet'], { cwd: folder, stdio: 'ignore' });
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  };
  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((done) =>
      child.exitCode !== null || child.signalCode ? done(child.exitCode) : child.on('exit', done),
    );
  let redis: LocalRedis | undefined;
  try {
    writeFileSync(join(folder, 'kills.study.json'), JSON.stringify(STUDY));
    redis = await LocalRedis.start(folder);
    const { url } = redis;
    const starter = tippetop('study', 'run', 'kills.study.json', '--out', 'far', '--queue', url);
    const worker = (): ChildProcess =>
      tippetop('worker', '--queue', url, '--models', folder, '--jobs', '1', '--takeover', '3');
    const workers = [worker(), worker()];
    const journal = join(folder, 'far/journal.jsonl');
    for (let kills = 1; kills <= KILLS; kills++) {
      // spread over the whole study, however fast it goes, each somewhere inside a run
      const rows = ((kills - 1 + draw.uniform()) * RUNS) / (KILLS + 2);
      while (lineCount(journal) < rows && starter.exitCode === null) await pause(20);
      await pause(300 * draw.uniform());
      if (starter.exitCode !== null)
        throw new Error(`the study ended (${starter.exitCode}) before kill ${kills} of ${KILLS}`);
      const which = Math.floor(2 * draw.uniform());
      // one that came while the server was away was refused and has ended: that is no kill
      const killed = workers[which].kill('SIGKILL');
      await ended(workers[which]);
      if (!killed) kills--;
      else if (kills === Math.floor(KILLS / 3) || kills === Math.floor((2 * KILLS) / 3)) {
        await redis.stop(kills < KILLS / 2 ? 'SIGTERM' : 'SIGKILL');
        await pause(500);
        await redis.start();
      }
      workers[which] = worker();
    }
    if ((await ended(starter)) !== 0) throw new Error('the study through the queue failed');
    if ((await ended(tippetop('study', 'run', 'kills.study.json', '--out', 'local'))) !== 0)
      throw new Error('the local study failed');
    return compared(join(folder, 'far'), join(folder, 'local'));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await redis?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function compared(far: string, local: string): Kills {
  const keys = readFileSync(join(far, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => outcomeFrom(line).key);
  const same = (file: string): boolean => readFileSync(join(far, file)).equals(readFileSync(join(local, file)));
  return {
    rows: keys.length,
    twice: keys.length - new Set(keys).size,
    equal: same('results.csv') && same('results.parquet'),
  };
}

export const lineCount = (file: string): number => {
  if (!existsSync(file)) return 0;
  let count = 0;
  for (const byte of readFileSync(file)) if (byte === 10) count++;
  return count;
};

export const queueCheck: Check = {
  id: 'STUDY-kills',
  title: `Two workers killed ${KILLS} times, Redis stopped twice: of ${RUNS} rows those once and equal to the local study's`,
  source: 'same bytes as without a queue; needs redis-server',
  limit: 0,
  long: true,
  async measure() {
    if (!redisInstalled())
      throw new Error('left out: redis-server is not installed (Debian: apt-get install redis-server)');
    const { rows, equal, twice } = await killWorkers();
    return { value: equal ? rows - twice : 0, reference: RUNS };
  },
};
