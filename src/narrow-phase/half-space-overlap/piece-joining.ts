/**
 * Pieces of submerged surface that bound one body of the overlap although no edge leads from one to the other:
 *
 * - the cap has a hole whose rim belongs to another piece, as where the plane cuts a hollow ball through its cavity: a rim that runs
 *   clockwise is joined with the smallest counter-clockwise one around it;
 * - a cavity wholly below the plane: along a level line from it, what is met first bounds the same body.
 *
 * Both are rare and looked for only where there is more than one piece.
 */
import type { PlaneFrame } from './plane-frame.js';
import type { SubmergedSurface } from './submerged-surface.js';

export class PieceJoining {
  /** union–find over crossings: roots stand for closed curves in the plane */
  private curve = new Int32Array(32);
  /** one per root: signed area of its curve, m² */
  private area = new Float64Array(32);

  /** Joins the rims of holes in the cap with what surrounds them. */
  joinRims(surface: SubmergedSurface, { normal }: PlaneFrame): void {
    const { crossingCount, cutCount, cuts, points, firstCrossing } = surface;
    if (this.curve.length < crossingCount) {
      this.curve = new Int32Array(2 * crossingCount);
      this.area = new Float64Array(2 * crossingCount);
    }
    const { curve, area } = this;
    for (let i = 0; i < crossingCount; i++) {
      curve[i] = i;
      area[i] = 0;
    }
    for (let i = 0; i < cutCount; i++) {
      const a = this.rootOf(cuts[3 * i] - firstCrossing);
      const b = this.rootOf(cuts[3 * i + 1] - firstCrossing);
      if (a < b) curve[b] = a;
      else curve[a] = b;
    }
    // areas, in the coordinates across the axis along which the normal is longest
    const axis = longest(normal);
    const e = (axis + 1) % 3;
    const f = (axis + 2) % 3;
    const facing = normal[axis] > 0 ? 1 : -1;
    let holes = 0;
    for (let i = 0; i < cutCount; i++) {
      const root = this.rootOf(cuts[3 * i] - firstCrossing);
      const o = 3 * (root + firstCrossing);
      const p = 3 * cuts[3 * i];
      const q = 3 * cuts[3 * i + 1];
      area[root] +=
        facing *
        ((points[p + e] - points[o + e]) * (points[q + f] - points[o + f]) -
          (points[p + f] - points[o + f]) * (points[q + e] - points[o + e]));
    }
    for (let i = 0; i < crossingCount; i++) if (curve[i] === i && area[i] < 0) holes++;
    if (holes === 0) return;

    for (let hole = 0; hole < crossingCount; hole++) {
      if (curve[hole] !== hole || !(area[hole] < 0)) continue;
      let around = -1;
      for (let other = 0; other < crossingCount; other++) {
        if (curve[other] !== other || !(area[other] > 0 - area[hole])) continue;
        if (around >= 0 && area[other] >= area[around]) continue;
        if (this.surrounds(surface, other, 3 * (hole + firstCrossing), e, f)) around = other;
      }
      if (around < 0) continue;
      surface.unite(this.pieceOfCurve(surface, hole), this.pieceOfCurve(surface, around));
    }
  }

