/**
 * What acts along joints and in loops, as terms of the convex problem:
 *
 *   slow, h² k w < 1 and h d w < 1, w the mobility of the row: the middle of the step, x_m = x + h/4 (v₀ + v), v_m = ½ (v₀ + v); nothing is lost, at second order
 *   stiff: backward Euler, x_m = x + h v, v_m = v: it follows its load, and coordinates move with the velocity of the end
 *
 *   spring      W = k (x_m − x₀)                             damper     W = d v_m
 *   friction    W = k s_m + d v_m, |W| ≤ limit               motor      −W = kp (target − x_m) + kd (speed − v_m), within ± limit
 *   user's own  −W = f(t + h/2, x + h/2 v₀, v₀) − d (v_m − v₀), d = −∂f/∂v; stiff: f(t + h, x, v₀) − k h v − d (v − v₀), k = −∂f/∂x, what of both is above zero
 *   loops       rows hold the velocity that they have in v*, with 10⁶ of what they feel; positions are closed after the step
 *
 * Stops: joint-stops.ts; springs and dampers between frames: frame-terms.ts; elements, own forces on bodies, soils: element-terms.ts; flexible bodies: elastic-terms.ts
 */

import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { requireFinite } from '../dynamics/tree/dynamics-error.js';
import type { ConvexTerms } from './convex-terms.js';
import { ElasticTerms } from './elastic-terms.js';
import { ElementTerms } from './element-terms.js';
import { FrameTerms } from './frame-terms.js';
import { inertiaFelt } from './inertia-felt.js';
import { JointStops } from './joint-stops.js';
import { ROLE, TermRoles } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

const LOOP_ROW = -2;
const ELASTIC = -3;
const STIFF = -4;
/** Of what a loop row feels */
const LOOP = 1e6;

