/** y' = f(t, y): explicit, stiff and fixed-step methods, step control, dense output, events; see docs/theory/integration.md. */
export type { LocatedCrossing } from './crossings.js';
export { DenseLinearSolver } from './dense-linear-solver.js';
export { ErrorMeasure, type Tolerances } from './error-measure.js';
export {
  Integration,
  type IntegrationOptions,
  type IntegrationResult,
  integrate,
  type Outcome,
} from './integration.js';
export { IntegrationError } from './integration-error.js';
export type { StiffMethodName } from './method-choice.js';
export { INTEGRATOR_NAMES, type IntegratorName, METHOD_NAMES, type MethodName } from './method-name.js';
export type { LinearSolver, Partition, Problem, ZeroCrossing } from './problem.js';
export type { MethodSwitch, Statistics } from './statistics.js';
