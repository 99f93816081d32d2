/**
 * Distance of two extrusions with parallel axes: of their outlines in the plane, and of their heights along the axis. Both trees of boxes are
 * walked together, the nearer pair of boxes first; a pair farther apart than the nearest edges so far is left out (Larsen et al. 1999).
 *
 *   |ab|² = d² + g²,   d of the outlines, 0 where the one's plane lies over the other's;   g of the heights, 0 where they share some
 *
 * Two edges that do not cross are nearest at an end of one of them, or on the line of centres of two arcs. The nearest point of an arc to a
 * point lies on the radius through it (placed-edge.ts).
 */
import type { Separation, ShapePoses } from '../route.js';
import { arcCrossing, arcPlace, crossingPlace } from './arc-crossing.js';
import { PARALLEL } from './extrusion-overlap.js';
import type { Loops } from './loop-body.js';
import { foot, PlacedEdge } from './placed-edge.js';
import { planeShift } from './plane-shift.js';

/** A little less than computed, so that rounding leaves out no pair. */
const ROUND_DOWN = 1 - 1e-12;

export class LoopDistance {
  private readonly nodes: Int32Array;
  private readonly bounds: Float64Array;
  /** 4 by rows and 2: from B's plane to A's */
  private readonly turn = new Float64Array(4);
  private readonly shift = new Float64Array(2);
  /** 2 each: nearest points in A's plane */
  private readonly nearA = new Float64Array(2);
  private readonly nearB = new Float64Array(2);
  private best = 0;

  constructor(
    private readonly a: Loops,
    private readonly b: Loops,
  ) {
    const depth = a.depth + b.depth + 2;
    this.nodes = new Int32Array(2 * depth);
    this.bounds = new Float64Array(depth);
  }

  /** Nearest points at the poses of shapes i and j; false where the axes are not parallel, and nothing is written. */
  evaluate({ rotation, position }: ShapePoses, i: number, j: number, out: Separation): boolean {
    const p = 9 * i;
    const q = 9 * j;
    const entry = (row: number, column: number): number =>
      rotation[p + row] * rotation[q + column] +
      rotation[p + 3 + row] * rotation[q + 3 + column] +
      rotation[p + 6 + row] * rotation[q + 6 + column];
    if (!(Math.abs(entry(0, 2)) <= PARALLEL && Math.abs(entry(1, 2)) <= PARALLEL)) return false;
    const dx = position[3 * j] - position[3 * i];
    const dy = position[3 * j + 1] - position[3 * i + 1];
    const dz = position[3 * j + 2] - position[3 * i + 2];
    const along = (k: number): number => rotation[p + k] * dx + rotation[p + 3 + k] * dy + rotation[p + 6 + k] * dz;
    // an axis that points the other way: B turned by half a turn about its x is the same solid
    const flip = entry(2, 2) < 0;
    const s = flip ? -1 : 1;
    const loops = flip ? this.b.flipped! : this.b;
    const { turn, shift, nearA, nearB } = this;
    turn[0] = entry(0, 0);
    turn[1] = s * entry(0, 1);
    turn[2] = entry(1, 0);
    turn[3] = s * entry(1, 1);
    shift[0] = along(0);
    shift[1] = along(1);
    this.search(loops);
    if (this.best > 0 && this.contains(loops)) this.best = 0;

    // along the axis
    const rise = along(2);
    const above = loops.bottom + rise - this.a.top;
    const below = this.a.bottom - (loops.top + rise);
    const gap = Math.max(0, above, below);
    const middle = 0.5 * (Math.max(this.a.bottom, loops.bottom + rise) + Math.min(this.a.top, loops.top + rise));
    const zA = above > 0 ? this.a.top : below > 0 ? this.a.bottom : middle;
    const zB = above > 0 ? loops.bottom + rise : below > 0 ? loops.top + rise : middle;
    if (this.best === 0) nearA.set(nearB); // one lies over the other
    const distance = Math.sqrt(this.best + gap * gap);
    const scale = distance > 0 ? 1 / distance : 0;
    out.distance = distance;
    for (let k = 0; k < 3; k++) {
      const x = rotation[p + 3 * k];
      const y = rotation[p + 3 * k + 1];
      const z = rotation[p + 3 * k + 2];
      out.pointA[k] = x * nearA[0] + y * nearA[1] + z * zA + position[3 * i + k];
      out.pointB[k] = x * nearB[0] + y * nearB[1] + z * zB + position[3 * i + k];
      out.direction[k] = scale * (x * (nearB[0] - nearA[0]) + y * (nearB[1] - nearA[1]) + z * (zB - zA));
    }
    return true;
  }

