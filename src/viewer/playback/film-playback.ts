/** A film, as a report carries it, as a playback. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import { type RecordedEvent, RUN_STATES, type RunState } from '../../results/recording.js';
import { NO_GRAINS } from '../../results/scene/grain-frames.js';
import { unpackTree } from '../../results/scene/packed-tree.js';
import { readScene } from '../../results/scene/scene-bytes.js';
import { drawnSurfaces } from '../../results/scene/surface-frames.js';
import { Signal } from '../../results/signal.js';
import type { Json, TrustReport } from '../../results/trust-report.js';
import { FILM, type Film } from './film.js';
import { ContactsReader } from './film-contacts.js';
import { unpackGrains } from './film-grains.js';
import { MotionReader } from './film-motion.js';
import { unpackSignal } from './film-signals.js';
import { filmRanges, unpackSurfaces } from './film-surfaces.js';
import type { Playback, SurfaceFrame } from './playback.js';
import { noContacts } from './recording-playback.js';

interface About {
  readonly parameters: { readonly [name: string]: Json };
  readonly versions: { readonly [name: string]: string };
  readonly trust: TrustReport;
  readonly state: RunState;
  readonly hash: string;
  readonly events: readonly RecordedEvent[];
}

/** @throws FileError if the bytes are no film, or a damaged one */
export async function openFilm(bytes: Uint8Array, name = 'film'): Promise<Playback> {
  const refuse = (defect: string): never => {
    throw new FileError(name, '', defect);
  };
  const film = unpackTree(FILM, bytes, refuse) as Film;
  let about: About;
  try {
    about = JSON.parse(film.about);
    check(film, about);
  } catch {
    return refuse('is damaged: it does not say what a film says');
  }
  const scene = readScene(film.scene, name);
  const { times, signals } = film;
  if (film.motion.start.length !== 7 * scene.bodies.length && times.length > 0)
    return refuse('is damaged: it has the motion of other bodies');
  const motion = new MotionReader(film.motion, times, refuse);
  const contacts = film.contacts ? new ContactsReader(film.contacts, refuse) : undefined;
  let surfaces: ((k: number, exaggeration: number) => SurfaceFrame[]) | undefined;
  const list = signals.list.map(({ name: signal, unit, description }) => ({ name: signal, unit, description }));
  const within = (instant: number): number => {
    if (Number.isInteger(instant) && instant >= 0 && instant < times.length) return instant;
    throw new ModelError('film.instant', `expected an instant from 0 to ${times.length - 1}, got ${instant}`);
  };
  return {
    title: film.title,
    scene,
    times,
    signals: list,
    events: about.events,
    parameters: about.parameters,
    versions: about.versions,
    trust: about.trust,
    state: about.state,
    hash: about.hash,
    pairs: film.contacts?.labels ?? [],
    frame: async (instant) => motion.frame(within(instant)),
    signal: async (signal) => {
      const found = signals.list.find((one) => one.name === signal);
      if (!found) throw new ModelError('film.signal', missing(signal, signals));
      const values = unpackSignal(signals, found) ?? refuse(`is damaged: signal ${signal} cannot be unpacked`);
      return new Signal(found, signals.times, values);
    },
    contacts: async (instant) => contacts?.instant(within(instant)) ?? noContacts(),
    contactForces: async (pairs) => contacts?.forces(pairs) ?? new Float64Array(times.length),
    deforms: film.surfaces.some(({ poses }) => poses),
    surfaceRanges: async () => filmRanges(scene, film.surfaces),
    surfaces: async (instant, exaggeration = 1) => {
      if (film.surfaces.length === 0) return drawnSurfaces(scene);
      surfaces ??=
        unpackSurfaces(scene, times.length, film.surfaces) ?? refuse('is damaged: its surfaces cannot be unpacked');
      return surfaces(within(instant), exaggeration);
    },
    grains: async (instant) => {
      if (!film.grains) return NO_GRAINS;
      return unpackGrains(film.grains, within(instant)) ?? refuse('is damaged: its grains cannot be unpacked');
    },
    close: () => undefined,
  };
}

const missing = (signal: string, { list, total }: Film['signals']): string =>
  `there is no signal "${signal}" in this film${
    suggestion(
      signal,
      list.map(({ name }) => name),
    ) || (total > list.length ? `; it holds ${list.length} of ${total}, the recording has all` : '')
  }`;

/** @throws anything if what is read later would not be there */
function check({ title, scene, times, motion, signals, contacts, surfaces }: Film, about: About): void {
  const { moving, boxes, start, reels, instantsPerReel } = motion;
  const isRight =
    typeof title === 'string' &&
    scene instanceof Uint8Array &&
    times instanceof Float64Array &&
    times.every((time, i) => i === 0 || time >= times[i - 1]) &&
    start instanceof Float64Array &&
    moving instanceof Uint32Array &&
    boxes instanceof Float64Array &&
    boxes.length === 6 * moving.length &&
    moving.every((body) => 7 * body < start.length) &&
    instantsPerReel >= 1 &&
    (moving.length === 0 || reels.length === Math.ceil(times.length / instantsPerReel)) &&
    reels.every((reel) => reel instanceof Uint8Array) &&
    signals.times instanceof Float64Array &&
    signals.list.every(({ bytes, range }) => bytes instanceof Uint8Array && range.length === 2) &&
    Array.isArray(surfaces) &&
    surfaces.every(({ tracks }) => Array.isArray(tracks)) &&
    RUN_STATES.includes(about.state) &&
    Array.isArray(about.events) &&
    typeof about.hash === 'string';
  if (!isRight) throw new TypeError('not a film');
  if (!contacts) return;
  const { first, forces, columns, labels } = contacts;
  if (
    !(first instanceof Uint32Array && forces instanceof Float64Array && columns instanceof Uint8Array) ||
    first.length !== times.length + 1 ||
    forces.length !== times.length ||
    first.some((row, i) => i > 0 && row < first[i - 1]) ||
    !labels.every((label) => typeof label === 'string')
  )
    throw new TypeError('not the contacts of a film');
}
