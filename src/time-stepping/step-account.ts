/**
 * Energy of a time-stepping run. Momentum in a step is balanced by impulses, M (v − v₀) = M (v* − v₀) + Σ Jᵀ γ, so that with v̄ = ½ (v₀ + v)
 *
 *   ΔT = v̄ᵀ M (v* − v₀) + Σ γ·ū         identically, M that of the start
 *
 * Per joint −γ·ū is heat, per contact what StepContacts.heatOf says. Prescribed motions, v_p, put in −γ·(their part of u), and what turns their parts takes of the change of the others' momentum, v_pᵀ M_pq M⁻¹ Jᵀ γ. `missing` is by how much the identity does not hold: rounding,
 * and what the solver left. What potentials changed by against the work of their impulses, M by moving, explicit forces by their trapezoid: O(h),
 * is booked as `step`; where a prescribed speed jumps, as supplied.
 */
import { bookedEnergy, energiesInto, powersInto } from '../dynamics/analysis.js';
import type { PowerLedger } from '../dynamics/elements/pair-element.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import type { ConvexTerms } from './convex-terms.js';
import type { ElasticTerms } from './elastic-terms.js';
import type { ElementTerms } from './element-terms.js';
import type { FlexibleTerms } from './flexible-terms.js';
import type { JointTerms } from './joint-terms.js';
import { ROLE } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

const BOOKS = [
  'dissipated',
  'supplied',
  'friction',
  'blowFriction',
  'takenBack',
  'modes',
  'lastStep',
  'step',
  'missing',
  'largestStep',
  'worst',
  'scale',
  'held',
] as const;

export class StepAccount {
  /** J since the start */
  dissipated = 0;
  supplied = 0;
  friction = 0;
  /** Of it in blows */
  blowFriction = 0;
  /** J that steps of mechanisms made, and that were taken from their motion again */
  takenBack = 0;
  /** J that modes of flexible bodies lost which their steps do not resolve (elastic-terms.ts): heat, as long as it is more than nothing */
  modes = 0;
  /** J that the last step made or lost */
  lastStep = 0;
  /** J that the length of the step made or lost; the largest amount of it so far, which later steps may have undone */
  step = 0;
  largestStep = 0;
  /** J */
  missing = 0;
  /** Largest |missing| so far, J */
  worst = 0;
  initial = 0;
  /** Largest |kinetic| and largest change of the others: what errors are measured against, J */
  scale = 0;
  /** Of the elastic: in elements whose work is booked whole, J */
  private held = 0;
  /** Takes what is booked as terms out of the powers of elements, or puts it back. */
  private readonly setApart: (apart: boolean) => void;
  private readonly elements: ElementTerms;
  private readonly elastic: ElasticTerms;
  /** Kinetic, potential, elastic at the end of the last step, J */
  readonly parts = new Float64Array(3);
  private readonly atStart = new Float64Array(3);
  private readonly before = new Float64Array(3);
  private readonly powers: PowerLedger = { dissipated: 0, supplied: 0, friction: 0 };
  private readonly powersBefore: PowerLedger = { dissipated: 0, supplied: 0, friction: 0 };
  /** By elements, J in the step that is being booked */
  private readonly done: PowerLedger = { dissipated: 0, supplied: 0, friction: 0 };
  private readonly saved = new Float64Array(BOOKS.length + 5);
  private readonly work: Float64Array;
  private readonly product: Float64Array;
  /** Jᵀ γ of a step, a vector of all blocks; empty where nothing is driven */
  private readonly impulse: Float64Array;
  /** What drives feel of it is that of the middle of the step, where mass matrices of flexible bodies are; else half that of the start, half that of the end */
  private readonly halves: number;
  /** J in the step that is being booked */
  private heat = 0;
  private put = 0;
  private lost = 0;
  private h = 0;
  /** A prescribed speed jumps in it */
  private jumps = false;

  constructor(
    private readonly mechanics: MechanicalSystem,
    joints: JointTerms,
    private readonly flexible: FlexibleTerms,
  ) {
    this.setApart = (apart) => {
      joints.setApart(apart);
      flexible.setPowersApart(apart);
    };
    this.elements = joints.elements;
    this.elastic = joints.elastic;
    this.work = new Float64Array(mechanics.nv);
    this.product = new Float64Array(mechanics.nv);
    this.impulse = new Float64Array(mechanics.system.motions.length > 0 ? mechanics.nv : 0);
    this.halves = joints.elastic.any ? 1 : 0.5;
  }

