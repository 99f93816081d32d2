/** The arrays of a bed of grains in one arena, and their growth. What each holds: kernels/grain-slots.ts. */
import { Arena, type Block, type GrainKernels, type GrainSlot, grainKernels, STRIDE } from '../kernels/index.js';
import type { Team } from './team.js';

type Numbers = Block<Float64Array>;
type Whole = Block<Int32Array>;

const FLOATS: readonly GrainSlot[] = [
  'numbers',
  'results',
  'grains',
  'motion',
  'reference',
  'newGrains',
  'newMotion',
  'history',
  'oldHistory',
  'walls',
  'groups',
  'oldGroups',
  'features',
  'boxes',
  'forces',
  'laws',
  'wrenches',
  'scratch',
  'spokes',
  'records',
];

export class GrainArrays {
  readonly arena: Arena;
  readonly kernels: GrainKernels;
  private readonly blocks = new Map<GrainSlot, Block<Float64Array | Int32Array>>();

  constructor(team: Team, wasm: boolean) {
    this.arena = new Arena({ shared: team.shared, maximumBytes: wasm ? 0x1_0000_0000 : 0x8000_0000 });
    this.kernels = grainKernels(this.arena, team.threads, wasm);
    this.give('numbers', 32);
    this.give('counts', 32);
    this.give('ranges', STRIDE.range * team.threads);
    this.give('results', STRIDE.result * team.threads);
    this.give('scratch', STRIDE.scratch * team.threads);
    this.give('touching', STRIDE.touching * team.threads);
    team.join(this.kernels, this.arena.memory);
  }

  /** The array as it is now; arrays that grow become new ones. */
  floats(slot: GrainSlot): Float64Array {
    return (this.blocks.get(slot) as Numbers).view;
  }

  ints(slot: GrainSlot): Int32Array {
    return (this.blocks.get(slot) as Whole).view;
  }

  lengthOf(slot: GrainSlot): number {
    return this.blocks.get(slot)?.length ?? 0;
  }

  /** At least `length` elements; what was there stays. A greater one is half as long again, so that what old ones leave behind stays bounded. */
  give(slot: GrainSlot, length: number): void {
    const old = this.blocks.get(slot);
    if (old && old.length >= length) return;
    const room = old ? Math.max(length, Math.ceil(1.5 * old.length)) : Math.max(1, length);
    const block = FLOATS.includes(slot) ? this.arena.floats(room) : this.arena.ints(room);
    if (old) block.view.set(old.view as never);
    this.put(slot, block);
  }

  /** Two arrays change roles. */
  swap(one: GrainSlot, other: GrainSlot): void {
    const [a, b] = [this.blocks.get(one)!, this.blocks.get(other)!];
    this.put(one, b);
    this.put(other, a);
  }

  private put(slot: GrainSlot, block: Block<Float64Array | Int32Array>): void {
    this.blocks.set(slot, block);
    this.kernels.place(slot, block);
  }
}
