/**
 * Boxes of everything a shape passes through during a step, for the guard that lets no step jump over a contact.
 *
 * A rigid body's motion over the step is the displacement d of a point P of it plus a turn about P. Every point stays
 * within the box shifted along d by some part of the way, enlarged by
 *
 *   r = 2 R sin(θ/2) ≤ R θ        R  greatest distance of the shape from P, m;   θ  angle turned, rad
 *
 * since a point at distance ρ ≤ R from P strays from the plain shift by a chord of its circle. If the way of P is bent, by an
 * acceleration a over the step h, it leaves the straight way by at most |a| h²/8, which is to be added to r.
 */

/**
 * @param boxes        6 per shape at the start of the step, m
 * @param displacement 3 per shape: d, m
 * @param stray        one per shape: r, m
 * @param out          6 per shape; may be `boxes` itself
 */
export function sweepBoxes(
  boxes: Float64Array,
  displacement: Float64Array,
  stray: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0; i < stray.length; i++) {
    const r = stray[i];
    for (let k = 0; k < 3; k++) {
      const d = displacement[3 * i + k];
      const min = boxes[6 * i + k];
      const max = boxes[6 * i + k + 3];
      out[6 * i + k] = (d < 0 ? min + d : min) - r;
      out[6 * i + k + 3] = (d > 0 ? max + d : max) + r;
    }
  }
}
