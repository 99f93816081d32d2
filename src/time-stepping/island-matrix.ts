/**
 * The symmetric matrix of an island and its Cholesky factors L Lᵀ: dense blocks, in the order of fewest neighbours (math/elimination-order.ts). Eliminating
 * block p with the neighbours N that go after it:
 *
 *   D_p = L_p L_pᵀ,    X_j = L_p⁻¹ A_pj,    A_ij ← A_ij − X_iᵀ X_j,    i, j in N
 *
 * Here is where blocks are; the kernels fill and factorise them (kernels/island-assembly.kernel.ts, island-matrix.kernel.ts). Off the diagonal only the block (earlier, later) is
 * kept, by rows.
 *
 * Golub & Van Loan (2013), §4.2; George & Liu (1981), ch. 5.
 */
import { BlockPattern } from '../math/block-pattern.js';
import { SLOT, type StepMemory } from './step-memory.js';

export class IslandMatrix {
  /** Numbers in use */
  used = 0;
  /** Products of blocks in a factorisation */
  products = 0;
  private readonly pattern = new BlockPattern();

  constructor(private readonly memory: StepMemory) {}

  /** Pairs of blocks off the diagonal, fill included */
  get pairs(): number {
    return this.pattern.pairs;
  }

  /**
   * Prepares for matrices with other blocks; nothing to do where they are the same.
   *
   * @param sizes per block: number of unknowns
   * @param edges two blocks per pair that is not zero; may repeat
   */
  structure(count: number, sizes: Int32Array, edges: Int32Array, edgeCount: number): void {
    if (!this.pattern.set(count, sizes, edges, edgeCount)) return;
    const { pattern, memory } = this;
    const { start, later, sequence } = pattern.order;
    let products = 0;
    let targets = 0;
    for (let p = 0; p < count; p++) {
      const degree = start[p + 1] - start[p];
      targets += (degree * (degree - 1)) / 2;
      products += (degree * (degree + 1)) / 2;
    }
    this.products = products;
    memory.reserve(SLOT.places, count);
    memory.reserve(SLOT.sizes, count);
    memory.reserve(SLOT.sequence, count);
    memory.reserve(SLOT.start, count + 1);
    memory.reserve(SLOT.later, pattern.pairs);
    memory.reserve(SLOT.below, pattern.pairs);
    memory.reserve(SLOT.targets, targets);
    const places = memory.ints(SLOT.places);
    const below = memory.ints(SLOT.below);
    const target = memory.ints(SLOT.targets);
    copy(sizes, memory.ints(SLOT.sizes), count);
    copy(sequence, memory.ints(SLOT.sequence), count);
    copy(start, memory.ints(SLOT.start), count + 1);
    copy(later, memory.ints(SLOT.later), pattern.pairs);
    let used = 0;
    for (let i = 0; i < count; i++) {
      places[i] = used;
      used += sizes[i] * sizes[i];
    }
    for (let p = 0; p < count; p++)
      for (let k = start[p]; k < start[p + 1]; k++) {
        below[k] = used;
        used += sizes[sequence[p]] * sizes[later[k]];
      }
    this.used = used;
    let n = 0;
    for (let p = 0; p < count; p++)
      for (let k = start[p]; k < start[p + 1]; k++) {
        pattern.scatter(later[k]);
        for (let l = k + 1; l < start[p + 1]; l++) target[n++] = below[pattern.pairWith[later[l]]];
      }
    memory.reserve(SLOT.blocks, used);
  }

  /** Where the block of i and j starts; its rows are those of the one that does not `goLater` */
  at(i: number, j: number): number {
    return this.memory.ints(SLOT.below)[this.pattern.pairOf(i, j)];
  }

  /** i is eliminated after j. */
  goesLater(i: number, j: number): boolean {
    const { place } = this.pattern.order;
    return place[i] > place[j];
  }
}

function copy(from: Int32Array, to: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}
