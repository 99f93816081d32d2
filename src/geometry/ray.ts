/**
 * Where a ray meets a mesh: first hit and all hits.
 *
 * The mesh is sheared so that the ray becomes an axis (Woop, Benthin & Wald 2013, "Watertight Ray/Triangle
 * Intersection"); each vertex is sheared alike for all its triangles, and the three side tests in the sheared plane are
 * exact, with ties broken as in point-location.ts. A ray through a closed mesh therefore never slips between two
 * triangles, and an edge or vertex it meets counts once.
 */
import { ModelError } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import type { Bvh } from './bvh.js';
import { turn } from './orientation.js';

/** Made once and filled again by every `firstHit`. */
export class RayHit {
  /** −1 if nothing is hit */
  triangle = -1;
  /** point = origin + parameter × direction; a distance in m if the direction is a unit vector */
  parameter = Infinity;
  /** +1 if the ray leaves through the triangle's front, −1 if it comes in by it */
  facing = 0;
}

let nodes = new Int32Array(64);
let nodeParameters = new Float64Array(64);

// The ray of the query under way: origin, direction, order of axes and shear.
let ox = 0;
let oy = 0;
let oz = 0;
let dx = 0;
let dy = 0;
let dz = 0;
let kx = 0;
let ky = 1;
let kz = 2;
let shearX = 0;
let shearY = 0;
let perLength = 0;
let originX = 0;
let originY = 0;
let originZ = 0;

/**
 * First triangle met at a parameter from 0 to `limit`. Allocates nothing if `into` is given.
 *
 * @param origin    m
 * @param direction any length but 0
 * @throws ModelError if the direction is zero or not finite
 * @example const hit = firstHit(tree, [0, 0, 5], [0, 0, -1]);
 */
export function firstHit(tree: Bvh, origin: Vec3, direction: Vec3, into = new RayHit(), limit = Infinity): RayHit {
  into.triangle = -1;
  into.parameter = Infinity;
  into.facing = 0;
  aim(origin, direction);
  walk(tree, limit, into, null);
  return into;
}

/** All hits with a parameter ≥ 0, ascending, equal ones by triangle. */
export function allHits(tree: Bvh, origin: Vec3, direction: Vec3): RayHit[] {
  const hits: RayHit[] = [];
  aim(origin, direction);
  walk(tree, Infinity, new RayHit(), hits);
  return hits.sort((a, b) => a.parameter - b.parameter || a.triangle - b.triangle);
}

function aim(origin: Vec3, direction: Vec3): void {
  [ox, oy, oz] = origin;
  [dx, dy, dz] = direction;
  const along = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
  if (!(along > 0 && along < Infinity && Number.isFinite(ox + oy + oz)))
    throw new ModelError(
      'ray',
      `expected a finite origin in m and a direction other than 0, got [${origin.join(', ')}], [${direction.join(', ')}]`,
    );
  kz = Math.abs(dx) === along ? 0 : Math.abs(dy) === along ? 1 : 2;
  kx = (kz + 1) % 3;
  ky = (kz + 2) % 3;
  shearX = direction[kx] / direction[kz];
  shearY = direction[ky] / direction[kz];
  perLength = 1 / direction[kz];
  originX = origin[kx];
  originY = origin[ky];
  originZ = origin[kz];
}

/** Visits nearer boxes first; with `all`, every box on the ray. */
function walk(tree: Bvh, limit: number, nearest: RayHit, all: RayHit[] | null): void {
  const { boxes, links, order, mesh } = tree;
  if (links.length === 0) return;
  if (nodes.length < tree.depth + 2) {
    nodes = new Int32Array(2 * tree.depth + 2);
    nodeParameters = new Float64Array(nodes.length);
  }
  let best = limit;
  nodes[0] = 0;
  nodeParameters[0] = enter(boxes, 0);
  for (let top = 1; top > 0; ) {
    const node = nodes[--top];
    if (nodeParameters[top] > best) continue;
    const count = -links[2 * node];
    if (count <= 0) {
      let near = -count;
      let far = links[2 * node + 1];
      let nearParameter = enter(boxes, 6 * near);
      let farParameter = enter(boxes, 6 * far);
      if (farParameter < nearParameter) {
        [near, far] = [far, near];
        [nearParameter, farParameter] = [farParameter, nearParameter];
      }
      if (farParameter <= best && farParameter < Infinity) {
        nodes[top] = far;
        nodeParameters[top++] = farParameter;
      }
      if (nearParameter <= best && nearParameter < Infinity) {
        nodes[top] = near;
        nodeParameters[top++] = nearParameter;
      }
      continue;
    }
    const first = links[2 * node + 1];
    for (let i = first; i < first + count; i++) {
      const t = order[i];
      const facing = meet(mesh.vertices, mesh.triangles, t);
      if (facing === 0 || !(met >= 0 && met <= best)) continue;
      if (all) {
        const hit = new RayHit();
        hit.triangle = t;
        hit.parameter = met;
        hit.facing = facing;
        all.push(hit);
      } else if (met < best || nearest.triangle < 0 || t < nearest.triangle) {
        best = met;
        nearest.triangle = t;
        nearest.parameter = met;
        nearest.facing = facing;
      }
    }
  }
}

