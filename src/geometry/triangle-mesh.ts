/**
 * A surface made of triangles: vertices in m, double precision, and index triples, counter-clockwise seen from outside.
 * The solid inside is what has volume, mass and contact, so most functions want the mesh closed and oriented
 * (see `validateMesh`); this type itself promises only that indices are in range and coordinates finite.
 *
 * Elmqvist et al. (2015), §2.1.
 */
import { ModelError } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';

export interface TriangleMesh {
  /** 3 per vertex, m */
  readonly vertices: Float64Array;
  /** 3 per triangle, indices of vertices */
  readonly triangles: Uint32Array;
}

/**
 * Makes a mesh from plain or typed arrays, flat or nested, and checks it.
 *
 * @throws ModelError on a coordinate that is not finite, an index that is out of range, a length not divisible by 3
 * @example triangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
 */
export function triangleMesh(
  vertices: ArrayLike<number> | readonly Vec3[],
  triangles: ArrayLike<number> | readonly (readonly [number, number, number])[],
): TriangleMesh {
  const xyz = flatten(vertices, Float64Array, 'triangleMesh.vertices');
  const indices = flatten(triangles, Float64Array, 'triangleMesh.triangles');
  for (let i = 0; i < xyz.length; i++)
    if (!Number.isFinite(xyz[i]))
      throw new ModelError(
        `triangleMesh.vertices[${Math.floor(i / 3)}].${'xyz'[i % 3]}`,
        `expected a finite coordinate in m, got ${xyz[i]}`,
      );
  const count = xyz.length / 3;
  for (let i = 0; i < indices.length; i++)
    if (!(Number.isInteger(indices[i]) && indices[i] >= 0 && indices[i] < count))
      throw new ModelError(
        `triangleMesh.triangles[${Math.floor(i / 3)}]`,
        `expected vertex indices from 0 to ${count - 1}, got ${indices[i]}`,
      );
  return { vertices: xyz, triangles: Uint32Array.from(indices) };
}

function flatten(
  values: ArrayLike<number> | readonly (readonly number[])[],
  Type: Float64ArrayConstructor,
  path: string,
): Float64Array {
  const nested = values.length > 0 && typeof values[0] === 'object';
  const flat = nested
    ? Type.from((values as readonly (readonly number[])[]).flat())
    : Type.from(values as ArrayLike<number>);
  const expected = nested ? 3 * values.length : flat.length - (flat.length % 3);
  if (flat.length !== expected)
    throw new ModelError(path, `expected 3 numbers each, got ${flat.length} numbers for ${Math.ceil(expected / 3)}`);
  return flat;
}

export const vertexCount = (mesh: TriangleMesh): number => mesh.vertices.length / 3;
export const triangleCount = (mesh: TriangleMesh): number => mesh.triangles.length / 3;
export const vertexAt = (mesh: TriangleMesh, i: number): Vec3 => [
  mesh.vertices[3 * i],
  mesh.vertices[3 * i + 1],
  mesh.vertices[3 * i + 2],
];

export interface Bounds {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Axis-aligned box around all vertices; min > max (infinite) for an empty mesh. */
export function meshBounds(mesh: TriangleMesh): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < mesh.vertices.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const x = mesh.vertices[i + k];
      if (x < min[k]) min[k] = x;
      if (x > max[k]) max[k] = x;
    }
  return { min, max };
}

/** Several meshes as one, vertices and triangles in the order given; nothing is welded. */
export function joinMeshes(meshes: readonly TriangleMesh[]): TriangleMesh {
  const vertices = new Float64Array(meshes.reduce((n, mesh) => n + mesh.vertices.length, 0));
  const triangles = new Uint32Array(meshes.reduce((n, mesh) => n + mesh.triangles.length, 0));
  let v = 0;
  let t = 0;
  for (const mesh of meshes) {
    vertices.set(mesh.vertices, v);
    const first = v / 3;
    for (let i = 0; i < mesh.triangles.length; i++) triangles[t + i] = mesh.triangles[i] + first;
    v += mesh.vertices.length;
    t += mesh.triangles.length;
  }
  return { vertices, triangles };
}
