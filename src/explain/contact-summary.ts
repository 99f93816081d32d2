/** What a run's contacts did, in a few figures. */

import { quantity } from '../math/quantity.js';
import { CONTACT } from '../results/contact-records.js';
import type { Recording } from '../results/recording.js';
import { count, number, plural } from './format.js';

export type ContactSummary = {
  /** Regions that came during the run, recorded or not */
  readonly regions: number;
  /** J, by sliding and spinning friction */
  readonly frictionHeat: number;
  /** Of what was recorded, and of flexible bodies in every step: rows, deepest penetration in m and largest normal force in N with their pair and time; absent without records */
  readonly records?: number;
  readonly deepest?: Peak;
  readonly largestForce?: Peak;
};

export type Peak = { readonly value: number; readonly pair: string; readonly time: number };

/** Undefined where nothing can touch anything. */
export function contactSummary(recording: Recording): ContactSummary | undefined {
  const booked = recording.trust.contacts as Booked | undefined;
  if (!booked) return undefined;
  const { regions, frictionHeat, flexible = [] } = booked;
  if (!recording.hasTable('contacts')) return { regions, frictionHeat, ...softPeaks(flexible) };
  const table = recording.table('contacts');
  const { first, labels, rows } = table;
  const pairs = table.column(CONTACT.pair);
  const peak = (column: number): { peak?: Peak } => {
    const values = table.column(column);
    let best = -1;
    for (let row = 0; row < rows; row++) if (best < 0 || values[row] > values[best]) best = row;
    if (best < 0) return {};
    let instant = 0;
    while (first[instant + 1] <= best) instant++;
    return { peak: { value: values[best], pair: labels[pairs[best]], time: recording.times[instant] } };
  };
  const { peak: deepest } = peak(CONTACT.depth);
  const { peak: largestForce } = peak(CONTACT.normalForce);
  const soft = softPeaks(flexible);
  const most = (name: string, one?: Peak, other?: Peak): object => {
    const peak = one && other ? (other.value > one.value ? other : one) : (one ?? other);
    return peak ? { [name]: peak } : {};
  };
  return {
    regions,
    frictionHeat,
    records: rows,
    ...most('deepest', deepest, soft.deepest),
    ...most('largestForce', largestForce, soft.largestForce),
  };
}

/** As the trust report has them */
type Booked = {
  readonly regions: number;
  readonly frictionHeat: number;
  readonly flexible?: readonly SoftContact[];
};
type SoftContact = {
  readonly pair: string;
  readonly touches: number;
  readonly depth: number;
  readonly depthTime: number;
  readonly force: number;
  readonly forceTime: number;
};

/** Contacts of flexible bodies have no records, but are watched in every step. */
function softPeaks(flexible: readonly SoftContact[]): Pick<ContactSummary, 'deepest' | 'largestForce'> {
  let deepest: Peak | undefined;
  let largestForce: Peak | undefined;
  for (const { pair, touches, depth, depthTime, force, forceTime } of flexible) {
    if (touches === 0) continue;
    if (!deepest || depth > deepest.value) deepest = { value: depth, pair, time: depthTime };
    if (!largestForce || force > largestForce.value) largestForce = { value: force, pair, time: forceTime };
  }
  return { ...(deepest && { deepest }), ...(largestForce && { largestForce }) };
}

export function describeContacts({ regions, frictionHeat, records, deepest, largestForce }: ContactSummary): string[] {
  const kept = records === undefined ? (deepest ? '' : ', not recorded') : `, ${plural(records, 'row')} of records`;
  const lines = [
    `contacts    ${regions === 0 ? 'nothing touched' : `${count(regions)} ${regions === 1 ? 'region' : 'regions'} came${kept}; ${quantity(frictionHeat, 'J')} of heat by friction`}`,
  ];
  const at = ({ pair, time }: Peak): string => `${pair} at t = ${number(time, 4)} s`;
  if (deepest && largestForce)
    lines.push(
      `            ${records === undefined ? 'deepest' : 'deepest recorded'} ${quantity(deepest.value, 'm')}, ${at(deepest)}; largest force ${quantity(largestForce.value, 'N')}, ${at(largestForce)}`,
    );
  return lines;
}
