/** What accepted steps have shown of a contact of flexible bodies. */
import type { LocalContact } from '../../flexible-bodies/contact/local-contact.js';

/** Friction below this part of what presses decides nothing. */
const IN_PLAY = 0.02;

/**
 * How often the two came together, the deepest in m and the largest force in N that presses them, and when, s; half-width of that contact in sides of the mesh where one of them is round, else 0
 */
export interface Seen {
  touches: number;
  depth: number;
  depthTime: number;
  force: number;
  forceTime: number;
  widthInSides: number;
}

export class SeenContact {
  figures: Seen = { touches: 0, depth: 0, depthTime: 0, force: 0, forceTime: 0, widthInSides: 0 };
  /** Friction held or slowed something. */
  rubbed = false;

  /**
   * An accepted step ended at t.
   *
   * @param began    they did not touch before it
   * @param force    that presses, N
   * @param bristles stretches, from `at` on
   */
  watch(t: number, began: boolean, force: number, local: LocalContact, bristles: Float64Array, at: number): void {
    const { figures } = this;
    // what touches from the start has come, too
    if (began || (figures.touches === 0 && local.deepest > 0)) figures.touches++;
    if (local.deepest > figures.depth) {
      figures.depth = local.deepest;
      figures.depthTime = t;
    }
    if (force > figures.force) {
      figures.force = force;
      figures.forceTime = t;
      figures.widthInSides = local.widthInSides;
    }
    const { friction } = local;
    if (!friction || this.rubbed || !(force > 0)) return;
    for (let k = 0; k < friction.stiffness.length; k++)
      if (Math.abs(friction.stiffness[k] * bristles[at + k]) > IN_PLAY * force) this.rubbed = true;
  }

  snapshot(): unknown {
    return { ...this.figures, rubbed: this.rubbed };
  }

  restore(snapshot: unknown): void {
    const { rubbed, ...figures } = snapshot as Seen & { rubbed?: boolean };
    this.figures = figures;
    this.rubbed = rubbed ?? false;
  }
}
