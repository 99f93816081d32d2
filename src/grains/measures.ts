/** What is told of a bed: contacts one by one, energies, critical step, stress; from the records of the last step, which nothing advances. */
import { STRIDE } from '../kernels/index.js';
import { OrderFreeSum } from '../math/order-free-sum.js';
import { numberRoom } from '../math/room.js';
import type { Census, ContactRecords, GrainEnergies } from './bed.js';
import type { GrainBed } from './grain-bed.js';
import { powerAbove } from './grain-scales.js';

export function contactRecords(bed: GrainBed): ContactRecords {
  const { arrays, team, facts } = bed;
  const most = facts.pairs + facts.wallContacts + 1;
  // First the room: where the arena grows, arrays that were asked for before are no longer its own, and forces would be found once more instead of read
  arrays.give('records', STRIDE.record * most * team.threads);
  const counts = arrays.ints('counts');
  counts[13] = most;
  counts[10] = 1;
  team.run('forces');
  counts[10] = 0;
  const results = arrays.floats('results');
  const ranges: [number, number][] = [];
  let count = 0;
  for (let t = 0; t < team.threads; t++) {
    const own = results[STRIDE.result * t + 3] + results[STRIDE.result * t + 4];
    ranges.push([most * t, own]);
    count += own;
  }
  return { numbers: arrays.floats('records'), ranges, count };
}

/** Goes through contacts; `at` is where the 20 numbers of one begin. */
export function eachContact(
  { numbers, ranges }: ContactRecords,
  see: (numbers: Float64Array, at: number) => void,
): void {
  for (const [first, count] of ranges) for (let k = 0; k < count; k++) see(numbers, STRIDE.record * (first + k));
}

/** Velocities of now: v + h f/(2m). */
export function energiesOf(bed: GrainBed, h: number, records: ContactRecords): GrainEnergies {
  const { arrays, count } = bed;
  const x = arrays.floats('grains');
  const v = arrays.floats('motion');
  const numbers = arrays.floats('numbers');
  forces = bed.forcesOn(forces);
  const half = bed.firstKick ? 0 : 0.5 * h;
  // Order-free: how grains lie depends on lists and threads
  const [kinetic, rotational, potential, elastic, bristles] = SUMS;
  for (let i = 0; i < count; i++) {
    const w = v[8 * i + 3];
    for (let k = 0; k < 3; k++) {
      const speed = v[8 * i + k] + half * (forces[6 * i + k] * w + numbers[3 + k]);
      kinetic.add((0.5 * speed * speed) / w);
      const spin = v[8 * i + 4 + k] + half * forces[6 * i + 3 + k] * v[8 * i + 7];
      rotational.add((0.5 * spin * spin) / v[8 * i + 7]);
      potential.add(-(numbers[3 + k] * x[4 * i + k]) / w);
    }
  }
  // ⅖ F δ of Hertz, less ½ P δ of cohesion P ∝ δ; ½ k_t s², rolling and twisting bristles alike; where contacts merge, what is between them (wall-merging.kernel.ts)
  const of = new Stiffness(bed);
  const { laws } = of;
  const r = records.numbers;
  for (const [first, contacts] of records.ranges)
    for (let at = STRIDE.record * first; at < STRIDE.record * (first + contacts); at += STRIDE.record) {
      of.see(r, at);
      const { law, radius, normal, tangential } = of;
      const depth = r[at + 5];
      const energy = laws[law + 8] === 1 ? 0.5 * of.force * depth : 0.4 * of.force * depth;
      const arm = laws[law + 5] * radius;
      const share = r[at + 17];
      elastic.add(energy + r[at + 18] - 0.5 * share * laws[law + 7] * radius * depth * depth);
      bristles.add(
        share *
          (0.5 * tangential * r[at + 14] +
            0.5 * 2.25 * normal * arm * arm * r[at + 15] +
            0.5 * tangential * radius * Math.max(0, depth) * r[at + 16]),
      );
    }
  return {
    kinetic: kinetic.take(),
    rotational: rotational.take(),
    potential: potential.take() - bed.wentRound,
    elastic: elastic.take(),
    bristles: bristles.take(),
  };
}

const SUMS = Array.from({ length: 5 }, () => new OrderFreeSum());
let forces: Float64Array = new Float64Array(0);

/** Of one contact after the other: dN/dδ, k_t, R and the elastic force */
class Stiffness {
  normal = 0;
  tangential = 0;
  radius = 0;
  force = 0;
  /** √(R δ), m */
  a = 0;
  /** Where its law begins among the laws */
  law = 0;
  readonly laws: Float64Array;
  private readonly kinds: Int32Array;
  private readonly x: Float64Array;
  private readonly wallKinds: readonly number[];
  private readonly width: number;

  constructor(bed: GrainBed) {
    this.laws = bed.arrays.floats('laws');
    this.kinds = bed.arrays.ints('kinds');
    this.x = bed.arrays.floats('grains');
    this.wallKinds = bed.walls.map(({ kind }) => kind);
    this.width = bed.kinds.length;
  }

