/** Which pairs may touch. */
export { AllowedPairs, type PairRules } from './allowed-pairs.js';
export { BroadPhase, type BroadPhaseMethod, type BroadPhaseOptions, methodForSize } from './broad-phase.js';
export type { CandidatePairs } from './candidate-pairs.js';
export { type BodyShape, ShapeBounds, solidBounds } from './shape-bounds.js';
export { sweepBoxes } from './swept-boxes.js';
