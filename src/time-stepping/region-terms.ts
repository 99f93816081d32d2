/**
 * Regions of contact as terms of the convex problem: rows at their points and impulses along the normal, and the loads that friction and rolling resistance assume.
 *
 *   normal     d = −(φ + h v_n),  γ_n = h k d₊,  k = κ/h² · max(1/w, min(N̂/10 g, Σm), m₁/10)       rigid, made regular; w mobility along n, 1/kg; m₁ heaviest body of the
 *              island, kg. The others keep the depth under what is a thousand times heavier small, and the third under its blow. Where the materials' own stiffness has h² k w < 0.1 it acts itself (own-law.ts), in blows, too
 *
 * Rows are those of region-rows.ts, friction and rolling resistance those of region-friction.ts.
 */

import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { pow } from '../math/elementary.js';
import type { ContactRegion } from './contact-region.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import { followLaw, storedPower } from './own-law.js';
import { RegionFriction } from './region-friction.js';
import { RegionRows } from './region-rows.js';
import { REGION, type RegionStore } from './region-store.js';
import { SOFT, type StepPair } from './step-pair.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Faster than max(this · g h, SLOW) a contact rebounds. */
const FAST = 4;
/** m/s */
export const SLOW = 1e-3;
/** m/s: contacts that close in more slowly do not rebound */
export const leastRebound = (gravity: number, h: number): number => Math.max(FAST * gravity * h, SLOW);
/** A step takes at most this part of the smaller body out of an overlap. */
const MOST_RECOVERY = 0.1;
/** How many times its own mass a contact may carry before it is made stiffer */
const CARRIED = 10;
/** How many times as stiff as is resolved a law may become that is followed already */
const FOLLOWED = 4;
/** Of the smaller body: what may overlap at the end of a step before it is solved again; the next step sees it */
const SHALLOW = 1e-4;
/** Of the smaller body: way along the normal in a step, and depth, up to which a contact carries steadily */
const STEADY = 2e-4;

export class RegionTerms {
  /** Per group of the terms: pair and region; undefined: none of ours */
  readonly regionOf: (ContactRegion | undefined)[] = [];
  readonly pairOf: (StepPair | undefined)[] = [];
  readonly friction: RegionFriction;
  private readonly rows: RegionRows;
  /** s: laws that a step of this length resolves act themselves */
  resolving = 1e-3;
  /** s: longest step that resolves those which are touched in this one */
  longest = Number.POSITIVE_INFINITY;
  /** Velocities at the start of the step */
  private v0: Float64Array = new Float64Array(0);

