/**
 * The journal of a study: a line for each run as it comes in, on the medium within a second. The study's truth; tables are made from it. A line that a kill has cut is
 * left out and overwritten.
 */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { outcomeBits, outcomeFrom, outcomeText } from '../../studies/outcome-text.js';
import type { Outcome } from '../../studies/run-task.js';
import { makeFolder } from '../folders.js';
import { systemError } from '../system-error.js';

const SYNC = 1000; // ms

export class Journal {
  /** By key */
  readonly outcomes: Map<string, Outcome>;
  /** Keys that came twice with different bits: a defect, or machines that do not compute alike */
  readonly contradictions: string[] = [];
  private readonly path: string;
  private readonly file: number;
  private synced = performance.now();

  constructor(path: string) {
    this.path = path;
    try {
      makeFolder(dirname(path));
      const { outcomes, whole } = readJournal(path);
      this.outcomes = outcomes;
      this.file = openSync(path, existsSync(path) ? 'r+' : 'w+');
      ftruncateSync(this.file, whole);
      this.end = whole;
    } catch (error) {
      throw systemError(path, error, 'write');
    }
  }

  private end: number;

  /** The first outcome of a key stays; a second one is only compared. A run that was killed for its time may be tried again. */
  append(outcome: Outcome): void {
    const before = this.outcomes.get(outcome.key);
    if (before && before.status === outcome.status) {
      if (before.status === 'ok' && outcomeBits(before) !== outcomeBits(outcome)) this.contradictions.push(outcome.key);
      return;
    }
    this.outcomes.set(outcome.key, outcome);
    const bytes = new TextEncoder().encode(`${outcomeText(outcome)}\n`);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.file, bytes, done, bytes.length - done, this.end + done);
      this.end += bytes.length;
      if (performance.now() - this.synced > SYNC) this.sync();
    } catch (error) {
      throw systemError(this.path, error, 'write');
    }
  }

  sync(): void {
    fdatasyncSync(this.file);
    this.synced = performance.now();
  }

  close(): void {
    this.sync();
    closeSync(this.file);
  }
}

/** Outcomes by key, and up to which byte the journal is whole; the last line of a key counts */
export function readJournal(path: string): { readonly outcomes: Map<string, Outcome>; readonly whole: number } {
  const outcomes = new Map<string, Outcome>();
  if (!existsSync(path)) return { outcomes, whole: 0 };
  const bytes = readFileSync(path);
  let whole = 0;
  for (let from = 0; ; ) {
    const newline = bytes.indexOf(10, from);
    if (newline < 0) break;
    try {
      const outcome = outcomeFrom(bytes.toString('utf8', from, newline));
      outcomes.set(outcome.key, outcome);
    } catch {
      break;
    }
    from = newline + 1;
    whole = from;
  }
  return { outcomes, whole };
}
