/**
 * Where a flexible part A and another part B touch in their common plane:
 *
 *   points of A's surface inside B;
 *   corners of B inside A's sides;
 *   arcs of a rigid B, at the places of A's sides that are nearest to their centres: between its points a side that is long against the radius would dip in unseen, by (0.19 h)²/(2 r);
 *   straight edges of a rigid B, where a side of A that was drawn round bends over them, for the same reason.
 *
 * An arc that does not face A's nearest place with its own sweep touches with the end that is nearer to it, so that nothing jumps where it rolls off on its end.
 *
 * Everything is told in the axes of A's plane at its origin. B is at p, turned by ψ (c, s its cosine and sine); velocities are those of the two
 * origins and spins.
 */
import { CORNER_SHARE, type ContactSurface, sideShape } from './contact-surface.js';
import { type RoundEdge, sweeps } from './outline-features.js';
import type { Foot, RigidOutline } from './rigid-outline.js';
import { SideFoot } from './side-foot.js';
import { BLUNT, GROUP, SideSearch } from './side-search.js';
import { isSoft, placeNodes, pointShapes, type SoftSide, sideShapes, Touch } from './soft-side.js';

/** κ h/E: how hard the sides are, in moduli over their length */
export const HARDNESS = 20;
/**
 * Of the compliance of a corner, that of a line contact beside what loads around nodes tell: 1.5/(E t), as much as a line of half-width a indents a half space more than even pressure of
 * half-width b = 9 a does, (2/(π E t)) (ln(2 b/a) − ½) (Johnson, Contact Mechanics, § 2.5 and 4.2). Where the contact is as wide as a side the points of the sides carry it.
 */
const LINE = 3;
/** Arrow of a side over its length, from which on it is round; a flatter one is a ten-thousandth of its length deep before its points are */
const ROUND = 0.004;
/** Cosine between directions that are one */
const ONE = 1 - 1e-12;

export class TouchSearch {
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

