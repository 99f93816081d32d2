/**
 * The arrays that the kernels of a step work on, one per slot of kernels/island-newton.kernel.ts, in an arena of their own. They grow and never shrink. When one does,
 * others may have moved: whoever keeps views of them asks to be told.
 */
import { Arena, type Block } from '../kernels/arena.js';
import { type NewtonKernels, newtonKernels } from '../kernels/newton-kernels.js';

/** See kernels/island-newton.kernel.ts. */
export const SLOT = {
  numbers: 0,
  groups: 1,
  members: 2,
  ends: 3,
  firstRow: 4,
  firstTerm: 5,
  jacobianAt: 6,
  jacobian: 7,
  bias: 8,
  u: 9,
  du: 10,
  gamma: 11,
  kind: 12,
  row: 13,
  values: 14,
  slope: 15,
  braked: 16,
  size: 17,
  at: 18,
  massAt: 19,
  v: 20,
  free: 21,
  gradient: 22,
  step: 23,
  mass: 24,
  diagonal: 25,
  masses: 26,
  factors: 27,
  weight: 28,
  local: 29,
  starts: 30,
  blocks: 31,
  places: 32,
  below: 33,
  targets: 34,
  sizes: 35,
  sequence: 36,
  start: 37,
  later: 38,
  off: 39,
  goesLater: 40,
  weighted: 41,
  open: 42,
} as const;

const INTEGERS: ReadonlySet<number> = new Set([
  ...[SLOT.groups, SLOT.members, SLOT.ends, SLOT.firstRow, SLOT.firstTerm, SLOT.jacobianAt, SLOT.kind, SLOT.row],
  ...[SLOT.braked, SLOT.size, SLOT.at, SLOT.massAt, SLOT.local, SLOT.starts, SLOT.places, SLOT.below, SLOT.targets],
  ...[SLOT.sizes, SLOT.sequence, SLOT.start, SLOT.later, SLOT.off, SLOT.goesLater, SLOT.open],
]);

export class StepMemory {
  readonly kernels: NewtonKernels;
  private readonly arena = new Arena({ initialBytes: 1 << 18 });
  private readonly blocks: Block<Float64Array | Int32Array>[] = [];
  private readonly told: (() => void)[] = [];

  constructor(wasm = true) {
    this.kernels = newtonKernels(this.arena, wasm);
    for (let slot = 0; slot <= SLOT.open; slot++) this.blocks[slot] = this.made(slot, 16);
    this.kernels.place(this.blocks);
  }

  private made(slot: number, length: number): Block<Float64Array | Int32Array> {
    return INTEGERS.has(slot) ? this.arena.ints(length) : this.arena.floats(length);
  }

  /** `told` is called now and whenever arrays have moved. */
  watch(told: () => void): void {
    this.told.push(told);
    told();
  }

  floats(slot: number): Float64Array<ArrayBuffer> {
    return this.blocks[slot].view as Float64Array<ArrayBuffer>;
  }

  ints(slot: number): Int32Array<ArrayBuffer> {
    return this.blocks[slot].view as Int32Array<ArrayBuffer>;
  }

  /** Room for `length` numbers in a slot; what is there stays. */
  reserve(slot: number, length: number): void {
    const before = this.blocks[slot];
    if (before.length >= length) return;
    const block = this.made(slot, Math.max(length, 2 * before.length));
    block.view.set(before.view); // asked for after the arena grew
    this.blocks[slot] = block;
    this.kernels.place(this.blocks);
    for (const told of this.told) told();
  }
}
