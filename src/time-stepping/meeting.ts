/**
 * Where two bodies that are still apart meet within a step. A normal and points that were found at its start are those of another place: of two balls that pass each other
 * the direction from one to the other turns while they come near, and a stick that turns by half a rad in a step meets what lies beside it with an edge that
 * was far away. So both are taken to where they would be at a time τ if nothing touched,
 *
 *   x(τ) = x₀ + τ v̄,   R(τ) = exp(τ ω̄) R₀        v̄, ω̄ mean velocities of the step
 *
 * and points are found there. τ is the time at which the gap closes, by Newton's method on the gap at the nearest point; the end of the step if it does not. What was found is told as of the start: each body's points go back by the way of its
 * origin, so that their arms are those of the meeting, and the gaps by what rows say of it (region-terms.ts).
 */
import type { ContactSystem } from '../contact/contact-system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { cos, sin } from '../math/elementary.js';
import type { FoundPoints } from './found-points.js';
import type { StepPair } from './step-pair.js';

/** Of the smaller body: gaps below this are of here and now */
const NEAR = 0.01;
/** Of the smaller body: near enough to tell where they meet */
const MET = 0.005;
/** Of the smaller body: an overlap that deep is none that they would come to */
const DEEP = 0.05;
const LOOKS = 6;
/** rad in a step that change nothing of what meets what */
const TURNED = 0.05;

export class Meeting {
  /** 9: turn of a carrier in τ */
  private readonly turn = new Float64Array(9);
  /** 6 each: mean twists of both in the step, ω and v */
  private readonly twistA = new Float64Array(6);
  private readonly twistB = new Float64Array(6);
  private readonly wayA = new Float64Array(3);
  private readonly wayB = new Float64Array(3);

  /** @param freeTwist 6 per carrier, at the end of the step if nothing touched */
  constructor(
    private readonly carriers: Carriers,
    private readonly parts: ContactSystem['parts'],
    private readonly freeTwist: Float64Array,
  ) {}

  /** Replaces what was found at the start of a step of h s by what is found where the two meet, if they are apart. */
  look(pair: StepPair, h: number, margin: number, found: FoundPoints): void {
    const { a, b } = pair;
    const { route } = pair.pair;
    const { poses, place, facts } = this.parts;
    const near = NEAR * pair.size;
    let nearest = found.nearestOf(0);
    if (!(found.gap[nearest] > near)) return;
    if (!Number.isFinite(facts.reach[route.a] + facts.reach[route.b])) return; // the normal of a plane is the same everywhere
    this.mean(a, this.twistA);
    this.mean(b, this.twistB);
    // a plane between the two that none of the points comes to parts them all the while, unless they turn
    if (!this.closes(found, a, b, h) && h * (turning(this.twistA) + turning(this.twistB)) < TURNED) return;
    let time = 0;
    for (let k = 0; k < LOOKS; k++) {
      const gap = found.gap[nearest];
      const closing = this.closing(found, nearest, a, b, time);
      if (!(closing * (h - time) > 1e-3 * near) && gap > 0) break; // they part, or hardly move
      if (!(closing > 0)) break;
      const next = Math.max(0, Math.min(h, time + gap / closing));
      if (Math.abs(next - time) <= 1e-6 * h) break;
      time = next;
      place(route.a, route.b);
      this.move(route.a, a, this.twistA, time);
      this.move(route.b, b, this.twistB, time);
      found.clear();
      pair.finder.find(poses, margin, found);
      if (found.regions === 0) return; // they pass each other
      nearest = found.nearestOf(0);
      if (found.regions > 1 || Math.abs(found.gap[nearest]) <= MET * pair.size) break;
    }
    if (time === 0) return;
    if (found.regions > 1 || found.gap[nearest] < -DEEP * pair.size) {
      // several at once, or one that slipped through: as seen from the start
      place(route.a, route.b);
      found.clear();
      pair.finder.find(poses, margin, found);
      return;
    }
    this.tellFromStart(found, nearest, a, b, time);
  }

  /** Some point's gap closes within h as it does at the start. */
  private closes(found: FoundPoints, a: number, b: number, h: number): boolean {
    for (let p = 0; p < found.count[0]; p++) if (found.gap[p] < h * this.closing(found, p, a, b, 0)) return true;
    return false;
  }

  private mean(c: number, out: Float64Array): void {
    const { twist } = this.carriers;
    for (let k = 0; k < 6; k++) out[k] = 0.5 * (twist[6 * c + k] + this.freeTwist[6 * c + k]);
  }

