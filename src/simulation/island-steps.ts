/**
 * A run whose islands have their own steps (front.ts), as the simulation sees it: a time up to which all is known, the state of the whole at any time
 * between the last such time and this one, and events that go back with those islands alone whose joints they switch.
 */
import type { Mechanisms } from '../assembly/restrict.js';
import { restrict } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import { bookedEnergy, energiesInto } from '../dynamics/analysis.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { Crossings, type LocatedCrossing } from '../integration/crossings.js';
import type { MethodName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Statistics } from '../integration/statistics.js';
import type { Tape } from '../math/tape.js';
import { identity, setsOf, unite } from '../math/union-find.js';
import { Front, type IslandCounts, IslandFailure } from './front.js';
import type { IslandRun, MovingIsland } from './moving-island.js';
import { runFailure } from './run-failure.js';
import { RunLedger } from './run-ledger.js';
import type { ComingEvent, JointSwitch, RunSteps } from './run-steps.js';
import { WholeView } from './whole-view.js';

/** Changes of methods that are kept for the report; islands that come and go make as many as they like. */
const MOST_SWITCHES = 20;

export class IslandSteps implements RunSteps {
  /** Up to here all is known, s */
  time = 0;
  private until = 0;
  /** Conditions that came true at `time` */
  located: readonly LocatedCrossing[] = [];
  readonly ledger: RunLedger;
  readonly front: Front;
  private readonly view: WholeView;
  private crossings: Crossings | undefined;
  /** The island that made the last step */
  last: MovingIsland | undefined;
  /** Mechanism of each constraint */
  private readonly ofConstraint: Int32Array;

  /** @param sensors how many sensors of heat the whole has */
  constructor(
    private readonly run: IslandRun,
    private readonly mechanics: MechanicalSystem,
    sensors: number,
    private readonly statistics: Statistics,
  ) {
    this.ledger = new RunLedger(() => this.front.islands, sensors);
    this.front = new Front(run, this.ledger);
    this.view = new WholeView(this.front, mechanics, run.contacts);
    const { system, mechanisms } = run;
    this.ofConstraint = new Int32Array(system.constraints.length).fill(-1);
    if (system.constraints.length === 0) return;
    for (let m = 0; m < mechanisms.all.length; m++)
      for (const constraint of restrict(system, mechanisms, [m]).constraints) this.ofConstraint[constraint] = m;
  }

  /** From a state of the whole that is consistent; the contacts of the whole must be there. */
  start(y: Float64Array): void {
    const { run, mechanics } = this;
    const parts = new Float64Array(3);
    energiesInto(mechanics, 0, y, parts);
    const held = bookedEnergy(mechanics, 0, y);
    this.front.start(0, y, nearGroups(run, mechanics, y));
    this.ledger.start(parts, held);
  }

  /** All that the next steps depend on, at `time` */
  write(tape: Tape): void {
    tape.number(this.time);
    this.ledger.remember(tape);
    this.front.write(this.time, tape);
  }

  /** In place of `start`: from what was written */
  resume(tape: Tape): void {
    this.time = this.until = tape.number(0);
    this.ledger.remember(tape);
    this.front.resume(tape);
  }

  /** The user's conditions, whose values are told of the state of the whole */
  watch(crossings: readonly ZeroCrossing[]): void {
    if (crossings.length === 0) return;
    this.crossings = new Crossings(crossings, 0);
    this.crossings.start(this.time, NO_STATE);
  }

  /** What is tied for good */
  get mechanisms(): Mechanisms {
    return this.run.mechanisms;
  }

  get method(): MethodName {
    return (this.last ?? this.front.furthestBehind).integration.method;
  }

  /** s: rows from here on see what is behind a jump of a user's function */
  get jumpsTo(): number {
    return this.front.furthestBehind.integration.jumpsTo;
  }

  get state(): Float64Array {
    return this.stateAt(this.time);
  }

  get counts(): IslandCounts {
    return this.front.counts;
  }

  /** State of the whole at a time that all islands cover; the whole's mechanics and contacts are brought there. */
  stateAt(t: number): Float64Array {
    return this.view.gather(t);
  }

  /**
   * Goes on: by a step of the island furthest behind, or by what is known already. Gives the new time up to which all is known; `commit` makes it the
   * present one when what lies between has been looked at.
   *
   * @param end     s, end of the run
   * @param events  per event that is to come: its time, where it has one, and the constraints it switches
   */
  step(end: number, events: readonly ComingEvent[]): number {
    const { front, statistics } = this;
    this.located = [];
    if (front.furthestBehind.t <= this.time) {
      const { smallestStep } = statistics;
      const island = this.move(end, events);
      if (island) {
        this.last = island;
        this.run.stepped(island.tPrevious, island.t - island.tPrevious);
        if (statistics.smallestStep !== smallestStep && statistics.smallestStepComponent >= 0)
          statistics.smallestStepComponent = island.indexInWhole(statistics.smallestStepComponent);
      }
      if (statistics.switches.length > MOST_SWITCHES) statistics.switches.length = MOST_SWITCHES;
    }
    let until = front.furthestBehind.t;
    for (const { at } of events) if (at !== undefined && at > this.time && at < until) until = at;
    if (this.crossings && until > this.time) {
      this.located = this.crossings.scan({ start: this.time, end: until, sample: () => {} });
      if (this.located.some(({ crossing }) => crossing.stops)) {
        until = this.located.at(-1)!.t;
        this.crossings.start(until, NO_STATE, this.located);
      }
    }
    this.until = until;
    return until;
  }

