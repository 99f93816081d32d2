/**
 * A system linearised about a state, in as few coordinates as it can move in: positions go along N z, velocities along N w,
 *
 *   d/dt (z, w, s) = A (z, w, s),     s: states of elements
 *
 * with differences of f of order 4. Columns of N are directions that the loops leave; a projection tells z and w from velocities of all joints. Where loops
 * close and the system moves, N itself turns with z, which is left out: A is then true for slow motion only.
 */
import { extentsOf } from '../flexible-bodies/reduction.js';
import { massMatrix } from './analysis.js';
import type { MechanicalSystem } from './mechanical-system.js';

/** Rows × columns, row by row */
export interface StateMatrix {
  readonly order: number;
  readonly a: Float64Array;
}

/** Steps of differences of order 4, and their weights */
const FOURTH_ORDER: readonly (readonly [steps: number, weight: number])[] = [
  [1, 8 / 12],
  [-1, -8 / 12],
  [2, -1 / 12],
  [-2, 1 / 12],
];

/**
 * m or rad by which states are moved: a thousandth of the mechanism. The error of fourth order of a part that deforms counts by its fastest mode, which may be 10⁴ times
 * faster than what is looked for: it is moved by 1e-4 of its own extent. (A strip on three pins in eight pieces had a first frequency 39 % too high at a thousandth.)
 */
function displacement({ loops, system: { flexible = [] } }: MechanicalSystem): number {
  let least = 1e-3 * Math.min(1, loops.length);
  for (const { part } of flexible) {
    const d = part.kind === 'plane' ? 2 : 3;
    least = Math.min(least, 1e-4 * Math.max(...extentsOf(part.mesh.points, d)));
  }
  return least;
}

/** State moved by `steps` of its column's step: first along positions, then velocities, then states of elements */
export function* displacedStates(
  mechanics: MechanicalSystem,
  y: Float64Array,
  basis: readonly Float64Array[],
  column: number,
): Generator<{ readonly y: Float64Array; readonly weight: number }> {
  const { nq, nv, size } = mechanics;
  const n = basis.length;
  const direction = column < n ? basis[column] : column < 2 * n ? basis[column - n] : undefined;
  const length = direction ? direction.reduce((most, x) => Math.max(most, Math.abs(x)), 0) : 1;
  const h = displacement(mechanics) / length;
  const z = new Float64Array(size);
  for (const [steps, weight] of FOURTH_ORDER) {
    z.set(y);
    if (column < n) mechanics.displace(z, direction!, 0, steps * h);
    else if (direction) for (let k = 0; k < nv; k++) z[nq + k] += steps * h * direction[k];
    else z[nq + nv + column - 2 * n] += steps * h;
    yield { y: z, weight: weight / h };
  }
}

/** @param projection rows by which accelerations of all joints become w' */
export function stateMatrix(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  basis: readonly Float64Array[],
  projection: readonly Float64Array[],
): StateMatrix {
  const { nv, nq, size, system } = mechanics;
  const n = basis.length;
  const order = 2 * n + system.ns;
  const a = new Float64Array(order * order);
  const f = new Float64Array(size);
  for (let column = 0; column < order; column++) {
    const slope = new Float64Array(size);
    for (const { y: z, weight } of displacedStates(mechanics, y, basis, column)) {
      mechanics.rates(t, z, f);
      for (let i = nq; i < size; i++) slope[i] += weight * f[i];
    }
    for (let row = 0; row < n; row++) {
      a[row * order + column] = column === n + row ? 1 : 0; // z' = w
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += projection[row][k] * slope[nq + k];
      a[(n + row) * order + column] = sum;
    }
    for (let k = 0; k < system.ns; k++) a[(2 * n + k) * order + column] = slope[nq + nv + k];
  }
  return { order, a };
}

/** Nᵀ M: the projection of an M-orthonormal basis */
export function massProjection(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  basis: readonly Float64Array[],
): Float64Array[] {
  const { nv } = mechanics;
  const m = massMatrix(mechanics, t, y);
  return basis.map((direction) =>
    Float64Array.from({ length: nv }, (_, k) => {
      let sum = 0;
      for (let i = 0; i < nv; i++) sum += direction[i] * m[i * nv + k];
      return sum;
    }),
  );
}

/**
 * Coordinates a user knows in place of M-orthonormal ones: as many velocities as there are freedoms, those that tell the motion best (largest pivots). Column k of the new basis
 * moves coordinate `chosen[k]` by one and the other chosen ones not.
 */
export function ownCoordinates(
  basis: readonly Float64Array[],
  nv: number,
): { readonly chosen: number[]; readonly basis: Float64Array[] } {
  const n = basis.length;
  const rest = basis.map((direction) => Float64Array.from(direction));
  const chosen: number[] = [];
  // Gauss & Jordan on columns, pivot by pivot
  for (let step = 0; step < n; step++) {
    let [row, column, most] = [-1, -1, 0];
    for (let k = 0; k < nv; k++) {
      if (chosen.includes(k)) continue;
      for (let j = step; j < n; j++)
        if (Math.abs(rest[j][k]) > most * (1 + 1e-9)) [row, column, most] = [k, j, Math.abs(rest[j][k])];
    }
    [rest[step], rest[column]] = [rest[column], rest[step]];
    const pivot = rest[step][row];
    for (let k = 0; k < nv; k++) rest[step][k] /= pivot;
    for (let j = 0; j < n; j++) {
      if (j === step) continue;
      const factor = rest[j][row];
      for (let k = 0; k < nv; k++) rest[j][k] -= factor * rest[step][k];
    }
    chosen.push(row);
  }
  // In the order of the joints
  const order = chosen.map((_, i) => i).sort((i, j) => chosen[i] - chosen[j]);
  return { chosen: order.map((i) => chosen[i]), basis: order.map((i) => rest[i]) };
}

/** M-orthonormal directions that no kept row forbids: Bᵀ of the unit vectors that Q leaves; slides and turns of free bodies as they are. */
export function freeDirections(mechanics: MechanicalSystem, t: number, y: Float64Array): Float64Array[] {
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
