/** A flexible solid as contact sees it, and how it gives between places on its surface. */
import type { SolidSurface } from './solid-surface.js';
import type { SpreadPlace } from './surface-spread.js';

/** Residual compliance between loads by number (residual-compliance.ts) */
export interface Giving {
  /** Number of the pressure around a patch */
  around(k: number): number;
  between(i: number, j: number): number;
  bulge(j: number): number;
}

export interface SolidSide {
  readonly surface: SolidSurface;
  readonly compliance: Giving;
  /** Displacement per unit of each coordinate, 3 per node */
  readonly shapes: readonly Float64Array[];
  readonly modulus: number;
  readonly poissonRatio: number;
}

/** A point of the surface, or a place on it (index −1) */
export interface SolidPlace {
  index: number;
  spread: SpreadPlace;
}

/** R between two places: w_a w_b R_ab, of pressures on the faces around nodes. m/N */
export function giveBetween({ compliance }: SolidSide, i: SolidPlace, j: SolidPlace): number {
  if (i.index >= 0 && j.index >= 0) return compliance.between(i.index, j.index);
  let sum = 0;
  for (let a = 0; a < (i.index >= 0 ? 1 : i.spread.count); a++) {
    const wa = i.index >= 0 ? 1 : i.spread.weights[a];
    const first = i.index >= 0 ? i.index : compliance.around(i.spread.patches[a]);
    for (let b = 0; b < (j.index >= 0 ? 1 : j.spread.count); b++) {
      const wb = j.index >= 0 ? 1 : j.spread.weights[b];
      const second = j.index >= 0 ? j.index : compliance.around(j.spread.patches[b]);
      sum += wa * wb * compliance.between(first, second);
    }
  }
  return sum;
}

/** How far a unit force at a place pushes any place of the surface outward, at most, m/N */
export function bulgeAt({ compliance }: SolidSide, { index, spread }: SolidPlace): number {
  if (index >= 0) return compliance.bulge(index);
  let sum = 0;
  for (let a = 0; a < spread.count; a++)
    sum += spread.weights[a] * compliance.bulge(compliance.around(spread.patches[a]));
  return sum;
}

/**
 * What a body gives beyond a half space, for Hertz's law counts that (Johnson, Contact Mechanics, § 3.4): R_ab less the mean that even pressure on the patch b sinks patch a in,
 *
 *   (1 − ν²)/(π E √(d² + β²)),   β = 3 π b/16,   π b² the mean area of both       16 (1 − ν²)/(3 π² E b) where a is b, a point's far away
 */
export class BeyondHalfSpace implements Giving {
  private readonly scale: number;

  constructor(
    private readonly own: Giving,
    private readonly surface: SolidSurface,
    modulus: number,
    poissonRatio: number,
  ) {
    this.scale = (1 - poissonRatio * poissonRatio) / (Math.PI * modulus);
  }

  around(k: number): number {
    return this.own.around(k);
  }

  between(i: number, j: number): number {
    const { surface, scale } = this;
    const { pointCount, patches, spread } = surface;
    const give = this.own.between(i, j);
    if (i < pointCount || j < pointCount) return give;
    const [a, b] = [i - pointCount, j - pointCount];
    const beta = (3 * Math.PI) / 16;
    const square = (patches[a].area + patches[b].area) / (2 * Math.PI);
    return give - scale / Math.sqrt(spread.square(a, b) + beta * beta * square);
  }

  bulge(j: number): number {
    return this.own.bulge(j);
  }
}