/**
 * Parameter at which the ray enters a node's box, ≥ 0; infinite if it misses. The box is enlarged by the rounding of
 * the shear, 1e-15 of the distance to its far side; products 0 × ∞ compare as false and exclude nothing.
 */
function enter(boxes: Float64Array, at: number): number {
  const cx = boxes[at] - ox;
  const cy = boxes[at + 1] - oy;
  const cz = boxes[at + 2] - oz;
  const hx = boxes[at + 3];
  const hy = boxes[at + 4];
  const hz = boxes[at + 5];
  const margin = 1e-15 * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + hx + hy + hz);
  slabNear = 0;
  slabFar = Infinity;
  if (!slab(cx, hx + margin, dx) || !slab(cy, hy + margin, dy) || !slab(cz, hz + margin, dz)) return Infinity;
  return slabNear > slabFar * (1 + 1e-15) ? Infinity : slabNear * (1 - 1e-15);
}

let slabNear = 0;
let slabFar = Infinity;
function slab(centre: number, half: number, direction: number): boolean {
  if (direction === 0) return Math.abs(centre) <= half;
  const p = (centre - half) / direction;
  const q = (centre + half) / direction;
  const near = Math.min(p, q);
  const far = Math.max(p, q);
  if (near > slabNear) slabNear = near;
  if (far < slabFar) slabFar = far;
  return true;
}

let met = 0;
/** 0 if the ray's line misses triangle t, else the facing; the parameter is left in `met`. */
function meet(v: Float64Array, triangles: Uint32Array, t: number): number {
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  const az = v[a + kz] - originZ;
  const bz = v[b + kz] - originZ;
  const cz = v[c + kz] - originZ;
  const ax = notTiny(v[a + kx] - originX - shearX * az);
  const ay = notTiny(v[a + ky] - originY - shearY * az);
  const bx = notTiny(v[b + kx] - originX - shearX * bz);
  const by = notTiny(v[b + ky] - originY - shearY * bz);
  const cx = notTiny(v[c + kx] - originX - shearX * cz);
  const cy = notTiny(v[c + ky] - originY - shearY * cz);
  const weightC = turnAtOrigin(ax, ay, bx, by);
  const sign = turnSign;
  if (sign === 0) return 0;
  const weightA = turnAtOrigin(bx, by, cx, cy);
  if (turnSign !== sign) return 0;
  const weightB = turnAtOrigin(cx, cy, ax, ay);
  if (turnSign !== sign) return 0;
  const total = weightA + weightB + weightC;
  if (total === 0) return 0; // seen edge on: the shifted ray meets its neighbours
  met = ((weightA * az + weightB * bz + weightC * cz) / total) * perLength;
  return perLength > 0 ? sign : -sign;
}

/** Lengths whose products could underflow are 0, for each vertex alike: exact signs need exact products. */
const notTiny = (x: number): number => (Math.abs(x) < 1e-140 ? 0 : x);

let turnSign = 0;
/** Turn p → q → origin; its sign is left in `turnSign`, with the origin thought at (ε, ε²). */
function turnAtOrigin(px: number, py: number, qx: number, qy: number): number {
  const left = px * qy;
  const right = py * qx;
  let det = left - right;
  // certain if beyond the rounding of two products and a difference: 3 × 2^-53 of their sum, Shewchuk (1997), §4.2
  if (Math.abs(det) <= 3.3306690738754716e-16 * (Math.abs(left) + Math.abs(right))) det = turn(px, py, qx, qy, 0, 0);
  turnSign = det !== 0 ? Math.sign(det) : py !== qy ? Math.sign(py - qy) : Math.sign(qx - px);
  return det;
}
