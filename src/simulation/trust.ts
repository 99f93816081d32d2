/** How far a run can be trusted: energy ledger, momentum, loops, steps, and who made them small. */
import type { System } from '../assembly/system.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { constraintDrift, degreesOfFreedom, redundancy } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Statistics } from '../integration/statistics.js';
import type { TrustReport } from '../results/trust-report.js';
import type { TrustLedger } from './run-ledger.js';
import { stateName } from './state-names.js';

/** What a run knows of itself at its end. */
export interface RunFacts {
  readonly mechanics: MechanicalSystem;
  readonly contacts?: ContactSystem | undefined;
  readonly system: System;
  readonly statistics: Statistics;
  readonly time: number;
  readonly state: Float64Array;
  readonly method: string;
  readonly rtol: number;
  /** Why it ended before its time */
  readonly interruption?: string | undefined;
}

/** Where nothing moves, an error is compared with the bodies lifted by a thousandth of their size, J. */
function leastEnergy({ bodies, gravity }: System): number {
  if (gravity.kind !== 'uniform') return 0;
  const [x, y, z] = gravity.acceleration;
  let sum = 0;
  for (const { mass, size, fixed } of bodies) if (!fixed) sum += mass * size;
  return 1e-3 * Math.sqrt(x * x + y * y + z * z) * sum;
}

export function trustReport(run: RunFacts, energy: TrustLedger): TrustReport {
  const { mechanics, contacts, system, statistics, time, state, method, rtol } = run;
  const [kinetic, potential, elastic] = energy.parts;
  energy.at(time);
  const dissipated = energy.dissipated - energy.held + energy.heldAtStart;
  const error = kinetic + potential + elastic + dissipated - energy.supplied - energy.initial;
  const drift = constraintDrift(mechanics, time, state);
  const redundant = redundancy(mechanics).filter(({ rows, independent }) => independent < rows);
  return {
    energy: {
      kinetic,
      potential,
      elastic,
      dissipated,
      putIn: energy.supplied,
      error,
      relativeError: energy.scale > 0 ? energy.worst / Math.max(energy.scale, leastEnergy(system)) : 0,
    },
    ...(drift.length > 0 && {
      constraints: {
        position: Math.max(...drift.map(({ position }) => position)),
        velocity: Math.max(...drift.map(({ velocity }) => velocity)),
      },
    }),
    steps: {
      accepted: statistics.accepted,
      rejected: statistics.rejected,
      smallest: statistics.smallestStep,
      smallestAt: statistics.smallestStepTime,
      ...(statistics.smallestStepComponent >= 0 && {
        smallestCausedBy: stateName(system, statistics.smallestStepComponent),
      }),
    },
    integrator: {
      method,
      rtol,
      evaluations: statistics.evaluations,
      linearisations: statistics.linearisations,
      factorisations: statistics.factorisations,
      switches: statistics.switches.map(({ t, from, to, reason }) => ({ t, from, to, reason })),
    },
    degreesOfFreedom: degreesOfFreedom(mechanics),
    ...(contacts && { contacts: { regions: contacts.regions, frictionHeat: energy.friction } }),
    notes: [
      ...(run.interruption === undefined ? [] : [`ended before its time: ${run.interruption}`]),
      ...redundant.map(
        ({ constraint, rows, independent }) =>
          `${constraint} repeats what other joints say already (${rows - independent} of its ${rows} rows): the motion is right, but how ` +
          'the joints share the reaction is not unique',
      ),
      ...(contacts ? contactNotes(contacts) : []),
    ],
  };
}

/** What was not known of bodies that came near each other and had to be guessed, once per pair of materials. */
function contactNotes(contacts: ContactSystem): string[] {
  const notes = new Map<string, string>();
  for (const { name, law, route } of contacts.met) {
    const [a, b] = [route.a, route.b].map(
      (shape) => contacts.shapes[shape].material?.name ?? 'a material without a name',
    );
    const key = [a, b].sort().join(' ');
    const { guessed, kineticFriction, restitution } = law.properties;
    const missing: string[] = guessed.map(
      (what) => `${what} (${Number((what === 'friction' ? kineticFriction : restitution).toPrecision(3))} taken)`,
    );
    if (missing.length > 0 && !notes.has(key))
      notes.set(
        key,
        `${missing.join(' and ')} of ${a} on ${b}, such as ${name}, ${missing.length > 1 ? 'are' : 'is'} a guess`,
      );
    for (const material of law.assumed)
      notes.set(
        `stiffness ${material}`,
        `stiffness of ${material === 'first' || material === 'second' ? `a material of ${name}` : material} is not known: 2 GPa taken`,
      );
  }
  return [...notes.values()];
}
