import { expect, test } from 'vitest';
import { circleRoots, lineRoots } from './circle-roots.js';
import { random } from './random.js';

const out = new Float64Array(8);

// By brute force: changes of sign on 4 000 angles
test('all angles are found, and the value is zero there', () => {
  const draw = random('circle-roots');
  const dim = () => 2 * draw.uniform() - 1;
  for (let i = 0; i < 100; i++) {
    const [c0, c1, s1, c2, s2] = [dim(), dim(), dim(), i % 3 === 0 ? 0 : dim(), i % 3 === 0 ? 0 : dim()];
    const f = (x: number) => c0 + c1 * Math.cos(x) + s1 * Math.sin(x) + c2 * Math.cos(2 * x) + s2 * Math.sin(2 * x);
    const count = circleRoots(c0, c1, s1, c2, s2, out);
    let changes = 0;
    for (let k = 0; k < 4000; k++)
      if (f((2 * Math.PI * k) / 4000) < 0 !== f((2 * Math.PI * (k + 1)) / 4000) < 0) changes++;
    expect(count).toBe(changes);
    for (let k = 0; k < count; k++) expect(Math.abs(f(out[k]))).toBeLessThan(1e-13);
  }
});

test('a root at π and one at 0 are found once', () => {
  expect(circleRoots(0, 0, 1, 0, 0, out)).toBe(2);
  expect([...out.subarray(0, 2)].map(Math.abs).sort()).toEqual([0, Math.PI]);
  expect(circleRoots(2, 1, 0, 0, 0, out)).toBe(0);
});

test('a line through a circle', () => {
  expect(lineRoots(3, 4, 2.5, out)).toBe(2);
  for (let k = 0; k < 2; k++) expect(3 * Math.cos(out[k]) + 4 * Math.sin(out[k])).toBeCloseTo(2.5, 13);
  expect(lineRoots(3, 4, 5.1, out)).toBe(0);
});
