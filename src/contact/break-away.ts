/**
 * Loaded bristles of a pair as the step guard sees them: told at an accepted state when each will slip if it is stretched on as now, and after a step whether one
 * has slipped for longer than the step could see (contact-laws/friction/break-away.ts).
 *
 * In scaled wrenches and slips the limit surface of a patch is near a ball; with p = |W₁₂|², q = W₃² it is where p + q + 0.52 p q/(p + q) = L², to 1 % for a disc, 5 % for
 * 2:1, 10 % for 10:1. That tells when to look; whether it slips the law itself says.
 */

import { breakAwayTime, stepToSlip, unseenSlip } from '../contact-laws/friction/break-away.js';
import { SLIP, STICK } from '../contact-laws/friction/bristle.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import type { RegionForces } from './region-forces.js';
import type { Slot } from './slot.js';

/** Keeps of the region evaluated last what tells when it will slip. */
export function noteBristle(slot: Slot, law: PairLaw, region: RegionForces): void {
  slot.holds = false;
  slot.runaway = 0;
  slot.slippingMass = slippingMass(slot, region);
  const { forces, measures, contour, basis, velocity } = region;
  if (law.friction.kind !== 'bristle') return;
  if (forces.regime !== STICK) {
    const { coefficient } = law.friction;
    if (forces.regime !== SLIP || typeof coefficient === 'number') return;
    const fall = coefficient.slope(slipSpeed(region));
    if (fall < 0) slot.runaway = (-fall * forces.normal.force) / slot.slippingMass;
    return;
  }
  slot.holds = true;
  const b = contour.effectiveRadius;
  const { slip1, slip2, stiffness } = measures;
  const slip3 = b * measures.spin;
  const [f1, f2] = forces.friction;
  const f3 = b > 0 ? forces.friction[2] / b : 0;
  const p = f1 * f1 + f2 * f2;
  const q = f3 * f3;
  const along = slip1 * slip1 + slip2 * slip2;
  slot.stretchRate = stiffness * Math.sqrt(along + slip3 * slip3);
  slot.borne = p + q;
  slot.stretching = 0 - stiffness * (f1 * slip1 + f2 * slip2 + f3 * slip3);
  slot.bearable = p * q > 0 ? forces.limit / Math.sqrt(1 + (0.52 * p * q) / ((p + q) * (p + q))) : forces.limit;
  const { staticFriction, kineticFriction } = law.properties;
  slot.fall = Math.max(0, staticFriction - kineticFriction) * forces.normal.force;
  slot.twisted = slip3 * slip3 > along;
  for (let k = 0; k < 3; k++)
    slot.stretch[k] = slot.twisted ? measures.spin * basis[k] : velocity[k] + measures.approachSpeed * basis[k];
}

/** Part of what it can bear that the bristle of the region evaluated last bears; 0 where it slips, or there is none */
export function borneShare({ friction }: PairLaw, { forces, contour }: RegionForces): number {
  if (friction.kind !== 'bristle' || !(forces.limit > 0) || forces.regime === SLIP) return 0;
  const b = contour.effectiveRadius;
  const [f1, f2, torque] = forces.friction;
  const f3 = b > 0 ? torque / b : 0;
  return Math.min(1, Math.sqrt(f1 * f1 + f2 * f2 + f3 * f3) / forces.limit);
}

/** The bristle of the region evaluated last slips so slowly that friction has not fallen to its kinetic value. */
export function slipsSlowly({ stribeckSpeed, friction }: PairLaw, region: RegionForces): boolean {
  const { forces } = region;
  if (friction.kind !== 'bristle' || !(forces.limit > 0) || forces.regime !== SLIP) return false;
  return stribeckSpeed !== Number.POSITIVE_INFINITY && slipSpeed(region) < 100 * stribeckSpeed;
}

