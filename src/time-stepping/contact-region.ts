/**
 * One region of contact of a pair in a step: its points, its frame (n, t₁, t₂), its friction; and what it remembers from step to step. The bristle is
 * remembered as the force it holds, in the axes of the smaller body, on which the points are: with a stiffness that follows step and masses (κ/(h² w)) a displacement would be another force in
 * every step.
 */
import { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import type { Tape } from '../math/tape.js';
import { type FoundPoints, MOST_POINTS } from './found-points.js';

export class ContactRegion {
  // ---- memory, axes of the smaller body -----------------------------------------------------------------------------------------------------------
  /** It held something or was near in the last step. */
  alive = false;
  /** Identity for the records */
  number = -1;
  /** 3 each: normal and middle; friction force and rolling force, N; torque of friction about the normal, N m */
  readonly oldNormal = new Float64Array(3);
  readonly oldMiddle = new Float64Array(3);
  readonly oldFriction = new Float64Array(3);
  readonly oldRolling = new Float64Array(3);
  oldTorque = 0;
  /** N: of the region and per point; 3 per point: where it was */
  load = 0;
  oldCount = 0;
  readonly oldLoads = new Float64Array(MOST_POINTS);
  readonly oldPlaces = new Float64Array(3 * MOST_POINTS);
  /** m/s: mean slip, for friction that falls with it */
  slip = 0;
  /** J: elastic, where the law itself acts */
  stored = 0;

  // ---- of this step, world --------------------------------------------------------------------------------------------------------
  count = 0;
  area = 0;
  readonly normal = new Float64Array(3);
  readonly t1 = new Float64Array(3);
  readonly t2 = new Float64Array(3);
  readonly place = new Float64Array(3 * MOST_POINTS);
  readonly gap = new Float64Array(MOST_POINTS);
  /** Second moments in (t₁, t₂), 11, 12, 22, m² */
  readonly spread = new Float64Array(3);
  readonly middle = new Float64Array(3);
  /** m: gap there */
  middleGap = 0;
  readonly patch = new PatchContour();
  /** Group in the terms, its first normal term; term of friction and of rolling, −1: none */
  group = -1;
  firstTerm = 0;
  frictionTerm = -1;
  rollingTerm = -1;
  /** Per point: mobility along n, 1/kg; gap that the solution is for, m; N now, and as it was assumed */
  readonly mobility = new Float64Array(MOST_POINTS);
  readonly loads = new Float64Array(MOST_POINTS);
  /** m/s per point, ≥ 0: approach at the start of the step, where the gap closes in it, and at its end if nothing touched */
  readonly approach = new Float64Array(MOST_POINTS);
  readonly impact = new Float64Array(MOST_POINTS);
  readonly freely = new Float64Array(MOST_POINTS);
  assumedLoad = 0;
  /** Part of the loads that the last solution has moved from point to point, or changed */
  moved = 0;
  /** N/m of the bristle and of the rolling one */
  stiffness = 0;
  rollingStiffness = 0;
  /** The law itself acts, not a rigid contact */
  soft = false;
  /** It bore a load when the step began, and nothing strikes it. */
  steady = false;
  /** Friction force W at rest along t₁, t₂, b × about n, N; rolling */
  readonly held = new Float64Array(3);
  readonly heldRolling = new Float64Array(2);

  /** Takes region r of what was found, and its frame. */
  take(found: FoundPoints, r: number): void {
    const { normal, t1, t2, spread } = this;
    this.count = found.count[r];
    this.area = found.area[r];
    for (let k = 0; k < 3; k++) normal[k] = found.normal[3 * r + k];
    for (let k = 0; k < 3 * this.count; k++) this.place[k] = found.place[3 * MOST_POINTS * r + k];
    for (let k = 0; k < this.count; k++) this.gap[k] = found.gap[MOST_POINTS * r + k];
    // any frame will do: what is remembered is a vector
    const ax = Math.abs(normal[0]);
    const ay = Math.abs(normal[1]);
    const az = Math.abs(normal[2]);
    const axis = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
    for (let k = 0; k < 3; k++) t1[k] = (k === axis ? 1 : 0) - normal[axis] * normal[k];
    const per = 1 / Math.sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
    for (let k = 0; k < 3; k++) t1[k] *= per;
    t2[0] = normal[1] * t1[2] - normal[2] * t1[1];
    t2[1] = normal[2] * t1[0] - normal[0] * t1[2];
    t2[2] = normal[0] * t1[1] - normal[1] * t1[0];
    const m = found.moments;
    spread[0] = quadratic(m, 6 * r, t1, t1);
    spread[1] = quadratic(m, 6 * r, t1, t2);
    spread[2] = quadratic(m, 6 * r, t2, t2);
  }

  /** What was remembered, in this step's frame: loads of points, force of the bristle. @param axes 9 from `at` on, of the smaller body, and its place */
  recall(axes: Float64Array, at: number, origin: Float64Array, from: number): void {
    const { loads, place, oldPlaces, oldLoads, held, heldRolling, t1, t2, normal, oldNormal } = this;
    loads.fill(0);
    held.fill(0);
    heldRolling.fill(0);
    this.heldTorque = 0;
    this.assumedLoad = this.alive ? this.load : 0;
    if (!this.alive) return;
    // points that are where one was
    for (let i = 0; i < this.oldCount; i++) {
      let nearest = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 3; k++) V[k] = turned(axes, at, oldPlaces, 3 * i, k) + origin[from + k];
      for (let p = 0; p < this.count; p++) {
        const x = place[3 * p] - V[0];
        const y = place[3 * p + 1] - V[1];
        const z = place[3 * p + 2] - V[2];
        const square = x * x + y * y + z * z;
        if (square < least) {
          least = square;
          nearest = p;
        }
      }
      loads[nearest] += oldLoads[i];
    }
    // the smallest turn that takes the old normal to the new: v − (n·v)/(1 + n₀·n) (n₀ + n)
    for (let k = 0; k < 3; k++) N[k] = turned(axes, at, oldNormal, 0, k);
    const cosine = N[0] * normal[0] + N[1] * normal[1] + N[2] * normal[2];
    if (cosine < 0) return;
    for (let side = 0; side < 2; side++) {
      const old = side === 0 ? this.oldFriction : this.oldRolling;
      for (let k = 0; k < 3; k++) V[k] = turned(axes, at, old, 0, k);
      const share = (normal[0] * V[0] + normal[1] * V[1] + normal[2] * V[2]) / (1 + cosine);
      for (let k = 0; k < 3; k++) V[k] -= share * (N[k] + normal[k]);
      const first = V[0] * t1[0] + V[1] * t1[1] + V[2] * t1[2];
      const second = V[0] * t2[0] + V[1] * t2[1] + V[2] * t2[2];
      if (side === 0) {
        held[0] = first;
        held[1] = second;
      } else {
        heldRolling[0] = first;
        heldRolling[1] = second;
      }
    }
    this.heldTorque = this.oldTorque;
  }

  /** N m about n that was held */
  heldTorque = 0;

  /**
   * Middle of the points by their loads, and the patch that friction works on: the face's moments, shrunk across the directions in which fewer points
   * are loaded than there are. Without any load: all points alike.
   *
   * @param contour the patch with its contour; else a ball with the same arm
   */
  settle(contour: boolean, torsionRadius: number, spins: boolean): void {
    const { loads, place, middle, count, t1, t2, spread, patch } = this;
    let sum = 0;
    for (let p = 0; p < count; p++) sum += loads[p];
    middle.fill(0);
    this.middleGap = 0;
    for (let p = 0; p < count; p++) {
      const share = sum > 0 ? loads[p] / sum : 1 / count;
      this.middleGap += share * this.gap[p];
      for (let k = 0; k < 3; k++) middle[k] += share * place[3 * p + k];
    }
    if (!spins) {
      patch.setPoint();
      return;
    }
    if (torsionRadius > 0) {
      if (contour) patch.setDisc(torsionRadius);
      else patch.setEllipsoid((2 / 3) * torsionRadius);
      return;
    }
    if (!(spread[0] + spread[2] > 0)) {
      patch.setPoint();
      return;
    }
    let share1 = 1;
    let share2 = 1;
    if (sum > 0 && count > 1) {
      // variances of the points by load over those by number
      let c1 = 0;
      let c2 = 0;
      for (let p = 0; p < count; p++) {
        c1 += along(place, p, t1, middle) / count;
        c2 += along(place, p, t2, middle) / count;
      }
      let loaded1 = 0;
      let loaded2 = 0;
      let all1 = 0;
      let all2 = 0;
      for (let p = 0; p < count; p++) {
        const x = along(place, p, t1, middle);
        const y = along(place, p, t2, middle);
        loaded1 += (loads[p] / sum) * x * x;
        loaded2 += (loads[p] / sum) * y * y;
        all1 += ((x - c1) * (x - c1)) / count;
        all2 += ((y - c2) * (y - c2)) / count;
      }
      if (all1 > 0) share1 = Math.sqrt(Math.min(1, loaded1 / all1));
      if (all2 > 0) share2 = Math.sqrt(Math.min(1, loaded2 / all2));
    }
    const s11 = share1 * share1 * spread[0];
    const s12 = share1 * share2 * spread[1];
    const s22 = share2 * share2 * spread[2];
    if (contour) patch.setEllipse(s11, s12, s22);
    else patch.setEllipsoidOf(s11, s12, s22);
  }

  /** Keeps what the step has found, in the axes of the smaller body. */
  remember(
    axes: Float64Array,
    at: number,
    origin: Float64Array,
    from: number,
    f1: number,
    f2: number,
    torque: number,
    r1: number,
    r2: number,
  ): void {
    const { normal, middle, t1, t2, place, loads } = this;
    this.alive = true;
    let sum = 0;
    for (let p = 0; p < this.count; p++) {
      sum += loads[p];
      this.oldLoads[p] = loads[p];
      for (let k = 0; k < 3; k++) V[k] = place[3 * p + k] - origin[from + k];
      for (let k = 0; k < 3; k++) this.oldPlaces[3 * p + k] = turnedBack(axes, at, V, k);
    }
    this.load = sum;
    this.oldCount = this.count;
    this.oldTorque = torque;
    for (let k = 0; k < 3; k++) V[k] = f1 * t1[k] + f2 * t2[k];
    for (let k = 0; k < 3; k++) this.oldFriction[k] = turnedBack(axes, at, V, k);
    for (let k = 0; k < 3; k++) V[k] = r1 * t1[k] + r2 * t2[k];
    for (let k = 0; k < 3; k++) this.oldRolling[k] = turnedBack(axes, at, V, k);
    for (let k = 0; k < 3; k++) V[k] = middle[k] - origin[from + k];
    for (let k = 0; k < 3; k++) this.oldMiddle[k] = turnedBack(axes, at, V, k);
    for (let k = 0; k < 3; k++) this.oldNormal[k] = turnedBack(axes, at, normal, k);
  }

  forget(): void {
    this.alive = false;
    this.number = -1;
    this.load = this.oldTorque = this.slip = this.stored = this.oldCount = 0;
    this.oldFriction.fill(0);
    this.oldRolling.fill(0);
  }

  /** What lasts, to and from a copy: a step that is tried again begins with what it began with. */
  save(): void {
    const { kept } = this;
    kept[0] = this.alive ? 1 : 0;
    kept[1] = this.number;
    kept[2] = this.load;
    kept[3] = this.oldTorque;
    kept[4] = this.slip;
    kept[5] = this.oldCount;
    kept.set(this.oldNormal, 6);
    kept.set(this.oldMiddle, 9);
    kept.set(this.oldFriction, 12);
    kept.set(this.oldRolling, 15);
    kept.set(this.oldLoads, 18);
    kept.set(this.oldPlaces, 18 + MOST_POINTS);
    kept[18 + 4 * MOST_POINTS] = this.stored;
  }

  restore(): void {
    const { kept } = this;
    this.alive = kept[0] !== 0;
    this.number = kept[1];
    this.load = kept[2];
    this.oldTorque = kept[3];
    this.slip = kept[4];
    this.oldCount = kept[5];
    for (let k = 0; k < 3; k++) {
      this.oldNormal[k] = kept[6 + k];
      this.oldMiddle[k] = kept[9 + k];
      this.oldFriction[k] = kept[12 + k];
      this.oldRolling[k] = kept[15 + k];
    }
    for (let k = 0; k < MOST_POINTS; k++) this.oldLoads[k] = kept[18 + k];
    for (let k = 0; k < 3 * MOST_POINTS; k++) this.oldPlaces[k] = kept[18 + MOST_POINTS + k];
    this.stored = kept[18 + 4 * MOST_POINTS];
  }

  /** The same copy, to and from a tape */
  keepOn(tape: Tape): void {
    if (!tape.reading) this.save();
    tape.array(this.kept);
    if (tape.reading) this.restore();
  }

  private readonly kept = new Float64Array(19 + 4 * MOST_POINTS);
}

