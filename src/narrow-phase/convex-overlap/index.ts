/** Overlap of convex solids by clipping with planes. */
export { ConvexOverlap, type ConvexOverlapOptions, convexRoute } from './convex-overlap.js';
export { type ConvexSolid, isConvex, meshInFormFrame, prepareConvex } from './convex-solid.js';
export { PolytopeClip } from './polytope-clip.js';
export { SUM, SurfaceSums } from './surface-sums.js';
