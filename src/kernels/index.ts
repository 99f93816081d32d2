/**
 * Hot loops, written once and run as WebAssembly or as TypeScript with the same bits; and the memory they work on.
 *
 * @example
 * const kernels = await loadKernels();
 * const vertices = kernels.arena.floats(3 * n);
 * …
 * kernels.meshMoments(vertices.view, triangles.view, 0, 0, 0, moments.view);
 */
import { ModelError } from '../errors.js';
import { Arena, type ArenaOptions } from './arena.js';
import { type KernelCalls, type KernelEntries, kernelCalls, SLOTS } from './kernel-calls.js';
import { twin } from './twin.js';
import { moduleBytes } from './wasm-bytes.js';

export { Arena, type ArenaOptions, type Block, type FloatBlock, type IntBlock, type Mark } from './arena.js';
export { GRAIN_PHASES, type GrainKernels, type GrainPhase, grainKernels } from './grain-kernels.js';
export { GRAIN_SLOT, type GrainSlot, STRIDE, TOUCHED } from './grain-slots.js';
export { type KernelCalls, MOMENTS_LENGTH } from './kernel-calls.js';
export { twin } from './twin.js';

export interface Kernels extends KernelCalls {
  readonly kind: 'wasm' | 'typescript';
  /** Where the arrays of kernels of kind `wasm` must lie; those of kind `typescript` take any. */
  readonly arena: Arena;
}

export interface KernelOptions extends ArenaOptions {
  /** `true`: WebAssembly or an error; `false`: TypeScript; not given: WebAssembly where the machine has it. */
  readonly wasm?: boolean;
  /** Arena to work on instead of a new one. */
  readonly arena?: Arena;
}

/**
 * Loads the kernels and makes their arena.
 *
 * @throws ModelError if `wasm: true` is asked for and WebAssembly is missing or forbidden
 */
export async function loadKernels(options: KernelOptions = {}): Promise<Kernels> {
  const arena = options.arena ?? new Arena(options);
  if (options.wasm !== false && arena.memory) {
    try {
      return { kind: 'wasm', arena, ...(await instantiate(arena, arena.memory)) };
    } catch (cause) {
      // A page's content security policy may forbid WebAssembly; the twin gives the same numbers.
      if (options.wasm || !(cause instanceof WebAssembly.CompileError)) throw cause;
    }
  } else if (options.wasm)
    throw new ModelError('loadKernels.wasm', 'WebAssembly is missing here; leave the option out');
  return { kind: 'typescript', arena, ...twin };
}

async function instantiate(arena: Arena, memory: WebAssembly.Memory): Promise<KernelCalls> {
  const { instance } = await WebAssembly.instantiate(moduleBytes(arena.shared), { env: { memory } });
  const entries = instance.exports as unknown as KernelEntries & { setTable(address: number): void };
  const table = arena.ints(SLOTS);
  entries.setTable(table.address);
  return kernelCalls((slot, array) => {
    if (array.buffer !== arena.buffer)
      throw new ModelError(
        'kernels',
        `the array in slot ${slot} does not lie in the arena of these kernels; if it did, the arena has grown since: ` +
          'take the view of its block again',
      );
    table.view[slot] = array.byteOffset;
  }, entries);
}
