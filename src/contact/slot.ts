/**
 * Where a contact region keeps what lasts from step to step: its name, its place, and what is held constant within a step. Its friction
 * states are in y. How states go from slot to slot when regions merge and split is here, too; friction/bristle-life.ts has the formulas.
 */
import { type BristleState, mergeBristles, splitBristle } from '../contact-laws/friction/bristle-life.js';
import type { RegionStates } from '../contact-laws/region-states.js';
import type { RegionConstants } from './region-forces.js';

export class Slot implements RegionConstants {
  /** Identity of the region, −1 while the slot waits */
  region = -1;
  /** 3: e in A's axes */
  readonly edge = new Float64Array(3);
  /** 3 each, A's axes: centroid at the start of the step, m, and its velocity there, m/s */
  readonly place = new Float64Array(3);
  readonly drift = new Float64Array(3);
  /** 1/s: with what rate the memory fades while the slot is without a region, k/d as at the start of the step */
  relaxationRate = 1;
  dampingScale = 1;
  effectiveMass = 1;
  carried = 1;
  twistRadius = 0;
  growth = 0;
  readonly rocking = new Float64Array(6);
  readonly patch = Float64Array.of(-1, 0, 0);
  /** Of the region at the start of the step: N in N, stiffness in N/m, effective radius of its patch in m */
  load = 0;
  stiffness = 0;
  effectiveRadius = 0;
  /** 3: second moments of its patch per area in (t₁, t₂), 11, 12, 22, m² */
  readonly spread = new Float64Array(3);
  /** 3: normal at the start of the step, A's axes */
  readonly normal = new Float64Array(3);

  /** Its bristle holds at the start of the step; see break-away.ts. */
  holds = false;
  /** If it does: k |V| in N/s */
  stretchRate = 0;
  /** |W|² in N², k W·V in N²/s, the most it can bear in N, what that falls by as it slips in N */
  borne = 0;
  stretching = 0;
  bearable = 0;
  fall = 0;
  /** Mass that its slip feels, kg */
  slippingMass = 1;
  /** 3: direction of V, of the material of B against A's, world; about the normal if it is mostly twisted */
  readonly stretch = new Float64Array(3);
  twisted = false;
  /** If it slips: N |µ'|/m where friction falls with speed, 1/s */
  runaway = 0;

  /** Place at h s after the start of the step if it went on as before, A's axes */
  placeAfter(h: number, k: number): number {
    return h > 0 ? this.place[k] + h * this.drift[k] : this.place[k];
  }

  placesAfter(h: number): readonly number[] {
    return [this.placeAfter(h, 0), this.placeAfter(h, 1), this.placeAfter(h, 2)];
  }
}

/** A place lies within the ellipse that has the moments of a slot's patch: as far as that reaches in its direction. */
export function reaches(slot: Slot, h: number, place: ArrayLike<number>): boolean {
  const [x, y] = planar(slot, place, slot.placesAfter(h));
  const [s11, s12, s22] = slot.spread;
  const square = x * x + y * y;
  return square * square <= 4 * (s11 * x * x + 2 * s12 * x * y + s22 * y * y);
}

/** What of a region counts when states are handed on. */
export interface RegionSize {
  /** N/m */
  readonly stiffness: number;
  /** m */
  readonly effectiveRadius: number;
  /** 3: centroid, A's axes, m */
  readonly place: ArrayLike<number>;
}

/** Vector (s₁, s₂) of one slot's plane in the basis of another's */
function turned(from: Slot, to: Slot, s1: number, s2: number): readonly [number, number] {
  const [u, v] = [across(from), across(to)];
  let t1 = 0;
  let t2 = 0;
  for (let k = 0; k < 3; k++) {
    const s = s1 * from.edge[k] + s2 * u[k];
    t1 += s * to.edge[k];
    t2 += s * v[k];
  }
  return [t1, t2];
}

/** n × e */
function across({ normal: n, edge: e }: Slot): readonly [number, number, number] {
  return [n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]];
}

/** A place seen from another, in a slot's plane */
function planar(slot: Slot, place: ArrayLike<number>, from: ArrayLike<number>): readonly [number, number] {
  const v = across(slot);
  let c1 = 0;
  let c2 = 0;
  for (let k = 0; k < 3; k++) {
    c1 += (place[k] - from[k]) * slot.edge[k];
    c2 += (place[k] - from[k]) * v[k];
  }
  return [c1, c2];
}

