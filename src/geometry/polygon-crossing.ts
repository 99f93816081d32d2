/**
 * Where polygons cross or touch themselves or each other, and which lies inside which: one sweep from left to right,
 * O(n log n), with exact predicates, so the answer is right for any coordinates.
 *
 * Shamos & Hoey (1976), doi 10.1109/SFCS.1976.16, made safe for touching and overlapping edges: equal corners are found
 * by sorting; a corner on an edge is met when the sweep reaches it; two edges that cross become neighbours before.
 */
import type { Vec2 } from '../math/vec3.js';
import { turn } from './orientation.js';
import { signedArea } from './polygon-measure.js';
import { isBefore, type SweepEdges, SweepStatus } from './polygon-status.js';
import type { Polygon } from './profile.js';

/** Two edges that have a point in common other than the corner between neighbours. */
export interface Crossing {
  /** edge i runs from corner i to the next one */
  readonly first: number;
  readonly second: number;
  /** outlines these edges belong to */
  readonly firstOutline: number;
  readonly secondOutline: number;
  /** m */
  readonly at: Vec2;
  /** `cross`: from one side to the other; `touch`: a corner on an edge or on another corner; `overlap`: along a length */
  readonly kind: 'cross' | 'touch' | 'overlap';
}

/** For each outline the smallest one around it, or −1; a crossing instead, if there is one. */
export function sweep(outlines: readonly Polygon[]): {
  readonly crossing?: Crossing;
  readonly parents: Int32Array;
} {
  const n = outlines.reduce((sum, outline) => sum + outline.length, 0);
  const edges = sweepEdges(outlines, n);
  const { x, y, low, high } = edges;
  const ring = new Uint32Array(n); // outline of each corner and of the edge that starts there
  const start = new Uint32Array(outlines.length + 1);
  for (let r = 0; r < outlines.length; r++) {
    start[r + 1] = start[r] + outlines[r].length;
    ring.fill(r, start[r], start[r + 1]);
  }
  const counterClockwise = outlines.map((outline) => signedArea(outline) > 0);
  const parents = new Int32Array(outlines.length).fill(-1);
  const placed = new Uint8Array(outlines.length);
  const previous = (corner: number) => (corner === start[ring[corner]] ? start[ring[corner] + 1] : corner) - 1;

  const report = (a: number, b: number, at: Vec2, kind: Crossing['kind']) => {
    const [e, f] = a < b ? [a, b] : [b, a];
    const crossing: Crossing = {
      first: e - start[ring[e]],
      second: f - start[ring[f]],
      firstOutline: ring[e],
      secondOutline: ring[f],
      at,
      kind,
    };
    return { crossing, parents };
  };

  // Corners in the order the sweep meets them; equal ones are neighbours in it
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a] - x[b] || y[a] - y[b] || a - b);
  for (let k = 1; k < n; k++) {
    const [a, b] = [order[k - 1], order[k]];
    if (x[a] === x[b] && y[a] === y[b]) return report(a, b, [x[a], y[a]], 'touch');
  }

  /** The point two edges share, if any beyond a common corner; touching ends are left to the sweep. */
  const meeting = (a: number, b: number): Vec2 | undefined => {
    if (a < 0 || b < 0) return undefined;
    const [p, q, r, s] = [low[a], high[a], low[b], high[b]];
    if (p === r || p === s || q === r || q === s) return undefined;
    const rSide = turn(x[p], y[p], x[q], y[q], x[r], y[r]);
    const sSide = turn(x[p], y[p], x[q], y[q], x[s], y[s]);
    if (!((rSide > 0 && sSide < 0) || (rSide < 0 && sSide > 0))) return undefined;
    const pSide = turn(x[r], y[r], x[s], y[s], x[p], y[p]);
    const qSide = turn(x[r], y[r], x[s], y[s], x[q], y[q]);
    if (!((pSide > 0 && qSide < 0) || (pSide < 0 && qSide > 0))) return undefined;
    const t = rSide / (rSide - sSide);
    return [x[r] + t * (x[s] - x[r]), y[r] + t * (y[s] - y[r])];
  };

  const status = new SweepStatus(edges);
  for (const corner of order) {
    const pair = [previous(corner), corner];
    // Edges that end here leave; what was around them meets
    for (const edge of pair) {
      if (high[edge] !== corner) continue;
      const [under, over] = [status.below[edge], status.above[edge]];
      status.remove(edge);
      const at = meeting(under, over);
      if (at) return report(under, over, at, 'cross');
    }
    const under = status.locate(corner);
    if (status.touched >= 0) {
      // A corner on an edge; if the edge from that corner runs along it, the two overlap
      const other = status.touched;
      const along = pair.find((edge) => {
        const end = low[edge] === corner ? high[edge] : low[edge];
        return turn(x[low[other]], y[low[other]], x[high[other]], y[high[other]], x[end], y[end]) === 0;
      });
      return report(along ?? corner, other, [x[corner], y[corner]], along === undefined ? 'touch' : 'overlap');
    }
    // The first corner met of an outline tells what is around it
    const r = ring[corner];
    if (!placed[r]) {
      placed[r] = 1;
      if (under >= 0) {
        const s = ring[under];
        const runsRight = low[under] === under; // from its own first corner to the right
        parents[r] = runsRight === counterClockwise[s] ? s : parents[s];
      }
    }
    // Edges that begin here enter, the lower one first
    const starting = pair.filter((edge) => low[edge] === corner);
    if (starting.length === 2) {
      const [a, b] = starting;
      const side = turn(x[corner], y[corner], x[high[a]], y[high[a]], x[high[b]], y[high[b]]);
      if (side === 0) return report(a, b, [x[corner], y[corner]], 'overlap');
      if (side < 0) starting.reverse();
    }
    let lower = under;
    for (const edge of starting) {
      status.insertAbove(lower, edge);
      lower = edge;
    }
    for (const edge of starting)
      for (const neighbour of [status.below[edge], status.above[edge]]) {
        const at = meeting(edge, neighbour);
        if (at) return report(edge, neighbour, at, 'cross');
      }
  }
  return { parents };
}

/** Corners of all outlines in a row; edge i runs from corner i to the next of its outline. */
export function sweepEdges(outlines: readonly Polygon[], n: number): SweepEdges {
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  let start = 0;
  for (const outline of outlines) {
    for (let i = 0; i < outline.length; i++) [x[start + i], y[start + i]] = outline[i];
    for (let i = 0; i < outline.length; i++) {
      const a = start + i;
      const b = start + (i + 1 === outline.length ? 0 : i + 1);
      const forward = isBefore(x, y, a, b);
      low[a] = forward ? a : b;
      high[a] = forward ? b : a;
    }
    start += outline.length;
  }
  return { x, y, low, high };
}
