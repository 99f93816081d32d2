/**
 * Motion in steps of known length: contact, stops, friction and loops of a step are one convex problem for the velocities at its end (docs/theory/time-stepping.md).
 *
 *   v* = v₀ + h M⁻¹ (applied, gravity, gyroscopic)         free bodies turn by one RK4 step of Euler's equation in their own axes, mechanisms are
 *                                                          accelerated as in the middle of the step
 *   v⁺ = argmin ½ (v − v*)ᵀ M (v − v*) + Σ ℓ_c(J_c v)      per island (island-newton.ts), again while loads change, and once more for restitution
 *   q⁺ = q₀ ⊕ h v⁺;  what feels no impulse: q₀ ⊕ h (v₀ + v⁺)/2, so that flight is exact
 */
import type { Anchor } from '../assembly/system.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import { Crossings, type LocatedCrossing } from '../integration/crossings.js';
import type { ZeroCrossing } from '../integration/problem.js';
import { noStatistics, type Statistics } from '../integration/statistics.js';
import type { Tape } from '../math/tape.js';
import { norm, type Vec3 } from '../math/vec3.js';
import { ConvexTerms } from './convex-terms.js';
import { type Drag, Drags } from './drags.js';
import { FlexibleTerms } from './flexible-terms.js';
import { FreeVelocities } from './free-velocities.js';
import { JointTerms } from './joint-terms.js';
import { QuietIslands } from './quiet-islands.js';
import { StepAccount } from './step-account.js';
import { StepComparison } from './step-comparison.js';
import { StepContacts } from './step-contacts.js';
import { FALLING, StepIslands, SWINGING } from './step-islands.js';
import { StepMemory } from './step-memory.js';
import { VelocityBlocks } from './velocity-blocks.js';

export interface TimeSteppingOptions {
  readonly t0: number;
  readonly y0: ArrayLike<number>;
  /** s; or steps that choose themselves: */
  readonly step?: number | undefined;
  /** m: how far one step may be from two of half its length */
  readonly accuracy?: number | undefined;
  /** Longest step where they choose themselves, s */
  readonly longestStep?: number | undefined;
  /** κ; 1000, of islands of more than 50 bodies 100, unless said */
  readonly rigidity?: number | undefined;
  readonly statistics?: Statistics;
  /** Bodies that have come to rest cost nothing; true unless said */
  readonly resting?: boolean;
}

