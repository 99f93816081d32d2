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
import { findRoot } from '../math/union-find.js';
import { norm, type Vec3 } from '../math/vec3.js';
import { ConvexTerms } from './convex-terms.js';
import { type Drag, Drags } from './drags.js';
import { JointTerms } from './joint-terms.js';
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

/** Of g h: slower bodies are quiet; for so many steps: at rest */
const QUIET = 1e-5;
const QUIET_STEPS = 10;
/** s: a difference of speeds counts as the way that it makes in this time */
const AHEAD = 0.1;
/** Of `accuracy`: way that is made in the shortest step; twice as much where something strikes */
const SHORTEST = 1;
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
  private crossings: Crossings | undefined;
  private readonly yPrevious: Float64Array;
  private readonly rates: Float64Array;
  /** Vectors of all blocks: at the start, v*, v¹ that positions move with, v at the end */
  private readonly v0: Float64Array;
  private readonly free: Float64Array;
  private readonly moving: Float64Array;
  private readonly v: Float64Array;
  /** Velocities in the order of y that positions move with */
  private readonly drift: Float64Array;
  /** Per block: 1: its island does not rest */
  private readonly moves: Uint8Array;
  private readonly quiet: Int32Array;
  private readonly contactLoads: Float64Array;
  private readonly mayRest: Uint8Array;
  private readonly sizes: Float64Array;
  private before = new Float64Array(256);
  private readonly spin = new Float64Array(15);
  /** Step that is planned */
  private h: number;
  private anchor: number;
  private sinceAnchor = 0;
  private readonly midway: Float64Array;
  private readonly midRates: Float64Array;
  private readonly full: Float64Array;
  private readonly halfway: Float64Array;
  private readonly comparison: StepComparison;

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
    this.drags = new Drags(mechanics, this.blocks, this.terms);
    this.contacts = system && new StepContacts(mechanics, system, this.blocks, this.terms);
    this.account = new StepAccount(mechanics);
    const { nv, carriers } = mechanics;
    this.rates = new Float64Array(mechanics.size);
    this.v0 = new Float64Array(nv);
    this.free = new Float64Array(nv);
    this.moving = new Float64Array(nv);
    this.v = new Float64Array(nv);
    this.drift = new Float64Array(nv);
    this.islands = new StepIslands(
      this.blocks,
      this.terms,
      memory,
      this.joints,
      this.contacts,
      { v0: this.v0, free: this.free, moving: this.moving, v: this.v },
      options.rigidity,
    );
    this.moves = new Uint8Array(this.blocks.count);
    this.midway = new Float64Array(this.y.length);
    this.midRates = new Float64Array(mechanics.size);
    this.full = new Float64Array(this.y.length);
    this.halfway = new Float64Array(this.y.length);
    this.quiet = new Int32Array(carriers.free);
    this.contactLoads = new Float64Array(6 * (carriers.ground + 1));
    this.mayRest = new Uint8Array(carriers.free).fill(options.resting === false ? 0 : 1);
    for (const { a, b } of mechanics.pairs)
      for (const carrier of [a, b])
        if (carrier >= carriers.nodes && carrier < carriers.ground) this.mayRest[carrier - carriers.nodes] = 0;
    this.sizes = new Float64Array(carriers.free);
    for (const { anchor, size } of mechanics.system.bodies)
      if (anchor.node <= -2) this.sizes[-2 - anchor.node] = Math.max(this.sizes[-2 - anchor.node], size);
    this.comparison = new StepComparison(mechanics, this.sizes);
    if (mechanics.loops.any) mechanics.prepare(this.t, this.y);
    this.account.start(this.t, this.y);
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
    if (this.contacts) {
      this.letRest(h);
      // reactions of joints see the mean forces of the step
      if (this.mechanics.system.tree.count > 0) this.mechanics.otherLoads = this.contactLoads;
    }
    return stops;
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
      this.advance(this.t, yPrevious, middle, halfway);
      this.advance(middle, halfway, end, y, true);
      const way = comparison.ways(full, y);
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
    this.joints.elastic.lasting.fill(0);
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
    tape.array(this.quiet);
    tape.array(this.contactLoads);
    tape.array(this.joints.elastic.lasting);
    this.account.remember(tape);
    for (const name of ['iterations', 'solutions', 'unsolved', 'largest'] as const)
      islands[name] = tape.number(islands[name]);
    contacts?.remember(tape);
    if (!tape.reading) return;
    // a hand may have set other drives since it was made
    this.mechanics.forgetPoses();
    if (this.mechanics.loops.any) this.mechanics.prepare(this.t, this.y);
    if (!contacts) return;
    this.show(contacts);
    if (this.t > this.tPrevious && this.mechanics.system.tree.count > 0) this.mechanics.otherLoads = this.contactLoads;
  }

  private saveBooks(): void {
    this.account.save();
    this.joints.elastic.save();
  }

  private restoreBooks(): void {
    this.account.restore();
    this.joints.elastic.restore();
  }

  // ---- the step -------------------------------------------------------------------------------------------------------------------

  /** From y0 at t to `y` at `end`. */
  private advance(t: number, y0: Float64Array, end: number, y: Float64Array, more = false): void {
    const { mechanics, blocks, terms, contacts, v0, free, v, moving, account } = this;
    const h = end - t;
    const { nq, nv } = mechanics;
    if (!more) this.saveBooks();

    // v*: explicit forces
    const { elastic } = this.joints;
    mechanics.otherLoads = undefined;
    elastic.setApart(true);
    mechanics.rates(t, y0, this.rates);
    if (blocks.firstFree > 0) this.rateHalfway(t, h, y0);
    // elastic impulses act on what the mechanism is in the middle of the step
    if (elastic.any) blocks.update(t, h);
    elastic.setApart(false);
    mechanics.update(t, y0);
    if (!elastic.any) blocks.update(t, h);
    this.islands.newton.begin();
    for (let k = 0; k < nv; k++) {
      const x = blocks.velocity[k];
      v0[k] = y0[nq + x];
      free[k] = y0[nq + x] + h * this.rates[nq + x];
    }
    this.turnFree(y0, h);

    // terms of the step
    terms.begin(h);
    this.joints.start = v0;
    this.joints.write(t, h, y0, free);
    this.drags.write(h);
    const others = terms.groups;
    if (contacts) {
      for (let g = 0; g < others; g++) contacts.regions.regionOf[g] = contacts.regions.pairOf[g] = undefined;
      contacts.find(h);
      if (contacts.anyResting) this.hold();
      contacts.write(v0);
    }

    // solutions
    v.set(v0);
    moving.set(free);
    this.islands.pushed.fill(0);
    this.islands.solve(0);
    for (let again = 0; again < LOOKS; again++) {
      const known = terms.groups;
      if (!contacts?.findMore(h, v0, moving)) break;
      this.islands.solve(known);
    }

    // positions and velocities
    const { drift } = this;
    const { pushed } = this.islands;
    for (let b = 0; b < blocks.count; b++) {
      const flies = pushed[b] === 0;
      const half = flies || pushed[b] === SWINGING;
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++) {
        if (flies) v[k] = free[k];
        drift[blocks.velocity[k]] = half ? 0.5 * (v0[k] + v[k]) : moving[k];
      }
      // what falls together, and touches nothing else, falls as one: the half of g h² that an implicit step goes too far
      if (pushed[b] === FALLING)
        for (let k = blocks.at[b]; k < blocks.at[b] + 3; k++) drift[blocks.velocity[k]] -= 0.5 * (free[k] - v0[k]);
    }
    if (elastic.any) {
      elastic.drift((b) => pushed[b] === SWINGING, v0, v, drift);
      elastic.keep((b) => pushed[b] === SWINGING, h, free, v);
    }
    y.set(y0);
    mechanics.displace(y, drift, 0, h);
    for (let k = 0; k < nv; k++) y[nq + blocks.velocity[k]] = v[k];
    // states of elements, explicitly; bristles of joints are known from their terms
    for (let k = nq + nv; k < y.length; k++) y[k] += h * this.rates[k];
    this.joints.keep(y);
    mechanics.normalise(y);

    // what lasts; the carriers are still where the step began
    if (this.before.length < terms.rows) this.before = new Float64Array(2 * terms.rows);
    for (let g = 0; g < terms.groups; g++) {
      terms.velocities(g, v0, this.before, true);
      terms.velocities(g, v, terms.u, true);
    }
    const heat = contacts?.settled.remember(contacts.present, contacts.count, this.before) ?? 0;
    account.book(h, blocks, terms, this.before, v0, free, v, this.joints, others, heat);
    if (contacts) {
      for (let i = 0; i < contacts.count; i++) account.friction += contacts.present[i].frictionHeat;
      this.show(contacts);
      if (mechanics.system.tree.count > 0) contacts.settled.loads(contacts.present, contacts.count, this.contactLoads);
    }
    if (mechanics.loops.any) this.closeLoops(end, y);
    account.close(end, y);
  }

  /** Accelerations of mechanisms from the middle of the step, as far as these forces take them: they then swing at second order. */
  private rateHalfway(t: number, h: number, y0: Float64Array): void {
    const { mechanics, rates, midway, midRates } = this;
    const { nq, derivatives } = mechanics;
    midway.set(y0);
    mechanics.displace(midway, y0, nq, 0.5 * h);
    for (let k = nq; k < nq + derivatives.size; k++) midway[k] += 0.5 * h * rates[k];
    if (this.joints.elastic.any)
      for (let k = 0; k < derivatives.size; k++) midway[nq + k] += 0.5 * h * this.joints.elastic.lasting[k];
    mechanics.normalise(midway);
    mechanics.rates(t + 0.5 * h, midway, midRates);
    for (let k = nq; k < nq + derivatives.size; k++) rates[k] = midRates[k];
  }

  /** Free bodies: Euler's equation by one RK4 step in place of the explicit gyroscopic torque */
  private turnFree(y0: Float64Array, h: number): void {
    const { mechanics, blocks, free } = this;
    const { nq, freeBodies, derivatives } = mechanics;
    for (let i = 0; i < freeBodies.count; i++) {
      const at = nq + derivatives.size + 6 * i + 3;
      const wx = y0[at];
      const wy = y0[at + 1];
      const wz = y0[at + 2];
      if (wx * wy === 0 && wy * wz === 0 && wz * wx === 0) continue;
      const jx = freeBodies.moments[3 * i];
      const jy = freeBodies.moments[3 * i + 1];
      const jz = freeBodies.moments[3 * i + 2];
      if (!(jx > 0 && jy > 0 && jz > 0)) continue;
      const a = (jy - jz) / jx;
      const b = (jz - jx) / jy;
      const c = (jx - jy) / jz;
      const { spin } = this;
      for (let stage = 0; stage < 4; stage++) {
        const s = stage === 0 ? 0 : stage === 3 ? h : 0.5 * h;
        const p = 3 * Math.max(0, stage - 1);
        const x = wx + s * (stage === 0 ? 0 : spin[p]);
        const y = wy + s * (stage === 0 ? 0 : spin[p + 1]);
        const z = wz + s * (stage === 0 ? 0 : spin[p + 2]);
        spin[3 * stage] = a * y * z;
        spin[3 * stage + 1] = b * z * x;
        spin[3 * stage + 2] = c * x * y;
      }
      const k = blocks.at[blocks.firstFree + i] + 3;
      for (let j = 0; j < 3; j++) {
        const explicit = j === 0 ? a * wy * wz : j === 1 ? b * wz * wx : c * wx * wy;
        free[k + j] += h * ((spin[j] + 2 * spin[3 + j] + 2 * spin[6 + j] + spin[9 + j]) / 6 - explicit);
      }
    }
  }

  /** Bodies at rest stay where they are. */
  private hold(): void {
    const { blocks, free, v0, contacts } = this;
    const { resting } = contacts!;
    for (let i = 0; i < resting.length; i++) {
      if (resting[i] === 0) continue;
      const k = blocks.at[blocks.firstFree + i];
      free.fill(0, k, k + 6);
      v0.fill(0, k, k + 6);
    }
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

  /** Islands of free bodies that have been quiet long enough rest. */
  private letRest(_h: number): void {
    const { blocks, contacts, quiet, mayRest, y, mechanics, sizes, moves } = this;
    const { parent, pushed } = this.islands;
    const { gravity, resting, restsWith } = contacts!;
    if (!(gravity > 0)) return;
    const { nq } = mechanics;
    const most = QUIET * gravity * (this.t - this.tPrevious);
    const { free } = mechanics.carriers;
    for (let i = 0; i < free; i++) {
      if (resting[i] !== 0) continue;
      const b = blocks.firstFree + i;
      let still = mayRest[i] !== 0 && pushed[b] !== 0 && !this.drags.holds(i);
      const at = nq + mechanics.derivatives.size + 6 * i;
      for (let k = 0; k < 6 && still; k++) if (!(Math.abs(y[at + k]) * (k < 3 ? 1 : sizes[i]) < most)) still = false;
      quiet[i] = still ? quiet[i] + 1 : 0;
    }
    // an island rests when all in it are quiet, and no mechanism or drive is in it
    moves.fill(0);
    for (let i = 0; i < free; i++)
      if (resting[i] === 0 && quiet[i] < QUIET_STEPS) moves[findRoot(parent, blocks.firstFree + i)] = 1;
    for (let b = 0; b < blocks.firstFree; b++) moves[findRoot(parent, b)] = 1;
    for (let i = 0; i < contacts!.count; i++) {
      const { a, b } = contacts!.present[i];
      for (let side = 0; side < 2; side++) {
        const own = blocks.ofCarrier[side === 0 ? a : b];
        const other = side === 0 ? b : a;
        if (own >= 0 && blocks.ofCarrier[other] < 0 && other !== mechanics.carriers.ground)
          moves[findRoot(parent, own)] = 1;
      }
    }
    for (let i = 0; i < free; i++) {
      const root = findRoot(parent, blocks.firstFree + i);
      if (resting[i] !== 0 || quiet[i] < QUIET_STEPS || moves[root] !== 0) continue;
      resting[i] = 1;
      restsWith[i] = root - blocks.firstFree;
      contacts!.anyResting = true;
      const at = nq + mechanics.derivatives.size + 6 * i;
      y.fill(0, at, at + 6);
    }
  }
}
