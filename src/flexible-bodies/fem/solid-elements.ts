/**
 * Tetrahedra of ten nodes, small strain, isoparametric: K by 4 points, Ms by 14.
 *
 *   K = ∫ Bᵀ C B dV,   Ms = ρ ∫ N Nᵀ dV,   M = Ms ⊗ 1₃,   C: λ = E ν/((1 + ν)(1 − 2ν)), μ = E/(2 (1 + ν))
 *   K_ab = ∫ λ ∇N_a ∇N_bᵀ + μ ∇N_b ∇N_aᵀ + μ (∇N_a · ∇N_b) 1 dV
 *
 * Zienkiewicz & Taylor, The Finite Element Method, vol. 1; points of degree 5 by Walkington (2000).
 */
import { ModelError } from '../../errors.js';
import type { SolidMesh } from '../../geometry/solid-mesh.js';
import type { NodePattern } from '../../math/sparse/dissection.js';
import type { ElasticMaterial, NodeMatrices } from './elastic-part.js';
import { entryOf } from './plane-elements.js';

const INNER = 0.1381966011250105;
/** (ξ, η, ζ) and weight (of volume 1/6), degree 2 */
export const FOUR_POINTS = [0, 1, 2, 3].flatMap((k) => [
  ...[1, 2, 3].map((j) => (j === k ? 1 - 3 * INNER : INNER)),
  1 / 24,
]);
const corners = (a: number, w: number): number[] =>
  [0, 1, 2, 3].flatMap((k) => [...[1, 2, 3].map((j) => (j === k ? 1 - 3 * a : a)), w]);
const A3 = 0.04550370412564965;
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
  [0, 3],
  [1, 3],
  [2, 3],
] as const;
const FOURTEEN_POINTS = [
  ...corners(0.09273525031089123, 0.01224884051939366),
  ...corners(0.3108859192633006, 0.01878132095300264),
  ...EDGES.flatMap((edge) => [
    ...[1, 2, 3].map((j) => ((edge as readonly number[]).includes(j) ? 0.5 - A3 : A3)),
    0.007091003462846911,
  ]),
];

/** N, then N_x, N_y, N_z at a point of an element; returns the Jacobian determinant */
export class SolidPoint {
  readonly n = new Float64Array(40);
  private readonly local = new Float64Array(40);

  at({ points, elements }: SolidMesh, element: number, xi: number, eta: number, zeta: number): number {
    const { n, local } = this;
    const l = [1 - xi - eta - zeta, xi, eta, zeta];
    // ∂l/∂(ξ, η, ζ): −1 of the first, else 1 of its own
    for (let a = 0; a < 4; a++) {
      local[a] = l[a] * (2 * l[a] - 1);
      for (let d = 0; d < 3; d++) local[10 * (d + 1) + a] = a === 0 ? 1 - 4 * l[0] : a === d + 1 ? 4 * l[a] - 1 : 0;
    }
    EDGES.forEach(([p, q], k) => {
      local[4 + k] = 4 * l[p] * l[q];
      for (let d = 0; d < 3; d++) {
        const dp = p === 0 ? -1 : p === d + 1 ? 1 : 0;
        const dq = q === d + 1 ? 1 : q === 0 ? -1 : 0;
        local[10 * (d + 1) + 4 + k] = 4 * (dp * l[q] + l[p] * dq);
      }
    });
    const j = [0, 0, 0, 0, 0, 0, 0, 0, 0]; // j[3 d + k] = ∂x_k/∂ξ_d
    for (let a = 0; a < 10; a++) {
      const node = 3 * elements[10 * element + a];
      for (let d = 0; d < 3; d++)
        for (let k = 0; k < 3; k++) j[3 * d + k] += local[10 * (d + 1) + a] * points[node + k];
    }
    const c0 = j[4] * j[8] - j[5] * j[7];
    const c1 = j[5] * j[6] - j[3] * j[8];
    const c2 = j[3] * j[7] - j[4] * j[6];
    const determinant = j[0] * c0 + j[1] * c1 + j[2] * c2;
    const inverse = [
      c0,
      j[2] * j[7] - j[1] * j[8],
      j[1] * j[5] - j[2] * j[4],
      c1,
      j[0] * j[8] - j[2] * j[6],
      j[2] * j[3] - j[0] * j[5],
      c2,
      j[1] * j[6] - j[0] * j[7],
      j[0] * j[4] - j[1] * j[3],
    ];
    for (let a = 0; a < 10; a++) {
      n[a] = local[a];
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let d = 0; d < 3; d++) sum += inverse[3 * k + d] * local[10 * (d + 1) + a];
        n[10 * (k + 1) + a] = sum / determinant;
      }
    }
    return determinant;
  }
}

