/** Triangles whose boxes overlap a box, or the boxes of other triangles: the first step of every exact overlap test. */
import type { Vec3 } from '../math/vec3.js';
import { type Bvh, triangleBounds } from './bvh.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Calls `visit` for every triangle whose box overlaps or touches the given one (m), in the order of the tree. */
export function trianglesInBox(tree: Bvh, min: Vec3, max: Vec3, visit: (triangle: number) => void): void {
  const { boxes, links, order, mesh } = tree;
  const stack = links.length > 0 ? [0] : [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const at = 6 * node;
    let apart = false;
    for (let k = 0; k < 3; k++)
      if (min[k] - boxes[at + k] > boxes[at + 3 + k] || boxes[at + k] - max[k] > boxes[at + 3 + k]) apart = true;
    if (apart) continue;
    const count = -links[2 * node];
    if (count <= 0) stack.push(links[2 * node + 1], -count);
    else {
      const first = links[2 * node + 1];
      for (let i = first; i < first + count; i++) if (boxMeets(mesh, order[i], min, max)) visit(order[i]);
    }
  }
}

function boxMeets({ vertices, triangles }: TriangleMesh, t: number, min: Vec3, max: Vec3): boolean {
  for (let k = 0; k < 3; k++) {
    const p = vertices[3 * triangles[3 * t] + k];
    const q = vertices[3 * triangles[3 * t + 1] + k];
    const r = vertices[3 * triangles[3 * t + 2] + k];
    if (p < min[k] && q < min[k] && r < min[k]) return false;
    if (p > max[k] && q > max[k] && r > max[k]) return false;
  }
  return true;
}

/** Gets one triangle of each of two meshes, or two of one; false ends the search. */
export type PairVisitor = (triangleA: number, triangleB: number) => boolean | undefined | undefined;

/** Calls `visit` for every pair of a triangle of `a` and one of `b` whose boxes overlap or touch, until it returns false. */
export function trianglePairs(a: Bvh, b: Bvh, visit: PairVisitor): void {
  if (a.links.length === 0 || b.links.length === 0) return;
  descend(a, b, triangleBounds(a.mesh), triangleBounds(b.mesh), [0, 0], visit);
}

/**
 * Calls `visit` once for every two triangles of one mesh whose boxes overlap or touch, the smaller index first, until it
 * returns false.
 */
export function selfPairs(tree: Bvh, visit: PairVisitor): void {
  const { links, order } = tree;
  if (links.length === 0) return;
  const bounds = triangleBounds(tree.mesh);
  const ordered: PairVisitor = (s, t) => (s < t ? visit(s, t) : visit(t, s));
  for (let node = 0; 2 * node < links.length; node++) {
    const count = -links[2 * node];
    if (count <= 0) {
      if (!descend(tree, tree, bounds, bounds, [-count, links[2 * node + 1]], ordered)) return;
    } else {
      const first = links[2 * node + 1];
      for (let i = first; i < first + count; i++)
        for (let j = first; j < i; j++)
          if (meets(bounds, 6 * order[i], bounds, 6 * order[j]) && ordered(order[i], order[j]) === false) return;
    }
  }
}

/**
 * Walks both trees from the pairs of nodes on the stack; of two overlapping boxes the larger is opened. False if `visit`
 * ended it.
 */
function descend(
  a: Bvh,
  b: Bvh,
  boundsA: Float64Array,
  boundsB: Float64Array,
  stack: number[],
  visit: PairVisitor,
): boolean {
  while (stack.length > 0) {
    const j = stack.pop()!;
    const i = stack.pop()!;
    const p = 6 * i;
    const q = 6 * j;
    if (
      Math.abs(a.boxes[p] - b.boxes[q]) > a.boxes[p + 3] + b.boxes[q + 3] ||
      Math.abs(a.boxes[p + 1] - b.boxes[q + 1]) > a.boxes[p + 4] + b.boxes[q + 4] ||
      Math.abs(a.boxes[p + 2] - b.boxes[q + 2]) > a.boxes[p + 5] + b.boxes[q + 5]
    )
      continue;
    const countA = -a.links[2 * i];
    const countB = -b.links[2 * j];
    if (countA > 0 && countB > 0) {
      const firstA = a.links[2 * i + 1];
      const firstB = b.links[2 * j + 1];
      for (let s = firstA; s < firstA + countA; s++)
        for (let t = firstB; t < firstB + countB; t++)
          if (meets(boundsA, 6 * a.order[s], boundsB, 6 * b.order[t]) && visit(a.order[s], b.order[t]) === false)
            return false;
      continue;
    }
    const sizeA = a.boxes[p + 3] + a.boxes[p + 4] + a.boxes[p + 5];
    const sizeB = b.boxes[q + 3] + b.boxes[q + 4] + b.boxes[q + 5];
    if (countB > 0 || (countA <= 0 && sizeA >= sizeB)) stack.push(a.links[2 * i + 1], j, -countA, j);
    else stack.push(i, b.links[2 * j + 1], i, -countB);
  }
  return true;
}

function meets(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    b[j] <= a[i + 3] &&
    a[i + 1] <= b[j + 4] &&
    b[j + 1] <= a[i + 4] &&
    a[i + 2] <= b[j + 5] &&
    b[j + 2] <= a[i + 5]
  );
}
