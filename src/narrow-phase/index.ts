/** Where and how two shapes touch: routes, one for every kind of pair, that hand on contact patches. */
export * from './closed-form/index.js';
export * from './contact-patches.js';
export * from './convex-overlap/index.js';
export * from './distance/index.js';
export * from './extrusion-overlap/index.js';
export * from './half-space-overlap/index.js';
export * from './idealized/index.js';
export * from './manifold/index.js';
export * from './mesh-overlap/index.js';
export * from './route.js';
export * from './sphere-mesh/index.js';
export * from './turn.js';
