/**
 * Stresses along the arc of a rigid wheel, integrated: Bekker–Janosi–Hanamoto as Wong & Reece (1967) put it together.
 *
 *   θ   angle from straight down, positive in front; entry θ₁ = acos(1 − z/r), exit θ₂ ≤ 0
 *   σ   = k rⁿ (cos θ − cos θ₁)ⁿ                   in front of θ_m = (a₀ + a₁ i) θ₁
 *       = the same at θ_e = θ₁ − (θ − θ₂)/(θ_m − θ₂) (θ₁ − θ_m)   behind it
 *   τ   = (c + σ tan φ)(1 − e^(−|j|/K)) along the shear displacement j = (j_x, j_y)
 *
 *   j of a wheel point:  j_x = r [(θ₁ − θ) − κ (sin θ₁ − sin θ)],                            j_y = (v_y/ω)(θ₁ − θ)
 *   j of a soil point:   j_x = r [(sin θ₁ − sin θ)/κ − (θ₁ − θ)/2 − (sin 2θ₁ − sin 2θ)/4],   j_y = (v_y/v_x) r (sin θ₁ − sin θ)
 *
 *   κ = v_x/(ω r) = 1 − i. Where a braked wheel's slip changes sign, cos θ₀ = 1/κ, the shear behind starts anew (Wong & Reece, part II): τ jumps there, and the integrals are cut there, else
 *   forces would jump whenever θ₀ passes a point of the quadrature.
 *   Soil under a wheel that moves back has come in at the exit, and so have points of a wheel that turns back: their j is counted from θ₂.
 *
 *   W  = b r ∫ (σ cos θ + τ_x sin θ) dθ     DP = b r ∫ (τ_x cos θ − σ sin θ) dθ     T = b r_s r ∫ τ_x dθ
 *   F_y = −b r ∫ τ_y dθ − side pressure ∫ R_b(h)(r − h cos θ) dθ with R_b of Hegedus as Ishigami et al. (2007) use it
 *
 * With grousers the tips run on r_s = r + h_g and carry the part μ of the width's area, σ = μ σ(r_s) + (1 − μ) σ(r).
 * Both directions of shear share one limit c + σ tan φ; Ishigami gives each its own. Doi 10.1016/0022-4898(67)90105-X.
 */
import { ModelError } from '../../errors.js';
import { acos, cos, exp, pow, sin, tan } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { sinkageModulus } from './pressure-sinkage.js';
import { GAUSS_POINTS, GAUSS_WEIGHTS } from './quadrature.js';

export interface WheelInSoil {
  /** Of the tread, m */
  readonly radius: number;
  readonly width: number;
  /** m, and the part of the tread's area under their tips */
  readonly grouserHeight?: number;
  readonly tipRatio?: number;
  /** Place of the greatest pressure: θ_m = (a0 + a1 i) θ₁ */
  readonly a0?: number;
  readonly a1?: number;
  /** Exit as a part of the sinkage that springs back, 0 … 0.3 */
  readonly rebound?: number;
  /** Whose displacement counts; a soil point's is what a grid of soil sees. 'wheel' unless said */
  readonly shear?: 'wheel' | 'soil';
  /** Width that counts in kc/b; the wheel's unless said */
  readonly pressureWidth?: number;
}

export interface WheelMotion {
  /** Along the heading, across to the left, m/s */
  readonly forward: number;
  readonly sideways?: number;
  /** ω r of the tread, m/s */
  readonly rim: number;
}

export interface WheelForces {
  /** On the axle, N: up, forward, to the left */
  readonly load: number;
  readonly drawbarPull: number;
  readonly side: number;
  /** What shear pushes and pressure holds back, N; their difference is the drawbar pull */
  readonly thrust: number;
  readonly resistance: number;
  /** What of the load is shear, and what of the side force is the soil that the flank pushes aside, N */
  readonly shearLoad: number;
  readonly flank: number;
  /** That the drive must give, N m */
  readonly torque: number;
  /** Torque about the heading, N m: τ_y acts below the axle */
  readonly overturning: number;
}

