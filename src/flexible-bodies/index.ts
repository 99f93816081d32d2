/** Meshes, finite elements of planar parts and solids, reduction, stress and topology. */
export { addInertia, addPressure, type Spin, spinField, weightField } from './fem/loads.js';
export { type PlaneMaterial, planeMatrices } from './fem/plane-elements.js';
export { PlanePart } from './fem/plane-part.js';
export { SolidPart, solidNodes } from './fem/solid-part.js';
export { balance, type Resultant, resultant, type Statics, solveStatics } from './fem/statics.js';
export { nodalStress, principalStresses, vonMises } from './fem/stress.js';
export { addTraction, namedSides, nodesOf } from './fem/supports.js';
export { interfaceAt, type PartInterface } from './interfaces.js';
export { extrudeMesh } from './mesh/extruded-mesh.js';
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
  sharpenTopology,
  type TopologyOptions,
  type TopologyResult,
  type TopologyState,
} from './topology/optimise.js';
