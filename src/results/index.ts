/** Recordings: signals over time, and the files they are kept in. */
export { csvText, readCsv } from './csv.js';
export { LiveFile, type LiveFileOptions } from './hdf5/live-file.js';
export { readHdf5 } from './hdf5/read.js';
export { type Hdf5Options, writeHdf5 } from './hdf5/write.js';
export { matBytes } from './mat.js';
export {
  type Origin,
  type RecordedEvent,
  Recording,
  type RunState,
  type SignalDescription,
} from './recording.js';
export { type Run, SampleTable } from './sample-table.js';
export { Signal } from './signal.js';
export { isGlob, matchesGlob } from './signal-glob.js';
export type {
  ConstraintDrift,
  EnergyLedger,
  Json,
  MomentumDrift,
  StepCount,
  TrustReport,
} from './trust-report.js';
export { MemoryFile, type WritableFile } from './writable-file.js';
