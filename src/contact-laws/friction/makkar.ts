/**
 * Stribeck curve from hyperbolic tangents, set by five parameters that can be read off a plot:
 *
 *   µ = γ₁ (tanh γ₂w − tanh γ₃w) + γ₄ tanh γ₅w + γ₆ w
 *
 *   w    slip speed                                     m/s
 *   µ_s  static friction, µ_k kinetic friction
 *   v₁   where static friction ends                     m/s
 *   v₂   where viscous friction begins                  m/s
 *   k_v  viscous gradient                               s/m
 *
 *   γ₂ = γ₅ = 2/v₁,  γ₃ = 3/v₂,  γ₄ = µ_k − k_v v₂,  γ₆ = k_v,  γ₁ = (µ_s − γ₄ − 2 k_v v₁)/(1 − tanh(2 v₁/v₂))
 *
 * The paper does not print the γ; these are those of the authors' library, found in its release of 2014 and confirmed (γ₁) by
 * the trajectories it gives. They do not make the peak µ_s: for µ_s 0.5, µ_k 0.3, v₁ 2 mm/s, v₂ 10 mm/s it is 0.431.
 * With µ_s = µ_k and k_v = 0 there is no peak, γ₁ = 0. At rest only slow creep carries a load.
 *
 * Makkar et al. (2005); Oestersötebier et al. (2014), eq. 9 and fig. 10.
 */
import { tanh } from '../../math/elementary.js';
import type { FrictionCurve } from './friction-curve.js';

export interface StribeckParameters {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** v₁, m/s */
  readonly staticSpeed: number;
  /** v₂, m/s */
  readonly viscousSpeed: number;
  /** k_v, s/m */
  readonly viscous: number;
}

/** γ₁ … γ₆ */
export type MakkarConstants = readonly [number, number, number, number, number, number];

export function makkarConstants(parameters: StribeckParameters): MakkarConstants {
  const { staticFriction, kineticFriction, staticSpeed, viscousSpeed, viscous } = parameters;
  const g4 = kineticFriction - viscous * viscousSpeed;
  const excess = staticFriction - g4 - 2 * viscous * staticSpeed;
  const g1 = excess / (1 - tanh((2 * staticSpeed) / viscousSpeed));
  return [g1, 2 / staticSpeed, 3 / viscousSpeed, g4, 2 / staticSpeed, viscous];
}

/** µ */
export function makkarCoefficient([g1, g2, g3, g4, g5, g6]: MakkarConstants, speed: number): number {
  return g1 * (tanh(g2 * speed) - tanh(g3 * speed)) + g4 * tanh(g5 * speed) + g6 * speed;
}

/** dµ/dw, s/m */
export function makkarCoefficientBySpeed([g1, g2, g3, g4, g5, g6]: MakkarConstants, speed: number): number {
  return g1 * (tanhSlope(g2, speed) - tanhSlope(g3, speed)) + g4 * tanhSlope(g5, speed) + g6;
}

/** d tanh(g w)/dw */
function tanhSlope(g: number, speed: number): number {
  const t = tanh(g * speed);
  return g * (1 - t) * (1 + t);
}

export function makkarCurve(parameters: StribeckParameters): FrictionCurve {
  const constants = makkarConstants(parameters);
  return {
    name: 'makkar',
    coefficient: (speed) => makkarCoefficient(constants, speed),
    slope: (speed) => makkarCoefficientBySpeed(constants, speed),
  };
}
