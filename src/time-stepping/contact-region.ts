/**
 * One region of contact of a pair in a step: its points, its frame (n, t₁, t₂), its friction; and what it remembers from step to step. The bristle is
 * remembered as the force it holds, in the axes of the smaller body, on which the points are: with a stiffness that follows step and masses (κ/(h² w)) a displacement would be another force in
 * every step. Its numbers are a record of `RegionStore`.
 */
import { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import type { Tape } from '../math/tape.js';
import { type FoundPoints, MOST_POINTS } from './found-points.js';
import { LASTING, REGION, type RegionStore } from './region-store.js';

export class ContactRegion {
  /** Where its record starts */
  readonly at: number;
  /** Points of this step */
  count = 0;
  readonly patch = new PatchContour();
  /** Group in the terms, its first normal term; term of friction and of rolling, −1: none */
  group = -1;
  firstTerm = 0;
  frictionTerm = -1;
  rollingTerm = -1;
  /** The law itself acts, not a rigid contact */
  soft = false;
  /** Where it does: stiffness of the bristle in this step, N/m, what its force has become by having another than in the last, and its damping, N s/m */
  bristle = 0;
  stretch = 1;
  damping = 0;
  /** It bore a load when the step began, and nothing strikes it. */
  steady = false;
  /** Something strikes it in this step. */
  struck = false;

  constructor(readonly store: RegionStore) {
    this.at = store.add();
  }

  get alive(): boolean {
    return this.store.values[this.at + REGION.alive] !== 0;
  }

  /** N */
  get load(): number {
    return this.store.values[this.at + REGION.load];
  }

  /** Takes region r of what was found, and its frame. */
  take(found: FoundPoints, r: number): void {
    const { at } = this;
    const d = this.store.values;
    this.count = found.count[r];
    d[at + REGION.area] = found.area[r];
    const x = found.normal[3 * r];
    const y = found.normal[3 * r + 1];
    const z = found.normal[3 * r + 2];
    const n = at + REGION.normal;
    d[n] = x;
    d[n + 1] = y;
    d[n + 2] = z;
    const place = at + REGION.place;
    const gap = at + REGION.gap;
    for (let k = 0; k < 3 * this.count; k++) d[place + k] = found.place[3 * MOST_POINTS * r + k];
    for (let k = 0; k < this.count; k++) d[gap + k] = d[at + REGION.opening + k] = found.gap[MOST_POINTS * r + k];
    d[at + REGION.ahead] = found.ahead;
    for (let k = 0; k < 3; k++) d[at + REGION.aside + k] = found.aside[k];
    // any frame will do: what is remembered is a vector
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const az = Math.abs(z);
    const axis = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
    const t1 = at + REGION.t1;
    const t2 = at + REGION.t2;
    for (let k = 0; k < 3; k++) d[t1 + k] = (k === axis ? 1 : 0) - d[n + axis] * d[n + k];
    const per = 1 / Math.sqrt(d[t1] * d[t1] + d[t1 + 1] * d[t1 + 1] + d[t1 + 2] * d[t1 + 2]);
    for (let k = 0; k < 3; k++) d[t1 + k] *= per;
    d[t2] = y * d[t1 + 2] - z * d[t1 + 1];
    d[t2 + 1] = z * d[t1] - x * d[t1 + 2];
    d[t2 + 2] = x * d[t1 + 1] - y * d[t1];
    const m = found.moments;
    const spread = at + REGION.spread;
    d[spread] = quadratic(m, 6 * r, d, t1, t1);
    d[spread + 1] = quadratic(m, 6 * r, d, t1, t2);
    d[spread + 2] = quadratic(m, 6 * r, d, t2, t2);
  }

  /** What was remembered, in this step's frame: loads of points, force of the bristle. @param axes 9 from `a` on, of the smaller body, and its place */
  recall(axes: Float64Array, a: number, origin: Float64Array, from: number): void {
    const { at, count } = this;
    const d = this.store.values;
    const loads = at + REGION.loads;
    const held = at + REGION.held;
    for (let k = 0; k < MOST_POINTS; k++) d[loads + k] = 0;
    for (let k = 0; k < 6; k++) d[held + k] = 0; // rolling and torque among them
    const alive = d[at + REGION.alive] !== 0;
    d[at + REGION.assumedLoad] = alive ? d[at + REGION.load] : 0;
    if (!alive) return;
    // points that are where one was
    const oldPlaces = at + REGION.oldPlaces;
    const place = at + REGION.place;
    const oldCount = d[at + REGION.oldCount];
    for (let i = 0; i < oldCount; i++) {
      let nearest = 0;
      let least = Number.POSITIVE_INFINITY;
      const vx = turned(axes, a, d, oldPlaces + 3 * i, 0) + origin[from];
      const vy = turned(axes, a, d, oldPlaces + 3 * i, 1) + origin[from + 1];
      const vz = turned(axes, a, d, oldPlaces + 3 * i, 2) + origin[from + 2];
      for (let p = 0; p < count; p++) {
        const x = d[place + 3 * p] - vx;
        const y = d[place + 3 * p + 1] - vy;
        const z = d[place + 3 * p + 2] - vz;
        const square = x * x + y * y + z * z;
        if (square < least) {
          least = square;
          nearest = p;
        }
      }
      d[loads + nearest] += d[at + REGION.oldLoads + i];
    }
    // the smallest turn that takes the old normal to the new: v − (n·v)/(1 + n₀·n) (n₀ + n)
    const n = at + REGION.normal;
    const nx = turned(axes, a, d, at + REGION.oldNormal, 0);
    const ny = turned(axes, a, d, at + REGION.oldNormal, 1);
    const nz = turned(axes, a, d, at + REGION.oldNormal, 2);
    const cosine = nx * d[n] + ny * d[n + 1] + nz * d[n + 2];
    if (cosine < 0) return;
    const t1 = at + REGION.t1;
    const t2 = at + REGION.t2;
    for (let side = 0; side < 2; side++) {
      const old = at + (side === 0 ? REGION.oldFriction : REGION.oldRolling);
      let vx = turned(axes, a, d, old, 0);
      let vy = turned(axes, a, d, old, 1);
      let vz = turned(axes, a, d, old, 2);
      const share = (d[n] * vx + d[n + 1] * vy + d[n + 2] * vz) / (1 + cosine);
      vx -= share * (nx + d[n]);
      vy -= share * (ny + d[n + 1]);
      vz -= share * (nz + d[n + 2]);
      const to = side === 0 ? held : at + REGION.heldRolling;
      d[to] = vx * d[t1] + vy * d[t1 + 1] + vz * d[t1 + 2];
      d[to + 1] = vx * d[t2] + vy * d[t2 + 1] + vz * d[t2 + 2];
    }
    d[at + REGION.heldTorque] = d[at + REGION.oldTorque];
  }

  /**
   * Middle of the points by their loads, and the patch that friction works on: the face's moments, shrunk across the directions in which fewer points
   * are loaded than there are. Without any load: all points alike.
   *
   * @param contour the patch with its contour; else a ball with the same arm
   */
  settle(contour: boolean, torsionRadius: number, spins: boolean): void {
    const { at, count, patch } = this;
    const d = this.store.values;
    const loads = at + REGION.loads;
    const place = at + REGION.place;
    const middle = at + REGION.middle;
    let sum = 0;
    for (let p = 0; p < count; p++) sum += d[loads + p];
    let mx = 0;
    let my = 0;
    let mz = 0;
    let middleGap = 0;
    for (let p = 0; p < count; p++) {
      const share = sum > 0 ? d[loads + p] / sum : 1 / count;
      middleGap += share * d[at + REGION.opening + p];
      mx += share * d[place + 3 * p];
      my += share * d[place + 3 * p + 1];
      mz += share * d[place + 3 * p + 2];
    }
    d[middle] = mx;
    d[middle + 1] = my;
    d[middle + 2] = mz;
    d[at + REGION.middleGap] = middleGap;
    if (!spins) {
      patch.setPoint();
      return;
    }
    if (torsionRadius > 0) {
      if (contour) patch.setDisc(torsionRadius);
      else patch.setEllipsoid((2 / 3) * torsionRadius);
      return;
    }
    const spread = at + REGION.spread;
    if (!(d[spread] + d[spread + 2] > 0)) {
      patch.setPoint();
      return;
    }
    let share1 = 1;
    let share2 = 1;
    if (sum > 0 && count > 1) {
      // variances of the points by load over those by number
      const t1 = at + REGION.t1;
      const t2 = at + REGION.t2;
      let c1 = 0;
      let c2 = 0;
      for (let p = 0; p < count; p++) {
        c1 += along(d, place + 3 * p, t1, mx, my, mz) / count;
        c2 += along(d, place + 3 * p, t2, mx, my, mz) / count;
      }
      let loaded1 = 0;
      let loaded2 = 0;
      let all1 = 0;
      let all2 = 0;
      for (let p = 0; p < count; p++) {
        const x = along(d, place + 3 * p, t1, mx, my, mz);
        const y = along(d, place + 3 * p, t2, mx, my, mz);
        loaded1 += (d[loads + p] / sum) * x * x;
        loaded2 += (d[loads + p] / sum) * y * y;
        all1 += ((x - c1) * (x - c1)) / count;
        all2 += ((y - c2) * (y - c2)) / count;
      }
      if (all1 > 0) share1 = Math.sqrt(Math.min(1, loaded1 / all1));
      if (all2 > 0) share2 = Math.sqrt(Math.min(1, loaded2 / all2));
    }
    const s11 = share1 * share1 * d[spread];
    const s12 = share1 * share2 * d[spread + 1];
    const s22 = share2 * share2 * d[spread + 2];
    if (contour) patch.setEllipse(s11, s12, s22);
    else patch.setEllipsoidOf(s11, s12, s22);
  }

  /** Keeps what the step has found, in the axes of the smaller body. */
  remember(
    axes: Float64Array,
    a: number,
    origin: Float64Array,
    from: number,
    f1: number,
    f2: number,
    torque: number,
    r1: number,
    r2: number,
  ): void {
    const { at, count } = this;
    const d = this.store.values;
    d[at + REGION.alive] = 1;
    const loads = at + REGION.loads;
    const ox = origin[from];
    const oy = origin[from + 1];
    const oz = origin[from + 2];
    let sum = 0;
    for (let p = 0; p < count; p++) {
      sum += d[loads + p];
      d[at + REGION.oldLoads + p] = d[loads + p];
      const place = at + REGION.place + 3 * p;
      turnBack(axes, a, d[place] - ox, d[place + 1] - oy, d[place + 2] - oz, d, at + REGION.oldPlaces + 3 * p);
    }
    d[at + REGION.load] = sum;
    d[at + REGION.oldCount] = count;
    d[at + REGION.oldTorque] = torque;
    const t1 = at + REGION.t1;
    const t2 = at + REGION.t2;
    turnBack(
      axes,
      a,
      f1 * d[t1] + f2 * d[t2],
      f1 * d[t1 + 1] + f2 * d[t2 + 1],
      f1 * d[t1 + 2] + f2 * d[t2 + 2],
      d,
      at + REGION.oldFriction,
    );
    turnBack(
      axes,
      a,
      r1 * d[t1] + r2 * d[t2],
      r1 * d[t1 + 1] + r2 * d[t2 + 1],
      r1 * d[t1 + 2] + r2 * d[t2 + 2],
      d,
      at + REGION.oldRolling,
    );
    const middle = at + REGION.middle;
    turnBack(axes, a, d[middle] - ox, d[middle + 1] - oy, d[middle + 2] - oz, d, at + REGION.oldMiddle);
    const n = at + REGION.normal;
    turnBack(axes, a, d[n], d[n + 1], d[n + 2], d, at + REGION.oldNormal);
  }

  forget(): void {
    const { at } = this;
    const d = this.store.values;
    d[at + REGION.alive] = 0;
    d[at + REGION.number] = -1;
    d[at + REGION.load] = d[at + REGION.oldTorque] = d[at + REGION.slip] = 0;
    d[at + REGION.stored] = d[at + REGION.bristle] = d[at + REGION.oldCount] = 0;
    for (let k = 0; k < 6; k++) d[at + REGION.oldFriction + k] = 0; // and of rolling
  }

  /** What lasts, to and from a copy: a step that is tried again begins with what it began with. */
  save(): void {
    const { at } = this;
    this.store.values.copyWithin(at + REGION.kept, at, at + LASTING);
  }

  restore(): void {
    const { at } = this;
    this.store.values.copyWithin(at, at + REGION.kept, at + REGION.kept + LASTING);
  }

  /** The same, to and from a tape */
  keepOn(tape: Tape): void {
    const { at } = this;
    tape.array(this.store.values.subarray(at, at + LASTING));
  }
}

/** Component k in the world of a vector in a carrier's axes */
const turned = (axes: Float64Array, a: number, v: Float64Array, i: number, k: number): number =>
  axes[a + 3 * k] * v[i] + axes[a + 3 * k + 1] * v[i + 1] + axes[a + 3 * k + 2] * v[i + 2];

/** A vector in the world in a carrier's axes */
function turnBack(axes: Float64Array, a: number, x: number, y: number, z: number, out: Float64Array, to: number): void {
  out[to] = axes[a] * x + axes[a + 3] * y + axes[a + 6] * z;
  out[to + 1] = axes[a + 1] * x + axes[a + 4] * y + axes[a + 7] * z;
  out[to + 2] = axes[a + 2] * x + axes[a + 5] * y + axes[a + 8] * z;
}

const along = (d: Float64Array, p: number, t: number, x: number, y: number, z: number): number =>
  (d[p] - x) * d[t] + (d[p + 1] - y) * d[t + 1] + (d[p + 2] - z) * d[t + 2];

/** uᵀ m v of a symmetric matrix xx yy zz xy xz yz; u and v in d */
const quadratic = (m: Float64Array, at: number, d: Float64Array, u: number, v: number): number =>
  m[at] * d[u] * d[v] +
  m[at + 1] * d[u + 1] * d[v + 1] +
  m[at + 2] * d[u + 2] * d[v + 2] +
  m[at + 3] * (d[u] * d[v + 1] + d[u + 1] * d[v]) +
  m[at + 4] * (d[u] * d[v + 2] + d[u + 2] * d[v]) +
  m[at + 5] * (d[u + 1] * d[v + 2] + d[u + 2] * d[v + 1]);
