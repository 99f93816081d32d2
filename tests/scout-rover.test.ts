/** The obstacle course of Buse et al. (2023), §5.2: as many contact shapes as the paper counts, and groups that keep most pairs from being tried. */
import { expect, test } from 'vitest';
import scout from '../examples/scout-rover/scout-rover.model.js';

test('57 contact shapes on the rover, 38 cuboids on the course, and who touches whom', () => {
  const { bodies } = scout();
  const shapes = (of: (name: string) => boolean): number =>
    [...bodies].reduce(
      (sum, [name, { shape }]) => (of(name) && shape !== undefined ? sum + [shape].flat().length : sum),
      0,
    );
  expect(shapes((name) => !name.startsWith('course'))).toBe(57);
  expect(shapes((name) => name.startsWith('course'))).toBe(38);
  const groups = (name: string): readonly string[] =>
    [bodies.get(name)?.contact].flatMap((contact) =>
      typeof contact === 'object' && contact?.touches !== undefined ? [contact.touches].flat() : [],
    );
  expect(groups('module[1]')).toEqual(['course', 'spokes 0', 'spokes 2']);
  expect(groups('spoke[0]')).toEqual(['course', 'module 1']);
});
