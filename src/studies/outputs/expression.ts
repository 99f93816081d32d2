/**
 * Outputs as expressions: arithmetic over questions to the recording.
 *
 *   max('ball.position.z')                  over the whole run
 *   mean('wheel.contact.force', 2, 5)       from 2 to 5 s; of a vector its length
 *   at('pivot.angle', 0.5)                  at an instant
 *   1000 * (final('bob.position.x') - start)     parameters and outputs written before by their names
 *
 * Plain data: a text can do no more than this, so that a study may come from anywhere.
 */
import { ModelError, suggestion } from '../../errors.js';
import { cos, exp, log, pow, sin, tan } from '../../math/elementary.js';
import type { Recording } from '../../results/recording.js';
import { findSignal, integralOf, meanOf, periodOf, signalOf, upwardCrossings, windowOf } from './signal-questions.js';

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'operation'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'negation'; readonly of: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly Expression[]; readonly at: number };

/** What there is when an expression is evaluated */
export interface Known {
  readonly recording: Recording;
  /** Parameters, and outputs before this one */
  readonly values: Readonly<Record<string, unknown>>;
}

interface Question {
  /** How it is written, for errors and help */
  readonly form: string;
  readonly numbers: readonly [least: number, most: number];
  /** Unit of the answer by that of the signal */
  readonly unit: (unit: string) => string;
  readonly ask: (recording: Recording, name: string, numbers: readonly number[]) => number;
}

const same = (unit: string): string => unit;
const seconds = (): string => 's';
const bare = (): string => '';
const ALWAYS = [-Infinity, Infinity] as const;
const cut = (recording: Recording, name: string, [from, to]: readonly number[] = ALWAYS) =>
  from === undefined ? signalOf(recording, name) : windowOf(signalOf(recording, name), from, to ?? Infinity);
const overWindow = (
  name: string,
  ask: (signal: ReturnType<typeof cut>) => number,
  unit: Question['unit'] = same,
): Question => ({
  form: `${name}('signal') or ${name}('signal', from, to)`,
  numbers: [0, 2],
  unit,
  ask: (recording, signal, numbers) => ask(cut(recording, signal, numbers)),
});

export const QUESTIONS: Readonly<Record<string, Question>> = {
  max: overWindow('max', (signal) => signal.max()),
  min: overWindow('min', (signal) => signal.min()),
  mean: overWindow('mean', (signal) => meanOf(signal)),
  rms: overWindow('rms', (signal) => Math.sqrt(meanOf(signal, (x) => x * x))),
  deviation: overWindow('deviation', (signal) => {
    const mean = meanOf(signal);
    return Math.sqrt(meanOf(signal, (x) => (x - mean) * (x - mean)));
  }),
  span: overWindow('span', (signal) => signal.max() - signal.min()),
  integral: overWindow(
    'integral',
    (signal) => integralOf(signal),
    (unit) => (unit ? `${unit} s` : 's'),
  ),
  period: overWindow('period', periodOf, seconds),
  timeOfMax: overWindow('timeOfMax', (signal) => signal.times[signal.argmax()] ?? Number.NaN, seconds),
  timeOfMin: overWindow('timeOfMin', (signal) => signal.times[signal.argmin()] ?? Number.NaN, seconds),
  final: {
    form: "final('signal')",
    numbers: [0, 0],
    unit: same,
    ask: (run, name) => signalOf(run, name).at(-1) ?? Number.NaN,
  },
  first: {
    form: "first('signal')",
    numbers: [0, 0],
    unit: same,
    ask: (run, name) => signalOf(run, name).at(0) ?? Number.NaN,
  },
  at: {
    form: "at('signal', time)",
    numbers: [1, 1],
    unit: same,
    ask: (run, name, [t]) => signalOf(run, name).valueAt(t),
  },
  crossing: {
    form: "crossing('signal', level) or crossing('signal', level, n): when it passes a level upwards, the n-th time",
    numbers: [1, 2],
    unit: seconds,
    ask: (run, name, [level, n = 1]) => upwardCrossings(signalOf(run, name), level)[n - 1] ?? Number.NaN,
  },
  eventTime: {
    form: "eventTime('event') or eventTime('event', n)",
    numbers: [0, 1],
    unit: seconds,
    ask: (run, name, [n = 1]) => run.events.filter((event) => event.name === name)[n - 1]?.time ?? Number.NaN,
  },
  events: {
    form: "events('event'): how often it came",
    numbers: [0, 0],
    unit: bare,
    ask: (run, name) => run.events.filter((event) => event.name === name).length,
  },
};
const ABOUT_EVENTS = new Set(['eventTime', 'events']);