/** Which nodes share an element, rows sorted */
function solidPattern({ elements, nodeCount }: SolidMesh): NodePattern {
  const rows: Set<number>[] = Array.from({ length: nodeCount }, () => new Set<number>());
  for (let e = 0; e < elements.length; e += 10)
    for (let a = 0; a < 10; a++) for (let b = 0; b < 10; b++) rows[elements[e + a]].add(elements[e + b]);
  const rowStart = new Int32Array(nodeCount + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.size;
  });
  const column = new Int32Array(rowStart[nodeCount]);
  rows.forEach((row, i) => {
    column.set(Int32Array.from(row).sort(), rowStart[i]);
  });
  return { count: nodeCount, rowStart, column };
}

/** @throws ModelError at an element that is turned inside out */
export function solidMatrices(mesh: SolidMesh, material: ElasticMaterial): NodeMatrices {
  const { elements, elementCount } = mesh;
  const { youngsModulus: e0, poissonRatio: nu, density } = material;
  const lambda = (e0 * nu) / ((1 + nu) * (1 - 2 * nu));
  const mu = e0 / (2 * (1 + nu));
  const pattern = solidPattern(mesh);
  const { rowStart, column } = pattern;
  const stiffness = new Float64Array(9 * column.length);
  const mass = new Float64Array(column.length);
  const point = new SolidPoint();
  const { n } = point;
  const at = new Int32Array(100);
  for (let e = 0; e < elementCount; e++) {
    for (let a = 0; a < 10; a++)
      for (let b = 0; b < 10; b++)
        at[10 * a + b] = entryOf(rowStart, column, elements[10 * e + a], elements[10 * e + b]);
    for (let g = 0; g < FOUR_POINTS.length; g += 4) {
      const determinant = point.at(mesh, e, FOUR_POINTS[g], FOUR_POINTS[g + 1], FOUR_POINTS[g + 2]);
      if (!(determinant > 0)) throw inverted(mesh, e);
      const w = FOUR_POINTS[g + 3] * determinant;
      for (let a = 0; a < 10; a++)
        for (let b = 0; b < 10; b++) {
          const dot = n[10 + a] * n[10 + b] + n[20 + a] * n[20 + b] + n[30 + a] * n[30 + b];
          const to = 9 * at[10 * a + b];
          for (let i = 0; i < 3; i++)
            for (let j = 0; j < 3; j++)
              stiffness[to + 3 * i + j] +=
                w *
                (lambda * n[10 * (i + 1) + a] * n[10 * (j + 1) + b] +
                  mu * n[10 * (j + 1) + a] * n[10 * (i + 1) + b] +
                  (i === j ? mu * dot : 0));
        }
    }
    for (let g = 0; g < FOURTEEN_POINTS.length; g += 4) {
      const determinant = point.at(mesh, e, FOURTEEN_POINTS[g], FOURTEEN_POINTS[g + 1], FOURTEEN_POINTS[g + 2]);
      if (!(determinant > 0)) throw inverted(mesh, e);
      const w = FOURTEEN_POINTS[g + 3] * determinant * density;
      for (let a = 0; a < 10; a++) for (let b = 0; b < 10; b++) mass[at[10 * a + b]] += w * n[a] * n[b];
    }
  }
  return { pattern, stiffness, mass };
}

function inverted({ points, elements }: SolidMesh, e: number): ModelError {
  const node = 3 * elements[10 * e];
  return new ModelError(
    `mesh.elements[${e}]`,
    `is turned inside out near (${[0, 1, 2].map((k) => points[node + k].toPrecision(4)).join(', ')}) m; mend the mesh there (gmsh: Mesh.HighOrderOptimize = 1), or check the order of its nodes`,
  );
}

/** out = M x */
export function applySolidMass({ pattern, mass: m }: NodeMatrices, x: Float64Array, out: Float64Array): void {
  const { count, rowStart, column } = pattern;
  for (let i = 0; i < count; i++) {
    let [fx, fy, fz] = [0, 0, 0];
    for (let c = rowStart[i]; c < rowStart[i + 1]; c++) {
      const j = 3 * column[c];
      fx += m[c] * x[j];
      fy += m[c] * x[j + 1];
      fz += m[c] * x[j + 2];
    }
    out[3 * i] = fx;
    out[3 * i + 1] = fy;
    out[3 * i + 2] = fz;
  }
}

/** out = K x */
export function applySolidStiffness({ pattern, stiffness: k }: NodeMatrices, x: Float64Array, out: Float64Array): void {
  const { count, rowStart, column } = pattern;
  for (let i = 0; i < count; i++) {
    let [fx, fy, fz] = [0, 0, 0];
    for (let c = rowStart[i]; c < rowStart[i + 1]; c++) {
      const j = 3 * column[c];
      const at = 9 * c;
      fx += k[at] * x[j] + k[at + 1] * x[j + 1] + k[at + 2] * x[j + 2];
      fy += k[at + 3] * x[j] + k[at + 4] * x[j + 1] + k[at + 5] * x[j + 2];
      fz += k[at + 6] * x[j] + k[at + 7] * x[j + 1] + k[at + 8] * x[j + 2];
    }
    out[3 * i] = fx;
    out[3 * i + 1] = fy;
    out[3 * i + 2] = fz;
  }
}
