import { expect, test } from 'vitest';
import { random } from '../math/random.js';
import { behindPlane, SHIFT_X, SHIFT_Y, SHIFT_Z, shiftSign } from './translation-sign.js';

type Points = [number, number, number, number, number, number, number, number, number, number, number, number];

/** The same in whole numbers: every double here is a multiple of 2^-1000 below 2^10. */
function exactSign(points: Points): number {
  const whole = (x: number): bigint => {
    let power = 0;
    let y = x;
    while (!Number.isInteger(y)) {
      y *= 2;
      power++;
    }
    return BigInt(y) << BigInt(1000 - power);
  };
  const [px, py, pz, qx, qy, qz, ix, iy, iz, jx, jy, jz] = points.map(whole);
  const [ux, uy, uz, wx, wy, wz] = [qx - px, qy - py, qz - pz, jx - ix, jy - iy, jz - iz];
  const normal = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  const along = (shift: number[]) => {
    const sum = normal.reduce((total, n, k) => total + n * BigInt(shift[k] * 1048576), 0n);
    return sum > 0n ? 1 : sum < 0n ? -1 : 0;
  };
  return along([SHIFT_X, SHIFT_Y, SHIFT_Z]) || along([0, 0, 1]) || along([0, 1, 0]);
}

test('the sign of the shift is exact: edges nearly parallel, tiny against large, on a grid', () => {
  const draw = random('shift signs');
  const number = (): number => draw.uniformBetween(-1, 1);
  let zeros = 0;
  for (let k = 0; k < 3000; k++) {
    const points = Array.from({ length: 12 }, number) as Points;
    if (k % 4 === 1) for (let c = 0; c < 3; c++) points[9 + c] = points[6 + c] + (points[3 + c] - points[c]); // nearly parallel
    if (k % 4 === 2) for (let c = 0; c < 12; c++) points[c] = Math.round(2 * points[c]); // often exactly
    if (k % 4 === 3) for (let c = 0; c < 3; c++) points[3 + c] = points[c] * (1 + 1e-15); // short
    const expected = exactSign(points);
    if (expected === 0) zeros++;
    expect(shiftSign(...points)).toBe(expected);
  }
  expect(zeros).toBeGreaterThan(5);
});

test('edges whose plane holds the shift are told apart by the second shift', () => {
  // u along the shift itself: (u × w) · e is exactly 0
  expect(shiftSign(0, 0, 0, SHIFT_X, SHIFT_Y, SHIFT_Z, 0, 0, 0, 1, 0, 0)).toBe(-1); // −e_y z …
  expect(shiftSign(0, 0, 0, SHIFT_X, SHIFT_Y, SHIFT_Z, 0, 0, 0, -1, 0, 0)).toBe(1);
  expect(shiftSign(0, 0, 0, 1, 2, 3, 5, 5, 5, 7, 9, 11)).toBe(0);
});

test('behind a plane is positive', () => {
  expect(behindPlane(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, -2)).toBe(2);
  expect(behindPlane(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 0)).toBe(0);
});
