/**
 * A step whose work adds up. What bodies gain must be what forces put in, less what became heat; a step over which it is not was wrong, whatever its error estimate said: over
 * something that none of its stages saw, such as a force that a user wrote and that jumps. It is taken back and tried with a quarter of its length, as long as that helps.
 *
 * Of the energy that moved so far a step may be wrong by 1e-3; the steps of all examples stay below 4e-4. And by five times what errors of places and speeds that the tolerance
 * allows amount to: what has just begun to move has moved little energy. The book itself may be what is wrong: a step that is no better when shorter is left.
 */
import type { Integration } from '../integration/integration.js';
import type { EnergyBook } from './energy-book.js';

/** Of the energy that moved */
const MOST = 1e-3;
/** Of what the tolerance allows */
const MOST_ALLOWED = 5;
const SHORTER = 0.25;
const MOST_TIMES = 4;

/**
 * One accepted step, not beyond `limit`, and booked
 *
 * @param look finds at the integration's state what the book reads
 */
export function believedStep(integration: Integration, book: EnergyBook, limit: number, look: () => void): void {
  let before = Number.POSITIVE_INFINITY;
  for (let times = 0; ; times++) {
    integration.step(limit);
    look();
    book.step(integration);
    const { lastError: error } = book;
    if (!(error > MOST * book.scale && error > MOST_ALLOWED * book.allowedError)) return;
    if (times === MOST_TIMES || error > 0.5 * before || !integration.takeBack(SHORTER)) return;
    before = error;
    look();
    book.takeBack(integration.t, integration.y);
  }
}
