/**
 * Resistance against rolling: a bristle (friction/bristle.ts) on the rolling angle, with lever arm R.
 *
 *   s = R × rolling angle (state, 2 components in the tangent plane)       m
 *   u = R ω_t,  ω_t relative angular velocity in the tangent plane         m/s
 *   F from the bristle with the limit L = µ_r N;   torque −R F             N m
 *
 *   R     effective radius                                  m
 *   µ_r   coefficient of rolling resistance, torque = µ_r R N while rolling
 *
 * Like sliding friction it holds at rest, so a ball on a slope below atan µ_r stays. Not to be merged with the torque about the
 * normal: its limit is another one. Stiffness as 2.25 k_n (µ_r R)² per angle (Iwashita & Oda 1998; Jiang et al. 2005), which is
 * 2.25 k_n µ_r² per length s; damping as `bristleDamping` with the mass I/R².
 */

/** ρ₁, ρ₂ */
export const ROLLING_STATES = 2;

/** k of the rolling bristle, N/m; k_n is the normal stiffness in N/m */
export function rollingStiffness(normalStiffness: number, rollingFriction: number): number {
  return 2.25 * normalStiffness * rollingFriction * rollingFriction;
}

/** L = µ_r N, N */
export function rollingLimit(rollingFriction: number, normalForce: number): number {
  return rollingFriction * normalForce;
}

/** d of the rolling bristle, N s/m: critical, with the effective mass along the normal, kg */
export const rollingDamping = (stiffness: number, mass: number): number => 1.4 * Math.sqrt(stiffness * mass);
