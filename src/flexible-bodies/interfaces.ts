/**
 * Where a joint or force takes hold of a flexible part: a point and the nodes that move with it as one rigid piece.
 *
 * Found from the point: the rim of the hole around it; else the whole straight edge it lies on, if it lies on one that ends the part and does
 * not run along it; else all nodes within one and a half mesh sizes of it, or within a radius that the user gives.
 */
import { ModelError } from '../errors.js';
import type { Vec2 } from '../math/vec3.js';
import type { PlaneMesh } from './mesh/plane-mesh.js';

export interface PartInterface<Point extends readonly number[] = Vec2> {
  /** m, in the part's own axes */
  readonly point: Point;
  readonly nodes: Int32Array;
  /** m: nobody has said how much it holds, and neither a hole nor an edge tells: all nodes within it */
  readonly within?: number;
  /** It is a side along which the part is slender, m: all of that piece is rigid */
  readonly along?: Border;
}

/** An edge or face, and how far it is from there to the next side behind it, on average, m */
export interface Border {
  readonly length: number;
  readonly depth: number;
}

/**
 * @param size   mesh size near the point, m
 * @param radius takes all nodes within it, m
 * @throws ModelError if nothing of the part is there, or too little to hold it
 */
export function interfaceAt(mesh: PlaneMesh, point: Vec2, size: number, path: string, radius?: number): PartInterface {
  const rim = radius === undefined ? rimAt(mesh, point, size, isJoint(path)) : undefined;
  const nodes = rim?.nodes ?? within(mesh, point, radius ?? 1.5 * size);
  const far = nearestDistance(mesh, point);
  const what = isJoint(path) ? 'joint' : 'force';
  if (nodes.length === 0 && far > size)
    throw new ModelError(
      path,
      `takes hold of nothing: the flexible part is ${far.toPrecision(3)} m away from (${point[0].toPrecision(4)}, ${point[1].toPrecision(4)}) m in its plane; ` +
        `move the ${what} onto the part, or give the interface a radius`,
    );
  if (nodes.length < 2)
    throw new ModelError(
      path,
      `takes hold of ${nodes.length === 0 ? 'no node' : 'one node only'}, an interface narrower than an element of ${size.toPrecision(2)} m; take a smaller mesh size or a larger radius`,
    );
  return { point, nodes, ...rim?.slender, ...(!rim && radius === undefined && { within: 1.5 * size }) };
}

/** What a joint or force holds at a border */
export interface Rim {
  readonly nodes: Int32Array;
  /** The hole around it */
  readonly closed: boolean;
  readonly slender: { readonly along?: Border };
}

/** Nodes of the hole around a point, or of the straight edge it lies on */
export function rimAt(mesh: PlaneMesh, point: Vec2, size: number, glued: boolean): Rim | undefined {
  const hole = holeAround(mesh, point);
  return hole ? { nodes: hole, closed: true, slender: {} } : edgeThrough(mesh, point, 1e-6 * size, glued);
}

/** Joints may hold a part along its side, as a pad that is glued down; forces there act on a place of it. */
export const isJoint = (path: string): boolean => path.startsWith('joints.');