export class JointTerms {
  readonly roles: TermRoles;
  /** Per velocity: 1: a stiff spring, damper or motor acts along it; and some does */
  readonly stiff: Uint8Array;
  anyStiff = false;
  /** Per group: joint, or what it is */
  private readonly jointOf: number[] = [];
  /** Groups that are ours; those of contacts follow */
  groups = 0;
  /** Per joint: term of its friction, −1: none; 1: the step resolves its bristle; rise of W with the velocity of the end; mobility of its coordinate */
  private readonly friction: Int32Array;
  private readonly resolved: Uint8Array;
  private readonly rise: Float64Array;
  private readonly mobility: Float64Array;
  readonly stops: JointStops;
  readonly frames: FrameTerms;
  readonly elements: ElementTerms;
  readonly elastic: ElasticTerms;
  /** Some stop or friction feels the inertia of parts that deform; where there are loops, closing them prepares it */
  readonly feelElasticity: boolean;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const n = mechanics.jointForces.length;
    this.roles = new TermRoles(terms);
    this.stiff = new Uint8Array(mechanics.nv);
    this.friction = new Int32Array(n);
    this.resolved = new Uint8Array(n);
    this.rise = new Float64Array(n);
    this.mobility = new Float64Array(n);
    this.stops = new JointStops(mechanics, blocks, terms, this.roles);
    this.frames = new FrameTerms(mechanics, blocks, terms, this.roles);
    this.elements = new ElementTerms(mechanics, blocks, terms);
    this.elastic = new ElasticTerms(mechanics, blocks, terms);
    this.feelElasticity =
      this.elastic.any && !mechanics.loops.any && mechanics.jointForces.some(({ needsInertia }) => needsInertia);
  }

  /** Writes all terms; the carriers are at the start of the step, the rates known. @param start, free velocities at the start and v*, vectors of all blocks */
  write(t: number, h: number, y: Float64Array, start: Float64Array, free: Float64Array): void {
    this.stiff.fill(0);
    this.anyStiff = false;
    this.stops.begin();
    for (let i = 0; i < this.mechanics.jointForces.length; i++) this.writeJoint(i, t, h, y, free);
    this.frames.write(t, start, this.openedElement);
    this.elements.write(h, free, this.openedElement, this.roles.add);
    this.elastic.write(h, this.openedElastic, this.roles.add);
    this.writeLoops(h, free);
    this.groups = this.terms.groups;
  }

  /** Takes dampers between frames out of the rates and powers, elements out of the powers, or puts them back. */
  setApart(apart: boolean): void {
    this.frames.setApart(apart);
    this.elements.setApart(apart);
  }

  private readonly openedElement = (stiff: boolean): void => {
    this.jointOf[this.terms.groups - 1] = stiff ? STIFF : -1;
  };

  private readonly openedElastic = (): void => {
    this.jointOf[this.terms.groups - 1] = ELASTIC;
  };

  private writeJoint(i: number, t: number, h: number, y: Float64Array, free: Float64Array): void {
    const { terms, blocks, mechanics } = this;
    const own = mechanics.jointForces[i];
    const { plan, xAt, vAt, velocity, stateAt } = own;
    const x = y[xAt];
    const v = y[vAt];
    const block = blocks.ofVelocity(velocity);
    terms.open(block, -1);
    this.jointOf[terms.groups - 1] = i;
    this.friction[i] = -1;
    const place = blocks.placeOf(velocity);
    const row = (): number => {
      const at = terms.addRow();
      terms.jacobian[at + place] = 1;
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
      const slow = pull(k, 0, row());
      const start = k * (x + (slow ? 0.25 * h * v : 0) - plan.rest);
      terms.setBounded(this.roles.add(ROLE.stored), start, 0, 0, k * h * (slow ? 0.25 : 1), Number.POSITIVE_INFINITY);
    }
    if (plan.damping > 0) {
      const d = plan.damping * (pull(0, plan.damping, row()) ? 0.5 : 1);
      terms.setBounded(this.roles.add(ROLE.heat), (plan.damping - d) * v, 0, 0, d, Number.POSITIVE_INFINITY);
    }
    if (plan.motor) {
      const { kp, kd, target, speed, limit } = plan.motor;
      const slow = pull(kp, kd, row());
      const when = slow ? t + 0.5 * h : t + h;
      const start = kp * (x + (slow ? 0.25 * h * v : 0) - target(when)) + kd * ((slow ? 0.5 * v : 0) - speed(when));
      const rise = slow ? 0.25 * kp * h + 0.5 * kd : kp * h + kd;
      if (!Number.isFinite(start)) requireFinite(start, when, own.name, 'its motor');
      terms.setBounded(this.roles.add(ROLE.supplied), start, 0, 0, rise, limit);
    }
    if (plan.force) {
      const k = Math.max(0, -own.ownByCoordinate(t, x, v));
      const d = Math.max(0, -own.ownByRate(t, x, v));
      const slow = pull(k, d, row());
      const force = slow ? own.own(t + 0.5 * h, x + 0.5 * h * v, v) : own.own(t + h, x, v);
      const slope = slow ? 0.5 * d : d;
      const rise = slow ? slope : k * h + d;
      terms.setBounded(this.roles.add(ROLE.supplied), -force - slope * v, 0, 0, rise, Number.POSITIVE_INFINITY);
    }
    if (plan.friction) {
      const { stiffness: k, limit } = plan.friction;
      const w = blocks.mobility(block, terms.jacobian, row());
      const d = own.bristleDamping(inertiaFelt(mechanics, i, w));
      this.mobility[i] = w;
      this.friction[i] = this.roles.add(ROLE.heat);
      this.resolved[i] = h * h * k * w < 1 && h * d * w < 1 ? 1 : 0;
      const rise = this.resolved[i] !== 0 ? 0.25 * h * k + 0.5 * d : h * k + d;
      this.rise[i] = rise;
      terms.setBounded(this.friction[i], k * y[stateAt] + (this.resolved[i] !== 0 ? rise * v : 0), 0, 0, rise, limit);
    }
    this.stops.write(i, x, v, free);
  }

  private writeLoops(h: number, free: Float64Array): void {
    const { terms, blocks, mechanics } = this;
    const { loops, nv, system } = mechanics;
    // a loop takes work only where a prescribed motion closes it, whose drive puts it in
    const role = system.motions.length > 0 ? ROLE.supplied : ROLE.stored;
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
      terms.setBounded(this.roles.add(role), -rise * wanted, 0, 0, rise, Number.POSITIVE_INFINITY);
    }
  }

  /** Joint of a group, −1: none */
  private joint(g: number): number {
    return g < this.groups ? Math.max(-1, this.jointOf[g]) : -1;
  }

  /** Stiffness of rigid stops and of bristles of a group for an island's κ */
  prepare(g: number, rigidity: number): void {
    const i = this.joint(g);
    if (i < 0) return;
    this.stops.prepare(i, rigidity);
    const w = this.mobility[i];
    if (this.friction[i] < 0 || this.resolved[i] !== 0 || !(w > 0)) return;
    this.terms.setRise(this.friction[i], Math.min(rigidity / (this.terms.h * w), this.rise[i]));
  }

  /** A loop row: it does nothing where nothing else does */
  isLoop(g: number): boolean {
    return g < this.groups && this.jointOf[g] === LOOP_ROW;
  }

  /** Own elasticity of a flexible body */
  isElastic(g: number): boolean {
    return g < this.groups && this.jointOf[g] === ELASTIC;
  }

  /** A rigid stop that was hit, or something stiff between frames: coordinates go no farther than the velocity of the end takes them. */
  strikes(g: number): boolean {
    return g < this.groups && (this.jointOf[g] === STIFF || this.hitsStop(g));
  }

  /** A rigid stop that was hit, not one that is leant on */
  hitsStop(g: number): boolean {
    const i = this.joint(g);
    return i >= 0 && this.stops.hits(i);
  }

  /** After a solution: rigid stops that are soft for what they bear follow their own law. True if there are such. @param v velocities of all blocks */
  carry(g: number, v: Float64Array): boolean {
    const i = this.joint(g);
    return i >= 0 && this.stops.carry(i, g, v);
  }

  /** Rigid stops that were hit rebound; true if there are such */
  rebound(g: number, share: number): boolean {
    const i = this.joint(g);
    return i >= 0 && this.stops.rebound(i, share);
  }

  /** What acted along joints in the step, its mean: into the joints, and by velocity into `drives`, N or N m */
  means(drives: Float64Array): void {
    const { terms, blocks } = this;
    const { h } = terms;
    const { jointForces } = this.mechanics;
    drives.fill(0);
    for (let g = 0; g < this.groups; g++) {
      const i = this.joint(g);
      if (i < 0) continue;
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
   * Bristles of joints into the states, by the law in dynamics/elements/joint-forces.ts: held or sliding, W = k s_m + d (s₊ − s)/h with s_m = ½ (s + s₊) where the step resolves it, else s₊. So
   * s₊ = s + h (W − k s)/c, c = h k/2 + d or h k + d, with what the rigidity leaves of d.
   */
  keep(y0: Float64Array, y: Float64Array): void {
    const { terms } = this;
    const { h } = terms;
    this.bristleGain = 0;
    this.mechanics.jointForces.forEach(({ plan, stateAt }, i) => {
      const term = this.friction[i];
      if (term < 0) return;
      const k = plan.friction!.stiffness;
      const held = -terms.gamma[terms.row[term]] / h;
      const rise = terms.riseOf(term);
      const s = y0[stateAt];
      const change = (h * (held - k * s)) / (this.resolved[i] !== 0 ? 2 * rise : Math.max(h * k, rise));
      y[stateAt] = s + change;
      this.bristleGain += k * change * (s + 0.5 * change);
    });
  }

  /** J that bristles of friction took in the last step: what is no heat of it */
  bristleGain = 0;
}
