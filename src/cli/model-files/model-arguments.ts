/**
 * Options that come from the model: `--slots 8`, `--drive-speed=12`, `--set slots=8`, `--open` and `--no-open` for a boolean.
 *
 * A name that the command has, too, is the command's. A figure of the run that a model asks for by the same name (`--stop`,
 * `--step`) is meant for both and reaches both; what means something else (`--force`, `--out`) is set by `--set force=150`.
 */
import { ModelError } from '../../errors.js';
import { kebabCase, type Parameter, type ParameterValue, parameterValues } from '../../model/parameters.js';

/**
 * Reads the words that the command itself does not know as parameters of the model.
 *
 * @param settings of --set, name=value
 * @param own      options of the command that take no figure of the run, such as --force
 * @throws ModelError on a word that is no option, an option without value, an unknown parameter
 */
export function modelArguments(
  parameters: readonly Parameter[],
  words: readonly string[],
  settings: readonly string[] = [],
  own: readonly string[] = [],
): Record<string, ParameterValue> {
  const texts: [string, string][] = settings.map((setting) => {
    const cut = setting.indexOf('=');
    if (cut < 1) throw new ModelError('--set', `expected name=value, got "${setting}"`);
    return [setting.slice(0, cut), setting.slice(cut + 1)];
  });
  for (let i = 0; i < words.length; i++) {
    const match = /^--([\w-]+)(?:=(.*))?$/s.exec(words[i]);
    if (!match) {
      const taken = parameters.find(({ name }) => own.includes(`--${kebabCase(name)}`));
      const hint = taken
        ? `; --${kebabCase(taken.name)} is an option of the command, the model's is set by --set ${taken.name}=${words[i]}`
        : '';
      throw new ModelError('command line', `expected an option such as --name value, got "${words[i]}"${hint}`);
    }
    const [, name, text] = match;
    const known = parameters.find((parameter) => parameter.name === name || kebabCase(parameter.name) === name);
    const next = words[i + 1];
    const negated = known
      ? undefined
      : parameters.find(
          (parameter) => typeof parameter.default === 'boolean' && `no-${kebabCase(parameter.name)}` === name,
        );
    if (negated && text === undefined) {
      texts.push([negated.name, 'false']);
      continue;
    }
    if (text !== undefined) texts.push([name, text]);
    else if (typeof known?.default === 'boolean' && next !== 'true' && next !== 'false') texts.push([name, 'true']);
    else if (next === undefined || /^--[a-z]/i.test(next)) {
      parameterValues(parameters, [[name, '0']]); // an unknown name is the better complaint
      throw new ModelError(`--${name}`, 'expected a value behind it, got nothing');
    } else {
      texts.push([name, next]);
      i++;
    }
  }
  return parameterValues(parameters, texts);
}

/** Lines for --help: the model's parameters with defaults and comments. */
export function parameterHelp(parameters: readonly Parameter[], own: readonly string[] = []): string[] {
  const options = parameters.map(({ name }) =>
    own.includes(`--${kebabCase(name)}`) ? `--set ${name}=<value>` : `--${kebabCase(name)} <value>`,
  );
  const width = Math.max(0, ...options.map((option) => option.length));
  return parameters.map(({ defaultText, comment }, i) => {
    const meaning = [comment, defaultText && `(default: ${defaultText})`].filter(Boolean).join(' ');
    return `  ${options[i].padEnd(width)}  ${meaning}`.trimEnd();
  });
}

/** What `--parameters` of a command prints. @param name of the model */
export const parameterList = (name: string, parameters: readonly Parameter[], own: readonly string[] = []): string =>
  parameters.length > 0 ? parameterHelp(parameters, own).join('\n') : `${name} has no parameters`;
