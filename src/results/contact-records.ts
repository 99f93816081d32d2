/**
 * The table `contacts` of a recording: a row for each region in which two shapes touch, at each recorded instant.
 *
 * As everywhere, A and B are the two of the pair, the normal runs from A to B, vectors are in world axes and points in the world.
 * The force on B is normalForce · normal + friction, that on A its negative, both at `point`.
 *
 * A patch is kept by its moments (narrow-phase/contact-patches.ts): with centroid c and second moments J about it, an ellipse with
 * these moments is what a viewer draws. A contact in a point has area 0 and moments 0.
 */
import type { RecordColumn, RecordTable } from './record-table.js';
import type { Recording } from './recording.js';

const vector = (name: string, unit: string, quantity: string): RecordColumn[] =>
  ['x', 'y', 'z'].map((axis) => ({ name: `${name}.${axis}`, unit, quantity }));

export const CONTACT_COLUMNS: readonly RecordColumn[] = [
  { name: 'pair', quantity: 'which two shapes', type: 'label' },
  { name: 'region', quantity: 'identity of the region, kept while it lasts', type: 'i32' },
  ...vector('point', 'm', 'where the force acts'),
  ...vector('normal', '', 'unit vector from A to B'),
  { name: 'normalForce', unit: 'N', quantity: 'on B along the normal' },
  ...vector('friction', 'N', 'friction force on B'),
  { name: 'torque', unit: 'N m', quantity: 'friction torque on B about the normal' },
  { name: 'depth', unit: 'm', quantity: 'penetration depth' },
  { name: 'volume', unit: 'm³', quantity: 'of the overlap' },
  { name: 'area', unit: 'm²', quantity: 'of the patch' },
  ...vector('slip', 'm/s', 'velocity of B against A in the tangent plane'),
  { name: 'spin', unit: 'rad/s', quantity: 'angular velocity of B against A about the normal' },
  { name: 'state', quantity: 'friction: 0 open, 1 sticks, 2 slips', type: 'i32' },
  ...vector('patchCentroid', 'm', 'centroid of the patch'),
  ...['xx', 'yy', 'zz', 'xy', 'xz', 'yz'].map((axes) => ({
    name: `secondMoments.${axes}`,
    unit: 'm⁴',
    quantity: 'of the patch about its centroid',
  })),
];

/** Where in a row each entry begins; vectors take 3, the second moments 6. */
export const CONTACT = {
  pair: 0,
  region: 1,
  point: 2,
  normal: 5,
  normalForce: 8,
  friction: 9,
  torque: 12,
  depth: 13,
  volume: 14,
  area: 15,
  slip: 16,
  spin: 19,
  state: 20,
  patchCentroid: 21,
  secondMoments: 24,
  width: 30,
} as const;

/** What the numbers of `state` mean, in order. */
export const CONTACT_STATES = ['open', 'stick', 'slip'] as const;

/** Adds the table `contacts`; before the first row. */
export const addContactTable = (recording: Recording): RecordTable => recording.addTable('contacts', CONTACT_COLUMNS);

const BETWEEN = ' – ';

/** How a pair is called in the labels. */
export const pairLabel = (a: string, b: string): string => `${a}${BETWEEN}${b}`;

/** A and B of such a label. */
export function pairNames(label: string): readonly [string, string] {
  const at = label.indexOf(BETWEEN);
  return at < 0 ? [label, ''] : [label.slice(0, at), label.slice(at + BETWEEN.length)];
}

/** The greatest normal force in a table of contacts, N; 0 if nothing touched. What the length of arrows is measured by. */
export function greatestForce(contacts: RecordTable): number {
  const forces = contacts.column('normalForce');
  let greatest = 0;
  for (let i = 0; i < forces.length; i++) greatest = Math.max(greatest, forces[i]);
  return greatest;
}