  /** m/s with which a point's gap closes, the bodies at their poses of `time` */
  private closing({ normal: n, place }: FoundPoints, point: number, a: number, b: number, time: number): number {
    const { position } = this.carriers;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const c = side === 0 ? a : b;
      const w = side === 0 ? this.twistA : this.twistB;
      const x = place[3 * point] - position[3 * c] - time * w[3];
      const y = place[3 * point + 1] - position[3 * c + 1] - time * w[4];
      const z = place[3 * point + 2] - position[3 * c + 2] - time * w[5];
      const speed =
        n[0] * (w[3] + w[1] * z - w[2] * y) + n[1] * (w[4] + w[2] * x - w[0] * z) + n[2] * (w[5] + w[0] * y - w[1] * x);
      sum += side === 0 ? speed : -speed;
    }
    return sum;
  }

  /** Moves a shape as its carrier does. */
  private move(shape: number, c: number, w: Float64Array, time: number): void {
    const { turn } = this;
    const { position: origin } = this.carriers;
    const { position, rotation } = this.parts.poses;
    this.setTurn(w, time);
    const p = 3 * shape;
    const r = 9 * shape;
    const x = position[p] - origin[3 * c];
    const y = position[p + 1] - origin[3 * c + 1];
    const z = position[p + 2] - origin[3 * c + 2];
    for (let k = 0; k < 3; k++)
      position[p + k] =
        origin[3 * c + k] + time * w[3 + k] + turn[3 * k] * x + turn[3 * k + 1] * y + turn[3 * k + 2] * z;
    for (let j = 0; j < 3; j++) {
      const x1 = rotation[r + j];
      const y1 = rotation[r + 3 + j];
      const z1 = rotation[r + 6 + j];
      for (let k = 0; k < 3; k++)
        rotation[r + 3 * k + j] = turn[3 * k] * x1 + turn[3 * k + 1] * y1 + turn[3 * k + 2] * z1;
    }
  }

  /** exp(τ ω): cos θ 1 + (1 − cos θ) e eᵀ + sin θ e× */
  private setTurn(w: Float64Array, time: number): void {
    const { turn } = this;
    const speed = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const per = speed > 0 ? 1 / speed : 0;
    const x = per * w[0];
    const y = per * w[1];
    const z = per * w[2];
    const c = cos(speed * time);
    const s = sin(speed * time);
    const d = 1 - c;
    turn[0] = c + d * x * x;
    turn[1] = d * x * y - s * z;
    turn[2] = d * x * z + s * y;
    turn[3] = d * x * y + s * z;
    turn[4] = c + d * y * y;
    turn[5] = d * y * z - s * x;
    turn[6] = d * x * z - s * y;
    turn[7] = d * y * z + s * x;
    turn[8] = c + d * z * z;
  }

  private tellFromStart(found: FoundPoints, nearest: number, a: number, b: number, time: number): void {
    const { wayA, wayB } = this;
    this.way(found, nearest, a, this.twistA, time, wayA);
    this.way(found, nearest, b, this.twistB, time, wayB);
    found.ahead = time;
    for (let k = 0; k < 3; k++) {
      found.aside[k] = 0.5 * (wayA[k] - wayB[k]);
      const back = 0.5 * (wayA[k] + wayB[k]);
      for (let p = 0; p < found.count[0]; p++) found.place[3 * p + k] -= back;
    }
  }

  /** Way of a carrier's origin until τ; of one that hangs on joints, whose rows have their arms from these, of its point */
  private way(
    { place }: FoundPoints,
    point: number,
    c: number,
    w: Float64Array,
    time: number,
    out: Float64Array,
  ): void {
    const { nodes, position } = this.carriers;
    for (let k = 0; k < 3; k++) out[k] = time * w[3 + k];
    if (c >= nodes) return;
    this.setTurn(w, time);
    const { turn } = this;
    const x = place[3 * point] - position[3 * c] - out[0];
    const y = place[3 * point + 1] - position[3 * c + 1] - out[1];
    const z = place[3 * point + 2] - position[3 * c + 2] - out[2];
    // r − Rᵀ r
    out[0] += x - (turn[0] * x + turn[3] * y + turn[6] * z);
    out[1] += y - (turn[1] * x + turn[4] * y + turn[7] * z);
    out[2] += z - (turn[2] * x + turn[5] * y + turn[8] * z);
  }
}

/** rad/s */
const turning = (w: Float64Array): number => Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
