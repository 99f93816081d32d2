import { ModelError } from '../errors.js';

/**
 * The integration cannot go on. Only the owner of the problem knows what a component is called: it catches this and names it.
 */
export class IntegrationError extends ModelError {
  readonly time: number;
  readonly reason: 'step too small' | 'rates not finite' | 'crossing not finite' | 'too many steps' | 'no progress';
  /** Step last tried. */
  readonly step: number;
  /** Component with the largest error, or the first whose rate is not finite; −1: none. */
  readonly component: number;
  /** The given function that stands in the way, −1: none. */
  readonly given: number;
  constructor(
    reason: IntegrationError['reason'],
    time: number,
    step: number,
    component: number,
    message: string,
    given = -1,
  ) {
    super(`t = ${time}`, message);
    this.name = 'IntegrationError';
    this.reason = reason;
    this.time = time;
    this.step = step;
    this.component = component;
    this.given = given;
  }
}
