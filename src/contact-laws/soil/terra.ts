/**
 * TerRA: a wheel in soft soil without a grid, fast enough for a controller, its numbers tuned to a finer model or to measurements.
 *
 *   z = z_eff + z_s                                                                sinkage that carries, and slip sinkage (Buse et al. 2023, eq. 7)
 *   z_s' = a_in |v_s|^p V^(1−p) (1 − z_s/z_max) − a_out |v_x|^p V^(1−p) z_s/L · (0.1 r/z_eff)^q e^(k_α sin α)   (eq. 8, our functions)
 *   N   = max(0, min(k_e (z_eff − z_p), k_n z_eff^m)) damped;  z_p follows z_eff − N/k_e and is left behind with the soil at |v_x|/L
 *   j'  = v_s − |v_x| j/L        shear of the soil under the wheel; steady j = v_s L/v_x
 *   ξ'  = (|v_x|(1 − ξ) − |v_s| ξ)/L      part of the contact with fresh soil: the state that moves along the patch
 *   F_T = sign(j) (μ N (1 − η_s z_s/z) + c_T b L) g,   g = ξ [1 − K/|j| (1 − e^(−|j|/K))] + (1 − ξ)(1 − e^(−|j|/K))
 *   F_R = −tanh(v_x/v_d) η_R b (½ ρ g z² Kp + 2 c z √Kp)
 *
 *   v_s = ω r − v_x slip velocity; L = r acos(1 − z/r) length of the contact; α slope uphill; V = 1 cm/s
 *
 * The relations of Barthelmes (2018) are not public: these are ours of the shape the paper describes. Both parts of z_s' scale with speed alike, so the
 * steady z_s = z_max/(1 + κ ((1 − s)/s)^p), κ = a_out z_max/(a_in L)(0.1 r/z_eff)^q, depends on slip and load alone; the deeper it sits, the slower it
 * climbs out.
 */
import { asin, exp, pow, sin, tanh } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import type { WheelSize } from './bekker-wheel.js';
import { passiveForce, passivePressure } from './pressure-sinkage.js';
import { exp2Of, QuickPower } from './quick-powers.js';
import type { WheelLaw } from './wheel-law.js';

/** Numbers that are tuned; those of `TERRA_DEFAULTS` unless given */
export interface TerraParameters {
  /** N/m^m and m */
  readonly stiffness: number;
  readonly exponent: number;
  /** k_e over the secant at the load's sinkage is large; N/m */
  readonly elastic: number;
  /** a_in, p, z_max m, a_out, k_α */
  readonly sinkIn: number;
  readonly sinkPower: number;
  readonly sinkMost: number;
  readonly sinkOut: number;
  readonly sinkSlope: number;
  /** q */
  readonly sinkDepth: number;
  /** μ, c_T Pa, K m, η_s, η_R */
  readonly friction: number;
  readonly adhesion: number;
  readonly shearLength: number;
  readonly sinkageLoss: number;
  readonly resistance: number;
}

const V = 0.01;
const DEAD_BAND = 1e-3;
/** Times in which z_p follows and the load is damped, s */
const FOLLOWS = 2e-3;

/** Numbers from wheel and soil where nothing is tuned yet: load and shear as Bekker has them, slip sinkage up to a fifth of the radius */
export function terraFrom(soil: Soil, { radius, width }: WheelSize, modulus: number): TerraParameters {
  const exponent = soil.n + 0.5;
  const stiffness = (width * modulus * Math.sqrt(2 * radius) * (3 - soil.n)) / 3;
  return {
    stiffness,
    exponent,
    elastic: 50 * stiffness * pow(0.1 * radius, exponent - 1),
    sinkIn: 0.05,
    sinkPower: 1,
    sinkMost: 0.2 * radius,
    sinkOut: 0.3,
    sinkSlope: 0,
    sinkDepth: 0.5,
    friction: sin(soil.frictionAngle) / Math.sqrt(1 - sin(soil.frictionAngle) * sin(soil.frictionAngle)),
    adhesion: soil.cohesion,
    shearLength: soil.shearLength,
    sinkageLoss: 0.3,
    resistance: 0.5,
  };
}

