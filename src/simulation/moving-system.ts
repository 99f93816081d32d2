/**
 * A mechanical system on its way, with its contacts, its integration and the book of its energy: the whole of a run where all have one step
 * (machine-steps.ts), or an island (moving-island.ts). A step, stage by stage:
 *
 *   candidates     who may be reached in it, and how long it may be for that       contacts.stepLimit, asked by the integration before a try
 *   patches        where pairs that are near touch          ╮
 *   wrenches       what their laws say to that              ├ at every state tried  mechanics.rates: pair.evaluate searches, then asks its law;
 *   accelerations  of trees, free bodies, loops             ╯                       articulated.solve, freeBodies.solve, loops.constrain
 *   integrate      a step that its error allows, put back on its manifold           integration.step
 *   book           patches of the accepted state, once for all who read them        contacts.findPatches, energy.step
 *   commit         histories go on; regions are named, slots move, pairs leave      `commitStep`: mechanics.commit, contacts.update
 */
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Integration } from '../integration/integration.js';
import { stiffMethodFor, touchingMethod } from '../integration/method-choice.js';
import type { Tape } from '../math/tape.js';
import { believedStep } from './believed-step.js';
import { refuseContradiction } from './contradiction.js';
import { EnergyBook } from './energy-book.js';
import type { SensedHeat } from './work-quadrature.js';

/** States reserved for contacts at the start; more are made when they run short. */
export const STATES_PER_SHAPE = 10;

const NO_STATE = new Float64Array(0);

/** States to reserve for the contacts of so many shapes */
export const reservedStates = (shapes: number): number => STATES_PER_SHAPE * (shapes + 2);

export class MovingSystem {
  readonly energy: EnergyBook;
  private moves: Integration | undefined;
  /** Histories and regions are those at t. */
  protected committed = true;
  private between = NO_STATE;
  /** Scratch, 1 per loop row that the equations hold closed */
  private readonly closed: Uint8Array;

  /**
   * @param contacts undefined where nothing can touch anything
   * @param relative tolerance
   * @param interval s between recorded rows
   */
  constructor(
    readonly mechanics: MechanicalSystem,
    readonly contacts: ContactSystem | undefined,
    heat: SensedHeat | undefined,
    relative: number,
    interval: number,
  ) {
    mechanics.guard = contacts;
    this.energy = new EnergyBook(mechanics, relative, interval, heat);
    this.closed = new Uint8Array(mechanics.loops.rows.length);
  }

  get integration(): Integration {
    return this.moves!;
  }
  get t(): number {
    return this.integration.t;
  }
  get tPrevious(): number {
    return this.integration.tPrevious;
  }
  /** State at t */
  get y(): Float64Array {
    return this.integration.y;
  }

  /** Sets out from a consistent state. */
  protected setOut(integration: Integration): void {
    this.moves = integration;
    this.followTouch();
    refuseContradiction(this.mechanics, this.t, this.y, this.closed);
  }

  /** Goes on with another integration from its present state, as if nothing older were known. */
  protected restartWith(integration: Integration): void {
    const { t, y } = integration;
    this.mechanics.rememberRotation(y);
    this.contacts?.start(t, y);
    this.energy.forget(t, y);
    this.setOut(integration);
  }

  /** All that its next steps depend on, between steps: what it does from here on follows from this alone. */
  write(tape: Tape): void {
    tape.number(this.t);
    tape.numbers(this.y);
    tape.number(this.integration.plannedStep);
    this.mechanics.remember(tape);
    this.contacts?.remember(tape);
    tape.numbers(this.energy.snapshot());
  }

  /** Sets out from what was written, before the first step. */
  protected read(tape: Tape, integrate: (t: number, y: Float64Array, h: number) => Integration): void {
    const { mechanics, contacts } = this;
    const t = tape.number(0);
    const kept = tape.numbers(NO_STATE);
    if (kept.length > mechanics.size) {
      mechanics.reserveStates(kept.length - mechanics.system.initial.length);
      contacts?.resize();
    }
    const y = new Float64Array(mechanics.size);
    y.set(kept);
    const planned = tape.number(0);
    mechanics.remember(tape);
    mechanics.rememberRotation(y);
    mechanics.prepare(t, y);
    contacts?.remember(tape);
    mechanics.update(t, y);
    contacts?.install(t, y);
    this.energy.restore(tape.numbers(NO_STATE), t, y);
    this.setOut(integrate(t, y, planned));
    this.committed = true;
  }

