/** Recordings on disk: written while a run goes on, kept whatever happens to it, read back by path. */
import { closeSync, constants, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { deflateSync } from 'node:zlib';
import { FileError, suggestion } from '../errors.js';
import { csvText, readCsv, recordsCsvText } from '../results/csv.js';
import { LiveFile } from '../results/hdf5/live-file.js';
import { readHdf5 } from '../results/hdf5/read.js';
import { RecordingReader } from '../results/hdf5/recording-reader.js';
import { writeHdf5 } from '../results/hdf5/write.js';
import { matBytes } from '../results/mat.js';
import type { Recording, RunState } from '../results/recording.js';
import type { WritableFile } from '../results/writable-file.js';
import { makeFolder } from './folders.js';
import { requirePlainFile } from './plain-file.js';
import { systemError } from './system-error.js';

const DEFLATE_LEVEL = 3;
const FIRST = 60; // ms until rows are on disk for the first time: a run that fills a small disk at once leaves some, too

class DiskFile implements WritableFile {
  readonly #path: string;
  readonly #file: number;
  #end = 0;

  /** @param shown the path that errors name */
  constructor(path: string, shown: string) {
    this.#path = shown;
    this.#file = attempt(shown, 'write', () => {
      makeFolder(dirname(path));
      return openSync(path, constants.O_CREAT | constants.O_TRUNC | constants.O_RDWR, 0o666);
    });
  }

  write(position: number, bytes: Uint8Array): void {
    attempt(this.#path, 'write', () => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, position + done);
    });
    this.#end = Math.max(this.#end, position + bytes.length);
  }

  append(bytes: Uint8Array): void {
    this.write(this.#end, bytes);
  }

  sync(): void {
    attempt(this.#path, 'write', () => fdatasyncSync(this.#file));
  }

  close(): void {
    closeSync(this.#file);
  }
}

export interface DiskRecordingOptions {
  /** How much of a run may be lost when it is killed, s of wall time; default 1, and in its first second no more than half. */
  readonly flushSeconds?: number;
}

/**
 * Keeps a recording on disk while it grows.
 *
 *   const disk = new DiskRecording('out/ball/recording.h5', recording);
 *   while (…) { recording.append(…); disk.flushWhenDue(); }
 *   await disk.finish('finished');
 *
 * From the first line on the path holds a whole HDF5 file; a file that was there is replaced. A killed run leaves one with
 * all rows up to the last flush and the state `running`.
 */
export class DiskRecording {
  readonly #recording: Recording;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #live: LiveFile;
  readonly #interval: number; // ms
  readonly #start: number; // ms
  #due: number; // ms
  #closed = false;

  constructor(path: string, recording: Recording, { flushSeconds = 1 }: DiskRecordingOptions = {}) {
    this.#recording = recording;
    this.#path = path;
    // The name is taken when the file is whole.
    this.#file = new DiskFile(unfinished(path), path);
    this.#live = new LiveFile(recording, this.#file, { name: path });
    takeName(path);
    this.#interval = 1000 * flushSeconds;
    this.#start = performance.now();
    this.#due = this.#start + Math.min(this.#interval, FIRST);
  }

  /** Rows that survive a kill. */
  get rows(): number {
    return this.#live.rows;
  }

  /** To be called after each row: costs a look at the clock, and a flush when the last is long enough ago. At first they follow sooner. */
  flushWhenDue(): void {
    if (performance.now() < this.#due) return;
    this.flush();
    const now = performance.now();
    this.#due = now + Math.min(this.#interval, now - this.#start);
  }

  flush(): void {
    this.#live.flush();
  }

  /** Says how the run ended, makes all of it safe, then puts a compact file in place. Call once. */
  async finish(state: Exclude<RunState, 'running'>): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#recording.state = state;
    this.#live.flush();
    this.#file.close();
    await writeRecordingFile(this.#path, this.#recording);
  }
}

/** Writes a recording as .h5, .csv or .mat; only .h5 has its tables of records. An unfinished file never takes the name. */
export async function writeRecordingFile(path: string, recording: Recording): Promise<void> {
  const format = extname(path).toLowerCase();
  if (!WRITTEN.includes(format))
    throw new FileError(
      path,
      '',
      `expected an extension of ${WRITTEN.join(', ')}, got "${format}"${suggestion(format, WRITTEN)}`,
    );
  await writeWhole(path, async (file) => {
    if (format === '.csv') for (const text of csvText(recording)) file.append(new TextEncoder().encode(text));
    else if (format === '.mat') for (const bytes of matBytes(recording, path)) file.append(bytes);
    else
      await writeHdf5(recording, file, {
        deflate: (bytes) => deflateSync(bytes, { level: DEFLATE_LEVEL }),
        level: DEFLATE_LEVEL,
      });
  });
}

/**
 * Writes a table of records as CSV, a line per record with the time first.
 *
 * @example await writeRecordsCsv('out/ball/contacts.csv', recording, 'contacts');
 */
export async function writeRecordsCsv(path: string, recording: Recording, table: string): Promise<void> {
  recording.table(table); // refuses an unknown name before there is a file
  await writeWhole(path, async (file) => {
    for (const text of recordsCsvText(recording, table)) file.append(new TextEncoder().encode(text));
  });
}

async function writeWhole(path: string, write: (file: DiskFile) => Promise<void>): Promise<void> {
  const file = new DiskFile(unfinished(path), path);
  try {
    await write(file);
    file.sync();
    file.close();
    takeName(path);
  } catch (error) {
    rmSync(unfinished(path), { force: true });
    throw error;
  }
}

/** Reads a recording from HDF5 or CSV; an HDF5 file also while it is being written, or after its run was killed. */
export async function readRecordingFile(path: string): Promise<Recording> {
  let bytes: Uint8Array;
  try {
    requirePlainFile(path);
    bytes = await readFile(path);
  } catch (error) {
    throw systemError(path, error, 'read');
  }
  return bytes[0] === 0x89 || extname(path).toLowerCase() !== '.csv' ? readHdf5(bytes, path) : readCsv(bytes, path);
}

/** A recording on disk that is read piece by piece, however large it is. To be closed when it is no longer needed. */
export interface OpenRecording {
  readonly reader: RecordingReader;
  close(): Promise<void>;
}

/**
 * Opens an HDF5 recording without reading all of it; also while it is being written.
 *
 * @example const { reader, close } = await openRecordingFile('out/ball/recording.h5');
 */
export async function openRecordingFile(path: string): Promise<OpenRecording> {
  try {
    requirePlainFile(path);
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const read = async (position: number, length: number): Promise<Uint8Array> => {
        const bytes = new Uint8Array(length);
        let done = 0;
        while (done < length) {
          const { bytesRead } = await file.read(bytes, done, length - done, position + done);
          if (bytesRead === 0) break; // the file has become shorter, which the reader says
          done += bytesRead;
        }
        return bytes.subarray(0, done);
      };
      return { reader: await RecordingReader.open({ size, read }, path), close: () => file.close() };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw systemError(path, error, 'read');
  }
}

/** The unfinished file becomes that of the path, also after a power cut: the folder goes to the medium as well. */
function takeName(path: string): void {
  attempt(path, 'write', () => renameSync(unfinished(path), path));
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Windows cannot do that to a folder, and need not
  }
}

const WRITTEN = ['.h5', '.csv', '.mat'];
const unfinished = (path: string): string => `${path}.part`;

function attempt<T>(path: string, action: 'read' | 'write', run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw systemError(path, error, action);
  }
}
