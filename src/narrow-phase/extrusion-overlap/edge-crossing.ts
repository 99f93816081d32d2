/**
 * Where the outlines of two extrusions cross. Two lines: the signs of four turns, exact, B being thought to be shifted by an
 * infinitesimal translation. With arcs: arc-crossing.ts, the same with circles instead of lines.
 */

import { turn } from '../../geometry/orientation.js';
import { findRoot, unite } from '../../math/union-find.js';
import { arcCrossing, arcPlace, crossingPlace } from './arc-crossing.js';
import type { LoopBody } from './loop-body.js';
import { planeShift, SHIFT_X, SHIFT_Y } from './plane-shift.js';

/** Crossings; one node lies on an edge of A and on one of B. */
export class EdgeCrossings {
  count = 0;
  private capacity = 32;
  /** 2 per node, m */
  points = new Float64Array(2 * this.capacity);
  /** 2 per node: place on A's edge, on B's, from 0 to 1 */
  parameter = new Float64Array(2 * this.capacity);
  /** 2 per node: the next crossing on A's edge, on B's; −1 at the end */
  next = new Int32Array(2 * this.capacity);
  /** 2 per node: A's edge, B's */
  edge = new Int32Array(2 * this.capacity);
  /** +1 if A's edge enters B there; B's then leaves A */
  sign = new Int8Array(this.capacity);
  parent = new Int32Array(this.capacity);
  region = new Int32Array(this.capacity);

  add(x: number, y: number): number {
    if (this.count === this.capacity) {
      this.capacity *= 2;
      this.points = grown(this.points, new Float64Array(2 * this.capacity));
      this.parameter = grown(this.parameter, new Float64Array(2 * this.capacity));
      this.next = grown(this.next, new Int32Array(2 * this.capacity));
      this.edge = grown(this.edge, new Int32Array(2 * this.capacity));
      this.sign = grown(this.sign, new Int8Array(this.capacity));
      this.parent = grown(this.parent, new Int32Array(this.capacity));
      this.region = grown(this.region, new Int32Array(this.capacity));
    }
    const node = this.count++;
    this.points[2 * node] = x;
    this.points[2 * node + 1] = y;
    this.parent[node] = node;
    return node;
  }

  findRoot(node: number): number {
    return findRoot(this.parent, node);
  }

  unite(a: number, b: number): void {
    unite(this.parent, a, b);
  }
}

function grown<T extends Float64Array | Int32Array | Int8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Twice the area of a, b, c, its sign exact: > 0 if c lies to the left of a → b. */
function exactTurn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (bx - ax) * (cy - ay);
  const right = (by - ay) * (cx - ax);
  const value = left - right;
  // Shewchuk (1997), §4.2
  if (Math.abs(value) > 4.5e-16 * (Math.abs(left) + Math.abs(right))) return value;
  return turn(ax, ay, bx, by, cx, cy);
}

/** Sign of (b − a) × shift. */
function shiftTurn(ax: number, ay: number, bx: number, by: number): number {
  planeShift.ties++;
  return planeShift.direction * forwardTurn(ax, ay, bx, by);
}

function forwardTurn(ax: number, ay: number, bx: number, by: number): number {
  const ux = bx - ax;
  const uy = by - ay;
  const value = ux * SHIFT_Y - uy * SHIFT_X;
  const bound = 1e-15 * (Math.abs(ux) + Math.abs(uy));
  if (value > bound) return 1;
  if (value < -bound) return -1;
  // without loss: every product as two doubles, all added as an expansion
  length = 0;
  addProduct(bx, SHIFT_Y);
  addProduct(0 - by, SHIFT_X);
  addProduct(0 - ax, SHIFT_Y);
  addProduct(ay, SHIFT_X);
  for (let i = length - 1; i >= 0; i--) if (expansion[i] !== 0) return expansion[i] > 0 ? 1 : -1;
  return bx > ax ? 1 : bx < ax ? -1 : 0;
}

