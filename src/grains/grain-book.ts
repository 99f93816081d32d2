/**
 * The book of the grains' energy. What becomes heat is counted contact by contact in the kernels, at every step:
 *
 *   damping   ∫ (N − F_elastic) vₙ dt, with the mean of the forces before and after a step: the work of a leapfrog step to the last bit
 *   sliding, rolling and twisting: all work done against them, less what their bristles hold, for a bristle whose stiffness changes with the depth has no potential
 *
 * and must be what is missing of kinetic + potential + elastic energy and what walls put in. Adhesive contacts (JKR) snap and are not booked.
 */
import type { GrainEnergies } from './bed.js';

export class GrainBook {
  /** Kinetic with turning, potential, elastic, J, at the last row */
  parts: readonly [number, number, number] = [0, 0, 0];
  /** J turned into heat: by damping, sliding, rolling and twisting; less what bristles hold */
  readonly heat = { damping: 0, sliding: 0, rolling: 0 };
  dissipated = 0;
  /** J: by walls and by grains that came, less those that left */
  supplied = 0;
  initial = 0;
  /** Sum at the last row less that at the start, J; the largest so far; and the largest energy that moved */
  imbalance = 0;
  worst = 0;
  scale = 0;
  private begun = false;
  private readonly start = [0, 0];

  /**
   * Looks at a row.
   *
   * @param supplied by walls, and by grains that came less those that left, J
   */
  look(
    { kinetic, rotational, potential, elastic, bristles }: GrainEnergies,
    work: { readonly damping: number; readonly sliding: number; readonly rolling: number },
    supplied: number,
  ): void {
    this.parts = [kinetic + rotational, potential, elastic + bristles];
    this.heat.damping = work.damping;
    this.heat.sliding = work.sliding;
    this.heat.rolling = work.rolling;
    this.dissipated = work.damping + work.sliding + work.rolling - bristles;
    this.supplied = supplied;
    const sum = this.parts[0] + this.parts[1] + this.parts[2] + this.dissipated - supplied;
    if (!this.begun) {
      this.begun = true;
      this.initial = sum;
      this.start[0] = this.parts[1];
      this.start[1] = this.parts[2];
    }
    this.imbalance = sum - this.initial;
    this.worst = Math.max(this.worst, Math.abs(this.imbalance));
    this.scale = Math.max(
      this.scale,
      this.parts[0],
      Math.abs(this.parts[1] - this.start[0]),
      Math.abs(this.parts[2] - this.start[1]),
      Math.abs(this.dissipated),
      Math.abs(supplied),
    );
  }

  snapshot(): number[] {
    const { heat } = this;
    return [
      ...this.parts,
      ...[heat.damping, heat.sliding, heat.rolling, this.dissipated, this.supplied, this.initial],
      ...[this.imbalance, this.worst, this.scale, this.begun ? 1 : 0, ...this.start],
    ];
  }

  restore(numbers: ArrayLike<number>): void {
    const given = Array.from(numbers);
    this.parts = [given[0], given[1], given[2]];
    [this.heat.damping, this.heat.sliding, this.heat.rolling, this.dissipated, this.supplied, this.initial] =
      given.slice(3);
    [this.imbalance, this.worst, this.scale] = given.slice(9);
    this.begun = given[12] === 1;
    [this.start[0], this.start[1]] = given.slice(13);
  }
}
