/** All that `explain` tells of a model, as plain data: the document of --json. */
import type { Gravity } from '../assembly/system.js';
import { ContactSystem } from '../contact/contact-system.js';
import { ShapeFacts } from '../contact/shape-facts.js';
import { energies } from '../dynamics/analysis.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import { expectedStiffMethod, firstStiffMethod, touchingMethod } from '../integration/method-choice.js';
import { type MethodName, TIME_STEPPING } from '../integration/method-name.js';
import { rotate } from '../math/quaternion.js';
import { add, norm, sub } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { ParameterValue } from '../model/parameters.js';
import { ALL_ROUTES } from '../narrow-phase/routing/routes.js';
import { SignalSampler } from '../simulation/signals.js';
import { Simulation } from '../simulation/simulation.js';
import { type ContactFacts, contactFacts } from './contact-facts.js';
import { type FlexibleFacts, flexibleFacts } from './flexible.js';
import { type FlexibleContactFacts, flexibleContactFacts } from './flexible-contacts.js';
import { restNear, type SmallMotions, type StartFacts, smallMotions, startFacts } from './small-motions.js';
import { type Structure, structureOf } from './structure.js';
import { type ElementFacts, fastestRate, timeScales } from './time-scales.js';

export interface Explanation extends Structure {
  readonly model: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly gravity: { readonly kind: Gravity['kind'] } & Readonly<Record<string, unknown>>;
  /** J, at the start */
  readonly energy: { readonly kinetic: number; readonly potential: number; readonly elastic: number };
  /** `smallMotions` is null where the system is too large for them, or where bodies touch, whose stiffness is another at every depth */
  readonly start: StartFacts & { readonly touching: boolean; readonly smallMotions: SmallMotions | null };
  /** A position of rest, if one was found near a start that is none */
  readonly rest: {
    readonly found: boolean;
    /** Why there is none */
    readonly reason: string | null;
    /** m: the furthest that a body's centre of mass is from its start */
    readonly distance: number | null;
    /** Joint coordinates there, by signal */
    readonly coordinates: Readonly<Record<string, number>>;
    readonly smallMotions: SmallMotions | null;
  };
  /** Bodies that deform */
  readonly flexible: readonly FlexibleFacts[];
  /** Contact of bodies that deform */
  readonly flexibleContacts: readonly FlexibleContactFacts[];
  /** Springs, stops, motors, dampers, fastest first; of those between bodies the 40 stiffest */
  readonly elements: readonly ElementFacts[];
  /** null where nothing can touch anything */
  readonly contact: ContactFacts | null;
  /** Bodies that make their steps together at the start, by name; what meets is joined, what parts is split. null where all make the same steps */
  readonly islands: readonly (readonly string[])[] | null;
  readonly run: RunAdvice;
  readonly signals: readonly { readonly name: string; readonly unit: string; readonly description: string }[];
}

export interface RunAdvice {
  /** s */
  readonly stopTime: number;
  readonly rtol: number;
  /** As the model says, `automatic` unless it does */
  readonly integrator: string;
  /** What suits the time scales found */
  readonly recommended: MethodName;
  readonly reason: string;
  /** 1/s: the fastest rate found, of modes, elements, turning and drives; 0 if there is none */
  readonly fastestRate: number;
  /** s: up to here explicit methods are stable, 3.3/|λ| for DOPRI5; null without a rate */
  readonly explicitStepLimit: number | null;
  /** s: for `verlet`, a twentieth of the shortest period, which leaves 0.4 % in it; null without a rate */
  readonly fixedStep: number | null;
}

