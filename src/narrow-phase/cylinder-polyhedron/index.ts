/** Cylinders on boxes and other convex solids with flat faces, without facets. */
export { CylinderPolyhedronRoute, cylinderPolyhedronRoute } from './route.js';
