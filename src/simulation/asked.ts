/** What a user may ask of a run: tolerance, length, rows that memory can hold, plots of signals that exist. Refused before the first step. */
import { ModelError } from '../errors.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { quoted } from './simulation-options.js';

/** @throws ModelError where JavaScript hands in what is no model: a promise, the function that makes it, the object that `model` takes */
export function refuseNoModel(given: unknown): void {
  if ((given as Partial<Model> | undefined)?.soils instanceof Map) return;
  const got =
    given instanceof Promise
      ? 'a promise; await it'
      : typeof given === 'function'
        ? 'a function; call it'
        : given instanceof Object
          ? 'another object'
          : String(given);
  throw new ModelError('model', `expected what model({ … }) gives, got ${got}`);
}

/** A relative tolerance above a tenth is no tolerance; below 1e-14 rounding is larger than what is asked. */
const LOOSEST = 0.1;
const TIGHTEST = 1e-14;
/** Beyond this a step of double precision time is longer than a microsecond. s */
const LONGEST = 1e10;
/** A recording is held in memory while it grows. bytes */
const GIBIBYTE = 1_073_741_824;
const MOST_BYTES = 4 * GIBIBYTE;

/** @throws ModelError if it is no relative tolerance */
export function askedTolerance(rtol: number): number {
  if (typeof rtol === 'number' && rtol >= TIGHTEST && rtol <= LOOSEST) return rtol;
  throw new ModelError(
    'rtol',
    `expected a relative tolerance from ${TIGHTEST} to ${LOOSEST}, got ${quoted(rtol)}; 1e-6 is usual`,
  );
}

/** @throws ModelError if it is no time a run can last */
export function askedStop(stopTime: number): number {
  if (typeof stopTime === 'number' && stopTime > 0 && stopTime <= LONGEST) return stopTime;
  throw new ModelError(
    'stopTime',
    `expected a time > 0 s and at most ${LONGEST} s (317 years), got ${quoted(stopTime)}`,
  );
}

/** @throws ModelError if the rows would not fit in memory, with the shortest interval that does */
export function refuseRowsBeyondMemory(stopTime: number, interval: number, signals: number): void {
  const rows = stopTime / interval + 1;
  const bytes = rows * signals * Float64Array.BYTES_PER_ELEMENT;
  if (bytes <= MOST_BYTES) return;
  const shortest = (stopTime * signals * Float64Array.BYTES_PER_ELEMENT) / MOST_BYTES;
  throw new ModelError(
    'interval',
    `${rows.toPrecision(3)} rows of ${signals} signals would take ${(bytes / GIBIBYTE).toPrecision(3)} GiB, and a recording may take ${MOST_BYTES / GIBIBYTE}; ` +
      `expected at least ${(1.01 * shortest).toPrecision(2)} s between rows, got ${interval} s`,
  );
}

/** @throws ModelError naming the plot whose signal does not exist, with the nearest name */
export function refuseUnknownPlots(plots: Readonly<Record<string, readonly string[]>>, recording: Recording): void {
  for (const [title, signals] of Object.entries(plots))
    for (const pattern of signals)
      if (recording.names(pattern).length === 0)
        throw new ModelError(`plots.${title}`, `no signal matches "${pattern}"${recording.nearest(pattern)}`);
}