  /** Joins cavities without a cut to what is around them. @param isCavity one per shell */
  joinCavities(surface: SubmergedSurface, { normal }: PlaneFrame, isCavity: Uint8Array): void {
    const { topology, wet, wetCount, points, stamp, cutPiece } = surface;
    const { triangles } = topology.mesh;
    // a level direction
    const axis = longest(normal);
    const level = [0, 0, 0];
    level[(axis + 1) % 3] = normal[axis];
    level[axis] = 0 - normal[(axis + 1) % 3];
    const along = (v: number): number =>
      level[0] * points[3 * v] + level[1] * points[3 * v + 1] + level[2] * points[3 * v + 2];
    for (let shell = 0; shell < isCavity.length; shell++) {
      if (isCavity[shell] === 0) continue;
      // its farthest vertex along the line
      let start = -1;
      for (let i = 0; i < wetCount; i++)
        for (let k = 0; k < 3; k++) {
          const v = triangles[3 * wet[i] + k];
          if (topology.shellOf[v] === shell && (start < 0 || along(v) > along(start))) start = v;
        }
      if (start < 0 || cutPiece[surface.findRoot(start)] === stamp) continue;
      let best = -1;
      let nearest = Infinity;
      for (let i = 0; i < wetCount; i++) {
        if (topology.shellOf[triangles[3 * wet[i]]] === shell) continue;
        const distance = hit(points, 3 * start, level, triangles, 3 * wet[i]);
        if (distance >= 0 && distance < nearest) {
          nearest = distance;
          best = wet[i];
        }
      }
      if (best >= 0) surface.unite(start, surface.pieceOf(best));
    }
  }

  private rootOf(i: number): number {
    const { curve } = this;
    while (curve[i] !== i) {
      curve[i] = curve[curve[i]];
      i = curve[i];
    }
    return i;
  }

  private pieceOfCurve(surface: SubmergedSurface, root: number): number {
    const { cuts, cutCount, firstCrossing } = surface;
    let i = 0;
    while (i < cutCount - 1 && this.rootOf(cuts[3 * i] - firstCrossing) !== root) i++;
    return surface.pieceOf(cuts[3 * i + 2]);
  }

  /** Whether a curve goes round the point at points[p …]: an odd number of crossings of the way from it along e. */
  private surrounds(surface: SubmergedSurface, root: number, p: number, e: number, f: number): boolean {
    const { cuts, cutCount, points, firstCrossing } = surface;
    const x = points[p + e];
    const y = points[p + f];
    let inside = false;
    for (let i = 0; i < cutCount; i++) {
      if (this.rootOf(cuts[3 * i] - firstCrossing) !== root) continue;
      const a = 3 * cuts[3 * i];
      const b = 3 * cuts[3 * i + 1];
      const ya = points[a + f] - y;
      const yb = points[b + f] - y;
      if (ya > 0 === yb > 0) continue;
      const at = points[a + e] + (ya / (ya - yb)) * (points[b + e] - points[a + e]);
      if (at > x) inside = !inside;
    }
    return inside;
  }
}

function longest(v: Float64Array): number {
  const x = Math.abs(v[0]);
  const y = Math.abs(v[1]);
  const z = Math.abs(v[2]);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/** How far along a line from points[p …] a triangle is met, −1 if it is not (Möller & Trumbore 1997, doi 10.1080/10867651.1997.10487468). */
function hit(points: Float64Array, p: number, d: readonly number[], triangles: Uint32Array, t: number): number {
  const a = 3 * triangles[t];
  const b = 3 * triangles[t + 1];
  const c = 3 * triangles[t + 2];
  const ux = points[b] - points[a];
  const uy = points[b + 1] - points[a + 1];
  const uz = points[b + 2] - points[a + 2];
  const vx = points[c] - points[a];
  const vy = points[c + 1] - points[a + 1];
  const vz = points[c + 2] - points[a + 2];
  const hx = d[1] * vz - d[2] * vy;
  const hy = d[2] * vx - d[0] * vz;
  const hz = d[0] * vy - d[1] * vx;
  const det = ux * hx + uy * hy + uz * hz;
  if (det === 0) return -1;
  const sx = points[p] - points[a];
  const sy = points[p + 1] - points[a + 1];
  const sz = points[p + 2] - points[a + 2];
  const f = (sx * hx + sy * hy + sz * hz) / det;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const g = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
  const slack = 1e-12; // rather both triangles of an edge than neither
  if (f < -slack || g < -slack || f + g > 1 + slack) return -1;
  return (vx * qx + vy * qy + vz * qz) / det;
}
