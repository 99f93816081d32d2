/** `tippetop compare`: two recordings beside each other, signal by signal. */
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { readRecordingFile } from '../node/recording-files.js';
import { compareRecordings } from '../results/compare.js';
import { findRecording } from './find-recording.js';
import * as format from './text/format.js';

interface CompareOptions {
  readonly signals?: string[];
  readonly within?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Signals that a person reads; `--all` shows the rest. */
const SHOWN = 12;

export function compareCommand(): Command {
  return new Command('compare')
    .description('tell where two recordings differ most, and when')
    .argument('<first>', 'a recording, a folder with one, or the name of a run in out/')
    .argument('<second>', 'another')
    .option('--signals <patterns...>', 'which signals, e.g. "ball.position.*"; default all that both have')
    .option('--within <part>', 'exit with 1 if a signal differs by more than this part of its range')
    .option('--all', `every signal, not only the ${SHOWN} that differ most`)
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nRows need not be the same: the second is read between its rows on a straight line.' +
        '\n\nExample:\n  tippetop run pendulum --rtol 1e-4 --out out/coarse\n  tippetop run pendulum --rtol 1e-9 --out out/fine\n  tippetop compare coarse fine',
    )
    .action(compare);
}

async function compare(first: string, second: string, options: CompareOptions): Promise<void> {
  const within = options.within === undefined ? undefined : format.parsePositive(options.within, '--within', '');
  const [a, b] = await Promise.all([first, second].map((typed) => readRecordingFile(findRecording(typed).file)));
  if (options.signals) for (const recording of [a, b]) recording.select(options.signals); // refuses what matches nothing
  const compared = compareRecordings(a, b, options.signals);
  const { differences, onlyFirst, onlySecond, from, to, equal, events } = compared;
  if (differences.length === 0)
    throw new ModelError(`${first} and ${second}`, 'have no signal in common; expected two recordings of like models');
  if (within !== undefined && differences[0].relative > within) process.exitCode = 1;
  if (options.json) {
    console.log(JSON.stringify({ first, second, hashes: [a.hash, b.hash], ...compared }, null, 2));
    return;
  }
  const span = `${format.plural(differences.length, 'signal')} from ${format.number(from, 4)} to ${format.number(to, 4)} s`;
  const differing = differences.filter(({ largest }) => largest > 0);
  if (equal) console.log(`${span}: the same bits`);
  else if (differing.length === 0) console.log(`${span}: no difference at the rows of the first`);
  else {
    console.log(`${span}; ${differing.length} differ:`);
    const shown = options.all ? differing : differing.slice(0, SHOWN);
    const width = Math.max(...shown.map(({ name }) => name.length));
    for (const { name, unit, largest, at, relative } of shown) {
      const part = Number.isFinite(relative) ? `${format.number(relative, 2)} of its range` : 'both constant';
      console.log(
        `  ${name.padEnd(width)}  ${format.number(largest, 3)}${unit && ` ${unit}`} at ${format.number(at, 4)} s, ${part}`,
      );
    }
    if (shown.length < differing.length)
      console.log(`  … and ${differing.length - shown.length} more; --all shows them`);
  }
  for (const { name, first: at, later } of events)
    if (later !== 0)
      console.log(
        `  event ${name}: at ${format.number(at, 6)} s, ${format.number(Math.abs(later), 3)} s ${later > 0 ? 'later' : 'earlier'} in ${second}`,
      );
  for (const [typed, names] of [
    [first, onlyFirst],
    [second, onlySecond],
  ] as const)
    if (names.length > 0)
      console.log(
        `  only in ${typed}: ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}`,
      );
}
