/**
 * Friction of solids as a time step sees it (solid-friction.ts): slip along two directions across the mean normal, and spin about it, with the forces that are expected
 *
 *   U_k = Σ f (P t_k) · w/N,   S = Σ f e · w/N
 *
 * The part of the bristle along the mean normal, which curved faces and turning bodies leave there, relaxes.
 */
import type { SlipsAhead } from '../local-contact.js';
import type { SolidFriction } from './solid-friction.js';
import type { SolidSearch } from './solid-search.js';

export class SolidSlips implements SlipsAhead {
  readonly count = 1;
  readonly load = new Float64Array(1);
  private force: Float64Array = new Float64Array(0);
  /** Mean normal, and two directions across it: 3 each */
  private readonly axes = new Float64Array(9);
  private readonly spins: boolean;

  constructor(
    private readonly solid: SolidSearch,
    private readonly friction: SolidFriction,
    private readonly bristles: number,
  ) {
    this.spins = bristles > 3;
  }

  expect(force: Float64Array): void {
    const { solid, load, axes } = this;
    const { touches, count } = solid;
    this.force = force;
    load[0] = 0;
    axes.fill(0);
    for (let i = 0; i < count; i++) {
      load[0] += force[i];
      touches[i].force = force[i];
      for (let d = 0; d < 3; d++) axes[d] += force[i] * touches[i].n[d];
    }
    const size = Math.sqrt(axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]);
    if (!(size > 0)) {
      load[0] = 0;
      return;
    }
    for (let d = 0; d < 3; d++) axes[d] /= size;
    // across: from the axis that the normal has least of
    let least = 0;
    for (let d = 1; d < 3; d++) if (Math.abs(axes[d]) < Math.abs(axes[least])) least = d;
    let length = 0;
    for (let d = 0; d < 3; d++) {
      axes[3 + d] = (d === least ? 1 : 0) - axes[least] * axes[d];
      length += axes[3 + d] * axes[3 + d];
    }
    for (let d = 0; d < 3; d++) axes[3 + d] /= Math.sqrt(length);
    for (let d = 0; d < 3; d++) {
      const [e, g] = [(d + 1) % 3, (d + 2) % 3];
      axes[6 + d] = axes[e] * axes[3 + g] - axes[g] * axes[3 + e];
    }
    if (this.spins) this.friction.expectLevers(touches, count, load[0]);
  }

  slotOf(): number {
    return 0;
  }

  rows(): number {
    return this.load[0] > 0 ? (this.spins ? 3 : 2) : 0;
  }

  direction(_slip: number, row: number, i: number, out: Float64Array): boolean {
    if (!(this.force[i] > 0)) return false;
    const { axes } = this;
    const { n, e } = this.solid.touches[i];
    const share = this.force[i] / this.load[0];
    if (row === 2) {
      for (let d = 0; d < 3; d++) out[d] = share * e[d];
      return true;
    }
    const at = 3 + 3 * row;
    const along = n[0] * axes[at] + n[1] * axes[at + 1] + n[2] * axes[at + 2];
    for (let d = 0; d < 3; d++) out[d] = share * (axes[at + d] - along * n[d]);
    return true;
  }

  stretch(_slip: number, row: number, z: Float64Array, at: number): number {
    if (row === 2) return z[at + 3];
    const { axes } = this;
    const k = 3 + 3 * row;
    return axes[k] * z[at] + axes[k + 1] * z[at + 1] + axes[k + 2] * z[at + 2];
  }

  settle(_slip: number, stretches: Float64Array, relaxed: number, z: Float64Array, at: number): void {
    const { axes } = this;
    const along = relaxed * (axes[0] * z[at] + axes[1] * z[at + 1] + axes[2] * z[at + 2]);
    for (let d = 0; d < 3; d++) z[at + d] = along * axes[d] + stretches[0] * axes[3 + d] + stretches[1] * axes[6 + d];
    if (this.spins) z[at + 3] = stretches[2];
  }

  relax(_slip: number, relaxed: number, z: Float64Array, at: number): void {
    for (let d = 0; d < this.bristles; d++) z[at + d] *= relaxed;
  }

  square(_slip: number, z: Float64Array, at: number): number {
    let sum = 0;
    for (let d = 0; d < this.bristles; d++) sum += z[at + d] * z[at + d];
    return sum;
  }
}
