/**
 * The slowest small motions about a position of rest, of systems too large for `eigenmodes`: subspace iteration (Bathe & Wilson 1973) with the
 * step matrix, which is factorised in O(n) where bodies form chains.
 *
 *   K u = ω² M u;     S = K⁻¹ M is one solution with the step matrix of a long step e: (M/e² + C/e + K) (e v) = M a
 *
 * S is applied to a few directions again and again; among their combinations the modes are those of a small matrix (Rayleigh–Ritz). What
 * M/e² adds is taken off again, ω² = 1/µ − 1/e², and damping is too slow to matter over a step of e.
 */
import { rotateToDiagonal } from '../math/symmetric-diagonal.js';
import { massMatrix } from './analysis.js';
import type { MechanicalSystem } from './mechanical-system.js';
import { DynamicsError } from './tree/dynamics-error.js';

export interface LowMode {
  /** Hz, undamped; 0 for what is free to go */
  readonly frequency: number;
  /** Velocity directions of all joints and free bodies, uᵀ M u = 1 */
  readonly shape: Float64Array;
}

export interface LowestModesOptions {
  /** Frequencies are found to this, relative; 1e-8 unless given */
  readonly tolerance?: number;
  /** Directions to begin with, such as a guess of a mode; more are added */
  readonly guesses?: readonly Float64Array[];
  readonly mostIterations?: number;
}

/** s: slower than anything that is worth the name of a vibration */
const LONG = 100;

/**
 * @param count how many modes, by rising frequency
 * @throws DynamicsError for systems with loops, and where the iteration does not settle
 */
export function lowestModes(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  count: number,
  { tolerance = 1e-8, guesses = [], mostIterations = 200 }: LowestModesOptions = {},
): LowMode[] {
  const { nq, nv, size } = mechanics;
  if (mechanics.loops.any)
    throw new DynamicsError('modes', 'expected a system without closed loops; take eigenmodes, which eliminates them');
  const f = new Float64Array(size);
  mechanics.prepare(t, y);
  mechanics.rates(t, y, f);
  mechanics.linear.linearise(t, y, f, new Float64Array(size));
  if (!mechanics.linear.factorise(LONG)) throw new DynamicsError('modes', 'the stiffness matrix is singular');
  const mass = sparseRows(massMatrix(mechanics, t, y), nv);
  const wanted = Math.min(nv, Math.max(2 * count, count + 8) + guesses.length);

  // To begin with: what is given, then directions that have something of every mode
  let basis: Float64Array[] = guesses.map((guess) => Float64Array.from(guess));
  for (let k = basis.length; k < wanted; k++)
    basis.push(Float64Array.from({ length: nv }, (_, i) => (((i + 1) * (2 * k + 3) * 7919) % 104729) / 104729 - 0.5));
  orthonormalise(basis, mass);
  let before: number[] = [];
  for (let iteration = 0; iteration < mostIterations; iteration++) {
    const moved = basis.map((direction) => {
      const x = new Float64Array(size);
      for (let i = 0; i < nv; i++) x[nq + i] = LONG * direction[i];
      mechanics.linear.solve(x);
      return x.slice(nq, nq + nv).map((v) => LONG * v);
    });
    // Among combinations of them: Vᵀ M S V, symmetric but for rounding
    const m = basis.length;
    const small = new Float64Array(m * m);
    for (let i = 0; i < m; i++) {
      const row = applied(mass, basis[i]);
      for (let j = 0; j < m; j++) small[m * i + j] = dot(row, moved[j]);
    }
    for (let i = 0; i < m; i++)
      for (let j = 0; j < i; j++) small[m * i + j] = small[m * j + i] = 0.5 * (small[m * i + j] + small[m * j + i]);
    const vectors = rotateToDiagonal(small, m);
    const order = Array.from({ length: m }, (_, i) => i).sort((i, j) => small[m * j + j] - small[m * i + i] || i - j);
    const shapes = order.map((i) => combination(moved, vectors[i]));
    const squares = order.slice(0, count).map((i) => Math.max(0, 1 / small[m * i + i] - 1 / (LONG * LONG)));
    basis = shapes;
    orthonormalise(basis, mass);
    const converged = squares.every(
      (now, i) => Math.abs(now - before[i]) <= 2 * tolerance * Math.max(now, 1 / (LONG * LONG)),
    );
    before = squares;
    if (converged)
      return squares.map((square, i) => ({ frequency: Math.sqrt(square) / (2 * Math.PI), shape: basis[i] }));
  }
  throw new DynamicsError('modes', `the frequencies have not converged in ${mostIterations} iterations`);
}

interface Rows {
  readonly columns: readonly Int32Array[];
  readonly values: readonly Float64Array[];
}

function sparseRows(dense: Float64Array, n: number): Rows {
  const columns: Int32Array[] = [];
  const values: Float64Array[] = [];
  for (let i = 0; i < n; i++) {
    const found: number[] = [];
    for (let j = 0; j < n; j++) if (dense[n * i + j] !== 0) found.push(j);
    columns.push(Int32Array.from(found));
    values.push(Float64Array.from(found, (j) => dense[n * i + j]));
  }
  return { columns, values };
}

const applied = ({ columns, values }: Rows, x: Float64Array): Float64Array =>
  x.map((_, i) => {
    let sum = 0;
    for (let k = 0; k < columns[i].length; k++) sum += values[i][k] * x[columns[i][k]];
    return sum;
  });

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function combination(vectors: readonly Float64Array[], weights: ArrayLike<number>): Float64Array {
  const out = new Float64Array(vectors[0].length);
  for (let k = 0; k < vectors.length; k++) for (let i = 0; i < out.length; i++) out[i] += weights[k] * vectors[k][i];
  return out;
}

/** Gram–Schmidt, twice, in the inner product of M */
function orthonormalise(vectors: readonly Float64Array[], mass: Rows): void {
  const images: Float64Array[] = [];
  for (const vector of vectors) {
    for (let turn = 0; turn < 2; turn++)
      for (let k = 0; k < images.length; k++) {
        const along = dot(images[k], vector);
        for (let i = 0; i < vector.length; i++) vector[i] -= along * vectors[k][i];
      }
    const length = Math.sqrt(dot(applied(mass, vector), vector));
    for (let i = 0; i < vector.length; i++) vector[i] /= length;
    images.push(applied(mass, vector));
  }
}
