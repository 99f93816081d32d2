// A wrong digit in a table is the likeliest defect of an integrator, and step control hides it well. So the tables are held
// against the order conditions themselves: one equation per rooted tree (Butcher 1963; Hairer, Nørsett & Wanner, Solving ODEs I,
// §II.2): Σ_i b_i Φ_i(τ) = 1/γ(τ), with Φ([τ1 … τm]) = Π A Φ(τk), γ(τ) = |τ| Π γ(τk).
import { describe, expect, test } from 'vitest';
import { DOP853 } from './dop853-coefficients.js';
import { DOPRI5 } from './dopri5.js';
import { ARK436 } from './esdirk.js';
import { RADAU5 } from './radau5.js';
import { RODAS4, RODAS4P, type RosenbrockTableau } from './rosenbrock-coefficients.js';

type Matrix = number[][];

interface Tree {
  readonly nodes: number;
  readonly density: number;
  readonly children: readonly Tree[];
}

/** All rooted trees with up to `most` nodes: a tree is a root over a multiset of smaller trees. 1, 1, 2, 4, 9, 20, 48, 115 of them. */
function trees(most: number): Tree[] {
  const all: Tree[] = [];
  for (let nodes = 1; nodes <= most; nodes++) {
    const forests = (left: number, from: number): Tree[][] =>
      left === 0
        ? [[]]
        : all.flatMap((tree, i) =>
            i < from || tree.nodes > left ? [] : forests(left - tree.nodes, i).map((rest) => [tree, ...rest]),
          );
    all.push(
      ...forests(nodes - 1, 0).map((children) => ({
        nodes,
        density: children.reduce((product, child) => product * child.density, nodes),
        children,
      })),
    );
  }
  return all;
}

function weight(tree: Tree, a: Matrix): number[] {
  return tree.children.reduce<number[]>(
    (product, child) => {
      const inner = weight(child, a);
      return product.map((p, i) => p * a[i].reduce((sum, aij, j) => sum + aij * inner[j], 0));
    },
    a.map(() => 1),
  );
}

/** Largest |Σ b Φ(τ) − target(τ)| over the trees with `from` to `to` nodes. */
function defect(a: Matrix, b: readonly number[], from: number, to: number, target = (tree: Tree) => 1 / tree.density) {
  let worst = 0;
  for (const tree of trees(to)) {
    if (tree.nodes < from) continue;
    const phi = weight(tree, a);
    worst = Math.max(worst, Math.abs(b.reduce((sum, bi, i) => sum + bi * phi[i], 0) - target(tree)));
  }
  return worst;
}

const square = (rows: readonly (readonly number[])[], size = rows.length): Matrix =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => rows[i]?.[j] ?? 0));

const rowSums = (a: Matrix) => a.map((row) => row.reduce((sum, v) => sum + v, 0));

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThan(tolerance);
  });
}

test('there are as many rooted trees as Cayley counted', () => {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const { nodes } of trees(8)) counts[nodes - 1]++;
  expect(counts).toEqual([1, 1, 2, 4, 9, 20, 48, 115]);
});

describe('Runge–Kutta tables', () => {
  test('DOPRI5: order 5, estimate of order 4, not more', () => {
    const a = square(DOPRI5.a);
    expectClose(rowSums(a), DOPRI5.c, 1e-14);
    expect(defect(a, DOPRI5.b, 1, 5)).toBeLessThan(1e-14);
    expect(defect(a, DOPRI5.b, 6, 6)).toBeGreaterThan(1e-5);
    expect(defect(a, DOPRI5.e, 1, 4, () => 0)).toBeLessThan(1e-14);
    expect(defect(a, DOPRI5.e, 5, 5, () => 0)).toBeGreaterThan(1e-5);
  });

  test('DOPRI5: dense output of order 4', () => {
    const a = square(DOPRI5.a);
    for (const s of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      // weights of the stages in y(θ), from the nested form: Δ = b, start = e1 − b, end = 2b − e1 − e7
      const r = 1 - s;
      const first = (i: number) => (i === 0 ? 1 : 0);
      const last = (i: number) => (i === 6 ? 1 : 0);
      const b = DOPRI5.b.map((bi, i) => {
        const start = first(i) - bi;
        return s * (bi + r * (start + s * (bi - last(i) - start + r * DOPRI5.d[i])));
      });
      expect(defect(a, b, 1, 4, ({ nodes, density }) => s ** nodes / density)).toBeLessThan(1e-14);
    }
  });

  test('DOP853: all 200 conditions of order 8; estimates of order 5 and 3', () => {
    const a = square(DOP853.a);
    expectClose(rowSums(a), DOP853.c, 1e-14); // the weights go up to 43
    const b = [...a[12]];
    expect(defect(a, b, 1, 8)).toBeLessThan(1e-14);
    expect(defect(a, b, 9, 9)).toBeGreaterThan(1e-9);
    const fifth = [...DOP853.e5, 0, 0, 0, 0];
    expect(defect(a, fifth, 1, 5, () => 0)).toBeLessThan(1e-14);
    const third = b.map((bi, i) => bi - ({ 0: DOP853.third[0], 8: DOP853.third[1], 11: DOP853.third[2] }[i] ?? 0));
    expect(defect(a, third, 1, 3, () => 0)).toBeLessThan(1e-14);
  });

  test('DOP853: dense output of order 7', () => {
    const a = square(DOP853.a);
    for (const s of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const r = 1 - s;
      const b = a[12].map((bi, i) => {
        const start = (i === 0 ? 1 : 0) - bi;
        const end = bi - (i === 12 ? 1 : 0) - start;
        const inner = DOP853.d[0][i] + s * (DOP853.d[1][i] + r * (DOP853.d[2][i] + s * DOP853.d[3][i]));
        return s * (bi + r * (start + s * (end + r * inner)));
      });
      // the weights d go up to 500: their rounding alone is 1e-13
      expect(defect(a, b, 1, 7, ({ nodes, density }) => s ** nodes / density)).toBeLessThan(1e-13);
    }
  });

  test('ARK4(3)6L[2]SA, implicit part: order 4, estimate of order 3', () => {
    const a = square(ARK436.a, 6).map((row, i) => row.map((v, j) => (i === j && i > 0 ? ARK436.gamma : v)));
    expectClose(rowSums(a), ARK436.c, 1e-15);
    expectClose(a[5], ARK436.b, 1e-16);
    expect(defect(a, ARK436.b, 1, 4)).toBeLessThan(1e-15);
    expect(defect(a, ARK436.b, 5, 5)).toBeGreaterThan(1e-5);
    expect(defect(a, ARK436.bHat, 1, 3)).toBeLessThan(1e-15);
    expect(defect(a, ARK436.bHat, 4, 4)).toBeGreaterThan(1e-5);
  });

  test('Radau IIA: order 5, and its transformation', () => {
    const a = RADAU5.a.map((row) => [...row]);
    expectClose(rowSums(a), RADAU5.c, 1e-15);
    expect(defect(a, a[2], 1, 5)).toBeLessThan(1e-15);
    expect(defect(a, a[2], 6, 6)).toBeGreaterThan(1e-6);
    // T⁻¹ T = 1 and A T Λ = T with Λ = diag(γ̂, [α̂ −β̂; β̂ α̂])
    const product = (x: readonly (readonly number[])[], y: readonly (readonly number[])[]) =>
      x.map((row) => [0, 1, 2].map((j) => row.reduce((sum, v, k) => sum + v * y[k][j], 0)));
    const { t, inverseT, gammaHat, alphaHat, betaHat } = RADAU5;
    const lambda = [
      [gammaHat, 0, 0],
      [0, alphaHat, -betaHat],
      [0, betaHat, alphaHat],
    ];
    product(inverseT, t).forEach((row, i) => {
      expectClose(
        row,
        [0, 1, 2].map((j) => (i === j ? 1 : 0)),
        2e-15,
      );
    });
    product(product(a, t), lambda).forEach((row, i) => {
      expectClose(row, t[i], 2e-15);
    });
  });
});

