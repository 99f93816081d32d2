/** The name of an entry of the state, for messages: which body, joint or contact it belongs to. */
import type { System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';

export function stateName(system: System, index: number, contacts?: ContactSystem): string {
  const { nq, nv, tree, free, joints, bodies, elements } = system;
  if (index >= nq + nv) {
    const pair = contacts?.pairs.find(({ stateAt, states }) => index >= stateAt && index < stateAt + states);
    if (pair) return `the friction of contact ${pair.name}`;
    const state = index - nq - nv;
    const element = elements.find((plan) => plan.kind === 'coordinate' && plan.friction?.state === state);
    if (element) return `the friction of ${element.name}`;
    const own = elements.find(
      (plan) => plan.kind === 'own' && state >= plan.state && state < plan.state + plan.states.length,
    );
    return own?.kind === 'own' ? `"${own.states[state - own.state].name}" of ${own.name}` : `element state ${state}`;
  }
  const velocity = index >= nq;
  const kind = velocity ? 'speed' : 'position';
  const local = velocity ? index - nq : index;
  const treeSize = velocity ? nv - 6 * free.count : nq - 7 * free.count;
  if (local >= treeSize) {
    const carrier = -2 - Math.floor((local - treeSize) / (velocity ? 6 : 7));
    const body = bodies.find(({ anchor }) => anchor.node === carrier);
    return `the ${kind} of body "${body?.name ?? '?'}"`;
  }
  const first = velocity ? tree.v : tree.q;
  let node = -1;
  for (let i = 0; i < tree.count; i++) if (first[i] >= 0 && first[i] <= local) node = i;
  const joint = joints.find(({ nodes }) => nodes.includes(node));
  if (joint) return `the ${kind} of joint "${joint.name}"`;
  for (const { name, nodes } of system.flexible ?? [])
    if (nodes.includes(node))
      return `the ${velocity ? 'rate of ' : ''}deformation ${nodes.indexOf(node) + 1} of ${name}`;
  // Nodes of a floating root belong to no joint: name the body at the end of the chain.
  for (let i = node; i < tree.count; i++) {
    const body = bodies.find(({ anchor }) => anchor.node === i);
    if (body) return `the ${kind} of body "${body.name}"`;
  }
  return `state ${index}`;
}

/** The stiffest contact of the body that a state's name tells of; undefined if it touches nothing */
export function stiffestContact(system: System, contacts: ContactSystem, state: string): string | undefined {
  let found: ContactPair | undefined;
  for (const pair of contacts.pairs) {
    const concerned = contacts.bodiesOf(pair).some((body) => state.endsWith(`body "${system.bodies[body].name}"`));
    if (pair.touching && concerned && !(found && found.law.stiffness >= pair.law.stiffness)) found = pair;
  }
  return found?.name;
}
