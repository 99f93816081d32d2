/**
 * A meshed part with a few coordinates: Craig & Bampton's reduction.
 *
 *   Φ = [ Ψ | fixed-interface modes ],   Ψ = −K_ii⁻¹ K_ib T_b
 *
 * Each interface is rigid and has three coordinates: two displacements of its point and its turn. Ψ are the shapes that unit values of them
 * give with all other interfaces held, so that these coordinates are the motion of the interfaces themselves; modes do not move
 * interfaces. Where a frame is clamped to the inboard interface its three columns are left out. Modes are scaled to a largest
 * displacement of 1, so that their coordinates are lengths.
 *
 * Damping of each natural mode of the reduced part at its ratio ζ: D = W diag(2 ζ ω) Wᵀ, W = M V, Vᵀ M V = 1.
 *
 * Craig & Bampton (1968), doi 10.2514/3.4741.
 */
import { densePencilEigen } from '../math/sparse/dense-symmetric.js';
import { applyMass, applyStiffness } from './fem/plane-elements.js';
import type { PlanePart } from './fem/plane-part.js';
import type { PartInterface } from './interfaces.js';

export interface ReducedPart {
  /** Coordinates: 3 per interface but the inboard one, then modes */
  readonly count: number;
  /** Displacement per unit of each coordinate, 2 per node */
  readonly shapes: readonly Float64Array[];
  /** count × count, row-major */
  readonly mass: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Natural frequencies of the reduced part, ascending, rad/s */
  readonly frequencies: Float64Array;
  /** Of the modes with all interfaces held, rad/s */
  readonly heldFrequencies: Float64Array;
}

/** Ratio of critical damping by angular frequency */
export type DampingRatio = (frequency: number, first: number, last: number) => number;

/** 1 % up to five times the first frequency, then rising to 5 % at the last. */
export const DEFAULT_DAMPING: DampingRatio = (frequency, first, last) => {
  const from = 5 * first;
  if (frequency <= from || last <= from) return 0.01;
  return 0.01 + (0.04 * (frequency - from)) / (last - from);
};

/**
 * @param inboard index of the interface the frame is clamped to, −1: none
 * @param modes   number of fixed-interface modes
 */
export function reducePart(
  part: PlanePart,
  interfaces: readonly PartInterface[],
  inboard: number,
  modes: number,
  damping: DampingRatio = DEFAULT_DAMPING,
  path = 'flexible',
): ReducedPart {
  const { mesh, matrices, size } = part;
  const free = new Uint8Array(size).fill(1);
  for (const { nodes } of interfaces) for (const node of nodes) free[2 * node] = free[2 * node + 1] = 0;
  const ldl = part.factor(free, 0, path);
  const shapes: Float64Array[] = [];
  const force = new Float64Array(size);
  interfaces.forEach(({ point, nodes }, index) => {
    if (index === inboard) return;
    for (let column = 0; column < 3; column++) {
      const shape = new Float64Array(size);
      for (const node of nodes) {
        if (column < 2) shape[2 * node + column] = 1;
        else {
          shape[2 * node] = -(mesh.points[2 * node + 1] - point[1]);
          shape[2 * node + 1] = mesh.points[2 * node] - point[0];
        }
      }
      applyStiffness(matrices, shape, force);
      for (let i = 0; i < size; i++) force[i] = free[i] !== 0 ? -force[i] : 0;
      ldl.solve(force);
      for (let i = 0; i < size; i++) if (free[i] !== 0) shape[i] = force[i];
      shapes.push(shape);
    }
  });
  const held = part.modes(modes, free, 0, ldl);
  for (const shape of held.shapes) {
    let most = 0;
    for (let i = 0; i < size; i += 2) most = Math.max(most, shape[i] * shape[i] + shape[i + 1] * shape[i + 1]);
    const scale = 1 / Math.sqrt(most);
    shapes.push(shape.map((x) => x * scale));
  }
  const count = shapes.length;
  const mass = new Float64Array(count * count);
  const stiffness = new Float64Array(count * count);
  for (let k = 0; k < count; k++) {
    applyMass(matrices, shapes[k], force);
    for (let l = 0; l <= k; l++) mass[k * count + l] = mass[l * count + k] = dot(shapes[l], force);
    applyStiffness(matrices, shapes[k], force);
    for (let l = 0; l <= k; l++) stiffness[k * count + l] = stiffness[l * count + k] = dot(shapes[l], force);
  }
  const { values, vectors } = densePencilEigen(stiffness, mass, count);
  const frequencies = values.map((value) => Math.sqrt(Math.max(0, value)));
  return {
    count,
    shapes,
    mass,
    stiffness,
    damping: modalDamping(mass, vectors, frequencies, damping),
    frequencies,
    heldFrequencies: held.frequencies,
  };
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
