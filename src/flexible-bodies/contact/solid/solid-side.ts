/** A flexible solid as contact sees it, and how it gives between places on its surface. */
import type { ResidualCompliance } from '../residual-compliance.js';
import type { SolidSurface } from './solid-surface.js';

export interface SolidSide {
  readonly surface: SolidSurface;
  readonly compliance: ResidualCompliance;
  /** Displacement per unit of each coordinate, 3 per node */
  readonly shapes: readonly Float64Array[];
  readonly modulus: number;
  readonly poissonRatio: number;
}

/** A point of the surface, or where weights λ point to on a triangle (index −1) */
export interface SolidPlace {
  index: number;
  triangle: number;
  weights: Float64Array;
}

/** R between two places: λ_a λ_b R_ab, of nodes with pressure on all faces around them. m/N */
export function giveBetween({ compliance, surface }: SolidSide, i: SolidPlace, j: SolidPlace): number {
  if (i.index >= 0 && j.index >= 0) return compliance.between(i.index, j.index);
  const { patchOf } = surface;
  let sum = 0;
  for (let a = 0; a < (i.index >= 0 ? 1 : 3); a++) {
    const wa = i.index >= 0 ? 1 : i.weights[a];
    if (wa === 0) continue;
    const first = i.index >= 0 ? i.index : compliance.around(patchOf[3 * i.triangle + a]);
    for (let b = 0; b < (j.index >= 0 ? 1 : 3); b++) {
      const wb = j.index >= 0 ? 1 : j.weights[b];
      if (wb === 0) continue;
      const second = j.index >= 0 ? j.index : compliance.around(patchOf[3 * j.triangle + b]);
      sum += wa * wb * compliance.between(first, second);
    }
  }
  return sum;
}

/** How far a unit force at a place pushes any place of the surface outward, at most, m/N */
export function bulgeAt({ compliance, surface }: SolidSide, { index, triangle, weights }: SolidPlace): number {
  if (index >= 0) return compliance.bulge(index);
  let sum = 0;
  for (let a = 0; a < 3; a++)
    if (weights[a] !== 0) sum += weights[a] * compliance.bulge(compliance.around(surface.patchOf[3 * triangle + a]));
  return sum;
}
