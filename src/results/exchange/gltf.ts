/** A recording as a film in GLB, for any glTF viewer: bodies with their shapes and colours, moved by one animation. */
import { type GlbBody, writeGlbFilm } from '../../geometry/files/gltf-film-write.js';
import type { Recording } from '../recording.js';
import { PoseReader } from '../scene/poses.js';
import { type FilmOptions, filmRows, requireScene } from './film.js';

/** @example await writeFile('cradle.glb', await glbBytes(recording)) */
export async function glbBytes(recording: Recording, options: FilmOptions = {}): Promise<Uint8Array> {
  const scene = requireScene(recording);
  const rows = filmRows(recording, options);
  const reader = new PoseReader(scene, recording.signals);
  const poses = new Float64Array(7 * scene.bodies.length);
  return writeGlbFilm({
    title: recording.title || scene.title || 'recording',
    up: scene.up,
    meshes: scene.shapes,
    bodies: scene.bodies.map(
      ({ name, parts }): GlbBody => ({
        name,
        parts: parts.map(({ shape, colour }) => ({ mesh: shape, ...(colour && { colour }) })),
      }),
    ),
    times: rows.map((row) => recording.times[row]),
    poses: (k) => {
      reader.poses(recording.samples.row(rows[k]), poses);
      return poses;
    },
  });
}
