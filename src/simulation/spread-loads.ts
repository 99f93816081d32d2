/**
 * Stress that a part's shapes do not have. They carry what acts at interfaces exactly, and inertia and weight, which are spread over the part, only as far as its
 * modes reach: four modes of a slender bar bend it, and none stretches it, so turning it at any speed stresses it by nothing. `stress.beyond` bounds what
 * is left out, and no run is silent about it.
 */
import type { System } from '../assembly/system.js';
import { quantity } from '../math/quantity.js';
import type { Recording } from '../results/recording.js';
import type { Doubts } from './strain-range.js';

/** Of the stress that is told: from the first part a note, from the second the run is doubtful */
const WORTH_TELLING = 0.5;
const DECISIVE = 1;

/** Strain that is no matter */
const NO_MATTER = 1e-6;

export function spreadLoads({ flexible = [] }: System, recording: Recording): Doubts {
  const found: Doubts = { doubtful: [], notes: [] };
  for (const { name, part, nodes, carrying } of flexible) {
    const most = (what: string): number => {
      const signal = `${name.slice(name.indexOf('.') + 1)}.stress.${what}`;
      return recording.has(signal) ? recording.signal(signal).values.reduce((a, b) => Math.max(a, b), 0) : 0;
    };
    const [beyond, told] = [most('beyond'), most('largest')];
    if (!(beyond > NO_MATTER * part.material.youngsModulus && beyond > WORTH_TELLING * told)) continue;
    const reason =
      `inertia and weight stress ${name} by up to some ${quantity(beyond, 'Pa')} in ways that its ${nodes.length - carrying} modes do not have ` +
      `(stress.beyond), beside the ${quantity(told, 'Pa')} that are told`;
    const remedy = "take flexible: { stress: 'mode acceleration' }, which has them, or more modes";
    if (beyond > DECISIVE * told) found.doubtful.push({ reason, remedy });
    else found.notes.push(`${reason}; ${remedy}`);
  }
  return found;
}
