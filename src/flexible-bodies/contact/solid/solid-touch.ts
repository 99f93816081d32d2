/** A place where a flexible solid touches: on which shapes of both bodies, how deep, and what a change of the inputs does to it. */
import { TriangleFoot } from './triangle-foot.js';

export class SolidTouch {
  /** Point of A's surface; −1 − k: point k of B, on a triangle of A */
  index = 0;
  /** Number among all places where they may touch */
  place = 0;
  /** Of A where a point of B touches it, else of B; −1: B is a wall */
  triangle = -1;
  /** Around the point of B within which it is solid, m */
  radius = 0;
  readonly foot = new TriangleFoot();
  /** Corners of the triangle, A's axes */
  readonly corners = new Float64Array(9);
  depth = 0;
  force = 0;
  /** δ', m/s */
  closing = 0;
  /** 1/(κ a), m/N; of a ball its compliance beyond Hertz's */
  give = 0;
  /** Pushes A; place; velocity of A's point seen from B's; direction of friction against spin, times its lever over the mean one */
  readonly n = new Float64Array(3);
  readonly x = new Float64Array(3);
  readonly w = new Float64Array(3);
  readonly e = new Float64Array(3);
  /** Of a wall: dn by a shift of the point, 9 numbers, A's axes */
  readonly bend = new Float64Array(9);
  /** 3 per coordinate, A's axes: displacement of the place, and its change as it slides on a triangle */
  readonly phiA: Float64Array;
  readonly phiB: Float64Array;
  readonly dPhiA: Float64Array;
  readonly dPhiB: Float64Array;
  // of `move`
  dDepth = 0;
  dForce = 0;
  slides = false;
  readonly dn = new Float64Array(3);
  readonly dx = new Float64Array(3);
  readonly dw = new Float64Array(3);
  readonly de = new Float64Array(3);

  constructor(nA: number, nB: number) {
    this.phiA = new Float64Array(3 * nA);
    this.dPhiA = new Float64Array(3 * nA);
    this.phiB = new Float64Array(3 * nB);
    this.dPhiB = new Float64Array(3 * nB);
  }
}

export const dot = (a: Float64Array, b: Float64Array): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
