// Stress states of known principal stresses: uniaxial, pure shear (±τ), and R diag(s) Rᵀ of any orientation
import { expect, test } from 'vitest';
import { planeExtremes, type StressExtremes, solidExtremes, solidMises, solidPrincipals } from './stress.js';

const found = (): StressExtremes => ({ mises: 0, node: 0, major: 0, minor: 0 });

/** Axes of a turn by quaternion (w, x, y, z), row by row */
function turn([w, x, y, z]: readonly number[]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
/** σx, σy, σz, τxy, τyz, τzx of principal stresses along turned axes */
function stressOf(principal: readonly number[], quaternion: readonly number[]): number[] {
  const r = turn(quaternion);
  const at = (i: number, j: number): number => principal.reduce((sum, s, k) => sum + s * r[i][k] * r[j][k], 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(1, 2), at(2, 0)];
}

test('a solid: principal stresses in whatever axes; von Mises by their differences', () => {
  const principal = [7, -2, 3];
  const s = stressOf(principal, [0.5, 0.1, -0.7, Math.sqrt(0.25)]);
  const [major, minor] = solidPrincipals(s, 0);
  // rounding of 3 × 3 products
  expect(major).toBeCloseTo(7, 12);
  expect(minor).toBeCloseTo(-2, 12);
  expect(solidMises(s, 0)).toBeCloseTo(Math.sqrt((9 ** 2 + 5 ** 2 + 4 ** 2) / 2), 12);
});

// Nodes are passed over where no eigenvalue can lie beyond what was found: in shear it lies beyond all that stands on the diagonal
test('extremes over nodes: shear counts beside what pulls and presses', () => {
  const pulled = [6, 0, 0, 0, 0, 0];
  const pressed = [0, -4, 0, 0, 0, 0];
  for (const shear of [3, 4, 5]) {
    const sheared = [0, 0, 0, 0, 0, 0];
    sheared[shear] = -9;
    const extremes = (...nodes: number[][]): StressExtremes => {
      const out = found();
      solidExtremes(Float64Array.from(nodes.flat()), out);
      return out;
    };
    const all = extremes(pulled, pressed, sheared);
    expect(all.major).toBeCloseTo(9, 12);
    expect(all.minor).toBeCloseTo(-9, 12);
    expect(all.node).toBe(2);
    expect(all.mises).toBeCloseTo(9 * Math.sqrt(3), 12);
    // in one direction alone, beside what is pulled or pressed more
    expect(extremes([20, 0, 0, 0, 0, 0], sheared).minor).toBeCloseTo(-9, 12);
    expect(extremes([0, -20, 0, 0, 0, 0], sheared).major).toBeCloseTo(9, 12);
  }
  // and one after the other in both directions
  const out = found();
  solidExtremes(Float64Array.from([...pulled, ...stressOf([5, -5, 1], [0.5, 0.5, 0.5, 0.5]), ...pressed]), out);
  expect([out.major, out.minor].map((x) => Number(x.toFixed(12)))).toEqual([6, -5]);
});

test('in the plane: the largest von Mises stress, with σz = ν (σx + σy) where that is held', () => {
  const out = found();
  const field = Float64Array.from([4, 4, 0, 3.9, 0, 0]);
  planeExtremes(field, 0, out);
  expect(out).toMatchObject({ node: 0, mises: 4, major: 4, minor: 0 });
  // even stress in plane strain: (1 − 2 ν) σ; uniaxial √(1 − ν + ν²) σ
  planeExtremes(field, 0.3, out);
  expect(out.node).toBe(1);
  expect(out.mises).toBeCloseTo(3.9 * Math.sqrt(0.79), 12);
});
