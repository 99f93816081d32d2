import { describe, expect, test } from 'vitest';
import { random as seeded } from '../math/random.js';
import { IslandMatrix } from './island-matrix.js';
import { SLOT, StepMemory } from './step-memory.js';

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
  const wanted = Float64Array.from({ length: n }, () => random.uniform() - 0.5);
  const right = new Float64Array(n);
  for (let p = 0; p < n; p++) for (let q = 0; q < n; q++) right[p] += dense[p * n + q] * wanted[q];
  return { sizes, at, n, edges: Int32Array.from(edges), dense, wanted, right };
}

/** Solves twice by the kernels and gives the second solution. */
function solved({ sizes, at, n, edges, dense, right }: ReturnType<typeof scene>, wasm: boolean): Float64Array {
  const count = sizes.length;
  const memory = new StepMemory(wasm);
  const matrix = new IslandMatrix(memory);
  memory.reserve(SLOT.step, n);
  memory.reserve(SLOT.starts, count);
  for (let round = 0; round < 2; round++) {
    matrix.structure(count, sizes, edges, edges.length / 2); // the second time nothing happens
    memory.ints(SLOT.starts).set(at);
    const values = memory.floats(SLOT.blocks);
    values.fill(0);
    const put = (to: number, i: number, j: number): void => {
      for (let r = 0; r < sizes[i]; r++)
        for (let c = 0; c < sizes[j]; c++) values[to + r * sizes[j] + c] = dense[(at[i] + r) * n + at[j] + c];
    };
    for (let i = 0; i < count; i++) put(memory.ints(SLOT.places)[i], i, i);
    for (let e = 0; e < edges.length; e += 2) {
      const [i, j] = [edges[e], edges[e + 1]];
      if (i === j) continue;
      if (matrix.goesLater(i, j)) put(matrix.at(i, j), j, i);
      else put(matrix.at(i, j), i, j);
    }
    memory.floats(SLOT.step).set(right);
    memory.kernels.begin();
    expect(memory.kernels.factoriseMatrix(count)).toBe(1);
    memory.kernels.solveMatrix(count);
  }
  return memory.floats(SLOT.step).slice(0, n);
}

describe('matrix of an island', () => {
  test.each([
    [1, 1, 0],
    [2, 2, 0],
    [3, 12, 4],
    [4, 40, 30],
  ])(
    'seed %i: %i blocks solve as the dense matrix does, with the same bits in WebAssembly and TypeScript',
    (seed, count, extra) => {
      const given = scene(seed, count, extra);
      const x = solved(given, true);
      // condition numbers are some 1e4
      for (let p = 0; p < given.n; p++) expect(Math.abs(x[p] - given.wanted[p])).toBeLessThan(1e-10);
      expect(solved(given, false)).toEqual(x);
    },
  );

  test('a matrix that is not positive definite is refused', () => {
    const memory = new StepMemory();
    const matrix = new IslandMatrix(memory);
    matrix.structure(1, Int32Array.of(2), new Int32Array(0), 0);
    memory.floats(SLOT.blocks).set([1, 2, 2, 1]);
    expect(memory.kernels.factoriseMatrix(1)).toBe(0);
  });
});
