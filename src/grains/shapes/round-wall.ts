/**
 * A wall that is exactly round, as grains with a shape touch it: the profile turned about its axis in flat sides, with all behind it solid. Sides are as many as keep their middles within
 * 1/200 of the smallest grain's radius of the circle, from 48 to 256; their corners lie outside it by as much as makes each cross-section as large as the circle's:
 *
 *   n = π/√(2 s/R),   ρ = R √(2π/(n sin(2π/n)))
 *
 *   s  how far a side may be off, m;  R  greatest distance of the profile from the axis, m;  ρ  of the corners, m
 */
import { circlePoint } from '../../geometry/circle.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { PI, sin } from '../../math/elementary.js';
import { add, addScaled, cross, normalize, scale, type Vec3, ZERO } from '../../math/vec3.js';
import type { RoundWall } from '../../model/grains.js';
import type { Piece } from './piece.js';
import { surfacePieces } from './surface-pieces.js';

const OFF = 1 / 200;
const FEWEST = 48;
const MOST = 256;

/** Number of sides and how far they are off the circle, m. @param least radius of the smallest grain, m */
export function roundSides({ profile }: RoundWall, least: number): { readonly sides: number; readonly off: number } {
  const R = profile.reduce((most, [rho]) => Math.max(most, rho), 0);
  const wanted = Math.ceil(PI / Math.sqrt((2 * OFF * least) / R) / 4) * 4;
  const sides = Math.max(FEWEST, Math.min(MOST, wanted));
  return { sides, off: (R * (PI / sides) * (PI / sides)) / 3 };
}

/** @param reach radius of the largest grain, m */
export function roundPieces(wall: RoundWall, least: number, reach: number): Piece[] {
  return surfacePieces(roundMesh(wall, roundSides(wall, least).sides), reach, true);
}

/** What the profile bounds, with the grains inside: the profile has them on its left, so its right is out. */
export function roundMesh(
  { profile, closed = false, origin = ZERO, axis = [0, 0, 1] }: RoundWall,
  n: number,
): TriangleMesh {
  const e = normalize(axis);
  const u = normalize(cross(e, Math.abs(e[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const w = cross(e, u);
  const grown = Math.sqrt((2 * PI) / (n * sin((2 * PI) / n)));
  const vertices: number[] = [];
  const first: number[] = [];
  for (const [rho, z] of profile) {
    first.push(vertices.length / 3);
    const middle = addScaled(origin, z, e);
    for (let k = 0; k < (rho > 0 ? n : 1); k++) {
      const [c, s] = circlePoint(k, n);
      const out: Vec3 = rho > 0 ? scale(grown * rho, add(scale(c, u), scale(s, w))) : ZERO;
      vertices.push(...add(middle, out));
    }
  }
  const at = (i: number, k: number): number => first[i] + (profile[i][0] > 0 ? k % n : 0);
  const triangles: number[] = [];
  const segments = closed ? profile.length : profile.length - 1;
  for (let i = 0; i < segments; i++) {
    const j = (i + 1) % profile.length;
    for (let k = 0; k < n; k++) {
      if (profile[i][0] > 0) triangles.push(at(i, k), at(i, k + 1), at(j, k));
      if (profile[j][0] > 0) triangles.push(at(j, k), at(i, k + 1), at(j, k + 1));
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
