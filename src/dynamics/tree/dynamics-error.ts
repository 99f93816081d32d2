/** What can go wrong once a model moves: a body without inertia, a loop that cannot close, a user's function that gives NaN. */
import type { BodyPlace, JointPlace, System } from '../../assembly/system.js';
import { ModelError } from '../../errors.js';

/** `path` names the joint, constraint or force element. */
export class DynamicsError extends ModelError {
  constructor(path: string, message: string) {
    super(path, message);
    this.name = 'DynamicsError';
  }
}

/** A state without accelerations: a step that was tried was far too long, or the model has a part without inertia. */
export class NoAccelerationError extends DynamicsError {}

/** A name for each node of the tree: that of its joint, or of the body that floats on it. */
export function nodeNames(system: Pick<System, 'tree' | 'joints' | 'bodies' | 'flexible'>): string[] {
  const names = Array.from({ length: system.tree.count }, (_, i) => `node ${i}`);
  system.bodies.forEach(({ name, anchor }: BodyPlace) => {
    // A floating body hangs on a chain of massless nodes from the ground.
    for (let i = anchor.node; i >= 0 && names[i].startsWith('node '); i = system.tree.parent[i])
      names[i] = `bodies.${name}`;
  });
  system.joints.forEach(({ name, nodes }: JointPlace) => {
    for (const node of nodes) names[node] = `joints.${name}`;
  });
  for (const { name, nodes } of system.flexible ?? [])
    nodes.forEach((node, k) => {
      names[node] = `${name}.deformation.${k + 1}`;
    });
  return names;
}

/** Refuses what a user's function gave, with time and element. */
export function requireFinite(value: number, t: number, name: string, what: string): void {
  if (!Number.isFinite(value))
    throw new DynamicsError(
      name,
      `t = ${t} s: ${what} gave ${value}, expected a finite number; the function must be defined for all times and motions of the run`,
    );
}
