/**
 * Fixed steps for y = [positions q | velocities v | rest z], q' from v by the owner's `drift`, v' = a(t, q, v, z), z' = r(t, q, v, z).
 *
 * Velocity Verlet, order 2:   v½ = v + h/2 a,   q₁ = drift(q, v½, h),   v₁ = v½ + h/2 a₁,   z₁ = z + h/2 (r + r₁)
 * Symplectic Euler, order 1:  v₁ = v + h a,     q₁ = drift(q, v₁, h),   z₁ = z + h r
 *
 * a₁, r₁ are taken at q₁ and the predictions v + h a, z + h r. Where a depends on positions only, that changes nothing and
 * the method is symplectic and reversible; where it depends on velocities, order 2 is kept with one evaluation a step.
 * Stable for h ω ≤ 2, ω the fastest oscillation. Hairer, Lubich & Wanner, Geometric Numerical Integration (2006), §I.1.
 */
import { ModelError } from '../errors.js';
import { hermite, OneStepMethod, type Workshop } from './one-step-method.js';
import type { Partition } from './problem.js';

abstract class Partitioned extends OneStepMethod {
  override readonly adaptive = false;
  protected readonly partition: Partition;

  constructor(work: Workshop) {
    super(work);
    if (!work.problem.partition)
      throw new ModelError('method', 'a fixed-step method needs to know which components are velocities: partition');
    this.partition = work.problem.partition;
  }

  override interpolate(theta: number, out: Float64Array): void {
    hermite(this, theta, out);
  }
}

export class Verlet extends Partitioned {
  override readonly name = 'verlet';
  override readonly order = 2;
  override readonly denseOrder = 2;

  override attempt(): number {
    const { y0, f0, y1, f1, t, h } = this;
    const { velocityStart: start, velocityCount } = this.partition;
    const end = start + velocityCount;
    y1.set(y0);
    for (let i = start; i < end; i++) y1[i] = y0[i] + 0.5 * h * f0[i];
    this.partition.drift(y1, h);
    for (let i = start; i < this.size; i++) y1[i] = y0[i] + h * f0[i];
    this.work.rates.evaluate(t + h, y1, f1);
    for (let i = start; i < this.size; i++) y1[i] = y0[i] + 0.5 * h * (f0[i] + f1[i]);
    this.hasEndRates = true;
    return 0;
  }
}

export class SymplecticEuler extends Partitioned {
  override readonly name = 'symplecticEuler';
  override readonly order = 1;
  override readonly denseOrder = 1;

  override attempt(): number {
    const { y0, f0, y1, h } = this;
    const { velocityStart: start } = this.partition;
    y1.set(y0);
    for (let i = start; i < this.size; i++) y1[i] = y0[i] + h * f0[i];
    this.partition.drift(y1, h);
    this.hasEndRates = false;
    return 0;
  }
}
