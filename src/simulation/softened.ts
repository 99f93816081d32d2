/** What the trust report says of contacts that the user made softer than real (`contacts: { depth }`). */
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';

/** Pairs that are softer than their materials, because the user wants them to be: the one that is so most stands for all. */
export function softenedNote(contacts: ContactSystem): string[] {
  let most: ContactPair | undefined;
  const times = ({ law }: ContactPair): number => (law.real ? law.real.reducedModulus / law.reducedModulus : 1);
  for (const pair of contacts.met) if (pair.law.real && (!most || times(pair) > times(most))) most = pair;
  if (!most) return [];
  const short = (value: number): string => String(Number(value.toPrecision(2)));
  const { law, name } = most;
  return [
    `contacts are softer than real, as "depth" asks, most of them ${name}, ${short(times(most))} times: at rest ${short(law.referenceDepth)} m deep instead of ` +
      `${short(law.real!.depth)} m, an impact of 1 m/s takes ${short(law.contactTime)} s instead of ${short(law.real!.contactTime)} s; restitution and friction are those of the pair`,
  ];
}
