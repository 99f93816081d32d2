/** A place where a flexible solid touches: on which shapes of both bodies, how deep, and what a change of the inputs does to it. */
import type { Share } from './rim-of-faces.js';
import { SpreadPlace } from './surface-spread.js';
import { FootPull, TriangleFoot } from './triangle-foot.js';

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
  /** 1/(κ a s), s its share, m/N; of a ball its compliance beyond Hertz's */
  give = 0;
  /** 1/(κ a) of a whole share, and its slope where it is that of the faces around */
  whole = 0;
  readonly wholeSlope = new Float64Array(3);
  /** Place on the undeformed triangle, and the triangle's corners there; of a wall as B sees it, m */
  readonly bare = new Float64Array(3);
  readonly bareCorners = new Float64Array(9);
  /** Around `bare`, of a flexible body; what is left of the place beside an edge */
  readonly spread = new SpreadPlace();
  readonly share: Share = { share: 1, slope: new Float64Array(3), dShare: 0, dSlope: new Float64Array(3) };
  /** From the foot to the point that carries it along, m; with the pull on it per newton of its own force by `bare`, and its forces */
  readonly arm = new Float64Array(3);
  readonly pull = new Float64Array(3);
  readonly pulled = new FootPull();
  pulls = false;
  /** Pushes A; place; velocity of A's point seen from B's; direction of friction against spin, times its lever over the mean one */
  readonly n = new Float64Array(3);
  readonly x = new Float64Array(3);
  readonly w = new Float64Array(3);
  readonly e = new Float64Array(3);
  /** Of a wall: dn by a shift of the point, 9 numbers, A's axes */
  readonly bend = new Float64Array(9);
  /** Of a wall beside its rim, as WallFoot has them, B's axes */
  inset = 0;
  readonly inward = new Float64Array(3);
  inwardBend = 0;
  /** 3 per coordinate, A's axes: displacement of the place, and its change as it slides on a triangle */
  readonly phiA: Float64Array;
  readonly phiB: Float64Array;
  readonly dPhiA: Float64Array;
  readonly dPhiB: Float64Array;
  // of `move`
  dDepth = 0;
  dForce = 0;
  slides = false;
  dWhole = 0;
  dGive = 0;
  readonly dBare = new Float64Array(3);
  readonly dArm = new Float64Array(3);
  readonly dPull = new Float64Array(3);
  readonly dWholeSlope = new Float64Array(3);
  /** How the triangle's corners move */
  readonly dCorners = new Float64Array(9);
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
