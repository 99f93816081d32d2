/**
 * An island: mechanisms that touch or are tied now, with a time, a step, a method and a matrix of their own. It is a small System
 * (assembly/restrict.ts) of these and of all that is fixed or prescribed; dynamics and integration work on it as on any other.
 *
 * Regions are named and handed on at the start of a step (`begin`), not at the end of the one before: as long as nothing is renamed, values inside the
 * last step and slots belong together, and going back is just a step that ended earlier.
 */
import type { Mechanisms, Part } from '../assembly/restrict.js';
import { restrict } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import { findRoot, setsOf, unite } from '../math/union-find.js';
import type { SensorsOf } from './element-sensors.js';
import type { Integrate } from './integration-for.js';
import { MovingSystem, reservedStates, startContacts } from './moving-system.js';
import { PartHeat } from './part-heat.js';
import { Sweep } from './sweep.js';

/** What all islands of a run have in common */
export interface IslandRun {
  readonly system: System;
  readonly mechanisms: Mechanisms;
  /** Of the whole; undefined where nothing can touch anything */
  readonly contacts: ContactSystem | undefined;
  readonly tolerance: { readonly relative: number; readonly contact: number };
  /** s between recorded rows */
  readonly interval: number;
  readonly sensorsOf: SensorsOf;
  /** Told of the contacts of an island whose regions are those at t */
  committed(contacts: ContactSystem, part: Part, t: number): void;
  /** Told of accepted steps, from t over h s */
  stepped(t: number, h: number): void;
  readonly integrate: Integrate;
}

export class MovingIsland extends MovingSystem {
  readonly part: Part;
  readonly heat: PartHeat | undefined;
  readonly sweep: Sweep;
  /** A mechanism that it came near at t and waits for, −1: none */
  meets = -1;
  /** It has made a step since it came into being. */
  stepped = false;
  /** Member of each carrier, −1: none; and which of them hold together, for `parts` */
  private readonly memberOf: Int32Array;
  private readonly leader: Uint32Array;

  /**
   * @param members mechanisms, ascending
   * @param states  of contacts that it takes over
   */
  constructor(
    private readonly run: IslandRun,
    readonly members: readonly number[],
    states = 0,
  ) {
    const part = restrict(run.system, run.mechanisms, members);
    const plan = part.system.contacts;
    const mechanics = new MechanicalSystem(part.system, {
      tolerance: run.tolerance,
      ...(plan && { reservedStates: reservedStates(plan.shapes.length) + states }),
    });
    const contacts = plan && run.contacts!.restrict(part.system, mechanics, part.shapes);
    const heat = contacts && new PartHeat(mechanics, contacts, part.bodies, run.sensorsOf);
    super(mechanics, contacts, heat, run.tolerance.relative, run.interval);
    this.part = part;
    this.heat = heat;
    this.memberOf = membersOf(part, run.mechanisms, mechanics.carriers, members);
    this.leader = new Uint32Array(members.length);
    this.sweep = new Sweep(run.system, part, mechanics.carriers, run.contacts?.shapeFacts);
  }

  // ---- coming into being ------------------------------------------------------------------------------------------------------------

  /** At the start of the run, from a state of the whole that is consistent. */
  start(t: number, whole: Float64Array): void {
    const { mechanics, contacts } = this;
    const y = new Float64Array(mechanics.size);
    this.take(whole, y);
    mechanics.rememberRotation(y);
    mechanics.prepare(t, y);
    this.goOn(t, startContacts(mechanics, contacts, t, y));
    this.committed = true;
  }

  /**
   * From islands at t that it is made of, or is a part of: their states, contacts, who rests.
   *
   * @param whole   scratch for a state of the whole
   * @param h       s, first step to try
   * @param committed their regions are those at t already
   */
  takeOver(before: readonly MovingIsland[], whole: Float64Array, h: number | undefined, committed: boolean): void {
    const { mechanics, contacts, part } = this;
    const { t } = before[0];
    const y = new Float64Array(mechanics.size);
    for (const island of before) island.put(island.y, whole);
    this.take(whole, y);
    mechanics.rememberRotation(y);
    for (const island of before) {
      for (let k = 0; k < part.constraints.length; k++) {
        const there = island.part.constraints.indexOf(part.constraints[k]);
        if (there >= 0) mechanics.loops.takeOver(k, island.mechanics.loops, there);
      }
      mechanics.takeOverHistory(island.mechanics, (there) => part.elements.indexOf(island.part.elements[there]));
      mechanics.norm.fastestYet = Math.max(mechanics.norm.fastestYet, island.mechanics.norm.fastestYet);
      this.energy.scale = Math.max(this.energy.scale, island.energy.scale);
    }
    mechanics.prepare(t, y);
    for (const island of before)
      if (contacts && island.contacts) {
        const here = (of: Int32Array, all: Int32Array): Int32Array => Int32Array.from(all, (k) => of.indexOf(k));
        contacts.adopt(
          island.contacts,
          here(part.shapes, island.part.shapes),
          here(island.part.free, part.free),
          island.y,
          y,
        );
      }
    mechanics.update(t, y);
    contacts?.install(t, y);
    this.goOn(t, y, h);
    this.committed = committed;
  }

