/** Recordings from HDF5 files of the layout in document.ts. */
import { FileError } from '../../errors.js';
import { Recording, RUN_STATES, type RunState } from '../recording.js';
import type { Json, TrustReport } from '../trust-report.js';
import { Dataset } from './dataset.js';
import { FORMAT } from './document.js';
import { Hdf5Source } from './source.js';

/**
 * Reads a recording, also that of a run that goes on or was killed.
 *
 * @throws FileError if the bytes are not such a file, or were damaged: cut, or with other numbers than its hash says
 */
export async function readHdf5(bytes: Uint8Array, fileName = 'recording.h5'): Promise<Recording> {
  const source = new Hdf5Source(bytes, fileName);
  const attributes = source.textAttributes(source.root);
  const refuse = (where: string, defect: string): never => {
    throw new FileError(fileName, where, defect);
  };
  const attribute = (name: string): string =>
    attributes.get(name) ?? refuse(`attribute ${name}`, 'expected a text, but there is none');
  const json = (name: string): { readonly [key: string]: Json } => {
    try {
      const value = JSON.parse(attribute(name));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return refuse(`attribute ${name}`, 'expected a JSON object');
  };
  const texts = (path: string): string[] => new Dataset(source, path, 'text', 1).texts();

  if (!attributes.has('format'))
    return refuse('', 'is an HDF5 file, but not a recording of tippetop: it has no attribute "format"');
  const format = attribute('format');
  if (format !== FORMAT)
    return refuse('attribute format', `expected "${FORMAT}", got ${JSON.stringify(format.slice(0, 60))}`);
  const state = attribute('state') as RunState;
  if (!RUN_STATES.includes(state)) return refuse('attribute state', `expected one of ${RUN_STATES.join(', ')}`);

  // Signals, and what made them
  const names = texts('signals/name');
  const units = texts('signals/unit');
  const descriptions = texts('signals/description');
  const time = new Dataset(source, 'time', 'double', 1);
  const values = new Dataset(source, 'signals/values', 'double', 2);
  const [rows, width] = values.extents;
  if (time.extents[0] !== rows || ![names, units, descriptions].every((list) => list.length === width))
    return refuse('signals', `${time.extents[0]} times and ${names.length} names do not fit ${rows} × ${width} values`);
  const signals = names.map((name, i) => ({ name, unit: units[i], description: descriptions[i] }));
  const origin = {
    title: attribute('title'),
    parameters: json('parameters'),
    versions: json('versions') as { [name: string]: string },
  };
  const recording = refusing(fileName, 'signals', () => new Recording(signals, origin));
  recording.trust = json('trust') as TrustReport;
  recording.state = state;

  // Rows
  const times = new Float64Array(rows);
  for await (const { start, values: part } of time.bands()) times.set(part, start);
  for await (const { start, count, values: part } of values.bands())
    for (let i = 0; i < count; i++)
      refusing(fileName, `row ${start + i}`, () =>
        recording.append(times[start + i], part.subarray(i * width, (i + 1) * width)),
      );
  const written = attribute('hash');
  if (written !== '' && written !== recording.hash)
    return refuse('', `is damaged: its numbers have the hash ${recording.hash}, but were written with ${written}`);

  // Events
  const eventNames = texts('events/name');
  const eventTimes = new Dataset(source, 'events/time', 'double', 1).numbers();
  if (eventTimes.length !== eventNames.length) return refuse('events', 'times and names are not equally many');
  for (const [i, name] of eventNames.entries())
    refusing(fileName, `event ${i}`, () => recording.addEvent(eventTimes[i], name));
  return recording;
}

/** Runs something that refuses bad input with a ModelError, and says in which file that was. */
function refusing<T>(fileName: string, where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new FileError(fileName, where, (error as Error).message);
  }
}