/**
 * Several regions have become one, which goes by the name of the first: force and torque of its bristle are what all had together. Elastic energy
 * is lost by it, which the book finds by itself (simulation/energy-book.ts).
 *
 * @param h     s since the slots were told their places
 * @param at     where the states of each are in y
 * @param states which they are
 */
export function merge(
  slots: readonly Slot[],
  h: number,
  become: RegionSize,
  at: readonly number[],
  { count, bristle, rolling }: RegionStates,
  y: Float64Array,
): void {
  const first = slots[0];
  let merged: BristleState | undefined;
  if (bristle >= 0) {
    const parts = slots.map((slot, i): BristleState => {
      const s = at[i] + bristle;
      const [s1, s2] = turned(slot, first, y[s], y[s + 1]);
      const [c1, c2] = planar(first, slot.placesAfter(h), become.place);
      const { stiffness, effectiveRadius } = slot;
      return { c1, c2, s1, s2, psi: y[s + 2], stiffness, effectiveRadius };
    });
    const { stiffness, effectiveRadius } = become;
    merged = mergeBristles(parts, { c1: 0, c2: 0, stiffness, effectiveRadius });
  }
  // rolling bristles have one stiffness: their torques add up
  let [r1, r2] = [0, 0];
  if (rolling >= 0)
    slots.forEach((slot, i) => {
      const [t1, t2] = turned(slot, first, y[at[i] + rolling], y[at[i] + rolling + 1]);
      r1 += t1;
      r2 += t2;
    });
  for (const start of at) y.fill(0, start, start + count);
  if (merged) {
    const s = at[0] + bristle;
    y[s] = merged.s1;
    y[s + 1] = merged.s2;
    y[s + 2] = merged.psi;
  }
  if (rolling >= 0) {
    y[at[0] + rolling] = r1;
    y[at[0] + rolling + 1] = r2;
  }
}

/**
 * One region has become several, the first of which goes by its name: they share its force and torque, standing where the rigid displacement
 * of the whole puts them. A whole that was softer than its parts together is shared out; one that was stiffer has shrunk.
 *
 * @param at where the states of each are in y
 */
export function split(
  whole: Slot,
  parts: readonly RegionSize[],
  at: readonly number[],
  { bristle, rolling }: RegionStates,
  y: Float64Array,
): void {
  if (bristle >= 0) splitStates(whole, parts, at, bristle, y);
  if (rolling < 0) return;
  for (let k = rolling; k < rolling + 2; k++) {
    const rolled = y[at[0] + k] / parts.length;
    for (const start of at) y[start + k] = rolled;
  }
}

function splitStates(
  whole: Slot,
  parts: readonly RegionSize[],
  at: readonly number[],
  bristle: number,
  y: Float64Array,
): void {
  let stiffness = 0;
  const centre = [0, 0, 0];
  for (const part of parts) {
    stiffness += part.stiffness;
    for (let k = 0; k < 3; k++) centre[k] += part.stiffness * part.place[k];
  }
  for (let k = 0; k < 3; k++) centre[k] /= stiffness;
  const places = parts.map((part) => {
    const [c1, c2] = planar(whole, part.place, centre);
    return { c1, c2, stiffness: part.stiffness, effectiveRadius: part.effectiveRadius };
  });
  let angular = 0;
  for (const { c1, c2, stiffness: k, effectiveRadius: b } of places) angular += k * (b * b + c1 * c1 + c2 * c2);
  const b = whole.effectiveRadius;
  const share = Math.min(1, whole.stiffness / stiffness);
  const twistShare = angular > 0 ? Math.min(1, (whole.stiffness * b * b) / angular) : 0;
  const from = at[0] + bristle;
  const parent: BristleState = {
    c1: 0,
    c2: 0,
    s1: share * y[from],
    s2: share * y[from + 1],
    psi: twistShare * y[from + 2],
    stiffness: whole.stiffness,
    effectiveRadius: b,
  };
  splitBristle(parent, places).forEach(({ s1, s2, psi }, i) => {
    const s = at[i] + bristle;
    y[s] = s1;
    y[s + 1] = s2;
    y[s + 2] = psi;
  });
}
