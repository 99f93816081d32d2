/**
 * What a user needs to write a model, run it and look at what came out, in the order data flows. The rest of each stage stands under its own
 * path: `tippetop/geometry`, `tippetop/dynamics`, `tippetop/integration` and so on.
 */

// numbers with the same bits everywhere
export {
  acos,
  asin,
  atan,
  atan2,
  cbrt,
  cos,
  cosh,
  exp,
  hypot,
  log,
  type Mat3,
  PI,
  pow,
  type Quaternion,
  quaternion,
  type Random,
  random,
  sin,
  sinh,
  tan,
  tanh,
  type Vec2,
  type Vec3,
  vec3,
} from './math/index.js';

// solids
export {
  box,
  capsule,
  cone,
  convexHull,
  cylinder,
  disc,
  ellipsoid,
  extrude,
  type ExtrudeOptions,
  frustum,
  halfSpace,
  regularPrism,
  revolve,
  type RevolveOptions,
  type Solid,
  sphere,
  sweep,
  type SweepOptions,
  torus,
  type TriangleMesh,
  tube,
  wedge,
} from './geometry/index.js';

// plane figures
export {
  circle,
  circleOutline,
  fitArcs,
  flattened,
  offsetOutline,
  type Outline,
  type Profile,
  profileArea,
  replicate,
  roundCorners,
  slot,
} from './geometry/index.js';

// machine elements
export {
  cam,
  escapeWheel,
  gearCircles,
  genevaDimensions,
  genevaDrive,
  genevaDriveOutlines,
  genevaMotion,
  genevaWheel,
  genevaWheelOutline,
  involuteGear,
  leverEscapement,
} from './assets/index.js';

// solids cut, moved, coloured, checked and weighed
export {
  type Colour,
  colourTriangles,
  colourVertices,
  intersect,
  joinMeshes,
  loadCsg,
  type MassProperties,
  meshMassProperties,
  mirror,
  repairMesh,
  rotate,
  scale,
  solidMassProperties,
  subtract,
  transform,
  translate,
  triangleMesh,
  union,
  validateMesh,
} from './geometry/index.js';

// CAD files
export { type CadDocument, type CadPart, readCad, writeCad } from './geometry/index.js';

// generated things: wheels, ground, rocks
export {
  angularRock,
  belgianBlock,
  flatTerrain,
  readHeightMap,
  rock,
  rockField,
  type Terrain,
  terrain,
  wheel,
} from './assets/index.js';

// what the user writes: bodies, materials, joints, forces, contacts, grains, soils
export * from './model/index.js';

// what is refused
export { FileError, ModelError } from './errors.js';

// the run
export { pageWorkers, Simulation, type SimulationOptions, type Snapshot, simulate } from './simulation/index.js';
export type { IntegratorName, MethodName } from './integration/index.js';

// what a run leaves, and the files it is kept in
export {
  compareRecordings,
  csvText,
  extendedXyz,
  glbBytes,
  lammpsDump,
  matBytes,
  mcapBytes,
  packingFromCsv,
  readCsv,
  readHdf5,
  Recording,
  RecordingReader,
  recordsCsvText,
  type Scene,
  sceneOf,
  Signal,
  type TrustReport,
  vtkFiles,
  writeHdf5,
} from './results/index.js';
