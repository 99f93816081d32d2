/**
 * An impact on a flexible body that a step does not resolve, h² k w > UNRESOLVED, returns the speed with which its places closed in times e, as contact of rigid bodies does: e of the pair where the
 * model gives one, 1 where it does not, for the law is elastic; what waves take of it the modes tell.
 */
import type { FlexibleContact } from '../dynamics/flexible-contact.js';
import { numberRoom } from '../math/room.js';
import type { ConvexTerms } from './convex-terms.js';
import type { PressedGroup } from './put-in-place.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** h² k w: above, an impact is over within the step */
export const UNRESOLVED = 1;

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

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {}

  /** Of so many places none has struck. */
  begin(n: number): void {
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
    if (!(this.stiffnessInStep(struck) > UNRESOLVED)) return false;
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
    return any && restitution > 0;
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
