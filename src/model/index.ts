/** What the user writes: bodies, joints, constraints, forces, gravity, events, as plain data. */
export { type Body, type BodyOptions, body } from './body.js';
export { type CoilSpring, type CoilSpringFigures, type CoilSpringOptions, coilSpring } from './coil-spring.js';
export { type AnchorReference, type Constraint, gear, pointOnPlane, rod, rollingWheel } from './constraints.js';
export {
  type Carrier,
  type ContactElement,
  type ContactElementOptions,
  contactElement,
  type ElementDerivatives,
  type ElementPowers,
  type ElementTouch,
  type Side,
  type Triple,
} from './contact-element.js';
export type {
  BodyContactOptions,
  ContactPair,
  Contacts,
  ContactsOptions,
  FrictionLawOptions,
  NormalLawOptions,
  PairDefaults,
  PairOptions,
  RegionMeasures,
  Surface,
  TorsionOptions,
} from './contacts.js';
export { applied, bushing, type Force, lineForce, type PointMotion, spring } from './forces.js';
export type {
  GrainPair,
  GrainRadius,
  GrainRegion,
  Grains,
  GrainsOptions,
  Inlet,
  Outlet,
  Packing,
  Species,
} from './grains.js';
export { GRAVITATIONAL_PARAMETER, GRAVITY, type Gravity } from './gravity.js';
export {
  cylindrical,
  fixed,
  free,
  type Joint,
  type JointKind,
  planar,
  prismatic,
  revolute,
  screw,
  spherical,
  universal,
} from './joints.js';
export { type JsonModelOptions, modelFromJson, modelFromJsonText } from './json.js';
export { modelJsonSchema } from './json-schema.js';
export type { PartReader } from './json-shapes.js';
export { type Lost, modelToJson, type WrittenModel } from './json-write.js';
export * from './materials.js';
export { GROUND, type Model, type ModelEvent, type ModelOptions, model, type SignalReader, touch } from './model.js';
export { type Parameter, type ParameterValue, parametersOf } from './parameters.js';
export { type Soil, type SoilOptions, soil, soilInGravity } from './soil.js';
export type { MeetsSoil, SampledGround, SoilBed, SoilBedOptions } from './soil-bed.js';
export { SOILS, type SoilName } from './soil-library.js';
export { type Study, type StudyOptions, study } from './study.js';
export { type DrawnSurface, type SurfaceOptions, surface } from './surfaces.js';
