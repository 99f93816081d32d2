/**
 * What the inertia of a moving, deforming body needs of its shapes, as integrals over the undeformed one, u = X + Σ q_k φ_k:
 *
 *   m,  s0 = ∫ρ X,  p_k = ∫ρ φ_k,  C00 = ∫ρ X Xᵀ,  C0k = ∫ρ X φ_kᵀ,  Ckl = ∫ρ φ_k φ_lᵀ
 *
 * from the scalar mass matrix of the mesh; planar parts have their thickness along z. Shabana, Dynamics of Multibody Systems, ch. 5.
 */
import type { PlanePart } from './fem/plane-part.js';

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
 * @param origin of the frame: x and y in the plane of the part, z from its middle plane, m
 * @param axes   9, row-major: axes of the part's plane (columns x, y, normal) in the axes that the integrals are wanted in
 */
export function shapeIntegrals(
  part: PlanePart,
  shapes: readonly Float64Array[],
  origin: readonly [number, number, number],
  axes: ArrayLike<number>,
): ShapeIntegrals {
  const { mesh, matrices, material } = part;
  const { rowStart, column } = matrices.pattern;
  const n = mesh.nodeCount;
  const count = shapes.length;
  // Ms times positions and shapes, as scalar fields: 1, X, Y, then φ_kx, φ_ky
  const fields: Float64Array[] = [new Float64Array(n).fill(1), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    fields[1][i] = mesh.points[2 * i] - origin[0];
    fields[2][i] = mesh.points[2 * i + 1] - origin[1];
  }
  for (const shape of shapes) {
    const x = new Float64Array(n);
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      x[i] = shape[2 * i];
      y[i] = shape[2 * i + 1];
    }
    fields.push(x, y);
  }
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
  const mass = product(0, 0);
  const z = -origin[2]; // of the middle plane from the origin
  const first = [product(0, 1), product(0, 2), mass * z];
  const xx = product(1, 1);
  const xy = product(1, 2);
  const yy = product(2, 2);
  const t = material.thickness;
  const second = [
    xx,
    xy,
    z * first[0],
    xy,
    yy,
    z * first[1],
    z * first[0],
    z * first[1],
    mass * (z * z + (t * t) / 12),
  ];
  const p = new Float64Array(3 * count);
  const c0 = new Float64Array(9 * count);
  const c = new Float64Array(9 * count * count);
  for (let k = 0; k < count; k++) {
    const own = [product(0, 3 + 2 * k), product(0, 4 + 2 * k), 0];
    p.set(turned(axes, own), 3 * k);
    const mixed = new Float64Array(9);
    for (let a = 0; a < 2; a++) for (let b = 0; b < 2; b++) mixed[3 * a + b] = product(1 + a, 3 + 2 * k + b);
    for (let b = 0; b < 2; b++) mixed[6 + b] = z * own[b];
    c0.set(turnedTensor(axes, mixed), 9 * k);
    for (let l = 0; l < count; l++) {
      const both = new Float64Array(9);
      for (let a = 0; a < 2; a++) for (let b = 0; b < 2; b++) both[3 * a + b] = product(3 + 2 * k + a, 3 + 2 * l + b);
      c.set(turnedTensor(axes, both), 9 * (k * count + l));
    }
  }
  return {
    count,
    mass,
    s0: turned(axes, first),
    c00: turnedTensor(axes, second),
    p,
    c0,
    c,
  };
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
