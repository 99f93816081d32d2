/** `tippetop stress`: what the flexible parts of a run bore, and the cycles of their stress. */
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { describePeak } from '../explain/stress-text.js';
import { quantity } from '../math/quantity.js';
import { type RainflowClass, rainflow, rainflowTable } from '../math/rainflow.js';
import { readRecordingFile } from '../node/recording-files.js';
import { stressPeaks } from '../results/stress-summary.js';
import { findRecording } from './find-recording.js';
import * as format from './text/format.js';

interface StressOptions {
  readonly signals?: string[];
  readonly classes: string;
  readonly json?: boolean;
}

export function stressCommand(): Command {
  return new Command('stress')
    .description('tell the largest stress of flexible parts over a run, where and when, and count its cycles')
    .argument('<recording>', 'a recording, a folder with one, or the name of a run in out/')
    .option(
      '--signals <patterns...>',
      'whose cycles, e.g. "rod.stress.root.*"; default gauges, else the largest tension and pressure',
    )
    .option('--classes <number>', 'ranges are sorted into so many classes', '10')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      '\nCycles are counted by rainflow (ASTM E1049) over the rows of the recording: take rows enough for the fastest vibration.' +
        '\n\nExample:\n  tippetop run flexible-slider-crank\n  tippetop stress flexible-slider-crank',
    )
    .action(stress);
}

async function stress(typed: string, options: StressOptions): Promise<void> {
  const classes = Number(options.classes);
  if (!(Number.isInteger(classes) && classes > 0 && classes <= 1000))
    throw new ModelError('--classes', `expected a whole number from 1 to 1000, got ${options.classes}`);
  const recording = await readRecordingFile(findRecording(typed).file);
  const peaks = stressPeaks(recording);
  if (peaks.length === 0)
    throw new ModelError(
      typed,
      'no body of this run deforms; expected a recording of a model with `flexible: …` on one of its bodies',
    );
  const histories = options.signals
    ? recording.select(options.signals).map(({ name }) => name)
    : usual(recording.signals.map(({ name }) => name));
  const tables = histories.map((name) => {
    const { values } = recording.signal(name);
    const cycles = rainflow(values);
    return {
      name,
      unit: recording.signals.find((one) => one.name === name)!.unit,
      table: rainflowTable(cycles, classes),
    };
  });
  if (options.json) {
    console.log(JSON.stringify({ peaks, cycles: tables }, null, 2));
    return;
  }
  console.log('largest von Mises stress over time');
  for (const peak of peaks) console.log(`  ${describePeak(peak)}`);
  for (const { name, unit, table } of tables) {
    console.log(`\ncycles of ${name}${table.length === 0 ? ': none, it is constant' : ''}`);
    if (table.length > 0) print(table, unit);
  }
}

/** Gauges where there are any, else principal stresses */
function usual(names: readonly string[]): string[] {
  const gauges = names.filter((name) => /\.stress\.[^.]+\.(major|minor)$/.test(name));
  return gauges.length > 0 ? gauges : names.filter((name) => /\.stress\.(major|minor)$/.test(name));
}

function print(table: readonly RainflowClass[], unit: string): void {
  const rows = table.map(({ from, to, mean, count }) => [
    `${quantity(from, unit)} … ${quantity(to, unit)}`,
    quantity(mean, unit),
    format.number(count, 4),
  ]);
  const width = Math.max(5, ...rows.map(([range]) => range.length));
  console.log(`  ${'range'.padEnd(width)}  ${'mean'.padStart(12)}  cycles`);
  for (const [range, mean, count] of rows) console.log(`  ${range.padEnd(width)}  ${mean.padStart(12)}  ${count}`);
}
