/**
 * A recording as MCAP, the container that robotics viewers such as Foxglove and Lichtblick play. Messages are JSON with the schema
 * names those viewers know (foxglove.SceneUpdate, foxglove.FrameTransforms), so that bodies and contact forces show in a 3D panel
 * without any setting, and every signal can be plotted by its path, `/signals/ball.position.z`.
 *
 *   /scene      once: the shape of every body, locked to the body's frame
 *   /tf         the pose of every body in the frame `world`
 *   /contacts   an arrow for each region of contact, 1/4 of the scene long for the greatest force of the recording
 *   /flexible   the triangles of bodies that deform, coloured by von Mises stress on one scale for the run; not at every instant where they are many,
 *               for text takes 0.1 kB a vertex
 *   /signals/…  the signals of a body, joint, force, … as one message
 *
 * mcap.dev, specification 0.x; log time is the time of the run in ns.
 */
import { between } from '../../math/quaternion.js';
import { dot, normalize, type Vec3 } from '../../math/vec3.js';
import { CONTACT, greatestForce } from '../contact-records.js';
import type { Recording } from '../recording.js';
import { scaleColour } from '../scene/colour-scale.js';
import { shownSides } from '../scene/contact-side.js';
import { PoseReader } from '../scene/poses.js';
import { SurfaceReader } from '../scene/surface-frames.js';
import type { Scene } from '../scene.js';
import { type FilmOptions, filmRows, requireScene } from './film.js';

const text = new TextEncoder();

/** Vertices of bodies that deform in all of a file, some 100 MB */
const MOST_VERTICES = 1e6;

/** Pieces of the file in order. @example for await (const piece of mcapBytes(recording)) file.write(piece) */
export async function* mcapBytes(recording: Recording, options: FilmOptions = {}): AsyncGenerator<Uint8Array> {
  const scene = requireScene(recording);
  const rows = filmRows(recording, options);
  const { McapWriter } = await import('@mcap/core');
  const pieces: Uint8Array[] = [];
  let position = 0n;
  const writer = new McapWriter({
    writable: {
      position: () => position,
      write: async (bytes) => {
        pieces.push(bytes.slice());
        position += BigInt(bytes.length);
      },
    },
  });
  await writer.start({ profile: '', library: 'tippetop' });

  const channel = async (topic: string, schema: string): Promise<(time: number, message: object) => Promise<void>> => {
    const schemaId = await writer.registerSchema({
      name: schema,
      encoding: 'jsonschema',
      data: text.encode('{"type":"object"}'),
    });
    const channelId = await writer.registerChannel({ topic, schemaId, messageEncoding: 'json', metadata: new Map() });
    let sequence = 0;
    return (time, message) => {
      const nanoseconds = BigInt(Math.max(0, Math.round(1e9 * time)));
      return writer.addMessage({
        channelId,
        sequence: sequence++,
        logTime: nanoseconds,
        publishTime: nanoseconds,
        data: text.encode(JSON.stringify(message)),
      });
    };
  };

  // What the bodies look like, before anything moves
  const sendScene = await channel('/scene', 'foxglove.SceneUpdate');
  await sendScene(recording.times[rows[0]], {
    deletions: [],
    entities: scene.bodies.map((_, body) => bodyEntity(scene, body, recording.times[rows[0]])),
  });

  const sendPoses = await channel('/tf', 'foxglove.FrameTransforms');
  const contacts = recording.hasTable('contacts') ? recording.table('contacts') : undefined;
  const sendContacts = contacts && (await channel('/contacts', 'foxglove.SceneUpdate'));
  const sides = shownSides(scene, contacts?.labels ?? []);
  const greatest = contacts ? greatestForce(contacts) : 0;
  const flexible = flexibleAt(recording, scene, rows);
  const sendFlexible = flexible && (await channel('/flexible', 'foxglove.SceneUpdate'));
  const groups = [];
  for (const [topic, signals] of signalGroups(recording))
    groups.push({ signals, send: await channel(`/signals/${topic}`, `tippetop.${topic.replace(/\W+/g, '_')}`) });

  const reader = new PoseReader(scene, recording.signals);
  const poses = new Float64Array(7 * scene.bodies.length);
  let size = 0;
  for (const row of rows) {
    const time = recording.times[row];
    const values = recording.samples.row(row);
    reader.poses(values, poses);
    if (size === 0) size = extent(scene, poses);
    const transforms = scene.bodies.map(({ name }, b) => ({
      timestamp: stamp(time),
      parent_frame_id: 'world',
      child_frame_id: name,
      translation: vector(poses[7 * b], poses[7 * b + 1], poses[7 * b + 2]),
      rotation: { w: poses[7 * b + 3], ...vector(poses[7 * b + 4], poses[7 * b + 5], poses[7 * b + 6]) },
    }));
    await sendPoses(time, { transforms });
    if (contacts && sendContacts && greatest > 0) {
      const { count, values: columns } = contacts.instant(row);
      const arrows = [];
      for (let i = 0; i < count; i++) {
        const at = (k: number): number => columns[k][i];
        const side = sides[at(CONTACT.pair)];
        const force: Vec3 = [0, 1, 2].map(
          (k) => side * (at(CONTACT.normal + k) * at(CONTACT.normalForce) + at(CONTACT.friction + k)),
        ) as unknown as Vec3;
        const slips = columns[CONTACT.state][i] === 2;
        const from: Vec3 = [at(CONTACT.point), at(CONTACT.point + 1), at(CONTACT.point + 2)];
        arrows.push(arrow(from, force, (size / 4) * (1 / greatest), size, slips));
      }
      await sendContacts(time, {
        deletions: [],
        entities: [{ ...entity('contacts', 'world', time), arrows: arrows.filter((shape) => shape !== undefined) }],
      });
    }
    const entities = flexible?.(row);
    if (entities && sendFlexible) await sendFlexible(time, { deletions: [], entities });
    for (const { signals, send } of groups) {
      const message: Nested = {};
      for (const { path, column } of signals) put(message, path, values[column]);
      await send(time, message);
    }
    yield* pieces.splice(0);
  }
  await writer.end();
  yield* pieces.splice(0);
}

