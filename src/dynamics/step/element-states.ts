/**
 * States of a force element after the velocities and positions of a solve are known: ds = N (r_s + e (Zx ξ + Zv ν)), with ξ and ν the
 * displacement and the change of twist of its carriers (load-derivatives.ts).
 */
import type { Carriers } from '../tree/carriers.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { LoadTerm } from './load-terms.js';
import type { StepColumns } from './step-columns.js';

export class ElementStates {
  private readonly carriers: Carriers;
  private readonly columns: StepColumns;
  private readonly derivatives: TreeDerivatives;
  private right = new Float64Array(0);
  /** 12 per carrier: ξ and ν at its reference point; 1 per carrier that has them in this solve */
  private readonly motion: Float64Array;
  private readonly moved: Uint8Array;

  constructor(carriers: Carriers, columns: StepColumns, derivatives: TreeDerivatives) {
    this.carriers = carriers;
    this.columns = columns;
    this.derivatives = derivatives;
    this.motion = new Float64Array(12 * carriers.ground);
    this.moved = new Uint8Array(carriers.ground);
  }

  /** @param most states that one element has */
  reserve(most: number): void {
    if (this.right.length < most) this.right = new Float64Array(most);
  }

  /**
   * Overwrites the elements' parts of r.
   *
   * @param shift per velocity: displacements θ
   * @param x     per velocity: changes of velocity
   * @param twist of the carriers at the linearisation
   */
  finish(
    e: number,
    terms: readonly LoadTerm[],
    r: Float64Array,
    shift: Float64Array,
    x: Float64Array,
    twist: Float64Array,
  ): void {
    if (terms.length === 0) return;
    const { carriers, moved } = this;
    moved.fill(0);
    for (let t = 0; t < terms.length; t++) {
      const { blocks, velocitiesA, velocitiesB, follows } = terms[t];
      if (!follows) continue;
      if (blocks.a !== carriers.ground) this.move(blocks.a, velocitiesA, shift, x, twist);
      if (blocks.b !== carriers.ground) this.move(blocks.b, velocitiesB, shift, x, twist);
    }
    for (let t = 0; t < terms.length; t++) this.finishTerm(e, terms[t], r, shift, x);
  }

  private finishTerm(
    e: number,
    { derivative, blocks, modal, stateAt, follows }: LoadTerm,
    r: Float64Array,
    shift: Float64Array,
    x: Float64Array,
  ): void {
    const { right, motion, carriers } = this;
    const { ratesByPose, ratesByTwist, states: n } = derivative;
    const { stateInverse } = blocks;
    for (let k = 0; k < n; k++) right[k] = r[stateAt + k];
    for (let side = 0; side < 2 && follows; side++) {
      const carrier = side === 0 ? blocks.a : blocks.b;
      if (carrier === carriers.ground) continue;
      const m = 12 * carrier;
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let j = 0; j < 6; j++) {
          const at = 12 * k + 6 * side + j;
          sum += ratesByPose[at] * motion[m + j] + ratesByTwist[at] * motion[m + 6 + j];
        }
        right[k] += e * sum;
      }
    }
    if (modal && derivative.modal) {
      const { ratesByQ, ratesByEta } = derivative.modal;
      for (let k = 0; k < n; k++)
        for (let l = 0; l < modal.count; l++) {
          const at = k * modal.count + l;
          right[k] += e * (ratesByQ[at] * shift[modal.velocities[l]] + ratesByEta[at] * x[modal.velocities[l]]);
        }
    }
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += stateInverse[k * n + l] * right[l];
      r[stateAt + k] = sum;
    }
  }

  /** Displacement and change of twist of one carrier, at the origin, then at its reference point */
  private move(
    carrier: number,
    velocities: Int32Array,
    shift: Float64Array,
    x: Float64Array,
    twist: Float64Array,
  ): void {
    const { motion, moved, derivatives } = this;
    if (moved[carrier] !== 0) return;
    moved[carrier] = 1;
    const { column, psi1 } = this.columns;
    const m = 12 * carrier;
    motion.fill(0, m, m + 12);
    for (let index = 0; index < velocities.length; index++) {
      const k = velocities[index];
      for (let j = 0; j < 6; j++) {
        motion[m + j] += column[6 * k + j] * shift[k];
        motion[m + 6 + j] += psi1[6 * k + j] * shift[k] + column[6 * k + j] * x[k];
      }
    }
    // A free body's origin is its reference point
    const { offset } = derivatives;
    if (carrier < this.carriers.nodes)
      for (let at = m; at < m + 12; at += 6) {
        const cx = offset[3 * carrier];
        const cy = offset[3 * carrier + 1];
        const cz = offset[3 * carrier + 2];
        motion[at + 3] += motion[at + 1] * cz - motion[at + 2] * cy;
        motion[at + 4] += motion[at + 2] * cx - motion[at] * cz;
        motion[at + 5] += motion[at] * cy - motion[at + 1] * cx;
      }
    // dV = s × V + …: add ξ × V at the point, then δv = dV_v + ω × δc leaves θ × v
    const tx = motion[m];
    const ty = motion[m + 1];
    const tz = motion[m + 2];
    for (let half = 0; half < 6; half += 3) {
      const w = 6 * carrier + half;
      motion[m + 6 + half] += ty * twist[w + 2] - tz * twist[w + 1];
      motion[m + 7 + half] += tz * twist[w] - tx * twist[w + 2];
      motion[m + 8 + half] += tx * twist[w + 1] - ty * twist[w];
    }
  }
}
