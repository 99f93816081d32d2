/** Cylinders on cylinders, without facets. */
export { CylinderCylinderRoute, cylinderCylinderRoute } from './route.js';
