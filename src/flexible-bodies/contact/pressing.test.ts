// Points that press a beam: f ≥ 0, A f − δ ≥ 0, f · (A f − δ) = 0, with the compliance of a clamped beam, a²(3b − a)/6 at a ≤ b, between them.
import { expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { Pressing } from './pressing.js';

const give =
  (n: number) =>
  (i: number, j: number): number => {
    const [a, b] = [(j + 1) / n, (i + 1) / n];
    return (a * a * (3 * b - a)) / 6 + (i === j ? 1e-4 : 0);
  };

test.each([20, 60, 150])('%i points on a beam', (n) => {
  const draw = random(7 + n);
  const pressing = new Pressing(give(n));
  for (let trial = 0; trial < 20; trial++) {
    pressing.begin(n);
    const { depth, force } = pressing;
    for (let i = 0; i < n; i++) depth[i] = draw.uniformBetween(-1, 1) * (trial % 2 === 0 ? 1 : (i + 1) / n);
    expect(pressing.solve()).toBe(true);
    for (let i = 0; i < n; i++) {
      let over = -depth[i];
      for (let j = 0; j < n; j++) over += give(n)(Math.max(i, j), Math.min(i, j)) * force[j];
      expect(force[i]).toBeGreaterThanOrEqual(0);
      expect(over).toBeGreaterThan(-1e-9);
      if (force[i] > 0) expect(Math.abs(over)).toBeLessThan(1e-9);
    }
  }
});

// The forces follow from the points that press alone: with others expected, other factors at hand, other depths asked before, they have the same bits. Some draws have points that hardly press or hardly do not.
test('what is expected changes no bit', () => {
  const n = 40;
  const draw = random(3);
  const pressing = new Pressing(give(n));
  const depths = Array.from({ length: 60 }, (_, trial) =>
    Float64Array.from({ length: n }, (_, i) =>
      trial % 3 === 0 ? draw.uniformBetween(-1, 1) : trial % 3 === 1 ? ((i + 1) / n) ** 2 : i % 7 === 0 ? 1 : -1e-9,
    ),
  );
  const alone = depths.map((depth) => {
    const fresh = new Pressing(give(n));
    fresh.begin(n);
    fresh.depth.set(depth);
    expect(fresh.solve()).toBe(true);
    return fresh.force.slice(0, n);
  });
  pressing.begin(n);
  for (let round = 0; round < 4; round++)
    depths.forEach((depth, k) => {
      if (round === 1) pressing.begin(n);
      if (round === 2) pressing.expect(draw.integer(n));
      pressing.depth.set(depth);
      expect(pressing.solve()).toBe(true);
      expect(Array.from(pressing.force.slice(0, n))).toEqual(Array.from(alone[k]));
    });
  const inverse = new Float64Array(n * n);
  pressing.writeInverse(inverse, 0, 1);
  // A⁻¹ δ on the points that press gives the forces again; A has a condition of some 1e4
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += inverse[n * i + j] * depths.at(-1)![j];
    expect(Math.abs(sum - pressing.force[i])).toBeLessThan(1e-9 * pressing.force.reduce((a, b) => Math.max(a, b), 1));
  }
});
