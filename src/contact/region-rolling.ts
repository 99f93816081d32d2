/** Resistance of a region against rolling: its bristle ρ with lever R (contact-laws/torsion/rolling-resistance.ts), in the basis of the region. */
import { bristle, bristleDerivatives } from '../contact-laws/friction/bristle.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import { rollingDamping } from '../contact-laws/torsion/rolling-resistance.js';

type RollingLaw = NonNullable<PairLaw['rolling']>;

export class RegionRolling {
  /** 4: F₁, F₂ in N; ρ₁', ρ₂' in m/s, without the turning of the displacement */
  readonly forces = new Float64Array(4);
  /** 6: ∂(F₁, F₂) by W, row by row, then by the limit; see `bristleDerivatives` */
  readonly by = new Float64Array(6);
  /** N s/m */
  damping = 1;
  /** J and W */
  energy = 0;
  loss = 0;
  /** m/s: R ω along t₁ and t₂ */
  private speed1 = 0;
  private speed2 = 0;

  /**
   * @param mass   kg, effective along the normal
   * @param load   N
   * @param basis  9: n, t₁, t₂
   * @param wx     relative angular velocity, rad/s
   * @param y      states, ρ from `at`
   * @param torque 3: the torque on B is added
   */
  evaluate(
    { coefficient, radius, stiffness }: RollingLaw,
    mass: number,
    load: number,
    basis: Float64Array,
    wx: number,
    wy: number,
    wz: number,
    y: Float64Array,
    at: number,
    torque: Float64Array,
  ): void {
    const { forces } = this;
    const r1 = radius * (basis[3] * wx + basis[4] * wy + basis[5] * wz);
    const r2 = radius * (basis[6] * wx + basis[7] * wy + basis[8] * wz);
    this.speed1 = r1;
    this.speed2 = r2;
    this.damping = rollingDamping(stiffness, mass);
    bristle(stiffness, this.damping, coefficient * load, y[at], y[at + 1], r1, r2, forces);
    for (let k = 0; k < 3; k++) torque[k] -= radius * (forces[0] * basis[3 + k] + forces[1] * basis[6 + k]);
    this.energy = 0.5 * stiffness * (y[at] * y[at] + y[at + 1] * y[at + 1]);
    this.loss = forces[0] * r1 + forces[1] * r2 - stiffness * (y[at] * forces[2] + y[at + 1] * forces[3]);
  }

  /** Of the last `evaluate`, into `by` */
  differentiate({ coefficient, stiffness }: RollingLaw, load: number, y: Float64Array, at: number): void {
    const { speed1, speed2, by } = this;
    bristleDerivatives(stiffness, this.damping, coefficient * load, y[at], y[at + 1], speed1, speed2, by);
  }
}
