#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 a run or a check failed, 2 bad input. */
import { Command, CommanderError } from 'commander';
import { ModelError } from '../errors.js';
import { assetCommand } from './asset.js';
import { benchCommand } from './bench.js';
import { buildCommand } from './build.js';
import { calibrateCommand } from './calibrate.js';
import { compareCommand } from './compare.js';
import { convertCommand } from './convert.js';
import { explainCommand } from './explain.js';
import { exportCommand } from './export.js';
import { femCommand } from './fem/fem.js';
import { optimiseCommand } from './fem/optimise.js';
import { galleryCommand } from './gallery.js';
import { inspectCommand } from './inspect.js';
import { listCommand } from './list.js';
import { complain, isWatched, reportToParent } from './live/report-to-parent.js';
import { onModelFile } from './model-files/load-model.js';
import { newCommand } from './new.js';
import { renderCommand } from './render.js';
import { rigCommand } from './rig.js';
import { runCommand } from './run.js';
import { studioCommand } from './studio.js';
import { userError } from './text/user-error.js';
import { verifyCommand } from './verify/verify.js';
import { packageVersion } from './versions.js';
import { viewCommand } from './view.js';

const program = new Command('tippetop')
  .description('Simulates things that touch: mechanisms, grains, wheels on soft soil, flexible parts.')
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .showHelpAfterError('(--help tells what there is)');
for (const command of [
  newCommand(),
  runCommand(),
  viewCommand(),
  studioCommand(),
  explainCommand(),
  buildCommand(),
  inspectCommand(),
  compareCommand(),
  exportCommand(),
  renderCommand(),
  convertCommand(),
  femCommand(),
  optimiseCommand(),
  assetCommand(),
  calibrateCommand(),
  rigCommand(),
  verifyCommand(),
  benchCommand(),
  listCommand(),
  galleryCommand(),
])
  program.addCommand(command.configureOutput(program.configureOutput()));

/** Commander exits by itself on bad usage, with 1; here that is bad input, 2. Subcommands inherit only if told. */
for (const command of [program, ...program.commands]) command.exitOverride();

// A reader that closes the pipe early (| head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

if (isWatched()) onModelFile((file) => reportToParent({ kind: 'file', file }));
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof ModelError) {
    complain(error.message);
    process.exitCode = 2;
  } else {
    const theirs = userError(error);
    // What is not the user's mistake is ours; the stack says where.
    complain(theirs ?? String(error), theirs ? undefined : error);
    process.exitCode = theirs ? 2 : 1;
  }
}
