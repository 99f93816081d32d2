/**
 * A sphere as facets that are fine where it touches. The chord of an ordinary drawing mesh is deeper than most overlaps; here rings about
 * the contact point lie a fraction of the patch's radius apart and grow from there to the far pole.
 *
 * Rings of θ_c/14 and 48 sectors leave the surface short of the true one by at most 0.6 % of the depth of a cap of angle θ_c:
 * R (θ_c/14)²/8 + R (θ_c π/48)²/2 against a depth of R θ_c²/2.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { cross, normalize, perpendicular, type Vec3 } from '../../math/vec3.js';

export const SECTORS = 48;
const RINGS = 14; // from the pole to the edge of the patch
const GROWTH = 1.5;
const WIDEST = 0.35; // rad

/**
 * @param pole  unit vector from the centre to the contact
 * @param reach radius of the patch, m
 * @param turn  rad; about the pole, so that the facets of two spheres do not coincide
 */
export function sphereFacets(centre: Vec3, radius: number, pole: Vec3, reach: number, turn = 0): TriangleMesh {
  const axis = normalize(pole);
  const u = perpendicular(axis);
  const v = cross(axis, u);
  const edge = Math.min(Math.PI / 2, Math.max(1e-6, reach / radius));
  const angles: number[] = [];
  let step = edge / RINGS;
  for (let angle = step; angle < Math.PI - 0.6 * step; angle += step) {
    angles.push(angle);
    if (angle > 1.25 * edge) step = Math.min(WIDEST, GROWTH * step);
  }
  const vertices = new Float64Array(3 * (angles.length * SECTORS + 2));
  const put = (vertex: number, along: number, across: number, sector: number): void => {
    const angle = turn + (2 * Math.PI * sector) / SECTORS;
    const [c, s] = [across * Math.cos(angle), across * Math.sin(angle)];
    for (let k = 0; k < 3; k++) vertices[3 * vertex + k] = centre[k] + radius * (along * axis[k] + c * u[k] + s * v[k]);
  };
  angles.forEach((angle, ring) => {
    for (let sector = 0; sector < SECTORS; sector++)
      put(ring * SECTORS + sector, Math.cos(angle), Math.sin(angle), sector);
  });
  const top = angles.length * SECTORS;
  put(top, 1, 0, 0);
  put(top + 1, -1, 0, 0);
  // (u, v, axis) is right-handed: counter-clockwise about the axis is counter-clockwise seen from outside, near the pole
  const triangles: number[] = [];
  for (let sector = 0; sector < SECTORS; sector++) {
    const next = (sector + 1) % SECTORS;
    triangles.push(top, sector, next);
    for (let ring = 0; ring + 1 < angles.length; ring++) {
      const [a, b] = [ring * SECTORS + sector, ring * SECTORS + next];
      triangles.push(a, a + SECTORS, b + SECTORS, a, b + SECTORS, b);
    }
    const last = (angles.length - 1) * SECTORS;
    triangles.push(last + sector, top + 1, last + next);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}
