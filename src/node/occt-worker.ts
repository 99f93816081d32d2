/**
 * STEP and IGES are read by Open CASCADE in a thread of its own, so that a file on which it never comes back can be stopped, by a signal or a time limit,
 * and the program goes on meanwhile. One thread is kept for the next file; it does not keep a program alive.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { FileError } from '../errors.js';
import type { OcctResult, OcctRun } from '../geometry/files/step-read-occt.js';

export interface ReadLimits {
  /** Stops reading when it is aborted */
  readonly signal?: AbortSignal;
  /** s after which reading is given up; none unless given */
  readonly timeLimit?: number;
}

/** A file so large leaves the memory of the thread so large that it is not kept. */
const LARGE_FILE = 10_000_000;

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const silent = () => {};
const occt = require(workerData)({ print: silent, printErr: silent });
parentPort.on('message', async ({ bytes, format, parameters }) => {
  try {
    const library = await occt;
    const result = format === 'step' ? library.ReadStepFile(bytes, parameters) : library.ReadIgesFile(bytes, parameters);
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ failure: String(error && error.message || error) });
  }
});
`;

let idle: Worker | undefined;

/** @throws FileError where the package is missing, reading is stopped or takes longer than it may */
export function occtInWorker(path: string, { signal, timeLimit }: ReadLimits): OcctRun {
  return async (bytes, format, parameters) => {
    const library = libraryPath(path);
    if (signal?.aborted) throw new FileError(path, '', 'reading was stopped');
    const worker = idle ?? new Worker(PROGRAM, { eval: true, workerData: library });
    idle = undefined;
    worker.ref();
    return new Promise<OcctResult>((resolve, reject) => {
      const done = (keep: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        worker.off('message', answered).off('error', fail).off('exit', ended);
        if (keep && idle === undefined) {
          worker.unref();
          idle = worker;
        } else void worker.terminate();
      };
      const fail = (error: Error): void => {
        done(false);
        reject(error);
      };
      const stop = (): void => fail(new FileError(path, '', 'reading was stopped'));
      const late = (): void => fail(new FileError(path, '', `Open CASCADE was not done with it after ${timeLimit} s`));
      const ended = (): void => fail(new Error('its thread ended'));
      const answered = ({ result, failure }: { result?: OcctResult; failure?: string }): void => {
        if (!result) fail(new Error(failure));
        else {
          done(bytes.length <= LARGE_FILE);
          resolve(result);
        }
      };
      const timer = timeLimit === undefined ? undefined : setTimeout(late, 1000 * timeLimit);
      signal?.addEventListener('abort', stop);
      worker.on('message', answered).on('error', fail).on('exit', ended);
      worker.postMessage({ bytes: Uint8Array.from(bytes), format, parameters });
    });
  };
}

function libraryPath(path: string): string {
  try {
    return createRequire(import.meta.url).resolve('occt-import-js');
  } catch {
    throw new FileError(
      path,
      '',
      'STEP and IGES are read by the package occt-import-js: run "npm install occt-import-js"',
    );
  }
}
