import { describe, expect, test } from 'vitest';
import { Bristle, CentreSpring } from '../../../tests/fixtures/bristle.js';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import { solveResidual } from '../../../tests/fixtures/solve-residual.js';
import { type ConstraintRow, NODE, type System } from '../../assembly/system.js';
import { random } from '../../math/random.js';
import type { PairElement } from '../elements/pair-element.js';
import { MechanicalSystem } from '../mechanical-system.js';
import type { Carriers } from '../tree/carriers.js';
import { SparseIsland } from './sparse-island.js';

type Pairs = readonly (readonly [number, number])[];

/** Bristles between carriers, −1 for the ground, in reserved states that are not zero */
function touching(system: System, pairs: Pairs, sparseFrom: number): { mechanics: MechanicalSystem; y: Float64Array } {
  const start = system.initial.length;
  const draw = random('bristles');
  const y = new Float64Array(start + 3 * pairs.length).map(() => 0.1 * draw.normal());
  y.set(system.initial);
  const mechanics = new MechanicalSystem(system, {
    sparseFrom,
    reservedStates: 3 * pairs.length,
    elements: (carriers) =>
      pairs.map(([a, b], k) => new Bristle(a < 0 ? carriers.ground : a, b, start + 3 * k, carriers, 20 + k, 3)),
  });
  mechanics.prepare(0.1, y);
  return { mechanics, y };
}

/** Solution of (I − e J) x = r, the same r for equal sizes */
function solution(mechanics: MechanicalSystem, y: Float64Array, e: number): Float64Array {
  const { size } = mechanics;
  const draw = random('right side');
  mechanics.linear.linearise(0.1, y, new Float64Array(size), new Float64Array(size));
  expect(mechanics.linear.factorise(e)).toBe(true);
  const r = Float64Array.from({ length: size }, () => draw.normal());
  mechanics.linear.solve(r);
  return r;
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  let worst = 0;
  let scale = 0;
  for (let i = 0; i < a.length; i++) {
    worst = Math.max(worst, Math.abs(a[i] - b[i]));
    scale = Math.max(scale, Math.abs(a[i]));
  }
  return worst / scale;
}

const bodies = (count: number): System => randomSystem({ seed: 5, nodes: 0, freeBodies: count });
const chain = (count: number): Pairs => Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const);

/** n × n bodies, each touching its four neighbours, the lowest row on the ground */
function grid(n: number): Pairs {
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      if (j + 1 < n) pairs.push([n * i + j, n * i + j + 1]);
      pairs.push(i === 0 ? [-1, j] : [n * i - n + j, n * i + j]);
    }
  return pairs;
}

/** Two trees that a loop ties, two more trees, seven bodies; one body is a thin rod */
function mixed(): { system: System; pairs: Pairs } {
  const plain = randomSystem({
    seed: 21,
    nodes: 12,
    freeBodies: 7,
    kinds: [NODE.revolute, NODE.spherical, NODE.prismatic, NODE.screw],
  });
  const draw = random('mixed');
  const parent = Int32Array.of(-1, 0, 1, -1, 3, 3, -1, 6, 7, -1, 9, 9);
  const anchor = (node: number) => ({ node, position: draw.inSphere(), orientation: [1, 0, 0, 0] as const });
  const rows: ConstraintRow[] = [0, 1].map(() => ({
    kind: 'point',
    a: anchor(2),
    b: anchor(5),
    direction: draw.unitVector(),
    offset: 0.1,
  }));
  plain.free.inertia[6] = 0;
  const system = {
    ...plain,
    tree: { ...plain.tree, parent },
    constraints: [{ name: 'constraints.loop', rows, activeAtStart: true }],
  };
  const [one, two, three, four, five, six] = [12, 13, 14, 15, 16, 17];
  const pairs: Pairs = [
    [2, one],
    [one, two],
    [two, 8],
    [8, 6],
    [7, three],
    [three, four],
    [four, one],
    [10, four],
    [11, five],
    [five, six],
    [-1, six],
    [five, 0],
    [4, 9],
  ];
  return { system, pairs };
}

