/**
 * Shapes of rigid grains: convex polyhedra, concave ones as convex parts, clumps of spheres; in the frame in which they turn most simply:
 * origin in the centre of mass, axes along the principal axes of inertia.
 */
import { ModelError } from '../../errors.js';
import { convexHull } from '../../geometry/hull.js';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { ORIGIN, type Solid } from '../../geometry/solid.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { type Mat3, toQuaternion } from '../../math/mat3.js';
import { IDENTITY, type Quaternion } from '../../math/quaternion.js';
import { symmetricEigen } from '../../math/symmetric-eigen.js';
import { dot, sub, type Vec3, ZERO } from '../../math/vec3.js';
import { prepareConvex } from '../../narrow-phase/convex-overlap/convex-solid.js';
import { type Piece, polyhedronPiece, seenFrom, spherePiece } from './piece.js';
import { commonDepth } from './separating-axis.js';
import { type Ball, unionOfBalls } from './union-of-balls.js';

export interface GrainShape {
  /** In the principal frame */
  readonly pieces: readonly Piece[];
  /** m³ */
  readonly volume: number;
  /** Principal moments over density, m⁵ */
  readonly moments: Vec3;
  /** The principal frame seen from the one the shape was given in: centre of mass, m, and principal axes */
  readonly centre: Vec3;
  readonly axes: Quaternion;
  /** Farthest point from the centre of mass, m */
  readonly radius: number;
  /** To draw: meshes of polyhedra in the frame they were given in; spheres draw themselves */
  readonly meshes: readonly TriangleMesh[];
}

/**
 * A convex grain: the hull of points, or a convex closed mesh.
 *
 * @throws ModelError if a mesh is open or not convex
 * @example const cube = polyhedronGrain(box(0.015).mesh);
 */
export function polyhedronGrain(of: Float64Array | readonly Vec3[] | TriangleMesh, where = 'polyhedron'): GrainShape {
  const mesh = isMesh(of) ? of : convexHull(of);
  const { volume, centroid, principalMoments, principalAxes } = meshMassProperties(mesh);
  return assembled([convexPiece(mesh, where)], volume, centroid, principalAxes, principalMoments, [mesh]);
}

/**
 * A grain of convex parts that touch or keep apart but do not overlap: an L, a star, a hollow stone. Contacts are found part by part.
 *
 * @throws ModelError if a part is open or not convex
 */
export function compoundGrain(
  parts: readonly (Float64Array | readonly Vec3[] | TriangleMesh)[],
  where = 'compound',
): GrainShape {
  if (parts.length === 0) throw new ModelError(`${where}.parts`, 'expected at least one convex part, got none');
  const meshes = parts.map((part) => (isMesh(part) ? part : convexHull(part)));
  const masses = meshes.map((mesh) => meshMassProperties(mesh));
  const volume = masses.reduce((sum, part) => sum + part.volume, 0);
  const centre = [0, 1, 2].map(
    (k) => masses.reduce((sum, part) => sum + part.volume * part.centroid[k], 0) / volume,
  ) as unknown as Vec3;
  const inertia = new Array<number>(9).fill(0);
  for (const part of masses) {
    const d = sub(part.centroid, centre);
    for (let k = 0; k < 9; k++)
      inertia[k] += part.inertia[k] + part.volume * ((k % 4 === 0 ? dot(d, d) : 0) - d[Math.floor(k / 3)] * d[k % 3]);
  }
  const { values, vectors } = symmetricEigen(inertia as unknown as Mat3);
  const pieces = meshes.map((mesh, i) => convexPiece(mesh, `${where}.parts[${i}]`));
  refuseCommon(pieces, where);
  return assembled(pieces, volume, centre, toQuaternion(vectors), values, meshes);
}

/** What two parts have in common would have its mass twice, and be pressed twice. */
function refuseCommon(pieces: readonly Piece[], where: string): void {
  pieces.forEach((piece, i) => {
    for (let j = 0; j < i; j++) {
      const depth = commonDepth(pieces[j], piece);
      if (depth > 1e-6 * Math.min(pieces[j].thinness, piece.thinness))
        throw new ModelError(
          `${where}.parts[${i}]`,
          `is in parts[${j}] by ${depth.toPrecision(2)} m; parts may share a face, but no room: cut one of them`,
        );
    }
  });
}

/**
 * A clump: balls rigidly joined, overlapping or not. Mass and inertia are those of the union, each place counted once.
 *
 * @throws ModelError for a radius that is not positive
 * @example const peanut = clumpGrain([{ position: [-0.003, 0, 0], radius: 0.005 }, { position: [0.003, 0, 0], radius: 0.005 }]);
 */
export function clumpGrain(balls: readonly Ball[], where = 'clump'): GrainShape {
  if (balls.length === 0) throw new ModelError(`${where}.balls`, 'expected at least one ball, got none');
  balls.forEach(({ radius }, i) => {
    if (!(radius > 0 && radius < Number.POSITIVE_INFINITY))
      throw new ModelError(`${where}.balls[${i}].radius`, `expected a length > 0 m, got ${radius}`);
  });
  const pieces = balls.map(({ position, radius }) => spherePiece(position, radius));
  if (balls.length === 1) {
    const [{ position, radius }] = balls;
    const volume = (4 / 3) * Math.PI * radius * radius * radius;
    const moment = 0.4 * volume * radius * radius;
    return assembled(pieces, volume, position, IDENTITY, [moment, moment, moment], []);
  }
  const { volume, centroid, inertia } = unionOfBalls(balls);
  const { values, vectors } = symmetricEigen(inertia);
  return assembled(pieces, volume, centroid, toQuaternion(vectors), values, []);
}

/** Pieces of a wall or tool in the frame they are given in, which is that of its prescribed motion; it has no mass to speak of. */
export function toolShape(pieces: readonly Piece[], meshes: readonly TriangleMesh[] = []): GrainShape {
  return assembled(pieces, 0, ZERO, IDENTITY, ZERO, meshes);
}

/** @throws ModelError if the mesh is not convex, with what to do */
export function convexPiece(mesh: TriangleMesh, where: string): Piece {
  const solid: Solid = { mesh, form: { kind: 'mesh' }, pose: ORIGIN };
  const convex = prepareConvex(solid);
  if (!convex)
    throw new ModelError(
      where,
      `expected a closed convex solid, got a mesh of ${mesh.triangles.length / 3} triangles that is open or has a dent; ` +
        'give its points (their hull is taken), or a compound of convex parts',
    );
  return polyhedronPiece(convex, where);
}

function assembled(
  pieces: readonly Piece[],
  volume: number,
  centre: Vec3,
  axes: Quaternion,
  moments: Vec3,
  meshes: readonly TriangleMesh[],
): GrainShape {
  const seen = pieces.map((piece) => seenFrom(piece, centre, axes));
  const radius = Math.max(...seen.map(({ middle, radius: r }) => Math.sqrt(dot(middle, middle)) + r));
  return { pieces: seen, volume, moments, centre, axes, radius, meshes };
}

const isMesh = (of: Float64Array | readonly Vec3[] | TriangleMesh): of is TriangleMesh => 'triangles' in of;
