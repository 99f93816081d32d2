/** How near two parts are in their plane that do not touch yet, and how fast they close in. */
import type { PlanePlaces } from './plane-places.js';
import type { RigidOutline } from './rigid-outline.js';
import { isSoft, sideShapes } from './soft-side.js';

/** Gets the gap of a place, m, and how fast it closes, m/s; tells until when others are of interest, s */
type Visit = (gap: number, closing: number) => number;

export class Approach {
  // displacement of a place of a side per coordinate, 2 each, and by ξ
  private readonly shape: Float64Array;
  private readonly slide: Float64Array;

  constructor(private readonly plane: PlanePlaces) {
    this.shape = new Float64Array(2 * Math.max(plane.nA, plane.nB));
    this.slide = new Float64Array(this.shape.length);
  }

  /**
   * How near the parts are: `visit` gets gap and closing speed of each point that does not touch, m and m/s; of points that are far away a
   * distance that is not too large and a speed that is not too small. It tells the time, s, by which a point would have to touch to be of any interest; others may be left out.
   */
  look(visit: Visit): void {
    const { plane, shape } = this;
    const { a, b, phi, etaA, nA, nB, c, s, px, py, velocity: v, found, etaB, nearest } = plane;
    const { surface } = a;
    const soft = isSoft(b) ? b : undefined;
    const { sidesA, sidesB, mostB } = plane;
    if (soft && sidesB) plane.placeB(soft, sidesB);
    const { pointCount } = surface;
    let until = Number.POSITIVE_INFINITY;
    let ownB = 0;
    for (let k = 0; k < nB; k++) ownB += mostB[k] * Math.abs(etaB[k]);
    for (let i = 0; i < pointCount; i++) {
      plane.pointAt(i);
      const { x, y } = plane;
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
        if (!plane.footOf(i, x, y, sidesB, reach)) {
          if (reach === NEAR * longestSide) until = visit(reach, most);
          continue;
        }
        let mx = 0;
        let my = 0;
        sideShapes(soft, nearest, shape, this.slide);
        for (let k = 0; k < nB; k++) {
          mx += shape[2 * k] * etaB[k];
          my += shape[2 * k + 1] * etaB[k];
        }
        if (nearest.gap >= 0)
          until = visit(nearest.gap, -(nearest.nx * (vx - c * mx + s * my) + nearest.ny * (vy - s * mx - c * my)));
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
    if (plane.placeCount === pointCount) return;
    plane.placeA();
    for (let i = 0; i < plane.corners; i++) {
      plane.cornerOfB(i);
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
    for (let k = 0; k < plane.rounds.length; k++) {
      const { centre, radius } = plane.rounds[k];
      plane.fromB(centre[0], centre[1]);
      const { longestSide } = surface;
      const isNear =
        sidesA.outside(plane.x, plane.y) <= longestSide + radius &&
        sidesA.find(plane.x, plane.y, NEAR * longestSide + radius, nearest);
      if (!isNear || plane.faces(k, nearest)) until = this.approachSides(0, 0, radius, -1, until, visit);
      else if (plane.endTowards(k)) until = this.approachSides(0, 0, 0, -1, until, visit);
    }
    for (let i = 0; i < plane.roundSides.length; i++) {
      if (!plane.bendsOver(plane.roundSides[i]) || nearest.gap < 0) continue;
      plane.x = nearest.ox;
      plane.y = nearest.oy;
      visit(nearest.gap, this.closingAt(0, 0));
    }
  }

  /** Of a point of B at `x`, `y` with so much around it, which moves by so much beside what B's frame does. @param number of a corner, −1: of none */
  private approachSides(mx: number, my: number, radius: number, number: number, until: number, visit: Visit): number {
    const { plane } = this;
    const { a, sidesA, x, y, velocity: v, py, px, mostA, etaA, nA, nearest } = plane;
    const { longestSide } = a.surface;
    const away = Math.max(sidesA.outside(x, y) - radius, 0);
    const vx = v[3] - v[5] * (y - py) + mx - v[0] + v[2] * y;
    const vy = v[4] + v[5] * (x - px) + my - v[1] - v[2] * x;
    let most = Math.sqrt(vx * vx + vy * vy);
    for (let k = 0; k < nA; k++) most += mostA[k] * Math.abs(etaA[k]);
    if (away > longestSide) return visit(away, most);
    const far = NEAR * longestSide;
    const reach = Math.min(far, MORE * until * most);
    const found =
      number < 0 ? sidesA.find(x, y, radius + reach, nearest) : plane.footOf(number, x, y, sidesA, radius + reach);
    if (!found) return reach === far ? visit(far, most) : until;
    return nearest.gap < radius ? until : visit(nearest.gap - radius, this.closingAt(mx, my));
  }

  /** How fast a point of B at `x`, `y` nears the place of A's sides that is nearest to it */
  private closingAt(mx: number, my: number): number {
    const { plane, shape } = this;
    const { a, nA, x, y, velocity: v, px, py, etaA, nearest } = plane;
    let vx = v[3] - v[5] * (y - py) + mx - v[0] + v[2] * y;
    let vy = v[4] + v[5] * (x - px) + my - v[1] - v[2] * x;
    sideShapes(a, nearest, shape, this.slide);
    for (let k = 0; k < nA; k++) {
      vx -= shape[2 * k] * etaA[k];
      vy -= shape[2 * k + 1] * etaA[k];
    }
    return -(nearest.nx * vx + nearest.ny * vy);
  }
}

/** Farther away than so many sides the nearest side is not looked for. */
const NEAR = 4;
/** For rounding: a distance that is not reached in time */
const MORE = 1 + 1e-9;
