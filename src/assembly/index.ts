/** A model compiled into the constant arrays that all stages read. */
export { assemble } from './assemble.js';
export type { System } from './system.js';
