/**
 * A meshed part with a few coordinates: Craig & Bampton's reduction.
 *
 *   Φ = [ Ψ | fixed-interface modes ],   Ψ = −K_ii⁻¹ K_ib T_b
 *
 * Each interface is rigid and has three coordinates in the plane, two displacements of its point and its turn, and six in space. Ψ are the
 * shapes that unit values of them give with all other interfaces held, so that these coordinates are the motion of the interfaces
 * themselves; modes do not move interfaces. Where a frame is clamped to the inboard interface its columns are left out. Modes are scaled
 * to a largest displacement of 1, so that their coordinates are lengths.
 *
 * Damping of each natural mode of the reduced part at its ratio ζ: D = W diag(2 ζ ω) Wᵀ, W = M V, Vᵀ M V = 1.
 *
 * Craig & Bampton (1968), doi 10.2514/3.4741.
 */
import { densePencilEigen } from '../math/sparse/dense-symmetric.js';
import { cross, type Vec3 } from '../math/vec3.js';
import type { ElasticPart } from './fem/elastic-part.js';
import { addTo, dot, moveRigidly, rigidMotions, unstrained } from './fem/rigid-motions.js';
import type { PartInterface } from './interfaces.js';

export interface ReducedPart {
  /** Coordinates: 3 (in space 6) per interface but the inboard one, then modes */
  readonly count: number;
  /** Displacement per unit of each coordinate, d per node */
  readonly shapes: readonly Float64Array[];
  /** count × count, row-major */
  readonly mass: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Natural frequencies of the reduced part, ascending, rad/s */
  readonly frequencies: Float64Array;
  /** Of the modes with all interfaces held, rad/s */
  readonly heldFrequencies: Float64Array;
  /** f ← (K⁻¹ − Σ φ_k φ_kᵀ/k_k) f with all interfaces held: what a load does beyond the shapes, d per node */
  readonly residual: (force: Float64Array) => void;
}

/** Ratio of critical damping by angular frequency */
export type DampingRatio = (frequency: number, first: number, last: number) => number;

/** 1 % up to five times the first frequency, then rising to 5 % at the last. */
const DEFAULT_DAMPING: DampingRatio = (frequency, first, last) => {
  const from = 5 * first;
  if (frequency <= from || last <= from) return 0.01;
  return 0.01 + (0.04 * (frequency - from)) / (last - from);
};

/**
 * @param inboard index of the interface the frame is clamped to, −1: none
 * @param modes   number of fixed-interface modes
 */
export function reducePart(
  part: ElasticPart,
  interfaces: readonly PartInterface<readonly number[]>[],
  inboard: number,
  modes: number,
  damping: DampingRatio = DEFAULT_DAMPING,
  path = 'flexible',
): ReducedPart {
  const { mesh, size, dimension: d } = part;
  const free = new Uint8Array(size).fill(1);
  for (const { nodes } of interfaces) for (const node of nodes) free.fill(0, d * node, d * node + d);
  const ldl = part.factor(free, 0, path);
  const shapes: Float64Array[] = [];
  const force = new Float64Array(size);
  interfaces.forEach(({ point, nodes }, index) => {
    if (index === inboard) return;
    for (let column = 0; column < rigidMotions(d); column++) {
      const shape = new Float64Array(size);
      for (const node of nodes) moveRigidly(mesh.points, d, node, point, column, shape);
      part.applyStiffness(shape, force);
      for (let i = 0; i < size; i++) force[i] = free[i] !== 0 ? -force[i] : 0;
      ldl.solve(force);
      for (let i = 0; i < size; i++) if (free[i] !== 0) shape[i] = force[i];
      shapes.push(shape);
    }
  });
  const interfaceColumns = shapes.length;
  const held = part.modes(modes, free, 0, ldl);
  for (const shape of held.shapes) shapes.push(ofUnitSize(shape, d));
  const count = shapes.length;
  const { mass, stiffness, frequencies, damping: losses } = reducedMatrices(part, shapes, interfaceColumns, damping);
  return {
    count,
    shapes,
    mass,
    stiffness,
    damping: losses,
    frequencies,
    heldFrequencies: held.frequencies,
    residual: (load) => {
      const along = shapes.map((shape, k) => (k < interfaceColumns ? 0 : dot(shape, load)));
      ldl.solve(load);
      for (let k = interfaceColumns; k < count; k++) addTo(load, shapes[k], -along[k] / stiffness[k * (count + 1)]);
    },
  };
}

/** Scaled to a largest displacement of 1 */
function ofUnitSize(shape: Float64Array, d: 2 | 3): Float64Array {
  let most = 0;
  for (let i = 0; i < shape.length; i += d) {
    let square = 0;
    for (let k = 0; k < d; k++) square += shape[i + k] * shape[i + k];
    most = Math.max(most, square);
  }
  const scale = 1 / Math.sqrt(most);
  return shape.map((x) => x * scale);
}

/**
 * A part that nothing holds: its natural modes, which neither move its centre of mass nor turn it, seen from a frame at that centre (mean axes).
 * What a load does beyond them is found with inertia relief: less what the inertia of the rigid motion takes, from just enough unknowns held,
 * which then carry nothing.
 */
