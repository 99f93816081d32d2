/**
 * Triangles of three or six nodes in plane stress or plane strain, small strain.
 *
 *   K = t ∫ Bᵀ C B dA (3 points, for T3 one)      Ms = ρ t ∫ N Nᵀ dA (6 points)      M = Ms ⊗ 1₂
 *
 *   C  plane stress  E/(1 − ν²) [1 ν 0; ν 1 0; 0 0 (1 − ν)/2];  plane strain: E → E/(1 − ν²), ν → ν/(1 − ν)    Pa
 *   ε  = (ε_xx, ε_yy, γ_xy)
 *
 * T6 are isoparametric: sides with the middle node on an arc are parabolas. Zienkiewicz & Taylor, The Finite Element Method, vol. 1, ch. 4–6.
 */
import { ModelError } from '../../errors.js';
import type { NodePattern } from '../../math/sparse/dissection.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';

export interface PlaneMaterial {
  /** Pa */
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  /** kg/m³ */
  readonly density: number;
  /** m */
  readonly thickness: number;
  /** Plane strain instead of plane stress */
  readonly strain?: boolean;
}

/** C: c₁₁, c₁₂, c₃₃ in Pa */
export function planeModuli({ youngsModulus, poissonRatio, strain }: PlaneMaterial): readonly [number, number, number] {
  const nu = strain ? poissonRatio / (1 - poissonRatio) : poissonRatio;
  const e = strain ? youngsModulus / (1 - poissonRatio * poissonRatio) : youngsModulus;
  const c11 = e / (1 - nu * nu);
  return [c11, nu * c11, (c11 * (1 - nu)) / 2];
}

/** Points (ξ, η) and weights (of area ½): degree 2 with 3 points, degree 4 with 6. Dunavant (1985), doi 10.1002/nme.1620210612 */
export const THREE_POINTS = [1 / 6, 1 / 6, 1 / 6, 2 / 3, 1 / 6, 1 / 6, 1 / 6, 2 / 3, 1 / 6];
const A1 = 0.445948490915965;
const A2 = 0.091576213509771;
const W1 = 0.111690794839005;
const W2 = 0.054975871827661;
export const SIX_POINTS = [
  ...[A1, A1, W1, 1 - 2 * A1, A1, W1, A1, 1 - 2 * A1, W1],
  ...[A2, A2, W2, 1 - 2 * A2, A2, W2, A2, 1 - 2 * A2, W2],
];

/** Shape functions and their derivatives by ξ and η at a point: N, N_ξ, N_η of `nodes` each */
export function shapeFunctions(nodes: 3 | 6, xi: number, eta: number, out: Float64Array): void {
  const l = 1 - xi - eta;
  if (nodes === 3) {
    out.set([l, xi, eta, -1, 1, 0, -1, 0, 1]);
    return;
  }
  out[0] = l * (2 * l - 1);
  out[1] = xi * (2 * xi - 1);
  out[2] = eta * (2 * eta - 1);
  out[3] = 4 * l * xi;
  out[4] = 4 * xi * eta;
  out[5] = 4 * eta * l;
  out[6] = 1 - 4 * l;
  out[7] = 4 * xi - 1;
  out[8] = 0;
  out[9] = 4 * (l - xi);
  out[10] = 4 * eta;
  out[11] = -4 * eta;
  out[12] = 1 - 4 * l;
  out[13] = 0;
  out[14] = 4 * eta - 1;
  out[15] = -4 * xi;
  out[16] = 4 * xi;
  out[17] = 4 * (l - eta);
}

/** Shape functions and their derivatives by x and y at a point of an element; returns the Jacobian determinant. */
export class ElementPoint {
  /** N, N_x, N_y */
  readonly n: Float64Array;
  private readonly nodes: 3 | 6;
  private readonly local: Float64Array;

  constructor(nodes: 3 | 6) {
    this.nodes = nodes;
    this.n = new Float64Array(3 * nodes);
    this.local = new Float64Array(3 * nodes);
  }

  at({ points, elements }: PlaneMesh, element: number, xi: number, eta: number): number {
    const { nodes, n, local } = this;
    shapeFunctions(nodes, xi, eta, local);
    let xxi = 0;
    let yxi = 0;
    let xeta = 0;
    let yeta = 0;
    for (let a = 0; a < nodes; a++) {
      const node = elements[nodes * element + a];
      const x = points[2 * node];
      const y = points[2 * node + 1];
      xxi += local[nodes + a] * x;
      yxi += local[nodes + a] * y;
      xeta += local[2 * nodes + a] * x;
      yeta += local[2 * nodes + a] * y;
    }
    const determinant = xxi * yeta - yxi * xeta;
    for (let a = 0; a < nodes; a++) {
      n[a] = local[a];
      n[nodes + a] = (yeta * local[nodes + a] - yxi * local[2 * nodes + a]) / determinant;
      n[2 * nodes + a] = (xxi * local[2 * nodes + a] - xeta * local[nodes + a]) / determinant;
    }
    return determinant;
  }
}

