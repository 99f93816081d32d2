/** Discs, round whatever their meshes: wheels, rings, washers on planes, boxes, cylinders and each other. */
export { DiscHalfSpace, discHalfSpaceRoute } from './disc-half-space.js';
export { discRoute } from './disc-route.js';
