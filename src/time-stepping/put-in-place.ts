/**
 * Bodies that go with the mean velocity of a step, while places of them press: these are to be at the end of the step where its problem has them. What bodies go by, d, becomes
 *
 *   d + M⁻¹ Jᵀ λ   with   J (d + M⁻¹ Jᵀ λ) = J v
 */
import { numberRoom } from '../math/room.js';
import type { ConvexTerms } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Places whose rows are the first `count` of a group, of one block or of two (second −1: one) */
export interface PressedGroup {
  readonly group: number;
  readonly first: number;
  readonly second: number;
  readonly count: number;
}

/** Of the largest mobility */
const ALIKE = 1e-9;

export class PutInPlace {
  private solved: Float64Array = new Float64Array(16);
  private matrix: Float64Array = new Float64Array(16);
  private right: Float64Array = new Float64Array(16);
  private change: Float64Array = new Float64Array(16);

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {}

  /** @param drift velocities that positions move with, of all blocks; @param v of the end */
  put({ group, first, second, count }: PressedGroup, drift: Float64Array, v: Float64Array): void {
    const { terms, blocks } = this;
    const row = terms.firstRow[group];
    const [na, nb] = [blocks.size[first], second < 0 ? 0 : blocks.size[second]];
    let n = 0;
    for (let i = 0; i < count; i++) if (terms.gamma[row + i] > 0) n++;
    if (n === 0) return;
    this.solved = numberRoom(this.solved, n * (na + nb));
    this.matrix = numberRoom(this.matrix, n * n);
    this.right = numberRoom(this.right, n);
    const { solved, matrix, right } = this;
    // M⁻¹ Jᵀ by rows: L⁻¹ Jᵀ, whose products are J M⁻¹ Jᵀ
    terms.velocities(group, v, terms.trial, true);
    for (let i = 0, k = 0; i < count; i++) if (terms.gamma[row + i] > 0) right[k++] = terms.trial[row + i];
    terms.velocities(group, drift, terms.trial, true);
    for (let i = 0, k = 0; i < count; i++) {
      if (!(terms.gamma[row + i] > 0)) continue;
      right[k] -= terms.trial[row + i];
      const j = terms.jacobianAt[group] + (na + nb) * i;
      const at = k * (na + nb);
      for (let c = 0; c < na + nb; c++) solved[at + c] = terms.jacobian[j + c];
      blocks.halfSolve(first, solved, at);
      if (second >= 0) blocks.halfSolve(second, solved, at + na);
      k++;
    }
    let largest = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let c = 0; c < na + nb; c++) sum += solved[i * (na + nb) + c] * solved[j * (na + nb) + c];
        matrix[i * n + j] = sum;
        if (i === j) largest = Math.max(largest, sum);
      }
    // places of one face move together: what is left of them is rounding
    for (let i = 0; i < n; i++) {
      matrix[i * n + i] += ALIKE * largest;
      for (let j = 0; j <= i; j++) {
        let sum = matrix[i * n + j];
        for (let k = 0; k < j; k++) sum -= matrix[i * n + k] * matrix[j * n + k];
        matrix[i * n + j] = i === j ? Math.sqrt(Math.max(sum, ALIKE * largest)) : sum / matrix[j * n + j];
      }
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) right[i] -= matrix[i * n + j] * right[j];
      right[i] /= matrix[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      right[i] /= matrix[i * n + i];
      for (let j = 0; j < i; j++) right[j] -= matrix[i * n + j] * right[i];
    }
    for (let side = 0; side < 2; side++) {
      const block = side === 0 ? first : second;
      if (block < 0) continue;
      const at = blocks.at[block];
      const size = blocks.size[block];
      this.change = numberRoom(this.change, drift.length);
      this.change.fill(0, at, at + size);
      for (let i = 0, k = 0; i < count; i++) {
        if (!(terms.gamma[row + i] > 0)) continue;
        const j = terms.jacobianAt[group] + (na + nb) * i + (side === 0 ? 0 : na);
        for (let c = 0; c < size; c++) this.change[at + c] += terms.jacobian[j + c] * right[k];
        k++;
      }
      blocks.solveMass(block, this.change);
      for (let c = at; c < at + size; c++) drift[c] += this.change[c];
    }
  }
}
