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
  private readonly pressing: Pressing;

  constructor(private readonly surfaces: PressedSurfaces<Touch>) {
    const { touches } = surfaces;
    this.pressing = new Pressing((i, j) => {
      const residual = surfaces.residual(touches[i], touches[j]);
      return i === j ? residual + touches[i].give : residual;
    });
  }

  look(near: number): void {
    const { surfaces, pressing } = this;
    surfaces.find(near);
    const { touches, count: n } = surfaces;
    this.count = n;
    pressing.begin(n);
    const { names } = pressing;
    for (let i = 0; i < n; i++) {
      surfaces.speedOf(touches[i]);
      names[i] = surfaces.nameOf(touches[i]);
    }
  }

  press(depth: Float64Array, force: Float64Array, stiffness?: Float64Array, at = 0, scale = 1): boolean {
    const { pressing, count: n } = this;
    for (let i = 0; i < n; i++) pressing.depth[i] = depth[i];
    if (!pressing.solve()) return false;
    for (let i = 0; i < n; i++) force[i] = pressing.force[i];
    if (stiffness) pressing.writeInverse(stiffness, at, scale);
    return true;
  }
}
