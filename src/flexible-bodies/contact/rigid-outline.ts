/**
 * Distance from the outline of a rigid shape in its plane: negative inside, with the outward direction and the curvature of the line of equal
 * distance, so that the derivatives of distance and direction are exact:
 *
 *   dg = n · dx,    dn = c t (t · dx)
 *
 * Nearest of straight edges, arcs and corners. Where the nearest thing is a corner itself, the sum of the normals on both sides of it tells
 * inside from outside.
 */
import { arcCircle, bulgeOf, edgeTangents } from '../../geometry/arc.js';
import { outlineBounds } from '../../geometry/outline.js';
import type { Outline, Profile } from '../../geometry/profile.js';
import { type OutlineCorner, outlineCorners, type RoundEdge, roundEdges } from './outline-features.js';

export interface Foot {
  /** m; negative inside */
  gap: number;
  nx: number;
  ny: number;
  /** c, 1/m */
  curvature: number;
}

/** What a rigid body has in the plane of a flexible one */
export type RigidShape =
  /** Everything below a line: n · x ≤ offset */
  | { readonly kind: 'halfPlane'; readonly normal: readonly [number, number]; readonly offset: number }
  | { readonly kind: 'outline'; readonly profile: Profile };

/** Cells along the longer side of the box around an outline */
const CELLS = 48;
/** The box reaches so much of its size beyond the outline; further away only the box counts */
const BEYOND = 0.25;

export class RigidOutline {
  /** Convex corners and arcs, which may dip into the other body between its points */
  readonly corners: readonly OutlineCorner[];
  readonly rounds: readonly RoundEdge[];
  /** Of the outline itself, and of the box within which distances are told */
  readonly least: readonly [number, number];
  readonly most: readonly [number, number];
  readonly min: readonly [number, number];
  readonly max: readonly [number, number];
  private readonly plane: { nx: number; ny: number; offset: number } | undefined;
  /** 8 per edge: ax ay bx by | cx cy r sense; sense 0 straight, ±1 an arc that turns left or right */
  private readonly edges: Float64Array;
  private readonly edgeCount: number;
  /** 2 per edge: outward at the corner where it starts, the sum of both edges' normals */
  private readonly outward: Float64Array;
  private readonly cell: number = 1;
  private readonly columns: number = 0;
  private readonly rows: number = 0;
  private readonly start: Int32Array = new Int32Array(1);
  private readonly listed: Int32Array = new Int32Array(0);
  /** 1 per cell that lies wholly outside */
  private readonly clear: Uint8Array = new Uint8Array(0);

  constructor(shape: RigidShape) {
    if (shape.kind === 'halfPlane') {
      this.plane = { nx: shape.normal[0], ny: shape.normal[1], offset: shape.offset };
      this.edges = new Float64Array(0);
      this.edgeCount = 0;
      this.outward = new Float64Array(0);
      this.corners = [];
      this.rounds = [];
      this.min = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
      this.max = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      this.least = this.min;
      this.most = this.max;
      return;
    }
    const edges: number[] = [];
    const outward: number[] = [];
    const loops = [shape.profile.outer, ...shape.profile.holes];
    for (const loop of loops) this.addLoop(loop, edges, outward);
    this.edges = Float64Array.from(edges);
    this.edgeCount = edges.length / 8;
    this.outward = Float64Array.from(outward);
    this.corners = loops.flatMap(outlineCorners);
    this.rounds = loops.flatMap(roundEdges);
    const { min, max } = outlineBounds(shape.profile.outer);
    this.least = min;
    this.most = max;
    const size = Math.max(max[0] - min[0], max[1] - min[1]);
    this.min = [min[0] - BEYOND * size, min[1] - BEYOND * size];
    this.max = [max[0] + BEYOND * size, max[1] + BEYOND * size];
    this.cell = (size * (1 + 2 * BEYOND)) / CELLS;
    this.columns = Math.ceil((this.max[0] - this.min[0]) / this.cell);
    this.rows = Math.ceil((this.max[1] - this.min[1]) / this.cell);
    [this.start, this.listed] = this.makeCells();
    this.clear = this.clearCells();
  }

  private addLoop(loop: Outline, edges: number[], outward: number[]): void {
    const n = loop.length;
    for (let i = 0; i < n; i++) {
      const p = loop[i];
      const q = loop[(i + 1) % n];
      const bulge = bulgeOf(p);
      if (bulge === 0) edges.push(p[0], p[1], q[0], q[1], 0, 0, 0, 0);
      else {
        const { centre, radius } = arcCircle(p, q, bulge);
        edges.push(p[0], p[1], q[0], q[1], centre[0], centre[1], Math.abs(radius), Math.sign(bulge));
      }
      const before = loop[(i + n - 1) % n];
      const [, into] = edgeTangents(before, p, bulgeOf(before));
      const [out] = edgeTangents(p, q, bulge);
      outward.push(into[1] + out[1], -into[0] - out[0]);
    }
  }

