/**
 * Where a flexible solid A touches another body B. All in A's axes; B's own are at `place`, turned by `turn`.
 *
 *   points of A's surface against B     a wall with a formula, or triangles (of a rigid mesh, of a flexible solid)     n outward from B
 *   points of B against A's triangles   edges and vertices of a mesh, circles and balls along axes, sharp edges of a flexible solid     n into A
 *
 * The depth of a point under a triangle is that under its plane; of a ball its radius less the distance to the nearest triangle.
 */
import type { RigidForm, WallFoot } from './rigid-solid.js';
import { type RigidSolid, ROUND_CORNER, rigidSolid } from './rigid-solid.js';
import { RimOfFaces, shareOf } from './rim-of-faces.js';
import type { SolidSide } from './solid-side.js';
import { RIM } from './solid-surface.js';
import { dot, SolidTouch } from './solid-touch.js';
import { FACING, normalOf, type TriangleSurface } from './triangle-surface.js';

/** κ h/E, as in the plane */
export const HARDNESS = 20;
/**
 * A line of half-width a indents a flat by (2 p/(π E*)) (ln(2 b/a) − ½) more than even pressure of half-width b does, p per length (Johnson, Contact
 * Mechanics, § 2.5 and 4.2): as at a = b/4, for wider ones are carried by the points of the surface
 */
const LINE = (2 / Math.PI) * 1.5794415416798357;
/** A circle that lies flatter on a face (sine of the angle) touches by its fixed points */
const FLAT_CIRCLE = 0.05;
/** What counts less beside an edge does not count */
const LEAST_SHARE = 1e-6;

const isForm = (b: SolidSide | RigidForm): b is RigidForm => 'kind' in b;

export class SolidSearch {
  readonly nA: number;
  readonly nB: number;
  // inputs
  readonly place = new Float64Array(3);
  /** Row by row: B's axes into A's */
  readonly turn = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  readonly qA: Float64Array;
  readonly etaA: Float64Array;
  readonly qB: Float64Array;
  readonly etaB: Float64Array;
  /** v_A, ω_A, v_B, ω_B of the origins */
  readonly velocity = new Float64Array(12);
  readonly touches: SolidTouch[] = [];
  count = 0;
  readonly longestSide: number;
  protected readonly soft: SolidSide | undefined;
  protected readonly rigid: RigidSolid | undefined;
  protected readonly surfaceB: TriangleSurface | undefined;
  /** Points of B and their mean normals, 3 each; of a flexible one their nodes */
  protected readonly pointsB: Float64Array;
  private readonly normalsB: Float64Array;
  protected readonly nodesB: Int32Array;
  /** 3 per point and coordinate */
  protected readonly shapesA: Float64Array;
  protected readonly wallFoot: WallFoot = {
    gap: 0,
    n: new Float64Array(3),
    bend: 0,
    bendAlong: 0,
    inset: 0,
    inward: new Float64Array(3),
    inwardBend: 0,
  };
  /** Of B's triangles */
  protected readonly rimB: RimOfFaces | undefined;
  /** Beside a rim a point of A's counts less within so much, m */
  protected readonly rimLength: number;
  // of one point
  protected readonly at = new Float64Array(3);
  protected readonly own = new Float64Array(3);
  protected readonly normal = new Float64Array(3);
  protected readonly rim = new Float64Array(3);

