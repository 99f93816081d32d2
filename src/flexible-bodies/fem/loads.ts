/**
 * Loads that are spread over a part, as consistent nodal forces:
 *
 *   pressure on sides    f_a = −p t ∫ N_a n ds        n outward; n ds = (y', −x') dξ with the inside to the left
 *   weight               f   = M g                    M whole, so that moments are exact, too
 *   spin                 f   = M ω² r                 r from the axis, perpendicular to it: what a part that turns steadily feels in its own frame
 *
 * Shapes are isoparametric, so that r is exact on curved sides, too. Small strain: the direction of pressure is that of the part as drawn, and the
 * tension of a spin stiffens nothing. Zienkiewicz & Taylor, The Finite Element Method, vol. 1, ch. 2 and 5.
 */
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import type { ElasticPart } from './elastic-part.js';

/** Points (of 0 … 1) and weights: N_a x' is of third order on parabolas, for which two points are exact */
const TWO_POINTS = [0.5 - 0.28867513459481287, 0.5 + 0.28867513459481287];

/**
 * Pressure on sides of a planar part, towards the material where it is positive.
 *
 * @param pressure  Pa
 * @param thickness m
 * @param out       2 per node, N; added to
 */
export function addPressure(
  { sides, points }: PlaneMesh,
  chosen: readonly number[],
  pressure: number,
  thickness: number,
  out: Float64Array,
): void {
  for (const s of chosen) {
    const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
    for (const t of TWO_POINTS) {
      // N and dN/dt at a, b, middle
      const n = m < 0 ? [1 - t, t] : [(1 - t) * (1 - 2 * t), t * (2 * t - 1), 4 * t * (1 - t)];
      const slope = m < 0 ? [-1, 1] : [4 * t - 3, 4 * t - 1, 4 - 8 * t];
      const nodes = m < 0 ? [a, b] : [a, b, m];
      let [dx, dy] = [0, 0];
      nodes.forEach((node, k) => {
        dx += slope[k] * points[2 * node];
        dy += slope[k] * points[2 * node + 1];
      });
      const w = -0.5 * pressure * thickness;
      nodes.forEach((node, k) => {
        out[2 * node] += w * n[k] * dy;
        out[2 * node + 1] -= w * n[k] * dx;
      });
    }
  }
}

/** A steady turn about an axis */
export interface Spin {
  /** rad/s */
  readonly speed: number;
  /** A point of the axis, d numbers, m */
  readonly at: ArrayLike<number>;
  /** Direction of the axis, length 1; z where it is left out */
  readonly axis?: readonly [number, number, number];
}

/** ω² r of nodes, d per node, m/s² */
export function spinField(points: Float64Array, d: 2 | 3, { speed, at, axis = [0, 0, 1] }: Spin): Float64Array {
  const square = speed * speed;
  return points.map((x, i) => {
    const node = i - (i % d);
    let along = 0;
    for (let k = 0; k < d; k++) along += (points[node + k] - at[k]) * axis[k];
    return square * (x - at[i % d] - along * axis[i % d]);
  });
}

/** The same acceleration at all nodes, d per node, m/s² */
export const weightField = (points: Float64Array, gravity: ArrayLike<number>): Float64Array =>
  points.map((_, i) => gravity[i % gravity.length]);

/** M a. @param field d per node, m/s² @param out d per node, N; added to */
export function addInertia(part: ElasticPart, field: Float64Array, out: Float64Array): void {
  const force = new Float64Array(part.size);
  part.applyMass(field, force);
  for (let i = 0; i < force.length; i++) out[i] += force[i];
}
