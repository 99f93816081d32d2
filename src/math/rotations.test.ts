import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mat3 } from './mat3.js';
import * as mat3 from './mat3.js';
import type { Quaternion } from './quaternion.js';
import * as quaternion from './quaternion.js';
import { random } from './random.js';
import type { Vec3 } from './vec3.js';
import * as vec3 from './vec3.js';

const runs = { seed: 7, numRuns: 500 };
const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const direction = fc
  .tuple(coordinate, coordinate, coordinate)
  .filter((v) => vec3.norm(v) > 1e-3)
  .map(vec3.normalize);
const orientation = fc.integer().map((seed) => random(seed).rotation());
const matrix = fc.integer().map((seed) => {
  const draw = random(seed);
  return Array.from({ length: 9 }, () => draw.uniformBetween(-1, 1)) as unknown as Mat3;
});

/** Largest difference of two equally long lists. */
const apart = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((largest, x, i) => Math.max(largest, Math.abs(x - b[i])), 0);
/** q and −q are the same rotation. */
const rotationsApart = (a: Quaternion, b: Quaternion): number =>
  Math.min(
    apart(a, b),
    apart(
      a,
      b.map((x) => -x),
    ),
  );

// A few roundings of numbers near 1, 1.1e-16 each.
const rounding = 2e-15;

describe('quaternion', () => {
  test('a quarter turn about z takes x to y', () => {
    const q = quaternion.fromAxisAngle([0, 0, 2], Math.PI / 2);
    expect(apart(quaternion.rotate(q, [1, 0, 0]), [0, 1, 0])).toBeLessThan(rounding);
    expect(quaternion.angle(q)).toBeCloseTo(Math.PI / 2, 15);
    expect(() => quaternion.fromAxisAngle([0, 0, 0], 1)).toThrow('axis: expected a direction');
  });

  test('products turn one after the other', () => {
    fc.assert(
      fc.property(orientation, orientation, direction, (a, b, v) => {
        const both = quaternion.rotate(quaternion.multiply(a, b), v);
        expect(apart(both, quaternion.rotate(a, quaternion.rotate(b, v)))).toBeLessThan(rounding);
        expect(apart(quaternion.rotate(quaternion.conjugate(a), quaternion.rotate(a, v)), v)).toBeLessThan(rounding);
      }),
      runs,
    );
  });

  // The relative accuracy must hold for tiny angles too, where 1 − w has no digits left.
  test('rotation vectors go there and back, from 1e-300 rad to π', () => {
    fc.assert(
      fc.property(direction, fc.double({ min: -300, max: 0, noNaN: true }), (axis, exponent) => {
        const v = vec3.scale(3.14 * 10 ** exponent, axis);
        const back = quaternion.toRotationVector(quaternion.fromRotationVector(v));
        expect(vec3.distance(back, v)).toBeLessThanOrEqual(rounding * vec3.norm(v));
        const q = quaternion.fromRotationVector(v);
        expect(quaternion.angle(q) / vec3.norm(v)).toBeCloseTo(1, 14);
        expect(apart(quaternion.toRotationVector(q.map((x) => -x) as unknown as Quaternion), back)).toBe(0);
      }),
      runs,
    );
    expect(quaternion.toRotationVector(quaternion.IDENTITY)).toEqual([0, 0, 0]);
    expect(quaternion.fromRotationVector([0, 0, 0])).toEqual(quaternion.IDENTITY);
  });

  test('normalize: length 1 from any length, the identity from zero', () => {
    fc.assert(
      fc.property(orientation, fc.integer({ min: -300, max: 300 }), (q, exponent) => {
        const long = q.map((x) => x * 10 ** exponent) as unknown as Quaternion;
        expect(apart(quaternion.normalize(long), q)).toBeLessThan(rounding);
      }),
      runs,
    );
    expect(quaternion.normalize([0, 0, 0, 0])).toEqual(quaternion.IDENTITY);
  });

  test('between: takes a to b the shortest way, also when they are nearly opposite', () => {
    const check = (a: Vec3, b: Vec3) => {
      const q = quaternion.between(a, b);
      expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(rounding);
      const [from, to] = [vec3.normalize(a), vec3.normalize(b)];
      expect(vec3.distance(quaternion.rotate(q, from), to)).toBeLessThan(rounding);
      const shortest = 2 * Math.atan2(vec3.distance(from, to), vec3.norm(vec3.add(from, to)));
      expect(Math.abs(quaternion.angle(q) - shortest)).toBeLessThan(2 * rounding);
    };
    fc.assert(fc.property(direction, direction, check), runs);
    fc.assert(
      fc.property(direction, direction, fc.double({ min: -17, max: -1, noNaN: true }), (a, d, exponent) => {
        check(a, vec3.addScaled(vec3.scale(-3, a), 10 ** exponent, d));
        check(a, vec3.addScaled(vec3.scale(2, a), 10 ** exponent, d));
      }),
      runs,
    );
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 1],
    ] as Vec3[])
      check(axis, vec3.scale(-1, axis));
  });

  test('slerp: ends, constant speed, the shorter way', () => {
    fc.assert(
      fc.property(orientation, orientation, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, t) => {
        expect(rotationsApart(quaternion.slerp(a, b, 0), a)).toBeLessThan(rounding);
        expect(rotationsApart(quaternion.slerp(a, b, 1), b)).toBeLessThan(rounding);
        const whole = quaternion.angle(quaternion.multiply(quaternion.conjugate(a), b));
        const part = quaternion.angle(quaternion.multiply(quaternion.conjugate(a), quaternion.slerp(a, b, t)));
        expect(Math.abs(part - t * whole)).toBeLessThan(5 * rounding);
      }),
      runs,
    );
    expect(quaternion.slerp(quaternion.IDENTITY, quaternion.IDENTITY, 0.3)).toEqual(quaternion.IDENTITY);
  });
});