/** Mass that the slip (v₁, v₂, b ω) of the region evaluated last feels, kg: a twist feels I/b² = m ϱ²/b², for a ball many times m */
function slippingMass({ effectiveMass, twistRadius }: Slot, { measures, contour }: RegionForces): number {
  const b = contour.effectiveRadius;
  const { slip1, slip2, spin } = measures;
  const along = slip1 * slip1 + slip2 * slip2;
  const about = b * b * spin * spin;
  if (!(about > 0) || !(twistRadius > b)) return effectiveMass;
  return (effectiveMass * (along + about)) / (along + about * ((b * b) / (twistRadius * twistRadius)));
}

/** √(v₁² + v₂² + (b ω)²) of the region evaluated last, m/s */
function slipSpeed({ measures: { slip1, slip2, spin }, contour }: RegionForces): number {
  const slip3 = contour.effectiveRadius * spin;
  return Math.sqrt(slip1 * slip1 + slip2 * slip2 + slip3 * slip3);
}

/** λ: how fast the stretching of a slot's bristle fades with the present rates of the twists, 1/s */
function slowingRate(slot: Slot, a: number, b: number, { position, rotation }: Carriers, rates: Float64Array): number {
  const { stretch, place } = slot;
  let product = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    let rate = 0;
    if (slot.twisted) rate = rates[6 * b + k] - rates[6 * a + k];
    else {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      const [xl, xm] = [worldLever(rotation, a, place, l), worldLever(rotation, a, place, m)];
      const yl = xl + position[3 * a + l] - position[3 * b + l];
      const ym = xm + position[3 * a + m] - position[3 * b + m];
      rate =
        rates[6 * b + 3 + k] +
        (rates[6 * b + l] * ym - rates[6 * b + m] * yl) -
        (rates[6 * a + 3 + k] + (rates[6 * a + l] * xm - rates[6 * a + m] * xl));
    }
    product += stretch[k] * rate;
    square += stretch[k] * stretch[k];
  }
  return square > 0 && product < 0 ? -product / square : 0;
}

const worldLever = (rotation: Float64Array, a: number, place: Float64Array, k: number): number =>
  rotation[9 * a + 3 * k] * place[0] + rotation[9 * a + 3 * k + 1] * place[1] + rotation[9 * a + 3 * k + 2] * place[2];

/**
 * Longest step for the sake of one slot, s. What slips faster the less it is held back runs away with the rate N |µ'|/m; a stiff method takes a mode that grows
 * for one that fades in steps longer than that, and goes on slipping slowly at static friction.
 */
export function limitOfBristle(
  slot: Slot,
  a: number,
  b: number,
  carriers: Carriers,
  twistRates: Float64Array,
  speed: number,
): number {
  const { stretchRate, borne, stretching, bearable, runaway } = slot;
  if (runaway > 0) return 2 / runaway;
  if (!slot.holds || !(stretchRate > 0)) return Number.POSITIVE_INFINITY;
  const time = breakAwayTime(borne, stretching, stretchRate, bearable, slowingRate(slot, a, b, carriers, twistRates));
  return stepToSlip(time, unseenSlip(slot.stiffness, slot.slippingMass, stretchRate, slot.fall, speed));
}

/** The region evaluated last, whose bristle held at the start of the step h, has slipped for longer than the step could see. */
export function slippedUnseen(slot: Slot, region: RegionForces, h: number, speed: number): boolean {
  const { forces, measures, contour } = region;
  if (forces.regime !== SLIP) return false;
  // at least with this rate it was stretched, or it would hold
  const rate = Math.max(slot.stretchRate, (slot.bearable - Math.sqrt(slot.borne)) / h);
  const unseen = unseenSlip(slot.stiffness, slot.slippingMass, rate, slot.fall, speed);
  if (!(h > 5 * unseen)) return false;
  // W − F = d (V − z'), with another d for the twist
  const { rates } = forces;
  const [p1, p2] = [measures.slip1 - rates[0], measures.slip2 - rates[1]];
  const p3 = forces.twistDamping * (contour.effectiveRadius * measures.spin - rates[2]);
  return measures.damping * Math.sqrt(p1 * p1 + p2 * p2 + p3 * p3) > 2 * rate * unseen;
}