  /** Regions are those at its time from here on. */
  override write(tape: Tape): void {
    this.begin();
    super.write(tape);
    tape.number(this.meets);
  }

  /** From what was written of it */
  resume(tape: Tape): void {
    this.read(tape, this.integrate);
    this.meets = tape.number(-1);
    this.sweep.over(this);
  }

  private goOn(t: number, y: Float64Array, h?: number): void {
    const { scale } = this.energy;
    this.energy.start(t, y);
    this.energy.scale = Math.max(this.energy.scale, scale);
    this.setOut(this.integrate(t, y, h));
    this.sweep.over(this);
  }

  private readonly integrate = (t: number, y: Float64Array, h?: number) =>
    this.run.integrate(this.mechanics, this.contacts, t, y, h);

  // ---- steps ------------------------------------------------------------------------------------------------------------------------

  /** Before a step */
  begin(): void {
    this.commitStep(this.integrate);
  }

  protected override whenCommitted(contacts: ContactSystem, t: number): void {
    this.run.committed(contacts, this.part, t);
  }

  /** One accepted step, not beyond `limit` */
  step(limit: number): void {
    this.makeStep(limit);
    this.stepped = true;
    this.meets = -1;
    this.sweep.over(this);
  }

  /** Goes back to a time within its last step. */
  retreat(time: number): void {
    this.meets = -1;
    // a step may begin behind a jump in time, a rounding beyond the front
    const t = Math.max(time, this.tPrevious);
    if (t === this.t) return;
    this.integration.retreat(t);
    this.committed = false;
    this.contacts?.findPatches(t, this.y);
    this.energy.retreat(t, this.y);
  }

  override restart(y: Float64Array): void {
    this.meets = -1;
    super.restart(y);
    this.sweep.over(this);
  }

  /** Brings its carriers to where they are at a time within its last step. */
  placeAt(t: number): void {
    this.mechanics.update(t, this.pathAt(t));
  }

  // ---- part and whole ---------------------------------------------------------------------------------------------------------------

  /** Writes a state of the island into one of the whole; states of contacts are left out. */
  put(y: Float64Array, whole: Float64Array): void {
    this.eachEntry((here, there) => {
      whole[there] = y[here];
    });
  }

  private take(whole: Float64Array, y: Float64Array): void {
    this.eachEntry((here, there) => {
      y[here] = whole[there];
    });
  }

  private eachEntry(visit: (here: number, there: number) => void): void {
    const { q, v, s, system } = this.part;
    const { nq, nv } = this.run.system;
    for (let k = 0; k < q.length; k++) visit(k, q[k]);
    for (let k = 0; k < v.length; k++) visit(system.nq + k, nq + v[k]);
    for (let k = 0; k < s.length; k++) visit(system.nq + system.nv + k, nq + nv + s[k]);
  }

  /** Adds what projection has turned its free bodies by, rad, to those of the whole. */
  addAttitude(whole: Float64Array): void {
    const { attitudeError } = this.mechanics.freeRotation;
    for (let k = 0; k < attitudeError.length; k++) whole[this.part.free[k]] += attitudeError[k];
  }

  /** Index in a state of the whole of an entry of the island's; −1 for states of contacts */
  indexInWhole(entry: number): number {
    let found = -1;
    this.eachEntry((here, there) => {
      if (here === entry) found = there;
    });
    return found;
  }

  /** Groups of members that nothing holds together any more, undefined where all hold together; to be asked after `begin`. */
  parts(): readonly (readonly number[])[] | undefined {
    const { members, contacts, leader } = this;
    if (members.length === 1 || !contacts) return undefined;
    for (let i = 0; i < leader.length; i++) leader[i] = i;
    contacts.tied(this.y, this.tie);
    let together = true;
    for (let i = 1; i < leader.length; i++) if (findRoot(leader, i) !== 0) together = false;
    return together ? undefined : setsOf(leader).map((set) => set.map((i) => members[i]));
  }

  private readonly tie = (a: number, b: number): void => {
    const i = this.memberOf[a];
    const j = this.memberOf[b];
    if (i >= 0 && j >= 0) unite(this.leader, i, j);
  };
}

/** Member that each carrier of a part belongs to; −1: it is prescribed or fixed and holds nothing */
function membersOf(
  { nodes, free }: Part,
  { ofNode, ofFree }: Mechanisms,
  carriers: MechanicalSystem['carriers'],
  members: readonly number[],
): Int32Array {
  const found = new Int32Array(carriers.ground + 1).fill(-1);
  for (let c = 0; c < carriers.ground; c++) {
    const whole = c < carriers.nodes ? ofNode[nodes[c]] : ofFree[free[c - carriers.nodes]];
    found[c] = members.indexOf(whole);
  }
  return found;
}
