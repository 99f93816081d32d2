/** The records of an instant, row by row, as the inspector asks for them. */
import { dot, norm, scale, type Vec3 } from '../../math/vec3.js';
import { CONTACT, CONTACT_STATES } from '../../results/contact-records.js';
import type { RecordInstant } from '../../results/record-table.js';

export type ContactState = (typeof CONTACT_STATES)[number];

/** One region in which two shapes touch. */
export interface Contact {
  /** Number of the pair among the labels */
  readonly pair: number;
  /** Identity of the region within its pair, kept while it lasts */
  readonly region: number;
  readonly point: Vec3;
  /** Unit vector from A to B */
  readonly normal: Vec3;
  /** On B along the normal, N */
  readonly normalForce: number;
  /** Friction force on B, N */
  readonly friction: Vec3;
  /** Friction torque on B about the normal, N m */
  readonly torque: number;
  readonly depth: number;
  readonly volume: number;
  readonly area: number;
  readonly slip: Vec3;
  readonly spin: number;
  readonly state: ContactState;
  readonly patchCentroid: Vec3;
  /** ∫ r rᵀ dA about the centroid, xx yy zz xy xz yz, m⁴ */
  readonly secondMoments: readonly [number, number, number, number, number, number];
}

export function contactAt({ values }: RecordInstant, row: number): Contact {
  const at = (column: number): number => values[column][row];
  const vector = (column: number): Vec3 => [at(column), at(column + 1), at(column + 2)];
  return {
    pair: at(CONTACT.pair),
    region: at(CONTACT.region),
    point: vector(CONTACT.point),
    normal: vector(CONTACT.normal),
    normalForce: at(CONTACT.normalForce),
    friction: vector(CONTACT.friction),
    torque: at(CONTACT.torque),
    depth: at(CONTACT.depth),
    volume: at(CONTACT.volume),
    area: at(CONTACT.area),
    slip: vector(CONTACT.slip),
    spin: at(CONTACT.spin),
    state: CONTACT_STATES[at(CONTACT.state)] ?? 'open',
    patchCentroid: vector(CONTACT.patchCentroid),
    secondMoments: [24, 25, 26, 27, 28, 29].map((column) => at(column)) as unknown as Contact['secondMoments'],
  };
}

/** All regions of the pairs asked for. */
export function contactsOf(instant: RecordInstant, shown: (pair: number) => boolean): Contact[] {
  const contacts: Contact[] = [];
  const pair = instant.values[CONTACT.pair];
  for (let row = 0; row < instant.count; row++) if (shown(pair[row])) contacts.push(contactAt(instant, row));
  return contacts;
}

/** Which region this is, over time. */
export const identity = ({ pair, region }: Pick<Contact, 'pair' | 'region'>): string => `${pair}:${region}`;

/** The friction coefficient at work, |T|/N; NaN where nothing presses. */
export const frictionUsed = ({ friction, normalForce }: Contact): number =>
  normalForce > 0 ? norm(friction) / normalForce : Number.NaN;

export const slipSpeed = ({ slip }: Contact): number => norm(slip);

/** Normal force and friction on B, N */
export const forceOnB = ({ normalForce, normal, friction }: Contact): Vec3 => [
  normalForce * normal[0] + friction[0],
  normalForce * normal[1] + friction[1],
  normalForce * normal[2] + friction[2],
];

/** The part of a vector across a unit normal. */
export const tangential = (vector: Vec3, normal: Vec3): Vec3 => {
  const along = scale(dot(vector, normal), normal);
  return [vector[0] - along[0], vector[1] - along[1], vector[2] - along[2]];
};
