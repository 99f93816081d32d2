/**
 * Shear that a node remembers when the way of the material over it turns. With m = τ/τ_max as a vector, soil that is sheared by ds along d̂ follows
 *
 *   dm/ds = (d̂ − m)/K,      m = d̂ − (d̂ − m₀) e^(−s/K)
 *
 * which is Janosi & Hanamoto's 1 − e^(−s/K) on a straight way, and on the way back unloads at once and shears the other way: soil gives no work back but what little is stored (Dahl's form of
 * dry friction). A mere sum of displacements is a spring: a block that had slid 78 mm on sand was pushed all the way back. What is kept is the displacement j that has this m, |m| = 1 − e^(−|j|/K).
 *
 * Dahl (1976), doi 10.2514/3.61511; Janosi & Hanamoto (1961).
 */
import { exp, log } from '../../math/elementary.js';

/** Ways that agree in direction to this are one: displacements add up, to the bit */
const STRAIGHT = 1e-12;
/** Shear below this part of K is a spring, whichever way it goes */
const SMALL = 1e-3;

/** j after a way (dx, dy, dz), from h; m. False where it is their sum. */
export function shearAfter(
  hx: number,
  hy: number,
  hz: number,
  dx: number,
  dy: number,
  dz: number,
  K: number,
  out: Float64Array,
): boolean {
  const u = Math.sqrt(hx * hx + hy * hy + hz * hz);
  const s = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(u > SMALL * K && s > 0) || hx * dx + hy * dy + hz * dz >= (1 - STRAIGHT) * u * s) return false;
  const kept = exp(-s / K);
  const before = ((1 - exp(-u / K)) / u) * kept;
  const way = (1 - kept) / s;
  const mx = before * hx + way * dx;
  const my = before * hy + way * dy;
  const mz = before * hz + way * dz;
  const m = Math.sqrt(mx * mx + my * my + mz * mz);
  // −ln(1 − m)/m → 1 for little; all is sheared beyond 1 − 1e-14
  const factor = m > 1e-5 ? (-K * log(Math.max(1 - m, 1e-14))) / m : K * (1 + 0.5 * m);
  out[0] = factor * mx;
  out[1] = factor * my;
  out[2] = factor * mz;
  return true;
}
