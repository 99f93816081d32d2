/**
 * Hertz force with hysteresis damping scaled by the speed at the start of the impact:
 *
 *   N = k δ^(3/2) (1 + d δ̇)                                          (1)
 *   d = 8/5 · (1 − ζ)/(ζ δ̇⁻)                                         (2)
 *   k = 4/3 √R / (½ ((1 − ν₁²)/E₁ + (1 − ν₂²)/E₂)) = 8/3 E* √R       (3)
 *
 *   δ    penetration depth                                            m
 *   δ̇    approach speed; δ̇⁻ the one at the start of the impact        m/s
 *   ζ    nominal restitution, 2 ζ₁ζ₂/(ζ₁ + ζ₂) of the two materials
 *   R    effective radius                                             m
 *
 * (3) is as printed: the factor ½ makes it twice Hertz's stiffness. `floresLankaraniStiffness` keeps it, for the paper's
 * experiments; give `hertzStiffness` instead for Hertz's own.
 * ζ is not the restitution one gets: with x = 8(1 − ζ)/(5ζ) that is e of x(1 + e) = ln((1 + x)/(1 − e x)), exactly, for any k:
 * ζ = 0.9 gives 0.894, 0.6 gives 0.577, 0.3 gives 0.256. `huntCrossleyFactor` meets e instead. δ̇⁻ is a discrete state, set when a contact begins; it
 * must be > 0, so resting contact needs a floor for it. The paper does not clip; 1 + d δ̇ > 0 during one impact, but not
 * when something else pulls the bodies apart, so we do.
 *
 * Flores & Lankarani (2016); Buse et al. (2023), eqs 1–3.
 */
export interface FloresLankarani {
  /** k, N/m^(3/2) */
  readonly stiffness: number;
  /** ζ */
  readonly nominalRestitution: number;
  /** δ̇⁻, m/s */
  readonly impactSpeed: number;
}

/** k of (3), N/m^(3/2) */
export function floresLankaraniStiffness(reducedModulus: number, effectiveRadius: number): number {
  return (8 / 3) * reducedModulus * Math.sqrt(effectiveRadius);
}

/** x = d δ̇⁻ */
export function floresLankaraniFactor(nominalRestitution: number): number {
  return (1.6 * (1 - nominalRestitution)) / nominalRestitution;
}

/** N */
export function floresLankaraniForce(law: FloresLankarani, depth: number, approachSpeed: number): number {
  if (!(depth > 0)) return 0;
  return law.stiffness * depth * Math.sqrt(depth) * Math.max(0, 1 + damping(law) * approachSpeed);
}

/** ∂N/∂δ, N/m */
export function floresLankaraniForceByDepth(law: FloresLankarani, depth: number, approachSpeed: number): number {
  if (!(depth > 0)) return 0;
  return 1.5 * law.stiffness * Math.sqrt(depth) * Math.max(0, 1 + damping(law) * approachSpeed);
}

/** ∂N/∂δ̇, N s/m */
export function floresLankaraniForceBySpeed(law: FloresLankarani, depth: number, approachSpeed: number): number {
  if (!(depth > 0) || !(1 + damping(law) * approachSpeed > 0)) return 0;
  return law.stiffness * depth * Math.sqrt(depth) * damping(law);
}

/** d, s/m */
function damping(law: FloresLankarani): number {
  return floresLankaraniFactor(law.nominalRestitution) / law.impactSpeed;
}
