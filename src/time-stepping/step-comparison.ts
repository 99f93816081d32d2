/**
 * Two ends of the same step, of one whole and of two halves: how far they are apart, and the place of second order that both tell.
 *
 *   ways      max |Δp|, angles times sizes, m          speeds    the same of velocities, m/s
 *   y ← 2 y − full                                     errors of the first order in the step cancel
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';

export class StepComparison {
  /** Places of free bodies in y begin here, 7 each; their velocities there, 6 each */
  private readonly places: number;
  private readonly velocities: number;

  /** @param sizes m per free body */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly sizes: Float64Array,
  ) {
    const { nq, nv, system } = mechanics;
    this.places = nq - 7 * system.free.count;
    this.velocities = nq + nv - 6 * system.free.count;
  }

  /** m */
  ways(one: Float64Array, other: Float64Array): number {
    const { places, sizes } = this;
    let largest = 0;
    for (let k = 0; k < places; k++) largest = Math.max(largest, Math.abs(one[k] - other[k]));
    for (let i = 0; i < sizes.length; i++) {
      const q = places + 7 * i;
      for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(one[q + k] - other[q + k]));
      const sign = sameSide(one, other, q + 3);
      let square = 0;
      for (let k = q + 3; k < q + 7; k++) square += (one[k] - sign * other[k]) * (one[k] - sign * other[k]);
      largest = Math.max(largest, 2 * Math.sqrt(square) * sizes[i]);
    }
    return largest;
  }

  /** m/s */
  speeds(one: Float64Array, other: Float64Array): number {
    const { nq } = this.mechanics;
    let largest = 0;
    for (let k = nq; k < this.velocities; k++) largest = Math.max(largest, Math.abs(one[k] - other[k]));
    for (let i = 0; i < this.sizes.length; i++)
      for (let k = 0; k < 6; k++) {
        const v = this.velocities + 6 * i + k;
        largest = Math.max(largest, Math.abs(one[v] - other[v]) * (k < 3 ? 1 : this.sizes[i]));
      }
    return largest;
  }

  /** m/s */
  largestSpeed(y: Float64Array): number {
    const { nq } = this.mechanics;
    let largest = 0;
    for (let k = nq; k < this.velocities; k++) largest = Math.max(largest, Math.abs(y[k]));
    for (let i = 0; i < this.sizes.length; i++)
      for (let k = 0; k < 6; k++)
        largest = Math.max(largest, Math.abs(y[this.velocities + 6 * i + k]) * (k < 3 ? 1 : this.sizes[i]));
    return largest;
  }

  /** Overwrites y, the end of the two halves. */
  extrapolate(full: Float64Array, y: Float64Array): void {
    const { mechanics, places, sizes } = this;
    const { nq, nv } = mechanics;
    for (let i = 0; i < sizes.length; i++) {
      const q = places + 7 * i + 3;
      const sign = sameSide(full, y, q);
      for (let k = q; k < q + 4; k++) y[k] = 2 * y[k] - sign * full[k];
    }
    for (let k = 0; k < nq + nv; k++) if (k < places || k >= nq || (k - places) % 7 < 3) y[k] = 2 * y[k] - full[k];
    mechanics.normalise(y);
  }
}

/** 1 or −1: quaternions of both signs are the same turn */
function sameSide(one: Float64Array, other: Float64Array, at: number): number {
  let dot = 0;
  for (let k = at; k < at + 4; k++) dot += one[k] * other[k];
  return dot < 0 ? -1 : 1;
}
