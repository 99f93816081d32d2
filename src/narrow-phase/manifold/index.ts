/** Contact of convex solids by deepest points, with several points where facets face each other. */
export { ContactNormal, NEAR_FACE } from './contact-normal.js';
export { type ConvexShape, convexShape, Discs } from './convex-shape.js';
export { Expansion } from './expansion.js';
export { HalfSpacePoints } from './half-space-points.js';
export { ManifoldRoute, manifoldRoute } from './manifold-route.js';
export { BLEND } from './normal-candidates.js';
export { Polyhedron } from './polyhedron.js';
