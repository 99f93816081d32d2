/** Overlap of any closed meshes. */
export { formMesh } from './form-mesh.js';
export { MeshOverlap, type MeshOverlapOptions } from './mesh-overlap.js';
export { MeshRoute, type OverlapRouteOptions } from './mesh-route.js';
export { type MeshTopology, prepareMesh } from './mesh-topology.js';
export { OverlapBody } from './overlap-body.js';
export { type PatchPolygon, patchPolygons } from './patch-polygons.js';
