// Strip 0.125 × 0.003: projected Gm by a program of its own 9.60666, −0.100416, 0.016905; a beam has 6/(5 L) = 9.6, −1/10, 2 L/15 = 0.0166667
import { expect, test } from 'vitest';
import { PlanePart } from './fem/plane-part.js';
import { interfaceAt } from './interfaces.js';
import { membranesOf } from './membrane.js';
import { stripMesh } from './mesh/strip.js';
import { reducePart } from './reduction.js';

test('stress stiffness of a strip under unit pull', () => {
  const mesh = stripMesh([0, -0.0015], [0.125, 0.0015], 40, 2);
  const part = new PlanePart(mesh, { youngsModulus: 20e9, poissonRatio: 0.3, density: 1900, thickness: 1 });
  const ends = [interfaceAt(mesh, [0, 0], 0.003, 'left'), interfaceAt(mesh, [0.125, 0], 0.003, 'right')];
  const axis = { direction: [1, 0], places: [0, 0.125], leastSpan: 0 } as const;
  const [{ matrix, stiffness }] = membranesOf(part, reducePart(part, ends, 0, 0), axis);
  // E A/L, a little more: the ends cannot narrow
  expect(stiffness / ((20e9 * 0.003) / 0.125)).toBeGreaterThan(1);
  expect(stiffness / ((20e9 * 0.003) / 0.125)).toBeLessThan(1.01);
  expect(Math.abs(matrix[4] / 9.60666 - 1)).toBeLessThan(2e-3);
  expect(Math.abs(matrix[5] / -0.100416 - 1)).toBeLessThan(6e-3);
  expect(Math.abs(matrix[8] / 0.016905 - 1)).toBeLessThan(6e-3);
  expect(Math.abs(matrix[0])).toBeLessThan(1e-12);
});
