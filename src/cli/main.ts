#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 a run or a check failed, 2 bad input. */
import { Command, CommanderError } from 'commander';
import { ModelError } from '../errors.js';
import { packageVersion } from '../node/versions.js';
import { COMMANDS } from './commands.js';
import { complain, isWatched, reportToParent } from './live/report-to-parent.js';
import { userError } from './text/user-error.js';

const program = new Command('tippetop')
  .description('Simulates things that touch: mechanisms, grains, wheels on soft soil, flexible parts.')
  .version(packageVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .showHelpAfterError('(--help tells what there is)');
// The help, and what is no command, need them all
const [asked = ''] = process.argv.slice(2);
const wanted = Object.hasOwn(COMMANDS, asked)
  ? [asked]
  : asked === '--version' || asked === '-V'
    ? []
    : Object.keys(COMMANDS);
for (const command of await Promise.all(wanted.map((name) => COMMANDS[name]!())))
  program.addCommand(command.configureOutput(program.configureOutput()));

/** Commander exits by itself on bad usage, with 1; here that is bad input, 2. Subcommands inherit only if told. */
for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
  command.exitOverride();

// A reader that closes the pipe early (| head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

if (isWatched())
  (await import('../node/model-files/load-model.js')).onModelFile((file) => reportToParent({ kind: 'file', file }));
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof ModelError) {
    complain(error.message);
    process.exitCode = 2;
  } else {
    const theirs = await userError(error);
    // What is not the user's mistake is ours; the stack says where.
    complain(theirs ?? String(error), theirs ? undefined : error);
    process.exitCode = theirs ? 2 : 1;
  }
}