const NONE: WheelForces = {
  load: 0,
  drawbarPull: 0,
  side: 0,
  thrust: 0,
  resistance: 0,
  shearLoad: 0,
  flank: 0,
  torque: 0,
  overturning: 0,
};

/** Slower than this part of the fastest speed counts as this slow: sheared as far as one likes, in the direction of the slip */
const SLOWEST = 1e-9;

/** Motion for a slip i = 1 − v/(ω r) of a driven wheel, or ω r/v − 1 of a braked one; for curves over slip */
export function motionOfSlip(slip: number, speed = 1, slipAngle = 0): WheelMotion {
  const sideways = speed * tan(slipAngle);
  return slip >= 0
    ? { forward: speed * (1 - slip), rim: speed, sideways: sideways * (1 - slip) }
    : { forward: speed, rim: speed * (1 + slip), sideways };
}

/** Forces at a sinkage z of the tread's lowest line (of the tips, with grousers), m */
export function wongReeceForces(
  soil: Soil,
  wheel: WheelInSoil,
  sinkage: number,
  { forward, rim, sideways = 0 }: WheelMotion,
  gravity = 9.81,
): WheelForces {
  const { width: b, a0 = 0, a1 = 0, rebound = 0, shear = 'wheel', grouserHeight = 0, tipRatio = 0 } = wheel;
  const r = wheel.radius + grouserHeight;
  if (!(sinkage > 0)) return NONE;
  const { cohesion, frictionAngle, shearLength: K, n } = soil;
  const k = sinkageModulus(soil, wheel.pressureWidth ?? b);
  const rimSpeed = (rim / wheel.radius) * r;
  const entry = acos(1 - Math.min(sinkage, 1.9 * r) / r);
  const exit = rebound > 0 ? -acos(1 - (rebound * Math.min(sinkage, 1.9 * r)) / r) : 0;
  const scale = Math.max(Math.abs(rimSpeed), Math.abs(forward), 1e-9);
  const slip = (rimSpeed - forward) / scale;
  const peak = Math.min(entry, Math.max(exit, (a0 + a1 * Math.abs(slip)) * entry));
  const limit = tan(frictionAngle);
  const cosEntry = cos(entry);
  const inner = grouserHeight > 0 ? (1 - tipRatio) * k : 0;
  const outer = grouserHeight > 0 ? tipRatio * k : k;
  const pressure = (theta: number): number => {
    const at = theta >= peak ? theta : entry - ((theta - exit) / (peak - exit)) * (entry - peak);
    const depth = r * (cos(at) - cosEntry);
    const bare = depth - grouserHeight;
    return (depth > 0 ? outer * pow(depth, n) : 0) + (inner > 0 && bare > 0 ? inner * pow(bare, n) : 0);
  };
  // Shear displacement: from where it comes in, at the pace of soil or wheel
  const ofSoil = shear === 'soil';
  const slowest = SLOWEST * Math.max(scale, Math.abs(sideways));
  const pace = Math.max(Math.abs(ofSoil ? forward : rimSpeed), slowest);
  const fromExit = (ofSoil ? forward : rimSpeed) < 0;
  const [first, way] = fromExit ? [exit, -1] : [entry, 1];
  const [sinFirst, sin2First] = [sin(first), sin(2 * first)];
  const along = (theta: number): number => {
    const swept = way * (first - theta);
    const rise = way * (sinFirst - sin(theta));
    if (!ofSoil) return r * (way * swept - (forward / pace) * rise);
    return r * ((rimSpeed / pace) * rise - way * (swept / 2) - (sin2First - sin(2 * theta)) / 4);
  };
  const across = (theta: number): number =>
    (sideways / pace) * r * way * (ofSoil ? sinFirst - sin(theta) : first - theta);
  // Where the slip of a braked wheel changes sign
  const braked = rimSpeed > 0 && forward > rimSpeed;
  const turning = braked ? Math.min(entry, acos(rimSpeed / forward)) : exit;
  const atTurning = braked ? along(turning) : 0;
  let [bearing, lift, pull, resist, moment, side, roll] = [0, 0, 0, 0, 0, 0, 0];
  const add = (theta: number, weight: number, isBehind: boolean): void => {
    const sigma = pressure(theta);
    const jx = along(theta) - (isBehind ? atTurning : 0);
    const jy = sideways === 0 ? 0 : across(theta);
    const j = Math.sqrt(jx * jx + jy * jy);
    const tau = j > 0 ? ((cohesion + sigma * limit) * (1 - exp(-j / K))) / j : 0;
    const [c, s] = [cos(theta), sin(theta)];
    bearing += weight * sigma * c;
    lift += weight * tau * jx * s;
    pull += weight * tau * jx * c;
    resist += weight * sigma * s;
    moment += weight * tau * jx;
    side -= weight * tau * jy;
    roll -= weight * tau * jy * c;
  };
  // Pressure rises from entry and from exit like a power of the distance: θ = end ± length u² is smooth there
  const integrate = (end: number, other: number, isBehind: boolean): void => {
    const length = Math.abs(other - end);
    if (!(length > 0)) return;
    for (let g = 0; g < GAUSS_POINTS.length; g++) {
      const u = GAUSS_POINTS[g];
      add(end + (other - end) * u * u, length * 2 * u * GAUSS_WEIGHTS[g], isBehind);
    }
  };
  const inFront = Math.max(peak, turning);
  integrate(entry, inFront, false);
  integrate(inFront, peak, true);
  const behind = Math.min(peak, turning);
  integrate(exit, behind, braked);
  integrate(behind, peak, false);
  const area = b * r;
  const flank = sideways === 0 ? 0 : sidePressure(soil, r, entry, exit, gravity) * (sideways > 0 ? -1 : 1);
  return {
    load: area * (bearing + lift),
    drawbarPull: area * (pull - resist),
    thrust: area * pull,
    resistance: area * resist,
    shearLoad: area * lift,
    side: area * side + flank,
    flank,
    torque: area * r * moment,
    overturning: area * r * roll,
  };
}

