/**
 * A sphere and a capsule: the nearest point of the capsule's axis to the centre lies between its ends or is one of them. An end is a
 * sphere, exactly (sphere-sphere.ts). Beside the axis the contact is an ellipse, and the equivalent sphere of ball-contact.ts gives the
 * volume and Hertz's force to first order in the depth. Where the side passes into the end the curvature along the axis jumps; the
 * overlap has a width and sees both, so κ passes over smoothly in a belt of the end next to the side,
 *
 *   κ = κ_side + (1/R − κ_side) x³ (10 − 15 x + 6 x²),     x = min(1, ν/BELT),     ν = sine of the latitude on the end
 */
import type { ShapePoses } from '../route.js';
import { BallRoute, intoFrame, outOfFrame, sideCurvature } from './ball-contact.js';

/** Sine of the latitude up to which the end's curvature is not yet that of a sphere: 14.5° */
const BELT = 0.25;

/** Feature of the capsule in a contact. */
export const CAPSULE = { bottom: 0, top: 1, side: 2 } as const;

export class SphereCapsule extends BallRoute {
  readonly name = 'sphere–capsule';
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
    const up = local[2] < 0 ? -1 : 1;
    const above = Math.abs(local[2]) - half;
    if (above > 0) {
      const distance = Math.sqrt(x * x + y * y + above * above);
      const inverse = 1 / distance;
      const latitude = above * inverse;
      const difference = 1 / side - this.sideCurvature;
      const part = Math.min(1, latitude / BELT);
      const passed = part * part * part * (10 + part * (6 * part - 15));
      contact.set(radius + side - distance, this.sideCurvature + difference * passed, inverse);
      if (part < 1) {
        contact.curvatureByLatitude = (difference * 30 * part * part * (1 - part) * (1 - part)) / BELT;
        contact.curvatureByLatitudes = (difference * 60 * part * (1 - part) * (1 - 2 * part)) / (BELT * BELT);
        contact.arm = distance;
        outOfFrame(poses, b, 0, 0, up, contact.pole);
      }
      outOfFrame(poses, b, -x * inverse, -y * inverse, -up * latitude, contact.normal);
      contact.featureB = up < 0 ? CAPSULE.bottom : CAPSULE.top;
    } else {
      const rho = Math.sqrt(x * x + y * y);
      // on the axis any radial direction will do
      const inverse = rho > 0 ? 1 / rho : 0;
      const ex = rho > 0 ? x * inverse : 1;
      const ey = y * inverse;
      contact.set(radius + side - rho, this.sideCurvature, 0);
      contact.bendAlong = inverse;
      outOfFrame(poses, b, -ex, -ey, 0, contact.normal);
      outOfFrame(poses, b, -ey, ex, 0, contact.tangent);
      contact.featureB = CAPSULE.side;
    }
  }
}
