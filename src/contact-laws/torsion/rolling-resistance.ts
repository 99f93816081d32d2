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
 * 2.25 k_n µ_r² per length s; damping 1.4 √(k m), ζ = 0.7, with the mass m felt along the normal.
 *
 * **By hysteresis.** In front of the centre material is pressed, behind it is let go and gives back all but a part α of the work. For a Hertz contact of half width a that is a torque
 *
 *   M = 3/16 α a N   ball,      M = 2/(3π) α a N   roller,      so µ_r = M/(R N)
 *
 * (Tabor, Proc. R. Soc. A 229 (1955), 198–220; Greenwood, Minshall & Tabor, Proc. R. Soc. A 259 (1961), 480–507; Johnson, Contact Mechanics (1985), §9.4). In a blow the same
 * materials lose α = 1 − e² of their energy, which is taken here; measured losses of rolling are up to 2–3 times those of a simple cycle (Greenwood et al.). a = √(R d) of a ball,
 * √(4 N R/(π E* L)) of a roller of length L, both under the lighter body's own weight with the stiffness that the materials have: under n times the load M/N is n^⅓ (n^½) times as
 * large, which is left out. The torque is there when the body has rolled by a: k = µ_r N/a per length s. A steel ball of 10 mm on steel has µ_r = 1e-5, an oak ball of 40 mm on oak 1e-3:
 * real balls roll for seconds and minutes.
 */
import { PI } from '../../math/elementary.js';

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

/** d of the rolling bristle, N s/m: ζ = 0.7, with the effective mass along the normal, kg */
export const rollingDamping = (stiffness: number, mass: number): number => 1.4 * Math.sqrt(stiffness * mass);

export interface RollingContact {
  /** e of the pair */
  readonly restitution: number;
  /** Half width of the contact, m */
  readonly halfWidth: number;
  /** R, m */
  readonly radius: number;
  /** It touches in a line instead of a point. */
  readonly line: boolean;
}

/** µ_r by hysteresis */
export const hysteresisFriction = ({ restitution: e, halfWidth, radius, line }: RollingContact): number =>
  ((line ? 2 / (3 * PI) : 3 / 16) * (1 - e * e) * halfWidth) / radius;
