/**
 * Integrals over an arc and over the circular segment between it and its chord. With d the chord, φ half the sweep, s = sin φ, c = cos φ,
 * heights measured from the chord to the outside (to the right of the chord's direction, where an arc with s > 0 bulges) and places
 * along the chord from its middle:
 *
 *   area    of the segment                d² (φ − sc)/(4 s²)
 *   rise    ∫ height dA                   d³ (⅔ s³ − c (φ − sc))/(8 s³)
 *   length  of the arc                    d φ/s
 *   lift    ∫ height dl                   d² (s − φc)/(2 s²)
 *   along   ∫ place² dl                   d³ (φ − sc)/(8 s³)
 *   up      ∫ height² dl                  d³ (φ + 2φc² − 3sc)/(8 s³)
 *
 * Flat arcs lose digits in the differences: for s² < 0.04 all of them are power series in s².
 */
import { asin } from '../../math/elementary.js';

/** Places of the six sums of an arc */
export const SEGMENT = { area: 0, rise: 1, length: 2, lift: 3, along: 4, up: 5, count: 6 } as const;

/** s² below which the series serve: there their remainder is 1e-15, and beyond it the closed forms lose no more than 2e-12 (up). */
const FLAT = 0.04;
const TERMS = 10;
/** asin s = s Σ α_k s^2k and cos asin s = Σ γ_k s^2k */
const alpha = [1];
const gamma = [1];
for (let k = 1; k < TERMS + 2; k++) {
  alpha.push((alpha[k - 1] * (2 * k - 1) * (2 * k - 1)) / (2 * k * (2 * k + 1)));
  gamma.push((gamma[k - 1] * (2 * k - 3)) / (2 * k));
}
const productTerm = (u: readonly number[], v: readonly number[], k: number): number => {
  let sum = 0;
  for (let i = 0; i <= k; i++) sum += u[i] * v[k - i];
  return sum;
};
/** (φ − sc)/s³ */
const difference = Array.from({ length: TERMS + 1 }, (_, k) => alpha[k + 1] - gamma[k + 1]);
const series = (term: (k: number) => number): Float64Array => Float64Array.from({ length: TERMS }, (_, k) => term(k));
const AREA = series((k) => difference[k]);
/** (⅔ s³ − c (φ − sc))/s⁵ */
const RISE = series((k) => 0 - productTerm(gamma, difference, k + 1));
const LENGTH = series((k) => alpha[k]);
/** (s − φc)/s³ */
const LIFT = series((k) => 0 - productTerm(alpha, gamma, k + 1));
/** (3φ − 2φs² − 3sc)/s⁵ */
const UP = series((k) => 3 * alpha[k + 2] - 2 * alpha[k + 1] - 3 * gamma[k + 2]);

const horner = (terms: Float64Array, z: number): number => {
  let sum = terms[TERMS - 1];
  for (let k = TERMS - 2; k >= 0; k--) sum = sum * z + terms[k];
  return sum;
};

/**
 * Writes the six sums, see `SEGMENT`.
 *
 * @param chord m
 * @param sine  of half the sweep, at most 1 in size; < 0 if the arc turns right
 */
export function segmentSums(into: Float64Array, at: number, chord: number, sine: number): void {
  const z = sine * sine;
  const d2 = chord * chord;
  const d3 = d2 * chord;
  if (z < FLAT) {
    const area = horner(AREA, z);
    into[at + SEGMENT.area] = 0.25 * d2 * sine * area;
    into[at + SEGMENT.rise] = 0.125 * d3 * z * horner(RISE, z);
    into[at + SEGMENT.length] = chord * horner(LENGTH, z);
    into[at + SEGMENT.lift] = 0.5 * d2 * sine * horner(LIFT, z);
    into[at + SEGMENT.along] = 0.125 * d3 * area;
    into[at + SEGMENT.up] = 0.125 * d3 * z * horner(UP, z);
    return;
  }
  const s = z <= 1 ? sine : sine > 0 ? 1 : -1;
  const phi = asin(s);
  const c = z <= 1 ? Math.sqrt(1 - z) : 0;
  const cap = phi - s * c;
  const s3 = 8 * s * s * s;
  into[at + SEGMENT.area] = (d2 * cap) / (4 * s * s);
  into[at + SEGMENT.rise] = (d3 * ((2 / 3) * s * s * s - c * cap)) / s3;
  into[at + SEGMENT.length] = (chord * phi) / s;
  into[at + SEGMENT.lift] = (d2 * (s - phi * c)) / (2 * s * s);
  into[at + SEGMENT.along] = (d3 * cap) / s3;
  into[at + SEGMENT.up] = (d3 * (phi + 2 * phi * c * c - 3 * s * c)) / s3;
}
