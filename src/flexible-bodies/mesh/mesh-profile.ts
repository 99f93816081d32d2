/**
 * From the outline of a part to a mesh: outline edges cut into segments as long as the size wants, arcs into enough chords; their
 * constrained Delaunay triangulation; refinement. Corners on arcs lie on them, and so do the middles of sides of T6 meshes: their
 * sides are parabolas that leave the arc by the fourth power of the angle only.
 */
import { ModelError } from '../../errors.js';
import { arcCircle, bulgeOf, edgePoint, sweepOf } from '../../geometry/arc.js';
import { outlineBounds } from '../../geometry/outline.js';
import { profileArea } from '../../geometry/polygon.js';
import { checkedProfile } from '../../geometry/polygon-nesting.js';
import type { Corner, Outline, Profile } from '../../geometry/profile.js';
import { triangulateChecked } from '../../geometry/triangulate.js';
import { cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import type { Refined } from './bounded-delaunay.js';
import { type PlaneMesh, withMiddles } from './plane-mesh.js';
import { type RefinementOptions, refine, tooMany } from './refinement.js';

export interface MeshOptions {
  /** Largest side, m; a number or a function of the place; default: a fortieth of the longer side of the part's box */
  readonly size?: number | ((x: number, y: number) => number);
  /** Smallest angle, rad; default 25° */
  readonly smallestAngle?: number;
  /** Chords that a full circle has at least; default 24 */
  readonly chords?: number;
  /** 3: straight sides; 6 (default): a node in the middle of each side */
  readonly nodesPerElement?: 3 | 6;
  /** Refused beyond; default 400 000 */
  readonly mostPoints?: number;
  /** Where the outline stands in the user's model */
  readonly path?: string;
}

/** Wanted beyond the smallest angle, rad: moving points from chords onto their arcs costs some. */
const RESERVE = 0.012;

/** Widths below this part of the whole are refused: a needle would cost as many triangles as it is slender. */
const THINNEST = 1e-6;

/**
 * @throws ModelError if the outline crosses itself or another (where), or needs too many points
 * @example meshProfile({ outer: [[0, 0], [1, 0], [1, 0.1], [0, 0.1]], holes: [] }, { size: 0.02 })
 */
export function meshProfile(figure: Outline | Profile, options: MeshOptions = {}): PlaneMesh {
  const path = options.path ?? 'mesh.outline';
  const profile = checkedProfile(figure, path);
  const { min, max } = outlineBounds(profile.outer);
  const extent = Math.max(max[0] - min[0], max[1] - min[1]);
  const size = options.size ?? extent / 40;
  const sizeAt = typeof size === 'number' ? () => size : size;
  const angle = options.smallestAngle ?? (25 * Math.PI) / 180;
  if (!(angle > 0 && angle <= 0.576))
    throw new ModelError(
      `${path}.smallestAngle`,
      `expected an angle between 0 and 33° (0.576 rad), up to which refinement ends, got ${angle}`,
    );
  if (typeof size === 'number' && !(size > 1e-5 * extent && size < Number.POSITIVE_INFINITY))
    throw new ModelError(
      `${path}.size`,
      `expected a mesh size > ${(1e-5 * extent).toPrecision(2)} m for a part of ${extent.toPrecision(3)} m, got ${size}`,
    );
  const mostPoints = options.mostPoints ?? 400_000;
  // triangles of side h have 1.15 corners to h²; finer than asked by no more than a half, which need not be tried
  if (typeof size === 'number' && profileArea(profile) > 2 * mostPoints * size * size)
    throw tooMany({ mostPoints, path });
  const loops = [profile.outer, ...profile.holes];
  const edges: Edge[] = loops.flatMap((loop, l) =>
    loop.map((from, i) => ({ from, to: loop[(i + 1) % loop.length], bulge: bulgeOf(from), loop: l })),
  );

  // Where each edge is cut into segments, 0 … 1 of it
  const chords = options.chords ?? 24;
  const cuts = edges.map(({ from, to, bulge, loop }) => {
    const chord = Math.sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]));
    if (!(chord > THINNEST * extent))
      throw new ModelError(
        path,
        `the edge from (${from[0]}, ${from[1]}) m is ${chord.toPrecision(2)} m long, less than a millionth of the part; take its corner away`,
      );
    const sweep = Math.abs(sweepOf(bulge));
    const length = bulge === 0 ? chord : sweep * arcCircle(from, to, bulge).radius;
    const h = sizeAt((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
    const least = bulge === 0 ? 1 : Math.ceil((sweep * chords) / (2 * Math.PI) - 1e-9);
    const pieces = Math.max(least, Math.ceil(length / h - 1e-9), loops[loop].length < 3 ? 2 : 1);
    return Array.from({ length: pieces }, (_, k) => k / pieces);
  });
  const refinement = {
    size: sizeAt,
    sine: sin(Math.min(0.576, angle + (edges.some(({ bulge }) => bulge !== 0) ? RESERVE : 0))),
    mostPoints,
    path,
  };
  // Refined between chords, then moved onto the arcs: where that spoils an angle chords are too long for what is beside them
  let moved = onArcs(edges, loops.length, cuts, refinement);
  for (let round = 0; round < MOST_ROUNDS && shorten(edges, cuts, moved, angle); round++)
    moved = onArcs(edges, loops.length, cuts, refinement);
  const { points, refined, pointOf } = moved;
  const { segments } = refined;
  const count = refined.x.length;
  const sideCount = segments.edge.length;
  const sides = new Int32Array(3 * sideCount);
  for (let s = 0; s < sideCount; s++) {
    sides.set([segments.ends[2 * s], segments.ends[2 * s + 1], -1], 3 * s);
  }
  const mesh: PlaneMesh = {
    points,
    nodeCount: count,
    cornerCount: count,
    nodesPerElement: 3,
    elements: refined.triangles,
    elementCount: refined.triangles.length / 3,
    sides,
    ...drawnEdges(edges, segments.edge),
  };
  if ((options.nodesPerElement ?? 6) === 3) return mesh;
  return withMiddles(mesh, (s) => {
    if (edges[segments.edge[s]].bulge !== 0) return pointOf(s, 0.5);
    const [a, b] = [sides[3 * s], sides[3 * s + 1]];
    return [(points[2 * a] + points[2 * b]) / 2, (points[2 * a + 1] + points[2 * b + 1]) / 2];
  });
}

