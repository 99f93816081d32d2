/**
 * Places that may press within a time step, and their law at depths that the step makes of them (time-stepping/flexible-terms.ts):
 *
 *   (R + diag c) f − δ ≥ 0,   f ≥ 0,   complementary;      ∂f/∂δ = (R + diag c)⁻¹ of those that press
 *
 * f is the gradient of a convex function of the depths, so that a step can have it as a term of its minimum.
 */
import type { PressureAhead } from './local-contact.js';
import type { PressedPlace, PressedSurfaces } from './pressed-places.js';
import { Pressing } from './pressing.js';

export class PressedAhead<Touch extends PressedPlace> implements PressureAhead {
  count = 0;
  private readonly pressing = new Pressing();
  private column = new Float64Array(0);

  constructor(private readonly surfaces: PressedSurfaces<Touch>) {}

  look(near: number): void {
    const { surfaces, pressing } = this;
    surfaces.find(near);
    const { touches, count: n } = surfaces;
    this.count = n;
    pressing.begin(n);
    const { matrix, names } = pressing;
    for (let i = 0; i < n; i++) {
      const touch = touches[i];
      surfaces.speedOf(touch);
      names[i] = surfaces.nameOf(touch);
      for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = surfaces.residual(touch, touches[j]);
      matrix[i * n + i] += touch.give;
    }
  }

  press(depth: Float64Array, force: Float64Array, stiffness: Float64Array | undefined): boolean {
    const { pressing, count: n } = this;
    for (let i = 0; i < n; i++) pressing.depth[i] = depth[i];
    if (!pressing.solve()) return false;
    for (let i = 0; i < n; i++) force[i] = pressing.force[i];
    if (!stiffness) return true;
    stiffness.fill(0, 0, n * n);
    if (this.column.length < n) this.column = new Float64Array(2 * n);
    const { column } = this;
    const { active, activeCount } = pressing;
    for (let k = 0; k < activeCount; k++) {
      const j = active[k];
      column.fill(0, 0, n);
      column[j] = 1;
      pressing.solveActive(column);
      for (let l = 0; l < activeCount; l++) stiffness[n * active[l] + j] = column[active[l]];
    }
    // symmetric to the bit
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) stiffness[n * j + i] = stiffness[n * i + j];
    return true;
  }
}
