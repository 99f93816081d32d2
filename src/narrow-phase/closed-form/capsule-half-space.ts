/**
 * A capsule and a half-space: its two end balls, each a region of its own with the cap it dips in (features 0 and 1 of the capsule, at
 * −z and +z of its axis). A capsule that lies flat stands on both; when it tips, one depth grows as the other shrinks, smoothly. The
 * line between them adds nothing, so a long capsule that lies flat is softer than a line contact would be. Hertz with 1/r on each end.
 */
import type { ContactPatches } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { BallContact } from './ball-contact.js';
import { locateOnPlane } from './sphere-half-space.js';

export class CapsuleHalfSpace implements Route {
  readonly name = 'capsule–half-space';
  readonly mostRegions = 2;
  readonly patches = true;
  readonly curvature: number;
  private readonly half: number;
  private readonly contact = new BallContact();

  constructor(
    readonly a: number,
    readonly b: number,
    radius: number,
    height: number,
  ) {
    this.curvature = 1 / radius;
    this.half = height / 2;
    this.contact.radius = radius;
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { contact } = this;
    let region = 0;
    for (let end = 0; end < 2; end++) {
      this.locate(poses, end);
      if (!(contact.depth > 0)) continue;
      contact.featureA = end;
      contact.append(patches, pair, region++, gradients);
    }
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.locate(poses, 0);
    const first = this.contact.depth;
    this.locate(poses, 1);
    if (first > this.contact.depth) this.locate(poses, 0);
    this.contact.separate(out);
  }

  private locate(poses: ShapePoses, end: number): void {
    const { a, contact } = this;
    const along = end === 0 ? -this.half : this.half;
    for (let k = 0; k < 3; k++)
      contact.centre[k] = poses.position[3 * a + k] + along * poses.rotation[9 * a + 3 * k + 2];
    locateOnPlane(poses, this.b, contact);
  }
}
