/**
 * Where a flexible part A and another part B touch in their common plane:
 *
 *   points of A's surface inside B;
 *   corners of B inside A's sides;
 *   arcs of a rigid B, at the places of A's sides that are nearest to their centres: between its points a side that is long against the radius would dip in unseen, by (0.19 h)²/(2 r);
 *   straight edges of a rigid B, where a side of A that was drawn round bends over them, for the same reason.
 *
 * An arc that does not face A's nearest place with its own sweep touches with the end that is nearer to it, so that nothing jumps where it rolls off on its end.
 */
import { POINTS } from './near-map.js';
import { HARDNESS, PlanePlaces, reachOf } from './plane-places.js';
import type { RigidOutline } from './rigid-outline.js';
import { shareInHollow } from './round-sides.js';
import type { SideFoot } from './side-foot.js';
import { GROUP } from './side-search.js';
import { isSoft, Touch } from './soft-side.js';

/** Beside the corner of an arc another edge is nearer: so much of the depth in its circle a place must be in the part itself. */
const LEAST_DEEP = 0.1;

export class TouchSearch extends PlanePlaces {
  readonly touches: Touch[] = [];
  /** So many of them are there */
  count = 0;

  /** Points nearer than `near` m at the inputs: depth (negative where they do not touch), normal, places. Not yet forces. */
  find(near: number): void {
    const { a, b, c, s, px, py, slotOf, found, nearest } = this;
    const { surface } = a;
    this.count = 0;
    this.surround();
    if (!this.mayMeet(near)) return;
    const soft = isSoft(b) ? b : undefined;
    const { sidesB } = this;
    if (soft && sidesB) this.placeB(soft, sidesB);
    const { pointCount, lengths, areas } = surface;
    const kappa = HARDNESS * a.modulus;
    for (let i = 0; i < pointCount; i++) {
      if (i < surface.firstCorner && i % POINTS === 0 && !this.meets(i / POINTS, near)) {
        i += Math.min(POINTS, surface.firstCorner - i) - 1;
        continue;
      }
      this.pointAt(i);
      const { x, y } = this;
      if (soft && sidesB) {
        if (sidesB.outside(x, y) > near) continue;
        if (!this.footOf(i, x, y, sidesB, reachOf(soft.surface) + near) || nearest.gap >= near) continue;
        const touch = this.next();
        touch.index = touch.place = i;
        touch.foot.copy(nearest);
        touch.depth = -nearest.gap;
        touch.nx = nearest.nx;
        touch.ny = nearest.ny;
        touch.bx = x - nearest.ox;
        touch.by = y - nearest.oy;
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
    const { a, corners, slotOf, sidesA, cornerGive, rounds, nearest } = this;
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
      if (!this.footOf(surface.pointCount + i, x, y, sidesA, reach + near) || nearest.gap >= near) continue;
      this.put(nearest, -1 - i, surface.pointCount + i, 0, cornerGive[i], slotOf[surface.pointCount + i]);
    }
    for (let k = 0; k < rounds.length; k++) {
      const { at, radius } = rounds[k].around;
      this.fromB(at[0], at[1]);
      if (!this.nearSides(this.x, this.y, more + radius)) continue;
      if (!placed) this.placeA();
      placed = true;
      this.findRound(k, near);
    }
  }

  /** An arc of B: all places of A beside it that are nearer to its centre than those next to them, else one of its ends. Deeper than a side they are not seen, as all places. */
  private findRound(k: number, near: number): void {
    const { sidesA, rounds, nearest } = this;
    const reach = reachOf(this.a.surface);
    const { radius, centre, around } = rounds[k];
    this.fromB(around.at[0], around.at[1]);
    const { x: middleX, y: middleY } = this;
    this.fromB(centre[0], centre[1]);
    const { x, y } = this;
    if (sidesA.outside(x, y) > radius + near) return;
    const n = sidesA.nearby(x, y, radius + near, middleX, middleY, around.radius + Math.max(reach, near));
    let any = false;
    for (let i = 0; i < n; i++) {
      const foot = sidesA.feet[i];
      if (foot.gap < 0 || !this.faces(k, foot)) continue;
      any = true;
      if (this.isInside(k, foot)) this.putRound(foot, k, radius);
    }
    if (any || !sidesA.find(x, y, radius + near, nearest)) return;
    if (this.faces(k, nearest)) {
      // its centre is inside
      if (nearest.gap < 0 && -nearest.gap < reach && this.isInside(k, nearest)) this.putRound(nearest, k, radius);
    } else if (
      this.endTowards(k) &&
      !(sidesA.outside(this.x, this.y) > near) &&
      sidesA.find(this.x, this.y, reach + near, nearest) &&
      nearest.gap < near
    )
      this.putRound(nearest, k, 0);
  }

  /**
   * Whether a place of A that is inside the circle of arc k is inside B: the circle may be far wider than what is behind its arc, as that of the flank of a tooth, and has
   * room for a tooth of A in the next gap.
   */
  private isInside(k: number, { gap, ox, oy }: SideFoot): boolean {
    const { kind, radius } = this.rounds[k];
    const depth = radius - gap;
    if (!(depth > 0) || kind === 'circle') return true;
    return this.gapToB(this.x - ox, this.y - oy) && this.found.gap <= -LEAST_DEEP * depth;
  }

  private putRound(foot: SideFoot, k: number, radius: number): void {
    const { a, corners, slotOf, roundGive, hollows } = this;
    const { pointCount, sideCount } = a.surface;
    const share = shareInHollow(radius, hollows[foot.side]);
    if (!(share > 0)) return;
    const place = pointCount + corners + k * sideCount + foot.side;
    this.put(foot, -1 - corners - k, place, radius, roundGive / share, slotOf[3 * foot.side + 1]);
  }

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
    const { a, roundSides, found, slotOf, roundGive, nearest } = this;
    const { surface } = a;
    let placed = false;
    for (let i = 0; i < roundSides.length; i++) {
      const side = roundSides[i];
      if (!this.meets(Math.floor(side / GROUP), near)) continue;
      if (!placed) this.placeA();
      placed = true;
      if (!this.bendsOver(side) || found.gap >= near) continue;
      this.x = nearest.ox;
      this.y = nearest.oy;
      nearest.ox = nearest.oy = 0;
      const place = surface.pointCount + this.corners + this.rounds.length * surface.sideCount + side;
      const index = -1 - this.corners - this.rounds.length;
      this.put(nearest, index, place, 0, roundGive, slotOf[3 * side + 1]);
      this.touches[this.count - 1].bends = true;
    }
  }

  /** The bristle of a touch: of arcs and edges of B that of the side they are on */
  slotAt({ index, foot }: Touch): number {
    const { slotOf, a, corners } = this;
    if (index >= 0) return slotOf[index];
    return slotOf[-1 - index < corners ? a.surface.pointCount - 1 - index : 3 * foot.side + 1];
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
}