export function reduceFreePart(
  part: ElasticPart,
  modes: number,
  damping: DampingRatio = DEFAULT_DAMPING,
  path = 'flexible',
): ReducedPart {
  const { mesh, size, material, dimension: d } = part;
  const { points } = mesh;
  const motions = rigidMotions(d);
  const { shapes: rigid, masses } = unstrained(part);
  const free = new Uint8Array(size).fill(1);
  // A hundredth of a bar's first frequency, 2π c w/L², w how wide it is
  const extents = extentsOf(points, d);
  const extent = Math.max(...extents);
  const width = Math.min(...extents);
  const first = (Math.sqrt(material.youngsModulus / material.density) * width) / (extent * extent);
  const shift = -(0.06 * first) * (0.06 * first);
  const found = part.modes(modes + motions, free, shift);
  const shapes = found.shapes.slice(motions).map((shape) => {
    const own = shape.slice();
    for (let k = 0; k < motions; k++) addTo(own, rigid[k], -dot(masses[k], own));
    return ofUnitSize(own, d);
  });
  const { mass, stiffness, damping: losses, frequencies } = reducedMatrices(part, shapes, 0, damping);
  const count = shapes.length;
  const ldl = part.factor(barelyHeld(points, d), 0, path);
  return {
    count,
    shapes,
    mass,
    stiffness,
    damping: losses,
    frequencies,
    heldFrequencies: found.frequencies.slice(motions),
    residual: (load) => {
      for (let k = 0; k < motions; k++) addTo(load, masses[k], -dot(rigid[k], load));
      const along = shapes.map((shape) => dot(shape, load));
      ldl.solve(load);
      for (let k = 0; k < motions; k++) addTo(load, rigid[k], -dot(masses[k], load));
      for (let k = 0; k < count; k++) addTo(load, shapes[k], -along[k] / stiffness[k * (count + 1)]);
    },
  };
}

/** How far it reaches along each axis, m */
export function extentsOf(points: Float64Array, d: 2 | 3): number[] {
  return Array.from({ length: d }, (_, axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += d) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    return high - low;
  });
}

/**
 * Just as many unknowns as stop every rigid motion: all of the first node; of the node farthest from it those across the line between them; in
 * space of the node farthest from that line the one across all three.
 */
function barelyHeld(points: Float64Array, d: 2 | 3): Uint8Array {
  const free = new Uint8Array(points.length).fill(1);
  free.fill(0, 0, d);
  const from = (i: number): [number, number, number] => [
    points[d * i] - points[0],
    points[d * i + 1] - points[1],
    d === 3 ? points[3 * i + 2] - points[2] : 0,
  ];
  const farthest = (size: (i: number) => number): number => {
    let far = 1;
    for (let i = 2; i < points.length / d; i++) if (size(i) > size(far)) far = i;
    return far;
  };
  const square = ([x, y, z]: readonly number[]): number => x * x + y * y + z * z;
  const largest = (v: readonly number[]): number =>
    v.reduce((best, x, k) => (Math.abs(x) > Math.abs(v[best]) ? k : best), 0);
  const far = farthest((i) => square(from(i)));
  const line = from(far);
  const along = largest(line);
  for (let k = 0; k < d; k++) if (k !== along) free[d * far + k] = 0;
  if (d === 2) return free;
  const across = (i: number): Vec3 => cross(line, from(i));
  const third = farthest((i) => square(across(i)));
  free[3 * third + largest(across(third))] = 0;
  return free;
}

/**
 * Projections on the shapes, and damping of their natural modes. Modes (from index `first`) are orthogonal to each other by mass and stiffness, and
 * by stiffness to the shapes of interfaces: what rounding leaves there is made zero.
 */
function reducedMatrices(
  part: ElasticPart,
  shapes: readonly Float64Array[],
  first: number,
  damping: DampingRatio,
): Pick<ReducedPart, 'mass' | 'stiffness' | 'damping' | 'frequencies'> {
  const count = shapes.length;
  const force = new Float64Array(part.size);
  const mass = new Float64Array(count * count);
  const stiffness = new Float64Array(count * count);
  for (let k = 0; k < count; k++) {
    part.applyMass(shapes[k], force);
    for (let l = 0; l <= k; l++) mass[k * count + l] = mass[l * count + k] = dot(shapes[l], force);
    part.applyStiffness(shapes[k], force);
    for (let l = 0; l <= k; l++) stiffness[k * count + l] = stiffness[l * count + k] = dot(shapes[l], force);
  }
  for (let k = first; k < count; k++)
    for (let l = 0; l < k; l++) {
      if (l >= first) mass[k * count + l] = mass[l * count + k] = 0;
      stiffness[k * count + l] = stiffness[l * count + k] = 0;
    }
  const { values, vectors } = densePencilEigen(stiffness, mass, count);
  const frequencies = values.map((value) => Math.sqrt(Math.max(0, value)));
  return { mass, stiffness, frequencies, damping: modalDamping(mass, vectors, frequencies, damping) };
}

function modalDamping(
  mass: Float64Array,
  vectors: Float64Array,
  frequencies: Float64Array,
  ratio: DampingRatio,
): Float64Array {
  const n = frequencies.length;
  const out = new Float64Array(n * n);
  if (n === 0) return out;
  // rigid motions, if the part is not clamped, are not damped
  const first = frequencies.find((f) => f > 1e-4 * frequencies[n - 1]) ?? frequencies[0];
  const w = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    if (frequencies[k] < first) continue;
    const factor = 2 * ratio(frequencies[k], first, frequencies[n - 1]) * frequencies[k];
    for (let i = 0; i < n; i++) {
      w[i] = 0;
      for (let j = 0; j < n; j++) w[i] += mass[i * n + j] * vectors[k * n + j];
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[i * n + j] += factor * w[i] * w[j];
  }
  return out;
}
