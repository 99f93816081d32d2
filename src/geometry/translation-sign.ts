/**
 * Exact signs for two bodies of which the second is thought to be shifted by an infinitesimal translation, so that no
 * two of their features ever coincide (simulation of simplicity, Edelsbrunner & Mücke 1990, doi 10.1145/77635.77639,
 * with one real translation instead of a perturbation of every coordinate: all answers are those of one and the same
 * configuration in general position).
 *
 * The shift is ε e + ε² z + ε³ y. A determinant that is zero takes the sign of its derivative, which is always a triple
 * product of two edges and the shift: (u × w) · e. It is found in floating point, or, where rounding could turn it, by
 * expansions of doubles (Shewchuk 1997, doi 10.1007/PL00009321). Only parallel edges give zero.
 */
import { orient3d } from 'robust-predicates';

/** The direction of the shift: in general position to anything drawn by hand; 20 bits each, so that products are short. */
export const SHIFT_X = 791547 / 1048576; // 0.75488
export const SHIFT_Y = 597521 / 1048576; // 0.56984
export const SHIFT_Z = 340491 / 1048576; // 0.32472

/**
 * ((b − a) × (c − a)) · (a − p): > 0 if p lies behind the plane through a, b, c, which run counter-clockwise. The sign is
 * exact, the value right to a few roundings.
 */
export const behindPlane: (
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  px: number,
  py: number,
  pz: number,
) => number = orient3d;

/**
 * Sign of ((q − p) × (j − i)) · shift, exact; 0 only if the two edges are parallel.
 */
export function shiftSign(
  px: number,
  py: number,
  pz: number,
  qx: number,
  qy: number,
  qz: number,
  ix: number,
  iy: number,
  iz: number,
  jx: number,
  jy: number,
  jz: number,
): number {
  const ux = qx - px;
  const uy = qy - py;
  const uz = qz - pz;
  const wx = jx - ix;
  const wy = jy - iy;
  const wz = jz - iz;
  const det = SHIFT_X * (uy * wz - uz * wy) + SHIFT_Y * (uz * wx - ux * wz) + SHIFT_Z * (ux * wy - uy * wx);
  // every product is at most |u|₁|w|₁, and there are six with four roundings each
  const bound = 2e-15 * (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(wx) + Math.abs(wy) + Math.abs(wz));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  difference(u, 0, qx, px);
  difference(u, 2, qy, py);
  difference(u, 4, qz, pz);
  difference(w, 0, jx, ix);
  difference(w, 2, jy, iy);
  difference(w, 4, jz, iz);
  return tripleSign(SHIFT_X, SHIFT_Y, SHIFT_Z) || tripleSign(0, 0, 1) || tripleSign(0, 1, 0);
}

// Expansions: sums of doubles that do not overlap, the smallest first.

const u = new Float64Array(6); // per axis: rounding error, rounded difference
const w = new Float64Array(6);
/** 3 axes × 2 products × 4 pairs of parts × 4 parts of a product of three doubles */
const expansion = new Float64Array(97);
let length = 0;

/** a − b = into[at + 1] + into[at], exactly (Knuth 1969). */
function difference(into: Float64Array, at: number, a: number, b: number): void {
  const high = a - b;
  const virtual = a - high;
  into[at] = a - (high + virtual) + (virtual - b);
  into[at + 1] = high;
}

/** Sign of (u × w) · (x, y, z). */
function tripleSign(x: number, y: number, z: number): number {
  length = 0;
  addMinor(2, 4, x);
  addMinor(4, 0, y);
  addMinor(0, 2, z);
  for (let i = length - 1; i >= 0; i--) if (expansion[i] !== 0) return expansion[i] > 0 ? 1 : -1;
  return 0;
}

/** Adds (u_k w_l − u_l w_k) · factor. */
function addMinor(k: number, l: number, factor: number): void {
  if (factor === 0) return;
  for (let a = 0; a < 2; a++)
    for (let b = 0; b < 2; b++) {
      addProduct(u[k + a], w[l + b], factor);
      addProduct(0 - u[l + a], w[k + b], factor);
    }
}

/** Adds a · b · c without rounding. */
function addProduct(a: number, b: number, c: number): void {
  const high = a * b;
  if (high === 0) return;
  const low = productError(a, b, high);
  const top = high * c;
  addTerm(productError(high, c, top));
  addTerm(top);
  if (low === 0) return;
  const bottom = low * c;
  addTerm(productError(low, c, bottom));
  addTerm(bottom);
}

/** a b − fl(a b), by splitting each factor into halves of 26 bits (Dekker 1971). */
function productError(a: number, b: number, product: number): number {
  const p = 134217729 * a;
  const aHigh = p - (p - a);
  const aLow = a - aHigh;
  const q = 134217729 * b;
  const bHigh = q - (q - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Grows the expansion by one double (Shewchuk 1997, fig. 6). */
function addTerm(term: number): void {
  if (term === 0) return;
  let sum = term;
  for (let i = 0; i < length; i++) {
    const other = expansion[i];
    const total = sum + other;
    const virtual = total - sum;
    expansion[i] = sum - (total - virtual) + (other - virtual);
    sum = total;
  }
  expansion[length++] = sum;
}
