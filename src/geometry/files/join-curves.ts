/**
 * Joins loose curves into closed outlines: a drawing often has four lines where one means a rectangle, in any order
 * and direction.
 *
 * Ends within the tolerance of each other are one node. Curves drawn twice count once. Chains run through nodes where
 * just two ends meet; a chain that comes back to its start is an outline. Where three or more ends meet nobody can
 * know which two belong together: the place is reported, not guessed. O(n) for n points and curves.
 */
import type { Vec2 } from '../../math/vec3.js';
import { bulgeOf, corner, edgePoint } from '../arc.js';
import { arcLength } from '../circular-segment.js';
import { outlineHasArcs, reversed } from '../outline.js';
import type { Corner, Outline } from '../profile.js';
import type { CurveSet } from './join-curves-list.js';
import { PointNodes } from './join-curves-nodes.js';

export interface Gap {
  /** The end of an open chain. */
  readonly from: Vec2;
  /** The nearest other such end; undefined if there is none. */
  readonly to: Vec2 | undefined;
  /** Between the two; infinite if there is no other. */
  readonly distance: number;
  /** Curve of `from`. */
  readonly source: number;
}

export interface Branch {
  readonly at: Vec2;
  /** How many ends meet there, 3 or more. */
  readonly ends: number;
}

export interface JoinedCurves {
  /** In either direction. */
  readonly outlines: readonly Outline[];
  /** Chains that end somewhere. */
  readonly openChains: number;
  /** Of these, up to 200 ends with what is nearest to them, narrowest first. */
  readonly gaps: readonly Gap[];
  /** Places where chains branch, in the order found. */
  readonly branches: readonly Branch[];
  /** Curves left out because they were drawn twice. */
  readonly duplicates: number;
}

/** @param tolerance > 0, in the unit of the points */
export function joinCurves(curves: CurveSet, tolerance: number): JoinedCurves {
  const { starts, closed } = curves;
  const count = closed.length;
  const loops: Outline[] = [];
  const addLoop = (corners: readonly (readonly [curve: number, forward: boolean])[]): void => {
    const outline = outlineOf(curves, corners, tolerance);
    if (outline.length >= (outlineHasArcs(outline) ? 2 : 3)) loops.push(outline);
  };

  // Nodes at the ends of open curves; a curve that ends where it starts is closed, or nothing if it is no longer than
  // the tolerance.
  const nodes = new PointNodes(2 * count, tolerance);
  const ends = new Int32Array(2 * count).fill(-1); // start node and end node of each open curve
  for (let i = 0; i < count; i++) {
    if (starts[i + 1] - starts[i] < 2) continue;
    if (closed[i] === 0) {
      const a = nodes.at(curves.points[2 * starts[i]], curves.points[2 * starts[i] + 1]);
      const b = nodes.at(curves.points[2 * starts[i + 1] - 2], curves.points[2 * starts[i + 1] - 1]);
      if (a !== b) {
        ends[2 * i] = a;
        ends[2 * i + 1] = b;
        continue;
      }
    }
    addLoop([[i, true]]);
  }
  let duplicates = dropRepeatedCurves(curves, ends, endsByNode(ends, nodes.count), tolerance);
  const { offsets, meeting } = endsByNode(ends, nodes.count);
  const degree = (node: number): number => offsets[node + 1] - offsets[node];

  // Follows a chain from one end of a curve until a node where not just two ends meet, or the start again.
  const used = new Uint8Array(count);
  const follow = (end: number): { chain: [number, boolean][]; last: number } => {
    const chain: [number, boolean][] = [];
    for (let e = end; ; ) {
      const curve = e >> 1;
      used[curve] = 1;
      chain.push([curve, (e & 1) === 0]);
      const far = e ^ 1;
      const node = ends[far];
      if (degree(node) !== 2) return { chain, last: node };
      const first = offsets[node];
      e = meeting[first] === far ? meeting[first + 1] : meeting[first];
      if (used[e >> 1] === 1) return { chain, last: node };
    }
  };
  let openChains = 0;
  const freeEnds: number[] = [];
  const branching = new Set<number>();
  for (let node = 0; node < nodes.count; node++) {
    if (degree(node) === 0 || degree(node) === 2) continue;
    for (let k = offsets[node]; k < offsets[node + 1]; k++) {
      if (used[meeting[k] >> 1] === 1) continue;
      const { chain, last } = follow(meeting[k]);
      if (last === node) addLoop(chain);
      else if (degree(node) === 1 || degree(last) === 1) {
        openChains++;
        if (degree(node) === 1) freeEnds.push(node);
        if (degree(last) === 1) freeEnds.push(last);
      } else {
        branching.add(node);
        branching.add(last);
      }
    }
  }
  for (let i = 0; i < count; i++) if (ends[2 * i] >= 0 && used[i] === 0) addLoop(follow(2 * i).chain);

  const outlines = dropRepeatedLoops(loops, tolerance);
  duplicates += loops.length - outlines.length;
  return {
    outlines,
    openChains,
    gaps: nearestEnds(nodes, freeEnds, (node) => curves.sources[meeting[offsets[node]] >> 1]),
    branches: [...branching].map((node) => ({ at: [nodes.x[node], nodes.y[node]], ends: degree(node) })),
    duplicates,
  };
}