/** Which nodes share an element, rows sorted. */
function meshPattern({ elements, elementCount, nodesPerElement: nodes, nodeCount }: PlaneMesh): NodePattern {
  const used = new Int32Array(nodeCount + 1);
  for (let k = 0; k < elements.length; k++) used[elements[k] + 1]++;
  for (let i = 0; i < nodeCount; i++) used[i + 1] += used[i];
  const of = new Int32Array(elements.length);
  const fill = used.slice();
  for (let e = 0; e < elementCount; e++) for (let a = 0; a < nodes; a++) of[fill[elements[nodes * e + a]]++] = e;
  const rowStart = new Int32Array(nodeCount + 1);
  const mark = new Int32Array(nodeCount).fill(-1);
  let column = new Int32Array(12 * nodeCount + 64);
  let filled = 0;
  for (let i = 0; i < nodeCount; i++) {
    const first = filled;
    for (let k = used[i]; k < used[i + 1]; k++)
      for (let a = nodes * of[k]; a < nodes * of[k] + nodes; a++) {
        const other = elements[a];
        if (mark[other] === i) continue;
        mark[other] = i;
        if (filled === column.length) {
          const wider = new Int32Array(2 * filled);
          wider.set(column);
          column = wider;
        }
        column[filled++] = other;
      }
    column.subarray(first, filled).sort();
    rowStart[i + 1] = filled;
  }
  return { count: nodeCount, rowStart, column: column.slice(0, filled) };
}

export interface PlaneMatrices {
  readonly pattern: NodePattern;
  /** 4 per entry of the pattern, 2 × 2 row by row, N/m */
  readonly stiffness: Float64Array;
  /** 1 per entry: Ms, kg */
  readonly mass: Float64Array;
}

/**
 * K and Ms of a mesh.
 *
 * @param scale per element, factor of its stiffness and of its mass, 2 per element; 1 if left out
 * @throws ModelError at an element that is turned inside out
 */
export function planeMatrices(mesh: PlaneMesh, material: PlaneMaterial, scale?: Float64Array): PlaneMatrices {
  const { elements, elementCount, nodesPerElement: nodes } = mesh;
  const pattern = meshPattern(mesh);
  const { rowStart, column } = pattern;
  const stiffness = new Float64Array(4 * column.length);
  const mass = new Float64Array(column.length);
  const point = new ElementPoint(nodes);
  const { n } = point;
  const [c11, c12, c33] = planeModuli(material);
  const { thickness, density } = material;
  const ke = new Float64Array(4 * nodes * nodes);
  const me = new Float64Array(nodes * nodes);
  const rules = nodes === 3 ? THREE_POINTS : SIX_POINTS;
  for (let e = 0; e < elementCount; e++) {
    ke.fill(0);
    me.fill(0);
    for (let g = 0; g < 9; g += 3) {
      const determinant = point.at(mesh, e, THREE_POINTS[g], THREE_POINTS[g + 1]);
      if (!(determinant > 0)) throw inverted(mesh, e);
      const w = THREE_POINTS[g + 2] * determinant * thickness * (scale ? scale[2 * e] : 1);
      for (let a = 0; a < nodes; a++) {
        const ax = n[nodes + a];
        const ay = n[2 * nodes + a];
        for (let b = 0; b < nodes; b++) {
          const bx = n[nodes + b];
          const by = n[2 * nodes + b];
          const k = 4 * (nodes * a + b);
          ke[k] += w * (c11 * ax * bx + c33 * ay * by);
          ke[k + 1] += w * (c12 * ax * by + c33 * ay * bx);
          ke[k + 2] += w * (c12 * ay * bx + c33 * ax * by);
          ke[k + 3] += w * (c11 * ay * by + c33 * ax * bx);
        }
      }
    }
    for (let g = 0; g < rules.length; g += 3) {
      const determinant = point.at(mesh, e, rules[g], rules[g + 1]);
      if (!(determinant > 0)) throw inverted(mesh, e);
      const w = rules[g + 2] * determinant * thickness * density * (scale ? scale[2 * e + 1] : 1);
      for (let a = 0; a < nodes; a++) for (let b = 0; b < nodes; b++) me[nodes * a + b] += w * n[a] * n[b];
    }
    for (let a = 0; a < nodes; a++) {
      const row = elements[nodes * e + a];
      for (let b = 0; b < nodes; b++) {
        const at = entryOf(rowStart, column, row, elements[nodes * e + b]);
        for (let k = 0; k < 4; k++) stiffness[4 * at + k] += ke[4 * (nodes * a + b) + k];
        mass[at] += me[nodes * a + b];
      }
    }
  }
  return { pattern, stiffness, mass };
}

function inverted({ points, elements, nodesPerElement }: PlaneMesh, e: number): ModelError {
  const node = elements[nodesPerElement * e];
  return new ModelError(
    `mesh.elements[${e}]`,
    `is turned inside out near (${points[2 * node]}, ${points[2 * node + 1]}) m; take a finer mesh there`,
  );
}

/** Place of entry (row, other) by bisection. */
export function entryOf(rowStart: Int32Array, column: Int32Array, row: number, other: number): number {
  let low = rowStart[row];
  let high = rowStart[row + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < other) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** out = K x */
export function applyStiffness({ pattern, stiffness: k }: PlaneMatrices, x: Float64Array, out: Float64Array): void {
  const { count, rowStart, column } = pattern;
  for (let i = 0; i < count; i++) {
    let fx = 0;
    let fy = 0;
    for (let c = rowStart[i]; c < rowStart[i + 1]; c++) {
      const ux = x[2 * column[c]];
      const uy = x[2 * column[c] + 1];
      fx += k[4 * c] * ux + k[4 * c + 1] * uy;
      fy += k[4 * c + 2] * ux + k[4 * c + 3] * uy;
    }
    out[2 * i] = fx;
    out[2 * i + 1] = fy;
  }
}

/** out = M x */
export function applyMass({ pattern, mass: m }: PlaneMatrices, x: Float64Array, out: Float64Array): void {
  const { count, rowStart, column } = pattern;
  for (let i = 0; i < count; i++) {
    let fx = 0;
    let fy = 0;
    for (let c = rowStart[i]; c < rowStart[i + 1]; c++) {
      fx += m[c] * x[2 * column[c]];
      fy += m[c] * x[2 * column[c] + 1];
    }
    out[2 * i] = fx;
    out[2 * i + 1] = fy;
  }
}
