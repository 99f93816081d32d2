/**
 * How deep a region may be before its law no longer describes it. Two causes:
 *
 * Strain. Laws that follow from elasticity are those of small strains. Hertz has a patch small against the radius, a = √(R d); the strain under
 * it is near 0.2 a/R (Tabor, The Hardness of Metals, 1951). Against Sneddon's exact sphere on an elastic half-space (Int. J. Engng Sci. 3, 1965),
 *
 *   d = (a/2) ln((R + a)/(R − a)),   F = ½ E* ((a² + R²) ln((R + a)/(R − a)) − 2 a R),
 *
 * the force of Hertz is 1.0 % too large at d = R/10, where the strain is 6 %, and 2.6 % at d = R/4, where it is 10 % and no solid follows
 * Hooke's law any more. For the laws of the overlap and of the bed the length is L, the thickness of the bed: strain d/L.
 *
 * Geometry. Deeper than a quarter of the thinnest part w, the overlap no longer tells the side from which the bodies came together; the step
 * guard takes steps back at the same depth. An idealized surface has one side only and counts to the bottom of its layer. That is all there is to
 * laws whose stiffness the user gives.
 */
export interface DepthLimits {
  /** Deeper, and forces are doubtful, m */
  readonly doubtful: number;
  /** Deeper, and they are wrong, m */
  readonly most: number;
}

/** Parts of R or L */
const DOUBTFUL_STRAIN = 0.1;
const MOST_STRAIN = 0.25;
/**
 * @param elasticLength m: R of Hertz, L of the bed; Infinity for laws that do not follow from elasticity
 * @param tellable      m: how deep an overlap tells its side
 */
export function depthLimits(elasticLength: number, tellable: number): DepthLimits {
  return {
    doubtful: Math.min(DOUBTFUL_STRAIN * elasticLength, tellable),
    most: Math.min(MOST_STRAIN * elasticLength, tellable),
  };
}

/** How deep an overlap with a shape tells its side, m, from its thinnest extent, or the layer of an idealized surface */
export const tellableDepth = (thinnest: number, idealized: boolean): number => (idealized ? 1 : 0.25) * thinnest;
