/** The plane of a half-space whose mesh is all that is left of it: a slab, of which one face is the ground and the rest is for show. */
import { halfSpace } from '../../geometry/half-space.js';
import { rotate } from '../../math/quaternion.js';
import { cross, dot, normalize, sub, type Vec3 } from '../../math/vec3.js';
import type { SceneShape } from '../../results/scene.js';

export interface Plane {
  /** Middle of the drawn face, in the body's frame, m */
  readonly point: Vec3;
  /** Out of the ground */
  readonly normal: Vec3;
  /** Along an edge of the drawn face */
  readonly along: Vec3;
  /** Half the edge of the drawn face, m */
  readonly extent: number;
}

/** @param up decides which face is meant if the shape does not say it and the mesh was not made by `halfSpace` */
export function halfSpacePlane({ vertices, triangles, exact }: SceneShape, up: Vec3): Plane | undefined {
  const corner = (t: number, k: number): Vec3 => {
    const v = 3 * triangles[3 * t + k];
    return [vertices[v], vertices[v + 1], vertices[v + 2]];
  };
  const areaNormal = (t: number): Vec3 => cross(sub(corner(t, 1), corner(t, 0)), sub(corner(t, 2), corner(t, 0)));
  const made = triangles.length === SLAB.triangles.length && triangles.every((v, i) => v === SLAB.triangles[i]);
  const outward = exact ? rotate(exact.pose.orientation, [0, 0, 1]) : up;
  let top = -1;
  if (made && !exact) top = SLAB_TOP;
  else
    for (let t = 0, best = -Infinity; t < triangles.length / 3; t++) {
      const upward = dot(areaNormal(t), outward);
      if (upward > best) {
        best = upward;
        top = t;
      }
    }
  if (top < 0) return undefined;
  const normal = normalize(areaNormal(top));
  // All corners in the plane span the face
  const [first] = [corner(top, 0)];
  const sides = [0, 1, 2]
    .map((k) => sub(corner(top, (k + 1) % 3), corner(top, k)))
    .sort((a, b) => dot(a, a) - dot(b, b));
  const along = normalize(sides[0]);
  const across = cross(normal, along);
  const thin = 1e-6 * Math.sqrt(dot(sides[2], sides[2]));
  const range = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i += 3) {
    const offset = sub([vertices[i], vertices[i + 1], vertices[i + 2]], first);
    if (Math.abs(dot(offset, normal)) > thin) continue;
    const [x, y] = [dot(offset, along), dot(offset, across)];
    range[0] = Math.min(range[0], x);
    range[1] = Math.max(range[1], x);
    range[2] = Math.min(range[2], y);
    range[3] = Math.max(range[3], y);
  }
  const [x, y] = [0.5 * (range[0] + range[1]), 0.5 * (range[2] + range[3])];
  return {
    point: [0, 1, 2].map((k) => first[k] + x * along[k] + y * across[k]) as unknown as Vec3,
    normal,
    along,
    extent: 0.5 * Math.max(range[1] - range[0], range[3] - range[2]),
  };
}

/** Which triangle of the slab lies in the plane z = 0: the order of triangles survives turning and moving. */
const SLAB = halfSpace().mesh;
const SLAB_TOP = (() => {
  const { vertices, triangles } = SLAB;
  for (let t = 0; t < triangles.length; t += 3)
    if ([0, 1, 2].every((k) => vertices[3 * triangles[t + k] + 2] === 0)) return t / 3;
  return -1;
})();
