/**
 * What an arc adds to its chord: integrals over the circular segment between both, and the arc's length.
 *
 * Chord of length d, φ = sweep/2, s = sin φ, c = cos φ, R = d/(2s); about the chord's middle, t along the chord, n to its
 * right, where an arc that turns left (s > 0) bulges to; one that turns right counts negative:
 *
 *   area ∫dA = R² (φ − sc),                       rise ∫n dA = R³ (⅔ s³ − c (φ − sc)),
 *   along ∫t² dA = ¼ R⁴ (φ − sc − ⅔ s³c),         up ∫n² dA = R⁴ ((¼ + c²)(φ − sc) − ⅚ s³c)
 *
 * Where s² < 0.04 these differences cancel, and with x = s², φ = s Σ aₖxᵏ, c = Σ cₖxᵏ they are summed as power series:
 *
 *   g = (φ − sc)/s³ = Σ (aₖ₊₁ − cₖ₊₁) xᵏ,   area = ¼ d² s g,   along = d⁴ s/64 · (g − ⅔c)/x,   up = d⁴ s³/16 · (g(5/4 − x) − ⅚c)/x²
 */
import { atan } from '../math/elementary.js';

export interface SegmentMoments {
  /** m² */
  readonly area: number;
  /** m³ */
  readonly rise: number;
  /** m⁴ */
  readonly along: number;
  /** m⁴ */
  readonly up: number;
}

/** 0.04^13 is below the last digit. */
const TERMS = 13;
const arcSine = [1];
const cosine = [1];
for (let k = 0; k < TERMS + 2; k++) {
  arcSine.push((arcSine[k] * (2 * k + 1) * (2 * k + 1)) / ((2 * k + 2) * (2 * k + 3)));
  cosine.push((cosine[k] * (2 * k - 1)) / (2 * k + 2));
}
const G = Array.from({ length: TERMS + 2 }, (_, k) => arcSine[k + 1] - cosine[k + 1]);
const ALONG = Array.from({ length: TERMS }, (_, k) => G[k + 1] - (2 / 3) * cosine[k + 1]);
const UP = Array.from({ length: TERMS }, (_, k) => 1.25 * G[k + 2] - G[k + 1] - (5 / 6) * cosine[k + 2]);

const series = (coefficients: readonly number[], x: number): number => {
  let sum = 0;
  for (let k = TERMS - 1; k >= 0; k--) sum = sum * x + coefficients[k];
  return sum;
};

/** @param chord length, m; @param bulge tan(sweep/4), other than 0 */
export function segmentMoments(chord: number, bulge: number): SegmentMoments {
  const d = chord;
  const s = (2 * bulge) / (1 + bulge * bulge);
  const c = (1 - bulge * bulge) / (1 + bulge * bulge);
  const x = s * s;
  if (x < 0.04 && c > 0) {
    const g = series(G, x);
    return {
      area: 0.25 * d * d * s * g,
      rise: 0.125 * d * d * d * (2 / 3 - c * g),
      along: (d * d * d * d * s * series(ALONG, x)) / 64,
      up: (d * d * d * d * s * x * series(UP, x)) / 16,
    };
  }
  const R = (d * (1 + bulge * bulge)) / (4 * bulge); // signed as s is
  const lens = 2 * atan(bulge) - s * c;
  const cube = x * s;
  return {
    area: R * R * lens,
    rise: R * R * R * ((2 / 3) * cube - c * lens),
    along: 0.25 * R * R * R * R * (lens - (2 / 3) * cube * c),
    up: R * R * R * R * ((0.25 + c * c) * lens - (5 / 6) * cube * c),
  };
}

/** Area alone, m². */
export const segmentArea = (chord: number, bulge: number): number => segmentMoments(chord, bulge).area;

/** Length of the arc over a chord, d φ / sin φ, m. */
export function arcLength(chord: number, bulge: number): number {
  const b = Math.abs(bulge);
  // φ / sin φ = (1 + b²) atan b / b, which is 1 + 2b²/3 − … near 0
  return b < 1e-4 ? chord * (1 + (2 / 3) * b * b) : (chord * (1 + b * b) * atan(b)) / b;
}
