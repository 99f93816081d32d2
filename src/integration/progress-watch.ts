/**
 * Tells a run that gets nowhere from one that is only slow.
 *
 * - A given function that jumps to and fro with the state it drives, such as a force against the velocity that is not zero at rest: 300 steps
 *   cut at its jumps within a millionth of the whole time. A switch that is meant works at no 10 MHz of a run of 30 s.
 * - Anything else: 20 000 tries within a hundred millionth of the whole time, at which rate the run would need 10¹² of them.
 */
const CUTS = 300;
const CUTS_WITHIN = 1e-6;
const TRIES = 20_000;
const TRIES_WITHIN = 1e-8;

export class ProgressWatch {
  /** Function whose jumps are counted, how many, and since when */
  #jumping = -1;
  #cuts = 0;
  #cutsSince = 0;
  /** Tries counted, and since when */
  #tries = 0;
  #triesSince = Number.NEGATIVE_INFINITY;

  /** A step from t was cut at a jump of a function with the state. True if that leads nowhere. @param whole time of the run */
  cut(jumping: number, t: number, whole: number): boolean {
    if (jumping !== this.#jumping || t - this.#cutsSince > CUTS_WITHIN * whole) {
      this.#jumping = jumping;
      this.#cuts = 0;
      this.#cutsSince = t;
    }
    return ++this.#cuts > CUTS;
  }

  /** A step from t was tried. True if that leads nowhere. */
  tried(t: number, whole: number): boolean {
    if (t - this.#triesSince > TRIES_WITHIN * whole) {
      this.#triesSince = t;
      this.#tries = 0;
    }
    return ++this.#tries > TRIES;
  }
}
