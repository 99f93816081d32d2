/** Ground without end: everything on one side of a plane. */
import { box } from './primitives.js';
import { madeBy } from './recipe.js';
import { requireLength } from './require.js';
import { ORIGIN, type Solid } from './solid.js';

/**
 * Everything with z ≤ 0. It has no mass: it belongs on a fixed body, or on one whose mass and inertia are given, as the face of a plate that
 * is large against what touches it. The mesh is a slab under the plane, to be drawn only.
 *
 * @param extent edge of the slab that is drawn, m
 * @example body({ shape: halfSpace(), material: concrete, fixed: true })
 */
export function halfSpace({ extent = 10 }: { readonly extent?: number } = {}): Solid {
  requireLength('halfSpace.extent', extent);
  const thickness = extent / 50;
  const { mesh } = box([extent, extent, thickness]);
  const vertices = mesh.vertices.map((x, i) => (i % 3 < 2 ? x : x < 0 ? -thickness : 0));
  const slab = { vertices, triangles: mesh.triangles };
  return madeBy('halfSpace', { extent }, { mesh: slab, form: { kind: 'halfSpace' }, pose: ORIGIN });
}
