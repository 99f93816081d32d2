/**
 * What nobody gave of materials that touched. Friction and restitution belong to pairs: where a pair is not known they are combined from the two
 * materials, which is worth a note; where a material does not even have its own, 0.3 and 0.5 are taken, and that makes a run doubtful if they
 * decided something: friction that was in play, a blow that was returned. What was not used is no matter.
 */
import type { System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { Guessed } from '../model/materials.js';
import { CONTACT, pairLabel } from '../results/contact-records.js';
import type { Recording } from '../results/recording.js';
import type { DepthWatch } from './deepest-contact.js';
import type { Guess } from './verdict.js';

/** Friction below this part of the normal force decides nothing. */
const IN_PLAY = 0.02;

/** All guesses of bodies that came near each other, once per pair of materials. */
export function guessNotes(contacts: ContactSystem): string[] {
  const notes = new Map<string, string>();
  for (const pair of contacts.met) {
    const { name, law } = pair;
    const [a, b] = materialsOf(contacts, pair);
    const key = [a, b].sort().join(' ');
    const missing = law.guessed.map((what) => `${what} (${takenFor(pair, what)} taken)`);
    if (missing.length > 0 && !notes.has(key))
      notes.set(
        key,
        `${missing.join(' and ')} of ${a} on ${b}, such as ${name}, ${missing.length > 1 ? 'are guesses' : 'is a guess'}`,
      );
    for (const material of law.assumed)
      notes.set(
        `stiffness ${material}`,
        `stiffness of ${material === 'first' || material === 'second' ? `a material of ${name}` : material} is not known: 2 GPa taken`,
      );
  }
  return [...notes.values()];
}

/** Those that decided something, once per pair of materials. */
export function decisiveGuesses(
  { bodies }: System,
  contacts: ContactSystem,
  { touched, struck }: DepthWatch,
  recording: Recording,
): Guess[] {
  const found = new Map<string, Guess>();
  const frictionInPlay = touched.size > 0 ? pairsWithFriction(recording) : undefined;
  for (const pair of touched) {
    const { a, b } = pair.route;
    const label = pairLabel(contacts.shapes[a].name, contacts.shapes[b].name);
    const decided = (what: Guessed): boolean =>
      what === 'friction' ? (frictionInPlay?.has(label) ?? true) : struck.has(pair);
    const missing = pair.law.unknown.filter(decided);
    const materials = materialsOf(contacts, pair);
    const key = [...materials, ...missing].sort().join(' ');
    if (missing.length === 0 || found.has(key)) continue;
    const [first, second] = [...contacts.bodiesOf(pair)].sort((p, q) => p - q).map((body) => bodies[body].name);
    found.set(key, {
      reason:
        `${missing.join(' and ')} of ${materials.join(' on ')}, such as ${pair.name}, ${missing.length > 1 ? 'were' : 'was'} not given ` +
        `(${missing.map((what) => takenFor(pair, what)).join(' and ')} taken), and the motion hangs on ${missing.length > 1 ? 'them' : 'it'}`,
      remedy: `contacts: { pairs: [{ between: ['${first}', '${second}'], ${missing.map((what) => `${what}: …`).join(', ')} }] }`,
    });
  }
  return [...found.values()];
}

/** Labels of pairs between which friction was in play in a recorded row; undefined where contacts are not recorded */
function pairsWithFriction(recording: Recording): ReadonlySet<string> | undefined {
  if (!recording.hasTable('contacts')) return undefined;
  const table = recording.table('contacts');
  const { labels, rows } = table;
  const pairs = table.column(CONTACT.pair);
  const normal = table.column(CONTACT.normalForce);
  const x = table.column(CONTACT.friction);
  const y = table.column(CONTACT.friction + 1);
  const z = table.column(CONTACT.friction + 2);
  const found = new Set<string>();
  for (let row = 0; row < rows; row++) {
    const square = x[row] * x[row] + y[row] * y[row] + z[row] * z[row];
    const least = IN_PLAY * normal[row];
    if (square > least * least) found.add(labels[pairs[row]]);
  }
  return found;
}

const takenFor = ({ law }: ContactPair, what: Guessed): number =>
  Number((what === 'friction' ? law.properties.kineticFriction : law.properties.restitution).toPrecision(3));

const materialsOf = ({ shapes }: ContactSystem, { route }: ContactPair): readonly [string, string] => {
  const name = (shape: number): string => shapes[shape].material?.name ?? 'a material without a name';
  return [name(route.a), name(route.b)];
};
