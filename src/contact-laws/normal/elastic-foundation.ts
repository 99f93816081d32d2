/**
 * Bed of independent springs (Winkler): every element of the patch pushes with the pressure K δ, so the sum is
 *
 *   F = K V
 *
 *   K   pressure per depth     N/m³
 *   V   volume of the overlap  m³
 *
 * A sphere of radius R pressed h deep has F = K π h² (3R − h)/3. Unlike the overlap-volume law it is additive: two halves of
 * a patch carry together what the whole does, so nothing jumps when regions merge or split, and a line contact is
 * proportional to its length.
 *
 * A layer of thickness H bonded to a rigid base has K = E (1 − ν)/((1 + ν)(1 − 2ν) H), Johnson, Contact Mechanics (1985), §4.3;
 * for two layers 1/K = 1/K₁ + 1/K₂. The layer must be thin against the patch, and ν not near ½.
 *
 * If the area has grown as A ~ δ^growth, U = ∫ K V dδ = F (V/A)(growth + 1)/(growth + 2): ½ F V/A flat, ⅔ F V/A curved; with
 * it constant-restitution.ts damps.
 */

/** F, N */
export function foundationForce(modulus: number, volume: number): number {
  return volume > 0 ? modulus * volume : 0;
}

/** ∂F/∂V, N/m³ */
export function foundationForceByVolume(modulus: number, volume: number): number {
  return volume > 0 ? modulus : 0;
}

/** K of one bonded layer, N/m³ */
export function foundationModulus(youngsModulus: number, poissonRatio: number, thickness: number): number {
  return (youngsModulus * (1 - poissonRatio)) / ((1 + poissonRatio) * (1 - 2 * poissonRatio) * thickness);
}

/** (growth + 1)/(growth + 2) */
export function foundationEnergyFactor(growth: number): number {
  return (growth + 1) / (growth + 2);
}
