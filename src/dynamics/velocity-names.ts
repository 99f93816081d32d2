/** Who moves with each velocity of a system. */
import type { System } from '../assembly/system.js';
import type { MechanicalSystem } from './mechanical-system.js';
import { nodeNames } from './tree/dynamics-error.js';

/** The joint or body that each velocity belongs to. */
export function velocityNames({ system, derivatives, nv }: MechanicalSystem): string[] {
  const nodes = nodeNames(system).map((name) => name.slice(name.indexOf('.') + 1));
  const free = freeNames(system);
  return Array.from({ length: nv }, (_, k) =>
    k < derivatives.size ? nodes[derivatives.nodeOf[k]] : free[Math.floor((k - derivatives.size) / 6)],
  );
}

const freeNames = ({ bodies, free }: System): string[] => {
  const names: string[] = Array(free.count).fill('');
  for (const { name, anchor } of bodies) if (anchor.node < -1) names[-2 - anchor.node] = name;
  return names;
};
