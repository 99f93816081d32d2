/** A meshed part with its matrices, held at some unknowns: statics and modes. */
import { ModelError } from '../../errors.js';
import { lowestEigenpairs } from '../../math/sparse/lanczos.js';
import { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { applyMass, type PlaneMaterial, type PlaneMatrices, planeMatrices } from './plane-elements.js';

export class PlanePart {
  readonly mesh: PlaneMesh;
  readonly material: PlaneMaterial;
  readonly matrices: PlaneMatrices;

  constructor(mesh: PlaneMesh, material: PlaneMaterial, matrices = planeMatrices(mesh, material)) {
    this.mesh = mesh;
    this.material = material;
    this.matrices = matrices;
  }

  /** Unknowns (2 per node) */
  get size(): number {
    return 2 * this.mesh.nodeCount;
  }

  /**
   * Factors of K − σM with the unknowns where `free` is 0 held.
   *
   * @throws ModelError if the part can move freely
   */
  factor(free: Uint8Array, shift = 0, path = 'fem'): SparseLdl {
    const { pattern, stiffness, mass } = this.matrices;
    const ldl = new SparseLdl({ ...pattern, width: 2, coordinates: this.mesh.points, dimension: 2 }, free);
    let values = stiffness;
    if (shift !== 0) {
      values = stiffness.slice();
      for (let c = 0; c < mass.length; c++) {
        values[4 * c] -= shift * mass[c];
        values[4 * c + 3] -= shift * mass[c];
      }
    }
    if (!ldl.factorise(values) || (shift <= 0 && ldl.negativePivots > 0))
      throw new ModelError(path, 'the part is not held: it can move or turn freely; fix more of it');
    return ldl;
  }

  /** Lowest natural modes: angular frequencies in rad/s, shapes with xᵀ M x = 1 kg m². `shift` < 0 for parts that are not held. */
  modes(
    count: number,
    free: Uint8Array,
    shift = 0,
    ldl = this.factor(free, shift),
  ): { frequencies: Float64Array; shapes: readonly Float64Array[] } {
    const held = (x: Float64Array): void => {
      for (let i = 0; i < x.length; i++) if (free[i] === 0) x[i] = 0;
    };
    const { values, vectors } = lowestEigenpairs(
      count,
      this.size,
      shift,
      (x) => ldl.solve(x),
      (x, out) => {
        applyMass(this.matrices, x, out);
        held(out);
      },
      ldl.size,
    );
    return { frequencies: values.map((value) => Math.sqrt(Math.max(0, value))), shapes: vectors };
  }
}