/** s: a difference of speeds counts as the way that it makes in this time */
const AHEAD = 0.1;
/** Of `accuracy`: way that is made in the shortest step; twice as much where something strikes */
const SHORTEST = 1;
/** Of the energy that moved: what steps may make before it is taken back; and of the kinetic energy of mechanisms: what a step may take back at most */
const LEAST_TAKEN = 1e-6;
const MOST_TAKEN = 0.5;
/** How often pairs are looked for anew that impulses of the step drive into each other */
const LOOKS = 2;
export class TimeStepping {
  readonly method = 'time-stepping';
  t: number;
  tPrevious: number;
  readonly y: Float64Array;
  located: readonly LocatedCrossing[] = [];
  readonly statistics: Statistics;
  readonly account: StepAccount;
  readonly drags: Drags;
  /** Undefined where nothing can touch anything */
  readonly contacts: StepContacts | undefined;
  private readonly blocks: VelocityBlocks;
  private readonly terms: ConvexTerms;
  private readonly islands: StepIslands;
  private readonly joints: JointTerms;
  private readonly flexible: FlexibleTerms;
  private crossings: Crossings | undefined;
  private readonly yPrevious: Float64Array;
  private readonly freely: FreeVelocities;
  /** Vectors of all blocks: at the start, v*, v¹ that positions move with, v at the end */
  private readonly v0: Float64Array;
  private readonly free: Float64Array;
  private readonly moving: Float64Array;
  /** Of the end if nothing touched flexible bodies */
  private readonly untouched: Float64Array;
  private readonly v: Float64Array;
  /** Velocities in the order of y that positions move with */
  private readonly drift: Float64Array;
  private readonly quiet: QuietIslands;
  /** Means of the last step: of contacts and hands, 6 per carrier; along joints, by velocity */
  private readonly meanLoads: Float64Array;
  private readonly meanDrives: Float64Array;
  private before = new Float64Array(256);
  /** Step that is planned */
  private h: number;
  private anchor: number;
  private sinceAnchor = 0;
  private readonly full: Float64Array;
  private readonly halfway: Float64Array;
  private readonly comparison: StepComparison;
  /** State with the velocities that positions moved with */
  private readonly waiting: Float64Array;
  /** Some part follows a prescribed motion, whose drive puts in what it likes. */
  private readonly anyDriven: boolean;
  /** m: how late what was struck is, since it was set to 0 */
  private late = 0;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly system: ContactSystem | undefined,
    private readonly options: TimeSteppingOptions,
  ) {
    const { step, accuracy, longestStep } = options;
    if (step === undefined && accuracy === undefined)
      throw new ModelError(
        'step',
        "the integrator 'time-stepping' takes steps of one length: expected it in s, such as 2e-3, or accuracy in m",
      );
    this.statistics = options.statistics ?? noStatistics();
    this.t = this.tPrevious = this.anchor = options.t0;
    this.y = Float64Array.from(options.y0);
    this.yPrevious = Float64Array.from(options.y0);
    this.h = step ?? Math.min(longestStep ?? 0.02, 1e-3);
    mechanics.jointsApart = true;
    this.blocks = new VelocityBlocks(mechanics);
    const memory = new StepMemory();
    this.terms = new ConvexTerms(this.blocks, memory);
    this.joints = new JointTerms(mechanics, this.blocks, this.terms);
    if (step !== undefined) this.joints.stops.resolving = step;
    else this.joints.stops.accuracy = accuracy!;
    this.drags = new Drags(mechanics, this.blocks, this.terms);
    this.contacts = system && new StepContacts(mechanics, system, this.blocks, this.terms);
    if (this.contacts && step !== undefined) this.contacts.regions.resolving = step;
    this.flexible = new FlexibleTerms(mechanics, this.blocks, this.terms);
    this.account = new StepAccount(mechanics, this.joints, this.flexible);
    const { nv, carriers } = mechanics;
    this.v0 = new Float64Array(nv);
    this.free = new Float64Array(nv);
    this.moving = new Float64Array(nv);
    this.untouched = new Float64Array(nv);
    this.v = new Float64Array(nv);
    this.drift = new Float64Array(nv);
    this.islands = new StepIslands(
      this.blocks,
      this.terms,
      memory,
      this.joints,
      this.contacts,
      this.flexible,
      () => this.contacts?.gravity ?? (this.flexible.pairs.length > 0 ? mechanics.gravity.strength : 0),
      { v0: this.v0, free: this.free, moving: this.moving, v: this.v },
      options.rigidity,
    );
    this.freely = new FreeVelocities(mechanics, this.blocks, this.joints, this.v0, this.free);
    this.full = new Float64Array(this.y.length);
    this.halfway = new Float64Array(this.y.length);
    this.waiting = new Float64Array(this.y.length);
    this.anyDriven = this.blocks.isDriven.includes(1);
    this.meanLoads = new Float64Array(6 * (carriers.ground + 1));
    this.meanDrives = new Float64Array(mechanics.derivatives.size);
    this.quiet = new QuietIslands(mechanics, this.blocks, this.islands, this.drags, options.resting !== false);
    this.comparison = new StepComparison(mechanics, this.quiet.sizes);
    if (mechanics.loops.any) mechanics.prepare(this.t, this.y);
    this.account.start(this.t, this.y);
    mechanics.otherDrives = this.meanDrives;
    this.joints.present(this.t, this.y, this.meanDrives);
  }

  /** From now on zeros of these are located. */
  watch(crossings: readonly ZeroCrossing[]): void {
    if (crossings.length === 0) return;
    this.crossings = new Crossings(crossings, this.y.length);
    this.crossings.start(this.t, this.y);
  }

  /** Pulls a point of a carrier to where it is, until it is moved. @param point world, m; @param mass kg that is pulled */
  grab(anchor: Anchor, point: Vec3, mass: number): Drag {
    const { mechanics, contacts } = this;
    const { carriers } = mechanics;
    mechanics.update(this.t, this.y);
    const carrier = carriers.indexOf(anchor);
    const local = new Float64Array(3);
    for (let k = 0; k < 3; k++)
      for (let j = 0; j < 3; j++)
        local[k] += carriers.rotation[9 * carrier + 3 * j + k] * (point[j] - carriers.position[3 * carrier + j]);
    const drag: Drag = { carrier, point: local, target: Float64Array.from(point), mass };
    this.drags.active.push(drag);
    if (contacts && carrier >= carriers.nodes) contacts.wake(carrier);
    return drag;
  }

  moveDrag(drag: Drag, target: Vec3): void {
    drag.target.set(target);
  }

  release(drag: Drag): void {
    const { active } = this.drags;
    const i = active.indexOf(drag);
    if (i >= 0) active.splice(i, 1);
  }

  /** From now on gravity is another one, m/s²; what rests wakes. */
  changeGravity(acceleration: Vec3): void {
    this.takeGravity(acceleration);
    this.contacts?.wakeAll();
    this.account.revalue(this.t, this.y);
  }

  /** Gravity that has been another one for a while, in a run that is gone on with */
  takeGravity(acceleration: Vec3): void {
    this.mechanics.changeGravity(acceleration);
    if (this.contacts) this.contacts.regions.gravity = norm(acceleration);
  }

  /** Iterations of Newton's method, solutions, and those that ended at the limit of iterations */
  get iterations(): number {
    return this.islands.iterations;
  }
  get solutions(): number {
    return this.islands.solutions;
  }
  get unsolved(): number {
    return this.islands.unsolved;
  }
  /** Largest island so far, in blocks */
  get largestIsland(): number {
    return this.islands.largest;
  }

  get plannedStep(): number {
    return this.h;
  }

  /** One step, not beyond `limit`, which ends at a crossing that stops. True if it does. */
  step(limit: number): boolean {
    const { statistics } = this;
    this.located = [];
    const adaptive = this.options.step === undefined;
    let end = adaptive ? this.t + this.h : this.anchor + (this.sinceAnchor + 1) * this.h;
    let whole = true;
    if (end > limit - 1e-9 * this.h) {
      whole = Math.abs(end - limit) <= 1e-9 * this.h;
      end = limit;
    }
    this.yPrevious.set(this.y);
    this.tPrevious = this.t;
    const { contacts, crossings } = this;
    const mayRepeat = crossings !== undefined || adaptive;
    if (mayRepeat) contacts?.save();
    if (adaptive) end = this.choose(end);
    else this.advance(this.t, this.yPrevious, end, this.y);
    let stops = false;
    if (crossings) {
      const { t } = this;
      this.t = end;
      this.located = crossings.scan({ start: t, end, sample: (theta, out) => this.between(theta, out) });
      this.t = t;
      stops = this.located.some(({ crossing }) => crossing.stops);
      const last = this.located.at(-1);
      if (stops && last && last.t < end) {
        // the step is made again to end there
        contacts?.restore();
        this.restoreBooks();
        end = Math.max(last.t, t + 1e-12 * Math.max(1, Math.abs(t)));
        this.advance(t, this.yPrevious, end, this.y);
        whole = false;
      }
    }
    const h = end - this.tPrevious;
    this.t = end;
    if (whole && !adaptive) this.sinceAnchor++;
    else if (!adaptive) {
      this.anchor = end;
      this.sinceAnchor = 0;
    }
    statistics.accepted++;
    statistics.lastStep = h;
    statistics.linearisations = this.iterations;
    statistics.factorisations = this.iterations;
    statistics.evaluations = this.solutions;
    statistics.failures = this.unsolved;
    if ((whole || adaptive) && (statistics.smallestStep === 0 || h < statistics.smallestStep)) {
      statistics.smallestStep = h;
      statistics.smallestStepTime = this.tPrevious;
    }
    if (contacts) this.quiet.letRest(contacts, h, this.y);
    this.showMeans();
    return stops;
  }

  /** From now on, until the next step, reactions of joints see the mean forces of the last one. */
  private showMeans(): void {
    const { mechanics } = this;
    if (mechanics.system.tree.count === 0) return;
    mechanics.otherLoads = this.meanLoads;
    mechanics.otherDrives = this.meanDrives;
  }

  /** Where a step from here would end, which is not made. The result is overwritten by the next call. */
  tried(end: number): Float64Array {
    const { contacts } = this;
    contacts?.save();
    this.advance(this.t, this.y, end, this.full);
    contacts?.restore();
    this.restoreBooks();
    return this.full;
  }

  /**
   * One step against two of half its length. Where nothing struck in any of the three, the place is 2 × that of the two less that of the one: of second order,
   * with gaps that are wrong by the square of the difference; else that of the two.
   */
  private choose(planned: number): number {
    const { full, halfway, yPrevious, y, contacts, options, statistics, comparison } = this;
    const accuracy = options.accuracy!;
    const longest = options.longestStep ?? 0.02;
    // a blow that one of them has at the very end and the other has not, would have no step short enough
    const speed = comparison.largestSpeed(yPrevious);
    const least = Math.max(1e-6, speed > 0 ? Math.min(longest, (SHORTEST * accuracy) / speed) : 0);
    let end = planned;
    for (;;) {
      const h = end - this.t;
      const middle = this.t + 0.5 * h;
      this.islands.struck = false;
      this.advance(this.t, yPrevious, end, full);
      contacts?.restore();
      this.restoreBooks();
      const resolved = Math.min(this.joints.stops.longest, contacts?.regions.longest ?? Number.POSITIVE_INFINITY);
      if (h > 1.01 * resolved) {
        statistics.rejected++;
        this.h = resolved;
        end = this.t + resolved;
        continue;
      }
      this.late = 0;
      this.advance(this.t, yPrevious, middle, halfway);
      this.advance(middle, halfway, end, y, true);
      const way = comparison.ways(full, y) + this.late;
      const error = way + AHEAD * comparison.speeds(full, y);
      const factor = error > 0 ? Math.min(5, Math.max(0.2, 0.9 * Math.sqrt(accuracy / error))) : 5;
      if (error <= accuracy || h <= 1.01 * least || (this.islands.struck && way <= accuracy && h <= 2 * least)) {
        if (planned === end || h * factor < this.h) this.h = Math.min(longest, Math.max(least, h * factor));
        if (!this.islands.struck) {
          comparison.extrapolate(full, y);
          if (this.mechanics.loops.any) this.closeLoops(end, y);
          this.account.correct(end, y);
        }
        return end;
      }
      statistics.rejected++;
      contacts?.restore();
      if (contacts) contacts.stamp--;
      this.restoreBooks();
      this.h = Math.max(least, h * factor);
      end = this.t + this.h;
    }
  }

  /** Values between: positions as they drift, velocities of the end */
  private between(theta: number, out: Float64Array): void {
    const { yPrevious, y, mechanics } = this;
    const { nq } = mechanics;
    if (theta >= 1) {
      out.set(y);
      return;
    }
    out.set(y);
    for (let k = 0; k < nq; k++) out[k] = yPrevious[k];
    if (theta <= 0) {
      out.set(yPrevious);
      return;
    }
    // scalars linearly; quaternions by the shorter way, kept at unit length
    for (let k = 0; k < nq; k++) out[k] = yPrevious[k] + theta * (y[k] - yPrevious[k]);
    mechanics.normalise(out);
  }

  /** Writes y at a time within the last step. */
  interpolate(t: number, out: Float64Array): void {
    const h = this.t - this.tPrevious;
    this.between(h > 0 ? (t - this.tPrevious) / h : 1, out);
  }

  /** Goes on from another state, after an event. */
  restart(t: number, y: ArrayLike<number>): void {
    const at = t === this.t ? this.located.filter((event) => Math.abs(event.t - t) <= 4e-14 * Math.abs(t)) : [];
    this.y.set(y);
    this.t = this.tPrevious = this.anchor = t;
    this.sinceAnchor = 0;
    this.yPrevious.set(this.y);
    this.contacts?.wakeAll();
    this.crossings?.start(t, this.y, at);
    this.account.restart(t, this.y);
    this.freely.lasting.fill(0);
  }

  /** What the next steps follow from, beside t and y that it was made with. */
  remember(tape: Tape): void {
    const { contacts, islands } = this;
    const [h, anchor, steps] = [this.h, this.anchor, this.sinceAnchor].map((value) => tape.number(value));
    const adaptive = this.options.step === undefined;
    if (adaptive) this.h = h;
    // steps of another length count from here
    else if (h === this.h) {
      this.anchor = anchor;
      this.sinceAnchor = steps;
    }
    this.tPrevious = tape.number(this.tPrevious);
    tape.array(this.yPrevious);
    tape.array(this.quiet.steps);
    tape.array(this.meanLoads);
    tape.array(this.meanDrives);
    for (const joint of this.mechanics.jointForces) joint.mean = tape.number(joint.mean);
    tape.array(this.freely.lasting);
    tape.array(this.joints.stops.followed);
    this.joints.elastic.remember(tape);
    this.account.remember(tape);
    for (const name of ['iterations', 'solutions', 'unsolved', 'largest'] as const)
      islands[name] = tape.number(islands[name]);
    contacts?.remember(tape);
    if (!tape.reading) return;
    // a hand may have set other drives since it was made
    this.mechanics.forgetPoses();
    if (this.mechanics.loops.any) this.mechanics.prepare(this.t, this.y);
    if (contacts) this.show(contacts);
    if (this.t > this.tPrevious) this.showMeans();
  }

  private saveBooks(): void {
    this.account.save();
    this.freely.save();
    this.joints.stops.save();
  }

  private restoreBooks(): void {
    this.account.restore();
    this.freely.restore();
    this.joints.stops.restore();
  }

  // ---- the step -------------------------------------------------------------------------------------------------------------------

  /** From y0 at t to `y` at `end`. */
  private advance(t: number, y0: Float64Array, end: number, y: Float64Array, more = false): void {
    const { mechanics, blocks, terms, contacts, v0, free, v, moving, account, flexible } = this;
    const h = end - t;
    const { nq, nv } = mechanics;
    if (!more) this.saveBooks();

    if (this.joints.feelElasticity) mechanics.prepare(t, y0);
    this.flexible.setApart(true);
    this.freely.foresee(t, h, y0);
    this.flexible.setApart(false);
    this.islands.newton.begin();
    // terms of the step
    terms.begin(h);
    this.joints.write(t, h, y0, v0, free);
    this.drags.write(h);
    const others = terms.groups;
    if (contacts) {
      contacts.regions.begin();
      contacts.regions.leaveOut(0, others);
      if (others > 0) terms.pushedTo(free, moving);
      const untouched = others > 0 ? moving : free;
      this.joints.stops.notePushed(untouched);
      contacts.find(h, untouched);
      if (contacts.anyResting) this.quiet.hold(contacts.resting, v0, free);
      contacts.write(v0, untouched);
    }
    this.writeFlexible(t, h, y0, others);

    // solutions
    v.set(v0);
    moving.set(free);
    this.islands.pushed.fill(0);
    this.islands.solve(0);
    for (let again = 0; ; again++) {
      const known = terms.groups;
      const more = again < LOOKS && contacts?.findMore(h, v0, moving);
      const rigid = terms.groups;
      const moved = flexible.follow(again, moving);
      contacts?.regions.leaveOut(rigid, terms.groups);
      if (!more && !moved) break;
      this.islands.solve(known);
    }

    // positions and velocities
    this.drifts();
    if (blocks.firstFree > 0) this.swing(h);
    flexible.correct(this.drift, v, this.isMean);
    y.set(y0);
    mechanics.displace(y, this.drift, 0, h);
    this.putVelocities(y);
    if (this.options.step === undefined && this.islands.struck) this.late += h * this.lateness(y);
    // states of elements, explicitly; bristles of joints are known from their terms
    for (let k = nq + nv; k < y.length; k++) y[k] += h * this.freely.rates[k];
    this.joints.keep(y0, y);
    this.joints.elements.keep(h, v, y0, y);
    flexible.keep(y0, y);
    mechanics.normalise(y);

    // what lasts; the carriers are still where the step began
    if (this.before.length < terms.rows) this.before = new Float64Array(2 * terms.rows);
    this.joints.elements.measureWork(h, v0, v);
    terms.allVelocities(v0, this.before);
    terms.allVelocities(v, terms.u);
    const heat = contacts?.settled.remember(contacts.present, contacts.count, this.before) ?? 0;
    const jointHeat = this.joints.stops.heat(this.before) - this.joints.bristleGain;
    flexible.book(this.before, y0, y);
    account.book(h, blocks, terms, this.before, v0, free, v, this.joints, others, heat + jointHeat + flexible.heat);
    account.friction += flexible.frictionHeat;
    if (contacts) {
      account.friction += contacts.frictionHeat;
      account.blowFriction += contacts.blowFriction;
      this.show(contacts);
    }
    if (mechanics.system.tree.count > 0) {
      this.joints.means(this.meanDrives);
      this.meanLoads.fill(0);
      contacts?.settled.addLoads(contacts.present, contacts.count, this.meanLoads);
      this.drags.addLoads(this.meanLoads);
    }
    // steps of a given accuracy are tried again
    if (this.options.step !== undefined) this.joints.elastic.refuseBroken(end, y);
    if (mechanics.loops.any) this.closeLoops(end, y);
    account.close(end, y, blocks, this.joints.elastic.lost(this.before, y));
    if (contacts && contacts.count > 0 && account.excess > LEAST_TAKEN * account.scale) this.takeBack(end, y);
  }

  /**
   * Energy that steps made beyond what they lost is taken from the motion of mechanisms that were pushed: their velocities are scaled by √(1 − ΔE/T). Rows of contact are those of the start of the step, and
   * where contact bends a mechanism quickly the forces of its motion follow it late; without this a chain that is thrown over a peg goes on to whip by itself.
   */
  private takeBack(t: number, y: Float64Array): void {
    const { mechanics, blocks, account, waiting } = this;
    const { nq, derivatives } = mechanics;
    const { pushed } = this.islands;
    let touched = false;
    for (let b = 0; b < blocks.firstFree; b++) if (pushed[b] !== 0) touched = true;
    if (!touched || this.anyDriven) return;
    waiting.set(y);
    waiting.fill(0, nq, nq + derivatives.size);
    const moving = account.parts[0] - account.kineticAt(t, waiting);
    const excess = Math.min(account.excess, MOST_TAKEN * moving);
    if (!(excess > 0)) return;
    const share = Math.sqrt(1 - excess / moving);
    for (let k = nq; k < nq + derivatives.size; k++) y[k] *= share;
    account.correct(t, y);
    account.takenBack += excess;
  }

  /** @param y0 the carriers are there; @param others groups that are not of contacts */
  private writeFlexible(t: number, h: number, y0: Float64Array, others: number): void {
    const { flexible, terms, contacts, v0, free, untouched } = this;
    if (flexible.pairs.length === 0) return;
    const first = terms.groups;
    untouched.set(free);
    if (first > 0) terms.pushedTo(free, untouched);
    // elasticity and its damping act on the same motion: each for itself would stop it twice
    this.islands.solveFirst(others, flexible.ofPairs, untouched);
    flexible.write(t, h, y0, v0, untouched);
    contacts?.regions.leaveOut(first, terms.groups);
  }

  private putVelocities(y: Float64Array): void {
    const { velocity } = this.blocks;
    const { nq, nv } = this.mechanics;
    for (let k = 0; k < nv; k++) y[nq + velocity[k]] = this.v[k];
  }

  /** Velocities that positions move with */
  private drifts(): void {
    const { blocks, v0, free, v, moving, drift, freely } = this;
    const { pushed } = this.islands;
    const { stiff } = this.joints;
    for (let b = 0; b < blocks.count; b++) {
      const flies = pushed[b] === 0;
      const half = flies || pushed[b] === SWINGING;
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) {
        if (flies) v[k] = free[k];
        const mean = flies || (half && stiff[blocks.velocity[k]] === 0);
        drift[blocks.velocity[k]] = mean ? 0.5 * (v0[k] + v[k]) : moving[k];
      }
      const body = b - blocks.firstFree;
      if (flies && body >= 0 && freely.turnsFast[body] !== 0)
        for (let k = 0; k < 3; k++) drift[blocks.velocity[blocks.at[b] + 3 + k]] = freely.meanTurn[3 * body + k];
      // what falls together, and touches nothing else, falls as one: the half of g h² that an implicit step goes too far
      if (pushed[b] === FALLING)
        for (let k = blocks.at[b]; k < blocks.at[b] + 3; k++) drift[blocks.velocity[k]] -= 0.5 * (free[k] - v0[k]);
    }
  }

  /** m/s, at most: by how much velocities of the end differ from those that what was struck moved with. What rebounds waits for the end of the step, and is late by up to h times that. */
  private lateness(y: Float64Array): number {
    const { blocks, drift, waiting, comparison, mechanics } = this;
    const { pushed } = this.islands;
    waiting.set(y);
    for (let b = 0; b < blocks.count; b++) {
      if (pushed[b] !== 1) continue;
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++)
        waiting[mechanics.nq + blocks.velocity[k]] = drift[blocks.velocity[k]];
    }
    return comparison.speeds(waiting, y);
  }

  private readonly isMean = (b: number): boolean => this.islands.pushed[b] === SWINGING;

  private swing(h: number): void {
    const { elastic } = this.joints;
    const { pushed } = this.islands;
    const swings = (b: number): boolean => pushed[b] === SWINGING;
    if (elastic.any) elastic.drift(swings, this.v0, this.v, this.drift);
    this.freely.keep(swings, h, this.v);
  }

  /** Positions, then velocities of loops are closed. */
  private closeLoops(t: number, y: Float64Array): void {
    const { mechanics } = this;
    mechanics.closePositions(t, y, 8);
    mechanics.prepare(t, y);
    mechanics.closeVelocities(y);
  }

  /** The pairs that touch, for records, sensors and reactions */
  private show(contacts: StepContacts): void {
    const shown = this.shown;
    let n = 0;
    for (let i = 0; i < contacts.count; i++) {
      const { pair, table } = contacts.present[i];
      if (table.count > 0) shown[n++] = pair;
    }
    for (let i = 0; i < contacts.stillCount; i++) {
      const { pair, table } = contacts.still[i];
      if (table.count > 0) shown[n++] = pair;
    }
    shown.length = n;
    this.system!.pairs = shown;
  }
  private readonly shown: ContactSystem['pairs'][number][] = [];
}
