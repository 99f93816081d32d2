/** Recordings: signals over time, records of what comes and goes, and the files they are kept in. */
export { type Checkpoint, checkpointBytes, readCheckpoint } from './checkpoint.js';
export { type Comparison, compareRecordings, type SignalDifference } from './compare.js';
export {
  addContactTable,
  CONTACT,
  CONTACT_COLUMNS,
  CONTACT_STATES,
  pairLabel,
  pairNames,
} from './contact-records.js';
export { csvText, readCsv, recordsCsvText } from './csv.js';
export type { FilmOptions } from './exchange/film.js';
export { glbBytes } from './exchange/gltf.js';
export { extendedXyz, lammpsDump } from './exchange/grain-text.js';
export { recordingOfDump } from './exchange/lammps-dump.js';
export { mcapBytes } from './exchange/mcap.js';
export { packingFromCsv } from './exchange/packing-csv.js';
export { type NamedFile, vtkFiles } from './exchange/vtk.js';
export { addGrainTable, GRAIN, GRAIN_COLUMNS, GRAIN_TABLE } from './grain-records.js';
export { LiveFile, type LiveFileOptions } from './hdf5/live-file.js';
export { readHdf5 } from './hdf5/read.js';
export type { RecordReader } from './hdf5/record-reader.js';
export { RecordingReader } from './hdf5/recording-reader.js';
export { type Hdf5Options, writeHdf5 } from './hdf5/write.js';
export { matBytes } from './mat.js';
export { blobFile, type ReadableFile } from './readable-file.js';
export type {
  RecordColumn,
  RecordInstant,
  RecordTable,
  RecordType,
  RecordValues,
} from './record-table.js';
export {
  type Origin,
  type RecordedEvent,
  Recording,
  type RunState,
  type SignalDescription,
} from './recording.js';
export { type Run, SampleTable } from './sample-table.js';
export { type GrainFrame, grainsOf } from './scene/grain-frames.js';
export { readScene, sceneBytes } from './scene/scene-bytes.js';
export { sceneOf } from './scene/scene-of.js';
export type {
  Scene,
  SceneBody,
  SceneGrains,
  SceneJoint,
  ScenePoint,
  SceneShape,
  SceneSpring,
  SceneSurface,
} from './scene.js';
export { Signal } from './signal.js';
export { isGlob, matchesGlob } from './signal-glob.js';
export { addSurfaceTable, SURFACE_COLUMNS } from './surface-records.js';
export type {
  ConstraintDrift,
  EnergyLedger,
  Json,
  MomentumDrift,
  StepCount,
  TrustReport,
} from './trust-report.js';
export { MemoryFile, type WritableFile } from './writable-file.js';
