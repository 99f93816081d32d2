/** A place where a flexible solid touches: of its shapes, how deep, and what a change of the inputs does to it. */
import { TriangleFoot } from './triangle-foot.js';

export class SolidTouch {
  /** Of a point of the surface; −1: a foot on `triangle` */
  index = -1;
  triangle = 0;
  readonly foot = new TriangleFoot();
  depth = 0;
  force = 0;
  /** δ', m/s */
  closing = 0;
  /** Of a point 1/(κ a), m/N; of a foot its compliance beyond Hertz's */
  give = 0;
  /** Pushes the solid; place; velocity of the solid's point seen from the other body's; share of friction */
  readonly n = new Float64Array(3);
  readonly x = new Float64Array(3);
  readonly w = new Float64Array(3);
  /** 3 per coordinate: displacement of the place, and its change as the foot slides */
  readonly phi: Float64Array;
  readonly dPhi: Float64Array;
  // of `move`
  dDepth = 0;
  dForce = 0;
  dGive = 0;
  readonly dn = new Float64Array(3);
  readonly dx = new Float64Array(3);
  readonly dw = new Float64Array(3);

  constructor(coordinates: number) {
    this.phi = new Float64Array(3 * coordinates);
    this.dPhi = new Float64Array(3 * coordinates);
  }
}
