/** The kernels as plain TypeScript: ready at once, on any arrays, good to debug. */
import { type KernelCalls, kernelCalls } from './kernel-calls.js';
import { meshMoments } from './mesh-moments.kernel.js';
import { polyhedronContacts } from './polyhedron-contact.kernel.js';
import { movePolyhedra } from './polyhedron-motion.kernel.js';
import { overlapHalfSpace, overlapPolyhedra } from './polyhedron-overlap.kernel.js';
import { placeInTable } from './prelude.js';

export const twin: KernelCalls = kernelCalls(placeInTable, {
  meshMoments,
  movePolyhedra,
  overlapHalfSpace,
  overlapPolyhedra,
  polyhedronContacts,
});
