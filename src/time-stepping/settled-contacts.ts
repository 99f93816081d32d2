/** What contacts did in a step: heat, what lasts of them, rows of records and sensors, mean loads on bodies. */
import type { ContactSystem } from '../contact/contact-system.js';
import { COLUMN } from '../contact/contact-table.js';
import { SLIP, STICK } from '../contact-laws/friction/bristle.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { ContactRegion } from './contact-region.js';
import type { ConvexTerms } from './convex-terms.js';
import { meanPower, storedPower } from './own-law.js';
import { REGION, type RegionStore } from './region-store.js';
import type { StepPair } from './step-pair.js';

export class SettledContacts {
  /** Force of a bristle along t₁, t₂, N, and its torque, N m, at the end of a step */
  private readonly held = new Float64Array(3);

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly contacts: ContactSystem,
    private readonly terms: ConvexTerms,
    private readonly store: RegionStore,
  ) {}

  /**
   * Keeps what lasts, and tells of the pair: means over the step. Gives what contacts turned into heat or store, J.
   *
   * @param before u of the rows at the start of the step
   */
  remember(present: readonly StepPair[], count: number, before: Float64Array): number {
    const { terms, mechanics } = this;
    const { rotation, position } = mechanics.carriers;
    const { u, gamma, h } = terms;
    const d = this.store.values;
    let all = 0;
    for (let i = 0; i < count; i++) {
      const pair = present[i];
      const { table } = pair;
      pair.heat = pair.frictionHeat = pair.blowFriction = 0;
      pair.pair.touching = false;
      pair.pair.depth = 0;
      table.count = 0;
      for (let r = 0; r < pair.active; r++) {
        const region = pair.regions[r];
        const stored = this.storedIn(pair, region, before);
        pair.heat += this.heatOf(pair, region, before) + stored - d[region.at + REGION.stored];
        d[region.at + REGION.stored] = stored;
        let f1 = 0;
        let f2 = 0;
        let torque = 0;
        if (region.frictionTerm >= 0) {
          const row = terms.row[region.frictionTerm];
          const last = terms.row[region.frictionTerm + 1];
          f1 = -gamma[row] / h;
          f2 = -gamma[row + 1] / h;
          if (last - row === 3) torque = (-gamma[row + 2] / h) * region.patch.effectiveRadius;
          let rubbed = 0;
          for (let k = row; k < last; k++) rubbed -= gamma[k] * 0.5 * (before[k] + u[k]);
          pair.frictionHeat += rubbed;
          if (region.struck) pair.blowFriction += rubbed;
          d[region.at + REGION.slip] = Math.sqrt(u[row] * u[row] + u[row + 1] * u[row + 1]);
        }
        let r1 = 0;
        let r2 = 0;
        if (region.rollingTerm >= 0) {
          const row = terms.row[region.rollingTerm];
          r1 = -gamma[row] / h;
          r2 = -gamma[row + 1] / h;
        }
        d[region.at + REGION.bristle] = region.bristle;
        const { held } = this;
        held[0] = f1;
        held[1] = f2;
        held[2] = torque;
        if (region.bristle > 0) this.stretch(region);
        region.remember(rotation, 9 * pair.home, position, 3 * pair.home, held[0], held[1], held[2], r1, r2);
        if (region.load > 0) this.tell(pair, region, f1, f2, torque, r1, r2);
      }
      all += pair.heat;
    }
    return all;
  }

  /**
   * What a region turned into heat, J; u is that of the end.
   *
   *   friction   −γ·½ (u₀ + u)
   *   impact     ½ γ' (v − u), v the speed with which the gap closed; γ' = γ (v + u)/(v* + u) is the blow, the rest of γ bore the load after it,
   *              when nothing moved. What −γ·½ (u₀ + u) differs by is no loss: the body waited on the surface for the end of the step
   *   law        −(γ − γ_e)·½ (u₀ + u), γ_e = h F of own-law.ts, is damping; what is stored is booked apart, so that the rest is what the step lost of it
   */
  heatOf(pair: StepPair, region: ContactRegion, before: Float64Array): number {
    const { terms } = this;
    const { u, gamma } = terms;
    const d = this.store.values;
    const g = region.group;
    const points = terms.row[region.firstTerm];
    let heat = 0;
    for (let row = terms.firstRow[g]; row < terms.firstRow[g + 1]; row++) {
      const mean = 0.5 * (before[row] + u[row]);
      const p = row - points;
      if (p < 0 || p >= region.count) heat -= gamma[row] * mean;
      else if (region.soft) {
        const { exponent } = pair.law;
        const k = pair.pointStiffness(d[region.at + REGION.area], region.count);
        const depth = -d[region.at + REGION.gap + p];
        heat -= (gamma[row] - terms.h * k * meanPower(exponent, depth, depth - terms.h * mean)) * mean;
      } else {
        const speed = d[region.at + REGION.impact + p];
        if (speed > 0 && u[row] > -speed)
          heat +=
            ((speed + u[row]) / (Math.max(speed, d[region.at + REGION.freely + p]) + u[row])) *
            gamma[row] *
            0.5 *
            (speed - u[row]);
        else heat -= gamma[row] * mean; // pushed by what others were hit with
      }
    }
    return heat;
  }

  /** What the bristle holds at the end of a step of whose mean `held` is: F₁ = F₀ + k h/2 (u₀ + u), no more than the limit */
  private stretch(region: ContactRegion): void {
    const { terms, held } = this;
    const d = this.store.values;
    const k = region.bristle;
    const gain = (0.5 * k * terms.h) / (0.25 * k * terms.h + 0.5 * region.damping);
    const arm = region.patch.effectiveRadius;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      const scale = i === 2 ? arm : 1;
      const start = scale * region.stretch * d[region.at + REGION.held + i];
      held[i] = start + gain * (held[i] - start);
      if (scale > 0) square += (held[i] * held[i]) / (scale * scale);
    }
    const limit = terms.limitOf(region.frictionTerm);
    if (square > limit * limit) for (let i = 0; i < 3; i++) held[i] *= limit / Math.sqrt(square);
  }

  /** J that a region whose own law acts holds at the end of the step */
  private storedIn(pair: StepPair, region: ContactRegion, before: Float64Array): number {
    if (!region.soft) return 0;
    const { terms } = this;
    const d = this.store.values;
    const k = pair.pointStiffness(d[region.at + REGION.area], region.count);
    let stored = 0;
    for (let p = 0; p < region.count; p++) {
      const row = terms.row[region.firstTerm + p];
      const way = terms.h * 0.5 * (before[row] + terms.u[row]);
      stored += k * storedPower(pair.law.exponent, -d[region.at + REGION.gap + p] - way);
    }
    return stored;
  }

  private tell(
    pair: StepPair,
    region: ContactRegion,
    f1: number,
    f2: number,
    torque: number,
    r1: number,
    r2: number,
  ): void {
    const { terms } = this;
    const { table } = pair;
    const at = table.count * COLUMN.width;
    if (at + COLUMN.width > table.values.length) {
      const more = new Float64Array(2 * at + COLUMN.width);
      more.set(table.values);
      table.values = more;
    }
    table.count++;
    const d = this.store.values;
    const record = region.at;
    if (d[record + REGION.number] < 0) {
      const { route } = pair.pair;
      d[record + REGION.number] = this.contacts.parts.facts.nextRegion(route.a, route.b);
    }
    pair.pair.touching = pair.pair.hasTouched = true;
    let depth = 0;
    for (let p = 0; p < region.count; p++) depth = Math.max(depth, -d[record + REGION.gap + p]);
    pair.pair.depth = Math.max(pair.pair.depth, depth);
    const { values } = table;
    const load = d[record + REGION.load];
    const n = record + REGION.normal;
    const t1 = record + REGION.t1;
    const t2 = record + REGION.t2;
    const middle = record + REGION.middle;
    const arm = pair.law.rolling?.radius ?? 0;
    const row = terms.row[region.firstTerm];
    let slip1 = 0;
    let slip2 = 0;
    let spin = 0;
    if (region.frictionTerm >= 0) {
      const first = terms.row[region.frictionTerm];
      slip1 = terms.u[first];
      slip2 = terms.u[first + 1];
      const b = region.patch.effectiveRadius;
      if (b > 0 && terms.row[region.frictionTerm + 1] - first === 3) spin = terms.u[first + 2] / b;
    }
    values.fill(0, at, at + COLUMN.width);
    for (let k = 0; k < 3; k++) {
      values[at + COLUMN.force + k] = load * d[n + k] - f1 * d[t1 + k] - f2 * d[t2 + k];
      values[at + COLUMN.torque + k] = -torque * d[n + k] - arm * (r1 * d[t1 + k] + r2 * d[t2 + k]);
      values[at + COLUMN.point + k] = d[middle + k];
      values[at + COLUMN.patchCentroid + k] = d[middle + k];
      values[at + COLUMN.normal + k] = d[n + k];
      values[at + COLUMN.velocity + k] = terms.u[row] * d[n + k] + slip1 * d[t1 + k] + slip2 * d[t2 + k];
    }
    values[at + COLUMN.normalForce] = load;
    values[at + COLUMN.approachSpeed] = -terms.u[row];
    values[at + COLUMN.spin] = spin;
    values[at + COLUMN.torqueAboutNormal] = -torque;
    values[at + COLUMN.regime] = this.regime(region, f1, f2);
    values[at + COLUMN.energy] = 0;
    values[at + COLUMN.slot] = d[record + REGION.number];
    values[at + COLUMN.depth] = depth;
    values[at + COLUMN.area] = d[record + REGION.area];
  }

  private regime(region: ContactRegion, f1: number, f2: number): number {
    if (region.frictionTerm < 0) return SLIP;
    const limit = this.terms.limitOf(region.frictionTerm);
    return Math.sqrt(f1 * f1 + f2 * f2) < (1 - 1e-9) * limit ? STICK : SLIP;
  }

  /** Mean loads of contact over the last step on all carriers, 6 each */
  addLoads(present: readonly StepPair[], count: number, out: Float64Array): void {
    const { position } = this.mechanics.carriers;
    for (let i = 0; i < count; i++) {
      const { a, b, table } = present[i];
      const { values } = table;
      for (let at = 0; at < table.count * COLUMN.width; at += COLUMN.width)
        for (let side = 0; side < 2; side++) {
          const c = side === 0 ? a : b;
          const sign = side === 0 ? -1 : 1;
          const f = at + COLUMN.force;
          const x = values[at + COLUMN.point] - position[3 * c];
          const y = values[at + COLUMN.point + 1] - position[3 * c + 1];
          const z = values[at + COLUMN.point + 2] - position[3 * c + 2];
          const o = 6 * c;
          out[o] += sign * (y * values[f + 2] - z * values[f + 1] + values[at + COLUMN.torque]);
          out[o + 1] += sign * (z * values[f] - x * values[f + 2] + values[at + COLUMN.torque + 1]);
          out[o + 2] += sign * (x * values[f + 1] - y * values[f] + values[at + COLUMN.torque + 2]);
          for (let k = 0; k < 3; k++) out[o + 3 + k] += sign * values[f + k];
        }
    }
  }
}
