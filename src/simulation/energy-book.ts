/**
 * Energy over time. Kinetic, potential and elastic energy follow from the state; heat and what is put in are integrals of power, taken
 * over every accepted step by Lobatto's rule on dense output,
 *
 *   ∫ P dt ≈ h/6 (P₀ + 4 P_½ + P₁),   error h⁵/2880 P⁗,
 *
 * the order of the integrators themselves.
 */
import { energies, powers } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { PowerLedger } from '../dynamics/pair-element.js';
import type { Integration } from '../integration/integration.js';
import type { Ledger } from './signals.js';

export class EnergyBook implements Ledger {
  /** J, at the time of the last `at` */
  dissipated = 0;
  supplied = 0;
  /** kinetic + potential + elastic at the start, J */
  initial = 0;
  /** Largest |kinetic|, and largest change of the others: what an error is measured against, J */
  scale = 0;
  /** Largest |total − initial| at accepted steps, J */
  worst = 0;
  readonly #mechanics: MechanicalSystem;
  readonly #middle: Float64Array;
  readonly #parts = new Float64Array(3);
  readonly #startParts = new Float64Array(3);
  /** Of the last step */
  #t0 = 0;
  #t1 = 0;
  #start: PowerLedger = { dissipated: 0, supplied: 0 };
  #half: PowerLedger = { dissipated: 0, supplied: 0 };
  #end: PowerLedger = { dissipated: 0, supplied: 0 };
  /** J at the start of the last step, and at its end */
  #before = { dissipated: 0, supplied: 0 };
  #after = { dissipated: 0, supplied: 0 };

  constructor(mechanics: MechanicalSystem) {
    this.#mechanics = mechanics;
    this.#middle = new Float64Array(mechanics.size);
  }

  start(t: number, y: Float64Array): void {
    this.#measure(t, y, this.#startParts);
    this.initial = this.#startParts[0] + this.#startParts[1] + this.#startParts[2];
    this.scale = Math.abs(this.#startParts[0]);
    this.#power(t, y, this.#end);
    this.#t0 = this.#t1 = t;
  }

  /** Books the step that was just accepted. */
  step(integration: Integration): void {
    const { tPrevious, t, y } = integration;
    const h = t - tPrevious;
    [this.#start, this.#end] = [this.#end, this.#start];
    integration.interpolate(tPrevious + 0.5 * h, this.#middle);
    this.#power(tPrevious + 0.5 * h, this.#middle, this.#half);
    this.#power(t, y, this.#end);
    this.#t0 = tPrevious;
    this.#t1 = t;
    for (const key of ['dissipated', 'supplied'] as const) {
      this.#before[key] = this.#after[key];
      this.#after[key] += (h / 6) * (this.#start[key] + 4 * this.#half[key] + this.#end[key]);
    }
    this.#watch(t, y);
  }

  /** An event changed the state at once: an inelastic joint that takes hold turns energy into heat. */
  jump(t: number, y: Float64Array): void {
    const before = this.#parts[0] + this.#parts[1] + this.#parts[2];
    this.#measure(t, y, this.#parts);
    this.#after.dissipated += Math.max(0, before - (this.#parts[0] + this.#parts[1] + this.#parts[2]));
    this.#before.dissipated = this.#after.dissipated;
    this.#before.supplied = this.#after.supplied;
    this.#t0 = this.#t1 = t;
    this.#power(t, y, this.#end);
  }

  /** Sets `dissipated` and `supplied` to a time within the last step, by the parabola through its three powers. */
  at(t: number): void {
    const h = this.#t1 - this.#t0;
    const x = h > 0 ? (t - this.#t0) / h : 1;
    for (const key of ['dissipated', 'supplied'] as const) {
      const p0 = this.#start[key];
      const p1 = this.#half[key];
      const p2 = this.#end[key];
      // ∫₀ˣ of the parabola through (0, p0), (½, p1), (1, p2)
      const part = x * (p0 + x * (-1.5 * p0 + 2 * p1 - 0.5 * p2 + x * ((2 / 3) * p0 - (4 / 3) * p1 + (2 / 3) * p2)));
      this[key] = h > 0 && x < 1 ? this.#before[key] + h * part : this.#after[key];
    }
  }

  #measure(t: number, y: Float64Array, out: Float64Array): void {
    const { kinetic, potential, elastic } = energies(this.#mechanics, t, y);
    out[0] = kinetic;
    out[1] = potential;
    out[2] = elastic;
  }

  #power(t: number, y: Float64Array, out: PowerLedger): void {
    const { dissipated, supplied } = powers(this.#mechanics, t, y);
    out.dissipated = dissipated;
    out.supplied = supplied;
  }

  #watch(t: number, y: Float64Array): void {
    const parts = this.#parts;
    this.#measure(t, y, parts);
    const total = parts[0] + parts[1] + parts[2] + this.#after.dissipated - this.#after.supplied;
    this.worst = Math.max(this.worst, Math.abs(total - this.initial));
    const moved = Math.max(
      Math.abs(parts[0]),
      Math.abs(parts[1] - this.#startParts[1]),
      Math.abs(parts[2] - this.#startParts[2]),
      this.#after.dissipated,
      Math.abs(this.#after.supplied),
    );
    if (moved > this.scale) this.scale = moved;
  }

  /** kinetic, potential, elastic at the last accepted step, J */
  get parts(): readonly [number, number, number] {
    return [this.#parts[0], this.#parts[1], this.#parts[2]];
  }
}
