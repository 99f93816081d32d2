/** Rows of a run that is gone on with, in the recording of its continuation. */
import { ModelError } from '../errors.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';

/** @throws ModelError if the two have not the same signals: it is another model */
export function refuseOtherSignals(now: Recording, past: Recording): void {
  const names = new Set(past.signals.map(({ name }) => name));
  const added = now.signals.find(({ name }) => !names.has(name));
  if (!added && now.signals.length === past.signals.length) return;
  const own = new Set(now.signals.map(({ name }) => name));
  const missing = past.signals.find(({ name }) => !own.has(name));
  throw new ModelError(
    'restart',
    `the model has changed since that run: ${added ? `it has a signal "${added.name}" that the run has not` : `the run has a signal "${missing?.name}" that it has not`}; go on with the model as it was`,
  );
}

/** Names of all that a run remembers something of */
export const partsOf = ({ bodies, joints, forces, elements, events }: Model): string[] =>
  [bodies, joints, forces, elements, events].flatMap((named) => [...named.keys()]);

/** @throws ModelError if the model has other parts than that of the run it is to go on with */
export function refuseOtherParts(model: Model, past: readonly string[]): void {
  const now = partsOf(model);
  const added = now.find((name) => !past.includes(name));
  const missing = past.find((name) => !now.includes(name));
  if (added === undefined && missing === undefined) return;
  throw new ModelError(
    'restart',
    `the model has changed since that run: ${added === undefined ? `the run has "${missing}", which it has not` : `it has "${added}", which the run has not`}; go on with the model as it was`,
  );
}

/** Rows up to t, or so many of them, those of tables with them. @throws ModelError if the past ends before */
export function copyRows(past: Recording, into: Recording, t: number, rows = Number.POSITIVE_INFINITY): void {
  const { width } = past.samples;
  if (rows < Number.POSITIVE_INFINITY ? past.rows < rows : !(past.samples.lastTime >= t))
    throw new ModelError(
      'restart',
      `the recording ends at ${past.samples.lastTime} s, before its checkpoint at ${t} s`,
    );
  const { tables } = into;
  for (const table of tables) for (const label of past.table(table.name).labels) table.label(label);
  let row = 0;
  for (const { count, times, values } of past.samples.runs(0))
    for (let k = 0; k < count && row < rows && times[k] <= t; k++, row++) {
      for (const table of tables) {
        const instant = past.table(table.name).instant(row);
        const record = new Float64Array(table.columns.length);
        for (let r = 0; r < instant.count; r++) {
          for (let c = 0; c < record.length; c++) record[c] = instant.values[c][r];
          table.append(times[k], record);
        }
      }
      into.append(times[k], values.subarray(width * k, width * (k + 1)));
    }
  for (const { time, name } of past.events) if (time <= t) into.addEvent(time, name);
}
