import { describe, expect, test } from 'vitest';
import { BlockLu } from './block-lu.js';
import { random } from './random.js';
import { ScaledLu } from './scaled-lu.js';

interface Case {
  readonly sizes: readonly number[];
  /** Unknowns at the end of each block that no other sees */
  readonly own: readonly number[];
  readonly edges: readonly (readonly [number, number])[];
}

/** Largest difference between the solution by blocks and by one dense matrix, relative to the largest number in it */
function difference(blocks: BlockLu, { sizes, own, edges }: Case, seed: string, shift = 1): number {
  const draw = random(seed);
  const count = sizes.length;
  blocks.structure(count, Int32Array.from(sizes), Int32Array.from(edges.flat()), edges.length);
  blocks.clear();
  const first = new Int32Array(count);
  let total = 0;
  for (let i = 0; i < count; i++) {
    first[i] = total;
    total += sizes[i] + own[i];
  }
  const whole = new ScaledLu(total);
  const diagonals = sizes.map((size, i) => {
    const lu = new ScaledLu(size + own[i]);
    for (let r = 0; r < lu.size; r++)
      for (let c = 0; c < lu.size; c++) {
        lu.matrix[r * lu.size + c] = draw.normal() + (r === c ? shift * 5 : 0);
        whole.matrix[(first[i] + r) * total + first[i] + c] = lu.matrix[r * lu.size + c];
      }
    return lu;
  });
  for (const [a, b] of edges)
    for (const [i, j] of [
      [a, b],
      [b, a],
    ]) {
      if (i === j) continue;
      const at = blocks.at(i, j);
      for (let r = 0; r < sizes[i]; r++)
        for (let c = 0; c < sizes[j]; c++) {
          const value = draw.normal();
          blocks.values[at + r * sizes[j] + c] += value;
          whole.matrix[(first[i] + r) * total + first[j] + c] += value;
        }
    }
  const x = Float64Array.from({ length: total }, () => draw.normal());
  const expected = x.slice();
  expect(whole.factorise()).toBe(true);
  whole.solve(expected);
  if (!blocks.factorise(diagonals)) return Number.POSITIVE_INFINITY;
  blocks.solve(x, first);
  let worst = 0;
  let largest = 0;
  for (let i = 0; i < count; i++)
    for (let k = first[i]; k < first[i] + sizes[i]; k++) {
      worst = Math.max(worst, Math.abs(x[k] - expected[k]));
      largest = Math.max(largest, Math.abs(expected[k]));
    }
  return worst / largest;
}

describe('blocks give what one dense matrix gives', () => {
  // Rounding grows with the condition of random matrices, some 1e3 here.
  test('random structures, sizes 1 to 8, unknowns of their own', () => {
    const draw = random('structures');
    const blocks = new BlockLu();
    for (let turn = 0; turn < 40; turn++) {
      const count = 1 + draw.integer(12);
      const sizes = Array.from({ length: count }, () => (draw.uniform() < 0.6 ? 6 : 1 + draw.integer(8)));
      const own = sizes.map(() => (draw.uniform() < 0.3 ? draw.integer(4) : 0));
      const edges = Array.from({ length: draw.integer(2 * count) }, () => {
        return [draw.integer(count), draw.integer(count)] as const;
      });
      expect(difference(blocks, { sizes, own, edges }, `case ${turn}`, 3)).toBeLessThan(1e-10);
    }
  });

  test('a structure is kept while the pairs are the same, in whatever order they come', () => {
    const blocks = new BlockLu();
    const sizes = [6, 6, 6, 6];
    const own = [0, 0, 0, 0];
    const square = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ] as const;
    expect(difference(blocks, { sizes, own, edges: square }, 'a')).toBeLessThan(1e-10);
    expect([blocks.pairs, blocks.products]).toEqual([5, 9]);
    const again = [
      [2, 1],
      [0, 3],
      [0, 1],
      [3, 2],
      [1, 0],
    ] as const;
    expect(difference(blocks, { sizes, own, edges: again }, 'b')).toBeLessThan(1e-10);
    expect(blocks.pairs).toBe(5);
    // One pair less, one other pair, another size
    expect(difference(blocks, { sizes, own, edges: square.slice(1) }, 'c')).toBeLessThan(1e-10);
    expect(blocks.pairs).toBe(3);
    expect(
      difference(
        blocks,
        {
          sizes,
          own,
          edges: [
            [0, 2],
            [1, 2],
            [2, 3],
          ],
        },
        'd',
      ),
    ).toBeLessThan(1e-10);
    expect(blocks.pairs).toBe(3);
    expect(difference(blocks, { sizes: [6, 3, 6, 6], own, edges: square }, 'e')).toBeLessThan(1e-10);
  });

  test('a diagonal block that is singular, to rounding too, is told', () => {
    const blocks = new BlockLu();
    for (const entries of [
      [1, 1, 1, 1],
      [0.1, 0.7, 0.3, 2.1], // three times the first row, but for rounding
    ]) {
      blocks.structure(2, Int32Array.of(2, 2), Int32Array.of(0, 1), 1);
      blocks.clear();
      const lus = [new ScaledLu(2), new ScaledLu(2)];
      lus[0].matrix.set(entries);
      lus[1].matrix.set([1, 0, 0, 1]);
      blocks.values.set([1, 0, 0, 1], blocks.at(0, 1));
      blocks.values.set([1, 0, 0, 1], blocks.at(1, 0));
      expect(blocks.factorise(lus)).toBe(false);
    }
  });
});

test('a chain costs O(n)', () => {
  const blocks = new BlockLu();
  for (const n of [10, 100, 1000]) {
    const edges = Int32Array.from({ length: 2 * (n - 1) }, (_, k) => (k + 1) >> 1);
    blocks.structure(n, new Int32Array(n).fill(6), edges, n - 1);
    expect([blocks.pairs, blocks.products]).toEqual([n - 1, n - 1]);
  }
});
