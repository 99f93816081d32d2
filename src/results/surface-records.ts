/**
 * The table `surfaces` of a recording: where the vertices of surfaces that are only drawn are at each recorded instant, and the value there.
 * A row for each vertex of each surface; triangles and what the value means are in the scene, for they do not change.
 *
 * Of bodies that deform, whose vertices and stress follow from their coordinates, only the von Mises stress of vertices where another body
 * presses: rows without a position (NaN), of a planar part for both faces.
 */
import type { RecordColumn, RecordTable } from './record-table.js';
import type { Recording } from './recording.js';

export const SURFACE_COLUMNS: readonly RecordColumn[] = [
  { name: 'surface', quantity: 'its name', type: 'label' },
  { name: 'vertex', quantity: 'place among its vertices', type: 'i32' },
  ...['x', 'y', 'z'].map((name) => ({ name, unit: 'm', quantity: 'position in the world; NaN of bodies that deform' })),
  { name: 'value', quantity: 'what the surface shows, in its own unit; NaN if nothing' },
];

/** Adds the table `surfaces`; before the first row. */
export const addSurfaceTable = (recording: Recording): RecordTable => recording.addTable('surfaces', SURFACE_COLUMNS);
