/** What is recorded of a body that deforms: its coordinates, its strain energy, and the largest stress with its place. */
import { NODE, type System } from '../assembly/system.js';
import type { FlexibleContact } from '../dynamics/flexible-contact.js';
import type { FlexibleInertia } from '../dynamics/flexible-inertia.js';
import { nodalStress, vonMises } from '../flexible-bodies/fem/stress.js';
import type { SignalDescription } from '../results/recording.js';
import { coordinateNames } from '../results/scene/flexible-scene.js';

type Writer = (t: number, y: Float64Array, out: Float64Array, at: number) => void;

/** @param contacts of flexible bodies: where they press this one its stress has a local part that no coordinate has */
export function flexibleSignals(
  flexible: FlexibleInertia,
  { tree }: System,
  contacts: readonly FlexibleContact[] = [],
): { signals: SignalDescription[]; write: Writer } {
  const { plan, count, nodes, coordinate } = flexible;
  const { mesh, stresses, material } = plan.part;
  const name = plan.name.slice(plan.name.indexOf('.') + 1);
  const across = material.strain ? material.poissonRatio : 0;
  const signals: SignalDescription[] = [
    ...coordinateNames(name, count).map((signal, k) => ({
      name: signal,
      unit: tree.kind[nodes[k]] === NODE.revolute ? 'rad' : 'm',
      description: 'coordinate of its deformation',
    })),
    { name: `${name}.strainEnergy`, unit: 'J', description: 'of its deformation' },
    { name: `${name}.stress.largest`, unit: 'Pa', description: 'largest von Mises stress of all nodes' },
    { name: `${name}.stress.x`, unit: 'm', description: 'where, in the plane of the outline' },
    { name: `${name}.stress.y`, unit: 'm', description: 'where, in the plane of the outline' },
  ];
  const sum = new Float64Array(3 * mesh.nodeCount);
  const mine = contacts.filter(({ plan: { flexible: names } }) => names.includes(plan.name));
  const load = new Float64Array(mine.length > 0 ? 2 * mesh.nodeCount : 0);
  /** Stress of the local deformation where others press */
  const addPressed = (t: number, y: Float64Array): void => {
    load.fill(0);
    let pressed = false;
    for (const contact of mine) if (contact.addNodalForces(t, y, plan.name, load)) pressed = true;
    if (!pressed) return;
    plan.part.residual(load);
    const local = nodalStress(mesh, material, load);
    for (let i = 0; i < sum.length; i++) sum[i] += local[i];
  };
  return {
    signals,
    write: (t, y, out, at) => {
      sum.fill(0);
      for (let k = 0; k < count; k++) {
        const q = y[coordinate[k]];
        out[at + k] = q;
        const own = stresses[k];
        if (q !== 0) for (let i = 0; i < sum.length; i++) sum[i] += q * own[i];
      }
      addPressed(t, y);
      let most = -1;
      let where = 0;
      for (let i = 0; i < mesh.nodeCount; i++) {
        const stress = vonMises(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2], across);
        if (stress > most) {
          most = stress;
          where = i;
        }
      }
      out[at + count] = flexible.strainEnergy();
      out[at + count + 1] = most;
      out[at + count + 2] = mesh.points[2 * where];
      out[at + count + 3] = mesh.points[2 * where + 1];
    },
  };
}