  /** Squared distance of the outlines into `best`, and where */
  private search(b: Loops): void {
    const { a, nodes, bounds } = this;
    this.best = Number.POSITIVE_INFINITY;
    planeShift.direction = 1;
    nodes[0] = nodes[1] = 0;
    bounds[0] = 0;
    for (let top = 1; top > 0 && this.best > 0; ) {
      const nodeA = nodes[2 * --top];
      const nodeB = nodes[2 * top + 1];
      if (!(bounds[top] < this.best)) continue;
      const rightA = a.nodes[3 * nodeA + 2];
      const rightB = b.nodes[3 * nodeB + 2];
      if (rightA === 0 && rightB === 0) {
        for (let e = a.nodes[3 * nodeA]; e < a.nodes[3 * nodeA + 1]; e++)
          for (let f = b.nodes[3 * nodeB]; f < b.nodes[3 * nodeB + 1]; f++) this.edges(b, e, f);
        continue;
      }
      // open the larger box; the nearer child comes on top
      const openA =
        rightB === 0 ||
        (rightA !== 0 &&
          a.boxes[4 * nodeA + 2] + a.boxes[4 * nodeA + 3] >= b.boxes[4 * nodeB + 2] + b.boxes[4 * nodeB + 3]);
      const second = openA ? rightA : rightB;
      const first = (openA ? nodeA : nodeB) + 1;
      const d1 = openA ? this.boxes(b, first, nodeB) : this.boxes(b, nodeA, first);
      const d2 = openA ? this.boxes(b, second, nodeB) : this.boxes(b, nodeA, second);
      const near = d2 < d1 ? second : first;
      const far = d2 < d1 ? first : second;
      if (Math.max(d1, d2) < this.best) {
        nodes[2 * top] = openA ? far : nodeA;
        nodes[2 * top + 1] = openA ? nodeB : far;
        bounds[top++] = Math.max(d1, d2);
      }
      if (Math.min(d1, d2) < this.best) {
        nodes[2 * top] = openA ? near : nodeA;
        nodes[2 * top + 1] = openA ? nodeB : near;
        bounds[top++] = Math.min(d1, d2);
      }
    }
  }

  /** No more than the squared distance of two boxes, along the axes of both */
  private boxes(b: Loops, nodeA: number, nodeB: number): number {
    const { turn: r, shift } = this;
    const boxesA = this.a.boxes;
    const boxesB = b.boxes;
    const i = 4 * nodeA;
    const j = 4 * nodeB;
    const x = r[0] * boxesB[j] + r[1] * boxesB[j + 1] + shift[0] - boxesA[i];
    const y = r[2] * boxesB[j] + r[3] * boxesB[j + 1] + shift[1] - boxesA[i + 1];
    const s00 = Math.abs(r[0]);
    const s01 = Math.abs(r[1]);
    const s10 = Math.abs(r[2]);
    const s11 = Math.abs(r[3]);
    const ha = boxesA[i + 2];
    const ka = boxesA[i + 3];
    const hb = boxesB[j + 2];
    const kb = boxesB[j + 3];
    const ax = Math.max(0, Math.abs(x) - ha - s00 * hb - s01 * kb);
    const ay = Math.max(0, Math.abs(y) - ka - s10 * hb - s11 * kb);
    const bx = Math.max(0, Math.abs(r[0] * x + r[2] * y) - hb - s00 * ha - s10 * ka);
    const by = Math.max(0, Math.abs(r[1] * x + r[3] * y) - kb - s01 * ha - s11 * ka);
    return Math.max(ax * ax + ay * ay, bx * bx + by * by) * ROUND_DOWN;
  }

