/** Constructive solid geometry. */
export { intersect, subtract, union } from './boolean.js';
export { loadCsg } from './manifold.js';
export { type OffsetOptions, offsetOutline } from './offset.js';
export type { Operand } from './operand.js';
