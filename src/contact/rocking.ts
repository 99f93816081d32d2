/**
 * Damping of a patch that rocks. The pressure of a place follows its own approach speed, which to first order is a torque −c (n × S n×) ω about the
 * centroid, c = ∂N/∂v and S the patch's second moments per area. Where one shape is round about an axis k, turning about it changes nothing and is
 * not resisted: with P = 1 − k kᵀ the torque is −P c (n × S n×) P ω. A wheel rolls free, a disc that lies flat is damped in both directions.
 */

/**
 * P (n × S n×) P times a factor, in (n, t₁, t₂): nn, 11, 22, n1, n2, 12
 *
 * @param moments  3: second moments of the patch per area in (t₁, t₂), 11, 12, 22, m²
 * @param basis    9: n, t₁, t₂
 * @param rotation 9 per shape
 * @param roller   the shape that is round about its z axis; undefined: none
 */
export function rockingMatrix(
  rocking: Float64Array,
  factor: number,
  moments: Float64Array,
  basis: Float64Array,
  rotation: Float64Array,
  roller: number | undefined,
): void {
  rocking[0] = rocking[3] = rocking[4] = 0;
  rocking[1] = factor * moments[2];
  rocking[2] = factor * moments[0];
  rocking[5] = 0 - factor * moments[1];
  if (roller === undefined || !(factor > 0)) return;
  // C → C − k (C k)ᵀ − (C k) kᵀ + (k · C k) k kᵀ in (n, t₁, t₂)
  const z = 9 * roller + 2;
  const k0 = rotation[z] * basis[0] + rotation[z + 3] * basis[1] + rotation[z + 6] * basis[2];
  const k1 = rotation[z] * basis[3] + rotation[z + 3] * basis[4] + rotation[z + 6] * basis[5];
  const k2 = rotation[z] * basis[6] + rotation[z + 3] * basis[7] + rotation[z + 6] * basis[8];
  const c1 = rocking[1] * k1 + rocking[5] * k2;
  const c2 = rocking[5] * k1 + rocking[2] * k2;
  const c = k1 * c1 + k2 * c2;
  rocking[0] = c * k0 * k0;
  rocking[3] = c * k0 * k1 - k0 * c1;
  rocking[4] = c * k0 * k2 - k0 * c2;
  rocking[1] += c * k1 * k1 - 2 * k1 * c1;
  rocking[2] += c * k2 * k2 - 2 * k2 * c2;
  rocking[5] += c * k1 * k2 - k1 * c2 - k2 * c1;
}
