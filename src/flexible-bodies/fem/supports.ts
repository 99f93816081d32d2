/** Where a user fixes or loads a part: sides of its outline named by place, by hole or by edge. */
import { ModelError } from '../../errors.js';
import { LENGTH_UNITS, type LengthUnit } from '../../geometry/files/cad-document.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { type Nodes, nearestNode } from './nearest-node.js';

/**
 * Boundary sides that a text names:
 *
 *   left, right, bottom, top   the straight edges on that side of the part's box
 *   hole 2                     the rim of the second hole, in the order of the file
 *   edge 5, edge 5-9           the fifth edge of the outline, or several in a row; outside first, then holes, as `mesh.svg` numbers them
 *   near 0.1,0.02              the edge or rim nearest to a point, m; or near 100mm,20mm
 *   point 0.1,0.02             its node nearest to a point (`namedPoint`)
 *
 * @param tell which edge is nearest
 * @throws ModelError if it names nothing
 */
export function namedSides(
  mesh: PlaneMesh,
  text: string,
  option: string,
  tell: (note: string) => void = () => {},
): number[] {
  const { sides, sideEdge, edgeLoop, points } = mesh;
  const all = Array.from(sideEdge, (_, s) => s);
  const asked = text.trim();
  const hole = /^hole\s*(\d+)$/.exec(asked);
  const edge = /^edges?\s*(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(asked);
  const near = /^near\s+(.+),(.+)$/.exec(asked);
  let found: number[] = [];
  let known = '';
  if (Object.hasOwn(BOX, asked)) {
    const [axis, sign] = BOX[asked];
    let extreme = Number.NEGATIVE_INFINITY;
    let extent = 0;
    for (let s = 0; s < sides.length; s++)
      if (sides[s] >= 0) {
        extreme = Math.max(extreme, sign * points[2 * sides[s] + axis]);
        extent = Math.max(extent, Math.abs(points[2 * sides[s]]), Math.abs(points[2 * sides[s] + 1]));
      }
    const on = (node: number): boolean => node < 0 || sign * points[2 * node + axis] >= extreme - 1e-9 * extent;
    found = all.filter((s) => on(sides[3 * s]) && on(sides[3 * s + 1]) && on(sides[3 * s + 2]));
    known = `it has no straight edge there; it has ${whatThereIs(mesh)}, or take "near x,y"`;
  } else if (hole) {
    // loop 0 is the outside, which is no hole
    if (Number(hole[1]) > 0) found = all.filter((s) => edgeLoop[sideEdge[s]] === Number(hole[1]));
    known = `it has ${whatThereIs(mesh)}`;
  } else if (edge) {
    const [first, last] = [Number(edge[1]), Number(edge[2] ?? edge[1])];
    if (first > 0 && last <= edgeLoop.length) found = all.filter((s) => sideEdge[s] >= first - 1 && sideEdge[s] < last);
    known = `it has ${whatThereIs(mesh)}`;
  } else if (near) {
    const [x, y] = [lengthOf(near[1]), lengthOf(near[2])];
    let best = Number.POSITIVE_INFINITY;
    let chosen = -1;
    for (const s of all) {
      const [a, b] = [sides[3 * s], sides[3 * s + 1]];
      const dx = (points[2 * a] + points[2 * b]) / 2 - x;
      const dy = (points[2 * a + 1] + points[2 * b + 1]) / 2 - y;
      if (dx * dx + dy * dy < best) {
        best = dx * dx + dy * dy;
        chosen = s;
      }
    }
    const loop = chosen < 0 ? -1 : edgeLoop[sideEdge[chosen]];
    if (chosen >= 0)
      found = all.filter((s) => (loop > 0 ? edgeLoop[sideEdge[s]] === loop : sideEdge[s] === sideEdge[chosen]));
    known = 'expected two lengths such as 0.1,0.02 (in m) or 100mm,20mm';
    if (chosen >= 0) requireNear(mesh, Math.sqrt(best), text, option);
    if (loop === 0) {
      const length = found.reduce((sum, s) => sum + sideLength(mesh, s), 0);
      tell(`"${text.trim()}" is edge ${sideEdge[chosen] + 1}, ${Number(length.toPrecision(4))} m long`);
    }
  } else
    throw new ModelError(
      option,
      `expected left, right, bottom, top, "hole 1", "edge 1", "near x,y" or "point x,y", got "${text}"`,
    );
  if (found.length === 0) throw new ModelError(option, `"${text}" is nothing of this part: ${known}`);
  return found;
}

/** "edge 1" … "edge 6" and "hole 1" */
function whatThereIs({ edgeLoop }: PlaneMesh): string {
  const list = (name: string, count: number): string =>
    count === 1 ? `"${name} 1"` : `"${name} 1" … "${name} ${count}"`;
  const holes = edgeLoop.reduce((most, loop) => Math.max(most, loop), 0);
  return `${list('edge', edgeLoop.length)} and ${holes === 0 ? 'no hole' : list('hole', holes)}`;
}

function requireNear({ points }: PlaneMesh, distance: number, text: string, option: string): void {
  if (distance > 0.5 * farthest(points))
    throw new ModelError(
      option,
      `"${text}" is nothing of this part: its nearest edge is ${distance.toPrecision(3)} m away; lengths without a unit are m, others are written such as 20mm,5mm`,
    );
}

/** `point x,y`: the node that is nearest to it, of the outline where one is near, else inside; undefined if the text names no point. @param tell where the node is, if elsewhere */
export function namedPoint(
  mesh: PlaneMesh,
  text: string,
  option: string,
  tell: (note: string) => void = () => {},
): number | undefined {
  const asked = /^point\s+(.+),(.+)$/.exec(text.trim());
  if (!asked) return undefined;
  const at = [lengthOf(asked[1]), lengthOf(asked[2])];
  if (!at.every(Number.isFinite))
    throw new ModelError(option, `expected two lengths such as 0.1,0.02 (in m) or 100mm,20mm, got "${text}"`);
  return nodeMeant({ ...mesh, dimension: 2 }, at, text, option, tell, new Set(mesh.sides.filter((node) => node >= 0)));
}

/** The node nearest to a point. @throws ModelError if it is farther away than its elements reach @param tell where the node is, if elsewhere */
export function nodeMeant(
  nodes: Nodes,
  at: readonly number[],
  text: string,
  option: string,
  tell: (note: string) => void,
  outline?: Iterable<number>,
): number {
  const { node, distance, reach } = nearestNode(nodes, at, outline);
  const d = nodes.dimension;
  const place = Array.from(nodes.points.subarray(d * node, d * node + d), (x) => Number(x.toPrecision(4))).join(', ');
  if (distance > reach)
    throw new ModelError(
      option,
      `"${text}" is nothing of this part: its nearest node is ${distance.toPrecision(3)} m away, at (${place}) m; lengths without a unit are m, others are written such as 20mm,5mm`,
    );
  if (distance > 1e-3 * reach) tell(`"${text}" is the node at (${place}) m, ${distance.toPrecision(2)} m away`);
  return node;
}

const BOX: Readonly<Record<string, readonly [number, number]>> = {
  left: [0, -1],
  right: [0, 1],
  bottom: [1, -1],
  top: [1, 1],
};

/** `20mm`, or m; not a number for what is none */
function lengthOf(text: string): number {
  const found = /^([-+.\deE]+?)\s*([a-z]+)?$/.exec(text.trim());
  return found ? Number(found[1]) * (LENGTH_UNITS[(found[2] ?? 'm') as LengthUnit] ?? Number.NaN) : Number.NaN;
}

/** Larger side of the box around points, m */
function farthest(points: Float64Array): number {
  let most = 0;
  for (let axis = 0; axis < 2; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 2) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    most = Math.max(most, high - low);
  }
  return most;
}

