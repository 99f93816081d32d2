/**
 * On which of the two bodies of a contact a viewer shows the force: on the second, as recorded, unless that one is fixed and the
 * first is not. What a floor does to a ball is what one wants to see, whatever the order of the pair.
 */
import { pairNames } from '../contact-records.js';
import type { Scene } from '../scene.js';

/** For each pair by its number: 1 if the recorded force is shown, −1 if its opposite. */
export function shownSides({ bodies }: Scene, labels: readonly string[]): Int8Array {
  const fixed = new Set(bodies.filter((body) => body.fixed).map(({ name }) => name));
  return Int8Array.from(labels, (label) => {
    const [a, b] = pairNames(label);
    return fixed.has(b) && !fixed.has(a) ? -1 : 1;
  });
}
