/**
 * The table `grains` of a recording: a row for each grain at each instant at which they were kept, in the order of their numbers.
 * Instants between have no rows; viewers show the last that has.
 */
import type { RecordColumn, RecordTable } from './record-table.js';
import type { Recording } from './recording.js';

export const GRAIN_TABLE = 'grains';

export const GRAIN_COLUMNS: readonly RecordColumn[] = [
  { name: 'id', quantity: 'number of the grain, never given twice', type: 'i32' },
  { name: 'species', quantity: 'its name', type: 'label' },
  ...['x', 'y', 'z'].map((name) => ({ name, unit: 'm', quantity: 'position in the world' })),
  { name: 'radius', unit: 'm' },
  ...['x', 'y', 'z'].map((axis) => ({ name: `velocity.${axis}`, unit: 'm/s', quantity: 'velocity' })),
  { name: 'force', unit: 'N', quantity: 'sum of the normal forces on it' },
  { name: 'contacts', quantity: 'how many it has', type: 'i32' },
];

/** Places of the columns */
export const GRAIN = { id: 0, species: 1, x: 2, y: 3, z: 4, radius: 5, velocity: 6, force: 9, contacts: 10 } as const;

/** Adds the table; before the first row. */
export const addGrainTable = (recording: Recording): RecordTable => recording.addTable(GRAIN_TABLE, GRAIN_COLUMNS);
