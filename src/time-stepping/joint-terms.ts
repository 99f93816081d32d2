/**
 * What acts along joints, between frames and in loops, as terms of the convex problem:
 *
 *   slow, h² k w < 1 and h d w < 1, w the mobility of the row: the middle of the step, x_m = x + h/4 (v₀ + v), v_m = ½ (v₀ + v); nothing is lost, at second order
 *   stiff: backward Euler, x_m = x + h v, v_m = v: it follows its load, and coordinates move with the velocity of the end
 *
 *   spring      W = k (x_m − x₀)                             damper     W = d v_m
 *   stop        that gives way (`gives`): its own law, N = F max(0, 1 − (χ/u_m) v_m), in the mean of the step F = (U₁ − U₀)/(δ₁ − δ₀), U = ½ k max(0, δ)², which loses nothing where touch begins and ends;
 *               stiffer: as a contact on the coordinate, rigid, with restitution. What lies on the part, and makes a stop slow that is stiff for the part alone, is known after a first solution (`carry`)
 *   friction    bristle with one component, |W| ≤ limit      motor      −W = kp (target − x_m) + kd (speed − v_m), within ± limit
 *   user's own  −W = f(t + h/2, x + h/2 v₀, v₀) − d (v_m − v₀), d = −∂f/∂v; stiff: f(t + h, x, v₀) − k h v − d (v − v₀), k = −∂f/∂x, what of both is above zero
 *   elements, own forces on bodies, soils: element-terms.ts; flexible bodies: elastic-terms.ts
 *   loops       rows hold the velocity that they have in v*, with 10⁶ of what they feel; positions are closed after the step
 *   springs between frames: in v* is what they do in the middle of the step, x + h/2 v₀; where they are stiff, W = k h (u − ½ u₀) is added. Their dampers are terms as above. Of laws of the
 *               user's own along a line v* has the force with the rate of the start, and d (v_m − v₀) is added
 */
import type { ElementPlan } from '../assembly/system.js';
import { Bushing } from '../dynamics/bushing.js';
import { requireFinite } from '../dynamics/dynamics-error.js';
import { LineForce } from '../dynamics/line-force.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { fromQuaternion } from '../math/mat3.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import { ElasticTerms } from './elastic-terms.js';
import { ElementTerms } from './element-terms.js';
import { followLaw, meanPower } from './own-law.js';
import { ROLE } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

const LOOP_ROW = -2;
const ELASTIC = -3;
const STIFF = -4;
/** Of what a loop row feels */
const LOOP = 1e6;
/** h² k/m of a stop: below, the step resolves it; it turns a part round in ten steps or more, and is within 1 % of its restitution */
const RESOLVED = 0.1;
/** Part by which a load has to add to the inertia of a joint to count */
const LOADED = 0.01;
/** rad/s or m/s: slower on a rigid stop does not rebound */
const SLOW = 1e-3;

type FramePlan = Extract<ElementPlan, { kind: 'line' | 'bushing' }>;

