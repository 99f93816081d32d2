/**
 * Kept results: benchmarks/results/<machine>.json, one file per kind of machine, in git.
 *
 * A run is filed under a hash of what it measured (sources and lock file), not under its commit: results are measured
 * before they can be committed, and a commit that only adds results or prose measures the same thing as the one before.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import type { Ratio, Row } from './harness.js';
import { packageRoot } from './package-root.js';

/** The machine by what it is, not by its name. */
export interface Machine {
  readonly id: string;
  readonly processor: string;
  readonly cores: number;
  readonly architecture: string;
}

export interface KeptRun {
  /** Hash of what was measured. */
  readonly source: string;
  /** HEAD at that time, for the reader. */
  readonly commit: string;
  readonly node: string;
  readonly compiler: string;
  readonly rows: readonly Row[];
}

interface KeptResults {
  readonly machine: Machine;
  /** Oldest first. */
  readonly runs: readonly KeptRun[];
}

const MOST_RUNS = 50;

export function thisMachine(): Machine {
  const processor = (cpus()[0]?.model ?? 'unknown processor').replace(/\s+/g, ' ').trim();
  const cores = cpus().length;
  const id = `${processor}-${cores}-${process.arch}`
    .toLowerCase()
    .replace(/\((r|tm)\)/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  return { id, processor, cores, architecture: process.arch };
}

const fileOf = (machine: Machine): string => join(packageRoot(), 'benchmarks', 'results', `${machine.id}.json`);

export function keptRuns(machine: Machine): readonly KeptRun[] {
  const file = fileOf(machine);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptResults).runs : [];
}

/** Adds a run; one of the same source gives way, except for benchmarks that the new run left out. Returns the file. */
export function keep(machine: Machine, run: KeptRun): string {
  const runs = keptRuns(machine);
  const names = new Set(run.rows.map((row) => row.benchmark));
  const older = runs.find(({ source }) => source === run.source)?.rows.filter((row) => !names.has(row.benchmark)) ?? [];
  const merged = { ...run, rows: [...older, ...run.rows].map(shortRow) };
  const others = runs.filter(({ source }) => source !== run.source);
  const results: KeptResults = { machine, runs: [...others, merged].slice(-MOST_RUNS) };
  const file = fileOf(machine);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

/** What is measured: the code, and the versions of what it stands on. Tests and prose do not count. */
const MEASURED = ['src', 'benchmarks', 'examples', 'scripts', 'package-lock.json'];
const isMeasured = (path: string): boolean => !/\.test\.ts$|\.md$|^benchmarks\/results\//.test(path);

/** Hash of the sources as they lie in the working tree (no revision) or in a commit. */
export function sourceHash(revision?: string): string {
  let entries: [path: string, blob: string][];
  if (revision) {
    // Lines "mode blob hash\tpath"
    const listed = git('ls-tree', '-r', '-z', revision, '--', ...MEASURED).split('\0');
    entries = listed.filter(Boolean).map((line) => [line.slice(line.indexOf('\t') + 1), line.split(/\s/)[2]]);
  } else {
    const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...MEASURED).split('\0');
    const paths = [...new Set(listed)].filter((path) => path && existsSync(join(packageRoot(), path)));
    const blobs = execFileSync('git', ['hash-object', '--stdin-paths'], {
      cwd: packageRoot(),
      input: paths.join('\n'),
      encoding: 'utf8',
    }).split('\n');
    entries = paths.map((path, i) => [path, blobs[i]]);
  }
  const lines = entries.filter(([path]) => isMeasured(path)).map((entry) => entry.join(' '));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 20);
}

/** Output of a git command in the package, without the last line break. */
export function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: packageRoot(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  }).trimEnd();
}

/** The rows with one more ratio column: our time over the time of the same row in another run. */
export function withColumn(rows: readonly Row[], column: string, others: readonly Row[]): Row[] {
  return rows.map((row) => {
    const other = others.find(
      ({ benchmark, variant, size }) => benchmark === row.benchmark && variant === row.variant && size === row.size,
    );
    const ratio: Ratio = other
      ? { ratio: row.fastest / row.work / (other.fastest / other.work), fastest: other.fastest, error: other.error }
      : { missing: 'not measured there' };
    return { ...row, ratios: { ...row.ratios, [column]: ratio } };
  });
}

/** Four digits are more than a clock is worth and keep the file and its differences short. */
function shortRow(row: Row): Row {
  return JSON.parse(JSON.stringify(row), (key, value) =>
    typeof value === 'number' && !['size', 'work'].includes(key) ? Number(value.toPrecision(4)) : value,
  ) as Row;
}
