/**
 * How the surface of a solid gives where it is pressed, beyond what its shapes tell (as local-compliance.ts does in the plane): R between unit loads along the
 * undeformed normals. Loads 0 … points − 1 act at points of the surface; load points + a presses on all faces around node a.
 */
import type { SolidSurface } from './solid-surface.js';

interface Load {
  readonly nodes: Int32Array;
  /** 3 per node, N */
  readonly forces: Float64Array;
}

export class SurfaceCompliance {
  private readonly surface: SolidSurface;
  private readonly size: number;
  private readonly residual: (force: Float64Array) => void;
  private readonly loads = new Map<number, Load>();
  private readonly columns = new Map<number, Float64Array>();

  constructor(surface: SolidSurface, size: number, residual: (force: Float64Array) => void) {
    this.surface = surface;
    this.size = size;
    this.residual = residual;
  }

  /** Index of the load around a node */
  aroundNode(node: number): number {
    return this.surface.pointCount + node;
  }

  /** Displacement along load i per unit of load j, m/N */
  between(i: number, j: number): number {
    const { nodes, forces } = this.load(i);
    const column = this.column(j);
    let sum = 0;
    for (let k = 0; k < nodes.length; k++)
      for (let d = 0; d < 3; d++) sum += forces[3 * k + d] * column[3 * nodes[k] + d];
    return sum;
  }

  private column(j: number): Float64Array {
    let column = this.columns.get(j);
    if (!column) {
      column = new Float64Array(this.size);
      const { nodes, forces } = this.load(j);
      for (let k = 0; k < nodes.length; k++) for (let d = 0; d < 3; d++) column[3 * nodes[k] + d] += forces[3 * k + d];
      this.residual(column);
      this.columns.set(j, column);
    }
    return column;
  }

  private load(i: number): Load {
    let load = this.loads.get(i);
    if (!load) {
      load = i < this.surface.pointCount ? this.atPoint(i) : this.surface.around.get(i - this.surface.pointCount)!;
      this.loads.set(i, load);
    }
    return load;
  }

  private atPoint(i: number): Load {
    const { nodes, weights, normals } = this.surface;
    const forces = new Float64Array(18);
    for (let k = 0; k < 6; k++)
      for (let d = 0; d < 3; d++) forces[3 * k + d] = -weights[6 * i + k] * normals[3 * i + d];
    return { nodes: nodes.slice(6 * i, 6 * i + 6), forces };
  }
}
