/**
 * Kernels of rigid grains, bound to one set of arrays: as WebAssembly with a pointer table for each thread, or as TypeScript of the same bits where a page forbids
 * WebAssembly. Made at once, without waiting, for simulations are made so.
 */
import type { Arena, Block } from './arena.js';
import { SLOTS } from './kernel-calls.js';
import { pressPolyhedra } from './polyhedron-contact.kernel.js';
import { movePolyhedra } from './polyhedron-motion.kernel.js';
import { overlapHalfSpace, overlapPolyhedra } from './polyhedron-overlap.kernel.js';
import { placeInTable } from './prelude.js';
import { instantiateNow } from './wasm-bytes.js';

/** What all threads do at once, each its share */
export type PolyhedronPhase = 'movePolyhedra' | 'pressPolyhedra';

export interface PolyhedronKernels {
  readonly kind: 'wasm' | 'typescript';
  /** Tells a thread where its arrays are, one per slot of polyhedron-overlap, -motion and -contact.kernel.ts. Again whenever one of them is replaced or the arena grew. */
  place(thread: number, blocks: readonly Block<Float64Array | Int32Array>[]): void;
  /** The share of one thread, done here and now */
  run(phase: PolyhedronPhase, thread: number): void;
  /** polyhedron-overlap.kernel.ts, with the arrays of thread 0 */
  readonly overlapPolyhedra: typeof overlapPolyhedra;
  readonly overlapHalfSpace: typeof overlapHalfSpace;
  /** Addresses of the pointer tables, one per thread, for workers; none with TypeScript */
  readonly tables: readonly number[];
}

interface Entries {
  setTable(address: number): void;
  movePolyhedra(thread: number): void;
  pressPolyhedra(thread: number): void;
  readonly overlapPolyhedra: typeof overlapPolyhedra;
  readonly overlapHalfSpace: typeof overlapHalfSpace;
}

export function polyhedronKernels(arena: Arena, threads: number, wasm = true): PolyhedronKernels {
  const entries = wasm ? instantiateNow<Entries>(arena) : undefined;
  return entries ? ofModule(arena, threads, entries) : ofTwin(threads);
}

function ofModule(arena: Arena, threads: number, entries: Entries): PolyhedronKernels {
  const tables = Array.from({ length: threads }, () => arena.ints(SLOTS));
  entries.setTable(tables[0].address);
  let current = 0;
  const use = (thread: number): void => {
    if (thread !== current) entries.setTable(tables[thread].address);
    current = thread;
  };
  return {
    kind: 'wasm',
    tables: tables.map(({ address }) => address),
    place(thread, blocks) {
      const { view } = tables[thread];
      for (let slot = 0; slot < blocks.length; slot++) view[slot] = blocks[slot].address;
    },
    run(phase, thread) {
      use(thread);
      if (phase === 'movePolyhedra') entries.movePolyhedra(thread);
      else entries.pressPolyhedra(thread);
    },
    overlapPolyhedra(...rest) {
      use(0);
      return entries.overlapPolyhedra(...rest);
    },
    overlapHalfSpace(...rest) {
      use(0);
      return entries.overlapHalfSpace(...rest);
    },
  };
}

function ofTwin(threads: number): PolyhedronKernels {
  const placed = Array.from({ length: threads }, (): readonly Block<Float64Array | Int32Array>[] => []);
  // All kernels of a process share the one table of their TypeScript
  const use = (thread: number): void => {
    const blocks = placed[thread];
    for (let slot = 0; slot < blocks.length; slot++) placeInTable(slot, blocks[slot].view);
  };
  return {
    kind: 'typescript',
    tables: [],
    place(thread, blocks) {
      placed[thread] = [...blocks];
    },
    run(phase, thread) {
      use(thread);
      if (phase === 'movePolyhedra') movePolyhedra(thread);
      else pressPolyhedra(thread);
    },
    overlapPolyhedra(...rest) {
      use(0);
      return overlapPolyhedra(...rest);
    },
    overlapHalfSpace(...rest) {
      use(0);
      return overlapHalfSpace(...rest);
    },
  };
}
