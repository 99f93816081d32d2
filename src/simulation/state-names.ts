/** The name of an entry of the state, for messages: which body or joint it belongs to. */
import type { System } from '../assembly/system.js';

export function stateName(system: System, index: number): string {
  const { nq, nv, tree, free, joints, bodies, elements } = system;
  if (index >= nq + nv) {
    const state = index - nq - nv;
    const element = elements.find((plan) => plan.kind === 'coordinate' && plan.friction?.state === state);
    return element ? `the friction of ${element.name}` : `element state ${state}`;
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
  // Nodes of a floating root belong to no joint: name the body at the end of the chain.
  for (let i = node; i < tree.count; i++) {
    const body = bodies.find(({ anchor }) => anchor.node === i);
    if (body) return `the ${kind} of body "${body.name}"`;
  }
  return `state ${index}`;
}
