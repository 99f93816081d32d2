/** How far a run can be trusted: energy ledger, momentum, loops, steps, and who made them small. */
import type { System } from '../assembly/system.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { constraintDrift, degreesOfFreedom, redundancy } from '../dynamics/analysis.js';
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Statistics } from '../integration/statistics.js';
import { quantity } from '../math/quantity.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import type { AttitudeError, EnergyLedger, TrustReport } from '../results/trust-report.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';
import type { DepthWatch } from './deepest-contact.js';
import type { IslandCounts } from './front.js';
import type { GrainRun } from './grain-run.js';
import { decisiveGuesses, guessNotes } from './guesses.js';
import { rollingNote } from './rolling-note.js';
import type { TrustLedger } from './run-ledger.js';
import { softenedNote } from './softened.js';
import { stateName } from './state-names.js';
import type { Doubts } from './strain-range.js';
import { type Guess, verdictOf } from './verdict.js';

/** What a run knows of itself at its end. */
export interface RunFacts {
  readonly model: Model;
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
  /** Who makes the steps short */
  readonly holdUp?: string | undefined;
  readonly recording: Recording;
  /** Where steps have a known length */
  readonly stepping?: TimeStepping | undefined;
  /** Where islands have their own steps */
  readonly islandCounts?: IslandCounts | undefined;
  readonly grains?: GrainRun | undefined;
}

/** What was watched on the way. */
export interface Watched {
  readonly energy: TrustLedger;
  readonly depths: DepthWatch;
  /** Events that have not happened and whose condition is met: since the start, or not */
  readonly heldBack: readonly string[];
  readonly metAtStart: readonly string[];
  readonly failed: boolean;
  /** Of bodies that deform, where there are any */
  readonly flexible?: Doubts | undefined;
}

/** How grains move; where no body does, that is all there is (grains/grain-bed.ts) */
const LEAPFROG = 'leapfrog';

/** Where nothing moves, an error is compared with the bodies lifted by a thousandth of their size, J. */
function leastEnergy({ bodies, gravity }: System): number {
  if (gravity.kind !== 'uniform') return 0;
  const [x, y, z] = gravity.acceleration;
  let sum = 0;
  for (const { mass, size, fixed } of bodies) if (!fixed) sum += mass * size;
  return 1e-3 * Math.sqrt(x * x + y * y + z * z) * sum;
}

