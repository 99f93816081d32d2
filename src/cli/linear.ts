/** `tippetop linear`: a model linearised at an instant or at rest: A, B, C, D, eigenvalues, frequency response; as text, plot and .mat. */
import { join } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { parametersOf } from '../model/parameters.js';
import { writeBytes } from '../node/cad-files.js';
import { findModel, loadModel, modelName, requireModel } from '../node/model-files/load-model.js';
import { matrixFile, type NamedMatrix } from '../results/mat-level4.js';
import { type FrequencyResponse, frequencyResponse } from '../studies/linear/frequency-response.js';
import { type LinearModel, linearModel } from '../studies/linear/linear-analysis.js';
import { svgPlot } from '../viewer/svg-plot.js';
import { modelArguments, parameterList } from './model-files/model-arguments.js';
import * as format from './text/format.js';

interface LinearCommandOptions {
  readonly model?: string;
  readonly set: string[];
  readonly at?: string;
  readonly rest?: boolean;
  readonly input: string[];
  readonly output: string[];
  readonly frequencies: string;
  readonly out?: string;
  readonly parameters?: boolean;
  readonly json?: boolean;
}

const MOST_FREQUENCIES = 100_000;

export function linearCommand(): Command {
  const several = (value: string, all: string[]): string[] => [...all, value];
  return new Command('linear')
    .description('linearise a model: state space A, B, C, D, eigenvalues, frequency response; as text, plot and .mat')
    .argument('<model>', 'a model file, a folder with one, or the name of an example')
    .argument('[parameters...]', 'parameters of the model, such as --length 2')
    .option('--at <s>', 'after a run until this instant (default: 0, the start)')
    .option('--rest', 'at a position of rest near the start')
    .option(
      '--input <name>',
      'a joint (force, torque or prescribed motion), body.force.x, body.torque.z; may be repeated',
      several,
      [],
    )
    .option('--output <signal>', 'a signal such as chassis.position.z; may be repeated', several, [])
    .option('--frequencies <from:to:count>', 'of the response, Hz, by equal factors', '0.1:100:200')
    .option('--out <folder>', 'where linear.mat, response.csv and response.svg go (default: out/<model>-linear)')
    .option('--model <export>', 'which model of a file that exports several')
    .option('--set <name=value>', 'set a parameter; may be repeated', several, [])
    .option('--parameters', 'list the parameters of the model and stop')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nContact is what it is at the instant. A prescribed motion enters with its speed and acceleration, B1 and B2 in the file:' +
        '\n  G(s) = C (s - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2' +
        '\n\nExample:\n  tippetop linear quarter-car --input profile --output heave.position --output tyre.force',
    )
    .action(linear);
}

async function linear(typed: string, words: string[], options: LinearCommandOptions): Promise<void> {
  const file = findModel(typed);
  const name = modelName(file) + (options.model ? `-${options.model}` : '');
  const construct = await loadModel(file, options.model);
  const parameters = parametersOf(construct);
  if (options.parameters) {
    console.log(parameterList(name, parameters));
    return;
  }
  if (options.rest && options.at !== undefined)
    throw new ModelError('--at', 'expected one of --at and --rest, got both');
  const at = options.rest ? 'rest' : options.at === undefined ? 0 : instant(options.at);
  const frequencies = frequenciesOf(options.frequencies);
  const model = requireModel(await construct(modelArguments(parameters, words, options.set)), file);
  const found = linearModel(model, { at, inputs: options.input, outputs: options.output });
  const response = frequencyResponse(found, frequencies);
  const folder = options.out ?? join('out', `${name}-linear`);
  await writeBytes(join(folder, 'linear.mat'), linearMat(found, response));
  await writeBytes(join(folder, 'response.csv'), responseCsv(found, response));
  await writeBytes(join(folder, 'response.svg'), responseSvg(found, response));
  if (options.json) {
    console.log(JSON.stringify(jsonOf(found), null, 2));
    return;
  }
  for (const line of textOf(name, found)) console.log(line);
  console.log(`files       ${join(folder, 'linear.mat')}, response.csv, response.svg`);
}

function instant(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value < Infinity)) throw new ModelError('--at', `expected a time ≥ 0 s, got "${text}"`);
  return value;
}

function frequenciesOf(text: string): Float64Array {
  const [from, to, count = 200, ...more] = text.split(':').map(Number);
  if (
    !(from > 0 && to > from && Number.isInteger(count) && count >= 2 && count <= MOST_FREQUENCIES && more.length === 0)
  )
    throw new ModelError(
      '--frequencies',
      `expected from:to:count in Hz, 0 < from < to, as in 0.1:100:200, got "${text}"`,
    );
  return Float64Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));
}

function textOf(
  name: string,
  { t, atRest, states, inputs, outputs, eigenvalues, values, remarks }: LinearModel,
): string[] {
  const figure = (value: number): string => format.number(value, 5);
  const lines = [
    `${name}: linearised ${atRest ? 'at rest' : `at t = ${figure(t)} s`}, ${format.plural(states.length, 'state')}`,
    `states      ${states.map((one) => one.name).join(', ')}`,
    `inputs      ${inputs.map((one) => `${one.name} [${one.unit}]${one.kind === 'motion' ? ', a motion' : ''}`).join('; ')}`,
    `outputs     ${outputs.map((one, i) => `${one.name} = ${figure(values[i])} ${one.unit}`).join('; ')}`,
    'eigenvalues, 1/s',
  ];
  for (const { real, imaginary } of eigenvalues.filter((one) => one.imaginary >= 0)) {
    const size = Math.hypot(real, imaginary);
    lines.push(
      imaginary > 1e-9 * size && imaginary > 0
        ? `  ${figure(real)} ± ${figure(imaginary)} i   ${figure(imaginary / (2 * Math.PI))} Hz, damping ${figure(-real / size)}`
        : `  ${figure(real)}`,
    );
  }
  const fastest = Math.max(...eigenvalues.map(({ real, imaginary }) => Math.hypot(real, imaginary)));
  if (eigenvalues.some(({ real }) => real > 1e-7 * Math.max(fastest, 1e-300)))
    lines.push('  unstable: a small motion grows');
  return [...lines, ...remarks.map((remark) => `note        ${remark}`)];
}

