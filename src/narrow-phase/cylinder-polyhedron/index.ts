/** Cylinders on boxes and other convex solids with flat faces, without facets. */
export { appendOverlap } from './overlap-row.js';
export { OverlapSums } from './overlap-sums.js';
export { CylinderPolyhedronRoute, cylinderPolyhedronRoute } from './route.js';
