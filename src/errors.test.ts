import { expect, test } from 'vitest';
import { FileError, ModelError, suggestion } from './errors.js';

test('a file error says file, place and defect', () => {
  const error = new FileError('part.stl', 'line 12', 'expected "vertex", got "vortex"');
  expect(error.message).toBe('part.stl, line 12: expected "vertex", got "vortex"');
  expect(error).toBeInstanceOf(ModelError);
  expect(new FileError('part.stl', '', 'is empty').message).toBe('part.stl: is empty');
});

test.each([
  ['widht', ['width', 'height'], 'width'], // two neighbours swapped
  ['upperArm', ['upperarm', 'forearm'], 'upperarm'],
  ['slot', ['slots', 'radius'], 'slots'],
  ['x', ['radius', 'slots'], undefined],
  ['anything', [], undefined],
])('for "%s" among %j it suggests %s', (name, known, nearest) => {
  expect(suggestion(name, known)).toBe(nearest === undefined ? '' : `; did you mean "${nearest}"?`);
});
