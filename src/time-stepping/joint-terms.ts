/**
 * What acts along joints, between frames and in loops, as terms of the convex problem:
 *
 *   spring      W = k (x + h v − x₀)                         damper     W = d v
 *   stop        as a contact on the coordinate: gap, restitution
 *   friction    bristle with one component, |W| ≤ limit      motor      −W = kp (target − x − h v) + kd (speed − v), within ± limit
 *   user's own forces: explicit, at the start of the step; elements and soils: element-terms.ts; flexible bodies: elastic-terms.ts
 *   loops       rows hold the velocity that they have in v*, with 10⁶ of what they feel; positions are closed after the step
 *   springs between frames: their explicit force is in v*; added is what makes it implicit along its direction, W = (k h + d) u − d u₀
 */
import type { ElementPlan } from '../assembly/system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { fromQuaternion } from '../math/mat3.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import { ElasticTerms } from './elastic-terms.js';
import { ElementTerms } from './element-terms.js';
import { ROLE } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

const LOOP_ROW = -2;
const ELASTIC = -3;
/** Of what a loop row feels */
const LOOP = 1e6;
/** rad/s or m/s: slower on a stop does not rebound */
const SLOW = 1e-3;

type FramePlan = Extract<ElementPlan, { kind: 'line' | 'bushing' }>;

