/** The public API, in the order data flows. */

// what is refused
export * from './errors.js';
// solids
export * from './geometry/index.js';

// hot loops
export * from './kernels/index.js';
// numbers
export * from './math/index.js';

// what the user writes
export * from './model/index.js';

// what a run leaves
export * from './results/index.js';

// the run
export * from './simulation/index.js';
