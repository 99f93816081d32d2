/** The public API, in the order data flows. */
export * from './errors.js';
