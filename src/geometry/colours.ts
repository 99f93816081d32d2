/**
 * Colours on the surface of a solid: one for each triangle, or one for each vertex with interpolation over triangles. They are only drawn.
 *
 * Elmqvist et al. (2015), §7.2.
 */
import { ModelError } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import type { Solid } from './solid.js';
import { triangleCount, vertexAt, vertexCount } from './triangle-mesh.js';

/** Red, green, blue, each from 0 to 1, sRGB. */
export type Tint = readonly [number, number, number];

/**
 * Gives each triangle a colour.
 *
 * @param colour of triangle i with the given centre in m
 * @example colourTriangles(wheel, (i) => (i % 2 === 0 ? [1, 1, 1] : [0.8, 0, 0]))
 */
export function colourTriangles(solid: Solid, colour: (triangle: number, centre: Vec3) => Tint): Solid {
  const { mesh } = solid;
  const triangleColours = new Uint8Array(mesh.triangles.length);
  for (let i = 0; i < triangleCount(mesh); i++) {
    const [a, b, c] = [0, 1, 2].map((k) => vertexAt(mesh, mesh.triangles[3 * i + k]));
    const centre: Vec3 = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
    write(colour(i, centre), triangleColours, i, `colourTriangles.colour(${i})`);
  }
  const { vertexColours: _, ...rest } = solid;
  return { ...rest, triangleColours };
}

/**
 * Gives each vertex a colour.
 *
 * @param colour at a point of the surface, m, vertex i of the mesh
 * @example colourVertices(ball, ([, , z]) => [0.5 + z / radius / 2, 0, 0.5 - z / radius / 2])
 */
export function colourVertices(solid: Solid, colour: (point: Vec3, vertex: number) => Tint): Solid {
  const { mesh } = solid;
  const vertexColours = new Uint8Array(mesh.vertices.length);
  for (let i = 0; i < vertexCount(mesh); i++)
    write(colour(vertexAt(mesh, i), i), vertexColours, i, `colourVertices.colour(${i})`);
  const { triangleColours: _, ...rest } = solid;
  return { ...rest, vertexColours };
}

function write(tint: Tint, into: Uint8Array, i: number, path: string): void {
  for (let k = 0; k < 3; k++) {
    const part = tint?.[k];
    if (!(part >= 0 && part <= 1))
      throw new ModelError(path, `expected red, green and blue from 0 to 1, got ${JSON.stringify(tint)}`);
    into[3 * i + k] = Math.round(255 * part);
  }
}