/** An edge of the outline, and the loop it belongs to */
interface Edge {
  readonly from: Corner;
  readonly to: Corner;
  readonly bulge: number;
  readonly loop: number;
}

/** A refined mesh whose corners lie on the arcs */
interface OnArcs {
  readonly refined: Refined;
  /** 2 per corner, m */
  readonly points: Float64Array;
  /** On a segment's edge, at a part 0 … 1 of the segment */
  readonly pointOf: (segment: number, part: number) => Vec2;
}

/** The mesh between the chords of these cuts, its points moved from chords onto their arcs. */
function onArcs(
  edges: readonly Edge[],
  loops: number,
  cuts: readonly (readonly number[])[],
  options: RefinementOptions,
): OnArcs {
  const rings: Vec2[][] = Array.from({ length: loops }, () => []);
  const along: number[] = [];
  const segmentEdge: number[] = [];
  edges.forEach(({ from, to, bulge, loop }, index) => {
    cuts[index].forEach((t, k) => {
      rings[loop].push(edgePoint(from, to, bulge, t));
      along.push(t, cuts[index][k + 1] ?? 1);
      segmentEdge.push(index);
    });
  });
  const x: number[] = [];
  const y: number[] = [];
  const ends: number[] = [];
  for (const ring of rings) {
    const start = x.length;
    ring.forEach(([px, py], i) => {
      x.push(px);
      y.push(py);
      ends.push(start + i, start + ((i + 1) % ring.length));
    });
  }
  const refined = refine(
    Float64Array.from(x),
    Float64Array.from(y),
    triangulateChecked({ outer: rings[0], holes: rings.slice(1) }),
    { ends: Int32Array.from(ends), edge: Int32Array.from(segmentEdge), along: Float64Array.from(along) },
    options,
  );
  const { segments } = refined;
  const points = new Float64Array(2 * refined.x.length);
  for (let i = 0; i < refined.x.length; i++) {
    points[2 * i] = refined.x[i];
    points[2 * i + 1] = refined.y[i];
  }
  const pointOf = (s: number, part: number): Vec2 => {
    const { from, to, bulge } = edges[segments.edge[s]];
    const t = segments.along[2 * s] + part * (segments.along[2 * s + 1] - segments.along[2 * s]);
    return edgePoint(from, to, bulge, t);
  };
  for (let s = 0; s < segments.edge.length; s++)
    if (edges[segments.edge[s]].bulge !== 0) points.set(pointOf(s, 0), 2 * segments.ends[2 * s]);
  return { refined, points, pointOf };
}

/** Each halves chords beside what they spoil, which quarters how far points move: 20 reach a millionth of a millionth of it */
const MOST_ROUNDS = 20;

