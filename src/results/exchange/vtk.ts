/**
 * A recording for ParaView: a file in VTK's legacy format (binary, PolyData) for each instant, and a `.vtk.series` beside them that
 * gives every file its time. The bodies with velocity at each vertex and the number of the body at each triangle; the contacts,
 * where there are records of them, as points with forces, for arrows (Glyph) and colours; drawn surfaces with their values, named by what they are, and of bodies that deform the
 * displacement from where they would be if they were rigid (Warp By Vector draws it larger); grains as points with their radius.
 *
 * VTK File Formats, The VTK User's Guide (2010), §19.3: numbers are big endian; the header is lines of text.
 */
import { fromQuaternion } from '../../math/mat3.js';
import type { Quaternion } from '../../math/quaternion.js';
import { CONTACT } from '../contact-records.js';
import { GRAIN, GRAIN_TABLE } from '../grain-records.js';
import type { RecordInstant } from '../record-table.js';
import type { Recording } from '../recording.js';
import { PoseReader } from '../scene/poses.js';
import { type SurfaceFrame, SurfaceReader } from '../scene/surface-frames.js';
import type { Scene } from '../scene.js';
import { type FilmOptions, filmRows, requireScene } from './film.js';

export interface NamedFile {
  /** Without a folder */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @param base how the files begin: `base.vtk.series`, `base_0000.vtk`, … */
export function* vtkFiles(recording: Recording, base: string, options: FilmOptions = {}): Generator<NamedFile> {
  const scene = requireScene(recording);
  const rows = filmRows(recording, options);
  const reader = new PoseReader(scene, recording.signals);
  const poses = new Float64Array(7 * scene.bodies.length);
  const velocities = new Float64Array(6 * scene.bodies.length);
  const digits = Math.max(4, String(rows.length - 1).length);
  const numbered = (stem: string, k: number): string => `${stem}_${String(k).padStart(digits, '0')}.vtk`;

  for (const [k, row] of rows.entries()) {
    const values = recording.samples.row(row);
    reader.poses(values, poses);
    reader.velocities(values, velocities);
    yield { name: numbered(base, k), bytes: bodiesFile(scene, poses, velocities, recording.times[row]) };
  }
  yield { name: `${base}.vtk.series`, bytes: seriesFile(recording, rows, (k) => numbered(base, k)) };

  const others: [kind: string, file: (instant: RecordInstant, time: number) => Uint8Array][] = [];
  if (recording.hasTable('contacts')) others.push(['contacts', contactsFile]);
  if (recording.hasTable(GRAIN_TABLE)) others.push([GRAIN_TABLE, grainsFile]);
  for (const [kind, file] of others) {
    const stem = `${base}-${kind}`;
    const table = recording.table(kind);
    for (const [k, row] of rows.entries())
      yield { name: numbered(stem, k), bytes: file(table.instant(row), recording.times[row]) };
    yield { name: `${stem}.vtk.series`, bytes: seriesFile(recording, rows, (k) => numbered(stem, k)) };
  }
  const surfaces = recording.hasTable('surfaces') ? recording.table('surfaces') : undefined;
  const moving = new SurfaceReader(scene, recording.signals);
  if (!surfaces && !moving.deforms) return;
  const stem = `${base}-surfaces`;
  for (const [k, row] of rows.entries()) {
    const frames = moving.frames(recording.samples.row(row), surfaces?.labels, surfaces?.instant(row));
    const rigid = moving.deforms
      ? moving.frames(recording.samples.row(row), surfaces?.labels, surfaces?.instant(row), 0)
      : undefined;
    yield { name: numbered(stem, k), bytes: surfacesFile(scene, frames, rigid, recording.times[row]) };
  }
  yield { name: `${stem}.vtk.series`, bytes: seriesFile(recording, rows, (k) => numbered(stem, k)) };
}

/**
 * Surfaces that are only drawn, and what they show.
 *
 * @param rigid the same without deformation, if something deforms
 */
function surfacesFile(
  { surfaces }: Scene,
  frames: readonly SurfaceFrame[],
  rigid: readonly SurfaceFrame[] | undefined,
  time: number,
): Uint8Array {
  const points = frames.flatMap(({ vertices }) => [...vertices]);
  const moved = rigid && frames.flatMap(({ vertices }, s) => Array.from(vertices, (x, i) => x - rigid[s].vertices[i]));
  // a name may hold no space; what differs from surface to surface has no name of its own
  const kinds = new Set(
    surfaces.map(({ quantity, unit }) => `${quantity} ${unit}`.trim().replace(/[^A-Za-z0-9]+/g, '_')),
  );
  const [kind] = kinds;
  const polygons: number[] = [];
  const which: number[] = [];
  let first = 0;
  for (const [s, { triangles, vertexCount }] of surfaces.entries()) {
    for (let i = 0; i < triangles.length; i += 3) {
      polygons.push(3, first + triangles[i], first + triangles[i + 1], first + triangles[i + 2]);
      which.push(s);
    }
    first += vertexCount;
  }
  const text = new VtkText(`surfaces at ${time} s`)
    .line(`POINTS ${first} float`)
    .floats(Float32Array.from(points))
    .line(`POLYGONS ${which.length} ${polygons.length}`)
    .ints(Int32Array.from(polygons))
    .line(`POINT_DATA ${first}`)
    .line(`SCALARS ${(kinds.size === 1 && kind) || 'value'} float 1\nLOOKUP_TABLE default`)
    .floats(Float32Array.from(frames.flatMap(({ values }) => [...values])));
  if (moved) text.line('VECTORS displacement float').floats(Float32Array.from(moved));
  return text
    .line(`CELL_DATA ${which.length}`)
    .line('SCALARS surface int 1\nLOOKUP_TABLE default')
    .ints(Int32Array.from(which))
    .done();
}

/** All bodies at an instant, in world coordinates. */
function bodiesFile(scene: Scene, poses: Float64Array, velocities: Float64Array, time: number): Uint8Array {
  const drawn = scene.bodies.flatMap(({ parts }, body) => parts.map(({ shape }) => ({ body, ...scene.shapes[shape] })));
  const vertexCount = drawn.reduce((sum, { vertices }) => sum + vertices.length / 3, 0);
  const triangleCount = drawn.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const points = new Float32Array(3 * vertexCount);
  const speeds = new Float32Array(3 * vertexCount);
  const polygons = new Int32Array(4 * triangleCount);
  const bodies = new Int32Array(triangleCount);
  let v = 0;
  let t = 0;
  for (const { body, vertices, triangles } of drawn) {
    const pose = poses.subarray(7 * body, 7 * body + 7);
    const r = fromQuaternion(pose.subarray(3) as unknown as Quaternion);
    const motion = velocities.subarray(6 * body, 6 * body + 6);
    const first = v / 3;
    for (let i = 0; i < vertices.length; i += 3, v += 3) {
      const [x, y, z] = [vertices[i], vertices[i + 1], vertices[i + 2]];
      const arm = [r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z];
      for (let k = 0; k < 3; k++) {
        points[v + k] = pose[k] + arm[k];
        // v + ω × r; a body that is not recorded does not move
        const turn = motion[3 + ((k + 1) % 3)] * arm[(k + 2) % 3] - motion[3 + ((k + 2) % 3)] * arm[(k + 1) % 3];
        speeds[v + k] = motion[k] + turn || 0;
      }
    }
    for (let i = 0; i < triangles.length; i += 3, t++) {
      polygons.set([3, first + triangles[i], first + triangles[i + 1], first + triangles[i + 2]], 4 * t);
      bodies[t] = body;
    }
  }
  return new VtkText(`bodies at ${time} s`)
    .line(`POINTS ${vertexCount} float`)
    .floats(points)
    .line(`POLYGONS ${triangleCount} ${polygons.length}`)
    .ints(polygons)
    .line(`POINT_DATA ${vertexCount}`)
    .line('VECTORS velocity float')
    .floats(speeds)
    .line(`CELL_DATA ${triangleCount}`)
    .line('SCALARS body int 1\nLOOKUP_TABLE default')
    .ints(bodies)
    .done();
}

/** A point for each region of contact. */
function contactsFile(instant: RecordInstant, time: number): Uint8Array {
  const { count, values } = instant;
  const vector = (at: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, (_, i) => values[at + (i % 3)][Math.floor(i / 3)]);
  const scalar = (at: number): Float32Array => Float32Array.from(values[at]);
  const normals = vector(CONTACT.normal);
  const vertices = Int32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 1 : (i - 1) / 2));
  const text = new VtkText(`contacts at ${time} s`).line(`POINTS ${count} float`).floats(vector(CONTACT.point));
  if (count === 0) return text.done();
  return text
    .line(`VERTICES ${count} ${vertices.length}`)
    .ints(vertices)
    .line(`POINT_DATA ${count}`)
    .line('VECTORS normalForce float')
    .floats(normals.map((n, i) => n * values[CONTACT.normalForce][Math.floor(i / 3)]))
    .line('VECTORS friction float')
    .floats(vector(CONTACT.friction))
    .line('SCALARS depth float 1\nLOOKUP_TABLE default')
    .floats(scalar(CONTACT.depth))
    .line('SCALARS area float 1\nLOOKUP_TABLE default')
    .floats(scalar(CONTACT.area))
    .line('SCALARS state int 1\nLOOKUP_TABLE default')
    .ints(Int32Array.from(values[CONTACT.state]))
    .line('SCALARS pair int 1\nLOOKUP_TABLE default')
    .ints(Int32Array.from(values[CONTACT.pair]))
    .done();
}

