// All of `tippetop bench` behind its command line: node run.js <options as JSON>. Exit codes as everywhere: 0, 1, 2.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerVersion } from './c-program.js';
import type { Row } from './harness.js';
import { packageRoot } from './package-root.js';
import { table } from './report.js';
import { git, keep, keptRuns, type Machine, sourceHash, thisMachine, withColumn } from './results.js';

export interface BenchOptions {
  /** Names of benchmarks with * for any letters. */
  readonly only?: string;
  readonly json?: boolean;
  /** `REV`: this tree against that commit; `A..B`: commit B against commit A. */
  readonly compare?: string;
  /** Smallest size, few repeats. */
  readonly quick?: boolean;
  /** Write the result to benchmarks/results/. */
  readonly keep?: boolean;
}

/** Whether `name` fits a pattern in which * stands for any letters; `group` fits all `group/…`, no pattern fits all. */
export function matches(name: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}(/.*)?$`).test(name);
}

/** Something the user can put right: printed without a stack, exit code 2. */
class UsageError extends Error {}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    bench(JSON.parse(process.argv[2] ?? '{}') as BenchOptions);
  } catch (error) {
    console.error(error instanceof UsageError ? `error: ${error.message}` : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function bench(options: BenchOptions): void {
  if (options.keep && options.quick) throw new UsageError('--keep: a quick run is too rough to be kept');
  const [older, newer] = options.compare?.includes('..') ? options.compare.split('..') : [options.compare, undefined];
  if (newer !== undefined && options.keep)
    throw new UsageError('--keep: goes with a run of this tree, not of two commits');
  const machine = thisMachine();

  // Our rows: this tree, or the newer of two commits
  const sources = new Map<string, string>();
  const before = older ? revisionRows(resolve(older), machine, options) : undefined;
  let rows = newer !== undefined ? revisionRows(resolve(newer), machine, options) : measureTree(options, sources);
  const source = newer !== undefined ? sourceHash(resolve(newer)) : sourceHash();
  const commit = newer !== undefined ? resolve(newer) : git('rev-parse', 'HEAD');
  const node = process.version;
  const compiler = compilerVersion() ?? 'none';
  if (options.keep) {
    const file = keep(machine, { source, commit, node, compiler, rows });
    console.error(`kept in ${file}`);
  }

  // One more column: the commit asked for, or what was kept last
  const last = keptRuns(machine).findLast((run) => run.source !== source);
  if (before && older) rows = withColumn(rows, older, before);
  else if (last && !options.quick) rows = withColumn(rows, `previous (${last.commit.slice(0, 7)})`, last.rows);

  if (options.json)
    console.log(JSON.stringify({ machine, commit, source, node, compiler, quick: !!options.quick, rows }, null, 1));
  else {
    console.log(table(rows, sources));
    console.log(`\n${machine.processor}, ${machine.cores} cores; Node ${node}; ${compiler}`);
    console.log('Times are the fastest and the median round. × is our time over theirs: below 1 we are faster.');
  }
}

/** Measures every file of this tree, each in its own process. */
function measureTree(options: BenchOptions, sources: Map<string, string>): Row[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const files = readdirSync(join(packageRoot(), 'benchmarks')).filter((name) => name.endsWith('.bench.ts'));
  const rows: Row[] = [];
  const names: string[] = [];
  for (const file of files.sort()) {
    const module = join(here, file.replace(/\.ts$/, '.js'));
    const args = ['--expose-gc', join(here, 'measure-file.js'), module, JSON.stringify(options)];
    const child = spawnSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (child.status !== 0) throw new Error(`${file} failed with exit code ${child.status}`);
    const measured = JSON.parse(child.stdout.trimEnd().split('\n').at(-1) ?? '');
    rows.push(...measured.rows);
    names.push(...measured.names);
    for (const [name, source] of measured.sources) sources.set(name, source);
  }
  if (rows.length === 0)
    throw new UsageError(`--only ${options.only}: expected one of ${names.join(', ')}, * for any letters`);
  return rows;
}

/** Rows of a commit on this machine: kept ones, or measured now in a working tree of that commit. */
function revisionRows(commit: string, machine: Machine, options: BenchOptions): Row[] {
  const kept = keptRuns(machine).find((run) => run.source === sourceHash(commit));
  const wanted = kept?.rows.filter((row) => matches(row.benchmark, options.only)) ?? [];
  if (wanted.length > 0) return wanted;

  const folder = mkdtempSync(join(tmpdir(), 'tippetop-compare-'));
  const tree = join(folder, 'tree');
  console.error(`no kept result of ${commit.slice(0, 7)} on this machine: measuring it in ${tree}`);
  try {
    git('worktree', 'add', '--detach', tree, commit);
    symlinkSync(join(packageRoot(), 'node_modules'), join(tree, 'node_modules'));
    const peers = join('benchmarks', 'peers', 'node_modules');
    if (existsSync(join(packageRoot(), peers)) && existsSync(join(tree, 'benchmarks', 'peers')))
      symlinkSync(join(packageRoot(), peers), join(tree, peers));
    run(tree, ['scripts/build.mjs']);
    const args = ['dist/cli/main.js', 'bench', '--json'];
    if (options.only) args.push('--only', options.only);
    if (options.quick) args.push('--quick');
    return JSON.parse(run(tree, args)).rows;
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, args: string[]): string {
  const child = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`node ${args.join(' ')} failed with exit code ${child.status} in ${cwd}`);
  return child.stdout;
}

function resolve(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  } catch {
    throw new UsageError(`--compare: git knows no commit "${revision}"`);
  }
}
