/** A recording as a playback, read piece by piece: what is shown is at hand, whatever the size of the file. */
import { CONTACT_COLUMNS } from '../../results/contact-records.js';
import { GRAIN_TABLE } from '../../results/grain-records.js';
import type { RecordReader } from '../../results/hdf5/record-reader.js';
import { RecordingReader } from '../../results/hdf5/recording-reader.js';
import type { ReadableFile } from '../../results/readable-file.js';
import { Columns, RecordInstant } from '../../results/record-table.js';
import type { SignalDescription } from '../../results/recording.js';
import { grainsOf, instantWithGrains, NO_GRAINS } from '../../results/scene/grain-frames.js';
import { SurfaceReader } from '../../results/scene/surface-frames.js';
import type { Scene } from '../../results/scene.js';
import type { Signal } from '../../results/signal.js';
import { bareScene } from './bare-scene.js';
import { FrameReader } from './frame-reader.js';
import type { Playback } from './playback.js';

/** Rows of records that are read at once for a whole column, 2 MiB of it. */
const PART_ROWS = 262_144;

/** No contacts at all. */
export const noContacts = (): RecordInstant =>
  new RecordInstant(
    new Columns('contacts', CONTACT_COLUMNS),
    0,
    CONTACT_COLUMNS.map(({ type = 'f64' }) => (type === 'f64' ? new Float64Array(0) : new Int32Array(0))),
  );

/**
 * Opens a recording for play.
 *
 * @param name of the file, for errors and as a title if it has none
 * @throws FileError if it is no recording, or one that was cut or damaged
 */
export async function openRecordingPlayback(file: ReadableFile, name: string): Promise<Playback> {
  const reader = await RecordingReader.open(file, name);
  const { times, signals, parameters, versions, trust, state, hash } = reader;
  const title = reader.title || reader.scene?.title || name;
  const scene = reader.scene ?? bareScene(title, signals);
  const columns = new FrameReader(scene, signals);
  const table = (kind: string): RecordReader | undefined => reader.tables.find((found) => found.name === kind);
  const contacts = table('contacts');
  const surfaces = table('surfaces');
  const grains = table(GRAIN_TABLE);
  const moving = new SurfaceReader(scene, signals);
  return {
    title,
    scene,
    times,
    signals,
    events: reader.events,
    parameters,
    versions,
    trust,
    state,
    hash,
    pairs: contacts?.labels ?? [],
    frame: async (instant) => columns.frame(times[instant], await reader.row(instant)),
    signal: (signal, progress) => reader.signal(signal, progress),
    contacts: async (instant) => (contacts ? contacts.instant(instant) : noContacts()),
    contactForces: (pairs, progress) => normalForces(contacts, times.length, pairs, progress),
    deforms: moving.deforms,
    surfaces: async (instant, exaggeration) =>
      moving.frames(
        moving.deforms ? await reader.row(instant) : [],
        surfaces?.labels,
        surfaces && (await surfaces.instant(instant)),
        exaggeration,
      ),
    surfaceRanges: () => stressRanges(scene, signals, (signal) => reader.signal(signal)),
    grains: async (instant) => {
      const kept = grains && scene.grains ? instantWithGrains(grains.first, instant) : -1;
      if (kept < 0) return NO_GRAINS;
      const species = scene.grains!.species.map(({ name: own }) => own);
      return grainsOf(grains!.labels, species, await grains!.instant(kept));
    },
    close: () => undefined,
  };
}

/** From none to the largest stress of the run, of bodies that deform. */
export async function stressRanges(
  { surfaces }: Scene,
  signals: readonly SignalDescription[],
  read: (name: string) => Promise<Signal>,
): Promise<Record<string, readonly [number, number]>> {
  const ranges: Record<string, readonly [number, number]> = {};
  for (const { name, modes, quantity } of surfaces) {
    const largest = `${name}.stress.largest`;
    if (!modes || !signals.some((signal) => signal.name === largest)) continue;
    let [, most] = ranges[quantity] ?? [0, 0];
    for (const value of (await read(largest)).values) if (value > most) most = value;
    ranges[quantity] = [0, most];
  }
  return ranges;
}

/** Sum of the normal forces at every instant. */
async function normalForces(
  contacts: RecordReader | undefined,
  instants: number,
  pairs?: ReadonlySet<number>,
  progress?: (part: number) => void,
): Promise<Float64Array> {
  const sums = new Float64Array(instants);
  if (!contacts) return sums;
  const { first, rows } = contacts;
  let instant = 0;
  for (let from = 0; from < rows; from += PART_ROWS) {
    const to = Math.min(rows, from + PART_ROWS);
    const forces = await contacts.column('normalForce', from, to);
    const pair = pairs ? await contacts.column('pair', from, to) : undefined;
    for (let row = from; row < to; row++) {
      while (first[instant + 1] <= row) instant++;
      if (!pair || pairs!.has(pair[row - from])) sums[instant] += forces[row - from];
    }
    progress?.(to / rows);
  }
  return sums;
}
