/** What needs Node's file system: CAD files and recordings by path. */
export { readCadFile, writeCadFile } from './cad-files.js';
export { DiskRecording, readRecordingFile, writeRecordingFile } from './recording-files.js';
