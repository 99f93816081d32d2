import { describe, expect, test } from 'vitest';
import { EliminationOrder } from './elimination-order.js';
import { random } from './random.js';

type Edges = readonly (readonly [number, number])[];

/** The definition, word by word, with sets */
function byDefinition(count: number, edges: Edges) {
  const neighbours = Array.from({ length: count }, () => new Set<number>());
  for (const [a, b] of edges)
    if (a !== b) {
      neighbours[a].add(b);
      neighbours[b].add(a);
    }
  const left = new Set(neighbours.keys());
  const sequence: number[] = [];
  const later: number[][] = [];
  while (left.size > 0) {
    const next = [...left].reduce((best, i) => (neighbours[i].size < neighbours[best].size ? i : best));
    left.delete(next);
    sequence.push(next);
    later.push([...neighbours[next]]);
    for (const i of neighbours[next]) {
      neighbours[i].delete(next);
      for (const j of neighbours[next]) if (i !== j) neighbours[i].add(j);
    }
  }
  return { sequence, later: later.map((all) => all.sort((a, b) => sequence.indexOf(a) - sequence.indexOf(b))) };
}

function found(order: EliminationOrder, count: number, edges: Edges) {
  order.find(count, Int32Array.from(edges.flat()), edges.length);
  const sequence = [...order.sequence.subarray(0, count)];
  expect(sequence.map((vertex) => order.place[vertex])).toEqual([...sequence.keys()]);
  return { sequence, later: sequence.map((_, p) => [...order.later.subarray(order.start[p], order.start[p + 1])]) };
}

describe('fewest neighbours first', () => {
  test('random graphs, as by definition, one after the other', () => {
    const draw = random('graphs');
    const order = new EliminationOrder();
    for (let turn = 0; turn < 60; turn++) {
      const count = draw.integer(25);
      const edges = Array.from({ length: count === 0 ? 0 : draw.integer(3 * count) }, () => {
        return [draw.integer(count), draw.integer(count)] as const;
      });
      expect(found(order, count, edges)).toEqual(byDefinition(count, edges));
    }
  });

  test('one that touches all goes last and joins nobody', () => {
    const order = new EliminationOrder();
    const edges = Array.from({ length: 400 }, (_, i) => [0, i + 1] as const);
    order.find(401, Int32Array.from(edges.flat()), 400);
    // Its last leaf has one neighbour as well, and the higher index.
    expect(order.place[0]).toBe(399);
    expect(order.start[401]).toBe(400);
  });

  test('a ring fills with one edge less than would close it', () => {
    const order = new EliminationOrder();
    for (const n of [4, 10, 100]) {
      const edges = Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const);
      order.find(n, Int32Array.from(edges.flat()), n);
      // n edges and a chord for each vertex that goes before the last triangle
      expect(order.start[n]).toBe(n + n - 3);
    }
  });
});
