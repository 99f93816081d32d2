/**
 * Compliance of a design and its derivative by densities:
 *
 *   c = Σ_k w_k f_k · u_k,   K(x) u_k = f_k,   E(x) = E_min + x^p (1 − E_min)
 *   with grips c adds w · r, the work of what joints apply (rigid-grips.ts)
 *   ∂c/∂x_e = Σ_k w_k (−p x^(p−1) (1 − E_min) u_e · k₀ u_e + 2 u_e · b_e m'(x))
 *
 * Loads may have a part that is the body's own inertia, m(x) b_e per element; m(x) = x above 0.1 and 6e5 x⁶ − 5e6 x⁷ below, so that void
 * weighs nothing and has no modes of its own. Bendsøe & Sigmund, Topology Optimization (2003); Du & Olhoff (2007), doi 10.1007/s00158-007-0101-y.
 */
import { ModelError } from '../../errors.js';
import type { NodePattern } from '../../math/sparse/dissection.js';
import { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import { entryOf } from '../fem/plane-elements.js';
import { type DesignMesh, designPattern } from './design-mesh.js';
import { type RigidGrip, RigidGrips } from './rigid-grips.js';

export interface LoadCase {
  /** 2 per node, N */
  readonly force: Float64Array;
  /** 2 per node of each element: what inertia adds at full density, N */
  readonly body?: Float64Array;
  /** 3 per rigid grip: N, N, N m; those of coordinates that are held do nothing */
  readonly wrenches?: Float64Array;
  /** 3 per rigid grip: a direction of their coordinates that is held, whose reaction balances the loads */
  readonly held?: Float64Array;
  /** Default 1 */
  readonly weight?: number;
}

export interface ComplianceOptions {
  /** p; default 3 */
  readonly penalty?: number;
  /** E_min of void; default 1e-9, with inertia 1e-6 */
  readonly void?: number;
  /** Nodes that move as one piece, where joints take hold */
  readonly grips?: readonly RigidGrip[];
}

export class Compliance {
  readonly mesh: DesignMesh;
  /** f · u of each load case at the last design, J */
  readonly cases: Float64Array;
  /** By density, of the last design */
  readonly gradient: Float64Array;
  /** Displacements of each load case at the last design, 2 per node, m */
  readonly displacements: Float64Array[];
  private readonly loads: readonly LoadCase[];
  private readonly ldl: SparseLdl;
  private readonly values: Float64Array;
  private readonly entries: Int32Array; // nodes² per element
  private readonly penalty: number;
  private readonly least: number;
  private readonly free: Uint8Array;
  private readonly pattern: NodePattern;
  private readonly grips: RigidGrips;

  constructor(mesh: DesignMesh, free: Uint8Array, loads: readonly LoadCase[], options: ComplianceOptions = {}) {
    this.mesh = mesh;
    this.loads = loads;
    this.penalty = options.penalty ?? 3;
    this.least = options.void ?? (loads.some(({ body }) => body) ? 1e-6 : 1e-9);
    this.cases = new Float64Array(loads.length);
    this.gradient = new Float64Array(mesh.elementCount);
    this.displacements = loads.map(() => new Float64Array(2 * mesh.nodeCount));
    const pattern = designPattern(mesh);
    this.pattern = pattern;
    this.grips = new RigidGrips(mesh.points, options.grips ?? []);
    this.free = free.map((one, i) => (this.grips.holds(i) ? 0 : one));
    this.ldl = new SparseLdl({ ...pattern, width: 2, coordinates: mesh.points, dimension: 2 }, this.free);
    this.values = new Float64Array(4 * pattern.column.length);
    const { nodesPerElement: n, elements, elementCount } = mesh;
    this.entries = new Int32Array(n * n * elementCount);
    for (let e = 0; e < elementCount; e++)
      for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++)
          this.entries[n * (n * e + a) + b] = entryOf(
            pattern.rowStart,
            pattern.column,
            elements[n * e + a],
            elements[n * e + b],
          );
  }

  /** c at the densities x, J; leaves the gradient. */
  evaluate(x: Float64Array): number {
    const { mesh, values, entries, loads, cases, gradient, displacements, ldl, grips, pattern } = this;
    const { nodesPerElement: n, elements, elementCount, stiffness } = mesh;
    const size = 4 * n * n;
    const alike = stiffness.length === size;
    values.fill(0);
    for (let e = 0; e < elementCount; e++) {
      const factor = this.stiffnessOf(x[e]);
      const from = alike ? 0 : size * e;
      for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++) {
          const at = 4 * entries[n * (n * e + a) + b];
          const k = from + 4 * n * a + 2 * b;
          values[at] += factor * stiffness[k];
          values[at + 1] += factor * stiffness[k + 1];
          values[at + 2] += factor * stiffness[k + 2 * n];
          values[at + 3] += factor * stiffness[k + 2 * n + 1];
        }
    }
    if (!ldl.factorise(values) || ldl.negativePivots > 0)
      throw new ModelError('topology', 'the design region is not held: it can move freely; fix more of it');
    grips.update(pattern, values, this.free, ldl);
    gradient.fill(0);
    let sum = 0;
    loads.forEach(({ force, body, wrenches, held, weight = 1 }, c) => {
      const f = force.slice();
      if (body)
        for (let e = 0; e < elementCount; e++) {
          const m = massOf(x[e]);
          for (let a = 0; a < n; a++)
            for (let j = 0; j < 2; j++) f[2 * elements[n * e + a] + j] += m * body[2 * (n * e + a) + j];
        }
      const u = displacements[c];
      u.set(f);
      ldl.solve(u);
      let compliance = grips.addTo(u, f, wrenches, held);
      for (let i = 0; i < f.length; i++) compliance += f[i] * u[i];
      cases[c] = compliance;
      sum += weight * compliance;
      for (let e = 0; e < elementCount; e++) {
        const from = alike ? 0 : size * e;
        let energy = 0;
        for (let a = 0; a < 2 * n; a++) {
          const ua = u[2 * elements[n * e + (a >> 1)] + (a & 1)];
          let row = 0;
          for (let b = 0; b < 2 * n; b++)
            row += stiffness[from + 2 * n * a + b] * u[2 * elements[n * e + (b >> 1)] + (b & 1)];
          energy += ua * row;
        }
        let slope = -this.stiffnessSlope(x[e]) * energy;
        if (body) {
          let along = 0;
          for (let a = 0; a < 2 * n; a++) along += u[2 * elements[n * e + (a >> 1)] + (a & 1)] * body[2 * n * e + a];
          slope += 2 * massSlope(x[e]) * along;
        }
        gradient[e] += weight * slope;
      }
    });
    return sum;
  }

  private stiffnessOf(x: number): number {
    return this.least + power(x, this.penalty) * (1 - this.least);
  }

  private stiffnessSlope(x: number): number {
    return this.penalty * power(x, this.penalty - 1) * (1 - this.least);
  }
}

/** Whole exponents by products, the same in every engine */
function power(x: number, p: number): number {
  let out = 1;
  for (let k = 0; k < p; k++) out *= x;
  return out;
}

export const massOf = (x: number): number => (x > 0.1 ? x : power(x, 6) * (6e5 - 5e6 * x));
const massSlope = (x: number): number => (x > 0.1 ? 1 : power(x, 5) * (3.6e6 - 3.5e7 * x));