  /** @param gravity m/s² */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    private readonly store: RegionStore,
    public gravity: number,
  ) {
    this.rows = new RegionRows(blocks, terms, store);
    this.friction = new RegionFriction(mechanics, terms, store, this.rows);
  }

  /** A step begins. */
  begin(): void {
    this.longest = Number.POSITIVE_INFINITY;
  }

  /** These groups of the step are others'. */
  leaveOut(from: number, to: number): void {
    for (let g = from; g < to; g++) this.regionOf[g] = this.pairOf[g] = undefined;
  }

  /** Writes the rows of all regions of a pair; their terms are filled by `prepare`. @param free velocities at the end of the step if nothing touched */
  write(pair: StepPair, v0: Float64Array, free: Float64Array): void {
    const { blocks, terms, mechanics, rows } = this;
    this.v0 = v0;
    const { rotation, position } = mechanics.carriers;
    const { a, b, law } = pair;
    const d = this.store.values;
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const first = ba < 0 ? bb : ba;
    const second = ba < 0 || bb === ba ? -1 : bb;
    for (let r = 0; r < pair.active; r++) {
      const region = pair.regions[r];
      terms.open(first, second);
      const g = terms.groups - 1;
      this.regionOf[g] = region;
      this.pairOf[g] = pair;
      region.group = g;
      region.firstTerm = terms.terms;
      const record = region.at;
      for (let p = 0; p < region.count; p++) {
        const at = terms.addRow();
        const half = 0.5 * d[record + REGION.opening + p];
        rows.addPoint(pair, record, record + REGION.place + 3 * p, half, record + REGION.normal, terms.rows - 1, at);
        d[record + REGION.mobility + p] = rows.mobility(g, at);
        terms.addTerm(TERM.normal);
      }
      region.recall(rotation, 9 * pair.home, position, 3 * pair.home);
      const friction = law.friction.kind !== 'none';
      const spins =
        law.torsion !== 'none' &&
        (d[record + REGION.spread] + d[record + REGION.spread + 2] > 0 || law.torsionRadius > 0);
      region.frictionTerm = region.rollingTerm = -1;
      if (friction) {
        terms.addRow();
        terms.addRow();
        if (spins) terms.addRow();
        region.frictionTerm = terms.addTerm(spins ? TERM.patch : TERM.bounded, spins ? region.patch : undefined);
      }
      if (law.rolling) {
        for (let k = 0; k < 2; k++) {
          const at = terms.addRow();
          rows.addTurn(pair, record + (k === 0 ? REGION.t1 : REGION.t2), law.rolling.radius, terms.rows - 1, at);
        }
        region.rollingTerm = terms.addTerm(TERM.bounded);
      }
      if (d[record + REGION.ahead] > 0) this.backToStart(region, v0, free);
      terms.velocities(g, v0, terms.u, true);
      for (let p = 0; p < region.count; p++)
        d[record + REGION.approach + p] = -terms.u[terms.row[region.firstTerm + p]];
    }
  }

  /** Gaps that were found ahead, at the start: φ₀ = φ − τ ū, ū the mean velocity of the row if nothing touches */
  private backToStart(region: ContactRegion, v0: Float64Array, free: Float64Array): void {
    const { terms } = this;
    const d = this.store.values;
    const ahead = d[region.at + REGION.ahead];
    terms.velocities(region.group, v0, terms.u, true);
    terms.velocities(region.group, free, terms.trial, true);
    for (let p = 0; p < region.count; p++) {
      const row = terms.row[region.firstTerm + p];
      d[region.at + REGION.gap + p] =
        d[region.at + REGION.opening + p] - 0.5 * ahead * (terms.u[row] + terms.trial[row]);
    }
  }

  /**
   * Fills the terms of a region for the first solution of a step.
   *
   * @param rigidity κ
   * @param contour  patches that are pressed steadily with their contours; else balls
   * @param mass     kg of the island: no contact in it can have more to carry, however hard walls that stand too close squeeze it
   * @param heaviest kg of its heaviest body, which may strike any of its contacts through light ones
   */
  prepare(g: number, rigidity: number, contour: boolean, mass: number, heaviest: number): void {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair) return;
    const { terms, gravity } = this;
    const { h } = terms;
    const { law } = pair;
    const { at, count } = region;
    const d = this.store.values;
    const assumed = d[at + REGION.assumedLoad];
    for (let p = 0; p < count; p++) this.foreseeImpact(region, p);
    // is the law of the materials soft enough to be followed?
    let mobility = 0;
    for (let p = 0; p < count; p++) mobility = Math.max(mobility, d[at + REGION.mobility + p]);
    let fast = false;
    for (let p = 0; p < count; p++) if (d[at + REGION.approach + p] > Math.max(FAST * gravity * h, SLOW)) fast = true;
    // a blow presses nowhere evenly: the contour of its patch would tell nothing
    region.steady = !fast && assumed > 0;
    const { exponent } = law;
    const k = pair.pointStiffness(d[at + REGION.area], count);
    const likely = this.likelyDepth(pair, region, k, mobility);
    const own = exponent === 1 ? k * count : 1.5 * k * count * Math.sqrt(likely);
    // of several points one alone gives way by w, all of them together by about half of it and less
    const stiffness = (own * mobility) / Math.min(count, 2);
    // an edge or a corner in a bed has no stiffness before it is in it: its blow is rigid
    const pointed = fast && assumed === 0 && law.depthOf !== 'depth' && exponent === 1 && !(d[at + REGION.area] > 0);
    // what has been followed so far is, though it has become stiffer
    const most = d[at + REGION.stored] > 0 ? FOLLOWED * SOFT : SOFT;
    const resolved = this.resolving * this.resolving * stiffness < most && (exponent === 1 || exponent === 1.5);
    region.soft = resolved && !pointed;
    const felt = region.soft ? k * count * this.rows.middleMobility(g, region) : 0;
    region.struck = fast && !region.soft;
    for (let p = 0; p < count; p++) {
      const t = region.firstTerm + p;
      const w = d[at + REGION.mobility + p];
      const gap = Math.max(d[at + REGION.gap + p], -MOST_RECOVERY * pair.size);
      if (!(w > 0)) {
        terms.setNormal(t, gap, 0, 1, 0);
        continue;
      }
      if (region.soft) {
        const free = terms.u[terms.row[t]];
        const u0 = -d[at + REGION.approach + p];
        if (gap < 0 || gap + 0.5 * h * (u0 + free) < 0)
          this.longest = Math.min(this.longest, Math.sqrt(SOFT / stiffness));
        const gap0 = d[at + REGION.gap + p];
        followLaw(
          terms,
          t,
          k,
          exponent,
          gap0,
          u0,
          free,
          w,
          likely,
          felt,
          pair.damping,
          law.floorSpeed * law.floorSpeed,
        );
        continue;
      }
      const carried = gravity > 0 ? Math.min(mass, assumed / (CARRIED * gravity * count)) : 0;
      const struck = heaviest / (CARRIED * count);
      terms.setNormal(t, gap, (rigidity / (h * h)) * Math.max(1 / w, carried, struck), 1, 0);
    }
    region.settle(contour && region.steady, law.torsionRadius, this.spins(region));
    if (!(assumed > 0)) this.predict(region);
    this.friction.rub(g, region, pair, rigidity, this.v0);
  }

  /** Its friction bears a torque. */
  private spins({ frictionTerm }: ContactRegion): boolean {
    const { row } = this.terms;
    return frictionTerm >= 0 && row[frictionTerm + 1] - row[frictionTerm] === 3;
  }

  /** Speed with which the gap closes: √(v² + 2 a φ), a as other forces accelerate the point. u is that of v*. */
  private foreseeImpact(region: ContactRegion, p: number): void {
    const { terms } = this;
    const d = this.store.values;
    const at = region.at + p;
    const start = d[at + REGION.approach];
    const end = Math.max(0, -terms.u[terms.row[region.firstTerm + p]]);
    d[at + REGION.freely] = end;
    const gap = Math.max(0, d[at + REGION.gap]);
    const square = start * start + (2 * (end - start) * gap) / terms.h;
    d[at + REGION.impact] = start > 0 && square > 0 ? Math.min(Math.sqrt(square), Math.max(start, end)) : start;
  }

  /** How deep a region lies, or goes with the energy that it has, m: at that depth its law is as stiff as it becomes. @param k N/mⁿ of a point */
  private likelyDepth({ law }: StepPair, { at, count }: ContactRegion, k: number, mobility: number): number {
    const n = law.exponent;
    if (n === 1) return law.referenceDepth;
    const d = this.store.values;
    let energy = 0;
    for (let p = 0; p < count; p++) {
      const speed = Math.max(d[at + REGION.approach + p], d[at + REGION.impact + p]);
      energy = Math.max(energy, speed * speed + 2 * k * mobility * storedPower(n, -d[at + REGION.gap + p]));
    }
    // ½ u²/w = k dⁿ⁺¹/(n + 1)
    return Math.max(law.referenceDepth, pow((1.25 * energy) / (k * count * mobility), 0.4));
  }

  /** A region without a load yet: points by how deep they would go */
  private predict(region: ContactRegion): void {
    const { terms } = this;
    const d = this.store.values;
    const loads = region.at + REGION.loads;
    let any = false;
    for (let p = 0; p < region.count; p++) {
      const depth = -(d[region.at + REGION.gap + p] + terms.h * terms.u[terms.row[region.firstTerm + p]]);
      d[loads + p] = Math.max(0, depth);
      if (d[loads + p] > 0) any = true;
    }
    if (any) region.settle(region.patch.count > 0, 0, region.patch.effectiveRadius > 0);
    for (let p = 0; p < region.count; p++) d[loads + p] = 0;
  }

  /** Loads of a solution; how much they differ from what was assumed, as a part */
  weigh(g: number): number {
    const region = this.regionOf[g];
    if (!region) return 0;
    const { terms } = this;
    const d = this.store.values;
    const loads = region.at + REGION.loads;
    const first = terms.row[region.firstTerm];
    let sum = 0;
    let moved = 0;
    for (let p = 0; p < region.count; p++) {
      const load = terms.gamma[first + p] / terms.h;
      moved += Math.abs(load - d[loads + p]);
      d[loads + p] = load;
      sum += load;
    }
    d[region.at + REGION.moved] = sum > 0 ? moved / sum : 1;
    if (region.frictionTerm < 0 && region.rollingTerm < 0) return 0;
    const assumed = d[region.at + REGION.assumedLoad];
    const larger = Math.max(sum, assumed);
    return larger > 0 ? Math.abs(sum - assumed) / larger : 0;
  }

  /** Assumes the loads of the last solution. @param least part of its loads that has to have moved for a region to be written anew */
  assume(g: number, rigidity: number, contour: boolean, least: number): void {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair) return;
    const d = this.store.values;
    const { at } = region;
    if (d[at + REGION.moved] < least) return;
    let sum = 0;
    for (let p = 0; p < region.count; p++) sum += d[at + REGION.loads + p];
    if (sum === 0 && d[at + REGION.assumedLoad] === 0) return;
    d[at + REGION.assumedLoad] = sum;
    if (region.frictionTerm < 0 && region.rollingTerm < 0) return;
    if (sum > 0) region.settle(contour && region.steady, pair.law.torsionRadius, this.spins(region));
    this.friction.rub(g, region, pair, rigidity, this.v0);
  }

  /** Some point of it closes in fast. */
  strikes(g: number): boolean {
    const region = this.regionOf[g];
    if (!region || region.soft) return false;
    const least = Math.max(FAST * this.gravity * this.terms.h, SLOW);
    const approach = region.at + REGION.approach;
    for (let p = 0; p < region.count; p++) if (this.store.values[approach + p] > least) return true;
    return false;
  }

  /**
   * Some point that carries moves along the normal at the start of the step, or lies too deep: what it is on goes as far as the velocity of the end takes it, no farther. And with a prescribed motion, whose
   * speed in a row is its mean over the step.
   */
  closesIn(g: number, v0: Float64Array): boolean {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair || region.soft) return false;
    const { terms } = this;
    if (this.blocks.isDriven[pair.a] !== 0 || this.blocks.isDriven[pair.b] !== 0) return true;
    const most = STEADY * pair.size;
    terms.velocities(g, v0, terms.trial, true);
    for (let p = 0; p < region.count; p++) {
      const row = terms.row[region.firstTerm + p];
      if (!(terms.gamma[row] > 0)) continue;
      if (Math.abs(terms.trial[row]) * terms.h > most || this.store.values[region.at + REGION.gap + p] < -most)
        return true;
    }
    return false;
  }

  /** After the solution without restitution: gaps that make impacts rebound, and overlaps be left without speed. True if there are such. */
  rebound(g: number, share: number): boolean {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair || region.soft) return false;
    const { terms } = this;
    const { h } = terms;
    const least = Math.max(FAST * this.gravity * h, SLOW);
    const { at } = region;
    const d = this.store.values;
    let any = false;
    let hit = 0;
    for (let p = 0; p < region.count; p++) if (terms.gamma[terms.row[region.firstTerm + p]] > 0) hit++;
    for (let p = 0; p < region.count; p++) {
      const t = region.firstTerm + p;
      if (!(terms.gamma[terms.row[t]] > 0)) continue;
      if (d[at + REGION.approach + p] > least && pair.restitution > 0) {
        // and what the contact gives way by, Δv/(k h² w), shared by the points that are hit
        const back = share * pair.restitution * d[at + REGION.impact + p];
        const give =
          (back + d[at + REGION.freely + p]) / (terms.stiffnessOf(t) * h * h * d[at + REGION.mobility + p] * hit);
        terms.setGap(t, -h * (back + give));
        pair.rebounds = any = true;
      } else if (-d[at + REGION.gap + p] > h * least) {
        terms.setGap(t, 0);
        any = true;
      }
    }
    return any;
  }

  /** They go into each other with these velocities. */
  meets(pair: StepPair, h: number, moving: Float64Array): boolean {
    const { terms } = this;
    const gaps = this.store.values;
    for (let r = 0; r < pair.active; r++) {
      const region = pair.regions[r];
      terms.velocities(region.group, moving, terms.trial, true);
      for (let p = 0; p < region.count; p++)
        if (gaps[region.at + REGION.gap + p] + h * terms.trial[terms.row[region.firstTerm + p]] < -SHALLOW * pair.size)
          return true;
    }
    return false;
  }
}