  /** Per cell the edges that are nearest to one of its points */
  private makeCells(): [Int32Array, Int32Array] {
    const { columns, rows, cell, min, edgeCount } = this;
    const start = new Int32Array(columns * rows + 1);
    const listed: number[] = [];
    const half = (cell * Math.SQRT2) / 2;
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) {
        const x = min[0] + (c + 0.5) * cell;
        const y = min[1] + (r + 0.5) * cell;
        let least = Number.POSITIVE_INFINITY;
        for (let e = 0; e < edgeCount; e++) least = Math.min(least, this.away(e, x, y));
        for (let e = 0; e < edgeCount; e++) if (this.away(e, x, y) <= least + 2 * half * (1 + 1e-9)) listed.push(e);
        start[r * columns + c + 1] = listed.length;
      }
    return [start, Int32Array.from(listed)];
  }

  private clearCells(): Uint8Array {
    const { columns, rows, cell, min } = this;
    const foot: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
    return Uint8Array.from({ length: columns * rows }, (_, at) => {
      this.find(min[0] + ((at % columns) + 0.5) * cell, min[1] + (Math.floor(at / columns) + 0.5) * cell, foot);
      return foot.gap > cell ? 1 : 0;
    });
  }

  /** So far all points are away that `isClear` tells, m */
  get clearance(): number {
    return this.plane ? Number.POSITIVE_INFINITY : 0.29 * this.cell;
  }

  /** True for most of the points that are outside; cheap */
  isClear(x: number, y: number): boolean {
    const { plane, min, max, cell, columns, rows } = this;
    if (plane) return false;
    if (x < min[0] || x > max[0] || y < min[1] || y > max[1]) return true;
    const column = Math.min(columns - 1, Math.floor((x - min[0]) / cell));
    const row = Math.min(rows - 1, Math.floor((y - min[1]) / cell));
    return this.clear[row * columns + column] !== 0;
  }

  /** Distance from one edge, both of its ends included */
  private away(e: number, x: number, y: number): number {
    const foot: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
    const [dx, dy] = [x - this.edges[8 * e + 2], y - this.edges[8 * e + 3]];
    return Math.min(this.near(e, x, y, Number.POSITIVE_INFINITY, foot), Math.sqrt(dx * dx + dy * dy));
  }

  /** Distance from the inside of one edge, else from its start; the end is the next one's start. Fills `out` where it is less than `best`. */
  private near(e: number, x: number, y: number, best: number, out: Foot): number {
    const { edges } = this;
    const k = 8 * e;
    const [ax, ay, bx, by] = [edges[k], edges[k + 1], edges[k + 2], edges[k + 3]];
    const sense = edges[k + 7];
    if (sense === 0) {
      const [dx, dy] = [bx - ax, by - ay];
      const square = dx * dx + dy * dy;
      const along = ((x - ax) * dx + (y - ay) * dy) / square;
      if (along > 0 && along < 1) {
        const length = Math.sqrt(square);
        const gap = ((x - ax) * dy - (y - ay) * dx) / length;
        const size = Math.abs(gap);
        if (size < best) {
          out.gap = gap;
          out.nx = dy / length;
          out.ny = -dx / length;
          out.curvature = 0;
        }
        return size;
      }
    } else {
      const [cx, cy, radius] = [edges[k + 4], edges[k + 5], edges[k + 6]];
      const [ux, uy] = [x - cx, y - cy];
      // within the sweep: left of the ray to the start and right of that to the end, or not on the other side for more than half a turn
      const fromStart = sense * ((ax - cx) * uy - (ay - cy) * ux);
      const toEnd = sense * (ux * (by - cy) - uy * (bx - cx));
      const turn = sense * ((ax - cx) * (by - cy) - (ay - cy) * (bx - cx));
      const inside = turn >= 0 ? fromStart > 0 && toEnd > 0 : fromStart > 0 || toEnd > 0;
      const from = Math.sqrt(ux * ux + uy * uy);
      if (inside && from > 0) {
        const gap = sense * (from - radius);
        const size = Math.abs(gap);
        if (size < best) {
          out.gap = gap;
          out.nx = (sense * ux) / from;
          out.ny = (sense * uy) / from;
          out.curvature = sense / from;
        }
        return size;
      }
    }
    const [px, py] = [x - ax, y - ay];
    const size = Math.sqrt(px * px + py * py);
    const [outX, outY] = [this.outward[2 * e], this.outward[2 * e + 1]];
    if (size === 0) {
      // the corner itself, where no direction from it tells: that between its two edges
      const length = Math.sqrt(outX * outX + outY * outY);
      out.gap = 0;
      out.nx = length > 0 ? outX / length : (by - ay) / Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
      out.ny = length > 0 ? outY / length : (ax - bx) / Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
      out.curvature = 0;
    } else if (size < best) {
      const sign = px * outX + py * outY < 0 ? -1 : 1;
      out.gap = sign * size;
      out.nx = (sign * px) / size;
      out.ny = (sign * py) / size;
      out.curvature = sign / size;
    }
    return size;
  }

  /** False where the point is farther away than the box reaches: `gap` is then how far the box of the outline itself is away. */
  find(x: number, y: number, out: Foot): boolean {
    const { plane, min, max, least, most, cell, columns, rows, start, listed } = this;
    if (plane) {
      out.gap = plane.nx * x + plane.ny * y - plane.offset;
      out.nx = plane.nx;
      out.ny = plane.ny;
      out.curvature = 0;
      return true;
    }
    if (x < min[0] || x > max[0] || y < min[1] || y > max[1]) {
      out.gap = Math.max(least[0] - x, x - most[0], least[1] - y, y - most[1]);
      return false;
    }
    const column = Math.min(columns - 1, Math.floor((x - min[0]) / cell));
    const row = Math.min(rows - 1, Math.floor((y - min[1]) / cell));
    const at = row * columns + column;
    let best = Number.POSITIVE_INFINITY;
    for (let k = start[at]; k < start[at + 1]; k++) best = Math.min(best, this.near(listed[k], x, y, best, out));
    return true;
  }
}
