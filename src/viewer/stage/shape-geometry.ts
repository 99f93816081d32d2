/** Geometry on the card for shapes of the scene: about the shape's centre, so that single precision is enough wherever it stands. */
import { BufferAttribute, BufferGeometry, SphereGeometry } from 'three';
import { toLinear } from '../../results/scene/colour-scale.js';
import type { SceneShape } from '../../results/scene.js';
import { creasedMesh } from './creases.js';
import type { Level } from './part-group.js';

export interface ShapeGeometry {
  readonly geometry: BufferGeometry;
  /** Lines on creases, 2 points each */
  readonly lines: BufferAttribute | undefined;
}

/** @param centre what becomes the geometry's origin, in the body's frame, m */
export function shapeGeometry(
  shape: SceneShape,
  centre: readonly number[],
  colours: 'none' | 'triangle' | 'vertex',
): ShapeGeometry {
  const { source, normals, triangles, lines } = creasedMesh(shape);
  const place = (v: number, k: number): number => shape.vertices[3 * v + k] - centre[k];
  const geometry = new BufferGeometry();
  // One drawn vertex for each corner where every triangle has its own colour
  const corners = colours === 'triangle' ? triangles : undefined;
  const count = corners ? corners.length : source.length;
  const position = new Float32Array(3 * count);
  const normal = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const drawn = corners ? corners[i] : i;
    for (let k = 0; k < 3; k++) {
      position[3 * i + k] = place(source[drawn], k);
      normal[3 * i + k] = normals[3 * drawn + k];
    }
  }
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  if (!corners) geometry.setIndex(new BufferAttribute(triangles, 1));

  if (colours !== 'none') {
    const { vertexColours, triangleColours } = shape;
    const colour = new Float32Array(3 * count);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) {
        const triangle = Math.floor(i / 3);
        if (corners)
          colour[3 * i + k] = triangleColours ? LIGHT_OF[triangleColours[3 * triangle + k]] : facet(triangle);
        else if (vertexColours) colour[3 * i + k] = LIGHT_OF[vertexColours[3 * source[i] + k]];
      }
    geometry.setAttribute('color', new BufferAttribute(colour, 3));
  }
  if (lines.length === 0) return { geometry, lines: undefined };
  const ends = new Float32Array(3 * lines.length);
  for (let i = 0; i < lines.length; i++) for (let k = 0; k < 3; k++) ends[3 * i + k] = place(lines[i], k);
  return { geometry, lines: new BufferAttribute(ends, 3) };
}

const LIGHT_OF = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255));

/** A shade for each triangle of a shape without colours for them, so that they are told apart: multiples of the golden ratio. */
const facet = (triangle: number): number => 0.62 + 0.38 * ((triangle * 0.6180339887498949) % 1);

/** Spheres of radius 1: finer the more pixels their radius takes. Shared by spheres of all sizes. */
export const sphereLevels = (): readonly Level[] => [
  { geometry: new SphereGeometry(1, 96, 64), beyond: 90 },
  { geometry: new SphereGeometry(1, 40, 26), beyond: 22 },
  { geometry: new SphereGeometry(1, 18, 12), beyond: 7 },
  { geometry: new SphereGeometry(1.03, 10, 7), beyond: 3 },
  // coarse ones a little larger, so that they cover as many pixels as the sphere would
  { geometry: new SphereGeometry(1.1, 6, 4), beyond: 0 },
];
