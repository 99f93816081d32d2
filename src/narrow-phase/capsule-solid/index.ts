/** Capsules on convex solids. */
export { CapsuleRoute, capsuleRoute } from './capsule-route.js';