describe('(I − e J) x = r by blocks', () => {
  // Differences of f leave 1e-9; the solve itself is exact.
  test.each([
    ['chain', bodies(7), chain(7)],
    ['ring', bodies(9), [...chain(9), [8, 0]] as Pairs],
    ['star', bodies(8), Array.from({ length: 7 }, (_, i) => [i + 1, 0] as const)],
    ['grid', bodies(16), grid(4)],
    ['twice between the same bodies', bodies(4), [...chain(4), ...chain(4)]],
  ] as const)('%s', (_name, system, pairs) => {
    const { mechanics, y } = touching(system, pairs, 2);
    for (const e of [0.01, 0.2]) expect(solveResidual(mechanics, 0.1, y, e, 5)).toBeLessThan(1e-7);
    expect(mechanics.matrix.islands.kinds.slice(0, mechanics.matrix.islands.count)).toEqual(['sparse']);
    const dense = touching(system, pairs, 1e9);
    for (const e of [0.01, 0.2])
      expect(largestDifference(solution(mechanics, y, e), solution(dense.mechanics, y, e))).toBeLessThan(1e-10);
    expect(dense.mechanics.matrix.islands.kinds[0]).toBe('dense');
  });

  test('trees, trees that loops tie, bodies, a thin rod', () => {
    const { system, pairs } = mixed();
    const { mechanics, y } = touching(system, pairs, 2);
    expect(mechanics.loops.kept.length).toBe(2);
    for (const e of [0.01, 0.1]) expect(solveResidual(mechanics, 0.1, y, e, 5)).toBeLessThan(1e-7);
    const { islands } = mechanics.matrix;
    expect(islands.kinds.slice(0, islands.count)).toEqual(['sparse', 'body']);
    const dense = touching(system, pairs, 1e9);
    for (const e of [0.01, 0.1])
      expect(largestDifference(solution(mechanics, y, e), solution(dense.mechanics, y, e))).toBeLessThan(1e-10);
  });

  test('an element between two nodes of one tree of the island', () => {
    const system = randomSystem({ seed: 8, nodes: 5, shape: 'chain', freeBodies: 3, kinds: [NODE.revolute] });
    const pairs: Pairs = [
      [1, 4],
      [4, 5],
      [5, 6],
      [6, 7],
      [-1, 3],
    ];
    const { mechanics, y } = touching(system, pairs, 2);
    expect(solveResidual(mechanics, 0.1, y, 0.1, 5)).toBeLessThan(1e-7);
  });

  test('what a prescribed motion carries ties nothing', () => {
    const plain = randomSystem({ seed: 3, nodes: 1, freeBodies: 3, kinds: [NODE.prismatic] });
    // The only joint is driven: its velocity is not an unknown, and those of the bodies begin where it was
    const drop = (from: number) => plain.initial.filter((_, i) => i !== 0 && i !== from);
    const system: System = {
      ...plain,
      nq: plain.nq - 1,
      nv: plain.nv - 1,
      tree: { ...plain.tree, q: Int32Array.of(-1), v: Int32Array.of(-1), motion: Int32Array.of(0) },
      motions: [(t, out) => out.set([Math.sin(t), Math.cos(t), -Math.sin(t)])],
      initial: drop(plain.nq),
      fixedInitially: new Uint8Array(plain.initial.length - 2),
    };
    const { mechanics, y } = touching(
      system,
      [
        [0, 1],
        [0, 2],
        [3, 0],
      ],
      2,
    );
    expect(solveResidual(mechanics, 0.1, y, 0.1, 5)).toBeLessThan(1e-7);
    expect(mechanics.matrix.islands.count).toBe(4);
  });
});

describe('a diagonal block that is singular while the whole matrix is not', () => {
  // m + e² (k₁ + k₀) = 0 for the first of three bodies in a row
  test.each([1, 0.1])('e = %d', (e) => {
    const system = bodies(3);
    const mass = system.free.mass[0];
    const build = (sparseFrom: number) =>
      new MechanicalSystem(system, {
        sparseFrom,
        elements: (carriers: Carriers): PairElement[] => [
          new CentreSpring(0, 1, mass / e / e, carriers),
          new CentreSpring(1, 2, 3, carriers),
          new CentreSpring(carriers.ground, 0, (-2 * mass) / e / e, carriers),
        ],
      });
    const sparse = build(2);
    expect(largestDifference(solution(sparse, system.initial, e), solution(build(1e9), system.initial, e))).toBe(0);
    expect(solveResidual(sparse, 0, system.initial, e, 5)).toBeLessThan(1e-7);
    // With another step it is solved by blocks again
    expect(
      largestDifference(solution(sparse, system.initial, 0.7 * e), solution(build(1e9), system.initial, 0.7 * e)),
    ).toBeLessThan(1e-10);
  });
});

test('a chain of n bodies has n − 1 pairs of blocks and as many products', () => {
  for (const n of [10, 100, 1000]) {
    const system = bodies(n);
    const mechanics = new MechanicalSystem(system, {
      elements: (carriers) => chain(n).map(([a, b]) => new CentreSpring(a, b, 5, carriers)),
    });
    solution(mechanics, system.initial, 0.1);
    const [island] = mechanics.matrix.solvers;
    expect(island).toBeInstanceOf(SparseIsland);
    const { pairs, products } = (island as SparseIsland).blocks;
    expect([pairs, products]).toEqual([n - 1, n - 1]);
  }
});
