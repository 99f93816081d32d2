/**
 * A body that deforms as glTF has it: its displacement is a sum of shapes, Σ q_k φ_k, which is what morph targets and their weights are. Targets are
 * scaled by the largest |q_k| of the film, so that weights stay within ±1 and bounds that a viewer takes from targets are those of the film.
 *
 * glTF colours vertices once for all times, so each has the largest von Mises stress it bears over the film.
 */
import type { GlbDeforming } from '../../geometry/files/gltf-film-write.js';
import type { Recording } from '../recording.js';
import { scaleColour } from '../scene/colour-scale.js';
import { SurfaceReader } from '../scene/surface-frames.js';
import type { Scene, SceneSurface, SurfaceModes } from '../scene.js';

/** By the frame that carries it. Empty if nothing deforms, or what it deforms by is not recorded. */
export function morphsOf(recording: Recording, scene: Scene, rows: readonly number[]): Map<string, GlbDeforming> {
  const { samples, signals } = recording;
  const reader = new SurfaceReader(scene, signals);
  const found = new Map<string, GlbDeforming>();
  if (!reader.deforms) return found;
  const table = recording.hasTable('surfaces') ? recording.table('surfaces') : undefined;
  const borne = scene.surfaces.map(({ vertexCount }) => new Float64Array(vertexCount));
  for (const row of rows) {
    const frames = reader.frames(samples.row(row), table?.labels, table?.instant(row));
    frames.forEach(({ values }, s) => {
      for (let v = 0; v < values.length; v++) if (values[v] > borne[s][v]) borne[s][v] = values[v];
    });
  }
  const deforms = reader.poses(samples.row(rows[0]));
  let high = 0;
  scene.surfaces.forEach((_, s) => {
    if (deforms[s]) for (const value of borne[s]) if (value > high) high = value;
  });
  const index = new Map(signals.map(({ name }, i) => [name, i] as const));
  scene.surfaces.forEach((surface, s) => {
    if (deforms[s]) found.set(surface.modes!.frame, morphOf(surface, surface.modes!, borne[s]));
  });
  return found;

  function morphOf({ triangles, vertexCount }: SceneSurface, modes: SurfaceModes, stress: Float64Array): GlbDeforming {
    const { plane, rest, shapes, faces, coordinates } = modes;
    const d = faces ? 2 : 3;
    const nodes = rest.length / d;
    const columns = coordinates.map((name) => index.get(name)!);
    /** Adds what is given along the part's own axes to vertices in its frame. */
    const place = (out: Float64Array | Float32Array, from: Float64Array, at: number, factor: number): void => {
      for (let v = 0; v < vertexCount; v++)
        for (let j = 0; j < d; j++) {
          const along = factor * from[at + d * (v % nodes) + j];
          for (let k = 0; k < 3; k++) out[3 * v + k] += along * plane[3 + 3 * j + k];
        }
    };
    const vertices = new Float64Array(3 * vertexCount);
    for (let v = 0; v < vertexCount; v++)
      for (let k = 0; k < 3; k++)
        vertices[3 * v + k] = plane[k] + (faces ? faces[Math.floor(v / nodes)] * plane[9 + k] : 0);
    place(vertices, rest, 0, 1);
    const targets: Float32Array[] = [];
    const weights: Float64Array[] = [];
    columns.forEach((column, m) => {
      const values = Float64Array.from(rows, (row) => samples.row(row)[column]);
      const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const target = new Float32Array(3 * vertexCount);
      place(target, shapes, d * nodes * m, largest);
      if (target.every((x) => x === 0)) return;
      targets.push(target);
      weights.push(values.map((value) => value / largest));
    });
    const colours = new Float32Array(3 * vertexCount);
    stress.forEach((value, v) => {
      colours.set(scaleColour(high > 0 ? value / high : 0), 3 * v);
    });
    return {
      mesh: { vertices, triangles },
      colours,
      targets,
      weights: Float32Array.from(
        { length: rows.length * targets.length },
        (_, i) => weights[i % targets.length][Math.floor(i / targets.length)],
      ),
      extras: { colours: 'largest von Mises stress of each place over the film', unit: 'Pa', low: 0, high },
    };
  }
}