/** Nodes of the hole whose rim goes around the point */
function holeAround(mesh: PlaneMesh, [px, py]: Vec2): Int32Array | undefined {
  const { sides, sideEdge, edgeLoop, points } = mesh;
  const loops = edgeLoop.reduce((most, loop) => Math.max(most, loop), 0);
  for (let loop = 1; loop <= loops; loop++) {
    // Crossings of a ray to the right
    let inside = false;
    const nodes = new Set<number>();
    for (let s = 0; s < sideEdge.length; s++) {
      if (edgeLoop[sideEdge[s]] !== loop) continue;
      const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
      nodes.add(a).add(b);
      if (m >= 0) nodes.add(m);
      const [ax, ay, bx, by] = [points[2 * a], points[2 * a + 1], points[2 * b], points[2 * b + 1]];
      if (ay > py !== by > py && px < ax + ((py - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
    if (inside) return Int32Array.from(nodes).sort();
  }
  return undefined;
}

/**
 * An edge or face ends a piece of a part that is at least so deep behind it on average, in parts of its length; what is held along its side could
 * not bend. Depth is what there is behind the edge itself, up to the next side: a frame of beams is as wide as its box, and its legs are slender.
 */
const LEAST_DEPTH = 0.2;

/**
 * Which of the edges or faces through a point is meant: at a corner the one that is less than half as long as all others that end the part;
 * none where that does not tell.
 */
export function heldOf<Found extends Border>(borders: readonly Found[], glued: boolean): Found | undefined {
  const [first, second] = borders
    .filter(({ length, depth }) => glued || depth >= LEAST_DEPTH * length)
    .sort((a, b) => a.length - b.length);
  return first && (!second || first.length < 0.5 * second.length) ? first : undefined;
}

/** What is held of a border; its length and depth where it runs along a slender piece */
export const rimOf = ({ nodes, length, depth }: Border & { readonly nodes: Iterable<number> }): Rim => ({
  nodes: Int32Array.from(nodes).sort(),
  closed: false,
  slender: depth < LEAST_DEPTH * length ? { along: { length, depth } } : {},
});

/** Nodes of the straight outline edge through the point, if there is one */
function edgeThrough(mesh: PlaneMesh, [px, py]: Vec2, near: number, glued: boolean): Rim | undefined {
  const { sides, sideEdge, points } = mesh;
  const found = new Map<number, { nodes: Set<number>; length: number; depth: number }>();
  for (let s = 0; s < sideEdge.length; s++) {
    const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
    const [ax, ay, bx, by] = [points[2 * a], points[2 * a + 1], points[2 * b], points[2 * b + 1]];
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    const off = (middle: number): number =>
      Math.abs((points[2 * middle] - ax) * (by - ay) - (points[2 * middle + 1] - ay) * (bx - ax)) / length;
    if (m >= 0 && off(m) > near) continue; // an arc
    const along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / (length * length);
    const aside = Math.abs((px - ax) * (by - ay) - (py - ay) * (bx - ax)) / length;
    if (!(along >= -1e-9 && along <= 1 + 1e-9 && aside <= near) || found.has(sideEdge[s])) continue;
    const nodes = new Set<number>();
    for (let o = 0; o < sideEdge.length; o++)
      if (sideEdge[o] === sideEdge[s])
        for (let k = 0; k < 3; k++) if (sides[3 * o + k] >= 0) nodes.add(sides[3 * o + k]);
    const [tx, ty] = [(bx - ax) / length, (by - ay) / length];
    found.set(sideEdge[s], {
      nodes,
      length: spread(nodes, (i) => tx * points[2 * i] + ty * points[2 * i + 1]),
      depth: depthBehind(mesh, sideEdge[s], [-ty, tx]),
    });
  }
  const held = heldOf([...found.values()], glued);
  return held && rimOf(held);
}

/** m: how far it is from a straight edge along its inward normal to the next side, on average over the edge */
function depthBehind({ sides, sideEdge, points }: PlaneMesh, edge: number, [nx, ny]: Vec2): number {
  let [sum, length] = [0, 0];
  for (let s = 0; s < sideEdge.length; s++) {
    if (sideEdge[s] !== edge) continue;
    const [a, b] = [sides[3 * s], sides[3 * s + 1]];
    const [mx, my] = [(points[2 * a] + points[2 * b]) / 2, (points[2 * a + 1] + points[2 * b + 1]) / 2];
    const own = Math.abs((points[2 * b] - points[2 * a]) * ny - (points[2 * b + 1] - points[2 * a + 1]) * nx);
    let nearest = Infinity;
    for (let o = 0; o < sideEdge.length; o++) {
      if (sideEdge[o] === edge) continue;
      const [px, py] = [points[2 * sides[3 * o]] - mx, points[2 * sides[3 * o] + 1] - my];
      const [qx, qy] = [points[2 * sides[3 * o + 1]] - mx, points[2 * sides[3 * o + 1] + 1] - my];
      // the ray crosses p q where these are on its two sides
      const [sp, sq] = [px * ny - py * nx, qx * ny - qy * nx];
      if (sp > 0 === sq > 0) continue;
      const far = (sq * (px * nx + py * ny) - sp * (qx * nx + qy * ny)) / (sq - sp);
      if (far > 0) nearest = Math.min(nearest, far);
    }
    sum += own * nearest;
    length += own;
  }
  return sum / length;
}

/** Most less least of a value over nodes */
export function spread(nodes: Iterable<number>, value: (node: number) => number): number {
  let [low, high] = [Infinity, -Infinity];
  for (const node of nodes) {
    const here = value(node);
    low = Math.min(low, here);
    high = Math.max(high, here);
  }
  return high - low;
}

const allNodes = ({ nodeCount }: { readonly nodeCount: number }): number[] =>
  Array.from({ length: nodeCount }, (_, i) => i);

function within({ points, nodeCount }: PlaneMesh, [px, py]: Vec2, radius: number): Int32Array {
  const nodes: number[] = [];
  for (let i = 0; i < nodeCount; i++) {
    const dx = points[2 * i] - px;
    const dy = points[2 * i + 1] - py;
    if (dx * dx + dy * dy <= radius * radius * (1 + 1e-12)) nodes.push(i);
  }
  return Int32Array.from(nodes);
}

function nearestDistance({ points, nodeCount }: PlaneMesh, [px, py]: Vec2): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < nodeCount; i++) {
    const dx = points[2 * i] - px;
    const dy = points[2 * i + 1] - py;
    least = Math.min(least, dx * dx + dy * dy);
  }
  return Math.sqrt(least);
}

/**
 * Of the length of a slender part the largest share that one interface holds as one rigid piece, where it cannot bend; 0 of parts that are not slender.
 *
 * @param d coordinates to a point
 */
export function heldAlong(
  points: Float64Array,
  d: 2 | 3,
  interfaces: readonly { readonly nodes: Int32Array }[],
): number {
  const all = allNodes({ nodeCount: points.length / d });
  const extents = Array.from({ length: d }, (_, k) => spread(all, (i) => points[d * i + k]));
  const length = Math.max(...extents);
  if (!(Math.min(...extents) < LEAST_DEPTH * length)) return 0;
  const axis = extents.indexOf(length);
  return Math.max(0, ...interfaces.map(({ nodes }) => spread(nodes, (i) => points[d * i + axis]) / length));
}
