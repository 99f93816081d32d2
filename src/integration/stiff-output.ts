/**
 * States in between that forces are read from. A polynomial through a step is right to the error allowed, and a stiff contact makes another force of that: 10 pm of steel are
 * a hundredth of a newton. What the polynomial has right is its slope, the accelerations of the motion. One step of Newton's method for f(y) = p′(θ), damped as a stage is,
 *
 *   (I − e J) Δ = e (f(y) − p′),   e of the step's own matrix
 *
 * takes stiff components to where their forces are those of the motion; others move by e times the error of p′, h⁴ as that of y. Where f bends within the step (a contact comes or
 * goes) it may lead astray: a state whose Δ is large and does not shrink stays as it was.
 */
import type { OneStepMethod, Workshop } from './one-step-method.js';

/** Of what was amiss, after a step that leads the right way */
const SHRINKS = 0.5;
/** Of the error allowed: less is not looked at again */
const LITTLE = 0.01;

export class StiffOutput {
  private slope = new Float64Array(0);
  private change = new Float64Array(0);
  private kept = new Float64Array(0);

  constructor(private readonly work: Workshop) {}

  /** Takes y(t + θ h) of the accepted step of a method, as it interpolates, to where its forces are those of the motion. */
  relax(method: OneStepMethod, theta: number, y: Float64Array): void {
    if (!(method.damping > 0) || !(method.h > 0)) return;
    if (this.kept.length !== y.length) {
      this.slope = new Float64Array(y.length);
      this.change = new Float64Array(y.length);
      this.kept = new Float64Array(y.length);
    }
    const { change, kept } = this;
    method.slope(theta, this.slope);
    const amiss = this.measure(method, theta, y);
    kept.set(y);
    for (let i = 0; i < y.length; i++) y[i] += change[i];
    if (amiss < LITTLE) return;
    if (!(this.measure(method, theta, y) < SHRINKS * amiss)) y.set(kept);
  }

  /** Δ into `change`, and its size */
  private measure({ t, h, damping }: OneStepMethod, theta: number, y: Float64Array): number {
    const { slope, change, work } = this;
    work.problem.rates(t + theta * h, y, change);
    for (let i = 0; i < y.length; i++) change[i] = damping * (change[i] - slope[i]);
    work.linear.solve(change);
    return work.measure.norm(change, y, y);
  }
}
