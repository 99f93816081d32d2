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

/** Behind them where grains have shapes */
export const SHAPED_COLUMNS: readonly RecordColumn[] = [
  { name: 'form', quantity: 'which of the forms of its species', type: 'i32' },
  ...['w', 'x', 'y', 'z'].map((part) => ({ name: `orientation.${part}`, quantity: 'of its principal axes' })),
];

/** Places of the columns; those from `form` on are there where grains have shapes */
export const GRAIN = {
  id: 0,
  species: 1,
  x: 2,
  y: 3,
  z: 4,
  radius: 5,
  velocity: 6,
  force: 9,
  contacts: 10,
  form: 11,
  orientation: 12,
} as const;

/** Adds the table; before the first row. */
export const addGrainTable = (recording: Recording, shaped = false): RecordTable =>
  recording.addTable(GRAIN_TABLE, shaped ? [...GRAIN_COLUMNS, ...SHAPED_COLUMNS] : GRAIN_COLUMNS);

/** The table of contacts of grains, kept with the grains where the model asks for it: lines along which forces go */
export const GRAIN_CONTACT_TABLE = 'grainContacts';

export const GRAIN_CONTACT_COLUMNS: readonly RecordColumn[] = [
  { name: 'a', quantity: 'number of the grain', type: 'i32' },
  { name: 'b', quantity: 'number of the other grain, −1 for a wall', type: 'i32' },
  ...['x', 'y', 'z'].map((axis) => ({ name: `from.${axis}`, unit: 'm', quantity: 'centre of a' })),
  ...['x', 'y', 'z'].map((axis) => ({
    name: `to.${axis}`,
    unit: 'm',
    quantity: 'centre of b, or the point of the wall',
  })),
  { name: 'force', unit: 'N', quantity: 'normal force' },
];

/** Places of the columns */
export const GRAIN_CONTACT = { a: 0, b: 1, from: 2, to: 5, force: 8 } as const;

export const addGrainContactTable = (recording: Recording): RecordTable =>
  recording.addTable(GRAIN_CONTACT_TABLE, GRAIN_CONTACT_COLUMNS);
