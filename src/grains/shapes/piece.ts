/**
 * Pieces that rigid grains, walls and tools are made of: convex polyhedra, spheres and half-spaces, prepared for the kernels
 * (kernels/polyhedron-overlap.kernel.ts): flat faces as loops of corners, planes, and which faces meet in a corner.
 */
import { ModelError } from '../../errors.js';
import { HALF_SPACE, POLYHEDRON, SPHERE } from '../../kernels/polyhedron-overlap.kernel.js';
import { conjugate, type Quaternion, rotate } from '../../math/quaternion.js';
import { dot, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { ConvexSolid } from '../../narrow-phase/convex-overlap/convex-solid.js';

export interface Piece {
  readonly kind: number;
  /** 3 per corner, m */
  readonly vertices: Float64Array;
  /** 4 per face: unit normal out of the piece, n · r on the plane, m */
  readonly planes: Float64Array;
  /** one per face and one more: where its corners start in `loops` */
  readonly loopStart: Int32Array;
  /** counter-clockwise seen from outside */
  readonly loops: Int32Array;
  /** one per corner and one more: where the faces that meet there start in `cornerFaces` */
  readonly cornerStart: Int32Array;
  readonly cornerFaces: Int32Array;
  /** Bounding sphere, m */
  readonly middle: Vec3;
  readonly radius: number;
  /** Smallest width across a face, m; the radius of a sphere; Infinity of a half-space */
  readonly thinness: number;
  /** How many of its faces, from the first, are surface, where the others are seams with pieces beside it */
  readonly surfaces?: number;
}

const NONE = { loops: new Int32Array(0), cornerStart: new Int32Array(1), cornerFaces: new Int32Array(0) };

export const spherePiece = (middle: Vec3, radius: number): Piece => ({
  ...NONE,
  kind: SPHERE,
  vertices: new Float64Array(0),
  planes: new Float64Array(0),
  loopStart: new Int32Array(1),
  middle,
  radius,
  thinness: radius,
});

/** Everything behind the plane through `point` with the unit normal `normal`. */
export const halfSpacePiece = (point: Vec3, normal: Vec3): Piece => ({
  ...NONE,
  kind: HALF_SPACE,
  vertices: new Float64Array(0),
  planes: Float64Array.of(normal[0], normal[1], normal[2], dot(normal, point)),
  loopStart: new Int32Array(2),
  middle: point,
  radius: 0,
  thinness: Number.POSITIVE_INFINITY,
});

/** @param where how an error names the piece */
export function polyhedronPiece(solid: ConvexSolid, where = 'polyhedron'): Piece {
  const { corners, faceCount, normals, offsets, firstEdge, edges, firstFace, cornerFaces } = solid;
  const planes = new Float64Array(4 * faceCount);
  const loops = new Int32Array(firstEdge[faceCount]);
  const after = new Int32Array(corners.length / 3);
  let thinness = Number.POSITIVE_INFINITY;
  for (let f = 0; f < faceCount; f++) {
    // The border edges of a face in the order in which they follow one another
    for (let e = firstEdge[f]; e < firstEdge[f + 1]; e++) after[edges[2 * e]] = edges[2 * e + 1];
    let at = edges[2 * firstEdge[f]];
    for (let k = firstEdge[f]; k < firstEdge[f + 1]; k++) {
      loops[k] = at;
      at = after[at];
    }
    if (at !== edges[2 * firstEdge[f]])
      throw new ModelError(where, `face ${f} is bounded by more than one loop; give the corners as points instead`);
    const n: Vec3 = [normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]];
    planes.set([...n, offsets[f]], 4 * f);
    let lowest = Number.POSITIVE_INFINITY;
    for (let v = 0; v < corners.length; v += 3)
      lowest = Math.min(lowest, n[0] * corners[v] + n[1] * corners[v + 1] + n[2] * corners[v + 2]);
    thinness = Math.min(thinness, offsets[f] - lowest);
  }
  const { middle } = solid;
  return {
    kind: POLYHEDRON,
    vertices: corners,
    planes,
    loopStart: firstEdge,
    loops,
    cornerStart: firstFace,
    cornerFaces,
    middle,
    radius: farthest(corners, middle),
    thinness,
  };
}

/** The piece seen from another frame: r → Rᵀ (r − origin), R turning the axes of the new frame into those of the old. */
export function seenFrom(piece: Piece, origin: Vec3, axes: Quaternion): Piece {
  const back = conjugate(axes);
  const vertices = piece.vertices.slice();
  for (let v = 0; v < vertices.length; v += 3)
    vertices.set(rotate(back, sub([vertices[v], vertices[v + 1], vertices[v + 2]], origin)), v);
  const planes = piece.planes.slice();
  for (let p = 0; p < planes.length; p += 4) {
    const n: Vec3 = [planes[p], planes[p + 1], planes[p + 2]];
    planes.set(rotate(back, n), p);
    planes[p + 3] -= dot(n, origin);
  }
  const middle = rotate(back, sub(piece.middle, origin));
  return {
    ...piece,
    vertices,
    planes,
    middle,
    radius: piece.kind === POLYHEDRON ? farthest(vertices, middle) : piece.radius,
  };
}

function farthest(vertices: Float64Array, from: Vec3): number {
  let most = 0;
  for (let v = 0; v < vertices.length; v += 3)
    most = Math.max(most, norm(sub([vertices[v], vertices[v + 1], vertices[v + 2]], from)));
  return most * (1 + 1e-12);
}
