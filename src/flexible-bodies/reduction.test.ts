// Strip 1 × 0.1 × 0.01 m, steel, T6 40 × 4, both end edges rigid, free: two independent programs.
import { expect, test } from 'vitest';
import { PlanePart } from './fem/plane-part.js';
import { interfaceAt } from './interfaces.js';
import { stripMesh } from './mesh/strip.js';
import { reducePart } from './reduction.js';
import { shapeIntegrals } from './shape-integrals.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850, thickness: 0.01 };
const part = new PlanePart(stripMesh([0, -0.05], [1, 0.05], 40, 4), steel);
const ends = [interfaceAt(part.mesh, [0, 0], 0.025, 'left'), interfaceAt(part.mesh, [1, 0], 0.025, 'right')];
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

test('Craig–Bampton frequencies of a free strip', () => {
  const expected = { 0: 621.8706, 1: 517.0652, 2: 517.0652, 4: 514.3413, 6: 513.9503, 8: 513.9503, 12: 513.8525 };
  for (const [modes, first] of Object.entries(expected)) {
    const { frequencies, heldFrequencies } = reducePart(part, ends, -1, Number(modes));
    // the square roots of rounded zeros
    for (let k = 0; k < 3; k++) expect(frequencies[k]).toBeLessThan(1e-2 * frequencies[3]);
    expect(Math.abs(frequencies[3] / (2 * Math.PI) / first - 1)).toBeLessThan(2e-7);
    if (modes === '6')
      [500.427, 1284.823, 2326.947, 2592.015, 3540.807, 4872.096].forEach((f, k) => {
        expect(Math.abs(heldFrequencies[k] / (2 * Math.PI) / f - 1)).toBeLessThan(1.1e-6);
      });
  }
});

test('mass, centre and inertia from the mass matrix, and Mff from the shapes', () => {
  const { shapes, mass, count } = reducePart(part, ends, 0, 3);
  const integrals = shapeIntegrals(part, shapes, [0, 0, 0], IDENTITY);
  expect(integrals.mass).toBeCloseTo(7.85, 12);
  expect(integrals.s0[0]).toBeCloseTo(3.925, 12);
  const about = integrals.c00[0] + integrals.c00[4] - integrals.s0[0] ** 2 / integrals.mass;
  expect(about).toBeCloseTo(0.66070833333, 10);
  for (let k = 0; k < count; k++)
    for (let l = 0; l < count; l++) {
      const at = 9 * (k * count + l);
      const trace = integrals.c[at] + integrals.c[at + 4] + integrals.c[at + 8];
      expect(Math.abs(trace - mass[k * count + l])).toBeLessThan(1e-12 * integrals.mass);
    }
});
