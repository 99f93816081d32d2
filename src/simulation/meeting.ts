/**
 * When two islands come within ε of each other. Nothing is predicted: who covers a stretch of time second looks at both paths, on dense output.
 *
 * Conservative advancement: two shapes that are `gap` apart at t and whose points approach no faster than V are still apart by ε/2 at
 * t + (gap − ε/2)/V. So nothing is passed unseen however fast it is. What is returned is the time at which they are ε apart, whoever looks and from
 * wherever: mirror images meet at mirrored places.
 *
 *   V = |v̄_a − v̄_b| + what both stray from these + reach times angular velocity of both       over the last steps of both (sweep.ts)
 */

import type { PairRules } from '../broad-phase/allowed-pairs.js';
import { AllowedPairs } from '../broad-phase/allowed-pairs.js';
import { boxesMeet } from '../broad-phase/boxes.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { ShapeFacts } from '../contact/shape-facts.js';
import { findRoot } from '../integration/root.js';
import type { Route } from '../narrow-phase/route.js';
import type { MovingIsland } from './moving-island.js';

/** Of ε: how exactly the place of a meeting is found */
const MEETING_PLACE = 1e-10;
/** More looks than this on one stretch: the two go side by side, and it is as well to stop there. */
const MOST_LOOKS = 1000;

export class Meetings {
  private readonly allowed: AllowedPairs;
  private readonly facts: ShapeFacts;
  private readonly routes = new Map<number, Route>();
  /** s: where the two islands that are looked at are placed; NaN: anywhere */
  private placedAt = Number.NaN;

  constructor(
    private readonly contacts: ContactSystem,
    rules: PairRules,
  ) {
    this.allowed = new AllowedPairs(rules);
    this.facts = contacts.shapeFacts;
  }

  /** The first time up to `to` at which two islands are within ε, in the stretch that the last steps of both cover; undefined: none. */
  first(i: MovingIsland, j: MovingIsland, to: number): number | undefined {
    const from = Math.max(i.tPrevious, j.tPrevious);
    let end = Math.min(to, i.t, j.t);
    if (!(end > from) || !boxesMeet(i.sweep.box, 0, j.sweep.box, 0)) return undefined;
    let found: number | undefined;
    this.placedAt = Number.NaN;
    for (let a = 0; a < i.sweep.shapes.length; a++) {
      if (!boxesMeet(i.sweep.boxes, 6 * a, j.sweep.box, 0)) continue;
      for (let b = 0; b < j.sweep.shapes.length; b++) {
        if (!boxesMeet(i.sweep.boxes, 6 * a, j.sweep.boxes, 6 * b)) continue;
        if (!this.allowed.allows(i.sweep.shapes[a], j.sweep.shapes[b])) continue;
        const s = this.approach(i, a, j, b, from, end);
        if (s === undefined) continue;
        found = end = s;
        if (s === from) return s;
      }
    }
    return found;
  }

  /** Some allowed pair of two islands is within a gap of `part` times ε at a time that both cover. */
  within(i: MovingIsland, j: MovingIsland, t: number, part: number): boolean {
    i.placeAt(t);
    j.placeAt(t);
    for (let a = 0; a < i.sweep.shapes.length; a++)
      for (let b = 0; b < j.sweep.shapes.length; b++) {
        const near = part * this.facts.meetingGap(i.sweep.shapes[a], j.sweep.shapes[b]);
        if (!this.allowed.allows(i.sweep.shapes[a], j.sweep.shapes[b])) continue;
        if (this.bound(i, a, j, b) <= near && this.gap(i, a, j, b) <= near) return true;
      }
    return false;
  }

  private approach(
    i: MovingIsland,
    a: number,
    j: MovingIsland,
    b: number,
    from: number,
    to: number,
  ): number | undefined {
    const near = this.facts.meetingGap(i.sweep.shapes[a], j.sweep.shapes[b]);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const v = i.sweep.velocity[3 * a + k] - j.sweep.velocity[3 * b + k];
      square += v * v;
    }
    const fastest = Math.sqrt(square) + i.sweep.spread[a] + j.sweep.spread[b] + i.sweep.turning[a] + j.sweep.turning[b];
    let t = from;
    let [before, beyond] = [from, 0]; // the last look at which they were farther apart than ε, and by how much
    for (let look = 0; look < MOST_LOOKS; look++) {
      const gap = this.gapAt(t, i, a, j, b, near);
      if (gap <= near) {
        if (t === from) return t;
        const excess = (s: number): number => this.gapAt(s, i, a, j, b, near) - near;
        return findRoot(excess, before, beyond, t, gap - near, (MEETING_PLACE * near) / fastest);
      }
      [before, beyond] = [t, gap - near];
      const next = t + (gap - 0.5 * near) / fastest;
      if (!(next <= to)) return undefined;
      if (!(next > t)) return t; // no time between that could be told
      t = next;
    }
    return t;
  }

  /** How far two shapes are apart at a time that both cover, m; at least that, where they are farther than `near` */
  private gapAt(t: number, i: MovingIsland, a: number, j: MovingIsland, b: number, near: number): number {
    // most looks are at the start of the stretch, pair after pair
    if (t !== this.placedAt) {
      i.placeAt(t);
      j.placeAt(t);
      this.placedAt = t;
    }
    const bound = this.bound(i, a, j, b);
    return bound <= near ? this.gap(i, a, j, b) : bound;
  }

  /** What two shapes are apart at least, by the balls about them, m */
  private bound(i: MovingIsland, a: number, j: MovingIsland, b: number): number {
    const p = i.mechanics.carriers.position;
    const q = j.mechanics.carriers.position;
    const [c, d] = [3 * i.sweep.carrierOf[a], 3 * j.sweep.carrierOf[b]];
    const x = p[c] - q[d];
    const y = p[c + 1] - q[d + 1];
    const z = p[c + 2] - q[d + 2];
    return Math.sqrt(x * x + y * y + z * z) - i.sweep.reach[a] - j.sweep.reach[b];
  }

  private gap(i: MovingIsland, a: number, j: MovingIsland, b: number): number {
    const [first, second] = [i.sweep.shapes[a], j.sweep.shapes[b]];
    const key = Math.min(first, second) * this.contacts.shapes.length + Math.max(first, second);
    let route = this.routes.get(key);
    if (!route) {
      route = this.contacts.routeOf(Math.min(first, second), Math.max(first, second));
      this.routes.set(key, route);
    }
    const [placesI, carrierI] = [i.mechanics.carriers, i.sweep.carrierOf[a]];
    const [placesJ, carrierJ] = [j.mechanics.carriers, j.sweep.carrierOf[b]];
    return route.a === first
      ? this.contacts.apart(route, placesI, carrierI, placesJ, carrierJ)
      : this.contacts.apart(route, placesJ, carrierJ, placesI, carrierI);
  }
}
