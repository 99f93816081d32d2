/** Solids: made, cut, checked, measured, read and written. */

export { type Bvh, buildBvh } from './bvh.js';
export { circle, slot } from './circle-outline.js';
export { ClosestPoint, closestPoint, signedDistance } from './closest-point.js';
export { colourTriangles, colourVertices, type Tint } from './colours.js';
export { intersect, loadCsg, type OffsetOptions, type Operand, offsetOutline, subtract, union } from './csg/index.js';
export { type ExtrudeOptions, extrude } from './extrude.js';
// files
export {
  type CadDocument,
  type CadFormat,
  type CadPart,
  type CadProfile,
  LENGTH_UNITS,
  type LengthUnit,
  type ReadOptions,
  type WriteOptions,
} from './files/cad-document.js';
export { type CadReadOptions, type CadWriteOptions, readCad, writeCad } from './files/index.js';
export { type FitArcsOptions, fitArcs } from './fit-arcs.js';
export { halfSpace } from './half-space.js';
export { convexHull } from './hull.js';
// generators
export { type MassProperties, meshMassProperties, solidMassProperties } from './mass-properties.js';
export { mendMesh } from './mend.js';
export { meshedSolid } from './meshed-solid.js';
export { flattened, hasArcs, reversed } from './outline.js';
export { isInside, windingNumber } from './point-location.js';
export * from './polygon.js';
// solids
export * from './primitives.js';
// plane figures
export * from './profile.js';
export { allHits, firstHit, RayHit } from './ray.js';
export { repairMesh } from './repair.js';
export { replicate } from './replicate.js';
export { type RevolveOptions, revolve } from './revolve.js';
export { roundCorners } from './round-corners.js';
export type { Colour, Form, Pose, Solid } from './solid.js';
export { ORIGIN } from './solid.js';
export type { SolidMesh } from './solid-mesh.js';
export { type SweepOptions, sweep } from './sweep.js';
// checked and measured
export { type DirectedEdge, openEdges } from './topology.js';
export * from './transform.js';
export * from './triangle-mesh.js';
export { triangulate } from './triangulate.js';
export * from './validation.js';
export { weldMesh } from './weld.js';