  constructor(
    readonly a: SolidSide,
    readonly b: SolidSide | RigidForm,
  ) {
    const { surface, shapes } = a;
    this.nA = shapes.length;
    this.qA = new Float64Array(this.nA);
    this.etaA = new Float64Array(this.nA);
    this.longestSide = surface.longestSide;
    this.rimLength = RIM * surface.meanLength;
    if (isForm(b)) {
      this.rigid = rigidSolid(b, surface.meanLength);
      this.surfaceB = this.rigid.surface;
      this.pointsB = this.rigid.points;
      this.normalsB = this.rigid.normals;
      this.nodesB = new Int32Array(0);
      this.nB = 0;
      if (this.surfaceB) this.rimB = new RimOfFaces(this.surfaceB.points, this.surfaceB.triangles, this.rimLength);
    } else {
      this.soft = b;
      this.rimB = b.surface.rim;
      this.surfaceB = b.surface.triangles;
      this.pointsB = b.surface.places.slice(3 * b.surface.firstCorner);
      this.normalsB = b.surface.normals.slice(3 * b.surface.firstCorner);
      this.nodesB = Int32Array.from(
        { length: this.pointsB.length / 3 },
        (_, k) => b.surface.nodes[6 * (b.surface.firstCorner + k)],
      );
      this.nB = b.shapes.length;
    }
    this.qB = new Float64Array(this.nB);
    this.etaB = new Float64Array(this.nB);
    const { pointCount, nodes, weights } = surface;
    this.shapesA = new Float64Array(3 * this.nA * pointCount);
    for (let i = 0; i < pointCount; i++)
      for (let j = 0; j < 6; j++)
        for (let k = 0; k < this.nA; k++)
          for (let d = 0; d < 3; d++)
            this.shapesA[3 * (this.nA * i + k) + d] += weights[6 * i + j] * shapes[k][3 * nodes[6 * i + j] + d];
  }

  /** How many places there are where they may touch */
  get placeCount(): number {
    return this.a.surface.pointCount + this.pointsB.length / 3;
  }

  // ---- where they touch -----------------------------------------------------------------------------------------------------------

  private next(): SolidTouch {
    if (this.count === this.touches.length) this.touches.push(new SolidTouch(this.nA, this.nB));
    return this.touches[this.count++];
  }

  /** Surfaces where the coordinates have put them */
  protected placeSurfaces(): void {
    this.a.surface.triangles.place(this.qA);
    this.surfaceB?.place(this.qB);
  }

  /** Places nearer than `near` m at the inputs: depth (negative where they do not touch), normal, shapes. Not yet forces. */
  find(near: number): void {
    this.count = 0;
    this.placeSurfaces();
    if (this.rigid?.wall || this.surfaceB) this.findPoints(near);
    for (let k = 0; k < this.pointsB.length / 3; k++) this.findFoot(k, near);
  }

  /** Into B's axes */
  private inward(x: Float64Array, out: Float64Array): void {
    const { turn: t, place: p } = this;
    const [dx, dy, dz] = [x[0] - p[0], x[1] - p[1], x[2] - p[2]];
    for (let d = 0; d < 3; d++) out[d] = t[d] * dx + t[3 + d] * dy + t[6 + d] * dz;
  }

  /** A direction of B's */
  protected outward(v: Float64Array, out: Float64Array, at = 0): void {
    const { turn: t } = this;
    const [x, y, z] = [v[at], v[at + 1], v[at + 2]];
    for (let d = 0; d < 3; d++) out[at + d] = t[3 * d] * x + t[3 * d + 1] * y + t[3 * d + 2] * z;
  }

  /** Point i of A as it has moved, into `at`; false if it is more than `near` away from B's box even so */
  protected pointAt(i: number, near: number): boolean {
    const { at, own, nA: n, qA, shapesA, a, surfaceB } = this;
    const { places, triangles } = a.surface;
    for (let d = 0; d < 3; d++) at[d] = places[3 * i + d];
    if (surfaceB) {
      this.inward(at, own);
      if (surfaceB.outside(own[0], own[1], own[2]) > triangles.reach + near) return false;
    }
    const from = 3 * n * i;
    for (let k = 0; k < n; k++) for (let d = 0; d < 3; d++) at[d] += qA[k] * shapesA[from + 3 * k + d];
    this.inward(at, own);
    return true;
  }

