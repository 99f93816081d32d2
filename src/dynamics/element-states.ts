/**
 * States of a force element after the velocities and positions of a solve are known: ds = N (r_s + e (Zx ξ + Zv ν)), with ξ and ν the
 * displacement and the change of twist of its carriers (load-derivatives.ts).
 */
import type { Carriers } from './carriers.js';
import type { LoadTerm } from './load-terms.js';
import type { StepColumns } from './step-columns.js';
import type { TreeDerivatives } from './tree-derivatives.js';

export class ElementStates {
  private readonly carriers: Carriers;
  private readonly columns: StepColumns;
  private readonly derivatives: TreeDerivatives;
  private right = new Float64Array(0);
  private readonly motion = new Float64Array(12);

  constructor(carriers: Carriers, columns: StepColumns, derivatives: TreeDerivatives) {
    this.carriers = carriers;
    this.columns = columns;
    this.derivatives = derivatives;
  }

  /** @param most states that one element has */
  reserve(most: number): void {
    if (this.right.length < most) this.right = new Float64Array(most);
  }

  /**
   * Overwrites the element's part of r.
   *
   * @param shift per velocity: displacements θ
   * @param x     per velocity: changes of velocity
   * @param twist of the carriers at the linearisation
   */
  finish(e: number, term: LoadTerm, r: Float64Array, shift: Float64Array, x: Float64Array, twist: Float64Array): void {
    const { right, motion } = this;
    const { derivative, blocks, stateAt } = term;
    const { ratesByPose, ratesByTwist, states: n } = derivative;
    for (let k = 0; k < n; k++) right[k] = r[stateAt + k];
    for (let side = 0; side < 2 && term.follows; side++) {
      if ((side === 0 ? blocks.a : blocks.b) === this.carriers.ground) continue;
      this.move(term, side, shift, x, twist);
      for (let k = 0; k < n; k++)
        for (let j = 0; j < 6; j++) {
          const at = 12 * k + 6 * side + j;
          right[k] += e * (ratesByPose[at] * motion[j] + ratesByTwist[at] * motion[6 + j]);
        }
    }
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += blocks.stateInverse[k * n + l] * right[l];
      r[stateAt + k] = sum;
    }
  }

  /** Displacement and change of twist of one carrier, at the origin, then at its reference point */
  private move(
    { blocks, velocitiesA, velocitiesB }: LoadTerm,
    side: number,
    shift: Float64Array,
    x: Float64Array,
    twist: Float64Array,
  ): void {
    const { motion, derivatives } = this;
    const { column, psi1 } = this.columns;
    const carrier = side === 0 ? blocks.a : blocks.b;
    const velocities = side === 0 ? velocitiesA : velocitiesB;
    motion.fill(0);
    for (let index = 0; index < velocities.length; index++) {
      const k = velocities[index];
      for (let j = 0; j < 6; j++) {
        motion[j] += column[6 * k + j] * shift[k];
        motion[6 + j] += psi1[6 * k + j] * shift[k] + column[6 * k + j] * x[k];
      }
    }
    const inTree = carrier < this.carriers.nodes;
    const offset = inTree ? derivatives.offset : CENTRE;
    const c = inTree ? 3 * carrier : 0;
    for (let at = 0; at < 12; at += 6)
      for (let j = 0; j < 3; j++) {
        const a = (j + 1) % 3;
        const b = (j + 2) % 3;
        motion[at + 3 + j] += motion[at + a] * offset[c + b] - motion[at + b] * offset[c + a];
      }
    // dV = s × V + …: add ξ × V at the point, then δv = dV_v + ω × δc leaves θ × v
    const w = 6 * carrier;
    for (let j = 0; j < 3; j++) {
      const a = (j + 1) % 3;
      const b = (j + 2) % 3;
      motion[6 + j] += motion[a] * twist[w + b] - motion[b] * twist[w + a];
      motion[9 + j] += motion[a] * twist[w + 3 + b] - motion[b] * twist[w + 3 + a];
    }
  }
}

const CENTRE = new Float64Array(3);