  readonly touches: Touch[] = [];
  /** So many of them are there */
  count = 0;
  readonly nA: number;
  readonly nB: number;
  /** Corners of B: number, places (2 each) */
  readonly corners: number;
  private readonly cornerPlaces: Float64Array;
  /** Per corner: 1/(κ a) of the area that it stands for, m/N */
  private readonly cornerGive: Float64Array;
  private readonly rounds: readonly RoundEdge[];
  /** Sides of A that are round where they are drawn */
  private readonly roundSides: Int32Array;
  /** Largest radius of what is round on either, m; 0: nothing is */
  readonly roundest: number;
  /** How many places there are where the two may touch */
  readonly placeCount: number;
  protected readonly phi: Float64Array; // 2 nA per point of A
  /** Per coordinate: how far it moves a point at most */
  private readonly mostA: Float64Array;
  private readonly mostB: Float64Array;
  readonly sidesA: SideSearch;
  readonly sidesB: SideSearch | undefined;
  /** Per point of A, then per corner of B: side of the other that was nearest when it was last looked for, −1: none. Searches begin there. */
  private readonly lastSide: Int32Array;
  /** 4 per group of sides of A, undeformed: left, low, right, high; their points follow each other */
  private readonly groupBoxes: Float64Array;
  /** Where A's sides are, undeformed */
  private readonly nearA: NearMap;
  /** Around B in its own axes, undeformed; the same in A's, with what both can deform */
  private readonly ownBoxB: Float64Array;
  private readonly boxB = new Float64Array(4);
  private readonly roundGive: number;
  private x = 0;
  private y = 0;
  private readonly found: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };

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
  private placeB(soft: SoftSide, sides: SideSearch): void {
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

  /** Nearest side to a place within `reach` m of it, into `FOOT`. @param i number of the point or corner in `lastSide` */
  private footOf(i: number, x: number, y: number, sides: SideSearch, reach: number): boolean {
    const { lastSide } = this;
    const found = sides.find(x, y, reach, FOOT, lastSide[i]);
    if (found) lastSide[i] = FOOT.side;
    return found;
  }

  /** B's box in A's axes, wider by what both deform */
  private surround(): void {
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

  /** Whether the sides of a group can be within `near` of B */
  private meets(group: number, near: number): boolean {
    const { groupBoxes: g, boxB } = this;
    const at = 4 * group;
    return (
      g[at] <= boxB[2] + near &&
      g[at + 2] >= boxB[0] - near &&
      g[at + 1] <= boxB[3] + near &&
      g[at + 3] >= boxB[1] - near
    );
  }

  /** Whether a place can be within `more` of A's undeformed sides */
  private nearSides(x: number, y: number, more: number): boolean {
    const { groupBoxes: g, nearA } = this;
    if (more <= nearA.margin) return nearA.has(x, y);
    for (let at = 0; at < g.length; at += 4)
      if (x >= g[at] - more && x <= g[at + 2] + more && y >= g[at + 1] - more && y <= g[at + 3] + more) return true;
    return false;
  }

  /** Point i of A as it has moved, into `x`, `y` */
  private pointAt(i: number): void {
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
  private cornerOfB(i: number): void {
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
  private fromB(u: number, v: number): void {
    const { c, s, px, py } = this;
    this.x = px + c * u - s * v;
    this.y = py + s * u + c * v;
  }

  /** Points nearer than `near` m at the inputs: depth (negative where they do not touch), normal, places. Not yet forces. */
  find(near: number): void {
    const { a, b, c, s, px, py, slotOf, found } = this;
    const { surface } = a;
    this.count = 0;
    const soft = isSoft(b) ? b : undefined;
    const { sidesB } = this;
    if (soft && sidesB) this.placeB(soft, sidesB);
    const { pointCount, lengths, areas } = surface;
    const kappa = HARDNESS * a.modulus;
    this.surround();
    for (let i = 0; i < pointCount; i++) {
      if (i < surface.firstCorner && i % POINTS === 0 && !this.meets(i / POINTS, near)) {
        i += Math.min(POINTS, surface.firstCorner - i) - 1;
        continue;
      }
      this.pointAt(i);
      const { x, y } = this;
      if (soft && sidesB) {
        if (sidesB.outside(x, y) > near) continue;
        if (!this.footOf(i, x, y, sidesB, reachOf(soft.surface) + near) || FOOT.gap >= near) continue;
        const touch = this.next();
        touch.index = touch.place = i;
        touch.foot.copy(FOOT);
        touch.depth = -FOOT.gap;
        touch.nx = FOOT.nx;
        touch.ny = FOOT.ny;
        touch.bx = x - FOOT.ox;
        touch.by = y - FOOT.oy;
        touch.ax = x;
        touch.ay = y;
      } else {
        const dx = x - px;
        const dy = y - py;
        const outline = b as RigidOutline;
        const u = c * dx + s * dy;
        const v = c * dy - s * dx;
        if ((near <= outline.clearance && outline.isClear(u, v)) || !outline.find(u, v, found) || found.gap >= near)
          continue;
        const touch = this.next();
        touch.index = touch.place = i;
        touch.depth = -found.gap;
        touch.nx = c * found.nx - s * found.ny;
        touch.ny = s * found.nx + c * found.ny;
        touch.curvature = found.curvature;
        touch.ax = touch.bx = x;
        touch.ay = touch.by = y;
      }
      const touch = this.touches[this.count - 1];
      touch.give = lengths[i] / (kappa * areas[i]);
      touch.slot = slotOf[i];
    }
    this.findCorners(near);
    if (this.roundSides.length > 0) this.findBends(near);
  }

  /** Corners and arcs of B in A, or near to it */
  private findCorners(near: number): void {
    const { a, corners, slotOf, sidesA, cornerGive, rounds } = this;
    const { surface } = a;
    const reach = reachOf(surface);
    let more = reach + near;
    for (let k = 0; k < this.nA; k++) more += this.mostA[k] * Math.abs(this.qA[k]);
    let placed = false;
    for (let i = 0; i < corners; i++) {
      this.cornerOfB(i);
      const { x, y } = this;
      if (!this.nearSides(x, y, more)) continue;
      if (!placed) this.placeA();
      placed = true;
      if (sidesA.outside(x, y) > near) continue;
      if (!this.footOf(surface.pointCount + i, x, y, sidesA, reach + near) || FOOT.gap >= near) continue;
      this.put(FOOT, -1 - i, surface.pointCount + i, 0, cornerGive[i], slotOf[surface.pointCount + i]);
    }
    for (let k = 0; k < rounds.length; k++) {
      this.fromB(rounds[k].centre[0], rounds[k].centre[1]);
      if (!this.nearSides(this.x, this.y, more + rounds[k].radius)) continue;
      if (!placed) this.placeA();
      placed = true;
      this.findRound(k, near);
    }
  }

  /** An arc of B, whose centre is at `x`, `y`: all places of A that are nearer to it than those beside them, else one of its ends */
  private findRound(k: number, near: number): void {
    const { sidesA, rounds, x, y } = this;
    const reach = reachOf(this.a.surface);
    const { radius } = rounds[k];
    if (sidesA.outside(x, y) > radius + near) return;
    const n = sidesA.nearby(x, y, radius + near);
    let any = false;
    for (let i = 0; i < n; i++) {
      const foot = sidesA.feet[i];
      if (foot.gap < 0 || !this.faces(k, foot)) continue;
      this.putRound(foot, k, radius);
      any = true;
    }
    if (any || n === 0 || !sidesA.find(x, y, radius + near, FOOT)) return;
    if (this.faces(k, FOOT)) {
      // its centre is inside
      if (-FOOT.gap < reach) this.putRound(FOOT, k, radius);
    } else if (
      this.endTowards(k) &&
      !(sidesA.outside(this.x, this.y) > near) &&
      sidesA.find(this.x, this.y, reach + near, FOOT) &&
      FOOT.gap < near
    )
      this.putRound(FOOT, k, 0);
  }

  private putRound(foot: SideFoot, k: number, radius: number): void {
    const { a, corners, slotOf, roundGive } = this;
    const { pointCount, sideCount } = a.surface;
    const place = pointCount + corners + k * sideCount + foot.side;
    this.put(foot, -1 - corners - k, place, radius, roundGive, slotOf[3 * foot.side + 1]);
  }

  /** The end of arc k that lies `towards` a place that it does not face, into `x`, `y`; false: the arc after it does */
  private endTowards(k: number): boolean {
    const { centre, radius, from, to, goesOn } = this.rounds[k];
    const [u, v] = this.towards;
    const atStart = from[0] * u + from[1] * v > to[0] * u + to[1] * v;
    if (goesOn[atStart ? 0 : 1]) return false;
    const end = atStart ? from : to;
    this.fromB(centre[0] + radius * end[0], centre[1] + radius * end[1]);
    return true;
  }

  /** Whether arc k faces a place of A with its sweep; its direction in B's axes into `towards` */
  private faces(k: number, { nx, ny }: SideFoot): boolean {
    const { c, s, towards } = this;
    towards[0] = -(c * nx + s * ny);
    towards[1] = s * nx - c * ny;
    return sweeps(this.rounds[k], towards[0], towards[1]);
  }
  private readonly towards: [number, number] = [0, 0];

  /** A touch of a place on A's side, from a point of B at `x`, `y` with so much around it */
  private put(foot: SideFoot, index: number, place: number, radius: number, give: number, slot: number): void {
    const { x, y } = this;
    const touch = this.next();
    touch.index = index;
    touch.place = place;
    touch.bends = false;
    touch.radius = radius;
    touch.x = x;
    touch.y = y;
    touch.foot.copy(foot);
    touch.depth = radius - foot.gap;
    touch.nx = -foot.nx;
    touch.ny = -foot.ny;
    touch.ax = x - foot.ox;
    touch.ay = y - foot.oy;
    touch.bx = x + radius * touch.nx;
    touch.by = y + radius * touch.ny;
    touch.give = give;
    touch.slot = slot;
  }

  /** Round sides of A on straight edges of B */
  private findBends(near: number): void {
    const { a, roundSides, found, slotOf, roundGive } = this;
    const { surface } = a;
    let placed = false;
    for (let i = 0; i < roundSides.length; i++) {
      const side = roundSides[i];
      if (!this.meets(Math.floor(side / GROUP), near)) continue;
      if (!placed) this.placeA();
      placed = true;
      if (!this.bendsOver(side) || found.gap >= near) continue;
      this.x = FOOT.ox;
      this.y = FOOT.oy;
      FOOT.ox = FOOT.oy = 0;
      const place = surface.pointCount + this.corners + this.rounds.length * surface.sideCount + side;
      const index = -1 - this.corners - this.rounds.length;
      this.put(FOOT, index, place, 0, roundGive, slotOf[3 * side + 1]);
      this.touches[this.count - 1].bends = true;
    }
  }

  /** The place of a side that is nearest to a straight edge of B, n · E' = 0, with its distance into FOOT; `ox`, `oy` are then where it is. False: there is none */
  private bendsOver(side: number): boolean {
    const { found, sidesA } = this;
    const { sides, after, turns } = this.a.surface;
    const { nodes: x } = sidesA;
    const middle = 2 * sides[3 * side + 2];
    if (!this.gapToB(x[middle], x[middle + 1]) || found.curvature !== 0) return false;
    const { nx, ny } = this;
    let xi = this.lowest(side, nx, ny);
    if (!(xi > -1)) return false;
    FOOT.atEnd = xi >= 1;
    if (xi >= 1) {
      // between this side and the next
      const next = after[side];
      if (next < 0 || !(Math.abs(turns[sides[3 * side + 1]]) < BLUNT) || this.lowest(next, nx, ny) > -1) return false;
      xi = 1;
    }
    placeOnSide(x, sides, side, xi, FOOT);
    if (!this.gapToB(FOOT.ox, FOOT.oy) || found.curvature !== 0 || !(this.nx * nx + this.ny * ny > ONE)) return false;
    FOOT.nx = -nx;
    FOOT.ny = -ny;
    FOOT.gap = found.gap;
    return true;
  }

  /** ξ of the place of a side that is farthest along −n, which may lie beyond its ends; −∞: it does not bend so */
  private lowest(side: number, nx: number, ny: number): number {
    const { nodes: x } = this.sidesA;
    const { sides } = this.a.surface;
    const [p, q, m] = [2 * sides[3 * side], 2 * sides[3 * side + 1], 2 * sides[3 * side + 2]];
    const slope = nx * (x[q] - x[p]) + ny * (x[q + 1] - x[p + 1]);
    const bend = nx * (x[p] + x[q] - 2 * x[m]) + ny * (x[p + 1] + x[q + 1] - 2 * x[m + 1]);
    return bend > 0 ? (-0.5 * slope) / bend : Number.NEGATIVE_INFINITY;
  }

  /** Of a place in A's axes from a rigid B: into `found`, its direction in A's axes into `nx`, `ny`. False: far away */
  private gapToB(x: number, y: number): boolean {
    const { c, s, px, py, found } = this;
    const [dx, dy] = [x - px, y - py];
    const near = (this.b as RigidOutline).find(c * dx + s * dy, c * dy - s * dx, found);
    this.nx = c * found.nx - s * found.ny;
    this.ny = s * found.nx + c * found.ny;
    return near;
  }
  private nx = 0;
  private ny = 0;

  /** The bristle of a touch: of arcs and edges of B that of the side they are on */
  slotAt({ index, foot }: Touch): number {
    const { slotOf, a, corners } = this;
    if (index >= 0) return slotOf[index];
    return slotOf[-1 - index < corners ? a.surface.pointCount - 1 - index : 3 * foot.side + 1];
  }

  /** Where an undeformed corner of B is */
  cornerAt(i: number): readonly [number, number] {
    const { cornerPlaces: at, px, py, c, s } = this;
    const [u, v] = [at[2 * i], at[2 * i + 1]];
    return [px + c * u - s * v, py + s * u + c * v];
  }

  private next(): Touch {
    if (this.count === this.touches.length) {
      const touch = new Touch();
      touch.phiA = new Float64Array(2 * this.nA);
      touch.slideA = new Float64Array(2 * this.nA);
      touch.phiB = new Float64Array(2 * this.nB);
      touch.slideB = new Float64Array(2 * this.nB);
      touch.bendA = new Float64Array(2 * this.nA);
      touch.bendB = new Float64Array(2 * this.nB);
      this.touches.push(touch);
    }
    return this.touches[this.count++];
  }

  /**
   * How near the parts are: `visit` gets gap and closing speed of each point that does not touch, m and m/s; of points that are far away a
   * distance that is not too large and a speed that is not too small. It tells the time, s, by which a point would have to touch to be of any interest; others may be left out.
   */
  approach(visit: (gap: number, closing: number) => number): void {
    const { a, b, phi, etaA, nA, nB, c, s, px, py, velocity: v, found, etaB } = this;
    const { surface } = a;
    const soft = isSoft(b) ? b : undefined;
    const { sidesA, sidesB, mostB } = this;
    if (soft && sidesB) this.placeB(soft, sidesB);
    const { pointCount } = surface;
    let until = Number.POSITIVE_INFINITY;
    let ownB = 0;
    for (let k = 0; k < nB; k++) ownB += mostB[k] * Math.abs(etaB[k]);
    for (let i = 0; i < pointCount; i++) {
      this.pointAt(i);
      const { x, y } = this;
      let vx = 0;
      let vy = 0;
      const f = 2 * nA * i;
      for (let k = 0; k < nA; k++) {
        vx += phi[f + 2 * k] * etaA[k];
        vy += phi[f + 2 * k + 1] * etaA[k];
      }
      const dx = x - px;
      const dy = y - py;
      vx += v[0] - v[2] * y - v[3] + v[5] * dy;
      vy += v[1] + v[2] * x - v[4] - v[5] * dx;
      if (soft && sidesB) {
        const { longestSide } = soft.surface;
        const away = Math.max(sidesB.outside(x, y), 0);
        const most = Math.sqrt(vx * vx + vy * vy) + ownB;
        if (away > longestSide) {
          until = visit(away, most);
          continue;
        }
        const reach = Math.min(NEAR * longestSide, MORE * until * most);
        if (!this.footOf(i, x, y, sidesB, reach)) {
          if (reach === NEAR * longestSide) until = visit(reach, most);
          continue;
        }
        let mx = 0;
        let my = 0;
        sideShapes(soft, FOOT, PHI, SLIDE);
        for (let k = 0; k < nB; k++) {
          mx += PHI[2 * k] * etaB[k];
          my += PHI[2 * k + 1] * etaB[k];
        }
        if (FOOT.gap >= 0)
          until = visit(FOOT.gap, -(FOOT.nx * (vx - c * mx + s * my) + FOOT.ny * (vy - s * mx - c * my)));
        continue;
      }
      const near = (b as RigidOutline).find(c * dx + s * dy, c * dy - s * dx, found);
      if (!near) until = visit(found.gap, Math.sqrt(vx * vx + vy * vy));
      else if (found.gap >= 0) {
        const nx = c * found.nx - s * found.ny;
        const ny = s * found.nx + c * found.ny;
        until = visit(found.gap, -(nx * vx + ny * vy));
      }
    }
    if (this.placeCount === pointCount) return;
    this.placeA();
    for (let i = 0; i < this.corners; i++) {
      this.cornerOfB(i);
      let mx = 0;
      let my = 0;
      if (soft) {
        const node = soft.surface.nodes[3 * (soft.surface.firstCorner + i)];
        for (let k = 0; k < nB; k++) {
          mx += soft.shapes[k][2 * node] * etaB[k];
          my += soft.shapes[k][2 * node + 1] * etaB[k];
        }
      }
      until = this.approachSides(c * mx - s * my, s * mx + c * my, 0, pointCount + i, until, visit);
    }
    for (let k = 0; k < this.rounds.length; k++) {
      const { centre, radius } = this.rounds[k];
      this.fromB(centre[0], centre[1]);
      const { longestSide } = surface;
      const isNear =
        sidesA.outside(this.x, this.y) <= longestSide + radius &&
        sidesA.find(this.x, this.y, NEAR * longestSide + radius, FOOT);
      if (!isNear || this.faces(k, FOOT)) until = this.approachSides(0, 0, radius, -1, until, visit);
      else if (this.endTowards(k)) until = this.approachSides(0, 0, 0, -1, until, visit);
    }
    for (let i = 0; i < this.roundSides.length; i++) {
      if (!this.bendsOver(this.roundSides[i]) || FOOT.gap < 0) continue;
      this.x = FOOT.ox;
      this.y = FOOT.oy;
      visit(FOOT.gap, this.closingAt(0, 0));
    }
  }

  /** Of a point of B at `x`, `y` with so much around it, which moves by so much beside what B's frame does. @param number of a corner, −1: of none */
  private approachSides(
    mx: number,
    my: number,
    radius: number,
    number: number,
    until: number,
    visit: (gap: number, closing: number) => number,
  ): number {
    const { sidesA, x, y, velocity: v, py, px, mostA, etaA } = this;
    const { longestSide } = this.a.surface;
    const away = Math.max(sidesA.outside(x, y) - radius, 0);
    const vx = v[3] - v[5] * (y - py) + mx - v[0] + v[2] * y;
    const vy = v[4] + v[5] * (x - px) + my - v[1] - v[2] * x;
    let most = Math.sqrt(vx * vx + vy * vy);
    for (let k = 0; k < this.nA; k++) most += mostA[k] * Math.abs(etaA[k]);
    if (away > longestSide) return visit(away, most);
    const far = NEAR * longestSide;
    const reach = Math.min(far, MORE * until * most);
    const found =
      number < 0 ? sidesA.find(x, y, radius + reach, FOOT) : this.footOf(number, x, y, sidesA, radius + reach);
    if (!found) return reach === far ? visit(far, most) : until;
    return FOOT.gap < radius ? until : visit(FOOT.gap - radius, this.closingAt(mx, my));
  }

  /** How fast a point of B at `x`, `y` nears the place of A's sides in FOOT */
  private closingAt(mx: number, my: number): number {
    const { x, y, velocity: v, px, py, etaA } = this;
    let vx = v[3] - v[5] * (y - py) + mx - v[0] + v[2] * y;
    let vy = v[4] + v[5] * (x - px) + my - v[1] - v[2] * x;
    sideShapes(this.a, FOOT, PHI, SLIDE);
    for (let k = 0; k < this.nA; k++) {
      vx -= PHI[2 * k] * etaA[k];
      vy -= PHI[2 * k + 1] * etaA[k];
    }
    return -(FOOT.nx * vx + FOOT.ny * vy);
  }
}

const FOOT = new SideFoot();
const PHI = new Float64Array(512);
const SLIDE = new Float64Array(512);

/** A place of a side: shape functions, E', E'', and E itself in `ox`, `oy` */
function placeOnSide(x: Float64Array, sides: Int32Array, side: number, xi: number, out: SideFoot): void {
  const { shape: n } = out;
  out.side = side;
  out.xi = xi;
  sideShape(xi, true, n);
  out.ox = out.oy = out.tx = out.ty = out.bx = out.by = 0;
  for (let j = 0; j < 3; j++) {
    const [u, v] = [x[2 * sides[3 * side + j]], x[2 * sides[3 * side + j] + 1]];
    out.ox += n[j] * u;
    out.oy += n[j] * v;
    out.tx += n[3 + j] * u;
    out.ty += n[3 + j] * v;
    out.bx += n[6 + j] * u;
    out.by += n[6 + j] * v;
  }
}

/** Sides whose middle stands outward of their chord */
function roundSidesOf({ mesh, sides, sideCount }: ContactSurface): Int32Array {
  if (mesh.nodesPerElement !== 6) return new Int32Array(0);
  const { points } = mesh;
  const round: number[] = [];
  for (let s = 0; s < sideCount; s++) {
    const [p, q, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
    const [dx, dy] = [points[q] - points[p], points[q + 1] - points[p + 1]];
    const [ux, uy] = [points[m] - points[p], points[m + 1] - points[p + 1]];
    if (dy * ux - dx * uy > ROUND * (dx * dx + dy * dy)) round.push(s);
  }
  return Int32Array.from(round);
}

/** Largest radius of some sides, h²/(8 arrow), m */
function radiusOf({ mesh, sides }: ContactSurface, round: Int32Array): number {
  const { points: x } = mesh;
  let most = 0;
  for (const s of round) {
    const [p, q, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
    const [dx, dy] = [x[q] - x[p], x[q + 1] - x[p + 1]];
    const [ux, uy] = [x[m] - (x[p] + x[q]) / 2, x[m + 1] - (x[p + 1] + x[q + 1]) / 2];
    most = Math.max(most, (dx * dx + dy * dy) / (8 * Math.sqrt(ux * ux + uy * uy)));
  }
  return most;
}

/** Points of the sides of a group */
const POINTS = 3 * GROUP;

/** Around all points of a surface, and a bit: left, low, right, high */
function boxOf({ places, longestSide }: ContactSurface, from = 0, to = places.length / 2): Float64Array {
  const box = Float64Array.from([Infinity, Infinity, -Infinity, -Infinity]);
  for (let i = from; i < to; i++)
    for (let j = 0; j < 2; j++) {
      box[j] = Math.min(box[j], places[2 * i + j] - 0.5 * longestSide);
      box[2 + j] = Math.max(box[2 + j], places[2 * i + j] + 0.5 * longestSide);
    }
  return box;
}

/** Cells of a grid that some box comes near to within a margin */
class NearMap {
  private readonly cells = new Uint8Array(NEAR_CELLS * NEAR_CELLS);
  private readonly low: [number, number] = [Infinity, Infinity];
  private readonly cell: number;

  constructor(
    boxes: Float64Array,
    readonly margin: number,
  ) {
    const high = [-Infinity, -Infinity];
    for (let at = 0; at < boxes.length; at += 4)
      for (let j = 0; j < 2; j++) {
        this.low[j] = Math.min(this.low[j], boxes[at + j] - margin);
        high[j] = Math.max(high[j], boxes[at + 2 + j] + margin);
      }
    this.cell = Math.max(high[0] - this.low[0], high[1] - this.low[1]) / (NEAR_CELLS - 1e-6);
    const place = (x: number, axis: number): number => Math.floor((x - this.low[axis]) / this.cell);
    for (let at = 0; at < boxes.length; at += 4)
      for (let r = place(boxes[at + 1] - margin, 1); r <= place(boxes[at + 3] + margin, 1); r++)
        for (let c = place(boxes[at] - margin, 0); c <= place(boxes[at + 2] + margin, 0); c++)
          this.cells[r * NEAR_CELLS + c] = 1;
  }

  has(x: number, y: number): boolean {
    const column = Math.floor((x - this.low[0]) / this.cell);
    const row = Math.floor((y - this.low[1]) / this.cell);
    if (!(column >= 0 && column < NEAR_CELLS && row >= 0 && row < NEAR_CELLS)) return false;
    return this.cells[row * NEAR_CELLS + column] !== 0;
  }
}

const NEAR_CELLS = 64;

function groupBoxesOf(surface: ContactSurface): Float64Array {
  const boxes: number[] = [];
  for (let i = 0; i < surface.firstCorner; i += POINTS)
    boxes.push(...boxOf(surface, i, Math.min(i + POINTS, surface.firstCorner)));
  return Float64Array.from(boxes);
}

/** Farther away than so many sides the nearest side is not looked for. */
const NEAR = 4;
/** For rounding: a distance that is not reached in time */
const MORE = 1 + 1e-9;

function largestShapes({ shapes, surface }: SoftSide): Float64Array {
  return Float64Array.from(shapes, (shape) => {
    let most = 0;
    for (const node of surface.boundary)
      most = Math.max(most, shape[2 * node] * shape[2 * node] + shape[2 * node + 1] * shape[2 * node + 1]);
    return Math.sqrt(most);
  });
}

/** A point deeper than so much is not seen. */
const reachOf = ({ longestSide }: ContactSurface): number => longestSide;