/** Centres with radius (Glyph: a sphere, scaled by it), velocity, force, number and species */
function grainsFile({ count, values }: RecordInstant, time: number): Uint8Array {
  const vector = (at: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, (_, i) => values[at + (i % 3)][Math.floor(i / 3)]);
  const vertices = Int32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 1 : (i - 1) / 2));
  const text = new VtkText(`grains at ${time} s`).line(`POINTS ${count} float`).floats(vector(GRAIN.x));
  if (count === 0) return text.done();
  return text
    .line(`VERTICES ${count} ${vertices.length}`)
    .ints(vertices)
    .line(`POINT_DATA ${count}`)
    .line('VECTORS velocity float')
    .floats(vector(GRAIN.velocity))
    .line('SCALARS radius float 1\nLOOKUP_TABLE default')
    .floats(Float32Array.from(values[GRAIN.radius]))
    .line('SCALARS force float 1\nLOOKUP_TABLE default')
    .floats(Float32Array.from(values[GRAIN.force]))
    .line('SCALARS id int 1\nLOOKUP_TABLE default')
    .ints(Int32Array.from(values[GRAIN.id]))
    .line('SCALARS species int 1\nLOOKUP_TABLE default')
    .ints(Int32Array.from(values[GRAIN.species]))
    .done();
}