export class JointTerms {
  /** ROLE per term of ours, which are the first */
  role = new Uint8Array(64);
  private readonly plans: readonly FramePlan[];
  private readonly frames: readonly (Bushing | LineForce)[];
  /** Per velocity: 1: a stiff spring, damper or motor acts along it; and some does */
  readonly stiff: Uint8Array;
  anyStiff = false;
  /** Terms of joint i: two stops, −1: none; friction; group; mobility of its coordinate */
  private readonly stops: Int32Array;
  private readonly friction: Int32Array;
  private readonly jointOf: number[] = [];
  private readonly mobility: Float64Array;
  private readonly approach: Float64Array;
  private readonly gap: Float64Array;
  /** s: step that stops are to be resolved by: that of the run, also where one is shorter, to an event or the end */
  resolving = 0;
  /** m: where steps choose themselves, how far a stop has to give way to count */
  accuracy = 0;
  /** Inertia per stop that is touched and follows its own law, with all that lies on the part, kg or kg m²; 0: it does not. Until touch ends */
  readonly followed: Float64Array;
  private readonly savedFollowed: Float64Array;
  /** Per joint: rate to which all but stops and contacts push */
  private readonly pushed: Float64Array;
  /** Per joint with stops: its rate at the start of the step */
  private readonly rate: Float64Array;
  /** s: longest step that resolves the stops that are touched, by the last `write` */
  longest = Number.POSITIVE_INFINITY;
  readonly elements: ElementTerms;
  readonly elastic: ElasticTerms;
  private h = 0;
  private readonly p = new Float64Array(3);
  private readonly q = new Float64Array(3);
  private readonly d = new Float64Array(3);
  private readonly slopes = new Float64Array(2);

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const n = mechanics.jointForces.length;
    this.plans = mechanics.system.elements.filter(
      (plan): plan is FramePlan => plan.kind === 'line' || plan.kind === 'bushing',
    );
    this.frames = mechanics.pairs.filter(
      (pair): pair is Bushing | LineForce => pair instanceof Bushing || pair instanceof LineForce,
    );
    this.stiff = new Uint8Array(mechanics.nv);
    this.stops = new Int32Array(2 * n);
    this.friction = new Int32Array(n);
    this.mobility = new Float64Array(n);
    this.approach = new Float64Array(2 * n);
    this.followed = new Float64Array(2 * n);
    this.savedFollowed = new Float64Array(2 * n);
    this.pushed = new Float64Array(n);
    this.rate = new Float64Array(n);
    this.gap = new Float64Array(2 * n);
    this.elements = new ElementTerms(mechanics, blocks, terms);
    this.elastic = new ElasticTerms(mechanics, blocks, terms);
  }

  /** Writes all terms; the carriers are at the start of the step, the rates known. */
  write(t: number, h: number, y: Float64Array, free: Float64Array): void {
    this.h = h;
    this.stiff.fill(0);
    this.anyStiff = false;
    this.longest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.mechanics.jointForces.length; i++) this.writeJoint(i, t, h, y, free);
    for (let i = 0; i < this.plans.length; i++) this.writeFrames(this.plans[i], this.frames[i], t, h);
    this.elements.write(h, free, this.openedElement, this.elementTerm);
    this.elastic.write(h, this.openedElastic, this.newTerm);
    this.writeLoops(h, free);
    this.groups = this.terms.groups;
  }

  /** Some springs or bushings act between frames. */
  get anyFrames(): boolean {
    return this.plans.length > 0;
  }

  /** Takes dampers between frames out of the rates and powers, elements out of the powers, or puts them back. */
  setApart(apart: boolean): void {
    for (let i = 0; i < this.frames.length; i++) this.frames[i].dampingApart = apart;
    this.elements.setApart(apart);
  }

  /** Laws of the user's own along lines have the rate that they were evaluated with last, until they have their own again. */
  holdRates(hold: boolean): void {
    for (let i = 0; i < this.frames.length; i++) {
      const element = this.frames[i];
      if (element instanceof LineForce) element.holdRate(hold);
    }
  }

  private readonly openedElement = (stiff: boolean): void => {
    this.jointOf[this.terms.groups - 1] = stiff ? STIFF : -1;
  };
  private readonly elementTerm = (): number => this.term(ROLE.stored);

  private readonly openedElastic = (): void => {
    this.jointOf[this.terms.groups - 1] = ELASTIC;
  };
  private readonly newTerm = (role: number): number => this.term(role);

  private term(role: number): number {
    const { terms } = this;
    const term = terms.addTerm(TERM.bounded);
    if (term >= this.role.length) {
      const more = new Uint8Array(2 * this.role.length);
      more.set(this.role);
      this.role = more;
    }
    this.role[term] = role;
    return term;
  }

  private writeJoint(i: number, t: number, h: number, y: Float64Array, free: Float64Array): void {
    const { terms, blocks, mechanics } = this;
    const own = mechanics.jointForces[i];
    const { plan, xAt, vAt, velocity, stateAt } = own;
    const x = y[xAt];
    const v = y[vAt];
    const block = blocks.ofVelocity(velocity);
    terms.open(block, -1);
    const g = terms.groups - 1;
    this.jointOf[g] = i;
    this.stops[2 * i] = this.stops[2 * i + 1] = this.friction[i] = -1;
    const place = blocks.placeOf(velocity);
    const row = (sign: number): number => {
      const at = terms.addRow();
      terms.jacobian[at + place] = sign;
      return at;
    };
    // k (x_m − rest) + d (v_m − speed): at (t', x', v') = (t + h/2, x + h/4 v, v/2) and with (h/4) k + d/2, or at the end
    const pull = (k: number, d: number, at: number): boolean => {
      const w = blocks.mobility(block, terms.jacobian, at);
      const slow = h * h * k * w < 1 && h * d * w < 1;
      if (!slow) {
        this.stiff[velocity] = 1;
        this.anyStiff = true;
      }
      return slow;
    };
    if (plan.stiffness > 0) {
      const k = plan.stiffness;
      const slow = pull(k, 0, row(1));
      const start = k * (x + (slow ? 0.25 * h * v : 0) - plan.rest);
      terms.setBounded(this.term(ROLE.stored), start, 0, 0, k * h * (slow ? 0.25 : 1), Number.POSITIVE_INFINITY);
    }
    if (plan.damping > 0) {
      const d = plan.damping * (pull(0, plan.damping, row(1)) ? 0.5 : 1);
      terms.setBounded(this.term(ROLE.heat), (plan.damping - d) * v, 0, 0, d, Number.POSITIVE_INFINITY);
    }
    if (plan.motor) {
      const { kp, kd, target, speed, limit } = plan.motor;
      const slow = pull(kp, kd, row(1));
      const when = slow ? t + 0.5 * h : t + h;
      const start = kp * (x + (slow ? 0.25 * h * v : 0) - target(when)) + kd * ((slow ? 0.5 * v : 0) - speed(when));
      const rise = slow ? 0.25 * kp * h + 0.5 * kd : kp * h + kd;
      if (!Number.isFinite(start)) requireFinite(start, when, own.name, 'its motor');
      terms.setBounded(this.term(ROLE.supplied), start, 0, 0, rise, limit);
    }
    if (plan.force) {
      const k = Math.max(0, -own.ownByCoordinate(t, x, v));
      const d = Math.max(0, -own.ownByRate(t, x, v));
      const slow = pull(k, d, row(1));
      const force = slow ? own.own(t + 0.5 * h, x + 0.5 * h * v, v) : own.own(t + h, x, v);
      const slope = slow ? 0.5 * d : d;
      const rise = slow ? slope : k * h + d;
      terms.setBounded(this.term(ROLE.supplied), -force - slope * v, 0, 0, rise, Number.POSITIVE_INFINITY);
    }
    if (plan.friction) {
      const at = row(1);
      this.mobility[i] = blocks.mobility(block, terms.jacobian, at);
      this.friction[i] = this.term(ROLE.heat);
      terms.setBounded(this.friction[i], plan.friction.stiffness * y[stateAt], 0, 0, 0, plan.friction.limit);
    }
    if (plan.stops) {
      const { lower, upper } = plan.stops;
      for (let side = 0; side < 2; side++) {
        const gap = side === 0 ? x - lower : upper - x;
        if (!Number.isFinite(gap)) continue;
        const at = row(side === 0 ? 1 : -1);
        this.mobility[i] = blocks.mobility(block, terms.jacobian, at);
        const u0 = side === 0 ? v : -v;
        const freely = (side === 0 ? 1 : -1) * free[blocks.at[block] + place];
        const known = 2 * i + side;
        if (gap >= 0) this.followed[known] = 0;
        const inertia = Math.max(this.inertiaOf(i), this.followed[known]);
        const soft = this.followed[known] > 0 || this.gives(i, inertia, u0, freely);
        const term = this.term(soft ? ROLE.stored : ROLE.heat);
        terms.kind[term] = TERM.normal;
        if (soft) this.follow(i, term, gap, u0, freely, inertia);
        else terms.setNormal(term, gap, 0, 1, 0);
        if (soft && gap < 0) this.followed[known] = inertia;
        this.approach[2 * i + side] = Math.max(0, -u0);
        this.rate[i] = v;
        this.gap[2 * i + side] = gap;
        this.stops[2 * i + side] = term;
      }
    }
  }

  /** Inertia that a joint with stops feels, kg or kg m²; loops know it */
  private inertiaOf(i: number): number {
    return this.mechanics.loops.any ? this.mechanics.jointForces[i].effectiveInertia : 1 / this.mobility[i];
  }

  /**
   * A stop gives way: the step resolves it; where steps choose themselves, it is entered and left farther off than is asked for, π u₀/ω + 2 a/ω², ω² = k/m, a the acceleration by other forces.
   *
   * @param u0 rate of the gap at the start; @param free the same in v*
   */
  private gives(i: number, inertia: number, u0: number, free: number): boolean {
    if (!(this.mobility[i] > 0)) return false;
    const square = this.mechanics.jointForces[i].plan.stops!.stiffness / inertia;
    if (this.accuracy === 0) return this.resolving * this.resolving * square < RESOLVED;
    const slow = 1 / Math.sqrt(square);
    return (Math.PI * Math.max(0, -u0) + (2 * slow * Math.abs(free - u0)) / this.h) * slow > this.accuracy;
  }

  /** Rates to which all but stops and contacts push. @param v velocities of all blocks */
  notePushed(v: Float64Array): void {
    const { blocks, mechanics } = this;
    mechanics.jointForces.forEach(({ plan, velocity }, i) => {
      if (plan.stops) this.pushed[i] = v[blocks.at[blocks.ofVelocity(velocity)] + blocks.placeOf(velocity)];
    });
  }

  /**
   * After a solution: rigid stops of a group that are soft for what they bear. Their impulse changed the rate of the joint by Δu, so they have m = γ/Δu before them; from now on they follow
   * their own law. True if there are such. @param v velocities of all blocks
   */
  carry(g: number, v: Float64Array): boolean {
    if (g >= this.groups) return false;
    const i = this.jointOf[g];
    if (!(i >= 0)) return false;
    const { terms } = this;
    let any = false;
    for (let side = 0; side < 2; side++) {
      const at = 2 * i + side;
      const term = this.stops[at];
      if (!this.struck(term)) continue;
      terms.velocities(g, v, terms.u, true);
      const row = terms.row[term];
      const freely = side === 0 ? this.pushed[i] : -this.pushed[i];
      const change = terms.u[row] - freely;
      if (!(change > 0)) continue;
      const inertia = terms.gamma[row] / change;
      const u0 = side === 0 ? this.rate[i] : -this.rate[i];
      if (!(inertia > (1 + LOADED) * this.inertiaOf(i)) || !this.gives(i, inertia, u0, freely)) continue;
      this.role[term] = ROLE.stored;
      this.followed[at] = inertia;
      this.follow(i, term, this.gap[at], u0, freely, inertia);
      any = true;
    }
    return any;
  }

  save(): void {
    this.savedFollowed.set(this.followed);
  }

  restore(): void {
    this.followed.set(this.savedFollowed);
  }

  /**
   * A stop by its own law.
   *
   * @param gap m or rad; @param u0 rate of the gap at the start; @param free the same in v*; @param loaded inertia with what lies on the part
   */
  private follow(i: number, term: number, gap: number, u0: number, free: number, loaded: number): void {
    const own = this.mechanics.jointForces[i];
    const k = own.plan.stops!.stiffness;
    // touched on the way that it would go without it: a step that is far too long would foresee it thrown back before
    if (gap < 0 || gap + 0.5 * this.h * (u0 + free) < 0)
      this.longest = Math.min(this.longest, Math.sqrt((RESOLVED * loaded) / k));
    // restitution is met for the joint alone, as under error control
    const felt = k / this.inertiaOf(i);
    const floor = felt * own.stopFloor * own.stopFloor;
    followLaw(this.terms, term, k, 1, gap, u0, free, 1 / loaded, 0, felt, own.stopDamping, floor);
  }

  /** What stops that follow their own law turned into heat in the step, J: γ less what is stored. @param before rates of rows at its start; those of its end are in the terms */
  stopHeat(before: Float64Array): number {
    const { terms, h, mechanics } = this;
    let heat = 0;
    for (let at = 0; at < this.gap.length; at++) {
      const term = this.stops[at];
      if (term < 0 || this.role[term] !== ROLE.stored) continue;
      const row = terms.row[term];
      const u = 0.5 * (before[row] + terms.u[row]);
      const depth = -this.gap[at];
      const stored = h * mechanics.jointForces[at >> 1].plan.stops!.stiffness * meanPower(1, depth, depth - h * u);
      heat += (stored - terms.gamma[row]) * u;
    }
    return heat;
  }

  /** Springs and dampers between frames: what makes them implicit, along the line or along the axes of the first */
  private writeFrames(plan: FramePlan, element: Bushing | LineForce, t: number, h: number): void {
    const { mechanics, blocks, terms, p, q, d, slopes } = this;
    const { carriers } = mechanics;
    const a = carriers.indexOf(plan.a);
    const b = carriers.indexOf(plan.b);
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    if (ba < 0 && bb < 0) return;
    const { position, rotation } = carriers;
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      p[k] = position[3 * a + k];
      q[k] = position[3 * b + k];
      for (let j = 0; j < 3; j++) {
        p[k] += rotation[9 * a + r + j] * plan.a.position[j];
        q[k] += rotation[9 * b + r + j] * plan.b.position[j];
      }
    }
    const first = ba < 0 ? bb : ba;
    const second = ba < 0 || ba === bb ? -1 : bb;
    terms.open(first, second);
    this.jointOf[terms.groups - 1] = -1;
    const add = (stiffness: number, damping: number, turns: boolean): void => {
      if (stiffness > 0) addTerm(stiffness, 0, turns);
      if (damping > 0) addTerm(0, damping, turns);
    };
    const addTerm = (stiffness: number, damping: number, turns: boolean): void => {
      const at = terms.addRow();
      const other = second < 0 ? at : at + blocks.size[first];
      blocks.bias = 0;
      if (turns) {
        blocks.addTurn(a, d[0], d[1], d[2], -1, terms.jacobian, at);
        blocks.addTurn(b, d[0], d[1], d[2], 1, terms.jacobian, other);
      } else {
        const from = plan.kind === 'bushing' ? q : p;
        blocks.addPoint(a, from[0], from[1], from[2], d[0], d[1], d[2], -1, terms.jacobian, at);
        blocks.addPoint(b, q[0], q[1], q[2], d[0], d[1], d[2], 1, terms.jacobian, other);
      }
      const row = terms.rows - 1;
      terms.bias[row] = blocks.bias;
      let w = blocks.mobility(first, terms.jacobian, at);
      if (second >= 0) w += blocks.mobility(second, terms.jacobian, other);
      const slow = h * h * stiffness * w < 1 && h * damping * w < 1;
      if (slow && !(damping > 0)) {
        terms.dropRow();
        return;
      }
      if (!slow) this.jointOf[terms.groups - 1] = STIFF;
      const u0 = this.startOf(row, at, other);
      if (damping > 0) {
        const d = slow ? 0.5 * damping : damping;
        // what the rate of the start does is in v* already where the law is the user's
        const known = plan.kind === 'line' && plan.law !== undefined;
        const start = known ? -d * u0 : (damping - d) * u0;
        terms.setBounded(this.term(known ? ROLE.stored : ROLE.heat), start, 0, 0, d, Number.POSITIVE_INFINITY);
      } else
        terms.setBounded(
          this.term(ROLE.stored),
          -0.5 * stiffness * h * u0,
          0,
          0,
          stiffness * h,
          Number.POSITIVE_INFINITY,
        );
    };
    if (plan.kind === 'line') {
      let length = 0;
      for (let k = 0; k < 3; k++) {
        d[k] = q[k] - p[k];
        length += d[k] * d[k];
      }
      length = Math.sqrt(length);
      if (!(length > 0)) return;
      for (let k = 0; k < 3; k++) d[k] /= length;
      if (plan.law === undefined) add(plan.stiffness, plan.damping, false);
      else {
        (element as LineForce).slopes(t, slopes);
        add(Math.max(0, -slopes[0]), Math.max(0, -slopes[1]), false);
      }
      return;
    }
    const frame = fromQuaternion(plan.a.orientation);
    for (let axis = 0; axis < 6; axis++) {
      const c = axis % 3;
      for (let k = 0; k < 3; k++) {
        d[k] = 0;
        for (let j = 0; j < 3; j++) d[k] += rotation[9 * a + 3 * k + j] * frame[3 * j + c];
      }
      add(plan.stiffness[axis], plan.damping[axis], axis >= 3);
    }
  }

  /** Velocity of a row of the group that was opened last, at the start of the step */
  private startOf(row: number, at: number, other: number): number {
    const { terms, blocks } = this;
    const g = terms.groups - 1;
    const [first, second] = [terms.ends[2 * g], terms.ends[2 * g + 1]];
    let u0 = terms.bias[row];
    for (let k = 0; k < blocks.size[first]; k++) u0 += terms.jacobian[at + k] * this.start[blocks.at[first] + k];
    if (second >= 0)
      for (let k = 0; k < blocks.size[second]; k++) u0 += terms.jacobian[other + k] * this.start[blocks.at[second] + k];
    return u0;
  }

  /** Velocities at the start, a vector of all blocks; told before `write` */
  start: Float64Array = new Float64Array(0);

  private writeLoops(h: number, free: Float64Array): void {
    const { terms, blocks, mechanics } = this;
    const { loops, nv } = mechanics;
    for (const kept of loops.kept) {
      const v = loops.firstVelocity(kept);
      if (v < 0) continue;
      const block = blocks.ofVelocity(v);
      terms.open(block, -1);
      this.jointOf[terms.groups - 1] = LOOP_ROW;
      const at = terms.addRow();
      let wanted = 0;
      for (let k = 0; k < blocks.size[block]; k++) {
        const x = loops.jacobian[kept * nv + blocks.velocity[blocks.at[block] + k]];
        terms.jacobian[at + k] = x;
        wanted += x * free[blocks.at[block] + k];
      }
      const w = blocks.mobility(block, terms.jacobian, at);
      const rise = w > 0 ? LOOP / (h * w) : 0;
      terms.setBounded(this.term(ROLE.stored), -rise * wanted, 0, 0, rise, Number.POSITIVE_INFINITY);
    }
  }

  /** Stiffness of rigid stops and of bristles of a group for an island's κ */
  prepare(g: number, rigidity: number): void {
    const i = g < this.jointOf.length ? this.jointOf[g] : -1;
    if (!(i >= 0) || g >= this.groups) return;
    const { terms, h } = this;
    const own = this.mechanics.jointForces[i];
    const { plan } = own;
    const w = this.mobility[i];
    if (!(w > 0)) return;
    const rigid = rigidity / (h * h * w);
    for (let side = 0; side < 2; side++) {
      const term = this.stops[2 * i + side];
      if (term >= 0 && this.role[term] === ROLE.heat) terms.setNormal(term, this.gap[2 * i + side], rigid, 1, 0);
    }
    // W = k s₊ + d v, s₊ = s + h v
    if (this.friction[i] >= 0)
      terms.setRise(this.friction[i], Math.min(h * rigid, h * plan.friction!.stiffness + own.bristleDamping(1 / w)));
  }

  /** A loop row: it does nothing where nothing else does */
  isLoop(g: number): boolean {
    return g < this.groups && this.jointOf[g] === LOOP_ROW;
  }

  /** Own elasticity of a flexible body */
  isElastic(g: number): boolean {
    return g < this.groups && this.jointOf[g] === ELASTIC;
  }

  /** A stop that is there, rigid, and bears something: those that follow their own law store */
  private struck(term: number): boolean {
    const { row, gamma } = this.terms;
    return term >= 0 && this.role[term] === ROLE.heat && gamma[row[term]] > 0;
  }

  /** A rigid stop that was hit, or something stiff between frames: coordinates go no farther than the velocity of the end takes them. */
  strikes(g: number): boolean {
    return g < this.groups && (this.jointOf[g] === STIFF || this.hitsStop(g));
  }

  /** A rigid stop that was hit, not one that is leant on */
  hitsStop(g: number): boolean {
    if (g >= this.groups) return false;
    const i = this.jointOf[g];
    if (!(i >= 0)) return false;
    for (let side = 0; side < 2; side++) {
      const term = this.stops[2 * i + side];
      if (this.struck(term) && this.approach[2 * i + side] > SLOW) return true;
    }
    return false;
  }

  /** Groups that are ours; those of contacts follow */
  groups = 0;

  /** Rigid stops that were hit rebound; true if there are such */
  rebound(g: number, share: number): boolean {
    if (g >= this.groups) return false;
    const i = this.jointOf[g];
    if (!(i >= 0)) return false;
    const { terms, h } = this;
    const { plan } = this.mechanics.jointForces[i];
    let any = false;
    for (let side = 0; side < 2; side++) {
      const term = this.stops[2 * i + side];
      if (!this.struck(term)) continue;
      const approach = this.approach[2 * i + side];
      if (!(approach > SLOW) || !(plan.stops!.restitution > 0)) continue;
      const e = share * plan.stops!.restitution;
      const give = (1 + e) / (terms.stiffnessOf(term) * h * h * this.mobility[i]);
      terms.setGap(term, -h * (e + give) * approach);
      any = true;
    }
    return any;
  }

  /** What acted along joints in the step, its mean: into the joints, and by velocity into `drives`, N or N m */
  means(drives: Float64Array): void {
    const { terms, blocks, h } = this;
    const { jointForces } = this.mechanics;
    drives.fill(0);
    for (let g = 0; g < this.groups; g++) {
      const i = this.jointOf[g];
      if (!(i >= 0)) continue;
      const { velocity } = jointForces[i];
      const width = blocks.size[terms.ends[2 * g]];
      let at = terms.jacobianAt[g] + blocks.placeOf(velocity);
      let impulse = 0;
      for (let row = terms.firstRow[g]; row < terms.firstRow[g + 1]; row++, at += width)
        impulse += terms.jacobian[at] * terms.gamma[row];
      jointForces[i].mean = impulse / h;
      drives[velocity] += impulse / h;
    }
  }

  /** The same at one instant, where no step has been made yet */
  present(t: number, y: Float64Array, drives: Float64Array): void {
    const rates = new Float64Array(y.length);
    drives.fill(0);
    for (const joint of this.mechanics.jointForces) {
      const before = drives[joint.velocity];
      joint.evaluate(t, y, drives, rates);
      joint.mean = drives[joint.velocity] - before;
    }
  }

  /**
   * Bristles of joints into the states. Held or sliding, W = k s₊ + d (s₊ − s)/h at the end of the step (backward Euler of the law in
   * dynamics/joint-forces.ts), so s₊ = s + h (W − k s)/(h k + d), with what the rigidity leaves of d.
   */
  keep(y0: Float64Array, y: Float64Array): void {
    const { terms, h } = this;
    this.mechanics.jointForces.forEach(({ plan, stateAt }, i) => {
      const term = this.friction[i];
      if (term < 0) return;
      const k = plan.friction!.stiffness;
      const held = -terms.gamma[terms.row[term]] / h;
      y[stateAt] = y0[stateAt] + (h * (held - k * y0[stateAt])) / Math.max(h * k, terms.riseOf(term));
    });
  }
}
