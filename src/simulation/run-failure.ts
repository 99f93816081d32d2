/** Why a run could not go on, in words: names what the integrator could only number, and what usually helps. */
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { IntegrationError } from '../integration/integration-error.js';
import { stateName } from './state-names.js';

const EXPLICIT: readonly string[] = ['dopri5', 'dop853'];

/** @param of what was integrated: the whole or an island */
export function runFailure(
  error: IntegrationError,
  of: { readonly mechanics: MechanicalSystem; readonly contacts: ContactSystem | undefined },
  method: string,
): ModelError {
  const { mechanics, contacts } = of;
  const { reason, component, step, time, given } = error;
  const where = `t = ${Number(time.toPrecision(6))} s`;
  if (given >= 0) {
    const name = mechanics.given!.name(given);
    return new ModelError(
      name,
      `${where}: its function jumps to and fro with the motion it drives, and the run gets no further, with any integrator. For dry friction take ` +
        `${name.startsWith('joints.') ? "the joint's own friction: { limit }" : 'the friction of a joint or of a contact'}, which holds at rest; ` +
        'otherwise let the function change over a range instead of at one value',
    );
  }
  if (reason === 'rates not finite' && mechanics.refused) return new ModelError(where, mechanics.refused.message);
  if (component < 0)
    return new ModelError(where, error.message.slice(error.path.length + 2) + loopsInTheWay(mechanics));
  const state = stateName(mechanics.system, component, contacts);
  return new ModelError(
    where,
    reason === 'rates not finite'
      ? `expected a finite rate of ${state}, got none: does a force grow without bound there?`
      : `${reason === 'no progress' ? 'the run gets no further: steps are down to' : 'step fell to'} ${step.toPrecision(3)} s. ` +
          `The state that resists most is ${state}; a softer spring, a smoother force, a looser rtol ` +
          (EXPLICIT.includes(method) ? "or another integrator ('rodas4', 'radau5') usually helps" : 'usually helps'),
  );
}

/** Joints that close loops, for a step that could not keep them closed */
function loopsInTheWay({ loops, system }: MechanicalSystem): string {
  const names = system.constraints.flatMap(({ name }, i) => (loops.active[i] !== 0 ? [name] : []));
  if (names.length === 0) return '';
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  return (
    `. Loops are closed by ${shown}: if the mechanism is stretched to its full length there, or folded flat, it has nowhere to go: ` +
    'draw it with some slack'
  );
}
