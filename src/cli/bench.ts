/** `tippetop bench`: speed and error of kernels and examples. The benchmarks themselves live in the source tree only. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { PACKAGE_ROOT } from '../node/package-root.js';

export function benchCommand(): Command {
  return new Command('bench')
    .description('measure speed and error of kernels and examples, with C and peers beside us where installed')
    .option('--only <names>', 'only benchmarks with these names; * stands for any letters')
    .option('--quick', 'smallest size and few repeats: shows that all runs, not how fast')
    .option('--compare <commit>', 'add a column against that commit, or A..B: commit B against commit A')
    .option('--keep', 'write the result to benchmarks/results/')
    .option('--json', 'print one JSON document instead of a table')
    .addHelpText('after', '\nExamples:\n  tippetop bench --only "mass-*"\n  tippetop bench --compare HEAD~1')
    .action((options: object) => {
      process.exitCode = bench(options);
    });
}

function bench(options: object): number {
  const root = PACKAGE_ROOT;
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  if (!existsSync(join(root, 'benchmarks/run.ts')) || !existsSync(compiler))
    throw new ModelError(
      'bench',
      'the benchmarks are not part of the installed package; clone the repository, run npm install there, ' +
        'then npx tippetop bench',
    );
  // A type error stops here: what does not compile is not timed.
  for (const step of [['scripts/build-kernels.mjs'], [compiler, '-p', 'benchmarks']]) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) return 1;
  }
  const run = join(root, 'out/benchmarks/benchmarks/run.js');
  return spawnSync(process.execPath, [run, JSON.stringify(options)], { stdio: 'inherit' }).status ?? 1;
}