  start(t: number, y: Float64Array): void {
    energiesInto(this.mechanics, t, y, this.parts);
    this.atStart.set(this.parts);
    this.initial = this.parts[0] + this.parts[1] + this.parts[2];
    this.held = bookedEnergy(this.mechanics, t, y);
    this.scale = Math.abs(this.parts[0]);
    this.measurePowers(t, y);
    this.elements.openBooks(t, y);
  }

  /** Powers of elements that are no terms; anew where one of them has become another */
  measurePowers(t: number, y: Float64Array): void {
    const { mechanics } = this;
    const { otherLoads, otherDrives } = mechanics;
    mechanics.otherLoads = mechanics.otherDrives = undefined; // of contacts and along joints: terms
    this.setApart(true);
    if (this.impulse.length > 0) this.elastic.setApart(true);
    powersInto(mechanics, t, y, this.powers);
    if (this.impulse.length > 0) this.elastic.setApart(false);
    this.setApart(false);
    mechanics.otherLoads = otherLoads;
    mechanics.otherDrives = otherDrives;
  }

  /** Goes on from another state; an event has changed it at once. */
  restart(t: number, y: Float64Array): void {
    const { parts, before } = this;
    before.set(parts);
    energiesInto(this.mechanics, t, y, parts);
    const held = this.holdMore(t, y);
    this.dissipated -= held;
    const change = parts[0] + parts[1] + parts[2] - (before[0] + before[1] + before[2]) - held;
    if (change < 0) this.dissipated -= change;
    else this.supplied += change;
    this.measurePowers(t, y);
    this.elements.openBooks(t, y);
  }

  /** So much of what bristles of friction held became heat between two steps, J. */
  release(heat: number): void {
    this.dissipated += heat;
    this.friction += heat;
    this.parts[2] -= heat;
  }

  /** What gives the potential has changed: what the bodies have more or less of it was put in or taken out. */
  revalue(t: number, y: Float64Array): void {
    const { parts, before } = this;
    before.set(parts);
    energiesInto(this.mechanics, t, y, parts);
    this.supplied += parts[1] - before[1];
  }

  /** Books the terms of a step. The carriers are where it began. @param others groups that are not of contacts, which come first; @param contactHeat what contacts turned into heat or store, J */
  book(
    h: number,
    blocks: VelocityBlocks,
    terms: ConvexTerms,
    before: Float64Array,
    v0: Float64Array,
    free: Float64Array,
    v: Float64Array,
    joints: JointTerms,
    others: number,
    contactHeat: number,
  ): void {
    const { work, impulse } = this;
    const { gamma, u, bias } = terms;
    this.h = h;
    this.heat = contactHeat;
    this.put = this.lost = 0;
    this.jumps = blocks.jumps;
    // identity of kinetic energy
    let kinetic = 0;
    for (let b = 0; b < blocks.count; b++) {
      const first = blocks.at[b];
      const n = blocks.size[b];
      for (let k = first; k < first + n; k++) work[k] = v[k] - free[k];
      blocks.applyMass(b, work, this.product);
      for (let k = first; k < first + n; k++) kinetic += this.product[k] * 0.5 * (v0[k] + v[k]);
    }
    let impulses = 0;
    impulse.fill(0);
    for (let g = 0; g < terms.groups; g++) {
      // against flexible bodies: among the forces of drives at both ends of the step, with what the modes make of it
      const apart = this.flexible.has(g);
      if (impulse.length > 0 && !apart) terms.addImpulse(g, impulse);
      for (let t = terms.firstTerm[g]; t < terms.firstTerm[g + 1]; t++) {
        let done = 0;
        let driven = 0;
        for (let r = terms.row[t]; r < terms.row[t + 1]; r++) {
          done += gamma[r] * 0.5 * (before[r] + u[r]);
          driven += gamma[r] * bias[r];
        }
        impulses += done - driven;
        if (!apart) this.put -= driven;
        if (g < others) {
          const role = g < joints.groups ? joints.roles.role[t] : ROLE.supplied;
          if (role === ROLE.heat) this.heat -= done;
          else if (role === ROLE.supplied) this.put += done;
        }
      }
    }
    this.lost = kinetic - impulses;
    this.put += this.halves * this.feltByDrives(blocks);
  }

