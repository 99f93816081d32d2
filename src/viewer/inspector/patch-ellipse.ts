/**
 * The ellipse that stands for a patch whose outline was not recorded: the one in the tangent plane with the same second moments and area
 * density. An ellipse with semi-axes a and b has ∫ x² dA = A a²/4, so
 *
 *   a² = 4 λ₁/A,  b² = 4 λ₂/A,   λ the eigenvalues of the moments in the plane, m⁴
 *
 * A plane patch of another shape gets an ellipse of about its size: a square of edge s has a = b = s/√3 = 0.58 s.
 */
import { add, cross, dot, perpendicular, scale, type Vec3 } from '../../math/vec3.js';
import type { Contact } from './contact-rows.js';

export interface PatchEllipse {
  readonly centre: Vec3;
  /** Semi-axes, m; the first is the longer one */
  readonly major: Vec3;
  readonly minor: Vec3;
}

/** Undefined for a contact in a point. */
export function patchEllipse({
  area,
  secondMoments,
  normal,
  patchCentroid,
}: Pick<Contact, 'area' | 'secondMoments' | 'normal' | 'patchCentroid'>): PatchEllipse | undefined {
  if (!(area > 0)) return undefined;
  const u = perpendicular(normal);
  const v = cross(normal, u);
  const [xx, yy, zz, xy, xz, yz] = secondMoments;
  const timesTensor = ([x, y, z]: Vec3): Vec3 => [
    xx * x + xy * y + xz * z,
    xy * x + yy * y + yz * z,
    xz * x + yz * y + zz * z,
  ];
  const uu = dot(u, timesTensor(u));
  const vv = dot(v, timesTensor(v));
  const uv = dot(u, timesTensor(v));
  // eigenvalues of a symmetric 2 × 2 matrix: mean ± radius of Mohr's circle
  const mean = (uu + vv) / 2;
  const radius = Math.hypot((uu - vv) / 2, uv);
  const angle = Math.atan2(2 * uv, uu - vv) / 2;
  const along = add(scale(Math.cos(angle), u), scale(Math.sin(angle), v));
  const axis = (moment: number): number => 2 * Math.sqrt(Math.max(0, moment) / area);
  return {
    centre: patchCentroid,
    major: scale(axis(mean + radius), along),
    minor: scale(axis(mean - radius), cross(normal, along)),
  };
}

/** Points on the ellipse, the first not repeated. */
export function ellipsePoints({ centre, major, minor }: PatchEllipse, count: number): Vec3[] {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return add(centre, add(scale(Math.cos(angle), major), scale(Math.sin(angle), minor)));
  });
}
