/**
 * How the surface of a part gives where it is pressed, beyond what its shapes tell: residual flexibility
 *
 *   R = K⁻¹ − Σ φ_k φ_kᵀ / k_k      all interfaces held (the interfaces' own motion is among the shapes), or free with inertia relief
 *
 * between loads that press along the undeformed normals: so R does not depend on the state, the local problem has a potential, and it has
 * no inertia that would make tiny steps. Columns are found when they are first asked for.
 *
 * Loads: of point i of the surface a unit force there; of corner node a of a side a unit force spread as a hat over its two sides.
 */
import type { ContactSurface } from './contact-surface.js';

/** Overwrites nodal forces (2 per node) with the displacements that the shapes do not have */
export type ResidualSolve = (force: Float64Array) => void;

interface Load {
  readonly nodes: Int32Array;
  /** 2 per node, N */
  readonly forces: Float64Array;
}

export class LocalCompliance {
  private readonly loads: (Load | undefined)[] = [];
  private readonly columns: (Float64Array | undefined)[] = [];
  private readonly surface: ContactSurface;
  private readonly residual: ResidualSolve;

  constructor(surface: ContactSurface, residual: ResidualSolve) {
    this.surface = surface;
    this.residual = residual;
  }

  /** Index of the load of a corner node of a side */
  hat(node: number): number {
    return this.surface.pointCount + node;
  }

  /** Displacement along load i per unit of load j, m/N */
  between(i: number, j: number): number {
    const { nodes, forces } = this.load(i);
    const column = this.column(j);
    let sum = 0;
    for (let k = 0; k < nodes.length; k++)
      sum += forces[2 * k] * column[2 * nodes[k]] + forces[2 * k + 1] * column[2 * nodes[k] + 1];
    return sum;
  }

  /** Adds `size` times load i to nodal forces. */
  addLoad(i: number, size: number, out: Float64Array): void {
    const { nodes, forces } = this.load(i);
    for (let k = 0; k < nodes.length; k++) {
      out[2 * nodes[k]] += size * forces[2 * k];
      out[2 * nodes[k] + 1] += size * forces[2 * k + 1];
    }
  }

  private column(i: number): Float64Array {
    const known = this.columns[i];
    if (known) return known;
    const column = new Float64Array(2 * this.surface.mesh.nodeCount);
    this.addLoad(i, 1, column);
    this.residual(column);
    this.columns[i] = column;
    return column;
  }

  private load(i: number): Load {
    return (this.loads[i] ??=
      i < this.surface.pointCount ? this.pointLoad(i) : this.hatLoad(i - this.surface.pointCount));
  }

  private pointLoad(i: number): Load {
    const { nodes, weights, normals } = this.surface;
    const own = nodes.slice(3 * i, 3 * i + 3);
    const forces = new Float64Array(6);
    for (let j = 0; j < 3; j++) {
      forces[2 * j] = -weights[3 * i + j] * normals[2 * i];
      forces[2 * j + 1] = -weights[3 * i + j] * normals[2 * i + 1];
    }
    return { nodes: own, forces };
  }

  /** A hat: 1/3 of a side's share to the node and 2/3 to the middle of the side, half and half to its two ends where it has none */
  private hatLoad(node: number): Load {
    const { sides, sideCount, mesh } = this.surface;
    const { points } = mesh;
    const nodes: number[] = [];
    const forces: number[] = [];
    let total = 0;
    for (let s = 0; s < sideCount; s++) {
      const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
      if (a !== node && b !== node) continue;
      const [dx, dy] = [points[2 * b] - points[2 * a], points[2 * b + 1] - points[2 * a + 1]];
      total += Math.sqrt(dx * dx + dy * dy);
      const other = a === node ? b : a;
      const [far, share] = m === b ? [other, 1 / 3] : [m, 2 / 3];
      nodes.push(node, far);
      // outward (dy, −dx), pressing the other way
      forces.push(-(1 - share) * dy, (1 - share) * dx, -share * dy, share * dx);
    }
    return { nodes: Int32Array.from(nodes), forces: Float64Array.from(forces, (f) => f / total) };
  }
}