function linearMat(
  { states, inputs, outputs, a, b, c, d, t, values, eigenvalues }: LinearModel,
  response: FrequencyResponse,
): Uint8Array {
  const [n, m, p] = [states.length, inputs.length, outputs.length];
  const { frequencies, real, imaginary } = response;
  const f = frequencies.length;
  const pairs = outputs.flatMap((output, i) =>
    inputs.map((input, k) => ({ i, k, name: `${output.name} / ${input.name}` })),
  );
  const byPair = (list: Float64Array): number[] =>
    Array.from({ length: f }, (_, row) => pairs.map(({ i, k }) => list[(row * p + i) * m + k])).flat();
  const matrices: NamedMatrix[] = [
    { name: 'A', rows: n, columns: n, values: a },
    ...['', '1', '2'].flatMap((order, k): NamedMatrix[] => [
      { name: `B${order}`, rows: n, columns: m, values: b[k] },
      { name: `D${order}`, rows: p, columns: m, values: d[k] },
    ]),
    { name: 'C', rows: p, columns: n, values: c },
    { name: 'time', rows: 1, columns: 1, values: [t] },
    { name: 'y0', rows: p, columns: 1, values },
    { name: 'eigenvalues', rows: n, columns: 2, values: eigenvalues.flatMap((one) => [one.real, one.imaginary]) },
    { name: 'states', texts: states.map((one) => `${one.name} [${one.unit || 1}]`) },
    { name: 'inputs', texts: inputs.map((one) => `${one.name} [${one.unit || 1}]`) },
    { name: 'outputs', texts: outputs.map((one) => `${one.name} [${one.unit || 1}]`) },
    { name: 'frequency', rows: f, columns: 1, values: frequencies },
    { name: 'response_real', rows: f, columns: pairs.length, values: byPair(real) },
    { name: 'response_imag', rows: f, columns: pairs.length, values: byPair(imaginary) },
    { name: 'response_names', texts: pairs.map((pair) => pair.name) },
  ];
  return matrixFile(matrices);
}

function responseCsv({ inputs, outputs }: LinearModel, { frequencies, real, imaginary }: FrequencyResponse): string {
  const [m, p] = [inputs.length, outputs.length];
  const pairs = outputs.flatMap((output, i) => inputs.map((input, k) => ({ i, k, output, input })));
  const head = pairs.flatMap(({ output, input }) => {
    const name = `${output.name} / ${input.name}`;
    return [`"|${name}| [${output.unit || 1} per ${input.unit || 1}]"`, `"phase ${name} [rad]"`];
  });
  const lines = [['frequency [Hz]', ...head].join(',')];
  frequencies.forEach((f, row) => {
    const values = pairs.flatMap(({ i, k }) => {
      const at = (row * p + i) * m + k;
      return [Math.hypot(real[at], imaginary[at]), Math.atan2(imaginary[at], real[at])];
    });
    lines.push([f, ...values].join(','));
  });
  return `${lines.join('\r\n')}\r\n`;
}

/** Bode's two plots, in decades: size and phase over the frequency; the first seven pairs */
function responseSvg({ inputs, outputs }: LinearModel, { frequencies, real, imaginary }: FrequencyResponse): string {
  const [m, p] = [inputs.length, outputs.length];
  const pairs = outputs
    .flatMap((output, i) => inputs.map((input, k) => ({ i, k, name: `${output.name} / ${input.name}` })))
    .slice(0, 7);
  const lines = (unit: string, value: (x: number, y: number) => number) =>
    pairs.map(({ i, k, name }) => ({
      name,
      unit,
      times: frequencies,
      values: frequencies.map((_, row) => value(real[(row * p + i) * m + k], imaginary[(row * p + i) * m + k])),
    }));
  const across = 'frequency, Hz';
  const plots = [
    svgPlot(
      lines('size', (x, y) => Math.hypot(x, y)),
      { title: 'size', across, decades: { across: true, up: true } },
    ),
    svgPlot(
      lines('phase, °', (x, y) => (180 * Math.atan2(y, x)) / Math.PI),
      { title: 'phase', across, decades: { across: true } },
    ),
  ];
  const inner = plots.map((plot, i) => plot.replace('<svg ', `<svg y="${310 * i}" `));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 610" width="720" height="610" style="background:#fff;color:#1b2127">${inner.join('')}</svg>\n`;
}

function jsonOf({ a, b, c, d, states, inputs, outputs, values, ...rest }: LinearModel): unknown {
  const table = (list: ArrayLike<number>, columns: number): number[][] =>
    Array.from({ length: columns > 0 ? list.length / columns : 0 }, (_, i) =>
      Array.from({ length: columns }, (_, j) => list[i * columns + j]),
    );
  const m = inputs.length;
  return {
    ...rest,
    states,
    inputs,
    outputs: outputs.map((one, i) => ({ ...one, value: values[i] })),
    A: table(a, states.length),
    B: b.map((one) => table(one, m)),
    C: table(c, states.length),
    D: d.map((one) => table(one, m)),
  };
}
