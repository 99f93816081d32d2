/**
 * The limits of a region as rigid grains touch them, with the grains inside: half-spaces about a region that is convex, the cells under its surface turned inside out about
 * one that is not. A cylinder has 64 sides, inscribed: 1.2e-3 of its radius is left free in their middles, none of a grain sticks out.
 */
import { ORIGIN } from '../../geometry/solid.js';
import { cos, PI, sin } from '../../math/elementary.js';
import { add, addScaled, cross, dot, normalize, scale, type Vec3, ZERO } from '../../math/vec3.js';
import type { GrainRegion } from '../../model/grains.js';
import { prepareConvex } from '../../narrow-phase/convex-overlap/convex-solid.js';
import { regionOf } from '../region.js';
import { halfSpacePiece, type Piece } from '../shapes/piece.js';
import { surfacePieces } from '../shapes/surface-pieces.js';

const SIDES = 64;

/** @param reach radius of the largest grain, m @param through axes along which a box has no limits, for what leaves comes in again */
export function regionPieces(
  region: GrainRegion,
  reach: number,
  through: readonly boolean[] = [false, false, false],
): readonly Piece[] {
  if ('box' in region) {
    const { low, high } = regionOf(region);
    return [0, 1, 2].flatMap((k) => {
      if (through[k]) return [];
      const inward: Vec3 = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
      return [halfSpacePiece(low, inward), halfSpacePiece(high, scale(-1, inward))];
    });
  }
  if ('cylinder' in region) {
    const { radius, height, from = ZERO, axis = [0, 0, 1] } = region.cylinder;
    const e = normalize(axis);
    const u = normalize(cross(e, Math.abs(e[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
    const w = cross(e, u);
    const sides = Array.from({ length: SIDES }, (_, k) => {
      const angle = (2 * PI * k) / SIDES;
      const out = add(scale(cos(angle), u), scale(sin(angle), w));
      return halfSpacePiece(addScaled(from, radius * cos(PI / SIDES), out), scale(-1, out));
    });
    return [...sides, halfSpacePiece(from, e), halfSpacePiece(addScaled(from, height, e), scale(-1, e))];
  }
  if ('inside' in region) {
    const { mesh } = region.inside;
    const convex = prepareConvex({ mesh, form: { kind: 'mesh' }, pose: ORIGIN });
    if (!convex) return surfacePieces(mesh, reach, true);
    const { normals, offsets, faceCount } = convex;
    return Array.from({ length: faceCount }, (_, f) => {
      const out: Vec3 = [normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]];
      return halfSpacePiece(scale(offsets[f] / dot(out, out), out), scale(-1, out));
    });
  }
  return [halfSpacePiece(region.behind.through, scale(-1, region.behind.normal))];
}