  commit(): void {
    this.time = this.until;
  }

  private move(end: number, events: readonly ComingEvent[]): MovingIsland | undefined {
    try {
      return this.front.move((one) => this.limitOf(one, end, events));
    } catch (error) {
      throw error instanceof IslandFailure ? runFailure(error.failure, error.island, this.method) : error;
    }
  }

  /** Events go to the end of a step of those whose joints they switch. */
  private limitOf({ members }: MovingIsland, end: number, events: readonly ComingEvent[]): number {
    let limit = end;
    for (const { at, constraints } of events)
      if (at !== undefined && at < limit && constraints.some((index) => members.includes(this.ofConstraint[index])))
        limit = at;
    return limit;
  }

  switchJoints(switched: readonly JointSwitch[]): void {
    for (const { constraint, active } of switched) this.switchJoint(constraint, active);
    // conditions have the signs they have now
    this.crossings?.start(
      this.time,
      NO_STATE,
      this.located.filter(({ t }) => Math.abs(t - this.time) <= 4e-14 * Math.abs(this.time)),
    );
  }

  /** Lets go of joints or takes hold of them, in the island that has them and in the whole; `time` is theirs from now on. */
  private switchJoint(constraint: number, active: boolean): void {
    const { time, front, mechanics } = this;
    mechanics.setActive(constraint, active, time, this.stateAt(time).slice());
    const mechanism = this.ofConstraint[constraint];
    if (mechanism < 0) return;
    const island = front.islandOf(mechanism);
    island.retreat(time);
    island.begin();
    const y = island.y.slice();
    island.mechanics.setActive(island.part.constraints.indexOf(constraint), active, time, y);
    island.restart(y);
    front.moved(island);
  }

  /** Brings the ledger and the whole to the end of what is known. */
  close(): void {
    const { ledger, mechanics, front, run } = this;
    const y = this.stateAt(this.time);
    for (const { contacts, part } of front.islands) if (contacts) run.contacts!.noteMet(contacts, part.shapes);
    const { attitudeError } = mechanics.freeRotation;
    attitudeError.set(front.attitudeOfPast);
    for (const island of front.islands) island.addAttitude(attitudeError);
    const parts = new Float64Array(3);
    energiesInto(mechanics, this.time, y, parts);
    ledger.parts = [parts[0], parts[1], parts[2]];
    ledger.held = bookedEnergy(mechanics, this.time, y);
  }
}

const NO_STATE = new Float64Array(0);

/** Mechanisms that are near each other, or by themselves */
function nearGroups({ mechanisms, contacts }: IslandRun, { carriers }: MechanicalSystem, y: Float64Array): number[][] {
  const leader = identity(mechanisms.all.length);
  const { nodes, ground } = carriers;
  const mechanismOf = (carrier: number): number =>
    carrier === ground ? -1 : carrier < nodes ? mechanisms.ofNode[carrier] : mechanisms.ofFree[carrier - nodes];
  contacts?.tied(y, (a, b) => {
    const [i, j] = [mechanismOf(a), mechanismOf(b)];
    if (i >= 0 && j >= 0 && i !== mechanisms.prescribed && j !== mechanisms.prescribed) unite(leader, i, j);
  });
  return setsOf(leader);
}

/** Makes a start consistent, each mechanism by itself: what one does to close its loops is no business of others. */
export function initialiseEach(
  system: System,
  mechanisms: Mechanisms,
  mechanics: MechanicalSystem,
  y: Float64Array,
): void {
  const start = y.slice();
  initialise(mechanics, 0, y);
  if (system.constraints.length === 0) return;
  const { nq, nv } = system;
  for (let m = 0; m < mechanisms.all.length; m++) {
    const { system: own, q, v, s, constraints } = restrict(system, mechanisms, [m]);
    if (constraints.length === 0) continue;
    const alone = new MechanicalSystem(own);
    const at = Int32Array.from([...q, ...v.map((k) => nq + k), ...s.map((k) => nq + nv + k)]);
    const part = Float64Array.from(at, (k) => start[k]);
    initialise(alone, 0, part);
    for (let k = 0; k < at.length; k++) y[at[k]] = part[k];
  }
}

/** Islands can be told apart: there are several mechanisms, and none of them is without end. */
export function canHaveIslands(system: System, mechanisms: Mechanisms): boolean {
  const moving = mechanisms.all.length - (mechanisms.prescribed >= 0 ? 1 : 0);
  if (moving < 2) return false;
  return !(system.contacts?.shapes ?? []).some(({ body, solid, surface }) => {
    const { fixed, anchor } = system.bodies[body];
    if (fixed || (anchor.node >= 0 && mechanisms.ofNode[anchor.node] === mechanisms.prescribed)) return false;
    if (surface?.kind === 'rectangle') return surface.width === undefined || surface.length === undefined;
    return !surface && solid?.form.kind === 'halfSpace';
  });
}