  /** Two edges: they cross, or one of the four ends is nearest to the other edge. */
  private edges(b: Loops, e: number, f: number): void {
    const { turn: r, shift } = this;
    const { vertices: va, next: na } = this.a;
    const { vertices: vb, next: nb } = b;
    const e1 = na[e];
    const f1 = nb[f];
    const px = va[2 * e];
    const py = va[2 * e + 1];
    const ux = va[2 * e1] - px;
    const uy = va[2 * e1 + 1] - py;
    const qx = r[0] * vb[2 * f] + r[1] * vb[2 * f + 1] + shift[0];
    const qy = r[2] * vb[2 * f] + r[3] * vb[2 * f + 1] + shift[1];
    const wx = r[0] * vb[2 * f1] + r[1] * vb[2 * f1 + 1] + shift[0] - qx;
    const wy = r[2] * vb[2 * f1] + r[3] * vb[2 * f1 + 1] + shift[1] - qy;
    if (this.a.sine[e] !== 0 || b.sine[f] !== 0) {
      arcA.set(px, py, px + ux, py + uy, this.a.cosine[e], this.a.sine[e]);
      arcB.set(qx, qy, qx + wx, qy + wy, b.cosine[f], b.sine[f]);
      this.arcs();
      return;
    }
    const dx = qx - px;
    const dy = qy - py;
    // sides of the ends: two changes of sign make a crossing
    const side0 = ux * dy - uy * dx;
    const side1 = side0 + (ux * wy - uy * wx);
    if (side0 * side1 <= 0) {
      const other0 = wy * dx - wx * dy;
      const other1 = other0 + (wx * uy - wy * ux);
      if (other0 * other1 <= 0 && !(side0 === 0 && side1 === 0)) {
        this.best = 0;
        const share = side0 / (side0 - side1);
        this.nearA[0] = this.nearB[0] = qx + share * wx;
        this.nearA[1] = this.nearB[1] = qy + share * wy;
        return;
      }
    }
    const uu = ux * ux + uy * uy;
    const ww = wx * wx + wy * wy;
    this.ends(px, py, ux, uy, uu, qx, qy, 1);
    this.ends(px, py, ux, uy, uu, qx + wx, qy + wy, 1);
    this.ends(qx, qy, wx, wy, ww, px, py, -1);
    this.ends(qx, qy, wx, wy, ww, px + ux, py + uy, -1);
  }

  /** Point (x, y) against the edge from p along u; the point is of B where `side` is 1. */
  private ends(px: number, py: number, ux: number, uy: number, uu: number, x: number, y: number, side: 1 | -1): void {
    const share = uu > 0 ? Math.min(1, Math.max(0, ((x - px) * ux + (y - py) * uy) / uu)) : 0;
    const cx = px + share * ux;
    const cy = py + share * uy;
    this.point(cx, cy, x, y, side);
  }

  /** `arcA` and `arcB` as for `edges` */
  private arcs(): void {
    const { nearA, nearB } = this;
    const { px, py, qx, qy, cosine, sine } = arcA;
    const net = arcCrossing(px, py, qx, qy, cosine, sine, arcB.px, arcB.py, arcB.qx, arcB.qy, arcB.cosine, arcB.sine);
    if (net !== 0) {
      arcPlace(net === -1 ? -1 : 1);
      this.best = 0;
      nearA[0] = nearB[0] = crossingPlace.x;
      nearA[1] = nearB[1] = crossingPlace.y;
      return;
    }
    this.end(arcA, arcB.px, arcB.py, 1);
    this.end(arcA, arcB.qx, arcB.qy, 1);
    this.end(arcB, px, py, -1);
    this.end(arcB, qx, qy, -1);
    // both points of A's circle on the line of centres, if A's edge has them; for a line its foot from B's centre
    const turnsA = sine !== 0;
    let x = turnsA ? arcA.centreX() : 0;
    let y = turnsA ? arcA.centreY() : 0;
    let nx = 0;
    let ny = 0;
    if (turnsA && arcB.sine !== 0) {
      nx = arcB.centreX() - x;
      ny = arcB.centreY() - y;
    } else {
      const line = turnsA ? arcB : arcA;
      nx = line.py - line.qy;
      ny = line.qx - line.px;
    }
    const size = Math.sqrt(nx * nx + ny * ny);
    if (!(size > 0)) return;
    const radius = turnsA ? Math.abs(arcA.chord() / (2 * sine)) : 0;
    if (!turnsA) {
      x = arcB.centreX();
      y = arcB.centreY();
    }
    for (let way = -1; way <= (turnsA ? 1 : -1); way += 2) {
      // onto A's edge once more, to where rounding of a far centre does no harm
      if (!arcA.project(x + ((way * radius) / size) * nx, y + ((way * radius) / size) * ny)) continue;
      this.end(arcB, foot[0], foot[1], -1);
    }
  }