export class JointTerms {
  /** ROLE per term of ours, which are the first */
  role = new Uint8Array(64);
  private readonly plans: readonly FramePlan[];
  /** Terms of joint i: stops, −1: none; friction; group; mobility of its coordinate */
  private readonly lower: Int32Array;
  private readonly upper: Int32Array;
  private readonly friction: Int32Array;
  private readonly jointOf: number[] = [];
  private readonly mobility: Float64Array;
  private readonly approach: Float64Array;
  private readonly elements: ElementTerms;
  readonly elastic: ElasticTerms;
  private h = 0;
  private readonly p = new Float64Array(3);
  private readonly q = new Float64Array(3);
  private readonly d = new Float64Array(3);

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const n = mechanics.jointForces.length;
    this.plans = mechanics.system.elements.filter(
      (plan): plan is FramePlan => (plan.kind === 'line' && plan.law === undefined) || plan.kind === 'bushing',
    );
    this.lower = new Int32Array(n);
    this.upper = new Int32Array(n);
    this.friction = new Int32Array(n);
    this.mobility = new Float64Array(n);
    this.approach = new Float64Array(2 * n);
    this.elements = new ElementTerms(mechanics, blocks, terms);
    this.elastic = new ElasticTerms(mechanics, blocks, terms);
  }

  /** Writes all terms; the carriers are at the start of the step, the rates known. */
  write(t: number, h: number, y: Float64Array, free: Float64Array): void {
    this.h = h;
    for (let i = 0; i < this.mechanics.jointForces.length; i++) this.writeJoint(i, t, h, y);
    for (const plan of this.plans) this.writeFrames(plan, h);
    this.elements.write(t, h, y, free, this.openedElement, this.elementTerm);
    this.elastic.write(h, this.openedElastic, this.newTerm);
    this.writeLoops(h, free);
    this.groups = this.terms.groups;
  }

  private readonly openedElement = (): void => {
    this.jointOf[this.terms.groups - 1] = -1;
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

  private writeJoint(i: number, t: number, h: number, y: Float64Array): void {
    const { terms, blocks, mechanics } = this;
    const { plan, xAt, vAt, velocity, stateAt } = mechanics.jointForces[i];
    const x = y[xAt];
    const v = y[vAt];
    const block = blocks.ofVelocity(velocity);
    terms.open(block, -1);
    const g = terms.groups - 1;
    this.jointOf[g] = i;
    this.lower[i] = this.upper[i] = this.friction[i] = -1;
    const place = blocks.placeOf(velocity);
    const row = (sign: number): number => {
      const at = terms.addRow();
      terms.jacobian[at + place] = sign;
      return at;
    };
    if (plan.stiffness > 0) {
      row(1);
      terms.setBounded(
        this.term(ROLE.stored),
        plan.stiffness * (x - plan.rest),
        0,
        0,
        plan.stiffness * h,
        Number.POSITIVE_INFINITY,
      );
    }
    if (plan.damping > 0) {
      row(1);
      terms.setBounded(this.term(ROLE.heat), 0, 0, 0, plan.damping, Number.POSITIVE_INFINITY);
    }
    if (plan.motor) {
      const { kp, kd, target, speed, limit } = plan.motor;
      row(1);
      const s = kp * (x - target(t + h)) - kd * speed(t + h);
      terms.setBounded(this.term(ROLE.supplied), s, 0, 0, kp * h + kd, limit);
    }
    if (plan.force) {
      row(1);
      terms.setBounded(this.term(ROLE.supplied), -plan.force(t, x, v), 0, 0, 0, Number.POSITIVE_INFINITY);
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
        const term = this.term(ROLE.heat);
        terms.kind[term] = TERM.normal;
        terms.setNormal(term, gap, 0, 1, 0);
        this.approach[2 * i + side] = Math.max(0, side === 0 ? -v : v);
        if (side === 0) this.lower[i] = term;
        else this.upper[i] = term;
      }
    }
  }

  /** Springs between frames: the implicit part along the line, or along the axes of the first */
  private writeFrames(plan: FramePlan, h: number): void {
    const { mechanics, blocks, terms, p, q, d } = this;
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
      if (!(stiffness > 0 || damping > 0)) return;
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
      const term = this.term(ROLE.stored);
      this.implicit(term, row, stiffness, damping, h, at, other);
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
      add(plan.stiffness, plan.damping, false);
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

  /** W = (k h + d) u − d u₀, u₀ of the velocities at the start */
  private implicit(
    term: number,
    row: number,
    stiffness: number,
    damping: number,
    h: number,
    at: number,
    other: number,
  ): void {
    const { terms, blocks } = this;
    const g = terms.groups - 1;
    const [first, second] = [terms.ends[2 * g], terms.ends[2 * g + 1]];
    let u0 = terms.bias[row];
    for (let k = 0; k < blocks.size[first]; k++) u0 += terms.jacobian[at + k] * this.start[blocks.at[first] + k];
    if (second >= 0)
      for (let k = 0; k < blocks.size[second]; k++) u0 += terms.jacobian[other + k] * this.start[blocks.at[second] + k];
    terms.setBounded(term, -damping * u0, 0, 0, stiffness * h + damping, Number.POSITIVE_INFINITY);
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

  /** Stiffness of stops and bristles of a group for an island's κ */
  prepare(g: number, rigidity: number): void {
    const i = g < this.jointOf.length ? this.jointOf[g] : -1;
    if (!(i >= 0) || g >= this.groups) return;
    const { terms, h } = this;
    const { plan } = this.mechanics.jointForces[i];
    const w = this.mobility[i];
    if (!(w > 0)) return;
    const rigid = rigidity / (h * h * w);
    for (let side = 0; side < 2; side++) {
      const term = side === 0 ? this.lower[i] : this.upper[i];
      if (term < 0) continue;
      const gap = terms.gapOf(term);
      terms.setNormal(
        term,
        gap,
        Math.min(rigid, h * h * plan.stops!.stiffness * w < 0.1 ? plan.stops!.stiffness : rigid),
        1,
        0,
      );
    }
    if (this.friction[i] >= 0) terms.setRise(this.friction[i], h * Math.min(rigid, plan.friction!.stiffness));
  }

  /** A loop row: it does nothing where nothing else does */
  isLoop(g: number): boolean {
    return g < this.groups && this.jointOf[g] === LOOP_ROW;
  }

  /** Own elasticity of a flexible body */
  isElastic(g: number): boolean {
    return g < this.groups && this.jointOf[g] === ELASTIC;
  }

  /** Groups that are ours; those of contacts follow */
  groups = 0;

  /** Stops that were hit rebound; true if there are such */
  rebound(g: number, share: number): boolean {
    if (g >= this.groups) return false;
    const i = this.jointOf[g];
    if (!(i >= 0)) return false;
    const { terms, h } = this;
    const { plan } = this.mechanics.jointForces[i];
    let any = false;
    for (let side = 0; side < 2; side++) {
      const term = side === 0 ? this.lower[i] : this.upper[i];
      if (term < 0 || !(terms.gamma[terms.row[term]] > 0)) continue;
      const approach = this.approach[2 * i + side];
      if (!(approach > SLOW) || !(plan.stops!.restitution > 0)) continue;
      const e = share * plan.stops!.restitution;
      const give = (1 + e) / (terms.stiffnessOf(term) * h * h * this.mobility[i]);
      terms.setGap(term, -h * (e + give) * approach);
      any = true;
    }
    return any;
  }

  /** Bristles of joints into the states */
  keep(y: Float64Array): void {
    const { terms, h } = this;
    this.mechanics.jointForces.forEach(({ plan, stateAt }, i) => {
      if (this.friction[i] >= 0) y[stateAt] = -terms.gamma[terms.row[this.friction[i]]] / h / plan.friction!.stiffness;
    });
  }
}
