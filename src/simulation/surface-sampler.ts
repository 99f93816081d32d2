/**
 * Surfaces as records: the model's own functions of time, asked at every recorded instant, and the stress of bodies that deform where others
 * press.
 */
import type { Model } from '../model/model.js';
import { surfaceValues, surfaceVertices } from '../model/surfaces.js';
import type { RecordTable } from '../results/record-table.js';
import type { Recording } from '../results/recording.js';
import { addSurfaceTable, SURFACE_COLUMNS } from '../results/surface-records.js';
import type { PressedStress } from './pressed-stress.js';

export class SurfaceSampler {
  private readonly surfaces: Model['surfaces'];
  private readonly pressed: readonly PressedStress[];
  private readonly table: RecordTable;
  private readonly row = new Float64Array(SURFACE_COLUMNS.length);

  /** Adds the table to the recording, unless it was `begun`. */
  constructor({ surfaces }: Model, pressed: readonly PressedStress[], recording: Recording, begun = false) {
    this.surfaces = surfaces;
    this.pressed = pressed;
    this.table = begun ? recording.table('surfaces') : addSurfaceTable(recording);
  }

  /** After the signals of that instant. @throws ModelError where a vertex or a value is not finite, with the time and the vertex */
  record(t: number): void {
    const row = this.row;
    for (const [name, surface] of this.surfaces) {
      const path = `surfaces.${name}`;
      const vertices = surfaceVertices(surface, t, path);
      const values = surfaceValues(surface, t, path);
      row[0] = this.table.label(name);
      for (let v = 0; v < surface.vertexCount; v++) {
        row[1] = v;
        for (let k = 0; k < 3; k++) row[2 + k] = vertices[3 * v + k];
        row[5] = values ? values[v] : Number.NaN;
        this.table.append(t, row);
      }
    }
    row.fill(Number.NaN, 2, 5);
    for (const { name, vertices, mises, told } of this.pressed) {
      row[0] = this.table.label(name);
      for (let v = 0; v < vertices.length; v++) {
        if (told[vertices[v]] === 0) continue;
        row[1] = v;
        row[5] = mises[vertices[v]];
        this.table.append(t, row);
      }
    }
  }
}