  /** Point (x, y) against an edge: its ends, and the foot on it. The point is of B where `side` is 1. */
  private end(edge: PlacedEdge, x: number, y: number, side: 1 | -1): void {
    this.point(edge.px, edge.py, x, y, side);
    this.point(edge.qx, edge.qy, x, y, side);
    if (edge.project(x, y)) this.point(foot[0], foot[1], x, y, side);
  }

  private point(cx: number, cy: number, x: number, y: number, side: 1 | -1): void {
    const squared = (x - cx) * (x - cx) + (y - cy) * (y - cy);
    if (!(squared < this.best)) return;
    this.best = squared;
    const { nearA, nearB } = this;
    const onEdge = side === 1 ? nearA : nearB;
    const point = side === 1 ? nearB : nearA;
    onEdge[0] = cx;
    onEdge[1] = cy;
    point[0] = x;
    point[1] = y;
  }

  /** Outlines that do not cross: an outline of the one lies in the other. */
  private contains(b: Loops): boolean {
    const { turn: r, shift, a } = this;
    for (let k = 0; k + 1 < b.start.length; k++) {
      const x = b.vertices[2 * b.start[k]];
      const y = b.vertices[2 * b.start[k] + 1];
      if (inside(a, r[0] * x + r[1] * y + shift[0], r[2] * x + r[3] * y + shift[1])) return true;
    }
    for (let k = 0; k + 1 < a.start.length; k++) {
      const x = a.vertices[2 * a.start[k]] - shift[0];
      const y = a.vertices[2 * a.start[k] + 1] - shift[1];
      if (inside(b, r[0] * x + r[2] * y, r[1] * x + r[3] * y)) return true;
    }
    return false;
  }
}

const arcA = new PlacedEdge();
const arcB = new PlacedEdge();

const STACK = new Int32Array(64);

/**
 * Edges that a ray along +x crosses: an odd number from inside. Boxes left, above and below of the point are passed over. For an arc it is
 * its chord that counts, and once more if the point lies between the two.
 */
function inside({ vertices, next, boxes, nodes, cosine, sine }: Loops, x: number, y: number): boolean {
  let odd = false;
  STACK[0] = 0;
  for (let top = 1; top > 0; ) {
    const node = STACK[--top];
    if (Math.abs(y - boxes[4 * node + 1]) > boxes[4 * node + 3] || x > boxes[4 * node] + boxes[4 * node + 2]) continue;
    const right = nodes[3 * node + 2];
    if (right !== 0) {
      STACK[top++] = right;
      STACK[top++] = node + 1;
      continue;
    }
    for (let e = nodes[3 * node]; e < nodes[3 * node + 1]; e++) {
      const f = next[e];
      const y0 = vertices[2 * e + 1];
      const y1 = vertices[2 * f + 1];
      if (sine[e] !== 0) {
        const ux = x - vertices[2 * e];
        const wx = x - vertices[2 * f];
        const left = (vertices[2 * f] - vertices[2 * e]) * (y - y0) - (y1 - y0) * ux;
        const side = cosine[e] * left - sine[e] * (ux * wx + (y - y0) * (y - y1));
        if (sine[e] > 0 ? left <= 0 && side > 0 : left > 0 && side <= 0) odd = !odd;
      }
      if (y0 > y === y1 > y) continue;
      const at = vertices[2 * e] + ((y - y0) / (y1 - y0)) * (vertices[2 * f] - vertices[2 * e]);
      if (x < at) odd = !odd;
    }
  }
  return odd;
}
