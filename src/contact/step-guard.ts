/**
 * How long a step may be for the sake of contacts; error control alone does not see a contact that no stage samples. For each pair that is apart the
 * time until it can touch,
 *
 *   t = 2 gap/(v + √(v² + 2 a gap)),   h ≤ t + c T,   c ≤ 1/5,   or t − c T where t > 4 c T
 *
 *   v   closing speed of the nearest points, a 1.5 times their closing acceleration; T the time an impact at that speed takes;
 *   c so small that the step over the kink is within the tolerance; it must be short itself, for the force at its end acts over all of it,
 *   so that a longer way is gone to just before the touch first
 *
 * and h ≤ (gap + w/4)/(|v| + ω r), beyond which something w thick could pass unseen. A step that ends with a pair deeper than w/4 that was
 * apart before is taken back, and so is one in which contact ended under load, at a border. The same for friction that holds: the time until it
 * slips bounds the step, and one that slipped unseen is taken back (break-away.ts). Steps of one length, which no error
 * control shortens, are cut to a fiftieth of the contact's period where bodies touch.
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { pow } from '../math/elementary.js';
import { limitOfBristle } from './break-away.js';
import type { ListedPair } from './contact-list.js';
import type { ContactPair } from './contact-pair.js';
import type { ShapeFacts } from './shape-facts.js';
import { brokeAway, lostTouch, missedBorder } from './unseen-change.js';

/** Part of an impact below which no step is cut for its sake */
const LEAST_OVERSHOOT = 5e-4;
/** Time over which accelerations of points are told from velocities, s */
const DIFFERENCE_TIME = 1e-7;

export class StepGuard {
  /** The steps are of a method without error control: they must resolve every contact by themselves. */
  fixedSteps = false;
  /** 6 per carrier: rate of the twist, rad/s² and m/s² */
  readonly twistRates: Float64Array;
  private later: Float64Array;

