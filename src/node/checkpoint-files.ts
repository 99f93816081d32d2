/** Checkpoints on disk, beside the recording of their run: written now and then, whole at any moment, kept whatever happens to the run. */
import { closeSync, existsSync, fdatasyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError } from '../errors.js';
import { type Checkpoint, checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import { makeFolder } from './folders.js';
import { type DiskRecording, readRecordingFile } from './recording-files.js';
import { systemError } from './system-error.js';

export const CHECKPOINT = 'checkpoint.bin';
/** Folder of the instants that a run with error control can be gone on with from, beside its recording */
export const MARKS = 'marks';
/** s on the clock */
const EVERY = 60;
/** How long a run that is told to stop may look for an instant it can be gone on with from, ms */
const GRACE = 5000;

/** A run that may be gone on with */
interface Restartable {
  /** Undefined where it cannot be told now, or never */
  checkpoint(): Checkpoint | undefined;
  advance(time: number | undefined, shouldPause: () => boolean): boolean;
  /** Instants it has passed that it can be gone on with from; those that are written are taken out */
  readonly marks?: Checkpoint[];
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

  /** Writes the marks that were passed, and takes them out. */
  writeMarks(): void {
    const { marks } = this.run;
    if (!marks || marks.length === 0) return;
    this.disk.flush(); // the rows up to them first
    const folder = join(dirname(this.path), MARKS);
    makeFolder(folder);
    for (const mark of marks.splice(0)) writeCheckpoint(join(folder, `${mark.time}.bin`), mark);
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
    writeCheckpoint(this.path, checkpoint);
    this.written = true;
    return true;
  }
}

/** Whole or not at all */
function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  const bytes = checkpointBytes(checkpoint);
  const unfinished = `${path}.part`;
  try {
    const file = openSync(unfinished, 'w');
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    throw systemError(path, error, 'write');
  }
}

/** Removes the marks of an earlier run from its folder: all, or those after a time in s. */
export function removeMarks(folder: string, after = Number.NEGATIVE_INFINITY): void {
  for (const { path, time } of marksIn(folder)) if (time > after) rmSync(path, { force: true });
}

/** Marks in the folder of a run, in order of time */
function marksIn(folder: string): { readonly path: string; readonly time: number }[] {
  const within = join(folder, MARKS);
  if (!existsSync(within)) return [];
  return readdirSync(within)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => ({ path: join(within, name), time: Number(name.slice(0, -4)) }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => a.time - b.time);
}

/**
 * Where a run was stopped, or the last of its marks before a time, and its recording until then.
 *
 * @param recording path of the recording, in the folder of the run
 * @param at        s; the last there is unless said
 */
export async function readRestart(
  recording: string,
  at?: number,
): Promise<{ checkpoint: Checkpoint; recording: Recording }> {
  const folder = dirname(recording);
  const marks = marksIn(folder);
  const stopped = join(folder, CHECKPOINT);
  const path =
    at === undefined && existsSync(stopped)
      ? stopped
      : marks.findLast(({ time }) => time <= (at ?? Number.POSITIVE_INFINITY))?.path;
  if (path === undefined)
    throw new FileError(
      folder,
      '',
      marks.length > 0
        ? `its first mark is at ${marks[0].time} s, after ${at} s; to go on from before it, run the model from its start`
        : `has no ${at === undefined ? `${CHECKPOINT} and no ` : ''}marks: runs with grains leave ${CHECKPOINT} when they are stopped or killed, others leave marks if they are told to (run … --restartable 0.1)`,
    );
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw systemError(path, error, 'read');
  }
  return { checkpoint: readCheckpoint(bytes, path), recording: await readRecordingFile(recording) };
}
