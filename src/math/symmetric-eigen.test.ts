import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mat3 } from './mat3.js';
import * as mat3 from './mat3.js';
import { random } from './random.js';
import { symmetricEigen } from './symmetric-eigen.js';
import { cross, distance, norm, scale, sub, type Vec3 } from './vec3.js';

const symmetric = (xx: number, yy: number, zz: number, xy: number, yz: number, zx: number): Mat3 => [
  xx,
  xy,
  zx,
  xy,
  yy,
  yz,
  zx,
  yz,
  zz,
];

/** |M v − λ v| for all pairs, and how far the vectors are from a right-handed orthonormal frame; relative to |M|. */
function check(m: Mat3, allowed = 2e-15): void {
  const { values, vectors } = symmetricEigen(m);
  const size = Math.max(...m.map(Math.abs));
  expect(values[0]).toBeLessThanOrEqual(values[1]);
  expect(values[1]).toBeLessThanOrEqual(values[2]);
  // by 1/size first: 1e300 must not overflow in the check
  const unit = m.map((x) => x / size) as unknown as Mat3;
  for (let j = 0; j < 3; j++) {
    const v = mat3.column(vectors, j);
    expect(norm(sub(mat3.apply(unit, v), scale(values[j] / size, v)))).toBeLessThan(allowed);
    expect(Math.abs(norm(v) - 1)).toBeLessThan(2e-15);
  }
  const [a, b, c] = [mat3.column(vectors, 0), mat3.column(vectors, 1), mat3.column(vectors, 2)];
  expect(distance(cross(a, b), c)).toBeLessThan(2e-15);
}

const numbers = (seed: number, size = 1): [number, number, number, number, number, number] => {
  const draw = random(seed);
  return Array.from({ length: 6 }, () => size * draw.uniformBetween(-1, 1)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
};

describe('symmetricEigen', () => {
  test('by hand: 2 and 2 ± √2', () => {
    const { values, vectors } = symmetricEigen(symmetric(2, 2, 2, -1, -1, 0));
    const expected = [2 - Math.SQRT2, 2, 2 + Math.SQRT2];
    for (let i = 0; i < 3; i++) expect(Math.abs(values[i] - expected[i])).toBeLessThan(1e-15);
    // the middle vector is (1, 0, −1)/√2; its first component is made positive
    expect(distance(mat3.column(vectors, 1), [Math.SQRT1_2, 0, -Math.SQRT1_2])).toBeLessThan(1e-15);
  });

  test('diagonal matrices: sorted, equal values in their order, exactly', () => {
    expect(symmetricEigen(mat3.diagonal(1, 2, 3))).toEqual({ values: [1, 2, 3], vectors: mat3.IDENTITY });
    expect(symmetricEigen(mat3.diagonal(5, 5, 5))).toEqual({ values: [5, 5, 5], vectors: mat3.IDENTITY });
    expect(symmetricEigen(mat3.diagonal(3, 2, 1)).values).toEqual([1, 2, 3]);
    expect(symmetricEigen(mat3.diagonal(2, 1, 2)).vectors).toEqual([0, 1, 0, 1, 0, 0, 0, 0, -1]);
    expect(symmetricEigen(mat3.diagonal(0, 0, 0))).toEqual({ values: [0, 0, 0], vectors: mat3.IDENTITY });
  });

  test('random matrices at every size from 1e-300 to 1e300', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -300, max: 300 }), (seed, exponent) => {
        check(symmetric(...numbers(seed, 10 ** exponent)));
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  // Λ = diag(1, 1 + δ, 2) turned: the eigenvalues must come back to rounding, whatever δ.
  test('nearly equal eigenvalues', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: -18, max: -1, noNaN: true }), (seed, exponent) => {
        const R = mat3.fromQuaternion(random(seed).rotation());
        const expected: Vec3 = [1, 1 + 10 ** exponent, 2];
        const m = mat3.multiply(mat3.multiply(R, mat3.diagonal(...expected)), mat3.transpose(R));
        const even = symmetric(m[0], m[4], m[8], m[1], m[5], m[2]);
        const { values } = symmetricEigen(even);
        for (let i = 0; i < 3; i++) expect(Math.abs(values[i] - expected[i])).toBeLessThan(4e-15);
        check(even);
      }),
      { seed: 2, numRuns: 1000 },
    );
  });

  // Graded positive definite matrices: Jacobi finds small eigenvalues to their own relative accuracy
  // (Demmel & Veselić 1992), here against λ = product and trace of the leading 2×2 block computed without cancellation.
  test('small eigenvalues beside large ones keep their digits', () => {
    const { values } = symmetricEigen(symmetric(1e20, 1, 1e-20, 1, 0, 0));
    expect(values[0]).toBe(1e-20);
    expect(Math.abs(values[1] - (1 - 1e-20))).toBeLessThan(1e-15);
    expect(Math.abs(values[2] / 1e20 - 1)).toBeLessThan(1e-15);
    check(symmetric(1, 1e-8, 1e-16, 1e-5, 1e-13, 1e-9));
    check(symmetric(0, 0, 0, 1, 1, 1)); // −1, −1, 2
    check(symmetric(0, 1e-200, 1, 1e-160, 1e-170, 0));
  });

  test('agrees with itself after a turn', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const m = symmetric(...numbers(seed));
        const R = mat3.fromQuaternion(random(seed).fork('turn').rotation());
        const t = mat3.multiply(mat3.multiply(R, m), mat3.transpose(R));
        const { values } = symmetricEigen(symmetric(t[0], t[4], t[8], t[1], t[5], t[2]));
        const before = symmetricEigen(m).values;
        for (let i = 0; i < 3; i++) expect(Math.abs(values[i] - before[i])).toBeLessThan(5e-15);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
