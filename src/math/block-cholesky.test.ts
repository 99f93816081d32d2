import { describe, expect, test } from 'vitest';
import { BlockCholesky } from './block-cholesky.js';
import { random as seeded } from './random.js';

/** A random symmetric positive definite matrix of blocks: Σ JᵀJ over pairs and a diagonal */
function scene(seed: number, count: number, extra: number) {
  const random = seeded(seed);
  const sizes = Int32Array.from({ length: count }, () => [6, 6, 6, 1, 9][Math.floor(5 * random.uniform())]);
  const at = new Int32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    at[i] = n;
    n += sizes[i];
  }
  const edges: number[] = [];
  for (let i = 1; i < count; i++) edges.push(i, Math.floor(i * random.uniform()));
  for (let k = 0; k < extra; k++)
    edges.push(Math.floor(count * random.uniform()), Math.floor(count * random.uniform()));
  const dense = new Float64Array(n * n);
  for (let i = 0; i < n; i++) dense[i * n + i] = 1;
  for (let e = 0; e < edges.length; e += 2)
    for (let row = 0; row < 3; row++) {
      const j = new Float64Array(n);
      for (const block of [edges[e], edges[e + 1]])
        for (let k = 0; k < sizes[block]; k++) j[at[block] + k] = 10 * (random.uniform() - 0.5);
      for (let p = 0; p < n; p++) for (let q = 0; q < n; q++) dense[p * n + q] += j[p] * j[q];
    }
  return { random, sizes, at, n, edges: Int32Array.from(edges), dense };
}

describe('block Cholesky', () => {
  test.each([
    [1, 1, 0],
    [2, 2, 0],
    [3, 12, 4],
    [4, 40, 30],
  ])('seed %i: %i blocks solve as the dense matrix does', (seed, count, extra) => {
    const { random, sizes, at, n, edges, dense } = scene(seed, count, extra);
    const factors = new BlockCholesky();
    factors.structure(count, sizes, edges, edges.length / 2);
    for (let round = 0; round < 2; round++) {
      factors.structure(count, sizes, edges, edges.length / 2); // the same: nothing happens
      factors.clear();
      const put = (to: number, i: number, j: number): void => {
        for (let r = 0; r < sizes[i]; r++)
          for (let c = 0; c < sizes[j]; c++) factors.values[to + r * sizes[j] + c] = dense[(at[i] + r) * n + at[j] + c];
      };
      for (let i = 0; i < count; i++) put(factors.diagonal[i], i, i);
      for (let e = 0; e < edges.length; e += 2) {
        const [i, j] = [edges[e], edges[e + 1]];
        if (i === j) continue;
        if (factors.goesLater(i, j)) put(factors.at(i, j), i, j);
        else put(factors.at(i, j), j, i);
      }
      expect(factors.factorise()).toBe(true);
      const wanted = Float64Array.from({ length: n }, () => random.uniform() - 0.5);
      const x = new Float64Array(n);
      for (let p = 0; p < n; p++) for (let q = 0; q < n; q++) x[p] += dense[p * n + q] * wanted[q];
      factors.solve(x, at);
      // condition numbers are some 1e4
      for (let p = 0; p < n; p++) expect(Math.abs(x[p] - wanted[p])).toBeLessThan(1e-10);
    }
  });

  test('a matrix that is not positive definite is refused', () => {
    const factors = new BlockCholesky();
    factors.structure(1, Int32Array.of(2), new Int32Array(0), 0);
    factors.clear();
    factors.values.set([1, 2, 2, 1]);
    expect(factors.factorise()).toBe(false);
  });
});