const vector = (x: number, y: number, z: number) => ({ x, y, z });
const stamp = (time: number) => {
  const sec = Math.floor(Math.max(0, time));
  return { sec, nsec: Math.min(999_999_999, Math.round((Math.max(0, time) - sec) * 1e9)) };
};
const entity = (id: string, frame: string, time: number) => ({
  timestamp: stamp(time),
  frame_id: frame,
  id,
  lifetime: { sec: 0, nsec: 0 },
  frame_locked: true,
  metadata: [],
});

const PLAIN = [0.62, 0.69, 0.78, 1] as const;
const colourOf = ([r, g, b, a]: readonly number[]) => ({ r, g, b, a });

function bodyEntity(scene: Scene, body: number, time: number): object {
  const { name, parts } = scene.bodies[body];
  const triangles = parts.map(({ shape, colour }) => {
    const { vertices, triangles: indices } = scene.shapes[shape];
    const points = Array.from({ length: vertices.length / 3 }, (_, i) =>
      vector(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]),
    );
    const pose = { position: vector(0, 0, 0), orientation: { w: 1, x: 0, y: 0, z: 0 } };
    return { pose, points, color: colourOf(colour ?? PLAIN), colors: [], indices: [...indices] };
  });
  return { ...entity(name, name, time), triangles };
}

