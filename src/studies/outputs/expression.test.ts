import { describe, expect, test } from 'vitest';
import { Recording } from '../../results/recording.js';
import { checkExpression, evaluateExpression, parseExpression } from './expression.js';

// x = sin 2πt on 2 000 rows over 4 s, v = 2t, a force (3, 4, 12 t)
const recording = new Recording([
  { name: 'x', unit: 'm' },
  { name: 'v', unit: 'm/s' },
  { name: 'f.x', unit: 'N' },
  { name: 'f.y', unit: 'N' },
  { name: 'f.z', unit: 'N' },
]);
for (let i = 0; i <= 2000; i++) {
  const t = (4 * i) / 2000;
  recording.append(t, [Math.sin(2 * Math.PI * t), 2 * t, 3, 4, 12 * t]);
}
recording.addEvent(0.5, 'hit');
recording.addEvent(1.5, 'hit');

const names = { recording, events: ['hit'], values: { length: 'm', period: 's' } };
const value = (text: string): number =>
  evaluateExpression(parseExpression(text, 'outputs.a'), { recording, values: { length: 2, period: 3 } });
const unit = (text: string): string => checkExpression(parseExpression(text, 'outputs.a'), names, 'outputs.a');
const refused =
  (text: string): (() => unknown) =>
  () =>
    unit(text);

describe('questions', () => {
  test.each([
    ["max('v')", 8, 'm/s', 0],
    ["max('v', 0, 1.0003)", 2.0006, 'm/s', 1e-12],
    ["min('x')", -1, 'm', 1e-12],
    ["mean('v', 1, 3)", 4, 'm/s', 1e-12],
    ["rms('x', 0, 4)", Math.SQRT1_2, 'm', 1e-9],
    ["deviation('v', 0, 4)", 4 / Math.sqrt(3), 'm/s', 1e-6],
    ["integral('v')", 16, 'm/s s', 1e-9],
    ["period('x')", 1, 's', 1e-5],
    ["span('v', 1, 2)", 2, 'm/s', 1e-12],
    ["timeOfMax('x', 1, 2)", 1.25, 's', 1e-12],
    ["at('v', 0.3333)", 0.6666, 'm/s', 1e-12],
    ["final('v')", 8, 'm/s', 0],
    ["first('f.z')", 0, 'N', 0],
    ["max('f')", Math.sqrt(25 + 48 * 48), 'N', 1e-9],
    ["crossing('v', 3)", 1.5, 's', 1e-12],
    ["crossing('x', 0.5, 2)", 1 + 1 / 12, 's', 2e-6],
    ["eventTime('hit')", 0.5, 's', 0],
    ["eventTime('hit', 2)", 1.5, 's', 0],
    ["events('hit')", 2, '', 0],
    ['-2 ^ 2 + 3 * (length - 1) / 4', -3.25, '', 1e-15],
    ["1000 * final('v')", 8000, 'm/s', 0],
    ["max(final('v'), 9)", 9, 'm/s', 0],
    ['sqrt(abs(-4)) * exp(0)', 2, '', 0],
    ['period / length', 1.5, '', 0],
  ])('%s', (text, expected, ofUnit, tolerance) => {
    expect(Math.abs(value(text) - expected)).toBeLessThanOrEqual(tolerance);
    expect(unit(text)).toBe(ofUnit);
  });

  test('what did not happen is no number', () => {
    expect(value("eventTime('hit', 3)")).toBeNaN();
    expect(value("crossing('v', 100)")).toBeNaN();
    expect(value("period('v')")).toBeNaN();
  });
});

describe('refused before the first run', () => {
  test.each([
    ["max('v'", 'outputs.a: expected "," or ")", got the end of "max(\'v\'"'],
    ["max('v') 3", 'expected an operator or the end, got "3" at character 10'],
    ["max('w')", 'outputs.a: the model has no signal "w"'],
    ['max(v)', 'there is no parameter or output "v"'],
    ["mx('v')", 'there is no question or function "mx"; did you mean "max"?'],
    ["at('v')", "expected at('signal', time), got 0 numbers behind the name"],
    ["mean('v', 1)", "expected mean('signal') or mean('signal', from, to), got 1 numbers"],
    ["eventTime('hot')", 'the model has no event "hot"; did you mean "hit"?'],
    ['lenght * 2', 'there is no parameter or output "lenght"; did you mean "length"?'],
    ["'v'", "is only a text; ask something of it, as in max('v')"],
    ['2 +', 'expected a number, a name, a question such as max(…), or "(", got the end'],
    ['2 $ 3', 'got "$ 3" at character 3'],
    ["max('v)", 'a quote is never closed'],
    ['', 'got the end of ""'],
    ['constructor(1)', 'there is no question or function "constructor"'],
  ])('%s', (text, message) => {
    expect(refused(text)).toThrow(message);
  });
});
