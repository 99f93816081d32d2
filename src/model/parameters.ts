/**
 * The parameters of a model file, read from the function it exports:
 *
 *   export default ({ slots = 6, radius = 0.02 /* m *\/ } = {}) => …
 *
 * has the parameters slots (default 6) and radius (default 0.02, "m"). Names, defaults and comments become command-line
 * options, so that a model says everything once. The function's own text is parsed; nothing is run.
 */
import {
  type ArrowFunctionExpression,
  type Comment,
  type Expression,
  type FunctionExpression,
  type Pattern,
  parseExpressionAt,
} from 'acorn';
import { ModelError, suggestion } from '../errors.js';

export type ParameterValue = number | string | boolean;

export interface Parameter {
  readonly name: string;
  /** Undefined when the default is computed when the model is built, or there is none. */
  readonly default: ParameterValue | undefined;
  /** The default as written. */
  readonly defaultText: string;
  /** The comment behind the default: unit or explanation. */
  readonly comment: string;
}

// biome-ignore lint/suspicious/noExplicitAny: any function may be asked
export type ModelFunction = (parameters?: any) => unknown;

/** Parameters of a model function, in the order written. Empty if its argument is not destructured. */
export function parametersOf(build: ModelFunction): Parameter[] {
  // A method such as `model({ a = 1 }) {}` is only an expression with `function` before it.
  const text = build.toString();
  const comments: Comment[] = [];
  let parsed: Expression | undefined;
  let source = '';
  for (const candidate of [text, `function ${text}`, `async function ${text.replace(/^async\s+/, '')}`]) {
    comments.length = 0;
    source = candidate;
    try {
      parsed = parseExpressionAt(candidate, 0, { ecmaVersion: 'latest', onComment: comments });
      if (isFunction(parsed)) break;
    } catch {
      // next way of reading it
    }
  }
  if (!parsed || !isFunction(parsed)) return [];
  const pattern = withoutDefault(parsed.params[0]);
  if (pattern?.type !== 'ObjectPattern') return [];

  const parameters: Parameter[] = [];
  pattern.properties.forEach((property, i) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return;
    const until = pattern.properties[i + 1]?.start ?? pattern.end;
    const comment = comments.find(({ start }) => start >= property.end && start < until);
    const value = property.value.type === 'AssignmentPattern' ? property.value.right : undefined;
    parameters.push({
      name: property.key.name,
      default: value && constant(value),
      defaultText: value ? source.slice(value.start, value.end) : '',
      comment: comment?.value.trim() ?? '',
    });
  });
  return parameters;
}

const isFunction = (node: Expression): node is ArrowFunctionExpression | FunctionExpression =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';

const withoutDefault = (pattern: Pattern | undefined): Pattern | undefined =>
  pattern?.type === 'AssignmentPattern' ? pattern.left : pattern;

/** Value of a literal, a signed literal, or + − × ÷ of such; undefined for anything that needs running. */
function constant(node: Expression): ParameterValue | undefined {
  if (node.type === 'Literal')
    return typeof node.value === 'number' || typeof node.value === 'string' || typeof node.value === 'boolean'
      ? node.value
      : undefined;
  if (node.type === 'UnaryExpression') {
    const value = constant(node.argument);
    if (node.operator === '-' && typeof value === 'number') return -value;
    return node.operator === '+' && typeof value === 'number' ? value : undefined;
  }
  if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier') {
    const a = constant(node.left);
    const b = constant(node.right);
    if (typeof a !== 'number' || typeof b !== 'number') return undefined;
    if (node.operator === '*') return a * b;
    if (node.operator === '/') return a / b;
    if (node.operator === '+') return a + b;
    if (node.operator === '-') return a - b;
  }
  return undefined;
}

/** `driveSpeed` and `drive-speed` are the same option. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Turns texts from the command line into parameter values, by the type of each default.
 *
 * @throws ModelError on an unknown name, or a text that is not of the default's type
 */
export function parameterValues(
  parameters: readonly Parameter[],
  texts: Iterable<readonly [name: string, text: string]>,
): Record<string, ParameterValue> {
  const values: Record<string, ParameterValue> = {};
  for (const [given, text] of texts) {
    const parameter = parameters.find(({ name }) => name === given || kebabCase(name) === given);
    if (!parameter) {
      const names = parameters.map(({ name }) => kebabCase(name));
      const known = names.length > 0 ? `its parameters are ${names.join(', ')}` : 'it has no parameters';
      throw new ModelError(
        `--${given}`,
        `the model has no parameter of this name; ${known}${suggestion(given, names)}`,
      );
    }
    values[parameter.name] = parameterValue(parameter, text);
  }
  return values;
}

function parameterValue({ name, default: standard, comment }: Parameter, text: string): ParameterValue {
  const wanted = typeof standard;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (wanted === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new ModelError(`--${kebabCase(name)}`, `expected true or false, got "${text}"`);
  }
  if (wanted === 'string') return text;
  if (Number.isFinite(number)) return number;
  if (wanted === 'number')
    throw new ModelError(
      `--${kebabCase(name)}`,
      `expected a number${comment ? ` (${comment})` : ''}, as in ${standard}, got "${text}"`,
    );
  return text === 'true' ? true : text === 'false' ? false : text;
}
