// Points that press a beam: f ≥ 0, A f − δ ≥ 0, f · (A f − δ) = 0, with the compliance of a clamped beam, a²(3b − a)/6 at a ≤ b, between them.
import { expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { Pressing } from './pressing.js';

test.each([20, 60, 150])('%i points on a beam', (n) => {
  const draw = random(7 + n);
  const pressing = new Pressing();
  for (let trial = 0; trial < 20; trial++) {
    pressing.begin(n);
    const { matrix, depth, force } = pressing;
    for (let i = 0; i < n; i++) {
      depth[i] = draw.uniformBetween(-1, 1) * (trial % 2 === 0 ? 1 : (i + 1) / n);
      for (let j = 0; j < n; j++) {
        const [a, b] = [(Math.min(i, j) + 1) / n, (Math.max(i, j) + 1) / n];
        matrix[n * i + j] = (a * a * (3 * b - a)) / 6 + (i === j ? 1e-4 : 0);
      }
    }
    expect(pressing.solve()).toBe(true);
    for (let i = 0; i < n; i++) {
      let over = -depth[i];
      for (let j = 0; j < n; j++) over += matrix[n * i + j] * force[j];
      expect(force[i]).toBeGreaterThanOrEqual(0);
      expect(over).toBeGreaterThan(-1e-9);
      if (force[i] > 0) expect(Math.abs(over)).toBeLessThan(1e-9);
    }
  }
});
