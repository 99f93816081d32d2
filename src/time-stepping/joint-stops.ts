/**
 * Stops of joints as terms of the convex problem:
 *
 *   that gives way (`gives`)   its own law, N = F max(0, 1 − (χ/u_m) v_m), in the mean of the step (own-law.ts), which loses nothing where touch begins and ends
 *   stiffer                    as a contact on the coordinate, rigid, with restitution
 *
 * What lies on the part, and makes a stop slow that is stiff for the part alone, is known after a first solution (`carry`).
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import { inertiaFelt } from './inertia-felt.js';
import { followLaw, meanPower } from './own-law.js';
import { ROLE, type TermRoles } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** h² k/m of a stop: below, the step resolves it; it turns a part round in ten steps or more, and is within 1 % of its restitution */
const RESOLVED = 0.1;
/** Part by which a load has to add to the inertia of a joint to count */
const LOADED = 0.01;
/** rad/s or m/s: slower on a rigid stop does not rebound */
const SLOW = 1e-3;

export class JointStops {
  /** Two per joint, the lower and the upper: term, −1: none; rate at which the gap closes at the start of the step; gap there */
  private readonly term: Int32Array;
  private readonly approach: Float64Array;
  private readonly gap: Float64Array;
  /** Inertia per stop that is touched and follows its own law, with all that lies on the part, kg or kg m²; 0: it does not. Until touch ends */
  readonly followed: Float64Array;
  private readonly savedFollowed: Float64Array;
  /** Per joint: mobility of its coordinate; rate at the start of the step; rate to which all but stops and contacts push */
  private readonly mobility: Float64Array;
  private readonly rate: Float64Array;
  private readonly pushed: Float64Array;
  /** s: step that stops are to be resolved by: that of the run, also where one is shorter, to an event or the end */
  resolving = 0;
  /** m: where steps choose themselves, how far a stop has to give way to count */
  accuracy = 0;
  /** s: longest step that resolves the stops that are touched in this one */
  longest = Number.POSITIVE_INFINITY;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    private readonly roles: TermRoles,
  ) {
    const n = mechanics.jointForces.length;
    this.term = new Int32Array(2 * n);
    this.approach = new Float64Array(2 * n);
    this.gap = new Float64Array(2 * n);
    this.followed = new Float64Array(2 * n);
    this.savedFollowed = new Float64Array(2 * n);
    this.mobility = new Float64Array(n);
    this.rate = new Float64Array(n);
    this.pushed = new Float64Array(n);
  }

  /** A step begins. */
  begin(): void {
    this.longest = Number.POSITIVE_INFINITY;
    this.term.fill(-1);
  }

  /** Into the group of joint i, which is open. @param x, v its coordinate and rate; @param free v*, a vector of all blocks */
  write(i: number, x: number, v: number, free: Float64Array): void {
    const { terms, blocks } = this;
    const { plan, velocity } = this.mechanics.jointForces[i];
    if (!plan.stops) return;
    const { lower, upper } = plan.stops;
    const block = blocks.ofVelocity(velocity);
    const place = blocks.placeOf(velocity);
    for (let side = 0; side < 2; side++) {
      const gap = side === 0 ? x - lower : upper - x;
      if (!Number.isFinite(gap)) continue;
      const sign = side === 0 ? 1 : -1;
      const row = terms.addRow();
      terms.jacobian[row + place] = sign;
      this.mobility[i] = blocks.mobility(block, terms.jacobian, row);
      const u0 = sign * v;
      const freely = sign * free[blocks.at[block] + place];
      const at = 2 * i + side;
      if (gap >= 0) this.followed[at] = 0;
      const inertia = Math.max(this.inertiaOf(i), this.followed[at]);
      const soft = this.followed[at] > 0 || this.gives(i, inertia, u0, freely);
      const term = this.roles.add(soft ? ROLE.stored : ROLE.heat);
      terms.kind[term] = TERM.normal;
      if (soft) this.follow(i, term, gap, u0, freely, inertia);
      else terms.setNormal(term, gap, 0, 1, 0);
      if (soft && gap < 0) this.followed[at] = inertia;
      this.approach[at] = Math.max(0, -u0);
      this.rate[i] = v;
      this.gap[at] = gap;
      this.term[at] = term;
    }
  }

  private inertiaOf(i: number): number {
    return inertiaFelt(this.mechanics, i, this.mobility[i]);
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
    return (Math.PI * Math.max(0, -u0) + (2 * slow * Math.abs(free - u0)) / this.terms.h) * slow > this.accuracy;
  }

  /**
   * A stop by its own law.
   *
   * @param gap m or rad; @param u0 rate of the gap at the start; @param free the same in v*; @param loaded inertia with what lies on the part
   */
  private follow(i: number, term: number, gap: number, u0: number, free: number, loaded: number): void {
    const { terms } = this;
    const own = this.mechanics.jointForces[i];
    const k = own.plan.stops!.stiffness;
    // touched on the way that it would go without it: a step that is far too long would foresee it thrown back before
    if (gap < 0 || gap + 0.5 * terms.h * (u0 + free) < 0)
      this.longest = Math.min(this.longest, Math.sqrt((RESOLVED * loaded) / k));
    // restitution is met for the joint alone, as under error control
    const felt = k / this.inertiaOf(i);
    const floor = felt * own.stopFloor * own.stopFloor;
    followLaw(terms, term, k, 1, gap, u0, free, 1 / loaded, 0, felt, own.stopDamping, floor);
  }

  /** Stiffness of rigid ones for an island's κ */
  prepare(i: number, rigidity: number): void {
    const { terms } = this;
    const w = this.mobility[i];
    if (!(w > 0)) return;
    for (let at = 2 * i; at < 2 * i + 2; at++) {
      const term = this.term[at];
      if (term >= 0 && this.isRigid(term))
        terms.setNormal(term, this.gap[at], rigidity / (terms.h * terms.h * w), 1, 0);
    }
  }

  private isRigid(term: number): boolean {
    return this.roles.role[term] === ROLE.heat;
  }

  /** It is there, rigid, and bears something. */
  private bears(term: number): boolean {
    const { row, gamma } = this.terms;
    return term >= 0 && this.isRigid(term) && gamma[row[term]] > 0;
  }

  /** Rates to which all but stops and contacts push. @param v velocities of all blocks */
  notePushed(v: Float64Array): void {
    const { blocks, mechanics } = this;
    mechanics.jointForces.forEach(({ plan, velocity }, i) => {
      if (plan.stops) this.pushed[i] = v[blocks.at[blocks.ofVelocity(velocity)] + blocks.placeOf(velocity)];
    });
  }

  /**
   * After a solution: rigid ones of joint i, whose group is g, that are soft for what they bear. Their impulse changed the rate of the joint by Δu, so they have m = γ/Δu before them; from now on
   * they follow their own law. True if there are such. @param v velocities of all blocks
   */
  carry(i: number, g: number, v: Float64Array): boolean {
    const { terms } = this;
    let any = false;
    for (let side = 0; side < 2; side++) {
      const at = 2 * i + side;
      const term = this.term[at];
      if (!this.bears(term)) continue;
      terms.velocities(g, v, terms.u, true);
      const row = terms.row[term];
      const freely = side === 0 ? this.pushed[i] : -this.pushed[i];
      const change = terms.u[row] - freely;
      if (!(change > 0)) continue;
      const inertia = terms.gamma[row] / change;
      const u0 = side === 0 ? this.rate[i] : -this.rate[i];
      if (!(inertia > (1 + LOADED) * this.inertiaOf(i)) || !this.gives(i, inertia, u0, freely)) continue;
      this.roles.role[term] = ROLE.stored;
      this.followed[at] = inertia;
      this.follow(i, term, this.gap[at], u0, freely, inertia);
      any = true;
    }
    return any;
  }

  /** A rigid one of joint i was hit, not leant on. */
  hits(i: number): boolean {
    for (let at = 2 * i; at < 2 * i + 2; at++) if (this.bears(this.term[at]) && this.approach[at] > SLOW) return true;
    return false;
  }

  /** Rigid ones of joint i that were hit rebound; true if there are such */
  rebound(i: number, share: number): boolean {
    const { terms } = this;
    const { h } = terms;
    const { stops } = this.mechanics.jointForces[i].plan;
    if (!stops || !(stops.restitution > 0)) return false;
    const e = share * stops.restitution;
    let any = false;
    for (let at = 2 * i; at < 2 * i + 2; at++) {
      const term = this.term[at];
      const approach = this.approach[at];
      if (!this.bears(term) || !(approach > SLOW)) continue;
      const give = (1 + e) / (terms.stiffnessOf(term) * h * h * this.mobility[i]);
      terms.setGap(term, -h * (e + give) * approach);
      any = true;
    }
    return any;
  }

  /** What those that follow their own law turned into heat in the step, J: γ less what is stored. @param before rates of rows at its start; those of its end are in the terms */
  heat(before: Float64Array): number {
    const { terms, mechanics } = this;
    const { h } = terms;
    let heat = 0;
    for (let at = 0; at < this.gap.length; at++) {
      const term = this.term[at];
      if (term < 0 || this.isRigid(term)) continue;
      const row = terms.row[term];
      const u = 0.5 * (before[row] + terms.u[row]);
      const depth = -this.gap[at];
      const stored = h * mechanics.jointForces[at >> 1].plan.stops!.stiffness * meanPower(1, depth, depth - h * u);
      heat += (stored - terms.gamma[row]) * u;
    }
    return heat;
  }

  save(): void {
    this.savedFollowed.set(this.followed);
  }

  restore(): void {
    this.followed.set(this.savedFollowed);
  }
}
