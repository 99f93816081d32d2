/**
 * Small motions about a state: eigenvalues and mode shapes of the linearised system, loops eliminated.
 *
 * With the columns of N an M-orthonormal basis of the velocities that the loops leave (Nᵀ M N = 1), positions move along N z, and
 *
 *   d/dt (z, ż, s) = A (z, ż, s)
 *
 * A comes from differences of f of order 4 along these directions; eigenvalues from Hessenberg QR.
 */
import { eigenvalues, eigenvector } from '../math/eigen.js';
import { massMatrix } from './analysis.js';
import type { MechanicalSystem } from './mechanical-system.js';

export interface Mode {
  /** 1/s: real part (decay) and imaginary part (angular frequency ≥ 0) */
  readonly real: number;
  readonly imaginary: number;
  /** Hz, of the damped motion */
  readonly frequency: number;
  /** −real/|λ|: 0 undamped, 1 no longer swings */
  readonly damping: number;
  /** Velocity directions of all joints and free bodies, real part, largest entry 1 */
  readonly shape: Float64Array;
}

/** Modes by rising |λ|; of a pair of conjugates one is given. */
export function eigenmodes(mechanics: MechanicalSystem, t: number, y: Float64Array): Mode[] {
  const { nv, nq, size, system } = mechanics;
  mechanics.prepare(t, y);
  const basis = freeDirections(mechanics, t, y);
  const n = basis.length;
  const m = massMatrix(mechanics, t, y);
  const order = 2 * n + system.ns;
  const a = new Float64Array(order * order);
  const z = new Float64Array(size);
  const f = new Float64Array(size);
  const scale = mechanics.loops.length;
  const weights: readonly (readonly [number, number])[] = [
    [1, 8 / 12],
    [-1, -8 / 12],
    [2, -1 / 12],
    [-2, 1 / 12],
  ];
  for (let column = 0; column < order; column++) {
    const direction = column < n ? basis[column] : column < 2 * n ? basis[column - n] : undefined;
    const length = direction ? direction.reduce((most, x) => Math.max(most, Math.abs(x)), 0) : 1;
    const h = (1e-3 * Math.min(1, scale)) / length;
    const slope = new Float64Array(size);
    for (const [steps, weight] of weights) {
      z.set(y);
      if (column < n) mechanics.displace(z, direction!, 0, steps * h);
      else if (direction) for (let k = 0; k < nv; k++) z[nq + k] += steps * h * direction[k];
      else z[nq + nv + column - 2 * n] += steps * h;
      mechanics.rates(t, z, f);
      for (let i = nq; i < size; i++) slope[i] += (weight * f[i]) / h;
    }
    for (let row = 0; row < n; row++) {
      // z' = ż, and Nᵀ M a
      a[row * order + column] = column === n + row ? 1 : 0;
      let sum = 0;
      for (let i = 0; i < nv; i++) {
        let force = 0;
        for (let k = 0; k < nv; k++) force += m[i * nv + k] * slope[nq + k];
        sum += basis[row][i] * force;
      }
      a[(n + row) * order + column] = sum;
    }
    for (let k = 0; k < system.ns; k++) a[(2 * n + k) * order + column] = slope[nq + nv + k];
  }
  const { real, imaginary } = eigenvalues(order, a);
  const chosen = Array.from({ length: order }, (_, i) => i).filter((i) => imaginary[i] >= 0);
  chosen.sort((i, j) => magnitude(real[i], imaginary[i]) - magnitude(real[j], imaginary[j]) || i - j);
  return chosen.map((i): Mode => {
    const vector = eigenvector(order, a, real[i], imaginary[i]);
    const shape = new Float64Array(nv);
    for (let k = 0; k < n; k++) for (let j = 0; j < nv; j++) shape[j] += basis[k][j] * vector[k];
    const most = shape.reduce((largest, x) => (Math.abs(x) > Math.abs(largest) ? x : largest), 0);
    const size = magnitude(real[i], imaginary[i]);
    return {
      real: real[i],
      imaginary: imaginary[i],
      frequency: imaginary[i] / (2 * Math.PI),
      damping: size > 0 ? -real[i] / size : 0,
      shape: most === 0 ? shape : shape.map((x) => x / most),
    };
  });
}

const magnitude = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** M-orthonormal directions that no kept row forbids: Bᵀ of the unit vectors that Q leaves; slides and turns of free bodies as they are. */
function freeDirections(mechanics: MechanicalSystem, t: number, y: Float64Array): Float64Array[] {
  const { nv, derivatives, freeBodies, loops, articulated } = mechanics;
  const n = derivatives.size;
  mechanics.prepare(t, y);
  const rows = loops.kept.map((row) => {
    const z = new Float64Array(nv);
    articulated.halfSolve(loops.jacobian, row * nv, z, 0);
    return z;
  });
  const orthonormal: Float64Array[] = [];
  const reduce = (x: Float64Array): number => {
    for (let turn = 0; turn < 2; turn++)
      for (const other of orthonormal) {
        let dot = 0;
        for (let i = 0; i < n; i++) dot += other[i] * x[i];
        for (let i = 0; i < n; i++) x[i] -= dot * other[i];
      }
    return Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  };
  const keep = (x: Float64Array): void => {
    const norm = reduce(x);
    orthonormal.push(x.map((value) => value / norm));
  };
  for (const z of rows) keep(z);
  const directions: Float64Array[] = [];
  // Unit vectors, the one with most left first
  const open = new Set(Array.from({ length: n }, (_, i) => i));
  while (directions.length < n - rows.length) {
    let best = -1;
    let most = -1;
    for (const i of open) {
      const x = new Float64Array(nv);
      x[i] = 1;
      const left = reduce(x);
      if (left > most * (1 + 1e-9)) {
        most = left;
        best = i;
      }
    }
    open.delete(best);
    const x = new Float64Array(nv);
    x[best] = 1;
    keep(x);
    const direction = new Float64Array(nv);
    articulated.halfSolveTransposed(orthonormal[orthonormal.length - 1], 0, direction, 0);
    directions.push(direction);
  }
  for (let i = 0; i < freeBodies.count; i++)
    for (let j = 0; j < 6; j++) {
      const inertia = j < 3 ? freeBodies.mass[i] : freeBodies.moments[3 * i + j - 3];
      if (inertia === 0) continue;
      const direction = new Float64Array(nv);
      direction[n + 6 * i + j] = 1 / Math.sqrt(inertia);
      directions.push(direction);
    }
  return directions;
}