/** @param preparing hears what may take seconds */
export function explain(
  name: string,
  model: Model,
  parameters: Readonly<Record<string, ParameterValue>>,
  preparing?: (what: string) => void,
): Explanation {
  // analysed as the error-controlled integrators see it, whatever the run will be
  const { integrator } = model.simulation;
  const simulation = new Simulation(model, {
    ...(integrator === TIME_STEPPING && { integrator: 'automatic' }),
    overlaps: 'told',
    ...(preparing && { preparing }),
  });
  const { mechanics, system, stopTime, rtol, recording } = simulation;
  const y = Float64Array.from(simulation.state);
  mechanics.prepare(0, y);

  const structure = structureOf(model, mechanics);
  const energy = energies(mechanics, 0, y);
  const start = startFacts(mechanics, 0, y);
  const { contacts } = simulation;
  const touching = contacts?.touching ?? false;
  const facts = contacts ? contactFacts(model, system, contacts, mechanics.norm.tolerance.contact) : null;
  const drawnDeep = system.contacts?.told ?? [];
  const first = drawnDeep.length > 0 ? drawnDeep : simulation.warnings; // the speed at which they part goes without saying then
  const contact = facts && { ...facts, warnings: [...new Set([...first, ...facts.warnings])] };
  // What follows is asked of the mechanism without its contacts: differences over 1e-3 m mean nothing to a contact 1e-6 m deep
  const bare = contacts ? new MechanicalSystem(system) : mechanics;
  const q = y.subarray(0, bare.size);
  if (contacts) initialise(bare, 0, q);
  const atStart = touching ? undefined : smallMotions(bare, 0, q, stopTime);
  const elements = timeScales(bare, q);
  const { y: atRest, ...rest } = restOf(model, bare, q, structure, start, stopTime, contacts !== undefined);
  mechanics.prepare(0, y);
  const spin = turning(mechanics, y);
  return {
    model: name,
    title: model.title,
    parameters,
    gravity: describeGravity(system.gravity),
    ...structure,
    energy: { kinetic: energy.kinetic, potential: energy.potential, elastic: energy.elastic },
    start: { ...start, touching, smallMotions: atStart ?? null },
    rest,
    flexible: flexibleFacts(system, { mechanics, start: y, rest: start.equilibrium ? y : atRest, stopTime }),
    flexibleContacts: flexibleContactFacts(model, mechanics),
    elements,
    contact,
    islands: integrator === TIME_STEPPING ? null : islandsOf(simulation),
    run: {
      stopTime,
      rtol,
      integrator: model.simulation.integrator ?? 'automatic',
      ...advice([atStart, rest.smallMotions ?? undefined], elements, contact, spin, stopTime, rtol, bare),
    },
    signals: recording.signals.map((signal) => ({
      name: signal.name,
      unit: signal.unit,
      description: signal.description ?? '',
    })),
  };
}

/** Those that move by themselves: what is fixed or prescribed is in every island */
function islandsOf({ islands, system }: Simulation): Explanation['islands'] {
  if (!islands) return null;
  const all = [...islands.front.islands];
  const shared = (k: number): boolean => all.length > 1 && all.every(({ part }) => part.bodies.includes(k));
  return all.map(({ part }) =>
    [...part.bodies].filter((k) => !system.bodies[k].fixed && !shared(k)).map((k) => system.bodies[k].name),
  );
}

const describeGravity = (gravity: Gravity): Explanation['gravity'] =>
  gravity.kind === 'field' ? { kind: 'field' } : { ...gravity };

function restOf(
  model: Model,
  mechanics: MechanicalSystem,
  y: Float64Array,
  { bodies }: Structure,
  start: StartFacts,
  stopTime: number,
  mayTouch: boolean,
): Explanation['rest'] & { readonly y?: Float64Array } {
  const none = { found: false, distance: null, coordinates: {}, smallMotions: null };
  if (start.equilibrium) return { ...none, reason: 'the start is one' };
  const rest = restNear(mechanics, 0, y);
  if ('reason' in rest)
    return {
      ...none,
      reason: mayTouch ? `${rest.reason} without contact; a run shows where contact holds` : rest.reason,
    };
  if (mayTouch && touchesAt(mechanics, rest.y))
    return {
      ...none,
      reason: 'bodies are in the way of where it would be without contact; a run shows where it stops',
    };
  const sampler = new SignalSampler(model, mechanics, {
    dissipated: 0,
    supplied: 0,
    heldAtStart: 0,
    heats: new Float64Array(0),
  });
  const names = sampler.descriptions.map((signal) => signal.name);
  const rows = [y, rest.y].map((state) => {
    const row = new Float64Array(names.length);
    mechanics.prepare(0, state);
    sampler.sample(0, state, row);
    return row;
  });
  let distance = 0;
  for (const { name, centreOfMass } of bodies) {
    const at = names.indexOf(`${name}.position.x`);
    const [before, after] = rows.map((row) =>
      add(
        [row[at], row[at + 1], row[at + 2]],
        rotate([row[at + 3], row[at + 4], row[at + 5], row[at + 6]], centreOfMass),
      ),
    );
    distance = Math.max(distance, norm(sub(after, before)));
  }
  const coordinates: Record<string, number> = {};
  for (const [i, { name, unit }] of sampler.descriptions.entries()) {
    const dot = name.lastIndexOf('.');
    if (model.joints.has(name.slice(0, dot)) && (unit === 'rad' || unit === 'm')) coordinates[name] = rows[1][i];
  }
  const motions = smallMotions(mechanics, 0, rest.y, stopTime) ?? null;
  return { found: true, reason: null, distance, coordinates, smallMotions: motions, y: rest.y };
}

