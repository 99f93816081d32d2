/** `tippetop calibrate`: the numbers of a fast model from a finer one, or from measurements. */
import { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import { SOILS, type SoilName } from '../model/soil-library.js';
import { readBytes } from '../node/cad-files.js';
import { fitTerra, scmTrials, type WheelPoint } from '../studies/calibrate-terra.js';
import * as format from './text/format.js';

interface CalibrateOptions {
  readonly to: string;
  readonly soil: string;
  readonly radius: string;
  readonly width: string;
  readonly load: string;
  readonly gravity: string;
  readonly spacing: string;
  readonly digging: string;
  readonly json?: boolean;
}

export function calibrateCommand(): Command {
  return new Command('calibrate')
    .description(
      'tune a fast wheel model to the soil grid or to measurements, with the fit and how well each number is known',
    )
    .argument('<model>', 'terra')
    .option(
      '--to <reference>',
      'scm, or a CSV file with columns load, slip, sinkage, drawbarPull and perhaps torque (N, m, N m)',
      'scm',
    )
    .option('--soil <name>', 'of the library', 'sand-azimi')
    .option('--radius <m>', 'of the wheel', '0.15')
    .option('--width <m>', 'of the wheel', '0.1')
    .option('--load <N>', 'of the wheel; trials are at 0.5, 1 and 1.5 times this', '100')
    .option('--gravity <m/s2>', 'across the ground', '9.81')
    .option('--spacing <m>', 'of the grid', '0.01')
    .option('--digging <part>', 'of sliding that carries soil off', '0.05')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', '\nExample:\n  tippetop calibrate terra --to scm --soil moon-nominal --radius 0.12 --load 60')
    .action(calibrate);
}

async function calibrate(what: string, options: CalibrateOptions): Promise<void> {
  if (what !== 'terra') throw new ModelError('calibrate', `expected terra, got "${what}"`);
  if (!Object.hasOwn(SOILS, options.soil))
    throw new ModelError(
      '--soil',
      `there is no soil "${options.soil}"${suggestion(options.soil, Object.keys(SOILS)) || `; there are ${Object.keys(SOILS).join(', ')}`}`,
    );
  const on = {
    soil: SOILS[options.soil as SoilName],
    radius: format.parsePositive(options.radius, '--radius', 'm'),
    width: format.parsePositive(options.width, '--width', 'm'),
    gravity: format.parsePositive(options.gravity, '--gravity', 'm/s²'),
  };
  const digging = Number(options.digging);
  if (!(digging >= 0)) throw new ModelError('--digging', `expected a part ≥ 0, got "${options.digging}"`);
  const points =
    options.to === 'scm'
      ? scmTrials(on, {
          load: format.parsePositive(options.load, '--load', 'N'),
          spacing: format.parsePositive(options.spacing, '--spacing', 'm'),
          digging,
        })
      : pointsFrom(new TextDecoder().decode(await readBytes(options.to)), options.to);
  const result = fitTerra(points, on);
  const { parameters, names, fit, sinkageError, pullError } = result;
  if (options.json) {
    console.log(JSON.stringify({ ...result, points }, null, 2));
    return;
  }
  console.log(`${points.length} trials, ${options.to === 'scm' ? 'of the soil grid' : `from ${options.to}`}`);
  console.log(`  sinkage       ${format.number(100 * sinkageError, 3)} % of its mean, root mean square`);
  console.log(`  drawbar pull  ${format.number(100 * pullError, 3)} % of the load`);
  for (const [i, name] of names.entries())
    console.log(
      `  ${name.padEnd(13)} ${format.number(parameters[name as keyof typeof parameters]).padEnd(14)} ± ${format.number(100 * fit.relativeDeviations[i], 2)} %`,
    );
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
