/** How far a shape reaches: its middle, a sphere around it, and its outermost vertices, from which a view is fitted. */
import type { SceneShape } from '../../results/scene.js';

export interface ShapeExtent {
  /** Middle of the box around it, in the body's frame, m */
  readonly centre: readonly [number, number, number];
  /** Of a sphere around `centre`, m */
  readonly radius: number;
  /** About half its width, m: the radius of the rod that has its surface and length, A = 2π r · 2 `radius` */
  readonly girth: number;
  /** 3 each, in the body's frame, m: all vertices of a small shape, of a large one those outermost in 26 directions */
  readonly outermost: Float64Array;
}

const FEW = 64;
const DIRECTIONS: readonly (readonly [number, number, number])[] = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as const)))
  .filter(([x, y, z]) => x !== 0 || y !== 0 || z !== 0);

export function shapeExtent({ vertices, triangles, form, radius }: SceneShape): ShapeExtent {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    const k = i % 3;
    if (vertices[i] < min[k]) min[k] = vertices[i];
    if (vertices[i] > max[k]) max[k] = vertices[i];
  }
  if (!(min[0] <= max[0])) return { centre: [0, 0, 0], radius: 0, girth: 0, outermost: new Float64Array(0) };
  const centre = [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])] as const;
  let square = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    const x = vertices[i] - centre[0];
    const y = vertices[i + 1] - centre[1];
    const z = vertices[i + 2] - centre[2];
    square = Math.max(square, x * x + y * y + z * z);
  }
  if (form === 'sphere' && radius !== undefined) {
    const outermost = new Float64Array(3 * DIRECTIONS.length);
    DIRECTIONS.forEach((d, i) => {
      const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (let k = 0; k < 3; k++) outermost[3 * i + k] = centre[k] + (radius * d[k]) / length;
    });
    return { centre, radius, girth: radius, outermost };
  }
  const reach = Math.sqrt(square);
  const girth = area(vertices, triangles) / (4 * Math.PI * reach || 1);
  if (vertices.length <= 3 * FEW) return { centre, radius: reach, girth, outermost: vertices };
  const outermost = new Float64Array(3 * DIRECTIONS.length);
  DIRECTIONS.forEach((d, i) => {
    let best = 0;
    let reach = -Infinity;
    for (let v = 0; v < vertices.length; v += 3) {
      const along = d[0] * vertices[v] + d[1] * vertices[v + 1] + d[2] * vertices[v + 2];
      if (along > reach) {
        reach = along;
        best = v;
      }
    }
    outermost.set(vertices.subarray(best, best + 3), 3 * i);
  });
  return { centre, radius: reach, girth, outermost };
}

function area(v: Float64Array, triangles: Uint32Array): number {
  let twice = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
    twice += Math.sqrt((uy * wz - uz * wy) ** 2 + (uz * wx - ux * wz) ** 2 + (ux * wy - uy * wx) ** 2);
  }
  return 0.5 * twice;
}
