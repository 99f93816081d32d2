/** What of the contacts deserves a second look before a run. */
import { quantity } from '../math/quantity.js';
import * as format from './format.js';
import type { PairKind } from './pair-facts.js';

/** Deeper at rest than this part of a body, and its drawing no longer says where it is. */
const DEEP = 0.01;
/** s: shorter impacts at 1 m/s make a run that takes minutes of small steps */
const SHORT = 1e-5;

export function contactWarnings(kinds: readonly PairKind[]): string[] {
  const warnings = new Map<string, string>();
  const warn = (key: string, text: string): void => {
    if (!warnings.has(key)) warnings.set(key, text);
  };
  for (const { between, facts, example, refused } of kinds) {
    const who = `${example[0]}–${example[1]}`;
    if (!facts) {
      warn(who, `${who} cannot touch: ${refused}`);
      continue;
    }
    const { guessed, friction, restitution, materials, assumedStiffness, depthShare, depthAt, contactTime } = facts;
    // Where both sides are the same group of bodies, two of it
    const [first, second] = [between[0][0], between[1].find((name) => name !== between[0][0]) ?? between[1][0]];
    const pair = (what: string) => `contacts: { pairs: [{ between: ['${first}', '${second}'], ${what} }] }`;
    if (guessed.length > 0) {
      const values = { friction: friction.kinetic, restitution: restitution ?? 0 };
      const words = guessed.map((what) => `${what} (${format.number(values[what], 3)})`).join(' and ');
      warn(
        `guess ${[...materials].sort().join(' ')}`,
        `${words} of ${materials.join(' on ')} ${guessed.length > 1 ? 'are guesses' : 'is a guess'}: give ${pair(guessed.map((what) => `${what}: …`).join(', '))}`,
      );
    }
    for (const name of new Set(assumedStiffness))
      warn(
        `stiffness ${name}`,
        `the stiffness of ${name} is not known, that of a hard polymer (2 GPa) was taken: give "youngsModulus" in the material`,
      );
    if (depthAt === 'rest' && depthShare > DEEP)
      warn(
        `deep ${who}`,
        `${who}: ${format.number(100 * depthShare, 2)} % of the smaller body sink into the other at rest; give a stiffer material or law if they are hard`,
      );
    if (contactTime < SHORT)
      warn(
        `stiff ${who}`,
        `${who} is stiff and light, an impact at 1 m/s takes ${quantity(contactTime, 's', 2)}; if what happens within an impact does not ` +
          `matter, ${pair('reducedModulus: …')} with a smaller one makes the run faster`,
      );
  }
  return [...warnings.values()];
}
