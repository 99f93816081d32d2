/** Motions of a part that strain nothing: shifts, and turns by small angles. */
import type { NodePattern } from '../../math/sparse/dissection.js';

/** A part with its mass, d unknowns to a node */
interface Massive {
  readonly dimension: 2 | 3;
  readonly size: number;
  readonly mesh: { readonly points: Float64Array; readonly nodeCount: number };
  applyMass(x: Float64Array, out: Float64Array): void;
}

/** Motions without strain: 3 in the plane, 6 in space */
export const rigidMotions = (d: 2 | 3): number => (d === 2 ? 3 : 6);

/** Adds to a node what a unit of a rigid motion gives it: displacements first, then turns about the point. */
export function moveRigidly(
  points: Float64Array,
  d: 2 | 3,
  node: number,
  about: ArrayLike<number>,
  motion: number,
  out: Float64Array,
): void {
  const at = d * node;
  if (motion < d) {
    out[at + motion] += 1;
    return;
  }
  // e_i × r = e_k r_j − e_j r_k with i, j, k in a circle; in the plane i is the normal
  const i = d === 2 ? 2 : motion - 3;
  const [j, k] = [(i + 1) % 3, (i + 2) % 3];
  out[at + j] -= points[at + k] - about[k];
  out[at + k] += points[at + j] - about[j];
}

/** All of them about the origin, orthogonal and of length 1 by the mass, and M times each */
export function unstrained(part: Massive): { shapes: Float64Array[]; masses: Float64Array[] } {
  const { mesh, size, dimension: d } = part;
  const force = new Float64Array(size);
  const shapes = Array.from({ length: rigidMotions(d) }, (_, motion) => {
    const shape = new Float64Array(size);
    for (let i = 0; i < mesh.nodeCount; i++) moveRigidly(mesh.points, d, i, [0, 0, 0], motion, shape);
    return shape;
  });
  shapes.forEach((shape, k) => {
    for (let l = 0; l < k; l++) {
      part.applyMass(shape, force);
      addTo(shape, shapes[l], -dot(shapes[l], force));
    }
    part.applyMass(shape, force);
    const scale = 1 / Math.sqrt(dot(shape, force));
    for (let i = 0; i < size; i++) shape[i] *= scale;
  });
  const masses = shapes.map((shape) => {
    const out = new Float64Array(size);
    part.applyMass(shape, out);
    return out;
  });
  return { shapes, masses };
}

/** A piece of the part can turn where what holds it reaches no farther than this part of its size */
const LEAST_LEVER = 1e-6;

/**
 * A node of a piece of the mesh (nodes that elements join) that can move or turn as a whole, because too few of its unknowns are held, and whether
 * that is all of the mesh; undefined: all pieces are held. Factors of K do not tell: what rounding leaves of a pivot that is zero may be positive.
 *
 * @param free 0 where an unknown is held
 */
export function loosePiece(
  { points, nodeCount, dimension: d }: { points: Float64Array; nodeCount: number; dimension: 2 | 3 },
  { rowStart, column }: NodePattern,
  free: Uint8Array,
): { readonly node: number; readonly whole: boolean } | undefined {
  const seen = new Uint8Array(nodeCount);
  for (let first = 0; first < nodeCount; first++) {
    if (seen[first] !== 0) continue;
    // all that hangs together with it
    const piece = [first];
    seen[first] = 1;
    for (let i = 0; i < piece.length; i++)
      for (let c = rowStart[piece[i]]; c < rowStart[piece[i] + 1]; c++)
        if (seen[column[c]] === 0) {
          seen[column[c]] = 1;
          piece.push(column[c]);
        }
    if (!pieceHeld(points, d, piece, free)) return { node: first, whole: piece.length === nodeCount };
  }
  return undefined;
}

/** Rigid motions of the piece, by what they displace where it is held, are independent. */
function pieceHeld(points: Float64Array, d: 2 | 3, piece: readonly number[], free: Uint8Array): boolean {
  const n = rigidMotions(d);
  const held = piece.filter((node) => free.subarray(d * node, d * node + d).includes(0));
  if (held.length === 0) return false;
  const about = Array.from({ length: d }, (_, k) => points[d * held[0] + k]);
  let extent = 0;
  for (const node of piece)
    for (let k = 0; k < d; k++) extent = Math.max(extent, Math.abs(points[d * node + k] - about[k]));
  // rows: displacements of held unknowns by each motion, turns by extent; made orthogonal one after the other
  const rows = held.flatMap((node) =>
    Array.from({ length: d }, (_, k) => k)
      .filter((k) => free[d * node + k] === 0)
      .map((k) => [node, k] as const),
  );
  const motions = Array.from({ length: n }, (_, motion) => {
    const whole = new Float64Array(d);
    return Float64Array.from(rows, ([node, k]) => {
      whole.fill(0);
      const place = points.subarray(d * node, d * node + d);
      moveRigidly(place, d, 0, about, motion, whole);
      return motion < d ? whole[k] : whole[k] / extent;
    });
  });
  // Gram–Schmidt with the longest first, each taken out of the others twice
  const left = new Set(motions);
  for (let k = 0; k < n; k++) {
    let best = motions[0];
    let longest = -1;
    for (const motion of left) {
      const square = dot(motion, motion);
      if (square > longest) [best, longest] = [motion, square];
    }
    if (!(longest > LEAST_LEVER * LEAST_LEVER)) return false;
    left.delete(best);
    for (const motion of left)
      for (let twice = 0; twice < 2; twice++) addTo(motion, best, -dot(best, motion) / longest);
  }
  return true;
}

/** to += f · what */
export const addTo = (to: Float64Array, what: Float64Array, f: number): void => {
  for (let i = 0; i < to.length; i++) to[i] += f * what[i];
};

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
