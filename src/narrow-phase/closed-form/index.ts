/** Contact in closed form: balls against what has a simple nearest point, capsules, and cylinders on planes. */
export { BallOverlap } from './ball-overlap.js';
export { CapsuleCapsule, CROWN } from './capsule-capsule.js';
export { CapsuleHalfSpace } from './capsule-half-space.js';
export { closedFormRoute, type RoutedShape } from './closed-form-route.js';
export { CylinderHalfSpace } from './cylinder-half-space.js';
export { SphereBox } from './sphere-box.js';
export { CAPSULE, SphereCapsule } from './sphere-capsule.js';
export { CYLINDER, SphereCylinder } from './sphere-cylinder.js';
export { SphereHalfSpace } from './sphere-half-space.js';
export { SphereSphere } from './sphere-sphere.js';