/** Whether bodies touch or overlap at a state of the bare mechanism. */
function touchesAt({ system }: MechanicalSystem, state: Float64Array): boolean {
  const mechanics = new MechanicalSystem(system, { reservedStates: 10 * (system.contacts!.shapes.length + 2) });
  const y = new Float64Array(mechanics.size);
  y.set(state);
  const contacts = new ContactSystem(system, mechanics, ShapeFacts.of(system, ALL_ROUTES));
  try {
    contacts.start(0, y);
  } catch (error) {
    if (error instanceof ModelError) return true; // deep inside each other
    throw error;
  }
  return contacts.touching;
}

/** rad/s: the fastest turning body at the start */
function turning(mechanics: MechanicalSystem, y: Float64Array): number {
  mechanics.update(0, y);
  const { twist, ground } = mechanics.carriers;
  let most = 0;
  for (let i = 0; i < ground; i++) most = Math.max(most, Math.hypot(twist[6 * i], twist[6 * i + 1], twist[6 * i + 2]));
  return most;
}

/** Damping ratio from which a motion dies out before it is worth resolving */
const OVERDAMPED = 0.5;
/** So does one that has fallen to 1/e so many times before the run ends: most of it is made without */
const LIFETIMES = 50;
/** A method that stability bounds is slower than a stiff one from about this ratio of rates on: a stiff step costs some ten evaluations. */
const STIFF = 30;
/** Stability of DOPRI5 on the negative real axis, h |λ| (Hairer & Wanner, Solving ODEs II, §IV.2) */
const DOPRI5_LIMIT = 3.3;

/** Rates that must be followed (what does not die out early, turning) against those that only bound the step of an explicit method. */
function advice(
  motions: readonly (SmallMotions | undefined)[],
  elements: readonly ElementFacts[],
  contact: ContactFacts | null,
  spin: number,
  stopTime: number,
  rtol: number,
  { size, timeDependent, drivenStraight, system }: MechanicalSystem,
): Omit<RunAdvice, 'stopTime' | 'rtol' | 'integrator'> {
  let followed = Math.max(spin, (2 * Math.PI) / stopTime);
  let decaying = 0;
  for (const { real, imaginary, damping } of motions.flatMap((found) => found?.modes ?? [])) {
    const rate = Math.hypot(real, imaginary);
    if (damping < OVERDAMPED && -real * stopTime < LIFETIMES) followed = Math.max(followed, rate);
    else decaying = Math.max(decaying, rate);
  }
  const fastestElement = Math.max(0, ...elements.map(fastestRate));
  const found = Math.max(decaying, fastestElement, spin, ...motions.flatMap((all) => all?.modes ?? []).map(rateOf));
  const steps = contact?.kinds.flatMap(({ facts }) => facts?.fixedStep ?? []) ?? [];
  if (steps.length > 0) {
    const hollow = contact!.kinds.some(({ facts }) => facts?.hollow);
    const step = steps.reduce((least, x) => Math.min(least, x));
    // a contact of half a period π/ω
    const rate = Math.max(found, Math.PI / (20 * step));
    return {
      fastestRate: rate,
      explicitStepLimit: DOPRI5_LIMIT / rate,
      fixedStep: found > 0 ? Math.min(step, (2 * Math.PI) / (20 * found)) : step,
      recommended: touchingMethod(timeDependent, drivenStraight, hollow),
      reason:
        timeDependent && !drivenStraight
          ? 'bodies may touch that are driven: stages that are solved for stay on the surface as it moves'
          : hollow
            ? 'bodies may touch in hollows: stages that are solved for stay on the surface as it bends'
            : 'bodies may touch, and contact is stiff; its exact derivatives make steps long where they rest',
    };
  }
  const bounds =
    found > 0
      ? { explicitStepLimit: DOPRI5_LIMIT / found, fixedStep: (2 * Math.PI) / (20 * found) }
      : { explicitStepLimit: null, fixedStep: null };
  const ratio = decaying / followed;
  const stiff = ratio > STIFF;
  const exact = rtol <= 1e-8;
  // What only comes to rest is there in a few steps, and no other stiff method would pay
  const lasting = timeDependent || followed > (2 * Math.PI) / stopTime;
  const stiffMethod = lasting ? expectedStiffMethod(size, timeDependent, rtol) : firstStiffMethod(timeDependent);
  return {
    fastestRate: found,
    ...bounds,
    recommended: stiff ? stiffMethod : exact ? 'dop853' : 'dopri5',
    reason: stiff
      ? `damped motions are ${Number(ratio.toPrecision(2))} times faster than those worth following, and would bound the step of an explicit method`
      : exact
        ? 'nothing is stiff at the start, and order 8 pays at this tolerance; automatic stays with dopri5'
        : system.flexible?.length
          ? 'nothing is stiff as long as all modes of what is flexible are followed; automatic changes to a stiff method where the fast ones hardly move'
          : 'nothing is stiff at the start',
  };
}

const rateOf = ({ real, imaginary }: { real: number; imaginary: number }): number => Math.hypot(real, imaginary);
