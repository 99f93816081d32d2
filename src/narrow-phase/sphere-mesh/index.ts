/** An exact sphere against any closed mesh. */
export { BallInMesh } from './ball-in-mesh.js';
export { sphereMeshRoute } from './prepare-route.js';
export { SphereMeshRoute } from './sphere-mesh-route.js';
