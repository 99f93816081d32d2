/** Overlap of a half-space with convex solids and with any closed mesh. */
export { ConvexHalfSpace } from './convex-half-space.js';
export { halfSpaceRoute } from './half-space-route.js';
export { MeshHalfSpace } from './mesh-half-space.js';