  /** @param gravity m/s² */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly facts: ShapeFacts,
    private readonly gravity: number,
  ) {
    this.later = new Float64Array(mechanics.size);
    this.twistRates = new Float64Array(6 * (mechanics.carriers.ground + 1));
  }

  /** The state has become longer. */
  resize(): void {
    this.later = new Float64Array(this.mechanics.size);
  }

  /** Rates of the carriers' twists, from the rates f of the state */
  findTwistRates(t: number, y: Float64Array, f: Float64Array): void {
    const { mechanics, later, twistRates } = this;
    const { twist } = mechanics.carriers;
    for (let i = 0; i < later.length; i++) later[i] = y[i] + DIFFERENCE_TIME * f[i];
    mechanics.update(t + DIFFERENCE_TIME, later);
    twistRates.set(twist);
    mechanics.update(t, y);
    for (let i = 0; i < twistRates.length; i++) twistRates[i] = (twistRates[i] - twist[i]) / DIFFERENCE_TIME;
  }

  /**
   * How far into an impact the step may go that begins before it, as a part c of the time it takes. Such a step goes over the kink of the
   * force; its end is some 3 % of (d/d*)ⁿ⁺¹ v wrong, d ≈ 3 c d* deep, and the error estimate tells of that as often as not: steps
   * are tried until it happens to be small. Who is apart at the start of a step is held to the relative tolerance.
   */
  private overshoot(pair: ContactPair, impact: number): number {
    const { relative } = this.mechanics.norm.tolerance;
    const allowed = (relative * this.fastest(pair, impact)) / Math.max(0.03 * impact, 1e-300);
    return Math.max(LEAST_OVERSHOOT, Math.min(0.2, pow(allowed, 1 / (pair.law.exponent + 1)) / 3));
  }

  /** Speed that errors are compared with of a pair that moves with `speed`, m/s: parts of a mechanism may be wrong by what is little for the whole. */
  private fastest({ a, b }: ContactPair, speed: number): number {
    const { norm, carriers } = this.mechanics;
    return Math.max(speed, a === carriers.ground ? 0 : norm.sharedSpeed(a), norm.sharedSpeed(b));
  }

  /** How wrong the speeds of a pair may be that touches, m/s */
  private allowedError(pair: ContactPair): number {
    const { relative, contact } = this.mechanics.norm.tolerance;
    return Math.max(relative * this.fastest(pair, 0), contact * pair.referenceSpeed);
  }

  /** Longest step for the sake of one pair, s */
  limitOf({ pair, shapeA, shapeB }: ListedPair): number {
    const { twistRates, facts } = this;
    const { twist, position } = this.mechanics.carriers;
    const { a, b } = pair;
    const thin = Math.min(facts.thin[shapeA], facts.thin[shapeB]);
    const { separation } = pair;
    const gap = pair.touching ? 0 : separation.distance;
    // spin of the one against the other, at the farthest point of the smaller
    const sx = twist[6 * b] - twist[6 * a];
    const sy = twist[6 * b + 1] - twist[6 * a + 1];
    const sz = twist[6 * b + 2] - twist[6 * a + 2];
    const spin = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const size = Math.min(facts.sizes[shapeA], facts.sizes[shapeB]);
    if (pair.touching) {
      if (this.fixedSteps) return pair.resolution();
      const limit = this.limitOfBristles(pair);
      if (Number.isFinite(pair.route.mostRegions)) return limit;
      // Concave parts: elsewhere they may come together while they touch here
      const turning = spin * size;
      return turning > 0 ? Math.min(limit, (0.25 * thin) / turning) : limit;
    }
    let closing = 0;
    let hastening = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      const al = separation.pointA[l] - position[3 * a + l];
      const am = separation.pointA[m] - position[3 * a + m];
      const bl = separation.pointB[l] - position[3 * b + l];
      const bm = separation.pointB[m] - position[3 * b + m];
      const speed =
        twist[6 * a + 3 + k] +
        (twist[6 * a + l] * am - twist[6 * a + m] * al) -
        (twist[6 * b + 3 + k] + (twist[6 * b + l] * bm - twist[6 * b + m] * bl));
      const rate =
        twistRates[6 * a + 3 + k] +
        (twistRates[6 * a + l] * am - twistRates[6 * a + m] * al) -
        (twistRates[6 * b + 3 + k] + (twistRates[6 * b + l] * bm - twistRates[6 * b + m] * bl));
      closing += speed * separation.direction[k];
      hastening += rate * separation.direction[k];
      across += speed * speed;
    }
    const pull = Math.max(0, 1.5 * hastening);
    const impact = Math.sqrt(Math.max(0, closing * closing + 2 * pull * gap));
    let limit = Number.POSITIVE_INFINITY;
    if (closing + impact > 0) {
      const hit = (2 * Math.max(gap, 0)) / (closing + impact);
      if (this.fixedSteps)
        limit = Math.max(hit, 0.03 * pair.impactTime(impact)); // the kick of a long step would be that of its end
      else {
        // Without weight there is no depth at rest that could count.
        const rest = this.gravity > 0 ? pair.law.referenceDepth / Math.max(impact, 1e-300) : 0;
        const beyond = this.overshoot(pair, impact) * Math.max(pair.impactTime(impact), rest);
        limit = hit > 4 * beyond ? hit - beyond : hit + beyond;
      }
    }
    const round = pair.route.curvature > 0 && !facts.isHollow(shapeA) && !facts.isHollow(shapeB);
    const fastest = Math.sqrt(across) + (round ? 0 : spin * size) + Math.sqrt(2 * pull * (gap + 0.25 * thin));
    // sliding past at a distance is no danger to round bodies, whose nearest points tell all; of a hollow one another wall may be ahead
    if (!round && fastest > 0) limit = Math.min(limit, (gap + 0.25 * thin) / fastest);
    return limit;
  }

  /** Until the first bristle of a pair slips */
  private limitOfBristles(pair: ContactPair): number {
    const { mechanics, twistRates } = this;
    const { a, b } = pair;
    const speed = this.allowedError(pair);
    let limit = Number.POSITIVE_INFINITY;
    for (const slot of pair.slots)
      limit = Math.min(limit, limitOfBristle(slot, a, b, mechanics.carriers, twistRates, speed));
    return limit;
  }

  /**
   * The step to the carriers' present poses must be repeated, shorter: a pair that was apart at its start is deeper now than a step may see, or one
   * that touched passed a border unseen.
   */
  missed(t: number, y: Float64Array, { pair, shapeA, shapeB }: ListedPair): boolean {
    if (pair.touching)
      return (
        missedBorder(pair, t, this.mechanics.norm.tolerance) ||
        lostTouch(pair, t, this.allowedError(pair)) ||
        brokeAway(pair, t, y, this.allowedError(pair))
      );
    const { thin } = this.facts;
    return pair.deepest() > 0.25 * Math.min(thin[shapeA], thin[shapeB]);
  }
}
