import { beforeAll, expect, test } from 'vitest';
import { studioTypes } from '../../../scripts/studio-types.mjs';
import { ProgramTypes } from './program-types.js';

let types: ProgramTypes;
beforeAll(() => {
  types = new ProgramTypes(studioTypes());
});

const HEAD = "import { body, model, sphere, steel } from 'tippetop';\n";
const labels = (text: string): string[] => {
  const at = text.indexOf('|');
  return types.completions(text.replace('|', ''), at).names.map(({ label }) => label);
};

test('names of the package are known where they are imported', () => {
  const text = "import { sph| } from 'tippetop';";
  expect(labels(text)).toEqual(expect.arrayContaining(['sphere', 'model', 'body', 'revolute']));
  const { from } = types.completions(text.replace('|', ''), text.indexOf('|'));
  expect(from).toBe(text.indexOf('sph'));
}, 30_000);

test('fields of a body are known inside of it', () => {
  const found = labels(`${HEAD}export default () => model({ bodies: { a: body({ shape: sphere(1), | }) } });`);
  expect(found).toEqual(expect.arrayContaining(['material', 'position', 'velocity', 'fixed']));
  expect(found).not.toContain('window'); // nothing of the browser's: a program has none
}, 30_000);

test('what does not fit is told at its place; what is right is not', () => {
  const text = `${HEAD}export default () => model({ bodies: { a: body({ shape: sphere(1), materail: steel }) } });`;
  const [mistake] = types.mistakes(text);
  expect(text.slice(mistake.from, mistake.to)).toBe('materail');
  expect(mistake.text).toMatch(/materail/);
  expect(types.mistakes(text.replace('materail', 'material'))).toEqual([]);
}, 30_000);

test('a function tells its type and what it is for', () => {
  const text = `${HEAD}export default () => model({ bodies: { a: body({ shape: sphere(1), material: steel }) } });`;
  const told = types.tell(text, text.lastIndexOf('sphere') + 2);
  expect(told?.type).toContain('radius: number');
  expect(told?.text).not.toBe('');
}, 30_000);
