/**
 * Signals of a film: those that the author chose to plot, energies, then all others as long as there is room. All over the same rows, which
 * are all of them or those that keep the extremes of the chosen ones.
 */
import { deflate, inflate } from '../../geometry/deflate.js';
import type { Recording } from '../../results/recording.js';
import type { Scene } from '../../results/scene.js';
import { decimate } from './decimation.js';
import { fromRangeCoded, rangeCoded } from './number-coding.js';

const MOST_ROWS = 4000;
/** Of which the extremes decide what rows are kept: more would keep nearly all rows. */
const MOST_DECIDING = 16;
const FEW_SIGNALS = 24;

export interface FilmSignals {
  /** s */
  readonly times: Float64Array;
  readonly list: readonly {
    readonly name: string;
    readonly unit: string;
    readonly description: string;
    readonly range: readonly [number, number];
    readonly bytes: Uint8Array;
  }[];
  /** In the recording */
  readonly total: number;
}

/** @param instants of the film, s */
export function packSignals(recording: Recording, scene: Scene, budget: number, instants: Float64Array): FilmSignals {
  const { times, signals } = recording;
  const chosen = chosenSignals(recording, scene);
  const rows = decidedRows(recording, chosen.slice(0, MOST_DECIDING));
  const own = Float64Array.from(rows, (row) => times[row]);
  // Whoever sees as many rows as instants may take them for the same.
  const isMistakable = own.length === instants.length && own.some((time, i) => time !== instants[i]);
  const kept = isMistakable ? rows.filter((_, i) => i !== 1) : rows;
  const list: FilmSignals['list'][number][] = [];
  let size = 0;
  const known = new Map(signals.map((signal) => [signal.name, signal] as const));
  for (const name of new Set([...chosen, ...recording.names('energy.*'), ...known.keys()])) {
    if (size > budget && list.length >= Math.min(FEW_SIGNALS, chosen.length)) break;
    const { values } = recording.signal(name);
    const { range, bytes } = rangeCoded(Float64Array.from(kept, (row) => values[row]));
    const packed = deflate(bytes);
    list.push({ ...known.get(name)!, range, bytes: packed });
    size += packed.length + 2 * name.length;
  }
  return { times: Float64Array.from(kept, (row) => times[row]), list, total: signals.length };
}

/** Values of one of them; undefined if the bytes are damaged. */
export function unpackSignal(
  { times }: FilmSignals,
  { range, bytes }: FilmSignals['list'][number],
): Float64Array | undefined {
  const plain = inflate(bytes, 4 * times.length);
  return plain && fromRangeCoded(range, plain);
}

/** Names in the author's plots. */
const chosenSignals = (recording: Recording, { plots }: Scene): string[] => {
  const globs = Object.values(plots).flat();
  return globs.length > 0 ? recording.names(globs) : recording.names('energy.*');
};

function decidedRows(recording: Recording, deciding: readonly string[]): Uint32Array {
  const { times, rows } = recording;
  if (rows <= MOST_ROWS) return Uint32Array.from({ length: rows }, (_, i) => i);
  const values = deciding.map((name) => recording.signal(name).values);
  // Of each stretch the first, the last and two of each signal stay at most
  const stretches = Math.max(1, Math.floor(MOST_ROWS / (2 + 2 * Math.max(1, values.length))));
  return decimate(times, values, times[0], times[rows - 1], stretches);
}