/** The points along a chain; of points within the tolerance of each other the first stays, with the edge of the last. */
function outlineOf(
  { points, bulges, starts, closed }: CurveSet,
  chain: readonly (readonly [curve: number, forward: boolean])[],
  tolerance: number,
): Outline {
  const outline: Corner[] = [];
  const far = (x: number, y: number, [px, py]: Corner): boolean =>
    (x - px) * (x - px) + (y - py) * (y - py) > tolerance * tolerance;
  for (const [curve, forward] of chain) {
    const first = starts[curve];
    const length = starts[curve + 1] - first;
    for (let k = 0; k < length; k++) {
      const at = forward ? first + k : first + length - 1 - k;
      // the other way round an edge is that of the point before, and turns the other way
      const bulge = forward
        ? bulges[at]
        : at > first
          ? -bulges[at - 1]
          : closed[curve]
            ? -bulges[first + length - 1]
            : 0;
      const [x, y] = [points[2 * at], points[2 * at + 1]];
      const last = outline.length - 1;
      if (last < 0 || far(x, y, outline[last])) outline.push(corner(x, y, bulge));
      else outline[last] = corner(outline[last][0], outline[last][1], bulge);
    }
  }
  while (outline.length > 1 && !far(outline[outline.length - 1][0], outline[outline.length - 1][1], outline[0]))
    outline.pop();
  return outline;
}

/** Ends of curves at node n: meeting[offsets[n]] to meeting[offsets[n + 1] − 1]. */
interface EndsByNode {
  readonly offsets: Int32Array;
  /** 2 i for the start of curve i, 2 i + 1 for its end */
  readonly meeting: Int32Array;
}

function endsByNode(ends: Int32Array, nodeCount: number): EndsByNode {
  const offsets = new Int32Array(nodeCount + 1);
  for (let e = 0; e < ends.length; e++) if (ends[e] >= 0) offsets[ends[e] + 1]++;
  for (let n = 0; n < nodeCount; n++) offsets[n + 1] += offsets[n];
  const meeting = new Int32Array(offsets[nodeCount]);
  const fill = offsets.slice();
  for (let e = 0; e < ends.length; e++) if (ends[e] >= 0) meeting[fill[ends[e]]++] = e;
  return { offsets, meeting };
}

/** Takes out (ends −1) each open curve that runs along an earlier one, in either direction. */
function dropRepeatedCurves(
  curves: CurveSet,
  ends: Int32Array,
  { offsets, meeting }: EndsByNode,
  tolerance: number,
): number {
  let dropped = 0;
  for (let node = 0; node + 1 < offsets.length; node++) {
    if (offsets[node + 1] - offsets[node] < 2) continue;
    // Curves from here to nodes with a higher number, by that node
    const beside = new Map<number, number[]>();
    for (let k = offsets[node]; k < offsets[node + 1]; k++) {
      const far = ends[meeting[k] ^ 1];
      if (far <= node) continue;
      const curve = meeting[k] >> 1;
      const kept = beside.get(far);
      if (!kept) beside.set(far, [curve]);
      else if (kept.some((other) => sameShape(curves, curve, other, tolerance))) {
        ends[2 * curve] = ends[2 * curve + 1] = -1;
        dropped++;
      } else if (kept.length < 16) kept.push(curve); // more curves between two nodes branch anyway
    }
  }
  return dropped;
}

