/** The kernels as plain TypeScript: ready at once, on any arrays, good to debug. */
import { type KernelCalls, kernelCalls } from './kernel-calls.js';
import { meshMoments } from './mesh-moments.kernel.js';
import { placeInTable } from './prelude.js';

export const twin: KernelCalls = kernelCalls(placeInTable, { meshMoments });