/** Length of the contact, m: r acos(1 − z/r) = 2 r asin √y, y = z/2r; up to z = 0.2 r by its series, to 1e-11 */
export function contactLength(radius: number, sinkage: number): number {
  const y = Math.min(Math.max(sinkage, 1e-6) / (2 * radius), 0.95);
  const s = Math.sqrt(y);
  if (y > 0.1) return 2 * radius * asin(s);
  const w = y * y;
  const even = 1 + w * (3 / 40 + w * (35 / 1152 + w * (231 / 13312 + w * (6435 / 557056))));
  const odd = 1 / 6 + w * (5 / 112 + w * (63 / 2816 + w * (143 / 10240)));
  return 2 * radius * s * (even + y * odd);
}

/** Part of the full shear that is mobilised */
export function mobilised(j: number, fresh: number, K: number): number {
  const x = Math.abs(j) / K;
  if (x < 1e-3) return fresh * (x / 2) + (1 - fresh) * x;
  const whole = 1 - exp2Of(-x * LOG2_E);
  return fresh * (1 - whole / x) + (1 - fresh) * whole;
}

/** (0.1 r/z_eff)^q */
const climb = (p: TerraParameters, { radius }: WheelSize, effective: number): number =>
  pow((0.1 * radius) / Math.max(effective, 1e-4), p.sinkDepth);
const LOG2_E = Math.LOG2E;
/** m/s: slower is at rest */
const STILL = 1e-300;
/** tanh beyond is 1 */
const STEEP = 20;

export interface TerraSteady {
  readonly sinkage: number;
  readonly drawbarPull: number;
  readonly torque: number;
}

/** Where the states come to at a steady slip s under a load, in closed form but for the length of the contact, found by iteration */
export function terraSteady(
  p: TerraParameters,
  soil: Soil,
  size: WheelSize,
  load: number,
  slip: number,
  gravity: number,
  slope = 0,
): TerraSteady {
  const effective = pow(load / p.stiffness, 1 / p.exponent);
  const s = Math.min(0.9999, Math.max(-0.9999, slip));
  const driven = s > 0;
  // ratio v_x/|v_s| of a driven wheel (1 − s)/s, of a braked one 1/|s|
  const ratio = s === 0 ? Infinity : driven ? (1 - s) / s : 1 / Math.abs(s);
  let sinkage = effective;
  for (let k = 0; k < 40; k++) {
    const L = contactLength(size.radius, sinkage);
    const kappa = (p.sinkOut * p.sinkMost * climb(p, size, effective) * exp(p.sinkSlope * sin(slope))) / (p.sinkIn * L);
    const slipSinkage = ratio === Infinity ? 0 : p.sinkMost / (1 + kappa * pow(ratio, p.sinkPower));
    sinkage = effective + slipSinkage;
  }
  const L = contactLength(size.radius, sinkage);
  const j = s === 0 ? 0 : ((driven ? 1 : -1) * L) / ratio;
  const fresh = s === 0 ? 1 : ratio / (1 + ratio);
  const limit =
    p.friction * load * (1 - (p.sinkageLoss * (sinkage - effective)) / sinkage) + p.adhesion * size.width * L;
  const thrust = (j < 0 ? -1 : 1) * limit * mobilised(j, fresh, p.shearLength);
  const held = p.resistance * size.width * passiveForce(soil, gravity, sinkage);
  return { sinkage, drawbarPull: thrust - held, torque: thrust * size.radius };
}

/** Slip sinkage of a wheel that is always carried by its effective sinkage, m per m of ground, where its slip is given */
export function terraSlipSinkage(
  p: TerraParameters,
  soil: Soil,
  size: WheelSize,
  gravity: number,
  load: number,
): { readonly effective: number; perWay(slipSinkage: number, slip: number): number } {
  const law = terraWheel(p, soil, size, gravity);
  const effective = pow(load / p.stiffness, 1 / p.exponent);
  const motion = { sinkage: 0, sinking: 0, forward: 0, sideways: 0, rim: 0, uphill: 0 };
  const [states, rates] = [new Float64Array(4), new Float64Array(4)];
  const loads = { load: 0, along: 0, across: 0, drive: 0, roll: 0 };
  return {
    effective,
    perWay: (slipSinkage, slip) => {
      motion.sinkage = effective + slipSinkage;
      motion.forward = slip < 0 ? V : V * (1 - slip);
      motion.rim = slip < 0 ? V * (1 + slip) : V;
      states[1] = slipSinkage;
      law.evaluate(motion, states, rates, loads);
      return rates[1] / motion.forward;
    },
  };
}

