/**
 * A sphere and a box: the nearest point of the box to the centre lies on a face, an edge or a corner; if the centre is inside, on the
 * nearest face. Volume and areas are those of the cap that the tangent plane there cuts off the ball: exact on a face that holds the
 * whole cap, too much near edges and corners, but a function of the depth alone, so the force is the same wherever on the box the
 * ball is equally deep, and nothing jumps when it rolls over an edge. Hertz with 1/r.
 */
import type { Vec3 } from '../../math/vec3.js';
import type { ShapePoses } from '../route.js';
import { BallRoute, intoFrame, outOfFrame } from './ball-contact.js';

export class SphereBox extends BallRoute {
  readonly name = 'sphere–box';
  private readonly half: Float64Array;
  private readonly local = new Float64Array(3);

  /** @param size edges of the box, m */
  constructor(a: number, b: number, radius: number, size: Vec3) {
    super(a, b, radius, 1 / radius);
    this.half = Float64Array.of(size[0] / 2, size[1] / 2, size[2] / 2);
  }

  protected locate(poses: ShapePoses): void {
    const { b, contact, radius, half, local } = this;
    intoFrame(poses, b, contact.centre, local);
    let beyond = 0; // axes along which the centre is beyond the box
    let within = 0; // one of the others
    let square = 0;
    let feature = 0;
    for (let k = 2; k >= 0; k--) {
      const over = Math.abs(local[k]) - half[k];
      feature = 3 * feature + 1;
      if (over > 0) {
        beyond++;
        feature += local[k] > 0 ? 1 : -1;
        square += over * over;
      } else within = k;
    }
    const distance = Math.sqrt(square);
    if (beyond === 0 || !(distance > 0)) this.locateInside(poses);
    else {
      // outward normal (p − nearest point)/distance; n is its negative
      const inverse = 1 / distance;
      for (let k = 0; k < 3; k++) {
        const over = Math.abs(local[k]) - half[k];
        local[k] = over > 0 ? (local[k] > 0 ? -over : over) * inverse : 0;
      }
      contact.set(radius - distance, 0, beyond === 1 ? 0 : inverse);
      outOfFrame(poses, b, local[0], local[1], local[2], contact.normal);
      if (beyond === 2) {
        // along the edge nothing is bent
        contact.bendAlong = -inverse;
        for (let k = 0; k < 3; k++) contact.tangent[k] = poses.rotation[9 * b + 3 * k + within];
      }
      contact.featureB = feature;
    }
  }

  /** Where the centre is in the box or on its surface. */
  private locateInside(poses: ShapePoses): void {
    const { b, contact, radius, half, local } = this;
    let nearest = 0;
    for (let k = 1; k < 3; k++)
      if (half[k] - Math.abs(local[k]) < half[nearest] - Math.abs(local[nearest])) nearest = k;
    const side = local[nearest] < 0 ? -1 : 1;
    contact.set(radius + (half[nearest] - Math.abs(local[nearest])), 0, 0);
    for (let k = 0; k < 3; k++) contact.normal[k] = 0 - side * poses.rotation[9 * b + 3 * k + nearest];
    contact.featureB = 13 + side * (nearest === 0 ? 1 : nearest === 1 ? 3 : 9);
  }
}
