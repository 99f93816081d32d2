/** The public API, in the order data flows. */

// what is refused
export * from './errors.js';
// solids
export * from './geometry/index.js';

// hot loops
export * from './kernels/index.js';
// numbers
export * from './math/index.js';
