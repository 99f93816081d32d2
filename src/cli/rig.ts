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
  testbedRun,
  WHEEL_MODELS,
  type WheelModel,
} from '../studies/soil-rigs.js';
import { svgPlot } from '../viewer/svg-plot.js';
import { type SoilAndWheel, type SoilOptions, soilAndWheel, withSoilOptions } from './soil-options.js';
import * as format from './text/format.js';

const KINDS = ['plate', 'ring', 'wheel', 'drawbar', 'slope'] as const;

interface RigOptions extends SoilOptions {
  readonly length: string;
  readonly inner: string;
  readonly outer: string;
  readonly grousers: string;
  readonly grouserHeight: string;
  readonly grouserThickness: string;
  readonly model: string;
  readonly slips: string;
  readonly slip: string;
  readonly way: string;
  readonly speed: string;
  readonly csv?: string;
  readonly plot?: string;
}

export function rigCommand(): Command {
  const command = new Command('rig')
    .description(
      'testbeds for soft soil: plate sinkage, shear ring, a wheel let down and driven, its drawbar pull and climbed slope over slip',
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
    .option('--slip <number>', 'of the wheel that is let down and driven', '0.6')
    .option('--way <m>', 'that it is driven', '0.2')
    .option('--speed <m/s>', 'of its centre', '0.01')
    .option('--csv <file>', 'also write the table')
    .option('--plot <file>', 'also draw it as SVG')
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop rig drawbar --soil moon-nominal --radius 0.12 --load 100 --grousers 24 --plot pull.svg\n  tippetop rig wheel --soil moon-nominal --radius 0.12 --load 100 --slip 0.6 --grousers 24 --digging 0.05 --plot wheel.svg\n  tippetop rig plate --soil lete-sand --load 1000',
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
    case 'wheel': {
      const slip = Number(options.slip);
      if (!(options.slip.trim() !== '' && slip > -1 && slip < 1))
        throw new ModelError('--slip', `expected a slip between −1 and 1, got "${options.slip}"`);
      if (options.model !== 'scm')
        throw new ModelError('--model', `the wheel is let down on the grid: expected scm, got "${options.model}"`);
      const way = length(options.way, '--way');
      const speed = format.parsePositive(options.speed, '--speed', 'm/s');
      return {
        columns: columns(['time', 's'], ['load', 'N'], ['traction', 'N'], ['torque', 'N m'], ['sinkage', 'm']),
        rows: testbedRun(wheelOf(given, options), { load, slip, way, speed }).map((row) => [
          row.time,
          row.load,
          row.traction,
          row.torque,
          row.sinkage,
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
function plotOf({ columns, rows }: Table): string {
  const [first, second] = columns;
  const lines = columns.flatMap((column, k) =>
    k > 0 && column.unit === second.unit
      ? [
          {
            name: column.name,
            unit: column.unit,
            times: rows.map((row) => row[0]),
            values: rows.map((row) => row[k]),
          },
        ]
      : [],
  );
  return svgPlot(lines, { across: first.unit ? `${first.name}, ${first.unit}` : first.name });
}
