/**
 * Normal force of two overlapping solids of any shape, from the volume of the overlap:
 *
 *   F = E* k √(V d) · max(0, 1 + c ḋ),   k = 4 / (3 √π)
 *
 *   E*  reduced modulus, 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂    Pa
 *   V   volume of the overlap                                  m³
 *   d   extent of the overlap along the contact normal         m
 *   ḋ   approach speed, positive while the bodies close in     m/s
 *   c   damping                                                s/m
 *
 * A sphere on a flat wall has V = π d² (R − d/3), which makes F the Hertz force
 * 4/3 E* √R d^(3/2) times √(1 − d/3R); the test beside this file checks exactly that.
 * Without the max the law would pull on bodies that separate fast, which no dry contact does.
 *
 * The paper's d is the extent of the overlap's vertices along the normal. It jumps when a resting box begins to overhang an
 * edge; `depthOfVolume`, d = 2V/A with A the length of the patch's vector area, does not, is the extent for a sphere, and
 * brings a flat punch (2 E* a δ) from −33 % to −5.7 % and a cone from +21 % to −1.3 %.
 *
 * The damping c meets a restitution e at one impact speed v_i only: c = huntCrossleyFactor(e)/v_i (restitution.ts).
 * For the same e at every speed see constant-restitution.ts with the energy below.
 *
 * Nassauer & Kuna (2013), doi 10.1007/s10035-013-0417-9; Elmqvist et al. (2015), §6.1–6.2.1,
 * who write E for E*; we keep E* so that the two materials may differ.
 */
export interface OverlapVolume {
  /** E*, Pa */
  readonly reducedModulus: number;
  /** c, s/m */
  readonly damping: number;
}

/** F, N */
export function overlapVolumeForce(
  { reducedModulus, damping }: OverlapVolume,
  volume: number,
  depth: number,
  approachSpeed: number,
): number {
  return overlapVolumeElastic(reducedModulus, volume, depth) * Math.max(0, 1 + damping * approachSpeed);
}

/** ∂F/∂V, N/m³ */
export function overlapVolumeForceByVolume(
  law: OverlapVolume,
  volume: number,
  depth: number,
  approachSpeed: number,
): number {
  return volume > 0 ? overlapVolumeForce(law, volume, depth, approachSpeed) / (2 * volume) : 0;
}

/** ∂F/∂d, N/m */
export function overlapVolumeForceByDepth(
  law: OverlapVolume,
  volume: number,
  depth: number,
  approachSpeed: number,
): number {
  return depth > 0 ? overlapVolumeForce(law, volume, depth, approachSpeed) / (2 * depth) : 0;
}

/** ∂F/∂ḋ, N s/m */
export function overlapVolumeForceBySpeed(
  { reducedModulus, damping }: OverlapVolume,
  volume: number,
  depth: number,
  approachSpeed: number,
): number {
  return 1 + damping * approachSpeed > 0 ? damping * overlapVolumeElastic(reducedModulus, volume, depth) : 0;
}

/** E* k √(V d), N */
export function overlapVolumeElastic(reducedModulus: number, volume: number, depth: number): number {
  return volume > 0 && depth > 0 ? reducedModulus * K * Math.sqrt(volume * depth) : 0;
}

/** d = 2V/A, m; A is the length of the patch's vector area in m². */
export function depthOfVolume(volume: number, area: number): number {
  return area > 0 ? (2 * volume) / area : 0;
}

/**
 * Elastic energy of the overlap, J, if its area has grown as A ~ δ^growth with the approach δ: then dV = A dδ gives
 * V = A δ/(growth + 1), F ~ V/√A ~ δ^(1 + growth/2), and
 *
 *   U = ∫ F dδ = κ F V/A,   κ = (growth + 1)/(2 + growth/2):  ½ for a flat punch, 4/5 for a sphere, 1 for a cone
 *
 * @param growth 0 flat, 1 curved (sphere, ellipsoid), 2 pointed
 */
export function overlapVolumeEnergy(force: number, volume: number, area: number, growth: number): number {
  return area > 0 ? (overlapEnergyFactor(growth) * force * volume) / area : 0;
}

/** κ */
export function overlapEnergyFactor(growth: number): number {
  return (growth + 1) / (2 + 0.5 * growth);
}

/** dF/dδ = (F/2)(1/d + A/V) with dV/dδ = A and d growing as δ, N/m: 3F/2d for a lens, F/d for a flat punch. */
export function overlapVolumeStiffness(force: number, volume: number, depth: number, area: number): number {
  return volume > 0 && depth > 0 ? 0.5 * force * (1 / depth + area / volume) : 0;
}

const K = 4 / (3 * Math.sqrt(Math.PI));
