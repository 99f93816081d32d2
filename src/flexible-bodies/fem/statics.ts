/**
 * Statics of a part that is held, or moved by known amounts, at some of its unknowns, and what its holds bear:
 *
 *   K_ff u_f = f_f − K_fh u_h          r = K u − f at held unknowns
 *
 * K strains nothing in motions as a whole, so forces and moments of loads and reactions cancel to the rounding of the solution: `balance` tells how far.
 */
import type { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import type { ElasticPart } from './elastic-part.js';
import { dot } from './rigid-motions.js';

export interface Statics {
  /** d per node, m */
  readonly displacements: Float64Array;
  /** What the holds press on the part with, d per node, N; 0 where it is free */
  readonly reactions: Float64Array;
  /** ½ u·K u, J */
  readonly strainEnergy: number;
}

/** Sum of nodal forces, and of their moments about a point */
export interface Resultant {
  /** d numbers, N */
  readonly force: readonly number[];
  /** In the plane one number about z, in space three, N m */
  readonly moment: readonly number[];
}

/**
 * @param free  0 where an unknown is held
 * @param force d per node, N
 * @param moved displacements of held unknowns, d per node, m; 0 if left out
 * @param ldl   factors of K with these unknowns held, where they are needed for more
 * @throws ModelError if the part can move freely
 * @example const { displacements, reactions } = solveStatics(part, free, force);
 */
export function solveStatics(
  part: ElasticPart,
  free: Uint8Array,
  force: Float64Array,
  {
    moved,
    path,
    ldl = part.factor(free, 0, path),
  }: { readonly moved?: Float64Array; readonly path?: string; readonly ldl?: SparseLdl } = {},
): Statics {
  const { size } = part;
  const inner = new Float64Array(size);
  const u = force.slice();
  const known = Float64Array.from({ length: size }, (_, i) => (moved && free[i] === 0 ? moved[i] : 0));
  if (moved) {
    part.applyStiffness(known, inner);
    for (let i = 0; i < size; i++) u[i] -= inner[i];
  }
  for (let i = 0; i < size; i++) if (free[i] === 0) u[i] = 0;
  ldl.solve(u);
  for (let i = 0; i < size; i++) if (free[i] === 0) u[i] = known[i];
  part.applyStiffness(u, inner);
  return {
    displacements: u,
    reactions: Float64Array.from({ length: size }, (_, i) => (free[i] === 0 ? inner[i] - force[i] : 0)),
    strainEnergy: 0.5 * dot(u, inner),
  };
}

/** @param about d numbers, m; the origin if left out @param counts which unknowns; all if left out */
export function resultant(
  part: ElasticPart,
  forces: Float64Array,
  about: ArrayLike<number> = [0, 0, 0],
  counts: (unknown: number) => boolean = () => true,
): Resultant {
  const {
    dimension: d,
    mesh: { points },
  } = part;
  const force = new Array<number>(d).fill(0);
  const moment = new Array<number>(d === 2 ? 1 : 3).fill(0);
  for (let i = 0; i < forces.length; i++) {
    if (forces[i] === 0 || !counts(i)) continue;
    const k = i % d;
    const node = i - k;
    const r = (j: number): number => points[node + j] - about[j];
    force[k] += forces[i];
    // (r × f)_m = r_l f_k with l, k, m in a circle, −r_m f_k one further
    if (d === 2) moment[0] += k === 1 ? r(0) * forces[i] : -r(1) * forces[i];
    else {
      moment[(k + 1) % 3] += r((k + 2) % 3) * forces[i];
      moment[(k + 2) % 3] -= r((k + 1) % 3) * forces[i];
    }
  }
  return { force, moment };
}

/**
 * What is left of loads and reactions together, of forces as part of the sum of all |f|, of moments about the middle of the part as part of Σ |f| times its extent:
 * rounding of the solution. 0 where nothing acts. `acting` is the sum of all |f|, N.
 */
export function balance(
  part: ElasticPart,
  force: Float64Array,
  reactions: Float64Array,
): { readonly force: number; readonly moment: number; readonly acting: number } {
  const {
    dimension: d,
    mesh: { points },
  } = part;
  const middle: number[] = [];
  let extent = 0;
  for (let k = 0; k < d; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < points.length; i += d) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    middle.push((low + high) / 2);
    extent = Math.max(extent, high - low);
  }
  let all = 0;
  const both = force.map((f, i) => {
    all += Math.abs(f) + Math.abs(reactions[i]);
    return f + reactions[i];
  });
  if (!(all > 0)) return { force: 0, moment: 0, acting: 0 };
  const left = resultant(part, both, middle);
  const largest = (values: readonly number[]): number =>
    values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { force: largest(left.force) / all, moment: largest(left.moment) / (all * extent), acting: all };
}
