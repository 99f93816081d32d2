/**
 * Eigenvalues and eigenvectors of a symmetric 3×3 matrix by Jacobi's rotations.
 *
 * A rotation in the plane (p, q) with tangent t, t² + 2 θ t − 1 = 0, θ = (a_qq − a_pp)/(2 a_pq), makes a_pq zero;
 * going round the three planes the rest falls off cubically, three to five rounds are usual. Unlike the closed formula
 * with an arccosine it loses no digits when eigenvalues are close, and its vectors are orthogonal to rounding.
 * Golub & Van Loan, Matrix Computations, 4th ed. (2013), §8.5; Rutishauser (1966) for the update by differences.
 */
import { scaleToOne } from './binary.js';
import type { Mat3 } from './mat3.js';
import type { Vec3 } from './vec3.js';

export interface SymmetricEigen {
  /** Ascending. */
  readonly values: Vec3;
  /** Unit eigenvectors as columns in the order of the values: a right-handed frame. */
  readonly vectors: Mat3;
}

/**
 * Reads the upper triangle. The first two vectors point so that their largest component is positive,
 * the third completes the frame; equal eigenvalues keep the order of their axes.
 */
export function symmetricEigen(m: Mat3): SymmetricEigen {
  // Largest entry to [1, 2), exactly: squares neither over- nor underflow.
  const largest = Math.max(
    Math.abs(m[0]),
    Math.abs(m[1]),
    Math.abs(m[2]),
    Math.abs(m[4]),
    Math.abs(m[5]),
    Math.abs(m[8]),
  );
  const factor = scaleToOne(largest);
  const d = [m[0] * factor, m[4] * factor, m[8] * factor];
  const off = [m[5] * factor, m[2] * factor, m[1] * factor]; // off[i] belongs to the plane without axis i
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];

  for (let round = 0; round < 50 && (off[0] !== 0 || off[1] !== 0 || off[2] !== 0); round++)
    for (let r = 2; r >= 0; r--) rotatePlane(d, off, v, r);

  // Ascending, by exchanging neighbours, which keeps equal values in order.
  const order = [0, 1, 2];
  for (const [i, j] of [
    [0, 1],
    [1, 2],
    [0, 1],
  ])
    if (d[order[j]] < d[order[i]]) [order[i], order[j]] = [order[j], order[i]];

  const [a, b] = [pointed(v, order[0]), pointed(v, order[1])];
  const c: Vec3 = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return {
    values: [d[order[0]] / factor, d[order[1]] / factor, d[order[2]] / factor],
    vectors: [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]],
  };
}

/** Makes the entry of the plane without axis r zero. */
function rotatePlane(d: number[], off: number[], v: number[], r: number): void {
  const entry = off[r];
  const p = (r + 1) % 3;
  const q = (r + 2) % 3;
  // Too small to change either diagonal entry by more than its rounding, even by its square over their difference.
  if (Math.abs(entry) <= 1e-20 * Math.sqrt(Math.abs(d[p])) * Math.sqrt(Math.abs(d[q])) || Math.abs(entry) < 1e-290) {
    off[r] = 0;
    return;
  }
  const theta = (d[q] - d[p]) / (2 * entry);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const tau = s / (1 + c); // tan of half the angle: cos = 1 − s tau
  d[p] -= t * entry;
  d[q] += t * entry;
  off[r] = 0;
  const [ofP, ofQ] = [off[q], off[p]]; // a_rp lies in the plane without q
  off[q] = ofP - s * (ofQ + tau * ofP);
  off[p] = ofQ + s * (ofP - tau * ofQ);
  for (let i = 0; i < 9; i += 3) {
    const [vp, vq] = [v[i + p], v[i + q]];
    v[i + p] = vp - s * (vq + tau * vp);
    v[i + q] = vq + s * (vp - tau * vq);
  }
}

/** Column j, turned so that its largest component is positive; of components equal to rounding the first decides. */
function pointed(v: number[], j: number): Vec3 {
  const [x, y, z] = [v[j], v[3 + j], v[6 + j]];
  const enough = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) * (1 - 1e-9);
  const leading = Math.abs(x) >= enough ? x : Math.abs(y) >= enough ? y : z;
  return leading < 0 ? [0 - x, 0 - y, 0 - z] : [x, y, z];
}