const expansion = new Float64Array(8);
let length = 0;
/** e has 20 bits: a split into halves of 26 bits makes both partial products exact. */
function addProduct(a: number, e: number): void {
  const p = 134217729 * a;
  const high = p - (p - a);
  addTerm((a - high) * e);
  addTerm(high * e);
}
function addTerm(term: number): void {
  let sum = term;
  for (let i = 0; i < length; i++) {
    const other = expansion[i];
    const total = sum + other;
    const virtual = total - sum;
    expansion[i] = sum - (total - virtual) + (other - virtual);
    sum = total;
  }
  expansion[length++] = sum;
}

/** see `crossingSign` */
const turns = new Float64Array(4);

/**
 * +1 if p → q of A enters B through its edge i → j, −1 if it leaves, 0 if they do not cross; `turns` then holds the
 * distances of p and q from B's line and of i and j from A's.
 */
function crossingSign(
  px: number,
  py: number,
  qx: number,
  qy: number,
  ix: number,
  iy: number,
  jx: number,
  jy: number,
): number {
  const dp = exactTurn(ix, iy, jx, jy, px, py);
  const dq = exactTurn(ix, iy, jx, jy, qx, qy);
  const gp = dp > 0 || (dp === 0 && shiftTurn(ix, iy, jx, jy) < 0);
  const gq = dq > 0 || (dq === 0 && shiftTurn(ix, iy, jx, jy) < 0);
  if (gp === gq) return 0;
  const di = exactTurn(px, py, qx, qy, ix, iy);
  const dj = exactTurn(px, py, qx, qy, jx, jy);
  const hi = di > 0 || (di === 0 && shiftTurn(px, py, qx, qy) > 0);
  const hj = dj > 0 || (dj === 0 && shiftTurn(px, py, qx, qy) > 0);
  if (hi === hj) return 0;
  turns[0] = dp;
  turns[1] = dq;
  turns[2] = di;
  turns[3] = dj;
  return gq ? 1 : -1;
}

const fraction = (from: number, to: number): number => {
  const s = from !== to ? from / (from - to) : 0.5;
  return s >= 0 ? Math.min(s, 1) : 0;
};

/** Adds the crossings of edge e of A with edge f of B: at most one of lines, two if one is an arc. */
export function crossEdges(a: LoopBody, b: LoopBody, crossings: EdgeCrossings, e: number, f: number): void {
  const p = 2 * e;
  const q = 2 * a.loops.next[e];
  const i = 2 * f;
  const j = 2 * b.loops.next[f];
  const wa = a.points;
  const wb = b.points;
  if (a.loops.sine[e] !== 0 || b.loops.sine[f] !== 0) {
    const net = arcCrossing(
      wa[p],
      wa[p + 1],
      wa[q],
      wa[q + 1],
      a.loops.cosine[e],
      a.loops.sine[e],
      wb[i],
      wb[i + 1],
      wb[j],
      wb[j + 1],
      b.loops.cosine[f],
      b.loops.sine[f],
    );
    if (net === 0) return;
    if (net !== -1) addArcCrossing(a, b, crossings, e, f, 1);
    if (net !== 1) addArcCrossing(a, b, crossings, e, f, -1);
    return;
  }
  const sign = crossingSign(wa[p], wa[p + 1], wa[q], wa[q + 1], wb[i], wb[i + 1], wb[j], wb[j + 1]);
  if (sign === 0) return;
  const s = fraction(turns[0], turns[1]);
  const back = fraction(turns[1], turns[0]);
  const near = s <= 0.5 ? p : q;
  const far = s <= 0.5 ? q : p;
  const t = s <= 0.5 ? s : back;
  const x = wa[near] + t * (wa[far] - wa[near]);
  const y = wa[near + 1] + t * (wa[far + 1] - wa[near + 1]);
  note(a, b, crossings, e, f, sign, x, y, s, fraction(turns[2], turns[3]));
}