// Rosenbrock methods have conditions of their own (Hairer & Wanner, Solving ODEs II, §IV.7): with β = α + Γ, a node with one
// child below it takes β, a node with several takes α.
describe.each([
  ['RODAS4', RODAS4],
  ['RODAS4P', RODAS4P],
])('%s', (_, tableau) => {
  const { gamma, b, alpha, full, weights } = untransformed(tableau);

  test('times of the stages and factors of ∂f/∂t are the row sums of α and Γ', () => {
    expectClose(rowSums(alpha), tableau.alpha, 5e-14);
    expectClose(rowSums(gamma), tableau.gammas, 5e-14);
  });

  test('order 4 with an estimate of order 3', () => {
    expect(rosenbrockDefect(b, 1, 4)).toBeLessThan(1e-13);
    // the estimate is U₆, so the embedded result has the weights without it
    const embedded = weights([1, 1, 1, 1, 1, 0].map((keep, j) => keep * full[j]));
    expect(rosenbrockDefect(embedded, 1, 3)).toBeLessThan(1e-13);
    expect(rosenbrockDefect(embedded, 4, 4)).toBeGreaterThan(1e-4);
  });

  test('dense output of order 3', () => {
    for (const s of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const dense = full.map((m, j) => s * (m + (1 - s) * ((tableau.d2[j] ?? 0) + s * (tableau.d3[j] ?? 0))));
      expect(rosenbrockDefect(weights(dense), 1, 3, s)).toBeLessThan(1e-13);
    }
  });

  function rosenbrockDefect(bs: readonly number[], from: number, to: number, s = 1): number {
    const beta = alpha.map((row, i) => row.map((v, j) => v + gamma[i][j]));
    const phi = (tree: Tree): number[] =>
      tree.children.reduce<number[]>(
        (product, child) => {
          const inner = phi(child);
          const matrix = tree.children.length === 1 ? beta : alpha;
          return product.map((p, i) => p * matrix[i].reduce((sum, v, j) => sum + v * inner[j], 0));
        },
        alpha.map(() => 1),
      );
    let worst = 0;
    for (const tree of trees(to)) {
      if (tree.nodes < from) continue;
      const sum = phi(tree).reduce((total, v, i) => total + bs[i] * v, 0);
      worst = Math.max(worst, Math.abs(sum - s ** tree.nodes / tree.density));
    }
    return worst;
  }
});

/** From the form without products with J back to α, Γ, b: Γ = (1/γ − C)⁻¹, α = A Γ, b = m Γ. */
function untransformed(tableau: RosenbrockTableau) {
  const [row5] = tableau.a.slice(-1);
  const full = [...row5, 1, 1];
  const a = square([[], ...tableau.a, [...row5, 1]], 6);
  const c = square([[], ...tableau.c], 6);
  // forward substitution of (1/γ − C) Γ = 1
  const gamma = square([], 6);
  for (let j = 0; j < 6; j++)
    for (let i = j; i < 6; i++) {
      let sum = i === j ? 1 : 0;
      for (let k = j; k < i; k++) sum += c[i][k] * gamma[k][j];
      gamma[i][j] = tableau.gamma * sum;
    }
  const times = (row: readonly number[]) =>
    [0, 1, 2, 3, 4, 5].map((j) => row.reduce((sum, v, k) => sum + v * gamma[k][j], 0));
  return { gamma, alpha: a.map(times), b: times(full), full, weights: times };
}
