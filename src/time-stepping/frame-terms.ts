/**
 * Springs and dampers between frames, along a line or along the axes of the first (bushing): what makes them implicit in the convex problem.
 *
 *   springs   in v* is what they do in the middle of the step, x + h/2 v₀; where they are stiff, W = k h (u − ½ u₀) is added
 *   dampers   W = d u_m, slow: u_m = ½ (u₀ + u); stiff: u_m = u
 *   laws of the user's own along a line: v* has the force with the rate of the start, and d (u_m − u₀) is added
 */
import type { ElementPlan } from '../assembly/system.js';
import { Bushing } from '../dynamics/elements/bushing.js';
import { LineForce } from '../dynamics/elements/line-force.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { fromQuaternion } from '../math/mat3.js';
import type { ConvexTerms } from './convex-terms.js';
import { ROLE, type TermRoles } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

type FramePlan = Extract<ElementPlan, { kind: 'line' | 'bushing' }>;

export class FrameTerms {
  private readonly plans: readonly FramePlan[];
  private readonly elements: readonly (Bushing | LineForce)[];
  /** Axes of the first frame by its carrier */
  private readonly axes: readonly (readonly number[])[];
  /** World, m: points of both frames; direction of the row */
  private readonly p = new Float64Array(3);
  private readonly q = new Float64Array(3);
  private readonly d = new Float64Array(3);
  private readonly slopes = new Float64Array(2);
  /** Velocities at the start of the step, of all blocks */
  private start: Float64Array = new Float64Array(0);
  private opened: (stiff: boolean) => void = () => {};

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    private readonly roles: TermRoles,
  ) {
    this.plans = mechanics.system.elements.filter(
      (plan): plan is FramePlan => plan.kind === 'line' || plan.kind === 'bushing',
    );
    this.elements = mechanics.pairs.filter(
      (pair): pair is Bushing | LineForce => pair instanceof Bushing || pair instanceof LineForce,
    );
    this.axes = this.plans.map(({ a }) => fromQuaternion(a.orientation));
  }

  get any(): boolean {
    return this.plans.length > 0;
  }

  /** Takes dampers out of the rates and powers, or puts them back. */
  setApart(apart: boolean): void {
    for (let i = 0; i < this.elements.length; i++) this.elements[i].dampingApart = apart;
  }

  /** Laws of the user's own along lines have the rate that they were evaluated with last, until they have their own again. */
  holdRates(hold: boolean): void {
    for (let i = 0; i < this.elements.length; i++) {
      const element = this.elements[i];
      if (element instanceof LineForce) element.holdRate(hold);
    }
  }

  /**
   * One group each. The carriers are at the start of the step.
   *
   * @param start  velocities there, a vector of all blocks
   * @param opened told of a group, and again if it is stiff
   */
  write(t: number, start: Float64Array, opened: (stiff: boolean) => void): void {
    this.start = start;
    this.opened = opened;
    for (let i = 0; i < this.plans.length; i++) this.writeElement(i, t);
  }

  private writeElement(i: number, t: number): void {
    const { blocks, terms, p, q, d, slopes } = this;
    const plan = this.plans[i];
    const { carriers } = this.mechanics;
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
    terms.open(ba < 0 ? bb : ba, ba < 0 || ba === bb ? -1 : bb);
    this.opened(false);
    if (plan.kind === 'line') {
      let length = 0;
      for (let k = 0; k < 3; k++) {
        d[k] = q[k] - p[k];
        length += d[k] * d[k];
      }
      length = Math.sqrt(length);
      if (!(length > 0)) return;
      for (let k = 0; k < 3; k++) d[k] /= length;
      if (plan.law === undefined) {
        this.add(plan, a, b, plan.stiffness, 0, false);
        this.add(plan, a, b, 0, plan.damping, false);
      } else {
        (this.elements[i] as LineForce).slopes(t, slopes);
        this.add(plan, a, b, Math.max(0, -slopes[0]), 0, false);
        this.add(plan, a, b, 0, Math.max(0, -slopes[1]), false);
      }
      return;
    }
    const frame = this.axes[i];
    for (let axis = 0; axis < 6; axis++) {
      const c = axis % 3;
      for (let k = 0; k < 3; k++) {
        d[k] = 0;
        for (let j = 0; j < 3; j++) d[k] += rotation[9 * a + 3 * k + j] * frame[3 * j + c];
      }
      this.add(plan, a, b, plan.stiffness[axis], 0, axis >= 3);
      this.add(plan, a, b, 0, plan.damping[axis], axis >= 3);
    }
  }

  /** A spring or a damper along or about d, if there is one. @param a, b carriers */
  private add(plan: FramePlan, a: number, b: number, stiffness: number, damping: number, turns: boolean): void {
    if (!(stiffness > 0) && !(damping > 0)) return;
    const { blocks, terms, p, q, d } = this;
    const { h } = terms;
    const g = terms.groups - 1;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
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
    if (!slow) this.opened(true);
    let u0 = terms.bias[row];
    for (let k = 0; k < blocks.size[first]; k++) u0 += terms.jacobian[at + k] * this.start[blocks.at[first] + k];
    if (second >= 0)
      for (let k = 0; k < blocks.size[second]; k++) u0 += terms.jacobian[other + k] * this.start[blocks.at[second] + k];
    if (damping > 0) {
      const rise = slow ? 0.5 * damping : damping;
      // what the rate of the start does is in v* already where the law is the user's
      const known = plan.kind === 'line' && plan.law !== undefined;
      const force = known ? -rise * u0 : (damping - rise) * u0;
      terms.setBounded(this.roles.add(known ? ROLE.stored : ROLE.heat), force, 0, 0, rise, Number.POSITIVE_INFINITY);
      return;
    }
    const term = this.roles.add(ROLE.stored);
    terms.setBounded(term, -0.5 * stiffness * h * u0, 0, 0, stiffness * h, Number.POSITIVE_INFINITY);
  }
}
