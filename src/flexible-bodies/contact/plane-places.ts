/**
 * Two parts in their common plane, A that deforms and B that deforms or is rigid: where their points, corners, arcs and sides are, and which of them may be near to each other.
 *
 * Everything is told in the axes of A's plane at its origin. B is at p, turned by ψ (c, s its cosine and sine); velocities are those of the two
 * origins and spins.
 */
import { CORNER_SHARE, type ContactSurface } from './contact-surface.js';
import { boxOf, groupBoxesOf, NearMap } from './near-map.js';
import { type RoundEdge, sweeps } from './outline-features.js';
import type { Foot, RigidOutline } from './rigid-outline.js';
import { hollowsOf, lowestOnSide, placeOnSide, radiusOf, roundSidesOf } from './round-sides.js';
import { SideFoot } from './side-foot.js';
import { BLUNT, SideSearch } from './side-search.js';
import { isSoft, placeNodes, pointShapes, type SoftSide } from './soft-side.js';

/** κ h/E: how hard the sides are, in moduli over their length */
export const HARDNESS = 20;
/**
 * Of the compliance of a corner, that of a line contact beside what loads around nodes tell: 1.5/(E t), as much as a line of half-width a indents a half space more than even pressure of
 * half-width b = 9 a does, (2/(π E t)) (ln(2 b/a) − ½) (Johnson, Contact Mechanics, § 2.5 and 4.2). Where the contact is as wide as a side the points of the sides carry it.
 */
const LINE = 3;
/** Cosine between directions that are one */
const ONE = 1 - 1e-12;

export class PlanePlaces {
  // inputs
  px = 0;
  py = 0;
  c = 1;
  s = 0;
  /** Velocity of A's origin and spin, then B's */
  readonly velocity = new Float64Array(6);
  readonly qA: Float64Array;
  readonly etaA: Float64Array;
  readonly qB: Float64Array;
  readonly etaB: Float64Array;
  /** Per point of A's surface, then per corner of B: which bristle it has */
  readonly slotOf: Uint8Array;

