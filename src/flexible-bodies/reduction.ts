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
  /** f ← (K⁻¹ − Σ φ_k φ_kᵀ/k_k) f with all interfaces held: what a load does beyond the shapes, 2 per node */
  readonly residual: (force: Float64Array) => void;
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
  const interfaceColumns = shapes.length;
  const held = part.modes(modes, free, 0, ldl);
  for (const shape of held.shapes) {
    let most = 0;
    for (let i = 0; i < size; i += 2) most = Math.max(most, shape[i] * shape[i] + shape[i + 1] * shape[i + 1]);
    const scale = 1 / Math.sqrt(most);
    shapes.push(shape.map((x) => x * scale));
  }
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

/**
 * A part that nothing holds: its natural modes, which neither move its centre of mass nor turn it, seen from a frame at that centre (mean axes).
 * What a load does beyond them is found with inertia relief: less what the inertia of the rigid motion takes, from any three unknowns held, which
 * then carry nothing.
 */
export function reduceFreePart(
  part: PlanePart,
  modes: number,
  damping: DampingRatio = DEFAULT_DAMPING,
  path = 'flexible',
): ReducedPart {
  const { mesh, matrices, size, material } = part;
  const { points, nodeCount } = mesh;
  const force = new Float64Array(size);
  // Rigid motions, orthogonal and of length 1 by the mass
  const rigid = [0, 1, 2].map((motion) => {
    const shape = new Float64Array(size);
    for (let i = 0; i < nodeCount; i++) {
      if (motion < 2) shape[2 * i + motion] = 1;
      else {
        shape[2 * i] = -points[2 * i + 1];
        shape[2 * i + 1] = points[2 * i];
      }
    }
    return shape;
  });
  rigid.forEach((shape, k) => {
    for (let l = 0; l < k; l++) {
      applyMass(matrices, shape, force);
      addTo(shape, rigid[l], -dot(rigid[l], force));
    }
    applyMass(matrices, shape, force);
    const scale = 1 / Math.sqrt(dot(shape, force));
    for (let i = 0; i < size; i++) shape[i] *= scale;
  });
  const masses = rigid.map((shape) => {
    const out = new Float64Array(size);
    applyMass(matrices, shape, out);
    return out;
  });
  const free = new Uint8Array(size).fill(1);
  // A hundredth of a bar's first frequency, 2π c w/L², w how wide it is
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < nodeCount; i++) {
    left = Math.min(left, points[2 * i]);
    right = Math.max(right, points[2 * i]);
    low = Math.min(low, points[2 * i + 1]);
    high = Math.max(high, points[2 * i + 1]);
  }
  const extent = Math.max(right - left, high - low);
  const width = Math.min(right - left, high - low);
  const first = (Math.sqrt(material.youngsModulus / material.density) * width) / (extent * extent);
  const shift = -(0.06 * first) * (0.06 * first);
  const found = part.modes(modes + 3, free, shift);
  const shapes = found.shapes.slice(3).map((shape) => {
    const own = shape.slice();
    for (let k = 0; k < 3; k++) addTo(own, rigid[k], -dot(masses[k], own));
    let most = 0;
    for (let i = 0; i < size; i += 2) most = Math.max(most, own[i] * own[i] + own[i + 1] * own[i + 1]);
    const scale = 1 / Math.sqrt(most);
    return own.map((x) => x * scale);
  });
  const { mass, stiffness, damping: losses, frequencies } = reducedMatrices(part, shapes, 0, damping);
  const count = shapes.length;
  const ldl = part.factor(heldAtThree(mesh), 0, path);
  return {
    count,
    shapes,
    mass,
    stiffness,
    damping: losses,
    frequencies,
    heldFrequencies: found.frequencies.slice(3),
    residual: (load) => {
      for (let k = 0; k < 3; k++) addTo(load, masses[k], -dot(rigid[k], load));
      const along = shapes.map((shape) => dot(shape, load));
      ldl.solve(load);
      for (let k = 0; k < 3; k++) addTo(load, rigid[k], -dot(masses[k], load));
      for (let k = 0; k < count; k++) addTo(load, shapes[k], -along[k] / stiffness[k * (count + 1)]);
    },
  };
}

/** Three unknowns whose holding stops every rigid motion: both of one node, and of the node farthest from it the one across */
function heldAtThree({ points, nodeCount }: PlanePart['mesh']): Uint8Array {
  const free = new Uint8Array(2 * nodeCount).fill(1);
  let far = 1;
  let most = 0;
  for (let i = 1; i < nodeCount; i++) {
    const [x, y] = [points[2 * i] - points[0], points[2 * i + 1] - points[1]];
    if (x * x + y * y <= most) continue;
    most = x * x + y * y;
    far = i;
  }
  const alongX = Math.abs(points[2 * far] - points[0]) > Math.abs(points[2 * far + 1] - points[1]);
  free[0] = free[1] = free[2 * far + (alongX ? 1 : 0)] = 0;
  return free;
}

const addTo = (to: Float64Array, what: Float64Array, f: number): void => {
  for (let i = 0; i < to.length; i++) to[i] += f * what[i];
};

/**
 * Projections on the shapes, and damping of their natural modes. Modes (from index `first`) are orthogonal to each other by mass and stiffness, and
 * by stiffness to the shapes of interfaces: what rounding leaves there is made zero.
 */
function reducedMatrices(
  { matrices, size }: PlanePart,
  shapes: readonly Float64Array[],
  first: number,
  damping: DampingRatio,
): Pick<ReducedPart, 'mass' | 'stiffness' | 'damping' | 'frequencies'> {
  const count = shapes.length;
  const force = new Float64Array(size);
  const mass = new Float64Array(count * count);
  const stiffness = new Float64Array(count * count);
  for (let k = 0; k < count; k++) {
    applyMass(matrices, shapes[k], force);
    for (let l = 0; l <= k; l++) mass[k * count + l] = mass[l * count + k] = dot(shapes[l], force);
    applyStiffness(matrices, shapes[k], force);
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
