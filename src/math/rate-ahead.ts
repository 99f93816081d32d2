/**
 * Rate of change of a function of time from values ahead of an instant, for functions that a user wrote and nobody can differentiate:
 *
 *   f' = (4 f(t + h) − 3 f(t) − f(t + 2h))/(2h) + h²/3 f''' ,   rounding 4 ε |f|/h, near 1e-9 |f|/s
 *
 * It looks forward only: what jumped or bent at t or before does not enter, and nothing is asked before the start of a run. h is a power of
 * two, so that t + h has no rounding of its own.
 */
export const AHEAD = 1 / 1048576; // s

export const rateAhead = (here: number, ahead: number, further: number): number =>
  (4 * ahead - 3 * here - further) / (2 * AHEAD);
