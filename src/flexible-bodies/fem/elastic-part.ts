/** A meshed part with its matrices, in the plane or in space, held at some unknowns: statics and modes. */
import { ModelError } from '../../errors.js';
import type { NodePattern } from '../../math/sparse/dissection.js';
import { lowestEigenpairs } from '../../math/sparse/lanczos.js';
import { SparseLdl } from '../../math/sparse/sparse-ldl.js';
import { loosePiece, type SimplexMesh, unstrainedMotions } from './loose-pieces.js';
import { addTo, dot, unstrained } from './rigid-motions.js';

export interface NodeMatrices {
  readonly pattern: NodePattern;
  /** d × d per entry of the pattern, row by row, N/m */
  readonly stiffness: Float64Array;
  /** 1 per entry: Ms, kg; M = Ms ⊗ 1 */
  readonly mass: Float64Array;
}

export interface ElasticMaterial {
  /** Pa */
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  /** kg/m³ */
  readonly density: number;
}

export abstract class ElasticPart {
  /** Unknowns of a node, d */
  abstract readonly dimension: 2 | 3;
  abstract readonly material: ElasticMaterial;
  abstract readonly matrices: NodeMatrices;
  abstract readonly mesh: SimplexMesh;
  /** Hears what is computed where that may take seconds, again and again while it is */
  told: ((what: string) => void) | undefined;

  /** out = K x */
  abstract applyStiffness(x: Float64Array, out: Float64Array): void;
  /** out = M x */
  abstract applyMass(x: Float64Array, out: Float64Array): void;
  /** Of displacements, Pa: σx, σy, τxy per node of a planar part; σx, σy, σz, τxy, τyz, τzx of a solid */
  abstract stress(displacements: Float64Array): Float64Array;

  /** Unknowns, d per node */
  get size(): number {
    return this.dimension * this.mesh.nodeCount;
  }

  /** kg */
  get mass(): number {
    return this.matrices.mass.reduce((sum, m) => sum + m, 0);
  }

  /**
   * Factors of K − σM with the unknowns where `free` is 0 held.
   *
   * @throws ModelError if the part can move freely
   */
  factor(free: Uint8Array, shift = 0, path = 'fem'): SparseLdl {
    const { dimension: d, mesh, matrices } = this;
    const { pattern, stiffness, mass } = matrices;
    const loose = shift < 0 ? undefined : loosePiece(mesh, d, free);
    if (loose) throw new ModelError(path, `the part is not held: ${loose.what}; ${loose.remedy}`);
    const ldl = new SparseLdl({ ...pattern, width: d, coordinates: mesh.points, dimension: d }, free);
    let values = stiffness;
    if (shift !== 0) {
      values = stiffness.slice();
      for (let c = 0; c < mass.length; c++)
        for (let k = 0; k < d * d; k += d + 1) values[d * d * c + k] -= shift * mass[c];
    }
    const { told } = this;
    const heard =
      told && ((part: number) => told(`stiffness of ${ldl.size} unknowns factored to ${Math.floor(100 * part)} %`));
    if (!ldl.factorise(values, heard) || (shift <= 0 && ldl.negativePivots > 0))
      throw new ModelError(
        path,
        shift < 0
          ? 'rounding hides what the part weighs beside its stiffness: it has features or elements far smaller than itself, such as a sharp needle; take them away, or hold the part'
          : 'the part is not held: it can move or turn freely; fix more of it',
      );
    return ldl;
  }

  /** Lowest natural modes: angular frequencies in rad/s, shapes with xᵀ M x = 1 kg m². `shift` < 0 for parts that are not held. */
  modes(
    count: number,
    free: Uint8Array,
    shift = 0,
    ldl = this.factor(free, shift),
  ): { frequencies: Float64Array; shapes: readonly Float64Array[] } {
    const { values, vectors } = lowestEigenpairs(
      count,
      this.size,
      shift,
      (x) => {
        this.told?.('modes');
        ldl.solve(x);
      },
      (x, out) => {
        this.applyMass(x, out);
        for (let i = 0; i < out.length; i++) if (free[i] === 0) out[i] = 0;
      },
      ldl.size,
    );
    // λ = σ + 1/θ is good to rounding of σ and of K: motions of a part as a whole take theirs from what they strain…
    const squares = values.map((value, k) => (value < -shift ? this.#strained(vectors[k]) : value));
    // …and those that nothing strains, of the part or of a piece of its mesh, are known by number
    const still = shift < 0 ? unstrainedMotions(this.mesh, this.dimension, free) : 0;
    const order = Array.from(squares.keys()).sort((a, b) => squares[a] - squares[b]);
    for (const k of order.slice(0, still)) squares[k] = 0;
    return { frequencies: squares.map((value) => Math.sqrt(Math.max(0, value))), shapes: vectors };
  }

  /** uᵀ K u, J, of what is left of u without the motions that strain nothing: rounds by the strain, not by how far the part has gone */
  #strained(u: Float64Array): number {
    const { shapes, masses } = unstrained(this);
    const own = u.slice();
    shapes.forEach((shape, k) => {
      addTo(own, shape, -dot(masses[k], own));
    });
    const force = new Float64Array(this.size);
    this.applyStiffness(own, force);
    return dot(own, force);
  }
}
