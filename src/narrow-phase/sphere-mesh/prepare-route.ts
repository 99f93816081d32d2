/** The route of a sphere and any other solid, taken as its mesh. */
import type { Solid } from '../../geometry/solid.js';
import { formMesh } from '../mesh-overlap/form-mesh.js';
import { prepareMesh } from '../mesh-overlap/mesh-topology.js';
import { BallInMesh } from './ball-in-mesh.js';
import { SphereMeshRoute } from './sphere-mesh-route.js';

/** Meshes prepared already: a thousand marbles on one track share it. */
const prepared = new WeakMap<Solid, BallInMesh>();

/**
 * The route in either order; undefined if neither solid is a sphere, or the other has no closed mesh (a half-space).
 *
 * @param ia, ib the shapes' places in the poses
 */
export function sphereMeshRoute(first: Solid, second: Solid, ia: number, ib: number): SphereMeshRoute | undefined {
  if (first.form.kind === 'sphere') return route(first.form.radius, second, ia, ib);
  return second.form.kind === 'sphere' ? route(second.form.radius, first, ib, ia) : undefined;
}

function route(radius: number, other: Solid, a: number, b: number): SphereMeshRoute | undefined {
  if (other.form.kind === 'halfSpace') return undefined;
  let ball = prepared.get(other);
  if (!ball) {
    ball = new BallInMesh(prepareMesh(formMesh(other)));
    prepared.set(other, ball);
  }
  return new SphereMeshRoute(radius, ball, a, b);
}
