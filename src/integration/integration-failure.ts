/** Why an integration cannot go on, in words. */
import { type ErrorMeasure, firstNotFinite } from './error-measure.js';
import { IntegrationError } from './integration-error.js';
import type { OneStepMethod } from './one-step-method.js';

/** Why a try was not accepted. */
export type Cause = 'error' | 'iteration' | 'projection' | 'rates' | 'not finite' | 'jump';

export function noProgress(method: OneStepMethod, measure: ErrorMeasure): IntegrationError {
  const { t, h } = method;
  const component = measure.worst(method.error, method.y0, method.y1);
  const message = `the run gets no further: the last steps are ${h.toPrecision(3)} long, most for component ${component}. Look for a jump in the rates there`;
  return new IntegrationError('no progress', t, h, component, message);
}

/** @param given number of the function that the problem was given */
export function chatter({ t, h }: OneStepMethod, given: number): IntegrationError {
  const message = `the run gets no further: given function ${given} jumps to and fro with the state it drives`;
  return new IntegrationError('no progress', t, h, -1, message, given);
}

/**
 * @param size  error of the last try, of what is allowed
 * @param rates at the end of the last try, where they were what was wrong
 */
export function stepTooSmall(
  cause: Cause,
  method: OneStepMethod,
  measure: ErrorMeasure,
  size: number,
  rates: Float64Array,
): IntegrationError {
  const { t, h } = method;
  const component =
    cause === 'error'
      ? measure.worst(method.error, method.y0, method.y1)
      : cause === 'rates'
        ? firstNotFinite(rates)
        : cause === 'not finite'
          ? firstNotFinite(method.y1)
          : -1;
  const where = component >= 0 ? ` in component ${component}` : '';
  const why = {
    error: `the error is still ${size.toPrecision(3)} times what is allowed, mostly${where}`,
    iteration: 'the iteration for the implicit stages does not converge',
    projection: 'the state cannot be put back on its manifold',
    jump: 'the rates jump',
    rates: `the rates are not finite${where}`,
    'not finite': `the rates are not finite${where}`,
  }[cause];
  return new IntegrationError(
    cause === 'rates' || cause === 'not finite' ? 'rates not finite' : 'step too small',
    t,
    h,
    component,
    method.adaptive
      ? `the step fell to ${h.toPrecision(3)}: ${why}. Loosen the tolerances, or look for a jump in the rates there`
      : `a fixed step of ${h} cannot go on: ${why}. Take a shorter step`,
  );
}

export function ratesNotFinite(t: number, rates: Float64Array, component: number): IntegrationError {
  const message = `expected finite rates, got ${rates[component]} for component ${component}`;
  return new IntegrationError('rates not finite', t, 0, component, message);
}
