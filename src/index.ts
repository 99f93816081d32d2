/** The public API, in the order data flows. */

// a model compiled, and what can be asked of it at one instant
export { assemble } from './assembly/assemble.js';
export type { System } from './assembly/system.js';
// generated things
export * from './assets/index.js';
// forces from contact, law by law
export * as contactLaws from './contact-laws/index.js';
export * as dynamics from './dynamics/index.js';
// what is refused
export * from './errors.js';
// solids
export * from './geometry/index.js';
// y' = f(t, y)
export {
  INTEGRATOR_NAMES,
  type IntegrationOptions,
  type IntegratorName,
  integrate,
  METHOD_NAMES,
  type MethodName,
  type Problem,
} from './integration/index.js';
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

// testbeds
export {
  climbedSlope,
  drawbarCurve,
  plateCurve,
  type RiggedWheel,
  ringCurve,
  type SteadyWheel,
  slopeCurve,
  type WheelModel,
  WheelTestbed,
} from './studies/soil-rigs.js';
