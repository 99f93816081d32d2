/** A study as a user runs it, for claims: by the command, in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN } from '../node/package-root.js';
import type { Analysis } from '../studies/analysis.js';

export interface Told {
  readonly rows: number;
  readonly failed: number;
  readonly seconds: number;
  readonly analysis: Analysis;
}

/** Runs a study as a user does, in a folder of its own, and hands on what it told and where */
export async function withStudy<T>(
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

/** A column of the table that it wrote, by its name without unit */
export const columnOf = (folder: string, name: string): number[] => {
  const [head, ...rows] = readFileSync(join(folder, 'results.csv'), 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const at = head.findIndex((title) => title.replace(/ \[.*/, '') === name);
  return rows.map((row) => Number(row[at]));
};
