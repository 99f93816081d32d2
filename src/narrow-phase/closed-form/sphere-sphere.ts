/**
 * Two spheres: a lens. Depth R + r − D with D the distance of the centres; Hertz with 1/R + 1/r.
 * Where one is wholly inside the other the normal stays that between the centres; where the centres coincide it is the world's z.
 */
import type { ShapePoses } from '../route.js';
import { BallRoute } from './ball-contact.js';

export class SphereSphere extends BallRoute {
  readonly name = 'sphere–sphere';

  constructor(
    a: number,
    b: number,
    radius: number,
    readonly otherRadius: number,
  ) {
    super(a, b, radius, 1 / radius + 1 / otherRadius);
  }

  protected locate({ position }: ShapePoses): void {
    const { a, b, contact, radius, otherRadius } = this;
    const x = position[3 * b] - position[3 * a];
    const y = position[3 * b + 1] - position[3 * a + 1];
    const z = position[3 * b + 2] - position[3 * a + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    const inverse = distance > 0 ? 1 / distance : 0;
    contact.set(radius + otherRadius - distance, 1 / otherRadius, inverse);
    contact.normal[0] = x * inverse;
    contact.normal[1] = y * inverse;
    contact.normal[2] = distance > 0 ? z * inverse : 1;
  }
}
