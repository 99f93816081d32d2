/**
 * A sphere and a cylinder: the nearest point to the centre lies on an end, on the side or on a rim; if the centre is inside, on the
 * nearest of ends and side. On an end the overlap is a cap, exactly. On the side the contact is an ellipse, and the equivalent sphere of
 * ball-contact.ts gives the volume and Hertz's force to first order in the depth. On a rim the curvature passes over with the normal,
 *
 *   κ = κ_side (1 − ν²),     ν = 0 beside the side, 1 above the end
 *
 * so that the volume and its derivative are continuous all around; the sharpness of the rim itself is not seen.
 */
import type { ShapePoses } from '../route.js';
import { BallRoute, intoFrame, outOfFrame, sideCurvature } from './ball-contact.js';

/** Feature of the cylinder in a contact. */
export const CYLINDER = { side: 0, bottom: 1, top: 2, bottomRim: 3, topRim: 4 } as const;

export class SphereCylinder extends BallRoute {
  readonly name = 'sphere–cylinder';
  private readonly half: number;
  private readonly sideCurvature: number;
  private readonly local = new Float64Array(3);

  constructor(
    a: number,
    b: number,
    radius: number,
    readonly side: number,
    height: number,
  ) {
    super(a, b, radius, 0);
    this.half = height / 2;
    this.sideCurvature = sideCurvature(radius, side);
  }

  protected locate(poses: ShapePoses): void {
    const { b, contact, radius, side, half, local } = this;
    intoFrame(poses, b, contact.centre, local);
    const x = local[0];
    const y = local[1];
    const rho = Math.sqrt(x * x + y * y);
    const up = local[2] < 0 ? -1 : 1;
    const beside = rho - side;
    const above = Math.abs(local[2]) - half;
    // radial direction; on the axis any will do
    const inverse = rho > 0 ? 1 / rho : 0;
    const ex = rho > 0 ? x * inverse : 1;
    const ey = y * inverse;
    const rim = Math.sqrt(beside * beside + above * above);
    if (beside > 0 && above > 0 && rim > 0) {
      const radial = beside / rim;
      const latitude = above / rim;
      contact.set(radius - rim, this.sideCurvature * (1 - latitude * latitude), 1 / rim);
      contact.bendAlong = radial * inverse - 1 / rim;
      contact.curvatureByLatitude = -2 * this.sideCurvature * latitude;
      contact.curvatureByLatitudes = -2 * this.sideCurvature;
      contact.arm = rim;
      outOfFrame(poses, b, -radial * ex, -radial * ey, -latitude * up, contact.normal);
      outOfFrame(poses, b, -ey, ex, 0, contact.tangent);
      outOfFrame(poses, b, 0, 0, up, contact.pole);
      contact.featureB = up < 0 ? CYLINDER.bottomRim : CYLINDER.topRim;
    } else if (above > beside) {
      contact.set(radius - above, 0, 0);
      outOfFrame(poses, b, 0, 0, -up, contact.normal);
      contact.featureB = up < 0 ? CYLINDER.bottom : CYLINDER.top;
    } else {
      contact.set(radius - beside, this.sideCurvature, 0);
      contact.bendAlong = inverse;
      outOfFrame(poses, b, -ex, -ey, 0, contact.normal);
      outOfFrame(poses, b, -ey, ex, 0, contact.tangent);
      contact.featureB = CYLINDER.side;
    }
  }
}