  see(r: Float64Array, at: number): void {
    const { x, laws, kinds } = this;
    const i = r[at];
    const j = r[at + 1];
    const ri = x[4 * i + 3];
    const radius = j >= 0 ? (ri * x[4 * j + 3]) / (ri + x[4 * j + 3]) : ri;
    const other = j >= 0 ? kinds[j] : this.wallKinds[-1 - j];
    const law = STRIDE.law * (kinds[i] * this.width + other);
    const depth = Math.max(0, r[at + 5]);
    const linear = laws[law + 8] === 1;
    const a = Math.sqrt(radius * depth);
    this.normal = linear ? laws[law + 9] : laws[law] * a;
    this.tangential = linear ? laws[law + 10] : laws[law + 1] * a;
    this.force = linear ? this.normal * depth : (2 / 3) * this.normal * depth;
    this.radius = radius;
    this.law = law;
    this.a = a;
  }
}

/**
 * Critical step from the contacts there are:
 *   Ω² = 2 Σ (k_n + 2 k_t)/m,   Ω'² = 2 Σ (k_t l² + k_r + k_ψ)/I,   h_c = 2/max(Ω, Ω')
 * sharp and safe on a settled bed; the Rayleigh time is not, for it knows no overlap.
 */
export function census(bed: GrainBed, records: ContactRecords): Census {
  const { arrays, count } = bed;
  const v = arrays.floats('motion');
  const x = arrays.floats('grains');
  sums = numberRoom(sums, 2 * count).fill(0, 0, 2 * count);
  stiffest = numberRoom(stiffest, 2 * count).fill(0, 0, 2 * count);
  const of = new Stiffness(bed);
  const { laws } = of;
  const { numbers: r, ranges } = records;
  // Rounded to 2⁻⁴⁰ of the greatest there is, so that sums do not depend on the order of contacts
  let greatest = 0;
  for (const [first, contacts] of ranges)
    for (let at = STRIDE.record * first; at < STRIDE.record * (first + contacts); at += STRIDE.record) {
      of.see(r, at);
      if (of.normal > greatest) greatest = of.normal;
      if (of.tangential > greatest) greatest = of.tangential;
    }
  const grid = 8192 * powerAbove(greatest);
  for (const [first, contacts] of ranges)
    for (let at = STRIDE.record * first; at < STRIDE.record * (first + contacts); at += STRIDE.record) {
      of.see(r, at);
      const { law, radius, normal, tangential, a } = of;
      const kt = laws[law + 4] > 0 ? tangential : 0;
      const arm = laws[law + 5] * radius;
      const rolling = 2.25 * normal * arm * arm;
      const twisting = laws[law + 6] > 0 ? tangential * a * a : 0;
      const along = 2 * (normal + 2 * kt);
      // To both, or to the one that touches a wall
      for (let side = 0; side < 2; side++) {
        const own = r[at + side];
        if (own < 0) break;
        const lever = x[4 * own + 3];
        const about = 2 * (kt * lever * lever + rolling + twisting);
        sums[2 * own] += along + grid - grid;
        sums[2 * own + 1] += about / (lever * lever) + grid - grid;
        if (normal > stiffest[2 * own]) {
          stiffest[2 * own] = normal;
          stiffest[2 * own + 1] = r[at + 1 - side];
        }
      }
    }
  let worst = -1;
  let most = 0;
  for (let i = 0; i < count; i++) {
    const along = sums[2 * i] * v[8 * i + 3];
    const about = sums[2 * i + 1] * (v[8 * i + 7] * x[4 * i + 3] * x[4 * i + 3]);
    const own = Math.max(along, about);
    if (own > most) {
      most = own;
      worst = i;
    }
  }
  if (worst < 0) return { step: Number.POSITIVE_INFINITY, grain: -1, partner: -1, stiffness: 0 };
  const partner = stiffest[2 * worst + 1];
  const ids = arrays.ints('ids');
  return {
    step: 2 / Math.sqrt(most),
    grain: ids[worst],
    partner: partner >= 0 ? ids[partner] : bed.walls[-1 - partner].name,
    stiffness: stiffest[2 * worst],
  };
}

let sums: Float64Array = new Float64Array(0); // 2 per grain
let stiffest: Float64Array = new Float64Array(0); // 2 per grain: stiffness, partner

/** Contacts per grain, mean, counting both partners of a pair */
export const coordination = (bed: Pick<GrainBed, 'count' | 'facts'>): number =>
  bed.count > 0 ? (2 * bed.facts.pairs + bed.facts.wallContacts) / bed.count : 0;

/** Sum of the normal forces on each grain, N, by place: what colours show */
export function normalForces({ numbers: r, ranges }: ContactRecords, out: Float64Array, touching: Int32Array): void {
  out.fill(0);
  touching.fill(0);
  // Rounded to a common grid: sums of a few do not depend on their order then
  let greatest = 0;
  for (const [first, count] of ranges)
    for (let at = STRIDE.record * first; at < STRIDE.record * (first + count); at += STRIDE.record)
      greatest = Math.max(greatest, Math.abs(r[at + 6]));
  const grid = 256 * powerAbove(greatest);
  for (const [first, count] of ranges)
    for (let at = STRIDE.record * first; at < STRIDE.record * (first + count); at += STRIDE.record)
      for (let side = 0; side < 2; side++) {
        const i = r[at + side];
        if (i < 0) continue;
        out[i] += Math.abs(r[at + 6]) + grid - grid;
        touching[i]++;
      }
}
