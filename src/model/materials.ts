/** Materials: the schema, a library of common ones, and measured values of pairs. */
export { type Material, materialSchema } from './material.js';
export * from './material-library.js';
export * from './material-pairs.js';
