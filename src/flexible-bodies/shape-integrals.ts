/**
 * What the inertia of a moving, deforming body needs of its shapes, as integrals over the undeformed one, u = X + Σ q_k φ_k:
 *
 *   m,  s0 = ∫ρ X,  p_k = ∫ρ φ_k,  C00 = ∫ρ X Xᵀ,  C0k = ∫ρ X φ_kᵀ,  Ckl = ∫ρ φ_k φ_lᵀ
 *
 * from the scalar mass matrix of the mesh; planar parts have their thickness along z. Shabana, Dynamics of Multibody Systems, ch. 5.
 */
import type { ElasticPart } from './fem/elastic-part.js';

export interface ShapeIntegrals {
  readonly count: number;
  /** kg */
  readonly mass: number;
  /** 3, kg m */
  readonly s0: Float64Array;
  /** 9, kg m² */
  readonly c00: Float64Array;
  /** 3 per shape, kg */
  readonly p: Float64Array;
  /** 9 per shape, row-major */
  readonly c0: Float64Array;
  /** 9 per pair (k, l) at 9 (k count + l), row-major */
  readonly c: Float64Array;
}

/**
 * @param origin    of the frame in the part's own axes; of planar parts z from their middle plane, m
 * @param axes      9, row-major: the part's own axes (columns x, y, z) in the axes that the integrals are wanted in
 * @param thickness of planar parts, m
 */
export function shapeIntegrals(
  part: ElasticPart,
  shapes: readonly Float64Array[],
  origin: readonly [number, number, number],
  axes: ArrayLike<number>,
  thickness = 0,
): ShapeIntegrals {
  const { mesh, matrices, dimension: d } = part;
  const { rowStart, column } = matrices.pattern;
  const n = mesh.nodeCount;
  const count = shapes.length;
  // Ms times positions and shapes, as scalar fields: 1, X, Y (and Z), then φ_k by its components
  const fields: Float64Array[] = [new Float64Array(n).fill(1)];
  for (let a = 0; a < d; a++)
    fields.push(Float64Array.from({ length: n }, (_, i) => mesh.points[d * i + a] - origin[a]));
  for (const shape of shapes)
    for (let a = 0; a < d; a++) fields.push(Float64Array.from({ length: n }, (_, i) => shape[d * i + a]));
  const images = fields.map((field) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let c = rowStart[i]; c < rowStart[i + 1]; c++) sum += matrices.mass[c] * field[column[c]];
      out[i] = sum;
    }
    return out;
  });
  const product = (a: number, b: number): number => {
    let sum = 0;
    const f = fields[a];
    const g = images[b];
    for (let i = 0; i < n; i++) sum += f[i] * g[i];
    return sum;
  };
  const ofShape = (k: number, a: number): number => 1 + d + d * k + a;
  const mass = product(0, 0);
  const first = [0, 0, 0];
  const second = new Float64Array(9);
  for (let a = 0; a < d; a++) {
    first[a] = product(0, 1 + a);
    for (let b = 0; b < d; b++) second[3 * a + b] = product(1 + Math.min(a, b), 1 + Math.max(a, b));
  }
  // of planar parts: how far the middle plane is from the origin, and how thick they are
  const z = d === 2 ? -origin[2] : 0;
  if (d === 2) {
    first[2] = mass * z;
    for (let a = 0; a < 2; a++) second[6 + a] = second[3 * a + 2] = z * first[a];
    second[8] = mass * (z * z + (thickness * thickness) / 12);
  }
  const p = new Float64Array(3 * count);
  const c0 = new Float64Array(9 * count);
  const c = new Float64Array(9 * count * count);
  for (let k = 0; k < count; k++) {
    const own = [0, 0, 0];
    for (let a = 0; a < d; a++) own[a] = product(0, ofShape(k, a));
    p.set(turned(axes, own), 3 * k);
    const mixed = new Float64Array(9);
    for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) mixed[3 * a + b] = product(1 + a, ofShape(k, b));
    if (d === 2) for (let b = 0; b < 2; b++) mixed[6 + b] = z * own[b];
    c0.set(turnedTensor(axes, mixed), 9 * k);
    for (let l = 0; l < count; l++) {
      const both = new Float64Array(9);
      for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) both[3 * a + b] = product(ofShape(k, a), ofShape(l, b));
      c.set(turnedTensor(axes, both), 9 * (k * count + l));
    }
  }
  return { count, mass, s0: turned(axes, first), c00: turnedTensor(axes, second), p, c0, c };
}

function turned(r: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 3 }, (_, i) => r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2]);
}

/** R A Rᵀ */
function turnedTensor(r: ArrayLike<number>, a: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += r[3 * i + k] * a[3 * k + l] * r[3 * j + l];
      out[3 * i + j] = sum;
    }
  return out;
}