  /** What drives put in against the impulses of the step, J, as the mechanisms are where `blocks` was brought up to date last */
  private feltByDrives({ carried }: VelocityBlocks): number {
    const { impulse } = this;
    let sum = 0;
    for (let k = 0; k < impulse.length; k++) sum += impulse[k] * carried[k];
    return sum;
  }

  /** Closes the books of the step at its end. @param modes J that fast modes lost in it */
  close(t: number, y: Float64Array, blocks: VelocityBlocks, modes: number): void {
    const { parts, before, powers, powersBefore, h } = this;
    before.set(parts);
    energiesInto(this.mechanics, t, y, parts);
    if (this.impulse.length > 0 && this.halves < 1) {
      blocks.factorise();
      this.put += this.halves * this.feltByDrives(blocks);
    }
    powersBefore.dissipated = powers.dissipated;
    powersBefore.supplied = powers.supplied;
    this.measurePowers(t, y);
    // elements that are booked whole take what they store, too
    const { done } = this;
    done.dissipated = done.supplied = 0;
    this.elements.book(t, h, y, done);
    const inModes = Math.max(0, this.modes + modes) - Math.max(0, this.modes);
    this.modes += modes;
    const heat =
      this.heat +
      0.5 * h * (powers.dissipated + powersBefore.dissipated) +
      done.dissipated -
      this.holdMore(t, y) +
      inModes;
    const put = this.put + 0.5 * h * (powers.supplied + powersBefore.supplied) + done.supplied;
    const change = parts[0] + parts[1] + parts[2] - (before[0] + before[1] + before[2]);
    this.dissipated += heat;
    this.supplied += put;
    this.missing += this.lost;
    // the force of a drive that jumps has no bound, and no trapezoid tells its work: it is what the others leave
    const left = change - put + heat - this.lost;
    this.lastStep = this.jumps ? 0 : left;
    if (this.jumps) this.supplied += left;
    else this.step += left;
    this.keepLargest();
    this.worst = Math.max(this.worst, Math.abs(this.missing));
    this.scale = Math.max(
      this.scale,
      Math.abs(parts[0]),
      Math.abs(parts[1] - this.atStart[1]),
      Math.abs(parts[2] - this.atStart[2]),
      Math.abs(this.dissipated),
      Math.abs(this.supplied),
    );
  }

  /** The end of the step that was closed last is elsewhere, by what its length makes. */
  correct(t: number, y: Float64Array): void {
    const { parts } = this;
    const before = parts[0] + parts[1] + parts[2];
    energiesInto(this.mechanics, t, y, parts);
    const held = this.holdMore(t, y);
    this.dissipated -= held;
    this.step += parts[0] + parts[1] + parts[2] - before - held;
    this.keepLargest();
    this.measurePowers(t, y);
    this.elements.openBooks(t, y);
  }

  /** J by which all steps so far, the last one among them, have made more than they lost */
  get excess(): number {
    return Math.min(this.step, this.lastStep);
  }

  /** J of motion in another state */
  kineticAt(t: number, y: Float64Array): number {
    energiesInto(this.mechanics, t, y, this.before);
    return this.before[0];
  }

  /** What elements that are booked whole hold more than before, J */
  private holdMore(t: number, y: Float64Array): number {
    const before = this.held;
    this.held = bookedEnergy(this.mechanics, t, y);
    return this.held - before;
  }

  private keepLargest(): void {
    if (Math.abs(this.step) > Math.abs(this.largestStep)) this.largestStep = this.step;
  }

  save(): void {
    const { saved } = this;
    BOOKS.forEach((name, i) => {
      saved[i] = this[name];
    });
    saved[BOOKS.length] = this.powers.dissipated;
    saved[BOOKS.length + 1] = this.powers.supplied;
    saved.set(this.parts, BOOKS.length + 2);
    this.elements.saveBooks();
  }

  remember(tape: Tape): void {
    for (const name of [...BOOKS, 'initial'] as const) this[name] = tape.number(this[name]);
    tape.array(this.parts);
    tape.array(this.atStart);
    tape.fields(this.powers);
    this.elements.remember(tape);
  }

  restore(): void {
    const { saved } = this;
    BOOKS.forEach((name, i) => {
      this[name] = saved[i];
    });
    this.powers.dissipated = saved[BOOKS.length];
    this.powers.supplied = saved[BOOKS.length + 1];
    for (let k = 0; k < 3; k++) this.parts[k] = saved[BOOKS.length + 2 + k];
    this.elements.restoreBooks();
  }
}
