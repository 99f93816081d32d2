/**
 * Exact derivatives of the wrench of one contact region, and of the rates of its states, by the motion of its two carriers and by the states: what region-change.ts finds for each unit
 * motion, written down column by column.
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { PairDerivative } from '../dynamics/elements/pair-element.js';
import type { ContactPatches } from '../narrow-phase/contact-patches.js';
import { D, RegionChange } from './region-change.js';

export class RegionDerivatives extends RegionChange {
  /**
   * Adds the derivatives of the region's last `evaluate`, which must have been with gradients.
   *
   * @param y     states, this region's from `at`
   * @param first index of the region's first state within the element's
   */
  add(
    law: PairLaw,
    patches: ContactPatches,
    p: number,
    a: number,
    b: number,
    y: Float64Array,
    at: number,
    first: number,
    out: PairDerivative,
  ): void {
    const { region } = this;
    const { rolling } = law.states;
    if (law.rolling) region.rolling.differentiate(law.rolling, region.forces.normal.force, y, at + rolling);
    this.addWrench(out);
    for (let column = 0; column < 12; column++) {
      this.changePose(patches, p, a, b, column);
      this.changeForces(law, a, b);
      this.record(law, column, false, y, at, first, out);
    }
    for (let column = 0; column < 12; column++) {
      this.changeTwist(column);
      this.changeForces(law, a, b);
      this.record(law, column, true, y, at, first, out);
    }
    if (law.states.bristle >= 0) this.byBristle(law, first, out);
    if (law.rolling) this.byRolling(law, first, out);
  }

  private addWrench(out: PairDerivative): void {
    const { leverA, leverB, force, torque } = this.region;
    for (let j = 0; j < 3; j++) {
      out.wrench[3 + j] -= force[j];
      out.wrench[9 + j] += force[j];
      const l = j === 2 ? 0 : j + 1;
      const m = j === 0 ? 2 : j - 1;
      out.wrench[j] -= leverA[l] * force[m] - leverA[m] * force[l] + torque[j];
      out.wrench[6 + j] += leverB[l] * force[m] - leverB[m] * force[l] + torque[j];
    }
  }

  /** A column of pose or twist: rates of the states, wrenches on A and B */
  private record(
    law: PairLaw,
    column: number,
    ofTwist: boolean,
    y: Float64Array,
    at: number,
    first: number,
    out: PairDerivative,
  ): void {
    const { change: d, friction: T, roll } = this;
    const { bristle, rolling } = law.states;
    const dspin = d[D.spin];
    const rates = ofTwist ? out.ratesByTwist : out.ratesByPose;
    if (bristle >= 0) {
      const from = 12 * (first + bristle) + column;
      rates[from] += T[3] - 0.5 * dspin * y[at + bristle + 1];
      rates[from + 12] += T[4] + 0.5 * dspin * y[at + bristle];
      rates[from + 24] += T[5];
    }
    if (rolling >= 0) {
      const from = 12 * (first + rolling) + column;
      const { damping } = this.region.rolling;
      rates[from] += roll[0] / damping - 0.5 * dspin * y[at + rolling + 1];
      rates[from + 12] += roll[1] / damping + 0.5 * dspin * y[at + rolling];
    }
    const matrix = ofTwist ? out.byTwist : out.byPose;
    this.recordWrench(matrix, column, 0, ofTwist);
    this.recordWrench(matrix, column, 1, ofTwist);
  }

  /** The wrench on a carrier: its lever changes by dc − δp */
  private recordWrench(matrix: Float64Array, column: number, side: 0 | 1, ofTwist: boolean): void {
    const { leverA, leverB, force } = this.region;
    const { change: d } = this;
    const lever = side === 0 ? leverA : leverB;
    const fx = d[D.force];
    const fy = d[D.force + 1];
    const fz = d[D.force + 2];
    let lx = 0;
    let ly = 0;
    let lz = 0;
    if (!ofTwist) {
      lx = d[D.point] - (column === 6 * side + 3 ? 1 : 0);
      ly = d[D.point + 1] - (column === 6 * side + 4 ? 1 : 0);
      lz = d[D.point + 2] - (column === 6 * side + 5 ? 1 : 0);
    }
    const tx = lever[1] * fz - lever[2] * fy + (ly * force[2] - lz * force[1]) + d[D.torque];
    const ty = lever[2] * fx - lever[0] * fz + (lz * force[0] - lx * force[2]) + d[D.torque + 1];
    const tz = lever[0] * fy - lever[1] * fx + (lx * force[1] - ly * force[0]) + d[D.torque + 2];
    addRows(matrix, 72 * side + column, 12, side, tx, ty, tz, fx, fy, fz);
  }

  /** Columns of (s₁, s₂, ψ), and their turning with the mean spin */
  private byBristle(law: PairLaw, first: number, out: PairDerivative): void {
    const { basis, forces, measures } = this.region;
    const { derivatives } = forces;
    const { states } = out;
    const start = first + law.states.bristle;
    for (let s = 0; s < 3; s++) {
      const t1 = derivatives[4 + s];
      const t2 = derivatives[7 + 4 + s];
      const dM = derivatives[14 + 4 + s];
      for (let i = 0; i < 3; i++)
        out.ratesByState[(start + i) * states + start + s] += derivatives[7 * (3 + i) + 4 + s];
      const fx = t1 * basis[3] + t2 * basis[6];
      const fy = t1 * basis[4] + t2 * basis[7];
      const fz = t1 * basis[5] + t2 * basis[8];
      this.recordState(out, start + s, fx, fy, fz, dM * basis[0], dM * basis[1], dM * basis[2]);
    }
    turnWithSpin(out, start, measures.spin);
  }

  /** Columns of (ρ₁, ρ₂), and their turning */
  private byRolling(law: PairLaw, first: number, out: PairDerivative): void {
    const { basis, rolling, measures } = this.region;
    const { radius, stiffness } = law.rolling!;
    const { by: q, damping } = rolling;
    const { states } = out;
    const start = first + law.states.rolling;
    for (let i = 0; i < 2; i++) {
      const dF1 = stiffness * q[i];
      const dF2 = stiffness * q[2 + i];
      out.ratesByState[start * states + start + i] += (dF1 - (i === 0 ? stiffness : 0)) / damping;
      out.ratesByState[(start + 1) * states + start + i] += (dF2 - (i === 1 ? stiffness : 0)) / damping;
      const mx = -radius * (dF1 * basis[3] + dF2 * basis[6]);
      const my = -radius * (dF1 * basis[4] + dF2 * basis[7]);
      const mz = -radius * (dF1 * basis[5] + dF2 * basis[8]);
      this.recordState(out, start + i, 0, 0, 0, mx, my, mz);
    }
    turnWithSpin(out, start, measures.spin);
  }

  /** Force and torque on B by a state */
  private recordState(
    { byState, states }: PairDerivative,
    column: number,
    fx: number,
    fy: number,
    fz: number,
    mx: number,
    my: number,
    mz: number,
  ): void {
    const { leverA, leverB } = this.region;
    for (let side = 0; side < 2; side++) {
      const lever = side === 0 ? leverA : leverB;
      const tx = lever[1] * fz - lever[2] * fy + mx;
      const ty = lever[2] * fx - lever[0] * fz + my;
      const tz = lever[0] * fy - lever[1] * fx + mz;
      addRows(byState, 6 * side * states + column, states, side, tx, ty, tz, fx, fy, fz);
    }
  }
}

/** Adds (torque, force) down six rows on B, subtracts it on A. */
function addRows(
  matrix: Float64Array,
  at: number,
  stride: number,
  side: number,
  tx: number,
  ty: number,
  tz: number,
  fx: number,
  fy: number,
  fz: number,
): void {
  const sign = side === 0 ? -1 : 1;
  matrix[at] += sign * tx;
  matrix[at + stride] += sign * ty;
  matrix[at + 2 * stride] += sign * tz;
  matrix[at + 3 * stride] += sign * fx;
  matrix[at + 4 * stride] += sign * fy;
  matrix[at + 5 * stride] += sign * fz;
}

/** (z₁, z₂)' += ½ spin (−z₂, z₁) */
function turnWithSpin({ ratesByState, states }: PairDerivative, start: number, spin: number): void {
  const half = 0.5 * spin;
  ratesByState[start * states + start + 1] -= half;
  ratesByState[(start + 1) * states + start] += half;
}
