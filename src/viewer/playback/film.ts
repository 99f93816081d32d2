/**
 * A film of a recording for a report: few enough instants, numbers in few enough bits, that all of it stays within some bytes. 5 MB
 * hold a machine of ten bodies with every row, or some hundred instants of 5000 balls.
 *
 *   scene      shapes with vertices as floats of 32 bits, each shape once
 *   motion     poses: film-motion.ts
 *   signals    those chosen for plots, energies, and others while there is room: film-signals.ts
 *   contacts   of the film's instants, the strongest where they are too many: film-contacts.ts
 *   surfaces   that move: film-surfaces.ts
 *
 * Where not every row fits, the time is divided evenly and of each stretch the row with the greatest contact force stays, so that no impact
 * is lost that a frame could show; rows of events always stay.
 */
import { GRAIN_TABLE } from '../../results/grain-records.js';
import type { Recording } from '../../results/recording.js';
import { grainsOf } from '../../results/scene/grain-frames.js';
import { packTree } from '../../results/scene/packed-tree.js';
import { sceneBytes } from '../../results/scene/scene-bytes.js';
import { SurfaceReader } from '../../results/scene/surface-frames.js';
import type { Scene } from '../../results/scene.js';
import { toJson } from '../../results/trust-report.js';
import { bareScene } from './bare-scene.js';
import { type FilmContacts, packContacts, totalForces } from './film-contacts.js';
import { type FilmGrains, grainBytes, packGrains } from './film-grains.js';
import { expectedSize, type FilmMotion, packMotion } from './film-motion.js';
import { type FilmSignals, packSignals } from './film-signals.js';
import { type FilmSurfaces, packSurfaces, surfaceBytes, VERTEX_BYTES } from './film-surfaces.js';
import { FrameReader } from './frame-reader.js';
import type { Frame } from './playback.js';

export const FILM = 'ttfilm02';
const DEFAULT_BUDGET = 5e6;
const MOST_INSTANTS = 1500;
const FEWEST_INSTANTS = 2;
const MANY_INSTANTS = 40; // so many or fewer are packed to see what they take
const SIGNAL_PART = 0.2; // of the budget
const CONTACT_PART = 0.25;
const VELOCITY_PART = 0.15;
/** At least this part is for motion, however large the scene is. */
const LEAST_MOTION_PART = 0.25;
const MOST_TRIES = 8;
const GRAIN_BYTES = 10; // of a grain at an instant, about

/** What the bytes of a film hold. */
export interface Film {
  readonly title: string;
  /** JSON of what else is told: parameters, versions, trust, state, hash, events */
  readonly about: string;
  readonly scene: Uint8Array;
  readonly times: Float64Array;
  readonly motion: FilmMotion;
  readonly signals: FilmSignals;
  readonly contacts: FilmContacts | null;
  readonly surfaces: FilmSurfaces;
  readonly grains: FilmGrains | null;
}

export interface FilmOptions {
  /** Bytes that the film should not exceed; 5 MB unless said. */
  readonly budget?: number;
}