export function trustReport(run: RunFacts, watched: Watched): TrustReport {
  const { mechanics, contacts, system, statistics, time, state, method, rtol } = run;
  const { energy, depths } = watched;
  const ledger = energyLedger(energy, mechanics, time);
  const { deepest } = depths;
  const drift = constraintDrift(mechanics, time, state);
  const { attitude } = attitudeOf(mechanics);
  const soft = flexibleContacts(mechanics);
  const redundant = redundancy(mechanics).filter(({ rows, independent }) => independent < rows);
  const grainsAlone = run.grains && system.initial.length === 0 ? run.grains : undefined;
  return {
    verdict: verdictOf({
      ...watched,
      energy: ledger,
      deepest,
      softened: depths.softened,
      drawn: depths.drawn && { ...depths.drawn, share: depths.drawn.energy / movedEnergy(energy, mechanics) },
      attitude: attitude && { error: attitude.largest, body: attitude.body },
      grains: run.grains?.overlaps,
      made: mostMade(mechanics, movedEnergy(energy, mechanics)),
      steps: run.stepping && {
        share:
          Math.max(Math.abs(energy.fromSteps ?? 0), run.stepping.account.takenBack) / movedEnergy(energy, mechanics),
        loses: (energy.fromSteps ?? 0) + run.stepping.account.takenBack < 0,
        most: Math.abs(energy.mostFromSteps ?? 0) / movedEnergy(energy, mechanics),
        modes: run.stepping.account.modes / movedEnergy(energy, mechanics),
        unsolved: run.stepping.unsolved / Math.max(1, run.stepping.solutions),
      },
      strained: watched.flexible?.doubtful ?? [],
      guesses: [
        ...(contacts ? decisiveGuesses(system, contacts, depths, run.recording) : []),
        ...flexibleGuesses(mechanics),
      ],
    }),
    energy: ledger,
    ...(drift.length > 0 && {
      constraints: {
        position: Math.max(...drift.map(({ position }) => position)),
        velocity: Math.max(...drift.map(({ velocity }) => velocity)),
      },
    }),
    ...(attitude && { attitude }),
    ...(grainsAlone
      ? {
          steps: { accepted: grainsAlone.steps, rejected: 0, smallest: grainsAlone.step, smallestAt: 0 },
          integrator: { method: LEAPFROG },
        }
      : {
          steps: {
            accepted: statistics.accepted,
            rejected: statistics.rejected,
            smallest: statistics.smallestStep,
            smallestAt: statistics.smallestStepTime,
            ...(statistics.smallestStepComponent >= 0 && {
              smallestCausedBy: stateName(system, statistics.smallestStepComponent, contacts),
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
        }),
    ...(run.islandCounts && { islands: { ...run.islandCounts } }),
    ...(run.grains && { grains: run.grains.report }),
    ...((contacts || soft.length > 0) && {
      contacts: {
        regions: soft.reduce((sum, { touches }) => sum + touches, contacts?.regions ?? 0),
        frictionHeat: energy.friction,
        ...(deepest && { deepest }),
        ...(soft.length > 0 && { flexible: soft }),
      },
    }),
    notes: [
      ...(run.interruption === undefined
        ? []
        : [`ended before its time: ${run.interruption}${run.holdUp ? `; ${run.holdUp}` : ''}`]),
      ...redundantNote(redundant),
      ...steppingNotes(run.stepping, ledger, movedEnergy(energy, mechanics)),
      ...(watched.flexible?.notes ?? []),
      ...narrowNotes(soft),
      ...rattleNotes(mechanics),
      ...(run.grains?.remarks ?? []),
      ...(contacts ? [...softenedNote(contacts), ...rollingNote(mechanics, contacts), ...guessNotes(contacts)] : []),
    ],
  };
}

/** One for all: a flat linkage has as many as it has loops. */
function redundantNote(redundant: ReturnType<typeof redundancy>): string[] {
  if (redundant.length === 0) return [];
  const [{ constraint, rows, independent }, ...more] = redundant;
  const told = more.slice(0, MOST_TOLD).map((one) => one.constraint);
  const rest = more.length > told.length ? `, … (${more.length})` : '';
  return [
    `${constraint} repeats what other joints say already (${rows - independent} of its ${rows} rows)${told.length > 0 ? `, and so do ${told.join(', ')}${rest}` : ''}: ` +
      'the motion is right, but how the joints share the reaction is not unique',
  ];
}
const MOST_TOLD = 5;

/** The element that gave most from nothing, as a part of the energy that moved */
function mostMade({ own }: MechanicalSystem, moved: number): { element: string; share: number } | undefined {
  let most: { element: string; share: number } | undefined;
  for (const { name, made } of own)
    if (made > 0 && !(made / moved <= (most?.share ?? 0))) most = { element: name, share: made / moved };
  return most;
}

/** What pairs with a flexible body did: how often they touched, how deep, how hard, and when */
const flexibleContacts = ({ pairs }: MechanicalSystem) =>
  pairs
    .filter((pair) => pair instanceof FlexibleContact)
    .map(({ name, seen }) => ({ pair: name.replace('contacts.', ''), ...seen.figures }));

/** Friction that nobody gave and that was in play: one for all, of the pair that was pressed most */
function flexibleGuesses({ pairs }: MechanicalSystem): Guess[] {
  const rubbed = pairs
    .filter((pair) => pair instanceof FlexibleContact)
    .filter(({ plan, seen }) => plan.frictionGuessed && seen.rubbed)
    .sort((a, b) => b.seen.figures.force - a.seen.figures.force);
  if (rubbed.length === 0) return [];
  const { carrierNames, bodies, turned, friction } = rubbed[0].plan;
  const between = turned ? [bodies[1], bodies[0]] : bodies;
  return [
    {
      reason: `friction of ${carrierNames.join('–')}${others(rubbed.length, 'too')} was not given (${Number(friction.toPrecision(2))} taken), and the motion hangs on it`,
      remedy: `contacts: { pairs: [{ between: ['${between.join("', '")}'], friction: … }] }, or friction of the materials`,
    },
  ];
}

/** As often together pairs without damping of their own rattle, where they are to lie still */
const RATTLES = 20;

/** What rests on springs that take nothing hops on and on; on a slope it creeps down by that, and friction holds it between two hops only. One note, of the pair that does most. */
function rattleNotes({ pairs }: MechanicalSystem): string[] {
  const rattling = pairs
    .filter((pair) => pair instanceof FlexibleContact)
    .filter(({ plan, seen }) => plan.restitution === undefined && seen.figures.touches > RATTLES)
    .sort((a, b) => b.seen.figures.touches - a.seen.figures.touches);
  if (rattling.length === 0) return [];
  const [{ plan, seen }] = rattling;
  const [a, b] = plan.carrierNames;
  const all = rattling.length > 1;
  return [
    `contact ${a}-${b} came together ${seen.figures.touches} times${others(rattling.length, 'did so more than 20 times')}: without restitution a contact of flexible bodies has no damping of its own, and what should lie still hops on, ` +
      `and creeps where it slopes; contacts: ${all ? '{ defaults: { restitution: 0.9 } }' : `{ pairs: [{ between: ['${a}', '${b}'], restitution: 0.9 }] }`} lets it come to rest`,
  ];
}

/** What is said of the others beside the one that a note names */
const others = (count: number, what: string): string =>
  count > 1 ? ` (${count - 1} other${count > 2 ? 's' : ''} ${what})` : '';

/** Contacts with something round that were narrower than a side of the mesh: they begin where they should, but are stiffer than they should be. One note, of the narrowest. */
function narrowNotes(soft: ReturnType<typeof flexibleContacts>): string[] {
  const narrow = soft
    .filter(({ widthInSides }) => widthInSides > 0 && widthInSides < 1)
    .sort((a, b) => a.widthInSides - b.widthInSides);
  if (narrow.length === 0) return [];
  const [{ pair, force, widthInSides }] = narrow;
  return [
    `contact ${pair}: at its largest force, ${quantity(force, 'N', 2)}, it was ${widthInSides.toPrecision(2)} of a side of the mesh wide to each side (Hertz)${others(narrow.length, 'up to a side')}, and what is narrower than a side is too stiff ` +
      `(by 5 % at 0.4, 15 % at 0.25, up to a half at 0.1, two and a half times at 0.04); sides of ${widthInSides.toPrecision(2)} of that length there (meshSize, chords, grid) give its force within 2 %`,
  ];
}

/** Momentum and energy of bodies that nothing turns are kept by projection, so that no ledger shows what their attitude is wrong by. */
function attitudeOf({ system, freeRotation, carriers }: MechanicalSystem): { attitude?: AttitudeError } {
  const { attitudeError } = freeRotation;
  let worst = -1;
  for (let i = 0; i < attitudeError.length; i++)
    if (attitudeError[i] > (worst < 0 ? 0 : attitudeError[worst])) worst = i;
  if (worst < 0) return {};
  const body = system.bodies.find(({ anchor }) => carriers.indexOf(anchor) === carriers.nodes + worst);
  return { attitude: { largest: attitudeError[worst], body: body?.name ?? '' } };
}

/** Of the energy that moved: friction in blows, and energy that steps made and was taken back, that are told of */
const TAKEN_BACK = 1e-4;
const BLOW_FRICTION = 5e-3;
/** The same: what fast modes lost */
const MODES = 5e-3;

/** What a run in steps of known length must say of itself */
function steppingNotes(stepping: TimeStepping | undefined, { step = 0 }: EnergyLedger, moved: number): string[] {
  if (!stepping) return [];
  const share = moved > 0 ? Math.abs(step) / moved : 0;
  const { blowFriction: rubbed, takenBack, modes } = stepping.account;
  return [
    'time stepping: forces of impacts are means over a step, and impulses are what is exact; contacts are rigid unless their materials are soft against the step, those of flexible bodies follow their own law at its end',
    `the length of the steps ${step < 0 ? 'lost' : 'made'} ${Math.abs(step).toPrecision(2)} J, ${share.toPrecision(2)} of the energy that moved; half the step leaves half of it, a quarter where nothing strikes`,
    ...(takenBack > TAKEN_BACK * moved
      ? [
          `steps of mechanisms in contact made ${takenBack.toPrecision(2)} J, ${(takenBack / moved).toPrecision(2)} of the energy that moved, which were taken from their motion again; a shorter step makes less`,
        ]
      : []),
    ...(rubbed > BLOW_FRICTION * moved
      ? [
          `friction in blows turned ${rubbed.toPrecision(2)} J into heat, ${(rubbed / moved).toPrecision(2)} of the energy that moved, as of rigid bodies; surfaces that give way along themselves ` +
            'while they press (error control) may keep some of it, whatever the step',
        ]
      : []),
    ...(modes > MODES * moved
      ? [
          `modes of flexible bodies that are too fast for the steps took ${modes.toPrecision(2)} J, ${(modes / moved).toPrecision(2)} of the energy that moved, as if they were damped: they follow their load and do not ring; ` +
            'where it matters what a blow leaves in them, or what they give back, take shorter steps or error control',
        ]
      : []),
    ...(stepping.unsolved > 0
      ? [
          `${stepping.unsolved} of ${stepping.solutions} solutions ended at the limit of iterations, with the best that was found`,
        ]
      : []),
  ];
}

/**
 * Part of the energy that springs and flexible parts hold below which a difference is rounding: of K q, 1e-12 of it and more where parts are stiff, and of places, against the load that is
 * held, 1e-13 of it in a step (a column that rests between two hinges had a book open by 1e-11 of what it holds after 900 steps)
 */
const HELD = 1e-7;

/** What errors are compared with, J */
const movedEnergy = ({ scale, parts }: TrustLedger, { system, norm }: MechanicalSystem): number =>
  Math.max(scale, leastEnergy(system), norm.scales.restingEnergy, HELD * Math.abs(parts[2]));

function energyLedger(energy: TrustLedger, mechanics: MechanicalSystem, time: number): EnergyLedger {
  const [kinetic, potential, elastic] = energy.parts;
  energy.at(time);
  const dissipated = energy.dissipated - energy.held + energy.heldAtStart;
  return {
    kinetic,
    potential,
    elastic,
    dissipated,
    putIn: energy.supplied,
    error: kinetic + potential + elastic + dissipated - energy.supplied - energy.initial - (energy.fromSteps ?? 0),
    ...(energy.fromSteps !== undefined && { step: energy.fromSteps }),
    relativeError: energy.scale > 0 ? energy.worst / movedEnergy(energy, mechanics) : 0,
  };
}
