/** `tippetop explain`: what the numbers of a model mean before it is run: freedom, states, frequencies, stiffness, step. */
import { Command } from 'commander';
import { ModelError } from '../errors.js';
import { explain as explanation } from '../explain/explanation.js';
import { explanationText } from '../explain/text.js';
import { parametersOf } from '../model/parameters.js';
import { findModel, loadModel, modelName, requireModel } from '../node/model-files/load-model.js';
import { matchesGlob } from '../results/signal-glob.js';
import { modelArguments, parameterList } from './model-files/model-arguments.js';
import * as format from './text/format.js';
import { Preparation } from './text/progress.js';

interface ExplainOptions {
  readonly model?: string;
  readonly set: string[];
  readonly signals?: string | true;
  readonly parameters?: boolean;
  readonly json?: boolean;
}

export function explainCommand(): Command {
  return new Command('explain')
    .description('tell what a model is made of and how it moves: freedom, states, natural frequencies, stiffness, step')
    .argument('<model>', 'a model file, a folder with one, or the name of an example')
    .argument('[parameters...]', 'parameters of the model, such as --length 2')
    .option('--signals [glob]', 'list the signals that a run records, with units')
    .option('--model <export>', 'which model of a file that exports several')
    .option('--set <name=value>', 'set a parameter; may be repeated', (value, all: string[]) => [...all, value], [])
    .option('--parameters', 'list the parameters of the model and stop')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText(
      'after',
      "\nExample:\n  tippetop explain quarter-car\n  tippetop explain pendulum --length 2 --signals 'bob.*'",
    )
    .action(explain);
}

async function explain(typed: string, words: string[], options: ExplainOptions): Promise<void> {
  const file = findModel(typed);
  const name = modelName(file) + (options.model ? `-${options.model}` : '');
  const construct = await loadModel(file, options.model);
  const parameters = parametersOf(construct);
  if (options.parameters) {
    console.log(parameterList(name, parameters));
    return;
  }
  const given = modelArguments(parameters, words, options.set);
  const values = Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      given[parameter.name] ?? parameter.default ?? parameter.defaultText,
    ]),
  );
  const built = requireModel(await construct(given), file);
  const preparation = new Preparation();
  const facts = preparation.during(() => explanation(name, built, values, (what) => preparation.show(what)));
  const wanted =
    options.signals === undefined ? () => false : matchesGlob(options.signals === true ? '*' : options.signals);
  const signals = facts.signals.filter((signal) => wanted(signal.name));
  if (options.signals !== undefined && signals.length === 0)
    throw new ModelError('--signals', `no signal matches "${options.signals}"; --signals alone lists all`);

  if (options.json) {
    const listed = options.signals === undefined ? facts.signals.length : signals;
    console.log(JSON.stringify({ ...facts, signals: listed }, null, 2));
  } else if (options.signals !== undefined) {
    const width = Math.max(...signals.map((signal) => signal.name.length));
    const units = Math.max(...signals.map(({ unit }) => unit.length));
    for (const { name: signal, unit, description } of signals)
      console.log(`${signal.padEnd(width)}  ${unit.padEnd(units)}  ${description}`.trimEnd());
    console.log(format.plural(signals.length, 'signal'));
  } else for (const line of explanationText(facts, parameters)) console.log(line);
}
