/** `tippetop calibrate`: the numbers of a fast model from a finer one, or from measurements. */
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { readBytes } from '../node/cad-files.js';
import { fitTerra, scmHistory, scmTrials, type WheelPoint } from '../studies/calibrate-terra.js';
import { type SoilOptions, soilAndWheel, withSoilOptions } from './soil-options.js';
import * as format from './text/format.js';

interface CalibrateOptions extends SoilOptions {
  readonly to: string;
}

export function calibrateCommand(): Command {
  const command = new Command('calibrate')
    .description(
      'tune a fast wheel model to the soil grid or to measurements, with the fit and how well each number is known',
    )
    .argument('<model>', 'terra')
    .option(
      '--to <reference>',
      'scm, or a CSV file with columns load, slip, sinkage, drawbarPull and perhaps torque (N, m, N m)',
      'scm',
    );
  return withSoilOptions(command, {
    load: 'on the wheel; trials are at 0.5, 1 and 1.5 times this',
    width: 'of the wheel',
    spacing: '0.01',
    digging: '0.05',
  })
    .addHelpText('after', '\nExample:\n  tippetop calibrate terra --to scm --soil moon-nominal --radius 0.12 --load 60')
    .action(calibrate);
}

async function calibrate(what: string, options: CalibrateOptions): Promise<void> {
  if (what !== 'terra') throw new ModelError('calibrate', `expected terra, got "${what}"`);
  const on = soilAndWheel(options);
  const onGrid = options.to === 'scm';
  const points = onGrid
    ? scmTrials(on, on)
    : pointsFrom(new TextDecoder().decode(await readBytes(options.to)), options.to);
  const result = fitTerra(points, on, onGrid ? scmHistory(on, on) : undefined);
  const { parameters, names, fit, sinkageError, pullError, historyError } = result;
  if (options.json) {
    console.log(JSON.stringify({ ...result, points }, null, 2));
    return;
  }
  console.log(`${points.length} trials, ${onGrid ? 'of the soil grid' : `from ${options.to}`}`);
  console.log(`  sinkage       ${format.number(100 * sinkageError, 3)} % of its mean, root mean square`);
  console.log(`  drawbar pull  ${format.number(100 * pullError, 3)} % of the load`);
  if (historyError !== undefined)
    console.log(
      `  history       ${format.number(100 * historyError, 3)} % of the sinkage while slip goes from 0.1 to 0.7 and back`,
    );
  for (const [i, name] of names.entries()) {
    const known = fit.relativeDeviations[i];
    const value = format.number(parameters[name as keyof typeof parameters]);
    console.log(
      `  ${name.padEnd(13)} ${value.padEnd(14)} ${known < 10 ? `± ${format.number(100 * known, 2)} %` : 'not seen in these trials'}`,
    );
  }
  console.log(
    `in a model: bodies: { wheel: { model: 'terra', radius: ${on.radius}, width: ${on.width}, terra: ${JSON.stringify(parameters)} } }`,
  );
}

function pointsFrom(text: string, file: string): WheelPoint[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = head.split(',').map((name) => name.trim());
  const column = (name: string): number => {
    const at = names.indexOf(name);
    if (at < 0) throw new ModelError(file, `expected a column "${name}", got ${names.join(', ')}`);
    return at;
  };
  const [load, slip, sinkage, pull] = ['load', 'slip', 'sinkage', 'drawbarPull'].map(column);
  const torque = names.indexOf('torque');
  if (lines.length < 11)
    throw new ModelError(file, `expected at least 11 trials, got ${lines.length}: ten numbers are sought`);
  return lines.map((line, i) => {
    const values = line.split(',').map(Number);
    for (const at of [load, slip, sinkage, pull])
      if (!Number.isFinite(values[at]))
        throw new ModelError(
          `${file}, line ${i + 2}`,
          `expected a number in column ${names[at]}, got "${line.split(',')[at]}"`,
        );
    return {
      load: values[load],
      slip: values[slip],
      sinkage: values[sinkage],
      drawbarPull: values[pull],
      ...(torque >= 0 && { torque: values[torque] }),
    };
  });
}