function seriesFile({ times }: Recording, rows: readonly number[], name: (k: number) => string): Uint8Array {
  const files = rows.map((row, k) => ({ name: name(k), time: times[row] }));
  return new TextEncoder().encode(`${JSON.stringify({ 'file-series-version': '1.0', files }, null, 1)}\n`);
}

/** Lines of text and big-endian numbers, one after the other. */
class VtkText {
  readonly #pieces: Uint8Array[] = [];

  constructor(title: string) {
    // The second line is a title of at most 256 characters
    this.line(`# vtk DataFile Version 3.0\n${title.slice(0, 200)}\nBINARY\nDATASET POLYDATA`);
  }

  line(text: string): this {
    this.#pieces.push(new TextEncoder().encode(`${text}\n`));
    return this;
  }

  floats(values: Float32Array): this {
    return this.#numbers(values, (view, at, value) => view.setFloat32(at, value));
  }

  ints(values: Int32Array): this {
    return this.#numbers(values, (view, at, value) => view.setInt32(at, value));
  }

  #numbers(values: ArrayLike<number>, set: (view: DataView, at: number, value: number) => void): this {
    const bytes = new Uint8Array(4 * values.length);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < values.length; i++) set(view, 4 * i, values[i]);
    this.#pieces.push(bytes);
    return this.line('');
  }

  done(): Uint8Array {
    const all = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
