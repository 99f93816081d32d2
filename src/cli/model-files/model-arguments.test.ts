import { expect, test } from 'vitest';
import { modelArguments } from './model-arguments.js';

const parameters = [
  { name: 'pieces', default: 4, defaultText: '4', comment: '' },
  { name: 'openGate', default: true, defaultText: 'true', comment: '' },
];

test('a boolean is said by its name, by no- before it, or by true and false', () => {
  expect(modelArguments(parameters, ['--open-gate', '--pieces', '3'])).toEqual({ openGate: true, pieces: 3 });
  expect(modelArguments(parameters, ['--no-open-gate', '--pieces', '3'])).toEqual({ openGate: false, pieces: 3 });
  expect(modelArguments(parameters, ['--open-gate', 'false'])).toEqual({ openGate: false });
  expect(() => modelArguments(parameters, ['--no-pieces'])).toThrow('no parameter of this name');
});
