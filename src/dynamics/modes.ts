/**
 * Small motions about a state: eigenvalues and mode shapes of the linearised system, loops eliminated.
 *
 * With the columns of N an M-orthonormal basis of the velocities that the loops leave (Nᵀ M N = 1), positions move along N z, and
 *
 *   d/dt (z, ż, s) = A (z, ż, s)
 *
 * A comes from differences of f of order 4 along these directions (linearisation.ts); eigenvalues from Hessenberg QR.
 */
import { eigenvalues, eigenvector } from '../math/eigen.js';
import { freeDirections, massProjection, stateMatrix } from './linearisation.js';
import type { MechanicalSystem } from './mechanical-system.js';

export interface Mode {
  /** 1/s: real part (decay) and imaginary part (angular frequency ≥ 0) */
  readonly real: number;
  readonly imaginary: number;
  /** Hz, of the damped motion */
  readonly frequency: number;
  /** −real/|λ|: 0 undamped, 1 no longer swings */
  readonly damping: number;
  /** Velocity directions of all joints and free bodies, real part, largest entry 1; all 0 where a state of friction changes by itself */
  readonly shape: Float64Array;
}

/** Modes by rising |λ|; of a pair of conjugates one is given. */
export function eigenmodes(mechanics: MechanicalSystem, t: number, y: Float64Array): Mode[] {
  const { nv } = mechanics;
  mechanics.prepare(t, y);
  const basis = freeDirections(mechanics, t, y);
  const { order, a } = stateMatrix(mechanics, t, y, basis, massProjection(mechanics, t, y, basis));
  const n = basis.length;
  const { real, imaginary } = eigenvalues(order, a);
  const chosen = Array.from({ length: order }, (_, i) => i).filter((i) => imaginary[i] >= 0);
  chosen.sort((i, j) => magnitude(real[i], imaginary[i]) - magnitude(real[j], imaginary[j]) || i - j);
  return chosen.map((i): Mode => {
    const vector = eigenvector(order, a, real[i], imaginary[i]);
    const shape = new Float64Array(nv);
    let moved = 0;
    let strained = 0;
    for (let k = 0; k < n; k++) moved = Math.max(moved, Math.abs(vector[k]));
    for (let k = 2 * n; k < order; k++) strained = Math.max(strained, Math.abs(vector[k]));
    if (moved > STILL * strained)
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

/** Motion less than this, √kg m, beside states, m, is rounding */
const STILL = 1e-9;

const magnitude = (x: number, y: number): number => Math.sqrt(x * x + y * y);
