/**
 * Angles at which a trigonometric polynomial of second degree is zero,
 *
 *   c₀ + c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ = 0,
 *
 * such as those at which a circle in space meets a cylinder: at most four. With τ = tan(φ/2) it is a quartic; its roots within |τ| ≤ 1, and with
 * 1/τ in its place those beyond, lie one between two zeros of its derivative each, whose own lie between those of the next.
 * Double roots may be left out: there the sign does not change.
 */
import { atan, atan2 } from './elementary.js';

const MOST_HALVINGS = 80;

/** Coefficients of the polynomial and its derivatives, 5 per degree */
const chain = new Float64Array(25);
/** Zeros of each degree within [−1, 1], 5 per degree, ascending */
const zeros = new Float64Array(25);

/** Writes the angles into `out`, in (−π, π]; how many */
export function circleRoots(c0: number, c1: number, s1: number, c2: number, s2: number, out: Float64Array): number {
  if (Math.abs(c0) > Math.sqrt(c1 * c1 + s1 * s1) + Math.sqrt(c2 * c2 + s2 * s2)) return 0;
  const q0 = c0 + c1 + c2;
  const q1 = 2 * s1 + 4 * s2;
  const q2 = 2 * c0 - 6 * c2;
  const q3 = 2 * s1 - 4 * s2;
  const q4 = c0 - c1 + c2;
  let count = 0;
  const near = rootsWithin(q0, q1, q2, q3, q4);
  for (let i = 0; i < near; i++) out[count++] = 2 * atan(zeros[20 + i]);
  const far = rootsWithin(q4, q3, q2, q1, q0);
  for (let i = 0; i < far; i++) {
    const sigma = zeros[20 + i];
    // ±1 was found above
    if (Math.abs(sigma) < 1) out[count++] = 2 * atan2(sigma < 0 ? -1 : 1, Math.abs(sigma));
  }
  return count;
}

/** Angles at which c cos φ + s sin φ = d: none or two */
export function lineRoots(c: number, s: number, d: number, out: Float64Array): number {
  const size2 = c * c + s * s;
  const under = size2 - d * d;
  if (!(under > 0)) return 0;
  const root = Math.sqrt(under);
  out[0] = atan2(d * s + root * c, d * c - root * s);
  out[1] = atan2(d * s - root * c, d * c + root * s);
  return 2;
}

/** Zeros of q₀ + q₁ τ + … + q₄ τ⁴ within [−1, 1], into `zeros` from 20 on; how many */
function rootsWithin(q0: number, q1: number, q2: number, q3: number, q4: number): number {
  chain[20] = q0;
  chain[21] = q1;
  chain[22] = q2;
  chain[23] = q3;
  chain[24] = q4;
  for (let degree = 3; degree > 0; degree--)
    for (let k = 0; k <= degree; k++) chain[5 * degree + k] = (k + 1) * chain[5 * degree + 5 + k + 1];
  let count = 0;
  for (let degree = 1; degree <= 4; degree++) {
    const before = count;
    count = 0;
    let from = -1;
    for (let i = 0; i <= before; i++) {
      const to = i < before ? zeros[5 * degree - 5 + i] : 1;
      const start = value(degree, from);
      const end = value(degree, to);
      if (start === 0 ? i === 0 : start < 0 !== end < 0 || (end === 0 && i === before))
        zeros[5 * degree + count++] = start === 0 ? from : between(degree, from, to, start < 0);
      from = to;
    }
  }
  return count;
}

function value(degree: number, x: number): number {
  let sum = 0;
  for (let k = degree; k >= 0; k--) sum = sum * x + chain[5 * degree + k];
  return sum;
}

/** The zero of a monotonic piece: Newton's steps kept between two ends of opposite sign, else halved */
function between(degree: number, from: number, to: number, rising: boolean): number {
  let low = from;
  let high = to;
  let x = 0.5 * (low + high);
  for (let i = 0; i < MOST_HALVINGS; i++) {
    const y = value(degree, x);
    if (y === 0) return x;
    if (y < 0 === rising) low = x;
    else high = x;
    let slope = 0;
    for (let k = degree; k > 0; k--) slope = slope * x + k * chain[5 * degree + k];
    const newton = x - y / slope;
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (next === x || !(high - low > 1e-17)) return next;
    x = next;
  }
  return x;
}
