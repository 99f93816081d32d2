/**
 * Derivatives of an element that acts on coordinates of deforming carriers, beside those of load-derivatives.ts, for one step size: states
 * eliminated, rotation columns less what turns with the carrier, rows and columns of carriers at the tree's origin. Generalised forces do
 * not turn with anything.
 *
 *   W −= [ ·    e Wη + e² Wq ]        rows and columns of the coordinates in the step matrix
 *        [ e Qv β + e² Qx'' χ    e Qη + e² Qq ]
 */

import type { ModalDerivative, PairDerivative } from '../elements/pair-element.js';
import type { Carriers } from '../tree/carriers.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { crossRow, type PairBlocks, shiftColumns, shiftRows } from './load-derivatives.js';

export class ModalBlocks {
  /** Velocities of the coordinates; the first `ofA` are of carrier A */
  readonly velocities: Int32Array;
  readonly ofA: number;
  readonly count: number;
  /** 12 × n */
  readonly wrenchByQ: Float64Array;
  readonly wrenchByEta: Float64Array;
  /** n × 12 */
  readonly byPose: Float64Array;
  readonly byTwist: Float64Array;
  /** n × n */
  readonly byQ: Float64Array;
  readonly byEta: Float64Array;
  /** n × states: Qs N */
  readonly stateGain: Float64Array;

  constructor(modes: { readonly velocities: Int32Array; readonly ofA: number }, states: number) {
    const n = modes.velocities.length;
    this.velocities = modes.velocities;
    this.ofA = modes.ofA;
    this.count = n;
    this.wrenchByQ = new Float64Array(12 * n);
    this.wrenchByEta = new Float64Array(12 * n);
    this.byPose = new Float64Array(12 * n);
    this.byTwist = new Float64Array(12 * n);
    this.byQ = new Float64Array(n * n);
    this.byEta = new Float64Array(n * n);
    this.stateGain = new Float64Array(n * states);
  }

  /** @param blocks of the same element and step, states eliminated; its gain not yet at the origin is made anew here */
  update(
    from: PairDerivative,
    modal: ModalDerivative,
    { a, b, stateInverse }: PairBlocks,
    motion: Float64Array,
    e: number,
    carriers: Carriers,
    { offset }: TreeDerivatives,
  ): void {
    const { wrenchByQ, wrenchByEta, byPose, byTwist, byQ, byEta, stateGain, count: n } = this;
    wrenchByQ.set(modal.wrenchByQ);
    wrenchByEta.set(modal.wrenchByEta);
    byPose.set(modal.byPose);
    byTwist.set(modal.byTwist);
    byQ.set(modal.byQ);
    byEta.set(modal.byEta);
    const { states } = from;
    if (states > 0) {
      const wrenchGain = new Float64Array(12 * states);
      multiply(from.byState, stateInverse, 12, states, states, 1, wrenchGain);
      stateGain.fill(0);
      multiply(modal.byState, stateInverse, n, states, states, 1, stateGain);
      multiply(wrenchGain, modal.ratesByQ, 12, states, n, e, wrenchByQ);
      multiply(wrenchGain, modal.ratesByEta, 12, states, n, e, wrenchByEta);
      multiply(stateGain, from.ratesByPose, n, states, 12, e, byPose);
      multiply(stateGain, from.ratesByTwist, n, states, 12, e, byTwist);
      multiply(stateGain, modal.ratesByQ, n, states, n, e, byQ);
      multiply(stateGain, modal.ratesByEta, n, states, n, e, byEta);
    }
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? a : b;
      if (carrier === carriers.ground) continue;
      for (let row = 0; row < 12 * n; row += 12) {
        const c = row + 6 * side;
        for (let k = 0; k < 3; k++)
          byPose[c + k] -=
            crossRow(byTwist, c, motion, 6 * carrier, k) + crossRow(byTwist, c + 3, motion, 6 * carrier + 3, k);
      }
      if (carrier >= carriers.nodes) continue;
      shiftColumns(byPose, 6 * side, offset, 3 * carrier);
      shiftColumns(byTwist, 6 * side, offset, 3 * carrier);
      shiftRows(wrenchByQ, 6 * n * side, n, n, offset, 3 * carrier);
      shiftRows(wrenchByEta, 6 * n * side, n, n, offset, 3 * carrier);
    }
  }
}

/** out += f A B, A rows × inner, B inner × columns */
function multiply(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  f: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < inner; k++) {
      const x = f * a[i * inner + k];
      if (x === 0) continue;
      for (let j = 0; j < columns; j++) out[i * columns + j] += x * b[k * columns + j];
    }
}
