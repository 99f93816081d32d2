/** Which closed form finds the contact of two solids, if there is one. */
import type { Solid } from '../../geometry/solid.js';
import type { Route } from '../route.js';
import { CapsuleCapsule } from './capsule-capsule.js';
import { CapsuleHalfSpace } from './capsule-half-space.js';
import { CylinderHalfSpace } from './cylinder-half-space.js';
import { EllipsoidHalfSpace } from './ellipsoid-half-space.js';
import { SphereBox } from './sphere-box.js';
import { SphereCapsule } from './sphere-capsule.js';
import { SphereCylinder } from './sphere-cylinder.js';
import { SphereHalfSpace } from './sphere-half-space.js';
import { SphereSphere } from './sphere-sphere.js';

export interface RoutedShape {
  readonly solid: Solid;
}

/**
 * The route of a pair in either order, undefined if there is no closed form for it.
 *
 * @param ia, ib the shapes' places in the poses
 */
export function closedFormRoute(a: RoutedShape, b: RoutedShape, ia: number, ib: number): Route | undefined {
  return inOrder(a.solid, b.solid, ia, ib) ?? inOrder(b.solid, a.solid, ib, ia);
}

function inOrder({ form: a }: Solid, { form: b }: Solid, ia: number, ib: number): Route | undefined {
  if (a.kind === 'sphere')
    switch (b.kind) {
      case 'sphere':
        return new SphereSphere(ia, ib, a.radius, b.radius);
      case 'halfSpace':
        return new SphereHalfSpace(ia, ib, a.radius);
      case 'box':
        return new SphereBox(ia, ib, a.radius, b.size);
      case 'cylinder':
        return new SphereCylinder(ia, ib, a.radius, b.radius, b.height);
      case 'capsule':
        return new SphereCapsule(ia, ib, a.radius, b.radius, b.height);
      default:
        return undefined;
    }
  if (a.kind === 'halfSpace')
    switch (b.kind) {
      case 'cylinder':
        return new CylinderHalfSpace(ia, ib, b.radius, b.height);
      case 'ellipsoid':
        return new EllipsoidHalfSpace(ia, ib, b.radii);
      default:
        return undefined;
    }
  if (a.kind !== 'capsule') return undefined;
  if (b.kind === 'halfSpace') return new CapsuleHalfSpace(ia, ib, a.radius, a.height);
  if (b.kind === 'capsule') return new CapsuleCapsule(ia, ib, a.radius, a.height, b.radius, b.height);
  return undefined;
}
