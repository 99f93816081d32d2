/** What needs Node's file system: CAD files and recordings by path, model files, reports. */

export { type KeptAsset, keepAsset, verifyAsset } from './asset-files.js';
export { readCadFile, writeCadFile } from './cad-files.js';
export { KernelWorkers } from './kernel-workers.js';
export { exampleNames, findModel, loadModel, requireModel } from './model-files/load-model.js';
export {
  DiskRecording,
  type OpenRecording,
  openRecordingFile,
  readRecordingFile,
  writeRecordingFile,
  writeRecordsCsv,
} from './recording-files.js';
export { reportOf } from './report.js';
export { type DrawnModel, startViewServer, type ViewServer, type ViewServerOptions } from './view-server.js';
