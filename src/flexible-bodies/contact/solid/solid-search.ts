/**
 * Where a flexible solid A touches another body B. All in A's axes; B's own are at `place`, turned by `turn`.
 *
 *   points of A's surface against B     a wall with a formula, or triangles (of a rigid mesh, of a flexible solid)     n outward from B
 *   points of B against A's triangles   edges and vertices of a mesh, circles and balls along axes, sharp edges of a flexible solid     n into A
 *
 * The depth of a point under a triangle is that under its plane; of a ball its radius less the distance to the nearest triangle.
 */
import type { RigidForm, WallFoot } from './rigid-solid.js';
import { type RigidSolid, rigidSolid } from './rigid-solid.js';
import type { SolidSide } from './solid-side.js';
import { dot, SolidTouch } from './solid-touch.js';
import { FACING, normalOf, type TriangleSurface } from './triangle-surface.js';

/** κ h/E, as in the plane */
export const HARDNESS = 20;
/**
 * A line of half-width a indents a flat by (2 p/(π E*)) (ln(2 b/a) − ½) more than even pressure of half-width b does, p per length (Johnson, Contact
 * Mechanics, § 2.5 and 4.2): as at a = b/4, for wider ones are carried by the points of the surface
 */
const LINE = (2 / Math.PI) * 1.5794415416798357;
/** Of the length of a face: so deep a point beside a rim is looked for round the corner */
const ROUND_CORNER = 0.25;
/** A circle that lies flatter on a face (sine of the angle) touches by its fixed points */
const FLAT_CIRCLE = 0.05;

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
  private readonly pointsB: Float64Array;
  private readonly normalsB: Float64Array;
  private readonly nodesB: Int32Array;
  /** 3 per point and coordinate */
  private readonly shapesA: Float64Array;
  private readonly wallFoot: WallFoot = { gap: 0, n: new Float64Array(3), bend: 0, bendAlong: 0 };
  // of one point
  protected readonly at = new Float64Array(3);
  private readonly own = new Float64Array(3);
  protected readonly normal = new Float64Array(3);
  protected readonly rim = new Float64Array(3);
  private readonly speed = new Float64Array(3);

  constructor(
    readonly a: SolidSide,
    readonly b: SolidSide | RigidForm,
  ) {
    const { surface, shapes } = a;
    this.nA = shapes.length;
    this.qA = new Float64Array(this.nA);
    this.etaA = new Float64Array(this.nA);
    this.longestSide = surface.longestSide;
    if (isForm(b)) {
      this.rigid = rigidSolid(b, surface.meanLength);
      this.surfaceB = this.rigid.surface;
      this.pointsB = this.rigid.points;
      this.normalsB = this.rigid.normals;
      this.nodesB = new Int32Array(0);
      this.nB = 0;
    } else {
      this.soft = b;
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
  private placeSurfaces(): void {
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
  private pointAt(i: number, near: number): boolean {
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
      touch.give = lengths[i] / (HARDNESS * a.modulus * areas[i]);
      if (triangle < 0) this.onWall(touch);
      else this.onTriangleOfB(touch, surfaceB!);
    }
  }

  private onWall(touch: SolidTouch): void {
    const { wallFoot, turn } = this;
    const { n, bend } = touch;
    touch.depth = -wallFoot.gap;
    n.set(wallFoot.n);
    this.outward(n, n);
    bend.fill(0);
    if (wallFoot.bend === 0) return;
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
  }

  private onTriangleOfB(touch: SolidTouch, surface: TriangleSurface): void {
    const { corners, n, x, foot, phiB } = touch;
    corners.set(surface.corners);
    for (let k = 0; k < 9; k += 3) {
      this.outward(corners, corners, k);
      for (let d = 0; d < 3; d++) corners[k + d] += this.place[d];
    }
    foot.find(corners, x[0], x[1], x[2]);
    normalOf(corners, n);
    touch.depth = heightUnder(n, corners, x);
    surface.shapesAt(touch.triangle, foot.weights, phiB);
    for (let k = 0; k < phiB.length; k += 3) this.outward(phiB, phiB, k);
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
    if (radius > 0) t = surface.nearest(at[0], at[1], at[2], ball ? radius + near : Number.POSITIVE_INFINITY);
    else {
      for (let d = 0; d < 3; d++) normal[d] = this.normalsB[3 * k + d];
      this.outward(normal, normal);
      t = surface.pressed(at[0], at[1], at[2], normal, ROUND_CORNER * a.surface.meanLength, near);
    }
    if (t < 0) return;
    if (circles) {
      // by the normal under the centre, then by that under the point
      normalOf(surface.corners, normal);
      if (!this.lowestOfCircle(normal, radius, at) || surface.outside(at[0], at[1], at[2]) > near) return;
      t = surface.nearest(at[0], at[1], at[2], Number.POSITIVE_INFINITY);
      normalOf(surface.corners, normal);
      this.pointOfB(k);
      if (!this.lowestOfCircle(normal, radius, at)) return;
      if (!(heightUnder(normal, surface.corners, at) > -near) || !(surface.height < near)) return;
      surface.foot.find(surface.corners, at[0], at[1], at[2]);
    }
    if (ball && !(surface.foot.distance > 0)) return;
    const touch = this.next();
    touch.index = -1 - k;
    touch.place = a.surface.pointCount + k;
    touch.triangle = t;
    touch.radius = radius;
    const { foot, corners, n, x } = touch;
    corners.set(surface.corners);
    foot.find(corners, at[0], at[1], at[2]);
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
    // as a tenth of the face it is in; of a line what the pressure around nodes is too wide to tell
    touch.give =
      10 / (HARDNESS * a.modulus * a.surface.lengthAt(t)) +
      (circles ? (LINE * (1 - a.poissonRatio * a.poissonRatio)) / (a.modulus * rigid!.spacing) : 0);
    if (!soft) return;
    const { phiB } = touch;
    for (let m = 0; m < phiB.length; m += 3) {
      for (let d = 0; d < 3; d++) phiB[m + d] = soft.shapes[m / 3][3 * this.nodesB[k] + d];
      this.outward(phiB, phiB, m);
    }
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

  // ---- between steps --------------------------------------------------------------------------------------------------------------

  /**
   * How near the bodies are: `visit` gets gap and closing speed of each point that does not touch, m and m/s; of points that are far away a
   * distance that is not too large and a speed that is not too small.
   */
  approach(visit: (gap: number, closing: number) => number): void {
    const { a, at, own, velocity: v, place, etaA, etaB, nA, nB, shapesA, surfaceB, rigid, wallFoot, normal } = this;
    const { surface } = a;
    this.placeSurfaces();
    const w = this.speed;
    /** Of A's frame at `at` seen from B's */
    const relative = (): void => {
      for (let d = 0; d < 3; d++) {
        const [e, g] = [(d + 1) % 3, (d + 2) % 3];
        w[d] = v[d] + v[3 + e] * at[g] - v[3 + g] * at[e];
        w[d] -= v[6 + d] + v[9 + e] * (at[g] - place[g]) - v[9 + g] * (at[e] - place[e]);
      }
    };
    if (rigid?.wall || surfaceB)
      for (let i = 0; i < surface.pointCount; i++) {
        this.pointAt(i, Number.POSITIVE_INFINITY);
        relative();
        for (let k = 0; k < nA; k++) for (let d = 0; d < 3; d++) w[d] += shapesA[3 * (nA * i + k) + d] * etaA[k];
        if (rigid?.wall) {
          rigid.wall(own[0], own[1], own[2], wallFoot);
          normal.set(wallFoot.n);
          this.outward(normal, normal);
          if (wallFoot.gap >= 0) visit(wallFoot.gap, -dot(normal, w));
          continue;
        }
        this.turnIn(w);
        this.approachSurface(surfaceB!, etaB, own, w, 0, 0, visit);
      }
    for (let k = 0; k < this.pointsB.length / 3; k++) {
      this.pointOfB(k);
      relative();
      for (let d = 0; d < 3; d++) w[d] = -w[d];
      for (let m = 0; m < nB; m++) {
        const shape = this.soft!.shapes[m];
        for (let d = 0; d < 3; d++) normal[d] = shape[3 * this.nodesB[k] + d];
        this.outward(normal, normal);
        for (let d = 0; d < 3; d++) w[d] += normal[d] * etaB[m];
      }
      const radius = rigid?.radii[k] ?? 0;
      let more = 0;
      // the point of a circle may turn about its middle
      if (rigid?.circles && radius > 0)
        for (let d = 0; d < 3; d++) more += radius * (Math.abs(v[3 + d]) + Math.abs(v[9 + d]));
      this.approachSurface(surface.triangles, etaA, at, w, radius, more, visit);
    }
  }

  /** A direction of A's into B's axes */
  private turnIn(v: Float64Array): void {
    const { turn: t } = this;
    const [x, y, z] = v;
    for (let d = 0; d < 3; d++) v[d] = t[d] * x + t[3 + d] * y + t[6 + d] * z;
  }

  /** Of a point with velocity w, both in the axes of the surface; far away its speed is that of the fastest point */
  private approachSurface(
    surface: TriangleSurface,
    eta: Float64Array,
    x: Float64Array,
    w: Float64Array,
    radius: number,
    more: number,
    visit: (gap: number, closing: number) => number,
  ): void {
    const near = this.longestSide;
    const away = surface.outside(x[0], x[1], x[2]) - radius;
    const t = away > near ? -1 : surface.nearest(x[0], x[1], x[2], near + radius);
    if (t < 0) {
      let speed = Math.sqrt(dot(w, w)) + more;
      for (let k = 0; k < eta.length; k++) speed += surface.most[k] * Math.abs(eta[k]);
      visit(Math.max(away, near), speed);
      return;
    }
    const { distance, offset, weights } = surface.foot;
    const gap = distance - radius;
    if (surface.height < 0 || !(gap >= 0)) return;
    let closing = -dot(offset, w);
    for (let k = 0; k < eta.length; k++)
      for (let j = 0; j < 3; j++) {
        const node = 3 * surface.triangles[3 * t + j];
        for (let d = 0; d < 3; d++) closing += offset[d] * weights[j] * surface.shapes[k][node + d] * eta[k];
      }
    visit(gap, distance > 0 ? closing / distance + more : more);
  }
}

/** How deep a point is under the plane of a triangle with outward normal n */
const heightUnder = (n: Float64Array, corners: Float64Array, x: Float64Array): number =>
  -(n[0] * (x[0] - corners[0]) + n[1] * (x[1] - corners[1]) + n[2] * (x[2] - corners[2]));