  private findPoints(near: number): void {
    const { a, at, own, nA: n, shapesA, surfaceB, rigid, wallFoot } = this;
    const { areas, lengths, normals, pointCount } = a.surface;
    for (let i = 0; i < pointCount; i++) {
      if (!this.pointAt(i, near)) continue;
      let triangle = -1;
      if (rigid?.wall) {
        for (let d = 0; d < 3; d++) this.normal[d] = normals[3 * i + d];
        this.turnIn(this.normal);
        rigid.wall(own[0], own[1], own[2], wallFoot, this.normal);
        if (!(wallFoot.gap < near) || !(dot(wallFoot.n, this.normal) < FACING)) continue;
      } else {
        const surface = surfaceB!;
        if (surface.outside(own[0], own[1], own[2]) > near) continue;
        for (let d = 0; d < 3; d++) this.normal[d] = normals[3 * i + d];
        this.turnIn(this.normal);
        triangle = surface.pressed(own[0], own[1], own[2], this.normal, ROUND_CORNER * lengths[i], near);
        if (triangle < 0) continue;
      }
      const touch = this.next();
      touch.index = touch.place = i;
      touch.triangle = triangle;
      touch.radius = 0;
      touch.x.set(at);
      for (let k = 0; k < 3 * n; k++) touch.phiA[k] = shapesA[3 * n * i + k];
      touch.whole = lengths[i] / (HARDNESS * a.modulus * areas[i]);
      touch.wholeSlope.fill(0);
      if (!(triangle < 0 ? this.onWall(touch) : this.onTriangleOfB(touch, surfaceB!))) this.count--;
      else this.keepOne();
    }
  }

  /** Of point i of A or k of B: node at a sharp edge, −1: it is none */
  private edgeNode(index: number): number {
    const { firstCorner, nodes } = this.a.surface;
    if (index >= 0) return index < firstCorner ? -1 : nodes[6 * index];
    return this.soft ? this.nodesB[-1 - index] : -1;
  }

  /**
   * A node at a sharp edge has a point for each side that meets there: of the last two touches only one stays if they are such, that which is pushed out by the least way, and of equal ones that
   * whose side faces the other body most.
   */
  private keepOne(): void {
    const { touches, count } = this;
    if (count < 2) return;
    const [one, two] = [touches[count - 2], touches[count - 1]];
    const node = this.edgeNode(two.index);
    if (node < 0 || one.index < 0 !== two.index < 0 || this.edgeNode(one.index) !== node) return;
    const [first, second] = [Math.abs(one.depth), Math.abs(two.depth)];
    if (second < first || (second === first && this.facing(two) > this.facing(one))) {
      touches[count - 2] = two;
      touches[count - 1] = one;
    }
    this.count--;
  }

  /** Cosine between what the point's own side faces and where it is pushed */
  private facing({ index, n }: SolidTouch): number {
    const { normal } = this;
    const at = 3 * (index < 0 ? -1 - index : index);
    for (let d = 0; d < 3; d++) normal[d] = index < 0 ? this.normalsB[at + d] : -this.a.surface.normals[at + d];
    if (index < 0) this.outward(normal, normal);
    return dot(n, normal);
  }

