/**
 * Area, perimeter, centroid and second moments of outlines of lines and arcs, exact but for rounding.
 *
 * All sums run over corners relative to the first one, so a figure a kilometre from the origin loses no digits.
 * With cross = xᵢ yᵢ₊₁ − xᵢ₊₁ yᵢ:
 *
 *   A  = ½ Σ cross,    A x̄ = ⅙ Σ (xᵢ + xᵢ₊₁) cross,    ∫x² = 1/12 Σ (xᵢ² + xᵢ xᵢ₊₁ + xᵢ₊₁²) cross,
 *   ∫xy = 1/24 Σ (2 xᵢ yᵢ + xᵢ yᵢ₊₁ + xᵢ₊₁ yᵢ + 2 xᵢ₊₁ yᵢ₊₁) cross        (Green's theorem)
 *
 * An arc adds the segment between it and its chord, see circular-segment.ts.
 */
import type { Vec2 } from '../math/vec3.js';
import { bulgeOf } from './arc.js';
import { arcLength, segmentArea, segmentMoments } from './circular-segment.js';
import type { Outline, Profile } from './profile.js';

/** m²; positive if the corners run counter-clockwise. */
export function signedArea(outline: Outline): number {
  const n = outline.length;
  if (n === 0) return 0;
  const [x0, y0] = outline[0];
  let twice = 0;
  for (let i = 1; i + 1 < n; i++) {
    const [ax, ay] = outline[i];
    const [bx, by] = outline[i + 1];
    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return twice / 2 + segmentsArea(outline);
}

/** Of all segments between arcs and their chords, m². */
function segmentsArea(outline: Outline): number {
  let area = 0;
  for (let i = 0; i < outline.length; i++) {
    const bulge = bulgeOf(outline[i]);
    if (bulge !== 0) area += segmentArea(chordOf(outline, i), bulge);
  }
  return area;
}

/** Distance from corner i to the next, m. */
function chordOf(outline: Outline, i: number): number {
  const [ax, ay] = outline[i];
  const [bx, by] = outline[i + 1 === outline.length ? 0 : i + 1];
  return Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
}

/** 'counter-clockwise' or 'clockwise' by the sign of the area; 'flat' if that is 0. */
export function winding(outline: Outline): 'counter-clockwise' | 'clockwise' | 'flat' {
  const area = signedArea(outline);
  return area > 0 ? 'counter-clockwise' : area < 0 ? 'clockwise' : 'flat';
}

/** m² inside the outer outline less those inside the holes, whichever way they run. */
export const profileArea = ({ outer, holes }: Profile): number =>
  holes.reduce((area, hole) => area - Math.abs(signedArea(hole)), Math.abs(signedArea(outer)));

/** Length of the closed outline, m. */
export function perimeter(outline: Outline): number {
  let length = 0;
  for (let i = 0; i < outline.length; i++) {
    const bulge = bulgeOf(outline[i]);
    const chord = chordOf(outline, i);
    length += bulge === 0 ? chord : arcLength(chord, bulge);
  }
  return length;
}

export interface PlaneMoments {
  /** m² */
  readonly area: number;
  /** m */
  readonly centroid: Vec2;
  /** ∫(x − x̄)² dA, m⁴ */
  readonly xx: number;
  /** ∫(y − ȳ)² dA, m⁴ */
  readonly yy: number;
  /** ∫(x − x̄)(y − ȳ) dA, m⁴ */
  readonly xy: number;
}

/**
 * Area, centroid and second moments about the centroid. The polar moment, which the inertia of a plate about its
 * normal needs, is xx + yy.
 */
export function planeMoments(figure: Outline | Profile): PlaneMoments {
  const profile: Profile = 'outer' in figure ? figure : { outer: figure, holes: [] };
  const [x0, y0] = profile.outer.length > 0 ? profile.outer[0] : [0, 0];
  let [area, mx, my, ixx, iyy, ixy] = [0, 0, 0, 0, 0, 0];
  const rings = [profile.outer, ...profile.holes];
  for (let r = 0; r < rings.length; r++) {
    const ring = rings[r];
    const sign = signedArea(ring) < 0 === (r === 0) ? -1 : 1; // holes subtract, whichever way they run
    for (let i = 0; i < ring.length; i++) {
      const next = ring[i + 1 === ring.length ? 0 : i + 1];
      const [ax, ay] = [ring[i][0] - x0, ring[i][1] - y0];
      const [bx, by] = [next[0] - x0, next[1] - y0];
      const cross = sign * (ax * by - bx * ay);
      area += cross;
      mx += (ax + bx) * cross;
      my += (ay + by) * cross;
      ixx += (ax * ax + ax * bx + bx * bx) * cross;
      iyy += (ay * ay + ay * by + by * by) * cross;
      ixy += (2 * ax * ay + ax * by + bx * ay + 2 * bx * by) * cross;
      const bulge = bulgeOf(ring[i]);
      if (bulge === 0) continue;
      // The segment's moments are about the middle of its chord, along it (t) and to its right (n)
      const chord = chordOf(ring, i);
      const m = segmentMoments(chord, sign * bulge);
      const [tx, ty] = [(bx - ax) / chord, (by - ay) / chord];
      const [nx, ny] = [sign * ty, -sign * tx];
      const [px, py] = [(ax + bx) / 2, (ay + by) / 2];
      area += 2 * m.area;
      mx += 6 * (m.area * px + m.rise * nx);
      my += 6 * (m.area * py + m.rise * ny);
      ixx += 12 * (m.area * px * px + 2 * m.rise * px * nx + m.along * tx * tx + m.up * nx * nx);
      iyy += 12 * (m.area * py * py + 2 * m.rise * py * ny + m.along * ty * ty + m.up * ny * ny);
      ixy += 24 * (m.area * px * py + m.rise * (px * ny + nx * py) + m.along * tx * ty + m.up * nx * ny);
    }
  }
  area /= 2;
  if (!(area > 0)) return { area: 0, centroid: [x0, y0], xx: 0, yy: 0, xy: 0 };
  const cx = mx / (6 * area);
  const cy = my / (6 * area);
  return {
    area,
    centroid: [x0 + cx, y0 + cy],
    xx: ixx / 12 - area * cx * cx,
    yy: iyy / 12 - area * cy * cy,
    xy: ixy / 24 - area * cx * cy,
  };
}