/** @throws ModelError if a load, d per node, acts only where the part is held: the support takes all of it, and nothing deforms */
export function requireFree(force: Float64Array, free: Uint8Array, option: string, text: string): void {
  if (!force.some((f, i) => f !== 0 && free[i] !== 0))
    throw new ModelError(
      option,
      `"${text}" loads nothing: its force is zero, or acts only where the part is held, and the support takes it whole`,
    );
}

/** Between the ends of a side, m */
function sideLength({ sides, points }: PlaneMesh, s: number): number {
  const [a, b] = [sides[3 * s], sides[3 * s + 1]];
  const dx = points[2 * b] - points[2 * a];
  const dy = points[2 * b + 1] - points[2 * a + 1];
  return Math.sqrt(dx * dx + dy * dy);
}

/** Nodes on sides */
export function nodesOf({ sides }: PlaneMesh, chosen: readonly number[]): Set<number> {
  const nodes = new Set<number>();
  for (const s of chosen) for (let k = 0; k < 3; k++) if (sides[3 * s + k] >= 0) nodes.add(sides[3 * s + k]);
  return nodes;
}

/**
 * Spreads a force over sides as a uniform traction: consistent nodal forces, ½ ½ of straight sides of two nodes, ⅙ ⅔ ⅙ of three.
 *
 * @param out 2 per node, N; added to
 */
export function addTraction(
  mesh: PlaneMesh,
  chosen: readonly number[],
  [fx, fy]: readonly [number, number],
  out: Float64Array,
): void {
  const { sides } = mesh;
  const whole = chosen.reduce((sum, s) => sum + sideLength(mesh, s), 0);
  for (const s of chosen) {
    const share = sideLength(mesh, s) / whole;
    const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
    const parts: readonly (readonly [number, number])[] =
      m < 0
        ? [
            [a, 1 / 2],
            [b, 1 / 2],
          ]
        : [
            [a, 1 / 6],
            [b, 1 / 6],
            [m, 2 / 3],
          ];
    for (const [node, part] of parts) {
      out[2 * node] += fx * share * part;
      out[2 * node + 1] += fy * share * part;
    }
  }
}