  private onWall(touch: SolidTouch): boolean {
    const { wallFoot, turn, rimLength, own } = this;
    const { share, inward } = touch;
    share.share = 1;
    share.slope.fill(0);
    touch.inset = wallFoot.inset;
    if (wallFoot.inset < rimLength) {
      inward.set(wallFoot.inward);
      touch.inwardBend = wallFoot.inwardBend;
      touch.bare.set(own);
      for (let d = 0; d < 3; d++) this.normal[d] = wallFoot.inset * inward[d];
      shareOf(wallFoot.inset / rimLength, rimLength, this.normal, wallFoot.inset, share);
      if (!(wallFoot.inset > 0 && share.share > LEAST_SHARE)) return false;
    }
    touch.give = touch.whole / share.share;
    const { n, bend } = touch;
    touch.depth = -wallFoot.gap;
    n.set(wallFoot.n);
    this.outward(n, n);
    bend.fill(0);
    if (wallFoot.bend === 0) return true;
    // c = z × n of B
    const c = this.normal;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      c[d] = turn[3 * e + 2] * n[g] - turn[3 * g + 2] * n[e];
    }
    const size = dot(c, c);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        bend[3 * i + j] =
          wallFoot.bendAlong * ((i === j ? 1 : 0) - n[i] * n[j]) +
          (size > 0 ? ((wallFoot.bend - wallFoot.bendAlong) * c[i] * c[j]) / size : 0);
    return true;
  }

  /** Where the foot is on the undeformed surface; how it counts there and, on a flexible body, how its force is spread. False: it counts nothing */
  private placeBare(
    touch: SolidTouch,
    surface: TriangleSurface,
    rim: RimOfFaces | undefined,
    side: SolidSide | undefined,
  ): boolean {
    const { bare, bareCorners, foot, triangle, share, spread, wholeSlope } = touch;
    bare.fill(0);
    for (let k = 0; k < 3; k++)
      for (let d = 0; d < 3; d++) {
        bareCorners[3 * k + d] = surface.points[3 * surface.triangles[3 * triangle + k] + d];
        bare[d] += foot.weights[k] * bareCorners[3 * k + d];
      }
    share.share = 1;
    share.slope.fill(0);
    if (rim && !(rim.find(triangle, bare, share) && share.share > LEAST_SHARE)) return false;
    spread.count = 0;
    if (side) {
      side.surface.spread.find(triangle, bare, spread);
      if (spread.count === 0) return false;
    }
    if (touch.index < 0) {
      // a tenth of the faces around
      wholeSlope.fill(0);
      for (let a = 0; a < spread.count; a++) {
        const give = 10 / (HARDNESS * this.a.modulus * this.a.surface.patches[spread.patches[a]].length);
        touch.whole += spread.weights[a] * give;
        for (let d = 0; d < 3; d++) wholeSlope[d] += spread.slopes[3 * a + d] * give;
      }
    }
    touch.give = touch.whole / share.share;
    return true;
  }

  private onTriangleOfB(touch: SolidTouch, surface: TriangleSurface): boolean {
    const { corners, n, x, foot, phiB } = touch;
    corners.set(surface.corners);
    for (let k = 0; k < 9; k += 3) {
      this.outward(corners, corners, k);
      for (let d = 0; d < 3; d++) corners[k + d] += this.place[d];
    }
    foot.project(corners, x[0], x[1], x[2]);
    if (!this.placeBare(touch, surface, this.rimB, this.soft)) return false;
    normalOf(corners, n);
    touch.depth = heightUnder(n, corners, x);
    touch.arm.set(foot.offset);
    surface.shapesAt(touch.triangle, foot.weights, phiB);
    for (let k = 0; k < phiB.length; k += 3) this.outward(phiB, phiB, k);
    return true;
  }

  /** B where it deforms */
  get softB(): SolidSide | undefined {
    return this.soft;
  }

  /** A direction of B's, into another place */
  outwardFrom(v: Float64Array, out: Float64Array): void {
    out.set(v);
    this.outward(out, out);
  }

  /** Three directions of A's into B's axes */
  turnCornersIn(v: Float64Array): void {
    const { turn: t } = this;
    for (let k = 0; k < 9; k += 3) {
      const [x, y, z] = [v[k], v[k + 1], v[k + 2]];
      for (let d = 0; d < 3; d++) v[k + d] = t[d] * x + t[3 + d] * y + t[6 + d] * z;
    }
  }

  /** Where point k of B is, into `at` */
  protected pointOfB(k: number): void {
    const { at, pointsB, nodesB, place, qB, soft } = this;
    for (let d = 0; d < 3; d++) {
      at[d] = pointsB[3 * k + d];
      if (soft) for (let m = 0; m < qB.length; m++) at[d] += soft.shapes[m][3 * nodesB[k] + d] * qB[m];
    }
    this.outward(at, at);
    for (let d = 0; d < 3; d++) at[d] += place[d];
  }

  /** The point of a circle about B's z that is farthest along −n: into `at`; false if the circle lies flat */
  protected lowestOfCircle(n: Float64Array, radius: number, at: Float64Array): boolean {
    const { turn, rim } = this;
    const along = n[0] * turn[2] + n[1] * turn[5] + n[2] * turn[8];
    for (let d = 0; d < 3; d++) rim[d] = n[d] - along * turn[3 * d + 2];
    const size = Math.sqrt(dot(rim, rim));
    if (!(size > FLAT_CIRCLE)) return false;
    for (let d = 0; d < 3; d++) at[d] -= (radius * rim[d]) / size;
    return true;
  }

  private findFoot(k: number, near: number): void {
    const { a, at, rigid, normal, soft } = this;
    const { triangles: surface } = a.surface;
    const radius = rigid?.radii[k] ?? 0;
    const circles = rigid?.circles === true && radius > 0;
    this.pointOfB(k);
    if (surface.outside(at[0], at[1], at[2]) > radius + near) return;
    const ball = radius > 0 && !circles;
    let t: number;
    if (radius > 0) t = surface.nearest(at[0], at[1], at[2], radius + near);
    else {
      for (let d = 0; d < 3; d++) normal[d] = this.normalsB[3 * k + d];
      this.outward(normal, normal);
      t = surface.pressed(at[0], at[1], at[2], normal, ROUND_CORNER * a.surface.meanLength, near);
    }
    if (t < 0) return;
    if (circles) {
      // what is nearest to the middle of the ball that touches where the circle does: outside, where no face round a corner is near
      normalOf(surface.corners, normal);
      if (!this.lowestOfCircle(normal, radius, at)) return;
      const [x, y, z] = [at[0] + radius * normal[0], at[1] + radius * normal[1], at[2] + radius * normal[2]];
      t = surface.nearest(x, y, z, radius + near);
      if (t < 0 || surface.height < 0) return;
      normalOf(surface.corners, normal);
      this.pointOfB(k);
      if (!this.lowestOfCircle(normal, radius, at)) return;
      if (!(heightUnder(normal, surface.corners, at) > -near)) return;
    }
    if (ball && !(surface.foot.distance > 0)) return;
    const touch = this.next();
    touch.index = -1 - k;
    touch.place = a.surface.pointCount + k;
    touch.triangle = t;
    touch.radius = radius;
    const { foot, corners, n, x } = touch;
    corners.set(surface.corners);
    if (ball) foot.find(corners, at[0], at[1], at[2]);
    else foot.project(corners, at[0], at[1], at[2]);
    // of a line what the pressure around nodes is too wide to tell
    touch.whole =
      circles && k < rigid!.pieces ? (LINE * (1 - a.poissonRatio * a.poissonRatio)) / (a.modulus * rigid!.spacing) : 0;
    if (!this.placeBare(touch, surface, ball ? undefined : a.surface.rim, a)) {
      this.count--;
      return;
    }
    touch.arm.set(foot.offset);
    if (ball) {
      const sign = surface.height < 0 ? -1 : 1;
      touch.depth = radius - sign * foot.distance;
      for (let d = 0; d < 3; d++) n[d] = (-sign * foot.offset[d]) / foot.distance;
    } else {
      normalOf(corners, n);
      touch.depth = heightUnder(n, corners, at);
      for (let d = 0; d < 3; d++) n[d] = -n[d];
    }
    for (let d = 0; d < 3; d++) x[d] = at[d] - foot.offset[d];
    surface.shapesAt(t, foot.weights, touch.phiA);
    if (circles) for (let d = 0; d < 3; d++) touch.arm[d] -= radius * n[d];
    if (!soft) return;
    const { phiB } = touch;
    for (let m = 0; m < phiB.length; m += 3) {
      for (let d = 0; d < 3; d++) phiB[m + d] = soft.shapes[m / 3][3 * this.nodesB[k] + d];
      this.outward(phiB, phiB, m);
    }
    this.keepOne();
  }

  /** Velocity of A's point seen from B's */
  speedOf(touch: SolidTouch): void {
    const { velocity: v, place, etaA, etaB, nA, nB } = this;
    const { x, w, phiA, phiB, n } = touch;
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      w[d] = v[d] + v[3 + e] * x[g] - v[3 + g] * x[e];
      w[d] -= v[6 + d] + v[9 + e] * (x[g] - place[g]) - v[9 + g] * (x[e] - place[e]);
      for (let k = 0; k < nA; k++) w[d] += phiA[3 * k + d] * etaA[k];
      for (let k = 0; k < nB; k++) w[d] -= phiB[3 * k + d] * etaB[k];
    }
    touch.closing = -dot(n, w);
  }

  /** A direction of A's into B's axes */
  protected turnIn(v: Float64Array): void {
    const { turn: t } = this;
    const [x, y, z] = v;
    for (let d = 0; d < 3; d++) v[d] = t[d] * x + t[3 + d] * y + t[6 + d] * z;
  }
}

/** How deep a point is under the plane of a triangle with outward normal n */
const heightUnder = (n: Float64Array, corners: Float64Array, x: Float64Array): number =>
  -(n[0] * (x[0] - corners[0]) + n[1] * (x[1] - corners[1]) + n[2] * (x[2] - corners[2]));
