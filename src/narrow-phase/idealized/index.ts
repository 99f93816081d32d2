/** Idealized surfaces: contact at analytic points, after Oestersötebier et al. (2014). */
export { idealizedRoute, isIdealizedPair } from './idealized-route.js';
export type { PointRouteOptions } from './point-route.js';
export { type IdealizedSurface, layerThickness, type SurfaceKind, surfaceBounds } from './surface.js';
