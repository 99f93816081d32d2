/**
 * Friction and rolling resistance of a region as terms of the convex problem:
 *
 *   friction   bristle on the patch of the region, at the middle of its points by load: W = F₀ + k_t h V within what µ N̂ can bear;
 *              k_t = min(0.85 κ/(h² w), κ/(h² w_t)). N̂ is that of the step before, then of the solution before
 *   rolling    the same on R ω_t within µ_r N̂
 *
 * Where the materials' own stiffness acts (own-law.ts), their own k_t and damping do, too.
 */
import { bristleDamping } from '../contact-laws/friction/bristle.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { ContactRegion } from './contact-region.js';
import type { ConvexTerms } from './convex-terms.js';
import type { RegionRows } from './region-rows.js';
import { REGION, type RegionStore } from './region-store.js';
import type { StepPair } from './step-pair.js';
import { Swerve } from './swerve.js';

/** Stiffness along the surface by that across it, where nothing says more */
const TANGENTIAL = 0.85;

export class RegionFriction {
  /** Bristle memory; without it friction creeps (for tests) */
  memory = true;
  private readonly swerve: Swerve;

  constructor(
    mechanics: MechanicalSystem,
    private readonly terms: ConvexTerms,
    private readonly store: RegionStore,
    private readonly rows: RegionRows,
  ) {
    this.swerve = new Swerve(mechanics.carriers, mechanics.system.tree.parent);
  }

  /**
   * Rows and terms of group g, at the middle and with the load that are assumed.
   *
   * @param rigidity κ
   * @param v0 velocities at the start of the step
   */
  rub(g: number, region: ContactRegion, pair: StepPair, rigidity: number, v0: Float64Array): void {
    const { terms, rows: of } = this;
    const { h } = terms;
    const { law } = pair;
    const d = this.store.values;
    const record = region.at;
    const assumed = d[record + REGION.assumedLoad];
    if (region.frictionTerm >= 0) {
      const t = region.frictionTerm;
      const rows = terms.row[t + 1] - terms.row[t];
      const b = region.patch.effectiveRadius;
      let slow = 0;
      for (let k = 0; k < rows; k++) {
        const row = terms.row[t] + k;
        const at = of.start(g, row);
        of.clear(g, at);
        if (k < 2)
          of.addPoint(
            pair,
            record,
            record + REGION.middle,
            0.5 * d[record + REGION.middleGap],
            record + (k === 0 ? REGION.t1 : REGION.t2),
            row,
            at,
          );
        else of.addTurn(pair, record + REGION.normal, b, row, at);
        slow = Math.max(slow, of.mobility(g, at));
      }
      if (region.steady) this.followTurns(pair, record, terms.row[t]);
      let w = 0;
      for (let p = 0; p < region.count; p++) w = Math.max(w, d[record + REGION.mobility + p]);
      const k = slow > 0 ? Math.min((TANGENTIAL * rigidity) / (h * h * w), rigidity / (h * h * slow)) : 0;
      const held = record + REGION.held;
      d[held + 2] = b > 0 ? d[record + REGION.heldTorque] / b : 0;
      if (!this.memory) d[held] = d[held + 1] = d[held + 2] = 0;
      const limit = pair.coefficient(d[record + REGION.slip]) * assumed;
      region.bristle = region.soft ? this.ownBristle(pair, region, k) : 0;
      if (region.bristle > 0) this.rubByLaw(g, region, pair, rows, slow, limit, v0);
      else terms.setBounded(t, d[held], d[held + 1], d[held + 2], k * h, limit);
    }
    if (region.rollingTerm >= 0) {
      const t = region.rollingTerm;
      let slow = 0;
      for (let row = terms.row[t]; row < terms.row[t + 1]; row++)
        slow = Math.max(slow, of.mobility(g, of.start(g, row)));
      const k = slow > 0 ? rigidity / (h * h * slow) : 0;
      const held = record + REGION.heldRolling;
      terms.setBounded(t, d[held], d[held + 1], 0, k * h, law.rolling!.coefficient * assumed);
    }
  }

  /** k_t of the materials at the mean depth of the step, at most `most`, N/m; 0: none */
  private ownBristle(pair: StepPair, { at, count, firstTerm }: ContactRegion, most: number): number {
    const { coefficient, areaPower, areaFloor, depthPower, depthFloor } = pair.law.tangential;
    const { terms } = this;
    const d = this.store.values;
    const found = d[at + REGION.area];
    if (areaPower !== 0 && !(found > 0)) return Math.min(most, TANGENTIAL * pair.lawStiffness(0));
    const area = Math.max(found, areaFloor);
    let k = coefficient;
    if (areaPower !== 0) k *= areaPower === 1 ? area : Math.sqrt(area);
    if (depthPower !== 0) {
      let depth = depthFloor;
      for (let p = 0; p < count; p++) {
        const rates = terms.u[terms.row[firstTerm + p]] - d[at + REGION.approach + p];
        depth = Math.max(depth, -d[at + REGION.gap + p] - 0.25 * terms.h * rates);
      }
      k *= Math.sqrt(depth);
    }
    return Math.min(k, most);
  }

  /**
   * Friction where the law itself acts, in the middle of the step: W = F₀ + k h/4 (u₀ + u) + d/2 (u₀ + u), d = 2 ζ √(k/w). The bristle is a displacement: with another stiffness F₀ is
   * another force.
   */
  private rubByLaw(
    g: number,
    region: ContactRegion,
    pair: StepPair,
    rows: number,
    across: number,
    limit: number,
    v0: Float64Array,
  ): void {
    const { terms } = this;
    const { h, trial } = terms;
    const d = this.store.values;
    const held = region.at + REGION.held;
    const before = d[region.at + REGION.bristle];
    const k = region.bristle;
    region.stretch = before > 0 ? k / before : 1;
    region.damping = bristleDamping(k, 1 / across, pair.law.dampingRatio);
    const rise = 0.25 * k * h + 0.5 * region.damping;
    const t = region.frictionTerm;
    const row = terms.row[t];
    terms.velocities(g, v0, trial, true);
    const f1 = region.stretch * d[held] + rise * trial[row];
    const f2 = region.stretch * d[held + 1] + rise * trial[row + 1];
    const f3 = rows === 3 ? region.stretch * d[held + 2] + rise * trial[row + 2] : 0;
    terms.setBounded(t, f1, f2, f3, rise, limit);
  }

  /** What presses steadily is held where the surfaces go, which is not straight on where bodies turn. */
  private followTurns({ a, b }: StepPair, record: number, row: number): void {
    const { swerve, terms } = this;
    const { acceleration } = swerve;
    const d = this.store.values;
    const middle = record + REGION.middle;
    acceleration.fill(0);
    swerve.add(a, d[middle], d[middle + 1], d[middle + 2], -1);
    swerve.add(b, d[middle], d[middle + 1], d[middle + 2], 1);
    for (let k = 0; k < 2; k++) {
      const t = record + (k === 0 ? REGION.t1 : REGION.t2);
      terms.bias[row + k] +=
        0.5 * terms.h * (acceleration[0] * d[t] + acceleration[1] * d[t + 1] + acceleration[2] * d[t + 2]);
    }
  }
}