/** The law for a run. A force is asked for a million times, and what it costs is its powers and exponentials: each power has tables of its own. */
export function terraWheel(p: TerraParameters, soil: Soil, size: WheelSize, gravity: number): WheelLaw {
  const passive = passivePressure(soil, gravity);
  const { radius, width } = size;
  const { stiffness, exponent, elastic: stiffElastic, sinkMost, sinkPower, sinkDepth, sinkSlope } = p;
  const { friction, adhesion, shearLength, sinkageLoss, resistance } = p;
  const linear = sinkPower === 1;
  const depthPower = new QuickPower(exponent);
  const climbPower = new QuickPower(-sinkDepth);
  const speedPower = new QuickPower(sinkPower);
  // (v/V)^p V and (0.1 r/z)^q: what does not change goes into the factors
  const sinksIn = p.sinkIn * (linear ? 1 : pow(V, 1 - sinkPower));
  const climbsOut = p.sinkOut * (linear ? 1 : pow(V, 1 - sinkPower)) * pow(0.1 * radius, sinkDepth);
  const perMost = 1 / sinkMost;
  const perElastic = 1 / stiffElastic;
  const slopes = Math.LOG2E * sinkSlope;
  return {
    states: {
      plastic: { unit: 'm', scale: 1e-3 },
      slipSinkage: { unit: 'm', scale: 1e-3 },
      shear: { unit: 'm', scale: 1e-3 },
      fresh: { unit: '', scale: 1, initial: 1 },
    },
    evaluate: ({ sinkage, sinking, forward, sideways, rim, uphill }, states, rates, out) => {
      const plastic = states[0];
      const slipSinkage = states[1];
      const shear = states[2];
      const fresh = states[3];
      const L = contactLength(radius, sinkage);
      const perLength = 1 / L;
      const vx = Math.abs(forward);
      const vs = rim - forward;
      const effective = Math.max(0, sinkage - slipSinkage);
      // Load
      const yields = stiffness * depthPower.of(Math.max(effective, 1e-12));
      const elastic = stiffElastic * (effective - plastic);
      const carried = Math.max(0, Math.min(yields, elastic));
      const load =
        sinking === 0
          ? carried
          : carried * Math.min(2, Math.max(0, 1 + (FOLLOWS * sinking) / Math.max(effective, 1e-4)));
      out.load = load;
      rates[0] = Math.max(0, effective - yields * perElastic - plastic) * (1 / FOLLOWS) - vx * perLength * plastic;
      // Slip sinkage: in, and out
      const slips = Math.abs(vs);
      let climbs = climbsOut * climbPower.of(Math.max(effective, 1e-4));
      if (uphill !== 0) climbs *= exp2Of(slopes * uphill);
      const into = linear ? sinksIn * slips : slips > STILL ? sinksIn * speedPower.of(slips) : 0;
      const outOf = linear ? climbs * vx : vx > STILL ? climbs * speedPower.of(vx) : 0;
      rates[1] = into * (1 - slipSinkage * perMost) - outOf * slipSinkage * perLength;
      // Shear
      rates[2] = vs - vx * perLength * shear;
      rates[3] = (vx * (1 - fresh) - slips * fresh) * perLength;
      const limit =
        friction * load * (1 - (sinkageLoss * Math.max(0, slipSinkage)) / Math.max(sinkage, 1e-9)) +
        adhesion * width * L;
      const thrust = (shear < 0 ? -1 : 1) * limit * mobilised(shear, Math.min(1, Math.max(0, fresh)), shearLength);
      const wall = sinkage * (passive.weight * sinkage + passive.cohesion);
      const along = forward * (1 / DEAD_BAND);
      const resists = along > STEEP ? 1 : along < -STEEP ? -1 : tanh(along);
      out.along = thrust - resists * resistance * width * wall;
      out.drive = thrust * radius;
      out.across = sideways === 0 ? 0 : -(limit + wall * L) * tanh(sideways / DEAD_BAND);
      out.roll = 0;
    },
    lift: (states, rates) => {
      for (let k = 0; k < 3; k++) rates[k] = -states[k] / 0.1;
      rates[3] = (1 - states[3]) / 0.1;
    },
  };
}
