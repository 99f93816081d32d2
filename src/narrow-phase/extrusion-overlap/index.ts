/** Overlap of extrusions with parallel axes. */
export { ExtrusionOverlap, PARALLEL } from './extrusion-overlap.js';
export { ExtrusionRoute } from './extrusion-route.js';
export { LoopBody, type Loops, prepareLoops } from './loop-body.js';
export { patchWalls } from './patch-walls.js';
