/** Claims about runs that are killed: gone on with from their last checkpoint they end with the same bits as one that nobody touched. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../math/random.js';
import { CHECKPOINT, MARKS } from '../node/checkpoint-files.js';
import { MAIN } from '../node/package-root.js';
import type { Check } from './check.js';

export interface Kills {
  /** Of the run that was killed, and of the one that was not */
  readonly hash: string;
  readonly reference: string;
  /** Lives that went on from a checkpoint, not from the start */
  readonly goneOn: number;
}

/**
 * Runs a model to its end once, and once more killing it at random moments (SIGKILL; the last of them Ctrl-C) and going on.
 *
 * @param words model and parameters, as on the command line
 * @param main  the program; this one unless said
 */
export async function killAndGoOn(words: readonly string[], kills: number, main = MAIN): Promise<Kills> {
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-kill-'));
  const draw = random('kills');
  const live = async (out: string, more: readonly string[], kill?: NodeJS.Signals): Promise<void> => {
    const child = spawn(process.execPath, [main, 'run', ...words, '--out', join(folder, out), '--quiet', ...more], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    if (kill) {
      // Starting up takes long: once it records, a moment later
      const recorded = join(folder, out, 'recording.h5');
      const before = modified(recorded);
      for (let k = 0; k < 3000 && modified(recorded) === before && child.exitCode === null; k++) await pause(10);
      await pause(1500 * draw.uniform());
      child.kill(kill);
    }
    const code = await ended;
    if (!kill && code !== 0) throw new Error(`expected the run to end, got exit code ${code}`);
  };
  const hashIn = (out: string): string => JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')).hash;
  try {
    await live('whole', []);
    let goneOn = 0;
    const often = ['--checkpoint', '0.1'];
    const goOn = (): string[] => {
      const there = [CHECKPOINT, MARKS].some((name) => existsSync(join(folder, 'killed', name)));
      if (there) goneOn++;
      return there ? [...often, '--restart', join(folder, 'killed')] : often;
    };
    for (let k = 0; k < kills && !existsSync(join(folder, 'killed', 'report.html')); k++)
      await live('killed', goOn(), k === kills - 1 ? 'SIGINT' : 'SIGKILL');
    if (existsSync(join(folder, 'killed', 'report.html'))) rmSync(join(folder, 'killed', 'report.html'));
    const { state } = existsSync(join(folder, 'killed', 'summary.json'))
      ? JSON.parse(readFileSync(join(folder, 'killed', 'summary.json'), 'utf8'))
      : { state: '' };
    if (state !== 'finished') await live('killed', goOn());
    return { hash: hashIn('killed'), reference: hashIn('whole'), goneOn };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When a file was written last, ms; 0 where there is none */
const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const check = (id: string, title: string, words: readonly string[], kills: number): Check => ({
  id,
  title,
  source: 'same bits after a restart',
  limit: 0,
  long: true,
  async measure() {
    const { hash, reference, goneOn } = await killAndGoOn(words, kills);
    if (goneOn === 0) throw new Error('no life went on from a checkpoint');
    return { value: hash === reference ? 1 : 0, reference: 1 };
  },
});

export const restartChecks: readonly Check[] = [
  check(
    'A3-kill',
    'A hopper killed at 30 random moments and gone on with: same bits',
    ['hopper', '--beads', '3000', '--stop', '0.8'],
    30,
  ),
  check(
    'M-kill',
    'A watch escapement, with its bristles and impacts, killed at 10: same bits from its marks',
    ['lever-escapement', '--stop', '0.5', '--restartable', '0.02'],
    10,
  ),
  check('A3-kill-drum', 'A drum, whose drive feels the beads, killed at 10', ['rotating-drum', '--stop', '1'], 10),
  check('A3-kill-blocks', 'Blocks and a bucket killed at 10', ['belgian-blocks', '--stop', '0.6'], 10),
];
