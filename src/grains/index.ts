/** Grains: spheres by the ten thousand in flat arrays, on kernels and threads; walls they touch; what is measured of them. */
export type { NewGrain, StepFacts } from './bed.js';
export { GrainBed, type GrainBedOptions } from './grain-bed.js';
export type { GrainKind, GrainPairLaw } from './grain-laws.js';
export { SerialTeam, type Team } from './team.js';
export { AT_REST, type WallBody, type WallPose } from './wall-arrays.js';
export {
  ballFeature,
  joinFeatures,
  meshFeatures,
  planeFeature,
  revolvedFeatures,
  type WallFeatures,
} from './wall-features.js';