  /** One accepted step, not beyond `limit` */
  protected makeStep(limit: number): void {
    if (this.integration.pass()) this.energy.renew(this.t, this.y);
    believedStep(this.integration, this.energy, limit, this.findPatches);
    this.committed = false;
    refuseContradiction(this.mechanics, this.t, this.y, this.closed);
  }

  private readonly findPatches = (): void => this.contacts?.findPatches(this.t, this.y);

  /**
   * Between steps: elements commit their history, regions are named and handed on, and more room is made for their states where it runs short.
   *
   * @param integrate makes an integration that goes on from another state
   */
  protected commitStep(integrate: (t: number, y: Float64Array, h: number) => Integration): void {
    const { contacts, mechanics } = this;
    if (this.committed) return;
    this.committed = true;
    const { t, y } = this.integration;
    const historyMoved = mechanics.commit(t, y);
    if (historyMoved) this.integration.revise();
    const { released } = mechanics.lasting;
    if (released > 0) this.energy.release(released);
    if (!contacts) {
      if (historyMoved) this.energy.renew(t, y);
      this.followTouch();
      return;
    }
    const { timeDependent } = mechanics;
    const changed = contacts.update(t, y, this.integration.rates) || historyMoved;
    const full = contacts.outOfRoom || contacts.freeStates < STATES_PER_SHAPE;
    if (full || mechanics.timeDependent !== timeDependent) {
      let next: Float64Array = y;
      if (full) {
        next = moreRoom(mechanics, contacts, y);
        contacts.update(t, next);
      }
      this.moves = integrate(t, next, this.integration.plannedStep);
    } else if (changed) this.integration.revise();
    if (changed) this.energy.renew(t, this.y);
    this.whenCommitted(contacts, t);
    this.followTouch();
  }

  /** Regions are those at t. */
  protected whenCommitted(_contacts: ContactSystem, _t: number): void {}

  /** Contacts are stiff, and at rest explicit methods shake them. */
  private followTouch(): void {
    const touching = this.contacts?.touching ?? false;
    this.mechanics.linear.exact = touching;
    if (this.mechanics.lasting.rests)
      this.integration.stiffen(
        'bodies that deform rest on each other',
        stiffMethodFor(this.mechanics.timeDependent, true),
      );
    if (touching)
      this.integration.stiffen(
        'bodies touch',
        touchingMethod(
          this.mechanics.timeDependent,
          this.mechanics.drivenStraight,
          this.contacts!.touchesHollow,
          this.mechanics.lasting.hasKinks,
        ),
      );
  }

  /** State at a time within its last step, with the forces of the motion; overwritten by the next call. */
  stateAt(t: number): Float64Array {
    const y = this.pathAt(t);
    this.integration.relax(t, y);
    return y;
  }

  /** The same on the one path that the step has, where places are compared; overwritten by the next call. */
  protected pathAt(t: number): Float64Array {
    if (t === this.t) return this.y;
    const { size } = this.mechanics;
    if (this.between.length !== size) this.between = new Float64Array(size);
    const { between } = this;
    this.integration.interpolate(t, between);
    this.mechanics.restoreInvariants(between);
    return between;
  }

  /** An event has changed its state at t. */
  restart(y: Float64Array): void {
    const { t } = this;
    this.energy.jump(t, this.y, y);
    this.integration.restart(t, y);
  }
}

/** Finds who touches at the start, with as much room for states as that takes; gives the state with it. */
export function startContacts(
  mechanics: MechanicalSystem,
  contacts: ContactSystem | undefined,
  t: number,
  y: Float64Array,
): Float64Array {
  let state = y;
  contacts?.start(t, state);
  while (contacts?.outOfRoom) {
    state = moreRoom(mechanics, contacts, state);
    contacts.start(t, state);
  }
  return state;
}

/** Twice the room for states of contacts; the state with it. */
function moreRoom(mechanics: MechanicalSystem, contacts: ContactSystem, y: Float64Array): Float64Array<ArrayBuffer> {
  mechanics.reserveStates(2 * (mechanics.size - mechanics.system.initial.length));
  contacts.resize();
  const more = new Float64Array(mechanics.size);
  more.set(y);
  return more;
}
