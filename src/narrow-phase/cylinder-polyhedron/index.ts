/** Cylinders on boxes and other convex solids with flat faces, without facets. */
export { appendOverlap } from './overlap-row.js';
export { PlaneSums } from './plane-sums.js';
export { CylinderPolyhedronRoute, cylinderPolyhedronRoute } from './route.js';