const V = new Float64Array(3);
const N = new Float64Array(3);

/** Component k in the world of a vector in a carrier's axes */
const turned = (axes: Float64Array, at: number, v: Float64Array, i: number, k: number): number =>
  axes[at + 3 * k] * v[i] + axes[at + 3 * k + 1] * v[i + 1] + axes[at + 3 * k + 2] * v[i + 2];

/** Component k in a carrier's axes of a vector in the world */
const turnedBack = (axes: Float64Array, at: number, v: Float64Array, k: number): number =>
  axes[at + k] * v[0] + axes[at + 3 + k] * v[1] + axes[at + 6 + k] * v[2];

const along = (place: Float64Array, p: number, t: Float64Array, from: Float64Array): number =>
  (place[3 * p] - from[0]) * t[0] + (place[3 * p + 1] - from[1]) * t[1] + (place[3 * p + 2] - from[2]) * t[2];

/** uᵀ m v of a symmetric matrix xx yy zz xy xz yz */
const quadratic = (m: Float64Array, at: number, u: Float64Array, v: Float64Array): number =>
  m[at] * u[0] * v[0] +
  m[at + 1] * u[1] * v[1] +
  m[at + 2] * u[2] * v[2] +
  m[at + 3] * (u[0] * v[1] + u[1] * v[0]) +
  m[at + 4] * (u[0] * v[2] + u[2] * v[0]) +
  m[at + 5] * (u[1] * v[2] + u[2] * v[1]);
