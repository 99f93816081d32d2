/** Moving surfaces from the rows of the table `surfaces`. */
import type { RecordInstant } from '../record-table.js';
import type { Scene } from '../scene.js';

export interface SurfaceFrame {
  /** 3 each, world, m */
  readonly vertices: Float64Array;
  /** One per vertex, NaN if it has none */
  readonly values: Float64Array;
}

/** As they are drawn when nothing is recorded of them. */
export const drawnSurfaces = ({ surfaces }: Scene): SurfaceFrame[] =>
  surfaces.map(({ vertices, vertexCount }) => ({
    vertices: vertices.slice(),
    values: new Float64Array(vertexCount).fill(Number.NaN),
  }));

/** @param labels of the table, by which its rows name their surface */
export function surfacesOf(scene: Scene, labels: readonly string[], rows: RecordInstant): SurfaceFrame[] {
  const frames = drawnSurfaces(scene);
  const places = new Map(scene.surfaces.map(({ name }, i) => [name, i] as const));
  const ofLabel = labels.map((label) => frames[places.get(label) ?? -1]);
  const [surface, vertex, x, y, z, value] = ['surface', 'vertex', 'x', 'y', 'z', 'value'].map((name) =>
    rows.column(name),
  );
  for (let row = 0; row < rows.count; row++) {
    const frame: SurfaceFrame | undefined = ofLabel[surface[row]];
    const v = vertex[row];
    if (!frame || !(v >= 0 && v < frame.values.length)) continue;
    frame.vertices[3 * v] = x[row];
    frame.vertices[3 * v + 1] = y[row];
    frame.vertices[3 * v + 2] = z[row];
    frame.values[v] = value[row];
  }
  return frames;
}
