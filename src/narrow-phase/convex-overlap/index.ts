/** Overlap of convex solids by clipping with planes. */
export { ConvexOverlap } from './convex-overlap.js';
export { type ConvexOverlapOptions, ConvexRoute, convexRoute } from './convex-route.js';
export { type ConvexSolid, isConvex, prepareConvex } from './convex-solid.js';
export { preferFaces } from './face-normal.js';
export { PolytopeClip } from './polytope-clip.js';
export { SUM, SurfaceSums } from './surface-sums.js';