const FUNCTIONS: Readonly<Record<string, (...x: number[]) => number>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  max: Math.max,
  min: Math.min,
};

/**
 * Reads an expression.
 *
 * @param path where it stands in the study, e.g. `outputs.peak`
 * @throws ModelError with the character where it is none
 */
export function parseExpression(text: string, path: string): Expression {
  const words = wordsOf(text, path);
  let next = 0;
  const here = (): Word | undefined => words[next];
  const refuse = (what: string): never => {
    const word = here();
    throw new ModelError(
      path,
      `expected ${what}, got ${word ? `"${word.text}" at character ${word.at + 1}` : 'the end'} of "${text}"`,
    );
  };
  const taken = (mark: string): boolean => {
    if (here()?.kind !== 'mark' || here()?.text !== mark) return false;
    next++;
    return true;
  };
  const sum = (): Expression => {
    let left = product();
    for (;;) {
      const operator = taken('+') ? '+' : taken('-') ? '-' : undefined;
      if (!operator) return left;
      left = { kind: 'operation', operator, left, right: product() };
    }
  };
  const product = (): Expression => {
    let left = signed();
    for (;;) {
      const operator = taken('*') ? '*' : taken('/') ? '/' : undefined;
      if (!operator) return left;
      left = { kind: 'operation', operator, left, right: signed() };
    }
  };
  const signed = (): Expression => (taken('-') ? { kind: 'negation', of: signed() } : power());
  const power = (): Expression => {
    const left = operand();
    return taken('^') ? { kind: 'operation', operator: '^', left, right: signed() } : left;
  };
  const operand = (): Expression => {
    const word = here();
    if (word?.kind === 'number') {
      next++;
      return { kind: 'number', value: Number(word.text) };
    }
    if (word?.kind === 'text') {
      next++;
      return { kind: 'text', value: word.text };
    }
    if (word?.kind === 'name') {
      next++;
      if (!taken('(')) return { kind: 'name', name: word.text, at: word.at };
      const parts: Expression[] = [];
      if (!taken(')')) {
        do parts.push(sum());
        while (taken(','));
        if (!taken(')')) refuse('"," or ")"');
      }
      return { kind: 'call', name: word.text, parts, at: word.at };
    }
    if (taken('(')) {
      const inside = sum();
      if (!taken(')')) refuse('")"');
      return inside;
    }
    return refuse('a number, a name, a question such as max(…), or "("');
  };
  const expression = sum();
  if (next < words.length) refuse('an operator or the end');
  if (expression.kind === 'text')
    throw new ModelError(path, `is only a text; ask something of it, as in max('${expression.value}')`);
  return expression;
}

interface Word {
  readonly kind: 'number' | 'text' | 'name' | 'mark';
  readonly text: string;
  readonly at: number;
}

function wordsOf(text: string, path: string): Word[] {
  const words: Word[] = [];
  const pattern =
    /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|'([^']*)'|"([^"]*)"|([A-Za-z_][\w]*)|([-+*/^(),]))/y;
  for (;;) {
    const at = pattern.lastIndex;
    const rest = text.slice(at);
    if (rest.trim() === '') return words;
    const match = pattern.exec(text);
    const begin = at + rest.length - rest.trimStart().length;
    if (!match) {
      const hint = /^\s*['"]/.test(rest) ? '; a quote is never closed' : '';
      throw new ModelError(
        path,
        `expected an expression, got "${text.slice(begin)}" at character ${begin + 1} of "${text}"${hint}`,
      );
    }
    const [, number, single, double, name, mark] = match;
    if (number !== undefined) words.push({ kind: 'number', text: number, at: begin });
    else if (name !== undefined) words.push({ kind: 'name', text: name, at: begin });
    else if (mark !== undefined) words.push({ kind: 'mark', text: mark, at: begin });
    else words.push({ kind: 'text', text: single ?? double, at: begin });
  }
}