/** What deforms, by row; nothing at rows that are left out. Undefined if nothing deforms */
function flexibleAt(
  recording: Recording,
  scene: Scene,
  rows: readonly number[],
): ((row: number) => object[] | undefined) | undefined {
  const reader = new SurfaceReader(scene, recording.signals);
  if (!reader.deforms) return undefined;
  const table = recording.hasTable('surfaces') ? recording.table('surfaces') : undefined;
  const deforms = reader.poses(recording.samples.row(rows[0]));
  const shown = scene.surfaces.map((surface, s) => ({ ...surface, s })).filter(({ s }) => deforms[s]);
  const vertices = shown.reduce((sum, { vertexCount }) => sum + vertexCount, 0);
  const instants = Math.min(rows.length, Math.max(2, Math.floor(MOST_VERTICES / vertices)));
  const told = new Set(
    Array.from({ length: instants }, (_, i) => rows[Math.round((i * (rows.length - 1)) / Math.max(1, instants - 1))]),
  );
  let high = 0;
  for (const { name } of shown)
    if (recording.has(`${name}.stress.largest`))
      high = Math.max(high, recording.signal(`${name}.stress.largest`).max());
  return (row) => {
    if (!told.has(row)) return undefined;
    const frames = reader.frames(recording.samples.row(row), table?.labels, table?.instant(row));
    return shown.map(({ name, triangles, s }) => {
      const { vertices: at, values } = frames[s];
      const points = Array.from(values, (_, v) => vector(short(at[3 * v]), short(at[3 * v + 1]), short(at[3 * v + 2])));
      const colors = Array.from(values, (value) => {
        const [r, g, b] = scaleColour(high > 0 ? value / high : 0);
        return colourOf([r, g, b].map((x) => Number(x.toFixed(3))).concat(1));
      });
      const pose = { position: vector(0, 0, 0), orientation: { w: 1, x: 0, y: 0, z: 0 } };
      const shape = { pose, points, color: colourOf(PLAIN), colors, indices: [...triangles] };
      return { ...entity(name, 'world', recording.times[row]), triangles: [shape] };
    });
  };
}

/** As many digits as single precision has */
const short = (x: number): number => Number(x.toPrecision(7));

/** Stick blue, slip orange. Nothing for a force that is too small to be seen. */
function arrow(from: Vec3, force: Vec3, scale: number, size: number, slips: boolean): object | undefined {
  const length = Math.sqrt(dot(force, force)) * scale;
  if (!(length > 1e-3 * size)) return undefined;
  const [w, x, y, z] = between([1, 0, 0], normalize(force));
  const head = Math.min(0.3 * length, 0.03 * size);
  return {
    pose: { position: vector(...from), orientation: { w, x, y, z } },
    shaft_length: length - head,
    shaft_diameter: 0.008 * size,
    head_length: head,
    head_diameter: 0.02 * size,
    color: colourOf(slips ? [0.9, 0.62, 0, 1] : [0, 0.45, 0.7, 1]),
  };
}

/** How far the bodies that move are spread, with their shapes, m. */
function extent(scene: Scene, poses: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let reach = 0;
  scene.bodies.forEach(({ parts }, b) => {
    if (parts.some(({ shape }) => scene.shapes[shape].form === 'halfSpace')) return;
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], poses[7 * b + k]);
      high[k] = Math.max(high[k], poses[7 * b + k]);
    }
    for (const { shape } of parts) for (const x of scene.shapes[shape].vertices) reach = Math.max(reach, Math.abs(x));
  });
  for (const { vertices, modes } of scene.surfaces)
    if (modes)
      vertices.forEach((x, i) => {
        low[i % 3] = Math.min(low[i % 3], x);
        high[i % 3] = Math.max(high[i % 3], x);
      });
  return Math.max(0, ...high.map((x, k) => x - low[k])) + 2 * reach || 1;
}

interface Nested {
  [key: string]: Nested | number | null;
}

interface PlacedSignal {
  readonly path: readonly string[];
  readonly column: number;
}

/** Signals by what they belong to: the first part of the name, `rack[17]` or `energy`. */
function signalGroups({ signals }: Recording): Map<string, PlacedSignal[]> {
  const groups = new Map<string, PlacedSignal[]>();
  for (const [column, { name }] of signals.entries()) {
    const [topic, ...path] = name.split('.');
    const group = groups.get(topic) ?? [];
    group.push({ path: path.length > 0 ? path : ['value'], column });
    groups.set(topic, group);
  }
  return groups;
}

/** A value under its path; where a shorter name is a value itself, the longer keeps its dots. JSON has no NaN: null. */
function put(message: Nested, path: readonly string[], value: number): void {
  let at = message;
  for (const [i, key] of path.entries()) {
    const inner = at[key];
    if (i === path.length - 1) at[key] = Number.isFinite(value) ? value : null;
    else if (typeof inner === 'object' && inner !== null) at = inner;
    else if (inner === undefined) at = at[key] = {};
    else {
      at[path.slice(i).join('.')] = Number.isFinite(value) ? value : null;
      return;
    }
  }
}