describe('mat3', () => {
  test('rotation matrices are those of the quaternions', () => {
    fc.assert(
      fc.property(orientation, orientation, direction, (a, b, v) => {
        const [A, B] = [mat3.fromQuaternion(a), mat3.fromQuaternion(b)];
        expect(apart(mat3.apply(A, v), quaternion.rotate(a, v))).toBeLessThan(rounding);
        expect(apart(mat3.multiply(A, B), mat3.fromQuaternion(quaternion.multiply(a, b)))).toBeLessThan(rounding);
        expect(apart(mat3.multiply(A, mat3.transpose(A)), mat3.IDENTITY)).toBeLessThan(rounding);
        expect(mat3.determinant(A)).toBeCloseTo(1, 14);
        expect(rotationsApart(mat3.toQuaternion(A), a)).toBeLessThan(rounding);
        expect(mat3.toQuaternion(A)[0]).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  // Half turns have w = 0, where a formula that divides by w fails.
  test('half turns and the identity', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, -2, 3],
    ] as Vec3[]) {
      const q = quaternion.fromAxisAngle(axis, Math.PI);
      expect(rotationsApart(mat3.toQuaternion(mat3.rotation(axis, Math.PI)), q)).toBeLessThan(rounding);
    }
    expect(mat3.toQuaternion(mat3.IDENTITY)).toEqual(quaternion.IDENTITY);
  });

  test('rows, columns, sums', () => {
    const m: Mat3 = [1, 2, 3, 4, 5, 6, 7, 8, 10];
    expect(mat3.row(m, 1)).toEqual([4, 5, 6]);
    expect(mat3.column(m, 1)).toEqual([2, 5, 8]);
    expect(mat3.fromColumns(mat3.column(m, 0), mat3.column(m, 1), mat3.column(m, 2))).toEqual(m);
    expect(mat3.sub(mat3.add(m, m), m)).toEqual(m);
    expect(mat3.scale(2, m)).toEqual(mat3.add(m, m));
    expect(mat3.trace(m)).toBe(16);
    expect(mat3.determinant(m)).toBe(-3); // 1(50 − 48) − 2(40 − 42) + 3(32 − 35)
    expect(mat3.apply(mat3.diagonal(1, 2, 3), [1, 1, 1])).toEqual([1, 2, 3]);
  });

  test('skew and outer products as defined', () => {
    fc.assert(
      fc.property(direction, direction, direction, (a, b, c) => {
        expect(apart(mat3.apply(mat3.skew(a), b), vec3.cross(a, b))).toBeLessThan(rounding);
        expect(apart(mat3.apply(mat3.outer(a, b), c), vec3.scale(vec3.dot(b, c), a))).toBeLessThan(rounding);
      }),
      runs,
    );
  });

  // |M M⁻¹ − 1| ≤ ε |M| |M⁻¹|, with ε a few roundings; at every size of the entries.
  test('inverse', () => {
    fc.assert(
      fc.property(matrix, fc.integer({ min: -100, max: 100 }), (m, exponent) => {
        const inverse = mat3.inverse(m);
        const size = Math.max(...inverse.map(Math.abs));
        fc.pre(size < 1e6);
        expect(apart(mat3.multiply(m, inverse), mat3.IDENTITY)).toBeLessThan(rounding * size);
        const scale = 2 ** (10 * exponent); // exact, so that the inverse scales exactly
        expect(mat3.inverse(mat3.scale(scale, m))).toEqual(mat3.scale(1 / scale, inverse));
      }),
      runs,
    );
    expect(() => mat3.inverse([1, 2, 3, 2, 4, 6, 0, 0, 1])).toThrow(
      'inverse: expected a matrix with rows that span space',
    );
    expect(() => mat3.inverse([Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1])).toThrow('inverse');
  });
});

describe('vec3', () => {
  test('perpendicular is a unit vector across', () => {
    fc.assert(
      fc.property(direction, fc.integer({ min: -150, max: 150 }), (d, exponent) => {
        const across = vec3.perpendicular(vec3.scale(10 ** exponent, d));
        expect(Math.abs(vec3.norm(across) - 1)).toBeLessThan(rounding);
        expect(Math.abs(vec3.dot(across, d))).toBeLessThan(rounding);
      }),
      runs,
    );
  });

  test('lerp meets its ends exactly', () => {
    expect(vec3.lerp([0.1, 0.2, 0.3], [7, 8, 9], 0)).toEqual([0.1, 0.2, 0.3]);
    expect(vec3.lerp([0.1, 0.2, 0.3], [7, 8, 9], 1)).toEqual([7, 8, 9]);
  });
});
