/**
 * Kernels for grains, bound to one set of arrays: as WebAssembly with a pointer table of its own per thread, or as TypeScript. Made at once, without waiting,
 * for simulations are made so; where a page forbids WebAssembly the TypeScript of the same bits takes over.
 */
import type { Arena, Block } from './arena.js';
import { grainForces } from './grain-forces.kernel.js';
import { grainBounds, grainRows, grainSort } from './grain-lists.kernel.js';
import { grainMove } from './grain-motion.kernel.js';
import { GRAIN_SLOT, type GrainSlot } from './grain-slots.js';
import { SLOTS } from './kernel-calls.js';
import { placeInTable } from './prelude.js';
import { instantiateNow } from './wasm-bytes.js';

/** What all threads do at once, each on its ranges */
export type GrainPhase = 'bounds' | 'rows' | 'move' | 'forces';
export const GRAIN_PHASES: readonly GrainPhase[] = ['bounds', 'rows', 'move', 'forces'];

export interface GrainKernels {
  readonly kind: 'wasm' | 'typescript';
  /** Tells all threads where an array is. */
  place(slot: GrainSlot, block: Block<Float64Array | Int32Array>): void;
  /** The share of one thread, done here and now */
  run(phase: GrainPhase, thread: number): void;
  sort(): void;
  /** Addresses of the pointer tables, one per thread, for workers; none with TypeScript */
  readonly tables: readonly number[];
}

const ENTRY: Readonly<Record<GrainPhase, (thread: number) => void>> = {
  bounds: grainBounds,
  rows: grainRows,
  move: grainMove,
  forces: grainForces,
};

type Entries = {
  setTable(address: number): void;
  grainSort(): void;
} & Record<'grainBounds' | 'grainRows' | 'grainMove' | 'grainForces', (thread: number) => void>;

/** @param threads how many pointer tables to make */
export function grainKernels(arena: Arena, threads: number, wasm = true): GrainKernels {
  const instance = wasm ? instantiateNow<Entries>(arena) : undefined;
  return instance ? ofModule(arena, threads, instance) : ofTwin();
}

function ofModule(arena: Arena, threads: number, entries: Entries): GrainKernels {
  const tables = Array.from({ length: threads }, () => arena.ints(SLOTS));
  entries.setTable(tables[0].address);
  return {
    kind: 'wasm',
    tables: tables.map(({ address }) => address),
    place(slot, { address }) {
      for (const { view } of tables) view[GRAIN_SLOT[slot]] = address;
    },
    run(phase, thread) {
      if (phase === 'forces') entries.grainForces(thread);
      else if (phase === 'move') entries.grainMove(thread);
      else if (phase === 'rows') entries.grainRows(thread);
      else entries.grainBounds(thread);
    },
    sort: () => entries.grainSort(),
  };
}

/** Whose arrays are in the one table of the TypeScript kernels */
let inTable: object | undefined;

function ofTwin(): GrainKernels {
  const blocks = new Map<number, Block<Float64Array | Int32Array>>();
  const views = new Map<number, Float64Array | Int32Array>();
  const own = {};
  const fill = (): void => {
    let stale = inTable !== own;
    for (const [slot, block] of blocks) if (views.get(slot) !== block.view) stale = true; // the arena has grown
    if (!stale) return;
    inTable = own;
    for (const [slot, block] of blocks) {
      views.set(slot, block.view);
      placeInTable(slot, block.view);
    }
  };
  return {
    kind: 'typescript',
    tables: [],
    place: (slot, block) => void blocks.set(GRAIN_SLOT[slot], block),
    run(phase, thread) {
      fill();
      ENTRY[phase](thread);
    },
    sort() {
      fill();
      grainSort();
    },
  };
}
