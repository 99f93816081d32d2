import { describe, expect, test } from 'vitest';
import { parametersOf, parameterValues } from './parameters.js';

/** A function from its text, as a model file would have it: the test runner's own transform drops comments. */
const written = (text: string) => new Function(`return (${text})`)();

describe('parametersOf', () => {
  test('reads names, defaults and comments from an arrow function', () => {
    const build = written(
      "({ slots = 6, radius = 0.02 /* m */, name = 'wheel', closed = true, angle = -Math.PI } = {}) => ({ slots })",
    );
    expect(parametersOf(build)).toEqual([
      { name: 'slots', default: 6, defaultText: '6', comment: '' },
      { name: 'radius', default: 0.02, defaultText: '0.02', comment: 'm' },
      { name: 'name', default: 'wheel', defaultText: "'wheel'", comment: '' },
      { name: 'closed', default: true, defaultText: 'true', comment: '' },
      { name: 'angle', default: undefined, defaultText: '-Math.PI', comment: '' },
    ]);
  });
  test('evaluates arithmetic of literals, and signs', () => {
    const build = ({ a = -3, b = 2 * 1e-3, c = 1 / 4 + 1 }) => [a, b, c];
    expect(parametersOf(build).map((parameter) => parameter.default)).toEqual([-3, 2e-3, 1.25]);
  });
  test.each([
    ['a function', written('function build({ a = 1 } = {}) { return a; }')],
    ['a method', written('{ build({ a = 1 } = {}) { return a; } }').build],
    ['an async method', written('{ async build({ a = 1 } = {}) { return a; } }').build],
    ['an async arrow', written('async ({ a = 1 } = {}) => a')],
  ])('understands %s', (_, build) => {
    expect(parametersOf(build).map(({ name }) => name)).toEqual(['a']);
  });
  test('has none where nothing is destructured', () => {
    expect(parametersOf(() => 1)).toEqual([]);
    expect(parametersOf((parameters: unknown) => parameters)).toEqual([]);
    expect(parametersOf(Math.sin as never)).toEqual([]);
  });
});

describe('parameterValues', () => {
  const parameters = parametersOf(
    written("({ slots = 6, driveSpeed = 6.28 /* rad/s */, closed = false, label = 'x' } = {}) => slots"),
  );
  test('converts by the type of the default, in camel or kebab case', () => {
    const texts = [
      ['slots', '8'],
      ['drive-speed', '1e1'],
      ['closed', 'true'],
      ['label', '7'],
    ] as const;
    expect(parameterValues(parameters, texts)).toEqual({ slots: 8, driveSpeed: 10, closed: true, label: '7' });
  });
  test('an unknown name gets the nearest one', () => {
    expect(() => parameterValues(parameters, [['slot', '8']])).toThrow(
      /no parameter of this name.*did you mean "slots"\?/,
    );
  });
  test('a text that is no number is refused with the unit', () => {
    expect(() => parameterValues(parameters, [['driveSpeed', 'fast']])).toThrow(
      '--drive-speed: expected a number (rad/s), as in 6.28, got "fast"',
    );
    expect(() => parameterValues(parameters, [['slots', '']])).toThrow('expected a number');
    expect(() => parameterValues(parameters, [['closed', '1']])).toThrow('expected true or false');
  });
});
