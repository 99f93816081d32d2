import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Float32Welder, Float64Welder } from './vertex-weld.js';

const bits = new Int32Array(1);
const single = new Float32Array(bits.buffer);
const bitsOf = (x: number): number => {
  single[0] = x;
  return bits[0];
};

/** Independent: a Map of texts; String(-0) is "0". */
function reference(points: readonly (readonly number[])[]): number[] {
  const seen = new Map<string, number>();
  return points.map((point) => {
    const key = point.map(String).join(' ');
    if (!seen.has(key)) seen.set(key, seen.size);
    return seen.get(key)!;
  });
}

describe.each([
  ['single', () => new Float32Welder(1), true],
  ['double', () => new Float64Welder(), false],
] as const)('%s precision', (_, make, singles) => {
  const indices = (points: readonly (readonly number[])[]): { found: number[]; coordinates: number[] } => {
    const welder = make();
    const found = points.map(([x, y, z]) =>
      welder instanceof Float32Welder ? welder.add(bitsOf(x), bitsOf(y), bitsOf(z)) : welder.add(x, y, z),
    );
    return { found, coordinates: [...(welder instanceof Float32Welder ? welder.points(1) : welder.points())] };
  };
  const number = singles
    ? fc.float({ noNaN: true, noDefaultInfinity: true })
    : fc.double({ noNaN: true, noDefaultInfinity: true });

  test('equal points get the index of the first', () => {
    const coordinate = fc.oneof(fc.constantFrom(0, -0, 1, -1, 0.5), number);
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 200 }), (points) => {
        const expected = reference(points);
        const { found, coordinates } = indices(points);
        expect(found).toEqual(expected);
        points.forEach((point, i) => {
          for (let k = 0; k < 3; k++) if (coordinates[3 * expected[i] + k] !== point[k]) throw new Error('coordinate');
        });
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('-0 and 0 are the same on every axis', () => {
    const zero = [3, 5, 7];
    for (let axis = 0; axis < 3; axis++) {
      const positive = zero.with(axis, 0);
      const negative = zero.with(axis, -0);
      expect(indices([positive, negative, positive]).found).toEqual([0, 0, 0]);
      expect(indices([negative, positive, zero]).found).toEqual([0, 0, 1]);
    }
  });

  test('many points on a grid, each twice', () => {
    const points: number[][] = [];
    for (let pass = 0; pass < 2; pass++)
      for (let i = 0; i < 40; i++) for (let j = 0; j < 40; j++) for (let k = 0; k < 10; k++) points.push([i, j, -k]);
    expect(indices(points).found).toEqual(points.map((_, i) => i % 16_000));
  });
});

test('points made to collide cost no quadratic time', () => {
  // The hash of (x, 0, 0) is a chain of steps that can be undone, so an x can be found for every hash: here 30 000 that
  // all have the low 16 bits of slot 7. Searching them one by one takes 30 000² / 2 steps, a second; a new seed spreads them.
  const undoShift = (h: number, by: number): number => {
    let x = h;
    for (let known = by; known < 32; known += by) x = h ^ (x >>> by);
    return x;
  };
  const undoProduct = (h: number, factor: number): number => {
    let inverse = factor; // Newton: the inverse of an odd factor modulo 2³²
    for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(factor, inverse));
    return Math.imul(h, inverse);
  };
  const undo = (hash: number): number => {
    let h = undoProduct(undoShift(hash, 15), 0xc2b2ae35);
    h = undoProduct(undoShift(h, 16), 0x85ebca6b);
    h = undoProduct(undoShift(h, 13), 0x1b873593);
    return undoProduct(undoShift(h, 15), 0xcc9e2d51) ^ 1;
  };
  const welder = new Float32Welder(1);
  const start = performance.now();
  for (let i = 0; i < 30_000; i++)
    if (welder.add(undo((i << 16) | 7), 0, 0) !== welder.count - 1) throw new Error(`point ${i} was taken for another`);
  expect(welder.count).toBe(30_000);
  expect(performance.now() - start).toBeLessThan(1000);
});
