/** A sphere and a half-space: a spherical cap, V = π d² (r − d/3). Hertz with 1/r. */
import type { ShapePoses } from '../route.js';
import { type BallContact, BallRoute } from './ball-contact.js';

export class SphereHalfSpace extends BallRoute {
  readonly name = 'sphere–half-space';

  constructor(a: number, b: number, radius: number) {
    super(a, b, radius, 1 / radius);
  }

  protected locate(poses: ShapePoses): void {
    locateOnPlane(poses, this.b, this.contact);
  }
}

/** The contact of a ball, its centre and radius known, with half-space `b`. */
export function locateOnPlane({ position, rotation }: ShapePoses, b: number, contact: BallContact): void {
  const { centre, normal, radius } = contact;
  const x = rotation[9 * b + 2];
  const y = rotation[9 * b + 5];
  const z = rotation[9 * b + 8];
  const height =
    x * (centre[0] - position[3 * b]) + y * (centre[1] - position[3 * b + 1]) + z * (centre[2] - position[3 * b + 2]);
  contact.set(radius - height, 0, 0);
  normal[0] = 0 - x;
  normal[1] = 0 - y;
  normal[2] = 0 - z;
}
