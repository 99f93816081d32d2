/** `tippetop rig`: testbeds for soil and wheels, as a table, a CSV file and a plot. */
import { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import { writeBytes } from '../node/cad-files.js';
import {
  drawbarCurve,
  plateCurve,
  type RiggedWheel,
  ringCurve,
  slopeCurve,
  WHEEL_MODELS,
  type WheelModel,
} from '../studies/soil-rigs.js';
import { svgPlot } from '../viewer/svg-plot.js';
import { type SoilAndWheel, type SoilOptions, soilAndWheel, withSoilOptions } from './soil-options.js';
import * as format from './text/format.js';

const KINDS = ['plate', 'ring', 'drawbar', 'slope'] as const;

interface RigOptions extends SoilOptions {
  readonly length: string;
  readonly inner: string;
  readonly outer: string;
  readonly grousers: string;
  readonly grouserHeight: string;
  readonly grouserThickness: string;
  readonly model: string;
  readonly slips: string;
  readonly csv?: string;
  readonly plot?: string;
}

export function rigCommand(): Command {
  const command = new Command('rig')
    .description(
      'testbeds for soft soil: plate sinkage, shear ring, drawbar pull and climbed slope of a wheel over slip',
    )
    .argument('<kind>', KINDS.join(', '));
  return withSoilOptions(command, {
    load: 'on plate, ring or wheel',
    width: 'of wheel or plate',
    spacing: '0.005',
    digging: '0',
  })
    .option('--length <m>', 'of the plate', '0.2')
    .option('--inner <m>', 'radius of the ring', '0.08')
    .option('--outer <m>', 'radius of the ring', '0.12')
    .option('--grousers <number>', 'of the wheel', '0')
    .option('--grouser-height <m>', 'of each', '0.01')
    .option('--grouser-thickness <m>', 'of each', '0.006')
    .option('--model <name>', WHEEL_MODELS.join(', '), 'scm')
    .option('--slips <list>', 'such as 0.1,0.3,0.6', '0.05,0.1,0.2,0.3,0.4,0.6,0.8')
    .option('--csv <file>', 'also write the table')
    .option('--plot <file>', 'also draw it as SVG')
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop rig drawbar --soil moon-nominal --radius 0.12 --load 100 --grousers 24 --plot pull.svg\n  tippetop rig plate --soil lete-sand --load 1000',
    )
    .action(rig);
}

interface Table {
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly rows: readonly (readonly number[])[];
}

async function rig(kind: string, options: RigOptions): Promise<void> {
  const table = measured(kind, options);
  const csv = [
    table.columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)).join(','),
    ...table.rows.map((row) => row.join(',')),
  ].join('\n');
  if (options.csv) await writeBytes(options.csv, new TextEncoder().encode(`${csv}\n`));
  if (options.plot) await writeBytes(options.plot, new TextEncoder().encode(plotOf(table)));
  if (options.json) {
    const rows = table.rows.map((row) => Object.fromEntries(table.columns.map(({ name }, i) => [name, row[i]])));
    console.log(JSON.stringify({ rig: kind, soil: options.soil, rows }, null, 2));
    return;
  }
  const width = 18;
  console.log(table.columns.map(({ name, unit }) => (unit ? `${name}, ${unit}` : name).padEnd(width)).join(''));
  for (const row of table.rows) console.log(row.map((value) => format.number(value, 5).padEnd(width)).join(''));
  for (const file of [options.csv, options.plot]) if (file) console.log(`wrote ${file}`);
}

function measured(kind: string, options: RigOptions): Table {
  const given = soilAndWheel(options);
  const { soil, load, spacing, width } = given;
  const length = (text: string, option: string): number => format.parsePositive(text, option, 'm');
  switch (kind) {
    case 'plate': {
      const loads = [0.1, 0.2, 0.4, 0.6, 0.8, 1].map((part) => part * load);
      const size = { length: length(options.length, '--length'), width };
      return {
        columns: columns(['load', 'N'], ['sinkage', 'm'], ['closed form', 'm']),
        rows: plateCurve(soil, { ...size, loads, spacing }).map((row) => [row.load, row.sinkage, row.closedForm]),
      };
    }
    case 'ring': {
      const [inner, outer] = [length(options.inner, '--inner'), length(options.outer, '--outer')];
      if (!(inner < outer))
        throw new ModelError('--inner', `expected a radius below the outer one of ${outer} m, got ${inner}`);
      return {
        columns: columns(['displacement', 'm'], ['stress', 'Pa'], ['closed form', 'Pa']),
        rows: ringCurve(soil, { inner, outer, load, spacing }).map((row) => [
          row.displacement,
          row.stress,
          row.closedForm,
        ]),
      };
    }
    case 'drawbar':
      return {
        columns: columns(['slip', ''], ['drawbar pull', 'N'], ['torque', 'N m'], ['sinkage', 'm']),
        rows: drawbarCurve(wheelOf(given, options), load, slipsOf(options)).map((row) => [
          row.slip,
          row.drawbarPull,
          row.torque,
          row.sinkage,
        ]),
      };
    case 'slope':
      return {
        columns: columns(['slip', ''], ['slope', 'deg']),
        rows: slopeCurve(wheelOf(given, options), load, slipsOf(options)).map(({ slip, slope }) => [
          slip,
          (slope * 180) / Math.PI,
        ]),
      };
    default:
      throw new ModelError(
        'rig',
        `there is no rig "${kind}"${suggestion(kind, KINDS) || `; there are ${KINDS.join(', ')}`}`,
      );
  }
}

const columns = (...given: (readonly [string, string])[]): Table['columns'] =>
  given.map(([name, unit]) => ({ name, unit }));

function wheelOf(given: SoilAndWheel, options: RigOptions): RiggedWheel {
  if (!(WHEEL_MODELS as readonly string[]).includes(options.model))
    throw new ModelError('--model', `expected ${WHEEL_MODELS.join(', ')}, got "${options.model}"`);
  const count = Number(options.grousers);
  if (!(count >= 0 && Number.isInteger(count)))
    throw new ModelError('--grousers', `expected a whole number ≥ 0, got "${options.grousers}"`);
  return {
    ...given,
    model: options.model as WheelModel,
    ...(count > 0 && {
      grousers: {
        count,
        height: format.parsePositive(options.grouserHeight, '--grouser-height', 'm'),
        thickness: format.parsePositive(options.grouserThickness, '--grouser-thickness', 'm'),
      },
    }),
  };
}

function slipsOf({ slips }: RigOptions): number[] {
  return slips.split(',').map((text) => {
    const slip = Number(text);
    if (!(text.trim() !== '' && slip > -1 && slip < 1))
      throw new ModelError('--slips', `expected slips between −1 and 1, got "${text}"`);
    return slip;
  });
}

/** All columns of the second one's unit over the first */
function plotOf({ columns: [first, second, ...rest], rows }: Table): string {
  const lines = [second, ...rest.filter(({ unit }) => unit === second.unit)].map((column, k) => ({
    name: column.name,
    unit: column.unit,
    times: rows.map((row) => row[0]),
    values: rows.map((row) => row[1 + k]),
  }));
  return svgPlot(lines, { across: first.unit ? `${first.name}, ${first.unit}` : first.name });
}
