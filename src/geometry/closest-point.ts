/** The nearest point of a mesh, and the distance from it with a sign: negative inside. */
import type { Bvh } from './bvh.js';
import { locatePoint } from './point-location.js';

/** Made once and filled again by every `closestPoint`. */
export class ClosestPoint {
  /** −1 if no triangle lies within the distance asked for */
  triangle = -1;
  /** m */
  x = 0;
  y = 0;
  z = 0;
  /** m, ≥ 0 */
  distance = Infinity;
}

let nodes = new Int32Array(64);
let nodeDistances = new Float64Array(64);
const foot = new Float64Array(3);

/**
 * The point of the mesh nearest to (x, y, z), all m. Visits the nearer box first and skips boxes farther away than the
 * best point so far. Allocates nothing if `into` is given.
 *
 * @param within m; farther points do not count
 * @example const near = closestPoint(tree, 0, 0, 2); near.triangle; near.distance;
 */
export function closestPoint(
  tree: Bvh,
  x: number,
  y: number,
  z: number,
  into: ClosestPoint = new ClosestPoint(),
  within = Infinity,
): ClosestPoint {
  const { boxes, links, order, mesh } = tree;
  const { vertices, triangles } = mesh;
  into.triangle = -1;
  into.distance = Infinity;
  if (links.length === 0) return into;
  if (nodes.length < tree.depth + 2) {
    nodes = new Int32Array(2 * tree.depth + 2);
    nodeDistances = new Float64Array(nodes.length);
  }
  let best = within * within; // squared, as all distances below
  nodes[0] = 0;
  nodeDistances[0] = boxDistance(boxes, 0, x, y, z);
  for (let top = 1; top > 0; ) {
    const node = nodes[--top];
    if (nodeDistances[top] > best) continue;
    const count = -links[2 * node];
    if (count <= 0) {
      let near = -count;
      let far = links[2 * node + 1];
      let nearDistance = boxDistance(boxes, 6 * near, x, y, z);
      let farDistance = boxDistance(boxes, 6 * far, x, y, z);
      if (farDistance < nearDistance) {
        [near, far] = [far, near];
        [nearDistance, farDistance] = [farDistance, nearDistance];
      }
      if (farDistance <= best) {
        nodes[top] = far;
        nodeDistances[top++] = farDistance;
      }
      if (nearDistance <= best) {
        nodes[top] = near;
        nodeDistances[top++] = nearDistance;
      }
      continue;
    }
    const first = links[2 * node + 1];
    for (let i = first; i < first + count; i++) {
      const t = 3 * order[i];
      const squared = closestOnTriangle(
        vertices,
        3 * triangles[t],
        3 * triangles[t + 1],
        3 * triangles[t + 2],
        x,
        y,
        z,
        foot,
      );
      if (squared < best || (squared === best && into.triangle < 0)) {
        best = squared;
        into.triangle = order[i];
        into.x = foot[0];
        into.y = foot[1];
        into.z = foot[2];
      }
    }
  }
  if (into.triangle >= 0) into.distance = Math.sqrt(best);
  return into;
}

const scratch = new ClosestPoint();
/**
 * Distance to the surface of a closed mesh in m, negative inside. The sign is exact (`locatePoint`), so that it is
 * right beside edges and vertices too, where the normal of the nearest triangle misleads.
 */
export function signedDistance(tree: Bvh, x: number, y: number, z: number): number {
  const { distance } = closestPoint(tree, x, y, z, scratch);
  const side = locatePoint(tree, x, y, z);
  return side === 0 ? 0 : -side * distance;
}

/** Squared distance from a point to a node's box, 0 inside. */
function boxDistance(boxes: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, Math.abs(x - boxes[at]) - boxes[at + 3]);
  const dy = Math.max(0, Math.abs(y - boxes[at + 1]) - boxes[at + 4]);
  const dz = Math.max(0, Math.abs(z - boxes[at + 2]) - boxes[at + 5]);
  // differences of rounded numbers: 2^-50 less than computed is never too far
  return (dx * dx + dy * dy + dz * dz) * 0.9999999999999991;
}

/**
 * Point of the triangle a, b, c nearest to p, into `out`; returns the squared distance.
 *
 * The foot of the perpendicular has barycentric coordinates n·((q − p) × (r − p)) / n·n for each side q → r. If one
 * is negative, or the triangle is so thin that their signs are in doubt, the nearest points of the three sides decide.
 */
export function closestOnTriangle(
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): number {
  const ax = v[a] - x;
  const ay = v[a + 1] - y;
  const az = v[a + 2] - z;
  const ux = v[b] - v[a];
  const uy = v[b + 1] - v[a + 1];
  const uz = v[b + 2] - v[a + 2];
  const wx = v[c] - v[a];
  const wy = v[c + 1] - v[a + 1];
  const wz = v[c + 2] - v[a + 2];
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const nn = nx * nx + ny * ny + nz * nz;

  // p = a + β u + γ w + (multiple of n); β = n·(d × w)/n·n and γ = n·(u × d)/n·n with d = p − a
  if (nn > 1e-12 * (ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz)) {
    const beta = (nx * (az * wy - ay * wz) + ny * (ax * wz - az * wx) + nz * (ay * wx - ax * wy)) / nn;
    const gamma = (nx * (uz * ay - uy * az) + ny * (ux * az - uz * ax) + nz * (uy * ax - ux * ay)) / nn;
    if (beta >= 0 && gamma >= 0 && beta + gamma <= 1) {
      const dx = ax + beta * ux + gamma * wx;
      const dy = ay + beta * uy + gamma * wy;
      const dz = az + beta * uz + gamma * wz;
      out[0] = x + dx;
      out[1] = y + dy;
      out[2] = z + dz;
      return dx * dx + dy * dy + dz * dz;
    }
  }
  let best = closestOnSegment(v, a, b, x, y, z, out, Infinity);
  best = closestOnSegment(v, b, c, x, y, z, out, best);
  return closestOnSegment(v, c, a, x, y, z, out, best);
}

/** Writes the point of the segment p → q nearest to (x, y, z) if nearer than `best`; returns the lesser square. */
function closestOnSegment(
  v: Float64Array,
  p: number,
  q: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  best: number,
): number {
  const ux = v[q] - v[p];
  const uy = v[q + 1] - v[p + 1];
  const uz = v[q + 2] - v[p + 2];
  const px = v[p] - x;
  const py = v[p + 1] - y;
  const pz = v[p + 2] - z;
  const s = -(px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz);
  // s is not a number for a side of no length: its first end will do
  const end = s >= 1;
  const dx = end ? v[q] - x : s > 0 ? px + s * ux : px;
  const dy = end ? v[q + 1] - y : s > 0 ? py + s * uy : py;
  const dz = end ? v[q + 2] - z : s > 0 ? pz + s * uz : pz;
  const squared = dx * dx + dy * dy + dz * dz;
  if (!(squared < best)) return best;
  out[0] = x + dx;
  out[1] = y + dy;
  out[2] = z + dz;
  return squared;
}
