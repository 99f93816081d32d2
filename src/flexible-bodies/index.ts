/** Meshes, finite elements of planar parts and solids, reduction, stress and topology. */
export { type PlaneMaterial, planeMatrices } from './fem/plane-elements.js';
export { PlanePart } from './fem/plane-part.js';
export { nodalStress, principalStresses, vonMises } from './fem/stress.js';
export { addTraction, namedSides, nodesOf } from './fem/supports.js';
export { interfaceAt, type PartInterface } from './interfaces.js';
export { type MeshOptions, meshProfile } from './mesh/mesh-profile.js';
export type { PlaneMesh } from './mesh/plane-mesh.js';
export { stripMesh } from './mesh/strip.js';
export { type ReducedPart, reducePart } from './reduction.js';
export { type ShapeIntegrals, shapeIntegrals } from './shape-integrals.js';
export { Compliance, type ComplianceOptions, type LoadCase } from './topology/compliance.js';
export { designOutlines } from './topology/contour.js';
export { type DesignMesh, gridDesign, meshDesign } from './topology/design-mesh.js';
export {
  improvements,
  optimiseTopology,
  type TopologyOptions,
  type TopologyResult,
  type TopologyState,
} from './topology/optimise.js';