/**
 * Cuts arcs anew where a triangle that had its angles between the chords has lost them on the arcs: at the ends and in the middle of the segments at its corners,
 * which were made from longer chords. So where an arc comes nearer to something than its chords leave it. @returns whether there was one
 */
function shorten(edges: readonly Edge[], cuts: number[][], { refined, points }: OnArcs, angle: number): boolean {
  const { x, y, triangles, segments } = refined;
  const most = cos(angle);
  const largestCosine = (at: (corner: number) => readonly [number, number], t: number): number => {
    const [a, b, c] = [at(triangles[3 * t]), at(triangles[3 * t + 1]), at(triangles[3 * t + 2])];
    const cosine = (p: readonly number[], q: readonly number[], r: readonly number[]): number => {
      const [ux, uy, wx, wy] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]];
      return ux * wy - uy * wx > 0 ? (ux * wx + uy * wy) / Math.sqrt((ux * ux + uy * uy) * (wx * wx + wy * wy)) : 1;
    };
    return Math.max(cosine(a, b, c), cosine(b, c, a), cosine(c, a, b));
  };
  const onArc = new Map<number, number[]>(); // segments of arcs by corner
  for (let s = 0; s < segments.edge.length; s++)
    if (edges[segments.edge[s]].bulge !== 0)
      for (let k = 0; k < 2; k++) {
        const corner = segments.ends[2 * s + k];
        const own = onArc.get(corner);
        if (own) own.push(s);
        else onArc.set(corner, [s]);
      }
  const halved = new Set<number>();
  for (let t = 0; t < triangles.length / 3; t++) {
    const beside = [0, 1, 2].flatMap((k) => onArc.get(triangles[3 * t + k]) ?? []);
    if (beside.length === 0) continue;
    if (!(largestCosine((i) => [points[2 * i], points[2 * i + 1]], t) > most)) continue;
    if (largestCosine((i) => [x[i], y[i]], t) > most) continue; // as sharp as what was drawn
    for (const s of beside) halved.add(s);
  }
  for (const s of halved) {
    const [from, to] = [segments.along[2 * s], segments.along[2 * s + 1]];
    cuts[segments.edge[s]].push(from, (from + to) / 2, ...(to < 1 ? [to] : []));
  }
  for (const edge of new Set(Array.from(halved, (s) => segments.edge[s])))
    cuts[edge] = [...new Set(cuts[edge])].sort((a, b) => a - b);
  return halved.size > 0;
}

/** Ends and centre of an arc's like next one agree to rounding of what was read, as part of its radius */
const SAME_CIRCLE = 1e-6;

/**
 * Edges as they were drawn: readers cut an arc into equal pieces, and a circle into four. Arcs of one circle and one sweep that follow each other are one edge.
 *
 * @param sideEdge edge of each side, by its place in `edges`
 */
function drawnEdges(edges: readonly Edge[], sideEdge: Int32Array): Pick<PlaneMesh, 'sideEdge' | 'edgeLoop'> {
  const continues = (at: number, next: number): boolean => {
    const [a, b] = [edges[at], edges[next]];
    if (a.loop !== b.loop || a.bulge === 0 || !(Math.abs(a.bulge - b.bulge) <= SAME_CIRCLE * Math.abs(a.bulge)))
      return false;
    const [one, other] = [arcCircle(a.from, a.to, a.bulge), arcCircle(b.from, b.to, b.bulge)];
    const near = SAME_CIRCLE * one.radius;
    return (
      Math.abs(one.centre[0] - other.centre[0]) <= near &&
      Math.abs(one.centre[1] - other.centre[1]) <= near &&
      Math.abs(one.radius - other.radius) <= near
    );
  };
  const drawn = new Int32Array(edges.length);
  const edgeLoop: number[] = [];
  for (let first = 0; first < edges.length; ) {
    const { loop } = edges[first];
    let end = first + 1;
    while (end < edges.length && edges[end].loop === loop) end++;
    const start = edgeLoop.length;
    for (let i = first; i < end; i++) {
      if (i === first || !continues(i - 1, i)) edgeLoop.push(loop);
      drawn[i] = edgeLoop.length - 1;
    }
    // an arc may go on across the first corner
    if (edgeLoop.length - start > 1 && continues(end - 1, first)) {
      const last = edgeLoop.length - 1;
      edgeLoop.pop();
      for (let i = first; i < end; i++) if (drawn[i] === last) drawn[i] = start;
    }
    first = end;
  }
  return { sideEdge: sideEdge.map((edge) => drawn[edge]), edgeLoop: Int32Array.from(edgeLoop) };
}
