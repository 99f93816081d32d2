/** Friction of contact in the plane as a time step sees it: each bristle slips by u = Σ f t · w/N, the f being those that are expected (plane-contact.ts). */
import type { SlipsAhead } from './local-contact.js';
import type { TouchSearch } from './touch-search.js';

export class PlaneSlips implements SlipsAhead {
  readonly load: Float64Array;
  private force: Float64Array = new Float64Array(0);

  constructor(
    private readonly plane: TouchSearch,
    readonly count: number,
  ) {
    this.load = new Float64Array(count);
  }

  expect(force: Float64Array): void {
    const { plane, load } = this;
    this.force = force;
    load.fill(0);
    for (let i = 0; i < plane.count; i++) load[plane.touches[i].slot] += force[i];
  }

  slotOf(i: number): number {
    return this.plane.touches[i].slot;
  }

  rows(slip: number): number {
    return this.load[slip] > 0 ? 1 : 0;
  }

  direction(slip: number, _row: number, i: number, out: Float64Array): boolean {
    const touch = this.plane.touches[i];
    if (touch.slot !== slip || !(this.force[i] > 0)) return false;
    const share = this.force[i] / this.load[slip];
    out[0] = -touch.ny * share;
    out[1] = touch.nx * share;
    out[2] = 0;
    return true;
  }

  stretch(slip: number, _row: number, z: Float64Array, at: number): number {
    return z[at + slip];
  }

  settle(slip: number, stretches: Float64Array, _relaxed: number, z: Float64Array, at: number): void {
    z[at + slip] = stretches[0];
  }

  relax(slip: number, relaxed: number, z: Float64Array, at: number): void {
    z[at + slip] *= relaxed;
  }

  square(slip: number, z: Float64Array, at: number): number {
    return z[at + slip] * z[at + slip];
  }
}
