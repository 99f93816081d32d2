import { expect, test } from 'vitest';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { stripMesh } from '../../flexible-bodies/mesh/strip.js';
import { lowestEigenpairs } from './lanczos.js';

/** Of a diagonal matrix, M = 1 */
function ofDiagonal(entries: readonly number[], count: number) {
  return lowestEigenpairs(
    count,
    entries.length,
    0,
    (x) => {
      for (let i = 0; i < x.length; i++) x[i] /= entries[i];
    },
    (x, out) => out.set(x),
    entries.length,
  );
}

// One vector to start from has one direction of each eigenvalue: of four equal ones two or three were missing, and larger ones in their place
test.each([1, 2, 3, 4, 5, 6, 9, 12, 17, 20])(
  'the %i lowest of a matrix with eigenvalues of one to five directions',
  (count) => {
    // 1; 2, 2; 3, 3, 3; … five times, then simple ones up to 3000, as a mesh has
    const entries = [1, 2, 3, 4, 5].flatMap((value) => new Array<number>(value).fill(value));
    for (let k = 0; k < 200; k++) entries.push(6 + 0.075 * k * k);
    const { values, vectors } = ofDiagonal(entries, count);
    // residuals of 1e-10 leave the values good to their square, so what is left is rounding
    for (let k = 0; k < count; k++) expect(Math.abs(values[k] / entries[k] - 1)).toBeLessThan(1e-12);
    for (let k = 0; k < count; k++)
      for (let l = 0; l <= k; l++) {
        const dot = vectors[k].reduce((sum, x, i) => sum + x * vectors[l][i], 0);
        expect(Math.abs(dot - (k === l ? 1 : 0))).toBeLessThan(1e-9);
      }
  },
);

test('as many as there are, and more than that', () => {
  const entries = [3, 1, 3, 3, 2];
  expect(Array.from(ofDiagonal(entries, 9).values, (value) => value.toFixed(12))).toEqual(
    [1, 2, 3, 3, 3].map((value) => value.toFixed(12)),
  );
});

// A free square swings in pairs: turned by 90° a mode is another one. Of six modes the fifth was the sixth's neighbour, which is 6 % higher
test('modes of a free square: however many are wanted, the lowest', () => {
  const part = new PlanePart(stripMesh([-0.5, -0.5], [0.5, 0.5], 4, 4), {
    youngsModulus: 210e9,
    poissonRatio: 0.3,
    density: 7850,
    thickness: 1e-3,
  });
  const free = new Uint8Array(part.size).fill(1);
  const shift = -2700; // (1 % of √(E/ρ)/L)²
  const all = part.modes(40, free, shift).frequencies;
  let pairs = 0;
  for (let k = 4; k < 30; k++) if (Math.abs(all[k] / all[k - 1] - 1) < 1e-9) pairs++;
  expect(pairs).toBeGreaterThan(5);
  for (let count = 4; count <= 30; count++) {
    const { frequencies } = part.modes(count, free, shift);
    for (let k = 3; k < count; k++) expect(Math.abs(frequencies[k] / all[k] - 1)).toBeLessThan(1e-8);
  }
});
