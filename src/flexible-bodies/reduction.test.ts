// Strip 1 × 0.1 × 0.01 m, steel, T6 40 × 4, both end edges rigid, free: two independent programs.
import { expect, test } from 'vitest';
import { PlanePart } from './fem/plane-part.js';
import { addTo, dot, unstrained } from './fem/rigid-motions.js';
import { interfaceAt } from './interfaces.js';
import { stripMesh } from './mesh/strip.js';
import { reduceFreePart, reducePart } from './reduction.js';
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

// What a load does beyond the shapes of a free part: K u = f − Σ M r (r · f) − Σ K φ (φ · f)/k, and u neither moves it nor turns it, r · M u = 0
test('inertia relief of a free part', () => {
  const { residual, shapes, stiffness, count } = reduceFreePart(part, 3);
  const { shapes: rigid, masses } = unstrained(part);
  const load = Float64Array.from({ length: part.size }, (_, i) => Math.sin(3 * i + 1));
  const u = load.slice();
  residual(u);
  const [left, own] = [load.slice(), new Float64Array(part.size)];
  for (let k = 0; k < rigid.length; k++) addTo(left, masses[k], -dot(rigid[k], load));
  shapes.forEach((shape, k) => {
    part.applyStiffness(shape, own);
    addTo(left, own, -dot(shape, load) / stiffness[k * (count + 1)]);
  });
  part.applyStiffness(u, own);
  const most = load.reduce((largest, f) => Math.max(largest, Math.abs(f)), 0);
  // K is conditioned like 1e7
  for (let i = 0; i < part.size; i++) expect(Math.abs(own[i] - left[i])).toBeLessThan(1e-6 * most);
  const size = Math.sqrt(dot(u, u));
  for (const mass of masses) expect(Math.abs(dot(mass, u))).toBeLessThan(1e-9 * size * Math.sqrt(dot(mass, mass)));
});

// ∫ρ X Xᵀ of a plate of b × h × t whose middle plane is 0.02 m from the frame: m (b²/3, h²/12, t²/12 + z²), and m b z/2 across
test('a planar part in space: thickness and the height of its middle plane count', () => {
  const { c00, s0, mass } = shapeIntegrals(part, [], [0, 0, -0.02], IDENTITY, 0.01);
  expect(s0[2] / (mass * 0.02)).toBeCloseTo(1, 12);
  expect(c00[0] / (mass / 3)).toBeCloseTo(1, 12);
  expect(c00[4] / ((mass * 0.1 ** 2) / 12)).toBeCloseTo(1, 12);
  expect(c00[8] / (mass * (0.01 ** 2 / 12 + 0.02 ** 2))).toBeCloseTo(1, 12);
  for (const at of [2, 6]) expect(c00[at] / (mass * 0.5 * 0.02)).toBeCloseTo(1, 12);
});

// Held at one end alone its coordinates are natural modes: D = 2 ζ ω M, ζ = 1 % up to 5 ω₁, then rising to 5 % at the last
test('damping where none is given', () => {
  const { mass, damping, frequencies, count } = reducePart(part, ends.slice(0, 1), 0, 12);
  const [from, last] = [5 * frequencies[0], frequencies[count - 1]];
  for (let k = 0; k < count; k++) {
    const ratio = damping[k * (count + 1)] / (2 * frequencies[k] * mass[k * (count + 1)]);
    expect(ratio).toBeCloseTo(
      frequencies[k] <= from ? 0.01 : 0.01 + (0.04 * (frequencies[k] - from)) / (last - from),
      9,
    );
  }
});