function addArcCrossing(a: LoopBody, b: LoopBody, crossings: EdgeCrossings, e: number, f: number, sign: 1 | -1): void {
  arcPlace(sign);
  const { x, y, placeA, placeB } = crossingPlace;
  note(a, b, crossings, e, f, sign, x, y, placeA, placeB);
}

function note(
  a: LoopBody,
  b: LoopBody,
  crossings: EdgeCrossings,
  e: number,
  f: number,
  sign: number,
  x: number,
  y: number,
  placeA: number,
  placeB: number,
): void {
  const node = crossings.add(x, y);
  crossings.sign[node] = sign;
  crossings.parameter[2 * node] = placeA;
  crossings.parameter[2 * node + 1] = placeB;
  crossings.edge[2 * node] = e;
  crossings.edge[2 * node + 1] = f;
  link(a, crossings, e, node, 0);
  link(b, crossings, f, node, 1);
}

function link(body: LoopBody, crossings: EdgeCrossings, edge: number, node: number, side: 0 | 1): void {
  if (body.edgeCrossed[edge] === body.stamp) crossings.next[2 * node + side] = body.edgeFirst[edge];
  else {
    crossings.next[2 * node + side] = -1;
    body.edgeCrossed[edge] = body.stamp;
    body.crossedEdges[body.crossedCount++] = edge;
  }
  body.edgeFirst[edge] = node;
}

/**
 * How often the other body's outlines wind around vertex v: the crossings of an imagined edge from it to a point outside,
 * along +x of the other's outline.
 *
 * @param isA whether `body` is the one that is not shifted
 */
export function windingAround(body: LoopBody, other: LoopBody, v: number, isA: boolean, margin: number): number {
  body.place(v);
  const { boxes, nodes, next, cosine, sine } = other.loops;
  const { rotation: r, offset, points } = other;
  const px = body.points[2 * v];
  const py = body.points[2 * v + 1];
  const x = r[0] * (px - offset[0]) + r[2] * (py - offset[1]);
  const y = r[1] * (px - offset[0]) + r[3] * (py - offset[1]);
  if (Math.abs(x - boxes[0]) > boxes[2] + margin) return 0;
  const length = boxes[0] + 3 * boxes[2] + boxes[3] - x;
  const qx = px + length * r[0];
  const qy = py + length * r[2];
  let net = 0;
  const count = nodes.length / 3;
  // nodes are in preorder: a node that is missed is left by its skip, the node after its last descendant
  for (let node = 0; node < count; ) {
    const right = nodes[3 * node + 2];
    const missed =
      Math.abs(y - boxes[4 * node + 1]) > boxes[4 * node + 3] + margin ||
      x - boxes[4 * node] > boxes[4 * node + 2] + margin;
    if (missed) {
      node = skip(nodes, node);
      continue;
    }
    if (right === 0)
      for (let f = nodes[3 * node]; f < nodes[3 * node + 1]; f++) {
        other.place(f);
        other.place(next[f]);
        const i = 2 * f;
        const j = 2 * next[f];
        const ix = points[i];
        const iy = points[i + 1];
        const jx = points[j];
        const jy = points[j + 1];
        const c = cosine[f];
        const s = sine[f];
        let sign = 0;
        if (s === 0)
          sign = isA ? crossingSign(px, py, qx, qy, ix, iy, jx, jy) : crossingSign(ix, iy, jx, jy, px, py, qx, qy);
        else
          sign = isA
            ? arcCrossing(px, py, qx, qy, 1, 0, ix, iy, jx, jy, c, s)
            : arcCrossing(ix, iy, jx, jy, c, s, px, py, qx, qy, 1, 0);
        // two crossings cancel; seen from B's imagined edge the sign is the other one
        if (sign !== 2) net += isA ? sign : 0 - sign;
      }
    node++;
  }
  return 0 - net;
}

/** The node after the last descendant. */
function skip(nodes: Int32Array, node: number): number {
  let last = node;
  while (nodes[3 * last + 2] !== 0) last = nodes[3 * last + 2];
  return last + 1;
}
