/** What needs Node's file system: CAD files and recordings by path. */

export { type KeptAsset, keepAsset, verifyAsset } from './asset-files.js';
export { readCadFile, writeCadFile } from './cad-files.js';
export { KernelWorkers } from './kernel-workers.js';
export {
  DiskRecording,
  type OpenRecording,
  openRecordingFile,
  readRecordingFile,
  writeRecordingFile,
  writeRecordsCsv,
} from './recording-files.js';
export { type DrawnModel, startViewServer, type ViewServer, type ViewServerOptions } from './view-server.js';
