/** Moving surfaces from the rows of the table `surfaces`. */
import type { RecordInstant } from '../record-table.js';
import type { SignalDescription } from '../recording.js';
import type { Scene } from '../scene.js';
import { DeformingSurfaces, type SurfaceFrame } from './deforming-surfaces.js';

export type { SurfaceFrame };

/** As they are drawn when nothing is recorded of them. */
export const drawnSurfaces = ({ surfaces }: Scene): SurfaceFrame[] =>
  surfaces.map(({ vertices, vertexCount }) => ({
    vertices: vertices.slice(),
    values: new Float64Array(vertexCount).fill(Number.NaN),
  }));

/** All surfaces of a recording at an instant: those of the table, and those of bodies that deform. */
export class SurfaceReader {
  private readonly scene: Scene;
  private readonly deforming: DeformingSurfaces;

  constructor(scene: Scene, signals: readonly SignalDescription[]) {
    this.scene = scene;
    this.deforming = new DeformingSurfaces(scene, signals);
  }

  /** There are surfaces that follow from the row. */
  get deforms(): boolean {
    return this.deforming.any;
  }

  /** What carries each surface that deforms: position, then orientation w, x, y, z; nothing of others */
  poses(row: ArrayLike<number>): (readonly number[] | undefined)[] {
    return this.deforming.poses(row, this.scene.surfaces.length);
  }

  /**
   * @param row     of signals
   * @param labels  of the table `surfaces`, if there is one
   * @param instant its rows
   * @param exaggeration of what deforms
   */
  frames(
    row: ArrayLike<number>,
    labels: readonly string[] = [],
    instant?: RecordInstant,
    exaggeration = 1,
  ): SurfaceFrame[] {
    const frames = instant ? surfacesOf(this.scene, labels, instant) : drawnSurfaces(this.scene);
    this.deforming.apply(row, frames, exaggeration);
    return frames;
  }
}

/** @param labels of the table, by which its rows name their surface */
export function surfacesOf(scene: Scene, labels: readonly string[], rows: RecordInstant): SurfaceFrame[] {
  const frames = drawnSurfaces(scene);
  const places = new Map(scene.surfaces.map(({ name }, i) => [name, i] as const));
  const ofLabel = labels.map((label) => frames[places.get(label) ?? -1]);
  const deforms = labels.map((label) => scene.surfaces[places.get(label) ?? -1]?.modes !== undefined);
  const [surface, vertex, x, y, z, value] = ['surface', 'vertex', 'x', 'y', 'z', 'value'].map((name) =>
    rows.column(name),
  );
  for (let row = 0; row < rows.count; row++) {
    const frame: SurfaceFrame | undefined = ofLabel[surface[row]];
    const v = vertex[row];
    if (!frame || !(v >= 0 && v < frame.values.length)) continue;
    frame.values[v] = value[row];
    if (deforms[surface[row]]) continue;
    frame.vertices[3 * v] = x[row];
    frame.vertices[3 * v + 1] = y[row];
    frame.vertices[3 * v + 2] = z[row];
  }
  return frames;
}
