/**
 * An impact on a flexible body that a step does not resolve, h² k w > UNRESOLVED, returns the speed with which its places closed in times e, as contact of rigid bodies does: e of the pair where the
 * model gives one, 1 where it does not, for the law is elastic; what waves take of it the modes tell.
 */
import type { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import { numberRoom } from '../math/room.js';
import type { ConvexTerms } from './convex-terms.js';
import type { PressedGroup } from './put-in-place.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** h² k w: above, an impact is over within the step */
export const UNRESOLVED = 1;
/** Of the speed that a rebound is to have: as near to it as this is near enough, and what is aimed at */
const NEAR_REBOUND = 0.01;
const AIM = 0.003;
/** Depth of a blow, of what would turn the places round if they gave nothing */
const MOST_DEEPER = 50;

/** Places of a pair in a step */
interface StruckPlaces extends PressedGroup {
  readonly contact: FlexibleContact;
  readonly h: number;
  /** Gap that goes with u = 0, with a rebound and without, m; u of the end if nothing touched, m/s */
  readonly gap: Float64Array;
  readonly ownGap: Float64Array;
  readonly freely: Float64Array;
}

export class FlexibleImpact {
  /** By touch: speed with which a place that rebounds has closed in, and would have without the blow, m/s; 0: it does not */
  private impact: Float64Array = new Float64Array(16);
  private unhindered: Float64Array = new Float64Array(16);
  private depth: Float64Array = new Float64Array(16);
  private force: Float64Array = new Float64Array(16);
  private stiffness: Float64Array = new Float64Array(64);
  private resultant: Float64Array = new Float64Array(16);
  /** How much deeper than its rebound takes it away a place is pressed in the blow; what that was short by; the least that is known to be too much */
  private deeper = 1;
  private kept = 1;
  private shortBefore = 0;
  private deeperBefore = 1;
  private tooDeep = Number.POSITIVE_INFINITY;
  private share = 1;
  private inStep = 0;

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {}

  /** Some place has struck in this step. */
  any = false;

  /** Of so many places none has struck. */
  begin(n: number): void {
    this.any = false;
    this.impact = numberRoom(this.impact, n);
    this.unhindered = numberRoom(this.unhindered, n);
    this.impact.fill(0);
  }

  /** Whether place i strikes */
  strikes(i: number): boolean {
    return this.impact[i] > 0;
  }

  /**
   * After the solution without restitution: gaps that make an impact rebound that the step does not resolve. True if there are such.
   *
   * @param least m/s: slower ones do not
   */
  rebound(struck: StruckPlaces, share: number, v0: Float64Array, least: number): boolean {
    const { terms } = this;
    const { group, contact, h, gap, ownGap, freely, count } = struck;
    const { local } = contact;
    const restitution = contact.plan.restitution ?? 1;
    this.inStep = this.stiffnessInStep(struck);
    if (!(this.inStep > UNRESOLVED)) return false;
    this.share = share;
    this.deeper = this.kept = 1;
    this.tooDeep = Number.POSITIVE_INFINITY;
    const row = terms.firstRow[group];
    terms.velocities(group, v0, terms.trial, true);
    let any = false;
    for (let i = 0; i < count; i++) {
      const u = terms.trial[row + i];
      if (!(terms.gamma[row + i] > 0) || !(-u > least)) continue;
      // as fast as it is where the gap closes
      const gained = (2 * Math.max(0, ownGap[i]) * (u - freely[i])) / h;
      this.impact[i] = Math.sqrt(Math.max(0, u * u + gained));
      this.unhindered[i] = Math.max(this.impact[i], -freely[i]);
      if (restitution > 0) gap[i] = -(h + local.relaxation) * share * restitution * this.impact[i];
      any = true;
    }
    this.any = any && restitution > 0;
    return this.any;
  }

  /**
   * After the solution with a rebound: surfaces and modes give way in the blow, so that places come out slower than they should, by 2/(1 + h² k w) of a spring. True if they are to be pressed deeper, by secants:
   *
   *   s = Σ γ (e v_c − u) / Σ γ e v_c → 0      which for e = 1 is the blow that takes nothing
   *
   * @param v     velocities that came out, of all blocks; @param makes energy was made
   */
  reach(struck: StruckPlaces, v: Float64Array, makes: boolean): boolean {
    const { terms, impact, share } = this;
    const { group, count, contact } = struck;
    const restitution = (contact.plan.restitution ?? 1) * share;
    if (!(restitution > 0)) return false;
    const row = terms.firstRow[group];
    terms.velocities(group, v, terms.trial, true);
    let wanted = 0;
    let short = 0;
    for (let i = 0; i < count; i++) {
      if (!(impact[i] > 0)) continue;
      wanted += terms.gamma[row + i] * restitution * impact[i];
      short += terms.gamma[row + i] * (restitution * impact[i] - terms.trial[row + i]);
    }
    if (!(wanted > 0)) return false;
    short /= wanted;
    const { deeper } = this;
    if (makes) this.tooDeep = Math.min(this.tooDeep, deeper);
    else {
      this.kept = Math.max(this.kept, deeper);
      if (short < NEAR_REBOUND) return false;
    }
    const slope =
      deeper === this.deeperBefore || deeper === 1 ? 0 : (this.shortBefore - short) / (deeper - this.deeperBefore);
    const change = (short - AIM) / (slope > 0 ? slope : this.inStep / (1 + this.inStep));
    this.shortBefore = short;
    this.deeperBefore = deeper;
    let next = Math.min(MOST_DEEPER, deeper + change);
    if (!(next > this.kept && next < this.tooDeep)) next = 0.5 * (this.kept + Math.min(this.tooDeep, MOST_DEEPER));
    this.press(struck, next);
    return true;
  }

  /** The deepest that made no energy */
  settle(struck: StruckPlaces): boolean {
    if (this.deeper === this.kept) return false;
    this.press(struck, this.kept);
    return true;
  }

  private press({ contact, h, gap, count }: StruckPlaces, deeper: number): void {
    const restitution = (contact.plan.restitution ?? 1) * this.share;
    this.deeper = deeper;
    for (let i = 0; i < count; i++)
      if (this.impact[i] > 0) gap[i] = -(h + contact.local.relaxation) * restitution * deeper * this.impact[i];
  }

  /** h² k w of what presses: k of its places together, w the mobility along its resultant */
  private stiffnessInStep({ group, first, second, count: n, h, gap, contact }: StruckPlaces): number {
    this.depth = numberRoom(this.depth, n);
    this.force = numberRoom(this.force, n);
    this.stiffness = numberRoom(this.stiffness, n * n);
    const { terms, blocks, depth, force, stiffness } = this;
    const { local } = contact;
    const row = terms.firstRow[group];
    for (let i = 0; i < n; i++) depth[i] = -(gap[i] + (h + local.relaxation) * terms.u[row + i]);
    if (!local.ahead.press(depth, force, stiffness)) return 0;
    let k = 0;
    let load = 0;
    for (let i = 0; i < n; i++) {
      load += force[i];
      for (let j = 0; j < n; j++) k += stiffness[n * i + j];
    }
    if (!(load > 0)) return 0;
    const [na, nb] = [blocks.size[first], second < 0 ? 0 : blocks.size[second]];
    this.resultant = numberRoom(this.resultant, na + nb);
    const { resultant } = this;
    resultant.fill(0);
    for (let i = 0; i < n; i++) {
      const j = terms.jacobianAt[group] + (na + nb) * i;
      for (let c = 0; c < na + nb; c++) resultant[c] += (force[i] / load) * terms.jacobian[j + c];
    }
    const w = blocks.mobility(first, resultant, 0) + (second < 0 ? 0 : blocks.mobility(second, resultant, na));
    return h * h * k * w;
  }

  /**
   * What place i takes in the step, J: −γ ū, of one that strikes ½ γ' (v_c − u) with γ' = γ (v_c + u)/(v* + u), v_c the speed it closed in with, v* what it would have been at the end: the blow
   * without what the place bore while its body waited for the end of the step
   */
  taken(i: number, row: number, before: number): number {
    const { terms, impact, unhindered } = this;
    const r = row + i;
    const u = terms.u[r];
    if (impact[i] > 0 && u > -impact[i])
      return ((impact[i] + u) / (unhindered[i] + u)) * terms.gamma[r] * 0.5 * (impact[i] - u);
    return -0.5 * terms.gamma[r] * (before + u);
  }
}
