/**
 * How the surface of a part gives where it is pressed, beyond what its shapes tell: residual flexibility
 *
 *   R = K⁻¹ − Σ φ_k φ_kᵀ / k_k      all interfaces held (the interfaces' own motion is among the shapes), or free with inertia relief
 *
 * between loads that press along the undeformed normals: so R does not depend on the state, the local problem has a potential, and it has
 * no inertia that would make tiny steps. Columns are found when they are first asked for.
 */

/** Unit force of a surface on its part */
export interface SurfaceLoad {
  readonly nodes: Int32Array;
  /** As many per node as the part has unknowns there, N */
  readonly forces: Float64Array;
}

/** A surface with loads by number: of its points, then of nodes with the sides or faces around them */
export interface LoadedSurface {
  readonly pointCount: number;
  readonly loadCount: number;
  /** Nothing: no load has that number */
  load(i: number): SurfaceLoad | undefined;
}

export class ResidualCompliance {
  private readonly loads: readonly (SurfaceLoad | undefined)[];
  /** Of each load that was asked for: what it does along all others, m/N */
  private readonly rows: (Float64Array | undefined)[] = [];
  private readonly bulges: number[] = [];

  /**
   * @param unknowns of the part: `perNode` to each of its nodes
   * @param residual overwrites nodal forces with the displacements that the shapes do not have
   */
  constructor(
    private readonly surface: LoadedSurface,
    private readonly unknowns: number,
    private readonly perNode: 2 | 3,
    private readonly residual: (force: Float64Array) => void,
  ) {
    this.loads = Array.from({ length: surface.loadCount }, (_, i) => surface.load(i));
  }

  /** Number of a load beyond those of the points: in the plane of a node, of a solid of a patch */
  around(k: number): number {
    return this.surface.pointCount + k;
  }

  /** Displacement along load i per unit of load j, m/N */
  between(i: number, j: number): number {
    return (this.rows[j] ?? this.row(j))[i];
  }

  /** How far a unit of load j pushes any place outward, at most, m/N */
  bulge(j: number): number {
    if (!this.rows[j]) this.row(j);
    return this.bulges[j];
  }

  private row(j: number): Float64Array {
    const { perNode: d, loads } = this;
    const column = new Float64Array(this.unknowns);
    const { nodes, forces } = loads[j]!;
    for (let k = 0; k < nodes.length; k++) for (let c = 0; c < d; c++) column[d * nodes[k] + c] += forces[d * k + c];
    this.residual(column);
    const row = new Float64Array(loads.length);
    for (let i = 0; i < row.length; i++) {
      const load = loads[i];
      if (!load) continue;
      let sum = 0;
      for (let k = 0; k < load.nodes.length; k++) {
        const at = d * load.nodes[k];
        sum += load.forces[d * k] * column[at] + load.forces[d * k + 1] * column[at + 1];
        if (d === 3) sum += load.forces[3 * k + 2] * column[at + 2];
      }
      row[i] = sum;
    }
    this.rows[j] = row;
    this.bulges[j] = row.reduce((most, give) => Math.max(most, -give), 0);
    return row;
  }
}
