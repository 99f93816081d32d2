/**
 * Elementary functions with the same bits in every JavaScript engine: built from + − × ÷ √ and the bits of a double,
 * which IEEE 754 and ECMAScript define exactly; Math.sin and its like they leave to the engine.
 * Errors are below 1 ulp over the whole range; docs/theory/math.md has the measured figures.
 */
export { exp, expm1 } from './exponential.js';
export { cosh, sinh, tanh } from './hyperbolic.js';
export { acos, asin, atan, atan2 } from './inverse-trigonometric.js';
export { log, log1p } from './logarithm.js';
export { cbrt, hypot, pow } from './power.js';
export { cos, sin, tan } from './trigonometric.js';

export const PI = Math.PI;
