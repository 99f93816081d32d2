/** Checkpoints on disk, beside the recording of their run: written now and then, whole at any moment, kept whatever happens to the run. */
import { closeSync, fdatasyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError } from '../errors.js';
import { type Checkpoint, checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import { type DiskRecording, readRecordingFile } from './recording-files.js';
import { systemError } from './system-error.js';

export const CHECKPOINT = 'checkpoint.bin';
/** s on the clock */
const EVERY = 60;
/** How long a run that is told to stop may look for an instant it can be gone on with from, ms */
const GRACE = 5000;

/** A run that may be gone on with */
interface Restartable {
  /** Undefined where it cannot be told now, or never */
  checkpoint(): Checkpoint | undefined;
  advance(time: number | undefined, shouldPause: () => boolean): boolean;
  readonly stopTime: number;
  readonly finished: boolean;
}

export class DiskCheckpoints {
  private readonly path: string;
  private readonly every: number; // ms
  private due: number;
  /** Whether there is anything to be gone on with: a run that ended and asked for nothing leaves none. */
  private written = false;
  private readonly asked: boolean;

  /** @param every s on the clock; 60 unless said */
  constructor(
    folder: string,
    private readonly run: Restartable,
    private readonly disk: DiskRecording,
    every: number | undefined,
  ) {
    this.path = join(folder, CHECKPOINT);
    this.asked = every !== undefined;
    this.every = 1000 * (every ?? EVERY);
    this.due = performance.now() + this.every;
  }

  /** Writes one if the last is long enough ago and the run is at an instant it can be gone on with from. */
  writeWhenDue(): void {
    if (performance.now() < this.due || this.run.finished) return;
    if (this.write()) this.due = performance.now() + this.every;
  }

  /** The run ends: one of where it is, if it was stopped on the way or checkpoints were asked for; else there is nothing to go on with. */
  finish(): void {
    const { run } = this;
    if (run.finished && !this.asked) {
      if (this.written) rmSync(this.path, { force: true });
      return;
    }
    if (this.write() || run.finished) return;
    // On to the next instant that can be told, as long as it is near
    const end = performance.now() + GRACE;
    let found = false;
    run.advance(run.stopTime, () => {
      found = this.write();
      return found || performance.now() > end;
    });
  }

  private write(): boolean {
    const checkpoint = this.run.checkpoint();
    if (!checkpoint) return false;
    this.disk.flush(); // the rows up to it first
    const bytes = checkpointBytes(checkpoint);
    const unfinished = `${this.path}.part`;
    try {
      const file = openSync(unfinished, 'w');
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(unfinished, this.path);
    } catch (error) {
      throw systemError(this.path, error, 'write');
    }
    this.written = true;
    return true;
  }
}

/** Where a run was stopped, and its recording until then. @param recording path of the recording, in the folder of the run */
export async function readRestart(recording: string): Promise<{ checkpoint: Checkpoint; recording: Recording }> {
  const path = join(dirname(recording), CHECKPOINT);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new FileError(
        dirname(recording),
        '',
        `has no ${CHECKPOINT}: runs with grains that are stopped or killed leave one, others do not`,
      );
    throw systemError(path, error, 'read');
  }
  return { checkpoint: readCheckpoint(bytes, path), recording: await readRecordingFile(recording) };
}
