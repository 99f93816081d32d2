/** Instants of a recording for programs that play it: evenly over the rows, not more than asked for, the first and the last included. */
import { ModelError } from '../../errors.js';
import type { Recording } from '../recording.js';
import type { Scene } from '../scene.js';

export const MOST_INSTANTS = 1000;

export interface FilmOptions {
  /** s; default: the whole recording */
  readonly from?: number;
  readonly to?: number;
  /** At most so many; default 1000 */
  readonly instants?: number;
}

/** Rows of the recording, increasing. Rows at the same time (before and after an event) give one, the later. */
export function filmRows(recording: Recording, { from, to, instants = MOST_INSTANTS }: FilmOptions = {}): number[] {
  if (!(Number.isInteger(instants) && instants >= 1))
    throw new ModelError('instants', `expected a whole number ≥ 1, got ${instants}`);
  const { times } = recording;
  const rows: number[] = [];
  for (let row = 0; row < times.length; row++) {
    if (times[row] < (from ?? times[0]) || times[row] > (to ?? times[times.length - 1])) continue;
    if (rows.length > 0 && times[rows[rows.length - 1]] === times[row]) rows.pop();
    rows.push(row);
  }
  if (rows.length === 0)
    throw new ModelError(
      'recording',
      times.length === 0
        ? 'has no rows yet; nothing to show'
        : `has no rows from ${from ?? times[0]} s to ${to ?? times[times.length - 1]} s; it runs from ${times[0]} to ${times[times.length - 1]} s`,
    );
  if (rows.length <= instants) return rows;
  if (instants === 1) return [rows[0]];
  return Array.from({ length: instants }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (instants - 1))]);
}

/** What the recording shows. @throws ModelError if it does not say */
export function requireScene(recording: Recording): Scene {
  if (!recording.scene)
    throw new ModelError(
      'recording',
      'has no scene, so there are no shapes to show; recordings of "tippetop run" and of simulate() have one',
    );
  return recording.scene;
}
