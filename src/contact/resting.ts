/**
 * Bodies that have come to rest on others or on the ground. An island of touching bodies whose speeds and accelerations are so small that
 * nothing could be seen of them in the run's own tolerance needs no work until something comes near: it is left out of the forces and
 * stands still. What is called quiet follows from the tolerance, not from a speed that somebody chose:
 *
 *   |v|, |ω| L, |a| T, |α| L T  <  10⁻⁴ τ √(g d),   T = √(d/g)
 *
 *   τ  contact tolerance,  d  reference depth of the body's contacts,  L  its size
 *
 * for five steps on end and as long as T. Free bodies only: what hangs on joints or other forces may be set moving by them.
 */

import type { Carriers } from '../dynamics/tree/carriers.js';
import type { Tape } from '../math/tape.js';
import { findRoot, unite } from '../math/union-find.js';
import type { ContactPair } from './contact-pair.js';

const QUIET = 1e-4;
const STEPS = 5;

export class Resting {
  /** 1 per free body that rests */
  readonly bodies: Uint8Array;
  /** Some body rests. */
  any = false;
  private readonly steps: Int32Array;
  private readonly since: Float64Array;
  private readonly leader: Int32Array;
  private readonly awake: Uint8Array;
  /** m per carrier: reference depth of the contacts that touch it */
  private readonly depth: Float64Array;

  /**
   * @param mayRest 1 per free body that nothing but contacts acts on
   * @param sizes   m per free body
   */
  constructor(
    private readonly carriers: Carriers,
    private readonly mayRest: Uint8Array,
    private readonly sizes: Float64Array,
    private readonly gravity: number,
  ) {
    const { free, ground } = carriers;
    this.bodies = new Uint8Array(free);
    this.steps = new Int32Array(free);
    this.since = new Float64Array(free);
    this.leader = new Int32Array(ground + 1);
    this.awake = new Uint8Array(ground + 1);
    this.depth = new Float64Array(ground + 1);
  }

  /** Goes on as others did of some of whose bodies these are. @param there their number of each of these bodies, −1: none of theirs */
  takeOver(before: Resting, there: ArrayLike<number>): void {
    for (let i = 0; i < this.bodies.length; i++) {
      const k = there[i];
      if (k < 0) continue;
      this.bodies[i] = before.bodies[k];
      this.steps[i] = before.steps[k];
      this.since[i] = before.since[k];
    }
    this.any = this.bodies.includes(1);
  }

  remember(tape: Tape): void {
    tape.array(this.bodies);
    tape.array(this.steps);
    tape.array(this.since);
    this.any = this.bodies.includes(1);
  }

  isResting(carrier: number): boolean {
    const { nodes, ground } = this.carriers;
    return carrier >= nodes && carrier < ground && this.bodies[carrier - nodes] !== 0;
  }

  /** Moves, or may: neither ground nor at rest */
  isAwake(carrier: number): boolean {
    return carrier !== this.carriers.ground && !this.isResting(carrier);
  }

  /**
   * Lets islands rest that have been quiet long enough; their velocities become zero. True if there were such.
   *
   * @param first index in y of the free bodies' velocities
   */
  letRest(
    t: number,
    y: Float64Array,
    f: Float64Array,
    first: number,
    pairs: readonly ContactPair[],
    tolerance: number,
  ): boolean {
    const { carriers, leader, awake, depth, steps, since, mayRest, sizes, gravity } = this;
    const { nodes, free, ground } = carriers;
    if (!(gravity > 0)) return false;
    depth.fill(0);
    for (let i = 0; i <= ground; i++) leader[i] = i;
    for (const { a, b, touching, referenceDepth } of pairs) {
      if (!touching) continue;
      depth[a] = Math.max(depth[a], referenceDepth);
      depth[b] = Math.max(depth[b], referenceDepth);
      if (a !== ground && b !== ground) unite(leader, a, b);
    }
    awake.fill(0);
    for (let i = 0; i < nodes; i++) awake[findRoot(leader, i)] = 1;
    let candidates = 0;
    for (let i = 0; i < free; i++) {
      if (this.bodies[i] !== 0) continue;
      const d = depth[nodes + i];
      const v = first + 6 * i;
      const T = Math.sqrt(d / gravity);
      const L = sizes[i];
      const most = QUIET * tolerance * Math.sqrt(gravity * d);
      let quiet = mayRest[i] !== 0 && d > 0;
      for (let k = 0; quiet && k < 6; k++) {
        const arm = k < 3 ? 1 : L;
        if (!(arm * Math.abs(y[v + k]) < most) || !(arm * T * Math.abs(f[v + k]) < most)) quiet = false;
      }
      if (!quiet) {
        steps[i] = 0;
        awake[findRoot(leader, nodes + i)] = 1;
        continue;
      }
      if (steps[i]++ === 0) since[i] = t;
      if (steps[i] < STEPS || t - since[i] < T) awake[findRoot(leader, nodes + i)] = 1;
      else candidates++;
    }
    if (candidates === 0) return false;
    // Somebody who is awake and near keeps an island awake.
    for (const { a, b, touching } of pairs) {
      if (touching || a === ground || b === ground) continue;
      const [first, second] = [findRoot(leader, a), findRoot(leader, b)];
      if (awake[first] !== 0) awake[second] = 1;
      else if (awake[second] !== 0) awake[first] = 1;
    }
    let changed = false;
    for (let i = 0; i < free; i++) {
      if (this.bodies[i] !== 0 || steps[i] < STEPS || awake[findRoot(leader, nodes + i)] !== 0) continue;
      this.bodies[i] = 1;
      this.any = changed = true;
      y.fill(0, first + 6 * i, first + 6 * i + 6);
    }
    return changed;
  }

  /** Wakes a resting carrier and all that rests with it, by way of pairs that touch. */
  wake(carrier: number, pairs: readonly ContactPair[]): void {
    const { nodes, ground, free } = this.carriers;
    const waiting = [carrier];
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      if (!this.isResting(body)) continue;
      this.bodies[body - nodes] = 0;
      this.steps[body - nodes] = 0;
      for (const { a, b, touching } of pairs) {
        if (!touching) continue;
        if (a === body && b !== ground) waiting.push(b);
        if (b === body && a !== ground) waiting.push(a);
      }
    }
    this.any = false;
    for (let i = 0; i < free; i++) if (this.bodies[i] !== 0) this.any = true;
  }
}
