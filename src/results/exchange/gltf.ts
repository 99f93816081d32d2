/** A recording as a film in GLB, for any glTF viewer: bodies with their shapes and colours, moved, and bent where they deform, by one animation. */
import { type GlbBody, writeGlbFilm } from '../../geometry/files/gltf-film-write.js';
import { ORIGIN } from '../../geometry/solid.js';
import type { Recording } from '../recording.js';
import { PoseReader } from '../scene/poses.js';
import { type FilmOptions, filmRows, requireScene } from './film.js';
import { morphsOf } from './morphs.js';

/** @example await writeFile('cradle.glb', await glbBytes(recording)) */
export async function glbBytes(recording: Recording, options: FilmOptions = {}): Promise<Uint8Array> {
  const scene = requireScene(recording);
  const rows = filmRows(recording, options);
  const morphs = morphsOf(recording, scene, rows);
  // pieces behind the first of a part in several have a frame of their own
  const pieces = [...morphs.keys()].filter((frame) => !scene.bodies.some(({ name }) => name === frame));
  const bodies = [...scene.bodies, ...pieces.map((name) => ({ name, parts: [], pose: ORIGIN }))];
  const reader = new PoseReader({ bodies }, recording.signals);
  const poses = new Float64Array(7 * bodies.length);
  return writeGlbFilm({
    title: recording.title || scene.title || 'recording',
    up: scene.up,
    meshes: scene.shapes,
    bodies: bodies.map(({ name, parts }): GlbBody => {
      const deforming = morphs.get(name);
      return {
        name,
        parts: parts.map(({ shape, colour }) => ({ mesh: shape, ...(colour && { colour }) })),
        ...(deforming && { deforming }),
      };
    }),
    times: rows.map((row) => recording.times[row]),
    poses: (k) => {
      reader.poses(recording.samples.row(rows[k]), poses);
      return poses;
    },
  });
}
