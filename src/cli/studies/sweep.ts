/** `tippetop sweep`: parameters over ranges, a look at outputs, without a file. */
import { join } from 'node:path';
import { Command } from 'commander';
import { ModelError } from '../../errors.js';
import { kebabCase, type Parameter, parametersOf, parameterValues } from '../../model/parameters.js';
import { type StudyOptions, study } from '../../model/study.js';
import { findModel, loadModel, modelName } from '../../node/model-files/load-model.js';
import { QUESTIONS } from '../../studies/outputs/expression.js';
import { parameterList } from '../model-files/model-arguments.js';
import { runStudy, type StudyRunOptions } from './study.js';

interface SweepOptions extends Omit<StudyRunOptions, 'out'> {
  readonly out: string[];
  readonly into?: string;
  readonly design: string;
  readonly runs?: string;
  readonly stop?: string;
  readonly rtol?: string;
  readonly interval?: string;
  readonly keep?: string;
  readonly model?: string;
  readonly parameters?: boolean;
  readonly seed?: string;
}

const DESIGNS = ['grid', 'latin-hypercube', 'sobol', 'monte-carlo', 'morris', 'sobol-indices'];

export function sweepCommand(): Command {
  return new Command('sweep')
    .description('vary parameters of a model and look at outputs: the short form of a study')
    .argument('<model>', 'a model file, a folder with one, or the name of an example')
    .argument('[parameters...]', 'parameters with ranges: --friction 0.05:0.3:6, --slots 4,6,8, --radius 0.02')
    .option(
      '--out <output>',
      'max:ball.position.z, final:…, period:…, or an expression; may be repeated',
      (value, all: string[]) => [...all, value],
      [],
    )
    .option('--design <kind>', DESIGNS.join(', '), 'grid')
    .option('--runs <number>', 'of designs other than a grid')
    .option('--seed <seed>', 'of random designs')
    .option('--stop <s>', 'end of each run')
    .option('--rtol <number>', 'relative tolerance')
    .option('--interval <s>', 'time between recorded rows, which outputs see')
    .option('--into <folder>', 'where the results go (default: out/<model>-sweep)')
    .option('--keep <which>', 'recordings that are kept: all, none, failures')
    .option('--model <export>', 'which model of a file that exports several')
    .option('--jobs <number>', 'processes of this machine (default: one per processor)')
    .option('--queue <url>', 'have workers of other machines compute')
    .option('--parameters', 'list the parameters of the model and stop')
    .option('--force', 'write over the results of another study')
    .option('--quiet', 'nothing about the progress')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nA range is from:to:steps, with "log" behind it for equal factors (1:100:5:log); of a vector the length is taken.' +
        '\n\nExample:\n  tippetop sweep pendulum --length 0.5:2:4 --out period:pivot.angle',
    )
    .action(sweep);
}

async function sweep(typed: string, words: string[], options: SweepOptions): Promise<void> {
  const file = findModel(typed);
  const parameters = parametersOf(await loadModel(file, options.model));
  if (options.parameters) {
    console.log(parameterList(modelName(file), parameters));
    return;
  }
  if (!DESIGNS.includes(options.design))
    throw new ModelError('--design', `expected one of ${DESIGNS.join(', ')}, got "${options.design}"`);
  if (options.out.length === 0)
    throw new ModelError('--out', 'expected at least one output, such as --out max:ball.position.z');
  const number = (text: string | undefined, option: string): number | undefined => {
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!(value > 0)) throw new ModelError(option, `expected a number > 0, got "${text}"`);
    return value;
  };
  const runs = number(options.runs, '--runs');
  const counted =
    options.design === 'sobol-indices' ? 'samples' : options.design === 'morris' ? 'trajectories' : 'runs';
  if (options.design !== 'grid' && runs === undefined && options.design !== 'morris')
    throw new ModelError(
      '--runs',
      `expected a number of ${counted} for the design "${options.design}", such as --runs 64`,
    );
  const specs = ranges(parameters, words);
  const outputs = options.out.map(outputOf);
  const simulation = {
    ...(options.stop !== undefined && { stop: number(options.stop, '--stop')! }),
    ...(options.rtol !== undefined && { rtol: number(options.rtol, '--rtol')! }),
    ...(options.interval !== undefined && { interval: number(options.interval, '--interval')! }),
  };
  const made = study({
    model: file,
    ...(options.model !== undefined && { export: options.model }),
    parameters: specs,
    design: {
      kind: options.design,
      ...(options.design !== 'grid' && runs !== undefined && { [counted]: runs }),
    } as NonNullable<StudyOptions['design']>,
    outputs: Object.fromEntries(outputs),
    simulation,
    ...(options.keep !== undefined && { keep: options.keep as 'all' }),
    ...(options.seed !== undefined && { seed: options.seed }),
  });
  const name = `${modelName(file)}-sweep`;
  await runStudy(made, file, name, { ...options, out: options.into ?? join('out', name) });
}

/** `max:ball.position.z` → ['max_ball_position_z', "max('ball.position.z')"]; an expression stays one */
function outputOf(text: string, i: number): [name: string, expression: string] {
  const match = /^(\w+):(.+)$/.exec(text);
  if (!match) return [`out${i + 1}`, text];
  const [, question, signal] = match;
  if (!Object.hasOwn(QUESTIONS, question))
    throw new ModelError('--out', `there is no question "${question}"; there are ${Object.keys(QUESTIONS).join(', ')}`);
  return [`${question}_${signal.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`, `${question}('${signal}')`];
}

/** `--friction 0.05:0.3:6 --slots=4,6` as the parameters of a study */
function ranges(parameters: readonly Parameter[], words: readonly string[]): StudyOptions['parameters'] {
  const specs: Record<string, StudyOptions['parameters'][string]> = {};
  for (let i = 0; i < words.length; i++) {
    const match = /^--([\w-]+)(?:=(.*))?$/s.exec(words[i]);
    if (!match)
      throw new ModelError('command line', `expected an option such as --friction 0.05:0.3:6, got "${words[i]}"`);
    const [, given, inline] = match;
    const text = inline ?? words[++i];
    if (text === undefined)
      throw new ModelError(`--${given}`, 'expected a range from:to:steps, a list or a value behind it, got nothing');
    const known = parameters.find(({ name }) => name === given || kebabCase(name) === given);
    if (!known) {
      parameterValues(parameters, [[given, '0']]); // says which there are
      continue;
    }
    specs[known.name] = specOf(text, known, given);
  }
  return specs;
}

function specOf(text: string, known: Parameter, given: string): StudyOptions['parameters'][string] {
  const value = (part: string) => parameterValues([known], [[known.name, part]])[known.name];
  const parts = text.split(':');
  if (parts.length >= 2 && typeof known.default !== 'string') {
    const [from, to, steps] = parts.map(Number);
    const scale = parts[3] ?? (parts[2] === 'log' || parts[2] === 'linear' ? parts[2] : undefined);
    const count = parts[2] === undefined || parts[2] === scale ? undefined : steps;
    if (
      ![from, to].every(Number.isFinite) ||
      (count !== undefined && !(Number.isInteger(count) && count >= 1)) ||
      (scale !== undefined && scale !== 'log' && scale !== 'linear') ||
      parts.length > 4
    )
      throw new ModelError(
        `--${given}`,
        `expected from:to or from:to:steps, as in 0.05:0.3:6 or 1:100:5:log, got "${text}"`,
      );
    return { from, to, ...(count !== undefined && { steps: count }), ...(scale && { scale }) };
  }
  if (text.includes(',')) return text.split(',').map(value);
  return value(text);
}