/** Of the soil that the wheel's flank pushes aside, N. Hegedus (1960) with the destructive angle 45° − φ/2 */
function sidePressure(
  { cohesion: c, frictionAngle: phi, density }: Soil,
  r: number,
  entry: number,
  exit: number,
  gravity: number,
): number {
  const X = Math.PI / 4 - phi / 2;
  const cot = 1 / tan(X);
  const d1 = cot + tan(X + phi);
  const d2 = cot + cot * cot * tan(phi);
  let sum = 0;
  for (let g = 0; g < GAUSS_POINTS.length; g++) {
    const theta = exit + (entry - exit) * GAUSS_POINTS[g];
    const h = r * (cos(theta) - cos(entry));
    if (h > 0) sum += GAUSS_WEIGHTS[g] * d1 * (c * h + 0.5 * d2 * density * gravity * h * h) * (r - h * cos(theta));
  }
  return (entry - exit) * sum;
}

/**
 * Sinkage at which the wheel carries a load, m; by bisection, for curves over slip.
 *
 * @throws ModelError if the soil cannot carry it with the wheel sunk to 0.9 of its radius
 */
export function wongReeceSinkage(
  soil: Soil,
  wheel: WheelInSoil,
  load: number,
  motion: WheelMotion,
  gravity = 9.81,
): number {
  let [low, high] = [0, 0.9 * wheel.radius];
  const most = wongReeceForces(soil, wheel, high, motion, gravity).load;
  if (!(most >= load))
    throw new ModelError(
      'wheel.load',
      `this soil carries ${most} N with the wheel sunk to 0.9 of its radius; expected a load below that, got ${load}`,
    );
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (wongReeceForces(soil, wheel, middle, motion, gravity).load < load) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