/** Whether two curves with the same ends have the same length and middle. */
function sameShape(curves: CurveSet, a: number, b: number, tolerance: number): boolean {
  const p = halfway(curves, a);
  const q = halfway(curves, b);
  return (
    Math.abs(p.x - q.x) <= 2 * tolerance &&
    Math.abs(p.y - q.y) <= 2 * tolerance &&
    Math.abs(p.length - q.length) <= 4 * tolerance
  );
}

/** Length of a curve and the point in the middle of it, both along its arcs. */
function halfway({ points, bulges, starts }: CurveSet, curve: number): { x: number; y: number; length: number } {
  const first = 2 * starts[curve];
  const last = 2 * starts[curve + 1] - 2;
  const step = (p: number): number => {
    const dx = points[p + 2] - points[p];
    const dy = points[p + 3] - points[p + 1];
    const bulge = bulges[p / 2];
    const chord = Math.sqrt(dx * dx + dy * dy);
    return bulge === 0 ? chord : arcLength(chord, bulge);
  };
  let length = 0;
  for (let p = first; p < last; p += 2) length += step(p);
  let rest = length / 2;
  for (let p = first; p < last; p += 2) {
    const part = step(p);
    if (part >= rest && part > 0) {
      const [x, y] = edgePoint([points[p], points[p + 1]], [points[p + 2], points[p + 3]], bulges[p / 2], rest / part);
      return { x, y, length };
    }
    rest -= part;
  }
  return { x: points[last], y: points[last + 1], length };
}

/** Outlines without those that have the same corners as an earlier one, in either direction and from any start. */
function dropRepeatedLoops(loops: readonly Outline[], tolerance: number): Outline[] {
  // One point for the box of an outline, so that equal boxes give equal points and different ones hardly ever do.
  const nodes = new PointNodes(loops.length, 8 * tolerance);
  const kept = new Map<number, Outline[]>();
  return loops.filter((loop) => {
    const [left, bottom, right, top] = box(loop);
    const node = nodes.at(left + 1.618 * right, bottom + 1.618 * top);
    const beside = kept.get(node);
    if (beside?.some((other) => sameCorners(loop, other, 2 * tolerance))) return false;
    if (!beside) kept.set(node, [loop]);
    else if (beside.length < 16) beside.push(loop);
    return true;
  });
}

function sameCorners(a: Outline, b: Outline, tolerance: number): boolean {
  const n = a.length;
  if (b.length !== n) return false;
  const near = (p: Corner, q: Corner): boolean =>
    Math.abs(p[0] - q[0]) <= tolerance && Math.abs(p[1] - q[1]) <= tolerance;
  // an arc stands off its chord by half the bulge of the chord's length
  const same = (other: Outline): boolean => {
    const start = other.findIndex((q) => near(a[0], q));
    return (
      start >= 0 &&
      a.every((p, i) => {
        const q = other[(start + i) % n];
        const next = a[(i + 1) % n];
        const chord = Math.max(Math.abs(next[0] - p[0]), Math.abs(next[1] - p[1]));
        return near(p, q) && Math.abs(bulgeOf(p) - bulgeOf(q)) * chord <= 4 * tolerance;
      })
    );
  };
  return same(b) || same(reversed(b));
}

function box(outline: Outline): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of outline) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** For the first of the free ends the nearest other one, narrowest gap first. */
function nearestEnds(nodes: PointNodes, freeEnds: readonly number[], source: (node: number) => number): Gap[] {
  const gaps: Gap[] = [];
  const partners = new Map<number, number>();
  for (const node of freeEnds.slice(0, MOST_GAPS)) {
    let nearest = -1;
    let least = Infinity;
    for (const other of freeEnds) {
      if (other === node) continue;
      const dx = nodes.x[other] - nodes.x[node];
      const dy = nodes.y[other] - nodes.y[node];
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        nearest = other;
      }
    }
    if (partners.get(nearest) === node) continue; // each other's nearest: one gap
    partners.set(node, nearest);
    gaps.push({
      from: [nodes.x[node], nodes.y[node]],
      to: nearest < 0 ? undefined : [nodes.x[nearest], nodes.y[nearest]],
      distance: Math.sqrt(least),
      source: source(node),
    });
  }
  return gaps.sort((a, b) =>
    a.distance === b.distance ? a.from[0] - b.from[0] || a.from[1] - b.from[1] : a.distance - b.distance,
  );
}

const MOST_GAPS = 200;