/** The bytes of a film. A scene that is larger than the budget by itself stays whole. */
export function filmBytes(
  recording: Recording,
  { budget = DEFAULT_BUDGET }: FilmOptions = {},
): Uint8Array<ArrayBuffer> {
  const given = recording.scene ?? bareScene(recording.title, recording.signals);
  const scene = roughScene(given);
  const shown = sceneBytes(scene);
  const contacts = recording.hasTable('contacts') ? recording.table('contacts') : undefined;
  const sums = contacts && totalForces(contacts);
  const columns = new FrameReader(scene, recording.signals);
  const { times: all, samples } = recording;
  let signals: FilmSignals | undefined; // the same for any number of instants, but see packSignals
  const grainRows = recording.hasTable(GRAIN_TABLE) ? recording.table(GRAIN_TABLE) : undefined;
  const sheets = new SurfaceReader(given, recording.signals);
  const surfaceRows = recording.hasTable('surfaces') ? recording.table('surfaces') : undefined;

  const pick = (instants: number): { rows: Uint32Array; times: Float64Array; frameAt: (k: number) => Frame } => {
    const rows = chosenRows(recording, instants, sums);
    const times = Float64Array.from(rows, (row) => all[row]);
    return { rows, times, frameAt: (k) => columns.frame(times[k], samples.row(rows[k])) };
  };
  const pack = (instants: number, bits: number, velocities: boolean): Film => {
    const { rows, times, frameAt } = pick(instants);
    if (!signals || signals.times.length === times.length)
      signals = packSignals(recording, scene, SIGNAL_PART * budget, times);
    return {
      title: recording.title || given.title,
      about: aboutOf(recording),
      scene: shown,
      times,
      motion: rows.length > 0 ? packMotion(times, frameAt, { bits, velocities }) : NO_MOTION,
      signals,
      contacts: contacts ? packContacts(contacts, rows, sums!, CONTACT_PART * budget) : null,
      surfaces:
        (surfaceRows || sheets.deforms) && rows.length > 0
          ? packSurfaces(scene, rows.length, (k) => {
              const row = samples.row(rows[k]);
              return {
                frames: sheets.frames(row, surfaceRows?.labels, surfaceRows?.instant(rows[k])),
                rest: sheets.deforms ? sheets.frames(row, [], undefined, 0) : [],
                poses: sheets.poses(row),
              };
            })
          : [],
      grains:
        grainRows && scene.grains && rows.length > 0
          ? packGrains(rows.length, (k) =>
              k === 0 || grainRows.instant(rows[k]).count > 0
                ? grainsOf(
                    grainRows.labels,
                    scene.grains!.species.map(({ name }) => name),
                    grainRows.instant(rows[k]),
                  )
                : undefined,
            )
          : null,
    };
  };

  // A first guess from what poses take at most, a second from some reels, then by what the film really takes
  const moving = Math.max(1, scene.bodies.filter(({ fixed }) => !fixed).length);
  let instants = Math.min(recording.rows, MOST_INSTANTS);
  const poseBytes = (bits: number): number => (3 * bits) / 8 + 6;
  const grainsAtOnce = grainRows && recording.rows > 0 ? grainRows.rows / Math.max(1, recording.rows) : 0;
  const vertices =
    surfaceRows || sheets.deforms ? scene.surfaces.reduce((sum, { vertexCount }) => sum + vertexCount, 0) : 0;
  const each = moving * poseBytes(16) + GRAIN_BYTES * grainsAtOnce + VERTEX_BYTES * vertices;
  instants = Math.min(instants, Math.max(FEWEST_INSTANTS, Math.floor((3 * budget) / each)));
  const bits = [24, 20].find((some) => instants * moving * poseBytes(some) < 0.6 * budget) ?? 16;
  const velocities = 18 * instants * moving < 2 * VELOCITY_PART * budget;
  const target = Math.max(budget, shown.length + LEAST_MOTION_PART * budget);
  const room = target - shown.length - (SIGNAL_PART + (contacts ? CONTACT_PART : 0)) * budget;
  for (let tries = 1; tries < MOST_TRIES && instants > MANY_INSTANTS; tries++) {
    const { times, frameAt } = pick(instants);
    const size = expectedSize(packMotion(times, frameAt, { bits, velocities, isTrial: true }), times.length);
    if (size <= 1.1 * room) break; // signals and contacts may take less than their part
    instants = Math.max(MANY_INSTANTS, Math.floor(instants * Math.min(0.95, room / size)));
  }
  for (let tries = 1; ; tries++) {
    const film = pack(instants, bits, velocities);
    const bytes = packTree(FILM, film, 1); // its parts are packed by themselves
    if (bytes.length <= target || instants <= FEWEST_INSTANTS || tries >= MOST_TRIES) return bytes;
    const growing =
      film.motion.reels.reduce((sum, { length }) => sum + length, 0) +
      surfaceBytes(film.surfaces) +
      grainBytes(film.grains);
    const left = Math.max(0.05 * target, target - (bytes.length - growing));
    instants = Math.max(FEWEST_INSTANTS, Math.floor(instants * Math.min(0.95, (0.97 * left) / growing)));
  }
}

const NO_MOTION: FilmMotion = {
  bits: 16,
  start: new Float64Array(0),
  moving: new Uint32Array(0),
  boxes: new Float64Array(0),
  instantsPerReel: 1,
  velocities: false,
  reels: [],
};

const aboutOf = ({ parameters, versions, trust, state, hash, events }: Recording): string =>
  toJson({ parameters, versions, trust, state, hash, events });

/** Vertices as floats of 32 bits: the lower half of their bytes is zero then, and takes nothing once deflated. */
function roughScene(scene: Scene): Scene {
  const shapes = scene.shapes.map((shape) => ({ ...shape, vertices: shape.vertices.map(Math.fround) }));
  // vertices of what deforms are in the film; the shapes they came from would take more room than they
  const surfaces = scene.surfaces.map(({ modes: _, ...surface }) => surface);
  return { ...scene, shapes, surfaces };
}

/** Rows of the recording that become instants of the film, ascending. */
function chosenRows(recording: Recording, instants: number, forces?: Float64Array): Uint32Array {
  const { rows, times, events } = recording;
  if (rows <= instants) return Uint32Array.from({ length: rows }, (_, i) => i);
  const [first, last] = [times[0], times[rows - 1]];
  const chosen = new Set([0, rows - 1]);
  // Both rows of an event, as long as they are few
  if (4 * events.length < instants)
    for (let row = 1; row < rows; row++) if (times[row] === times[row - 1]) chosen.add(row - 1).add(row);
  const stretches = Math.max(1, instants - chosen.size);
  let row = 0;
  for (let s = 0; s < stretches; s++) {
    const end = s === stretches - 1 ? Number.POSITIVE_INFINITY : first + ((last - first) * (s + 1)) / stretches;
    const start = row;
    let strongest = start;
    while (row < rows && times[row] <= end) {
      if (forces && forces[row] > forces[strongest]) strongest = row;
      row++;
    }
    if (row > start) chosen.add(forces && forces[strongest] > 0 ? strongest : (start + row - 1) >> 1);
  }
  return Uint32Array.from(chosen).sort();
}
