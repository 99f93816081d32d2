/**
 * Kernels of the files island-*.kernel.ts bound to one set of arrays: as WebAssembly, or as TypeScript of the same bits where a page forbids that. Made at once, without
 * waiting, for simulations are made so.
 */
import type { Arena, Block } from './arena.js';
import * as assembly from './island-assembly.kernel.js';
import * as impulses from './island-impulses.kernel.js';
import * as matrix from './island-matrix.kernel.js';
import * as newton from './island-newton.kernel.js';
import * as rows from './island-rows.kernel.js';
import { SLOTS } from './kernel-calls.js';
import { placeInTable } from './prelude.js';
import { instantiateNow } from './wasm-bytes.js';

type Passes = typeof rows & typeof impulses & typeof newton & typeof assembly & typeof matrix;

export interface NewtonKernels extends Passes {
  readonly kind: 'wasm' | 'typescript';
  /** Tells where the arrays are, one per slot of island-newton.kernel.ts. Again whenever one of them is replaced or the arena grew. */
  place(blocks: readonly Block<Float64Array | Int32Array>[]): void;
  /** Before a run of passes: others may have used the table of slots. */
  begin(): void;
}

export function newtonKernels(arena: Arena, wasm = true): NewtonKernels {
  const entries = wasm ? instantiateNow<Passes>(arena) : undefined;
  if (entries) {
    const table = arena.ints(SLOTS);
    entries.setTable(table.address);
    return {
      ...passes(entries),
      kind: 'wasm',
      place(blocks) {
        const { view } = table;
        for (let slot = 0; slot < blocks.length; slot++) view[slot] = blocks[slot].address;
      },
      begin() {},
    };
  }
  let placed: readonly Block<Float64Array | Int32Array>[] = [];
  return {
    ...passes({ ...rows, ...impulses, ...newton, ...assembly, ...matrix }),
    kind: 'typescript',
    place(blocks) {
      placed = blocks;
    },
    begin() {
      for (let slot = 0; slot < placed.length; slot++) placeInTable(slot, placed[slot].view);
    },
  };
}

const passes = (from: Passes): Passes => ({
  rowVelocities: from.rowVelocities,
  openGroups: from.openGroups,
  rowSteps: from.rowSteps,
  evaluateTerms: from.evaluateTerms,
  imbalance: from.imbalance,
  assembleMatrix: from.assembleMatrix,
  factoriseMatrix: from.factoriseMatrix,
  solveMatrix: from.solveMatrix,
  stepSums: from.stepSums,
  takeStep: from.takeStep,
  balanceVelocities: from.balanceVelocities,
});
