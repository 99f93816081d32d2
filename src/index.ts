/** The public API, in the order data flows. */
export * from './errors.js';
export * from './math/index.js';
export * from './kernels/index.js';
export * from './geometry/index.js';
