/**
 * The time scale of each elastic or damping element: the frequency at which the mechanism would swing on it alone,
 *
 *   ω² = k/m,   m the inertia felt along the element with all loops closed
 *
 * For a force along a joint m is 1/(M⁻¹)_kk. For elements between bodies ω² is the largest eigenvalue of ∂a/∂q with nothing else acting,
 * by a power iteration on differences of the accelerations; likewise d/m of ∂a/∂v.
 */
import { type ElementPlan, NODE, type System } from '../assembly/system.js';
import { FeltInertia } from '../dynamics/loops/felt-inertia.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';

export interface ElementFacts {
  /** `joints.hinge` or `forces.rope` */
  readonly name: string;
  readonly what:
    | 'spring'
    | 'damper'
    | 'end stop'
    | 'stuck friction'
    | 'motor'
    | 'line force'
    | 'bushing'
    | 'applied force';
  /** As given in the model; null where only a function of the user's knows */
  readonly stiffness: number | null;
  readonly unit: string;
  /** rad/s; 0 if it does not push back */
  readonly rate: number;
  /** s: the period 2π/ω; of an end stop the time in touch π/ω */
  readonly timeScale: number | null;
  /** 1/s: d/m */
  readonly decay: number;
}

/** No more elements than this are tried: the stiffest by their own number, of each kind. */
const MOST_TRIED = 40;

/** Fastest first. `mechanics` must have been initialised at (0, y). */
export function timeScales(mechanics: MechanicalSystem, y: Float64Array): ElementFacts[] {
  const facts = [...alongJoints(mechanics, y), ...betweenBodies(mechanics.system, y)];
  // Equal ones in the order of the model: rounding must not shuffle them
  const rounded = (element: ElementFacts): number => Number(fastestRate(element).toPrecision(6));
  return facts.sort((a, b) => rounded(b) - rounded(a));
}

export const fastestRate = ({ rate, decay }: ElementFacts): number => Math.max(rate, decay);

function alongJoints(mechanics: MechanicalSystem, y: Float64Array): ElementFacts[] {
  const { loops, system, jointForces } = mechanics;
  if (jointForces.length === 0) return [];
  mechanics.prepare(0, y);
  if (loops.kept.length > 0) loops.factorise();
  const felt = new FeltInertia(system, loops, mechanics.derivatives.size);
  felt.prepare();
  return jointForces.flatMap(({ name, plan, velocity }) => {
    const slides = system.tree.kind[system.tree.v.indexOf(velocity)] === NODE.prismatic;
    const unit = slides ? 'N/m' : 'N m/rad';
    const facts = (what: ElementFacts['what'], stiffness: number, damping: number): ElementFacts[] => {
      const inertia = felt.of(velocity, stiffness);
      const rate = Math.sqrt(stiffness / inertia);
      const turn = what === 'end stop' ? Math.PI : 2 * Math.PI;
      return stiffness > 0 || damping > 0
        ? [{ name, what, stiffness, unit, rate, timeScale: rate > 0 ? turn / rate : null, decay: damping / inertia }]
        : [];
    };
    return [
      ...facts(plan.stiffness > 0 ? 'spring' : 'damper', plan.stiffness, plan.damping),
      ...facts('end stop', plan.stops?.stiffness ?? 0, 0),
      ...facts('stuck friction', plan.friction?.stiffness ?? 0, 0),
      ...facts('motor', plan.motor?.kp ?? 0, plan.motor?.kd ?? 0),
    ];
  });
}

function betweenBodies(system: System, y: Float64Array): ElementFacts[] {
  // Contact of flexible bodies has a section of its own
  const plans = system.elements.filter(
    (plan) =>
      plan.kind !== 'coordinate' && plan.kind !== 'flexibleContact' && !(plan.kind === 'applied' && plan.onlyTime),
  );
  // Else the fastest mode of a part that deforms would be taken for each of them
  const flexible = system.flexible?.map((node) => ({
    ...node,
    stiffness: new Float64Array(node.stiffness.length),
    damping: new Float64Array(node.damping.length),
    spans: node.spans.map((span) => ({ ...span, stiffness: 0 })),
  }));
  const stiffest = plans
    .map((plan) => ({ plan, stiffness: nominal(plan) }))
    .sort((a, b) => (b.stiffness ?? Number.MAX_VALUE) - (a.stiffness ?? Number.MAX_VALUE))
    .slice(0, MOST_TRIED);
  const still = Float64Array.from(y);
  still.fill(0, system.nq, system.nq + system.nv);
  return stiffest.map(({ plan, stiffness }): ElementFacts => {
    const alone = new MechanicalSystem({
      ...system,
      ...(flexible && { flexible }),
      elements: [plan],
      gravity: { kind: 'uniform', acceleration: [0, 0, 0] },
    });
    alone.prepare(0, still);
    const rate = Math.sqrt(largest(alone, still, 'positions'));
    return {
      name: plan.name,
      what:
        plan.kind === 'line'
          ? plan.law
            ? 'line force'
            : 'spring'
          : plan.kind === 'bushing'
            ? 'bushing'
            : 'applied force',
      stiffness,
      unit: 'N/m',
      rate,
      timeScale: rate > 0 ? (2 * Math.PI) / rate : null,
      decay: largest(alone, still, 'velocities'),
    };
  });
}

const nominal = (plan: ElementPlan): number | null => {
  if (plan.kind === 'line') return plan.law ? null : plan.stiffness;
  return plan.kind === 'bushing' ? Math.max(...plan.stiffness.slice(0, 3)) : null;
};

/** |largest eigenvalue| of the accelerations by positions or by velocities; 0 if they do not depend on them. */
function largest(mechanics: MechanicalSystem, y: Float64Array, by: 'positions' | 'velocities'): number {
  const { nq, nv, size } = mechanics;
  // No two directions with the same share (golden section), so that no difference of two is missed
  let x = Float64Array.from({ length: nv }, (_, i) => ((i + 1) * 0.6180339887498949) % 1);
  const moved = new Float64Array(size);
  const rates = new Float64Array(size);
  let estimate = 0;
  for (let step = 0; step < 30; step++) {
    const length = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (!(length > 0)) return 0;
    const h = (by === 'positions' ? 1e-5 : 1e-3) / length;
    const image = new Float64Array(nv);
    for (const sign of [1, -1]) {
      moved.set(y);
      if (by === 'positions') mechanics.displace(moved, x, 0, sign * h);
      else for (let k = 0; k < nv; k++) moved[nq + k] += sign * h * x[k];
      mechanics.rates(0, moved, rates);
      for (let k = 0; k < nv; k++) image[k] += (sign * rates[nq + k]) / (2 * h);
    }
    const grown = image.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / length;
    const converged = Math.abs(grown - estimate) < 1e-9 * grown;
    estimate = grown;
    if (converged) break;
    x = image;
  }
  // Differences of accelerations that rounding alone makes
  return estimate > 1e-9 ? estimate : 0;
}
