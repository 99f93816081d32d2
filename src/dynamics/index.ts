/** Accelerations of everything that moves, and what can be said about a mechanical system at one instant; see docs/theory/dynamics.md. */

export { dampingFactor } from '../contact-laws/normal/restitution.js';
export {
  constraintDrift,
  type Drift,
  degreesOfFreedom,
  type Energies,
  energies,
  energiesInto,
  inverseDynamics,
  massMatrix,
  momentum,
  powers,
  powersInto,
  type Reaction,
  type Redundancy,
  reactions,
  redundancy,
} from './analysis.js';
export { OwnElement } from './elements/own-element.js';
export { PairDerivative, type PairElement, type PowerLedger, pointForcePair } from './elements/pair-element.js';
export { staticEquilibrium } from './equilibrium.js';
export type { Tolerance } from './error-norm.js';
export { initialise } from './initialise.js';
export { type LowestModesOptions, type LowMode, lowestModes } from './lowest-modes.js';
export { type MechanicalOptions, MechanicalSystem } from './mechanical-system.js';
export { eigenmodes, type Mode } from './modes.js';
export { Carriers } from './tree/carriers.js';
export { DynamicsError } from './tree/dynamics-error.js';
