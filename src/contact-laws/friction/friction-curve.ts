/**
 * A coefficient of friction as a function of the slip speed alone, with its derivative. Such laws keep no state, so they hold
 * nothing at rest: a block on a slope creeps at the speed where the curve reaches the load. bristle.ts holds.
 */
export interface FrictionCurve {
  readonly name: string;
  /** µ at a slip speed ≥ 0 in m/s */
  coefficient(speed: number): number;
  /** dµ/dspeed, s/m */
  slope(speed: number): number;
}

/**
 * Force of a curve on a point that slides with velocity u over its partner, and its derivatives:
 *
 *   F = −µ(w) N u/w,   w = |u|
 *   ∂F/∂u = −N (µ' t tᵀ + µ/w (1 − t tᵀ)),   t = u/w;   at w = 0: F = 0, ∂F/∂u = −N µ'(0) 1
 *
 * @param out 8 numbers: F₁, F₂ | ∂F₁/∂N, ∂F₂/∂N | ∂F₁/∂u₁, ∂F₁/∂u₂, ∂F₂/∂u₁, ∂F₂/∂u₂
 */
export function slidingFriction(
  curve: FrictionCurve,
  normalForce: number,
  u1: number,
  u2: number,
  out: Float64Array,
): void {
  const speed = Math.sqrt(u1 * u1 + u2 * u2);
  const slope = curve.slope(speed);
  if (!(speed > 0)) {
    out.fill(0);
    out[4] = out[7] = -normalForce * slope;
    return;
  }
  const mu = curve.coefficient(speed);
  const t1 = u1 / speed;
  const t2 = u2 / speed;
  const across = mu / speed;
  out[2] = -mu * t1;
  out[3] = -mu * t2;
  out[0] = normalForce * out[2];
  out[1] = normalForce * out[3];
  out[4] = -normalForce * (across + (slope - across) * t1 * t1);
  out[5] = out[6] = -normalForce * (slope - across) * t1 * t2;
  out[7] = -normalForce * (across + (slope - across) * t2 * t2);
}