/** What an expression may name */
export interface Names {
  /** A recording of the model, perhaps empty: its signals count */
  readonly recording: Recording;
  readonly events: readonly string[];
  /** Parameters that are numbers, and outputs before this one, with their units */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Checks every name in an expression.
 *
 * @returns its unit, where it is told: that of a single question, scaled or not
 * @throws ModelError with what there is instead
 */
export function checkExpression(expression: Expression, names: Names, path: string): string {
  switch (expression.kind) {
    case 'number':
      return '';
    case 'text':
      throw new ModelError(path, `"${expression.value}" is a text where a number is expected`);
    case 'name': {
      const { name } = expression;
      if (Object.hasOwn(names.values, name)) return names.values[name];
      if (Object.hasOwn(QUESTIONS, name))
        throw new ModelError(path, `expected ${QUESTIONS[name].form}, got "${name}" alone`);
      throw new ModelError(
        path,
        `there is no parameter or output "${name}"${suggestion(name, Object.keys(names.values)) || (names.recording.has(name) ? `; a signal is asked, as in max('${name}')` : '')}`,
      );
    }
    case 'negation':
      return checkExpression(expression.of, names, path);
    case 'operation': {
      const left = checkExpression(expression.left, names, path);
      const right = checkExpression(expression.right, names, path);
      if (expression.operator === '+' || expression.operator === '-') return left === right ? left : '';
      if (expression.operator === '*') return left === '' ? right : right === '' ? left : '';
      return expression.operator === '/' && right === '' ? left : '';
    }
    case 'call':
      return checkCall(expression, names, path);
  }
}

function checkCall({ name, parts }: Extract<Expression, { kind: 'call' }>, names: Names, path: string): string {
  const [asked, ...numbers] = parts;
  const question = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name] : undefined;
  const plain = Object.hasOwn(FUNCTIONS, name);
  if (question && (asked?.kind === 'text' || !plain)) {
    if (asked?.kind !== 'text') throw new ModelError(path, `expected ${question.form}: the name in quotes`);
    if (
      numbers.length < question.numbers[0] ||
      numbers.length > question.numbers[1] ||
      (question.numbers[1] === 2 && question.numbers[0] === 0 && numbers.length === 1)
    )
      throw new ModelError(path, `expected ${question.form}, got ${numbers.length} numbers behind the name`);
    for (const part of numbers) checkExpression(part, names, path);
    if (ABOUT_EVENTS.has(name)) {
      if (!names.events.includes(asked.value))
        throw new ModelError(
          path,
          `the model has no event "${asked.value}"${suggestion(asked.value, names.events) || (names.events.length > 0 ? `; it has ${names.events.join(', ')}` : '; it has none')}`,
        );
      return question.unit('');
    }
    const signal = findSignal(asked.value, names.recording);
    if (!signal)
      throw new ModelError(path, `the model has no signal "${asked.value}"${names.recording.nearest(asked.value)}`);
    return question.unit(signal.unit);
  }
  if (!plain)
    throw new ModelError(
      path,
      `there is no question or function "${name}"${suggestion(name, [...Object.keys(QUESTIONS), ...Object.keys(FUNCTIONS)]) || `; there are ${Object.keys(QUESTIONS).join(', ')}`}`,
    );
  if (parts.length < 1) throw new ModelError(path, `expected ${name}(…) of a number, got nothing`);
  const units = parts.map((part) => checkExpression(part, names, path));
  return ['abs', 'max', 'min'].includes(name) ? units[0] : '';
}

/** The value; NaN where there is none, such as the time of an event that never came */
export function evaluateExpression(expression: Expression, known: Known): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'text':
      return Number.NaN;
    case 'name':
      return Number(known.values[expression.name]);
    case 'negation':
      return -evaluateExpression(expression.of, known);
    case 'operation': {
      const [a, b] = [evaluateExpression(expression.left, known), evaluateExpression(expression.right, known)];
      if (expression.operator === '+') return a + b;
      if (expression.operator === '-') return a - b;
      if (expression.operator === '*') return a * b;
      return expression.operator === '/' ? a / b : pow(a, b);
    }
    case 'call': {
      const [asked, ...rest] = expression.parts;
      if (asked.kind === 'text')
        return QUESTIONS[expression.name].ask(
          known.recording,
          asked.value,
          rest.map((part) => evaluateExpression(part, known)),
        );
      return FUNCTIONS[expression.name](...expression.parts.map((part) => evaluateExpression(part, known)));
    }
  }
}

/** Signals that are asked, vectors as they are named */
export function signalsIn(expression: Expression): string[] {
  if (expression.kind === 'negation') return signalsIn(expression.of);
  if (expression.kind === 'operation') return [...signalsIn(expression.left), ...signalsIn(expression.right)];
  if (expression.kind !== 'call') return [];
  const [asked] = expression.parts;
  const own = asked?.kind === 'text' && !ABOUT_EVENTS.has(expression.name) ? [asked.value] : [];
  return [...own, ...expression.parts.flatMap(signalsIn)];
}
