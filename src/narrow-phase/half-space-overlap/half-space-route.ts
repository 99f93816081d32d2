/** The route of a half-space and any other solid. */
import type { Solid } from '../../geometry/solid.js';
import type { DepthMeasure } from '../contact-patches.js';
import { prepareConvex } from '../convex-overlap/index.js';
import { formMesh, prepareMesh } from '../mesh-overlap/index.js';
import type { Route } from '../route.js';
import { ConvexHalfSpace } from './convex-half-space.js';
import { MeshHalfSpace } from './mesh-half-space.js';

/**
 * The route of a pair in either order; A is the half-space. Undefined unless exactly one of the two is a half-space.
 * Curved forms are met as the facets of their mesh.
 *
 * @param ia, ib the shapes' places in the poses
 * @throws ModelError if the other solid's mesh is open or encloses nothing
 * @example const route = halfSpaceRoute(halfSpace(), box(0.1), 0, 1);
 */
export function halfSpaceRoute(
  a: Solid,
  b: Solid,
  ia: number,
  ib: number,
  options: { readonly depth?: DepthMeasure } = {},
): Route | undefined {
  const isFirst = a.form.kind === 'halfSpace';
  if (isFirst === (b.form.kind === 'halfSpace')) return undefined;
  const solid = isFirst ? b : a;
  const ground = isFirst ? ia : ib;
  const other = isFirst ? ib : ia;
  const convex = prepareConvex(solid);
  if (convex) return new ConvexHalfSpace(convex, ground, other, options.depth);
  return new MeshHalfSpace(prepareMesh(formMesh(solid)), ground, other, options.depth);
}
