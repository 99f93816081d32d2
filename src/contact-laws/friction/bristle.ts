/**
 * Friction that holds: a spring and a damper side by side (Kelvin–Voigt), in series with a Coulomb slider. Default.
 *
 *   W = k s + d u
 *   |W| ≤ L:  F = W,         s' = u                      stick
 *   |W| > L:  F = L W/|W|,   s' = (F − k s)/d            slip
 *   L ≤ 0:    F = 0,         s' = −k s/d                 open; the memory fades
 *
 *   s   displacement of the bristle, 2 components in the tangent plane; a state       m
 *   u   velocity of the material point of the one body seen from the other            m/s
 *   L   µ N, with µ the kinetic or a speed-dependent coefficient (stribeck.ts)        N
 *   k   tangential stiffness                                                          N/m
 *   d   tangential damping                                                            N s/m
 *
 * The body that moves with u is pushed by −F. In all three cases F is the point of the disc |F| ≤ L nearest to W and
 * s' = (F − k s)/d, so the rates are continuous (Lipschitz) and need no events. In stick s' = u exactly: no creep. In slip
 * |F| = L exactly. With u = s' + p the slider's rate is p = (W − F)/d, and what goes in, F·u, is stored in ½ k s² or lost:
 *
 *   F·u − (½ k s²)' = d |s'|² + F·p,   F·p = L (|W| − L)/d ≥ 0
 *
 * so the law is passive for constant k, whatever L does.
 *
 * Derivatives: with t = W/|W| and Π = ∂F/∂W, which is 1 in stick, (L/|W|)(1 − t tᵀ) in slip, 0 when open,
 *
 *   ∂F/∂s = k Π,  ∂F/∂u = d Π,  ∂F/∂L = t in slip, else 0;   ∂s'/∂(·) = (∂F/∂(·) − k ∂s/∂(·))/d
 *
 * k = 4 G* / E* times the normal stiffness of Hertz and of overlaps (Mindlin: 2(1 − ν)/(2 − ν) of equal materials), 0.8 times
 * that of other powers of the depth; d = 2 ζ √(k m) (`bristleDamping`), with ζ from the pair's restitution
 * (pair-law.ts). A body stopped from sliding springs back by L/k: the model, not an error.
 */

/** What a bristle does. */
export const OPEN = 0;
export const STICK = 1;
export const SLIP = 2;
export type Regime = typeof OPEN | typeof STICK | typeof SLIP;

/**
 * @param limit L, N
 * @param out   4 numbers: F₁, F₂ in N | s₁', s₂' in m/s
 */
export function bristle(
  stiffness: number,
  damping: number,
  limit: number,
  s1: number,
  s2: number,
  u1: number,
  u2: number,
  out: Float64Array,
): Regime {
  if (!(limit > 0)) {
    out[0] = out[1] = 0;
    out[2] = (-stiffness * s1) / damping;
    out[3] = (-stiffness * s2) / damping;
    return OPEN;
  }
  const w1 = stiffness * s1 + damping * u1;
  const w2 = stiffness * s2 + damping * u2;
  const size = Math.sqrt(w1 * w1 + w2 * w2);
  if (size <= limit) {
    out[0] = w1;
    out[1] = w2;
    out[2] = u1;
    out[3] = u2;
    return STICK;
  }
  const share = limit / size;
  out[0] = share * w1;
  out[1] = share * w2;
  out[2] = (out[0] - stiffness * s1) / damping;
  out[3] = (out[1] - stiffness * s2) / damping;
  return SLIP;
}

/** @param out 6 numbers: Π₁₁, Π₁₂, Π₂₁, Π₂₂ (∂F/∂W) | ∂F₁/∂L, ∂F₂/∂L */
export function bristleDerivatives(
  stiffness: number,
  damping: number,
  limit: number,
  s1: number,
  s2: number,
  u1: number,
  u2: number,
  out: Float64Array,
): Regime {
  out.fill(0);
  if (!(limit > 0)) return OPEN;
  const w1 = stiffness * s1 + damping * u1;
  const w2 = stiffness * s2 + damping * u2;
  const size = Math.sqrt(w1 * w1 + w2 * w2);
  if (size <= limit) {
    out[0] = out[3] = 1;
    return STICK;
  }
  const t1 = w1 / size;
  const t2 = w2 / size;
  const share = limit / size;
  out[0] = share * t2 * t2;
  out[1] = out[2] = -share * t1 * t2;
  out[3] = share * t1 * t1;
  out[4] = t1;
  out[5] = t2;
  return SLIP;
}

/** d = 2 ζ √(k m), N s/m; m is the mass felt along the tangent in kg */
export function bristleDamping(stiffness: number, effectiveMass: number, dampingRatio = 0.7): number {
  return 2 * dampingRatio * Math.sqrt(stiffness * effectiveMass);
}

/** ½ k |s|², J */
export function bristleEnergy(stiffness: number, s1: number, s2: number): number {
  return 0.5 * stiffness * (s1 * s1 + s2 * s2);
}

/** d |s'|² + F·(u − s') ≥ 0, W */
export function bristleLoss(damping: number, u1: number, u2: number, result: Float64Array): number {
  const r1 = result[2];
  const r2 = result[3];
  return damping * (r1 * r1 + r2 * r2) + result[0] * (u1 - r1) + result[1] * (u2 - r2);
}