  readonly nA: number;
  readonly nB: number;
  /** Corners of B: number, places (2 each) */
  readonly corners: number;
  private readonly cornerPlaces: Float64Array;
  /** Per corner: 1/(κ a) of the area that it stands for, m/N */
  readonly cornerGive: Float64Array;
  readonly rounds: readonly RoundEdge[];
  /** Sides of A that are round where they are drawn */
  readonly roundSides: Int32Array;
  /** Per side of A: curvature of the hollow that it was drawn as, 1/m */
  readonly hollows: Float64Array;
  /** Largest radius of what is round on either, m; 0: nothing is */
  readonly roundest: number;
  /** How many places there are where the two may touch */
  readonly placeCount: number;
  readonly phi: Float64Array; // 2 nA per point of A
  /** Per coordinate: how far it moves a point at most */
  readonly mostA: Float64Array;
  readonly mostB: Float64Array;
  readonly sidesA: SideSearch;
  readonly sidesB: SideSearch | undefined;
  /** Per point of A, then per corner of B: side of the other that was nearest when it was last looked for, −1: none. Searches begin there. */
  readonly lastSide: Int32Array;
  /** 4 per group of sides of A, undeformed: left, low, right, high; their points follow each other */
  private readonly groupBoxes: Float64Array;
  /** Around all of A, undeformed */
  private readonly boxA: Float64Array;
  /** Where A's sides are, undeformed */
  private readonly nearA: NearMap;
  /** Around B in its own axes, undeformed; the same in A's, with what both can deform */
  private readonly ownBoxB: Float64Array;
  private readonly boxB = new Float64Array(4);
  readonly roundGive: number;
  /** Place that was told last */
  x = 0;
  y = 0;
  /** Of the side that was looked for last */
  readonly nearest = new SideFoot();
  readonly found: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };

  constructor(
    readonly a: SoftSide,
    readonly b: SoftSide | RigidOutline,
  ) {
    this.nA = a.shapes.length;
    this.nB = isSoft(b) ? b.shapes.length : 0;
    this.qA = new Float64Array(this.nA);
    this.etaA = new Float64Array(this.nA);
    this.qB = new Float64Array(this.nB);
    this.etaB = new Float64Array(this.nB);
    // as a tenth of the sides they are in; of corners that lie nearer together as their part of the outline
    const give = (apart: number): number =>
      a.surface.meanSide /
      (HARDNESS * a.modulus * a.surface.thickness * Math.min(CORNER_SHARE * a.surface.meanSide, apart));
    if (isSoft(b)) {
      const { surface } = b;
      this.corners = surface.pointCount - surface.firstCorner;
      this.cornerPlaces = surface.places.slice(2 * surface.firstCorner);
      this.cornerGive = new Float64Array(this.corners).fill(give(Number.POSITIVE_INFINITY));
      this.rounds = [];
    } else {
      this.corners = b.corners.length;
      this.cornerPlaces = Float64Array.from(b.corners.flatMap(({ at }) => at));
      this.cornerGive = Float64Array.from(b.corners, ({ apart }) => give(apart));
      this.rounds = b.rounds;
    }
    this.hollows = hollowsOf(a.surface);
    this.roundSides = isSoft(b) ? new Int32Array(0) : roundSidesOf(a.surface);
    this.roundest = this.rounds.reduce(
      (most, { radius }) => Math.max(most, radius),
      radiusOf(a.surface, this.roundSides),
    );
    this.roundGive = LINE * give(Number.POSITIVE_INFINITY);
    const { surface } = a;
    this.slotOf = new Uint8Array(surface.pointCount + this.corners);
    this.lastSide = new Int32Array(surface.pointCount + this.corners).fill(-1);
    this.placeCount = surface.pointCount + this.corners + (this.rounds.length + 1) * surface.sideCount;
    this.phi = pointShapes(a);
    this.mostA = largestShapes(a);
    this.mostB = isSoft(b) ? largestShapes(b) : new Float64Array(0);
    this.groupBoxes = groupBoxesOf(surface);
    this.boxA = boxOf(surface);
    this.nearA = new NearMap(this.groupBoxes, 1.5 * reachOf(surface));
    this.ownBoxB = isSoft(b) ? boxOf(b.surface) : Float64Array.from([...b.least, ...b.most]);
    this.sidesA = new SideSearch(surface);
    this.sidesB = isSoft(b) ? new SideSearch(b.surface) : undefined;
  }

  /** Displaced places of the nodes of A's sides */
  placeA(): void {
    placeNodes(this.a, this.qA, this.sidesA.nodes);
    this.sidesA.placed();
  }

  /** Of B's sides, in A's axes */
  placeB(soft: SoftSide, sides: SideSearch): void {
    const { c, s, px, py } = this;
    const { nodes: x } = sides;
    placeNodes(soft, this.qB, x);
    const { boundary } = soft.surface;
    for (let k = 0; k < boundary.length; k++) {
      const node = boundary[k];
      const [u, v] = [x[2 * node], x[2 * node + 1]];
      x[2 * node] = px + c * u - s * v;
      x[2 * node + 1] = py + s * u + c * v;
    }
    sides.placed();
  }

  /** Nearest side to a place within `reach` m of it, into `nearest`. @param i number of the point or corner in `lastSide` */
  footOf(i: number, x: number, y: number, sides: SideSearch, reach: number): boolean {
    const { lastSide, nearest } = this;
    const found = sides.find(x, y, reach, nearest, lastSide[i]);
    if (found) lastSide[i] = nearest.side;
    return found;
  }

  /** B's box in A's axes, wider by what both deform */
  surround(): void {
    const { ownBoxB: own, boxB, c, s, px, py, qA, qB, mostA, mostB } = this;
    let more = 0;
    for (let k = 0; k < qA.length; k++) more += mostA[k] * Math.abs(qA[k]);
    for (let k = 0; k < qB.length; k++) more += mostB[k] * Math.abs(qB[k]);
    if (!Number.isFinite(own[0])) {
      boxB[0] = boxB[1] = Number.NEGATIVE_INFINITY;
      boxB[2] = boxB[3] = Number.POSITIVE_INFINITY;
      return;
    }
    const mx = (own[0] + own[2]) / 2;
    const my = (own[1] + own[3]) / 2;
    const hx = (own[2] - own[0]) / 2;
    const hy = (own[3] - own[1]) / 2;
    const x = px + c * mx - s * my;
    const y = py + s * mx + c * my;
    const w = Math.abs(c) * hx + Math.abs(s) * hy + more;
    const h = Math.abs(s) * hx + Math.abs(c) * hy + more;
    boxB[0] = x - w;
    boxB[1] = y - h;
    boxB[2] = x + w;
    boxB[3] = y + h;
  }

  /** Whether any side of A can be within `near` of B: two parts that are far from each other cost no more than this */
  mayMeet(near: number): boolean {
    return this.isNearB(this.boxA, 0, near);
  }

  /** Whether the sides of a group can be within `near` of B */
  meets(group: number, near: number): boolean {
    return this.isNearB(this.groupBoxes, 4 * group, near);
  }

  private isNearB(boxes: Float64Array, at: number, near: number): boolean {
    const { boxB } = this;
    return (
      boxes[at] <= boxB[2] + near &&
      boxes[at + 2] >= boxB[0] - near &&
      boxes[at + 1] <= boxB[3] + near &&
      boxes[at + 3] >= boxB[1] - near
    );
  }

  /** Whether a place can be within `more` of A's undeformed sides */
  nearSides(x: number, y: number, more: number): boolean {
    const { groupBoxes: g, nearA } = this;
    if (more <= nearA.margin) return nearA.has(x, y);
    for (let at = 0; at < g.length; at += 4)
      if (x >= g[at] - more && x <= g[at + 2] + more && y >= g[at + 1] - more && y <= g[at + 3] + more) return true;
    return false;
  }

  /** Point i of A as it has moved, into `x`, `y` */
  pointAt(i: number): void {
    const { phi, qA, nA } = this;
    const { places } = this.a.surface;
    let x = places[2 * i];
    let y = places[2 * i + 1];
    const f = 2 * nA * i;
    for (let k = 0; k < nA; k++) {
      x += phi[f + 2 * k] * qA[k];
      y += phi[f + 2 * k + 1] * qA[k];
    }
    this.x = x;
    this.y = y;
  }

  /** Corner i of B as it has moved, into `x`, `y` */
  cornerOfB(i: number): void {
    const { b, cornerPlaces, qB, nB } = this;
    let u = cornerPlaces[2 * i];
    let v = cornerPlaces[2 * i + 1];
    if (isSoft(b)) {
      const node = b.surface.nodes[3 * (b.surface.firstCorner + i)];
      for (let k = 0; k < nB; k++) {
        u += b.shapes[k][2 * node] * qB[k];
        v += b.shapes[k][2 * node + 1] * qB[k];
      }
    }
    this.fromB(u, v);
  }

  /** A place in B's axes, into `x`, `y` */
  fromB(u: number, v: number): void {
    const { c, s, px, py } = this;
    this.x = px + c * u - s * v;
    this.y = py + s * u + c * v;
  }
  /** The end of arc k that lies `towards` a place that it does not face, into `x`, `y`; false: the arc after it does */
  endTowards(k: number): boolean {
    const { centre, radius, from, to, goesOn } = this.rounds[k];
    const [u, v] = this.towards;
    const atStart = from[0] * u + from[1] * v > to[0] * u + to[1] * v;
    if (goesOn[atStart ? 0 : 1]) return false;
    const end = atStart ? from : to;
    this.fromB(centre[0] + radius * end[0], centre[1] + radius * end[1]);
    return true;
  }

  /** Whether arc k faces a place of A with its sweep; its direction in B's axes into `towards` */
  faces(k: number, { nx, ny }: SideFoot): boolean {
    const { c, s, towards } = this;
    towards[0] = -(c * nx + s * ny);
    towards[1] = s * nx - c * ny;
    return sweeps(this.rounds[k], towards[0], towards[1]);
  }
  private readonly towards: [number, number] = [0, 0];

  /** The place of a side that is nearest to a straight edge of B, n · E' = 0, with its distance into `nearest`; `ox`, `oy` are then where it is. False: there is none */
  bendsOver(side: number): boolean {
    const { found, nearest, sidesA } = this;
    const { sides, after, turns } = this.a.surface;
    const { nodes: x } = sidesA;
    const middle = 2 * sides[3 * side + 2];
    if (!this.gapToB(x[middle], x[middle + 1]) || found.curvature !== 0) return false;
    const { nx, ny } = this;
    let xi = lowestOnSide(x, sides, side, nx, ny);
    if (!(xi > -1)) return false;
    nearest.atEnd = xi >= 1;
    if (xi >= 1) {
      // between this side and the next
      const next = after[side];
      if (next < 0 || !(Math.abs(turns[sides[3 * side + 1]]) < BLUNT) || lowestOnSide(x, sides, next, nx, ny) > -1)
        return false;
      xi = 1;
    }
    placeOnSide(x, sides, side, xi, nearest);
    if (!this.gapToB(nearest.ox, nearest.oy) || found.curvature !== 0 || !(this.nx * nx + this.ny * ny > ONE))
      return false;
    nearest.nx = -nx;
    nearest.ny = -ny;
    nearest.gap = found.gap;
    return true;
  }

  /** Of a place in A's axes from a rigid B: into `found`, its direction in A's axes into `nx`, `ny`. False: far away */
  gapToB(x: number, y: number): boolean {
    const { c, s, px, py, found } = this;
    const [dx, dy] = [x - px, y - py];
    const near = (this.b as RigidOutline).find(c * dx + s * dy, c * dy - s * dx, found);
    this.nx = c * found.nx - s * found.ny;
    this.ny = s * found.nx + c * found.ny;
    return near;
  }
  private nx = 0;
  private ny = 0;

  /** Where an undeformed corner of B is */
  cornerAt(i: number): readonly [number, number] {
    const { cornerPlaces: at, px, py, c, s } = this;
    const [u, v] = [at[2 * i], at[2 * i + 1]];
    return [px + c * u - s * v, py + s * u + c * v];
  }
}

function largestShapes({ shapes, surface }: SoftSide): Float64Array {
  return Float64Array.from(shapes, (shape) => {
    let most = 0;
    for (const node of surface.boundary)
      most = Math.max(most, shape[2 * node] * shape[2 * node] + shape[2 * node + 1] * shape[2 * node + 1]);
    return Math.sqrt(most);
  });
}

/** A point deeper than so much is not seen. */
export const reachOf = ({ longestSide }: ContactSurface): number => longestSide;
