import { expect, test } from 'vitest';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { stripMesh } from '../../flexible-bodies/mesh/strip.js';
import { bear } from './bearing.js';
import { planePlaces } from './places.js';

// Statics and modes of a part that is held have the same matrix: it was factored twice
test('one factorisation for statics and modes, which tells how far it is', () => {
  const mesh = stripMesh([0, 0], [0.1, 0.01], 10, 2);
  const part = new PlanePart(mesh, { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850, thickness: 1e-3 });
  const told: string[] = [];
  part.told = (what) => told.push(what);
  let factored = 0;
  const factor = part.factor.bind(part);
  part.factor = (...words) => {
    factored++;
    return factor(...words);
  };
  const { free, ldl } = bear(
    part,
    planePlaces(mesh, 1e-3, () => {}),
    { fix: ['left'], load: ['right=0,-1'] },
    'bar',
  );
  const { frequencies } = part.modes(2, free, 0, ldl);
  expect(factored).toBe(1);
  expect(told.at(-1)).toBe('modes');
  // Bernoulli, first mode 1.875104² √(E I/(ρ A L⁴)); shear and turning make it 1 % slower
  const beam = 1.875104 ** 2 * Math.sqrt((210e9 * 0.01 ** 2) / 12 / (7850 * 0.1 ** 4));
  expect(frequencies[0] / beam).toBeGreaterThan(0.985);
  expect(frequencies[0] / beam).toBeLessThan(1);
});
