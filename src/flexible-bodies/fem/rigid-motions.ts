/** Motions of a part that strain nothing: shifts, and turns by small angles. */

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

/** to += f · what */
export const addTo = (to: Float64Array, what: Float64Array, f: number): void => {
  for (let i = 0; i < to.length; i++) to[i] += f * what[i];
};

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
