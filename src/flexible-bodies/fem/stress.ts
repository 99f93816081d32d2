/**
 * Stress of a displacement field: at the three inner points of each element, extended linearly to its nodes, averaged per node.
 *
 *   σ = C ε,  ε = (u_x, v_y, u_y + v_x)        von Mises in plane stress  √(σx² − σx σy + σy² + 3 τ²)
 *
 * In plane strain σz = ν (σx + σy) counts too. Stress is linear in the displacements, so fields of modes are added up; von Mises and principal
 * stresses are taken of the sum, never added.
 */
import { symmetricEigen } from '../../math/symmetric-eigen.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { ElementPoint, type PlaneMaterial, planeModuli, THREE_POINTS } from './plane-elements.js';

/** 3 per node: σx, σy, τxy, Pa. @param jump if given, gets the largest difference between elements at one node, Pa */
export function nodalStress(
  mesh: PlaneMesh,
  material: PlaneMaterial,
  displacement: Float64Array,
  jump?: { largest: number },
): Float64Array {
  const { elements, elementCount, nodesPerElement: nodes, nodeCount } = mesh;
  const [c11, c12, c33] = planeModuli(material);
  const point = new ElementPoint(nodes);
  const { n } = point;
  const sum = new Float64Array(3 * nodeCount);
  const count = new Int32Array(nodeCount);
  const low = jump ? new Float64Array(3 * nodeCount).fill(Number.POSITIVE_INFINITY) : undefined;
  const high = jump ? new Float64Array(3 * nodeCount).fill(Number.NEGATIVE_INFINITY) : undefined;
  const inner = new Float64Array(9);
  for (let e = 0; e < elementCount; e++) {
    for (let g = 0; g < 3; g++) {
      point.at(mesh, e, THREE_POINTS[3 * g], THREE_POINTS[3 * g + 1]);
      let ex = 0;
      let ey = 0;
      let gxy = 0;
      for (let a = 0; a < nodes; a++) {
        const node = elements[nodes * e + a];
        const u = displacement[2 * node];
        const v = displacement[2 * node + 1];
        ex += n[nodes + a] * u;
        ey += n[2 * nodes + a] * v;
        gxy += n[2 * nodes + a] * u + n[nodes + a] * v;
      }
      inner[3 * g] = c11 * ex + c12 * ey;
      inner[3 * g + 1] = c12 * ex + c11 * ey;
      inner[3 * g + 2] = c33 * gxy;
    }
    for (let a = 0; a < nodes; a++) {
      const node = elements[nodes * e + a];
      count[node]++;
      for (let k = 0; k < 3; k++) {
        // f = f₀ + 2 (f₁ − f₀)(ξ − 1/6) + 2 (f₂ − f₀)(η − 1/6)
        const value =
          inner[k] +
          2 * (inner[3 + k] - inner[k]) * (NODE_XI[a] - 1 / 6) +
          2 * (inner[6 + k] - inner[k]) * (NODE_ETA[a] - 1 / 6);
        sum[3 * node + k] += value;
        if (low && high) {
          low[3 * node + k] = Math.min(low[3 * node + k], value);
          high[3 * node + k] = Math.max(high[3 * node + k], value);
        }
      }
    }
  }
  for (let i = 0; i < nodeCount; i++) for (let k = 0; k < 3; k++) sum[3 * i + k] /= Math.max(1, count[i]);
  if (jump && low && high) {
    jump.largest = 0;
    for (let i = 0; i < sum.length; i++)
      if (count[(i - (i % 3)) / 3] > 1) jump.largest = Math.max(jump.largest, high[i] - low[i]);
  }
  return sum;
}

const NODE_XI = [0, 1, 0, 0.5, 0.5, 0];
const NODE_ETA = [0, 0, 1, 0, 0.5, 0.5];

/** ν of a part in plane strain, whose σz counts in von Mises stress; 0 of all others */
export const ratioAcross = ({ strain, poissonRatio }: Pick<PlaneMaterial, 'strain' | 'poissonRatio'>): number =>
  strain ? poissonRatio : 0;

/** Of σx, σy, τ, Pa; `poisson` > 0 for plane strain */
export function vonMises(sx: number, sy: number, txy: number, poisson = 0): number {
  const sz = poisson * (sx + sy);
  return Math.sqrt(Math.max(0, sx * sx + sy * sy + sz * sz - sx * sy - sy * sz - sz * sx + 3 * txy * txy));
}

/** The larger and the smaller principal stress in the plane */
export function principalStresses(sx: number, sy: number, txy: number): readonly [number, number] {
  const mean = (sx + sy) / 2;
  const radius = Math.sqrt(((sx - sy) / 2) * ((sx - sy) / 2) + txy * txy);
  return [mean + radius, mean - radius];
}

/** σ at index `at`, 6 numbers as of `stress` */
export function solidMises(s: ArrayLike<number>, at: number): number {
  const [x, y, z, xy, yz, zx] = [s[at], s[at + 1], s[at + 2], s[at + 3], s[at + 4], s[at + 5]];
  return Math.sqrt(((x - y) * (x - y) + (y - z) * (y - z) + (z - x) * (z - x)) / 2 + 3 * (xy * xy + yz * yz + zx * zx));
}

/** The largest and the smallest principal stress of a solid, of 6 numbers from index `at` */
export function solidPrincipals(s: ArrayLike<number>, at: number): readonly [number, number] {
  const [x, y, z, xy, yz, zx] = [s[at], s[at + 1], s[at + 2], s[at + 3], s[at + 4], s[at + 5]];
  const { values } = symmetricEigen([x, xy, zx, xy, y, yz, zx, yz, z]);
  return [values[2], values[0]];
}

/** What is told of a field of stress, Pa */
export interface StressExtremes {
  /** Largest von Mises stress, and its node */
  mises: number;
  node: number;
  /** Largest and smallest principal stress of all nodes */
  major: number;
  minor: number;
}

/** @param poisson > 0 for plane strain */
export function planeExtremes(sum: Float64Array, poisson: number, out: StressExtremes): void {
  begin(out);
  for (let i = 0; i < sum.length / 3; i++) {
    const mises = vonMises(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2], poisson);
    if (mises > out.mises) {
      out.mises = mises;
      out.node = i;
    }
    const [first, second] = principalStresses(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2]);
    out.major = Math.max(out.major, first);
    out.minor = Math.min(out.minor, second);
  }
}

export function solidExtremes(sum: Float64Array, out: StressExtremes): void {
  begin(out);
  for (let i = 0; i < sum.length; i += 6) {
    const mises = solidMises(sum, i);
    if (mises > out.mises) {
      out.mises = mises;
      out.node = i / 6;
    }
    // no eigenvalue lies beyond its row's sum: most nodes need not be looked at
    const [x, y, z] = [Math.abs(sum[i + 3]), Math.abs(sum[i + 4]), Math.abs(sum[i + 5])];
    const high = Math.max(sum[i] + x + z, sum[i + 1] + x + y, sum[i + 2] + y + z);
    const low = Math.min(sum[i] - x - z, sum[i + 1] - x - y, sum[i + 2] - y - z);
    if (!(high > out.major || low < out.minor)) continue;
    const [first, second] = solidPrincipals(sum, i);
    out.major = Math.max(out.major, first);
    out.minor = Math.min(out.minor, second);
  }
}

function begin(out: StressExtremes): void {
  out.mises = -1;
  out.node = 0;
  out.major = -Infinity;
  out.minor = Infinity;
}
