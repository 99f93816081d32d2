/** Who sets the length of the steps, in words. */
import type { RunSteps } from './run-steps.js';
import { stateName, stiffestContact } from './state-names.js';

/** What limited or spoilt the last step most; undefined before the first and where steps are fixed */
export function stepSetter({ last }: RunSteps): string | undefined {
  if (!last) return undefined;
  const { mechanics, contacts, integration } = last;
  const { system } = mechanics;
  const limiting = contacts?.limitedBy ?? mechanics.limitedBy;
  if (limiting) return limiting.name;
  const component = integration.worstComponent;
  if (component < 0) return undefined;
  const state = stateName(system, component, contacts);
  const touching = contacts && stiffestContact(system, contacts, state);
  return touching ? `${touching} (${state})` : state;
}
