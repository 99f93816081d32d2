/**
 * One row of a constraint between two carriers, as a formula for its rate
 *
 *   ψ = f · (v_B − v_A) + t · (ω_B − ω_A),     velocities of both carriers' material at the point P of B
 *
 * so that (f at P, t) is the wrench on B per unit multiplier, its opposite acts on A, and reactions are forces a real joint can have.
 * With n, u directions of A; e, w directions of B; d = P − P_A; κ = n · e, σ = √(1 − κ²):
 *
 *   point      n · d = offset                  f = n            t = 0
 *   direction  u · w = cosine                  f = 0            t = w × u
 *   distance   (d · d − L²)/(2 L) = 0          f = d/L          t = 0
 *   wheel      n · d = r σ                     f = n            t = r κ/σ e × n           (a circle of radius r touches the plane)
 *   roll       no slip in the wheel's plane    f = e × n        t = −r σ e                (both rows times σ; the lowest point is
 *              nor across it                   f = e − κ n      t = r σ e × n              C − r (n − κ e)/σ)
 *
 * Time derivative and all derivatives of that come from jets.
 */
import type { ConstraintRow } from '../../assembly/system.js';
import type { Tape } from '../../math/tape.js';
import type { PairDerivative } from '../elements/pair-element.js';
import type { Carriers } from '../tree/carriers.js';
import {
  addDotJet,
  addScaledJet,
  applyJet,
  crossJet,
  type Half,
  MOTION,
  scalarJet,
  VARIATION,
  type VectorJet,
  vectorJet,
} from './jets.js';

type PairRow = Exclude<ConstraintRow, { kind: 'coupler' }>;

/** Acceleration of the carriers, 6 each: angular, and of the reference point (the point's own, not the spatial one) */
export interface RowMotion {
  readonly carriers: Carriers;
  readonly acceleration: Float64Array;
}

export class PairRowFormula {
  readonly kind: PairRow['kind'];
  readonly a: number;
  readonly b: number;
  readonly holonomic: boolean;
  /** Unit of g */
  readonly unit: 'm' | 'rad' | 'm/s';
  /** ψ, ψ' of the last `evaluate`; δψ, δψ' of the last `vary` */
  readonly rate = scalarJet();
  /** Wrench of the last `evaluate` and `vary`: force, torque about P */
  readonly force = vectorJet();
  readonly torque = vectorJet();
  /** Natural sizes of f and t, to tell a row that says nothing from a small one */
  readonly forceSize: number;
  readonly torqueSize: number;
  /** The point on B in its own frame, and the direction of B; an attached joint sets them anew. */
  readonly point: Float64Array;
  readonly directionB: Float64Array;
  offset: number;
  private readonly row: PairRow;
  private readonly pointA: Float64Array;
  private readonly directionA: Float64Array;
  private readonly levers = [vectorJet(), vectorJet()]; // P_A from A's reference point, P from B's
  private readonly reach = vectorJet(); // P from A's reference point
  private readonly gap = vectorJet(); // d
  private readonly n = vectorJet();
  private readonly e = vectorJet();
  private readonly spin = [vectorJet(), vectorJet()];
  private readonly drift = vectorJet(); // v_B − v_A at P
  private readonly relative = vectorJet(); // ω_B − ω_A
  private readonly sum = vectorJet();
  private readonly across = vectorJet(); // e × n
  private readonly kappa = scalarJet();
  private readonly sigma = scalarJet();

  constructor(row: PairRow, carriers: Carriers) {
    this.row = row;
    this.kind = row.kind;
    this.a = carriers.indexOf(row.a);
    this.b = carriers.indexOf(row.b);
    this.holonomic = row.kind !== 'roll';
    this.unit = row.kind === 'direction' ? 'rad' : row.kind === 'roll' ? 'm/s' : 'm';
    this.point = Float64Array.from(row.b.position);
    this.pointA = Float64Array.from(row.a.position);
    const [inA, inB] =
      row.kind === 'direction'
        ? [row.u, row.w]
        : row.kind === 'point'
          ? [row.direction, NONE]
          : row.kind === 'distance'
            ? [NONE, NONE]
            : [row.normal, row.axis];
    this.directionA = Float64Array.from(inA);
    this.directionB = Float64Array.from(inB);
    this.offset =
      row.kind === 'point'
        ? row.offset
        : row.kind === 'direction'
          ? row.cosine
          : row.kind === 'distance'
            ? row.length
            : 0;
    this.forceSize = row.kind === 'direction' ? 0 : 1;
    this.torqueSize = row.kind === 'direction' ? 1 : row.kind === 'wheel' || row.kind === 'roll' ? row.radius : 0;
  }

  /** g at the present poses into out[at]; 0 for rows on velocities only. */
  measure(carriers: Carriers, out: Float64Array, at: number): void {
    this.place(carriers, MOTION, -1);
    const { gap, n, e, row, offset } = this;
    switch (row.kind) {
      case 'point':
        out[at] = n[0] * gap[0] + n[1] * gap[1] + n[2] * gap[2] - offset;
        return;
      case 'direction':
        out[at] = n[0] * e[0] + n[1] * e[1] + n[2] * e[2] - offset;
        return;
      case 'distance':
        out[at] = (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] - offset * offset) / (2 * offset);
        return;
      case 'wheel': {
        const kappa = n[0] * e[0] + n[1] * e[1] + n[2] * e[2];
        const touching = row.radius * Math.sqrt(Math.max(0, 1 - kappa * kappa));
        out[at] = n[0] * gap[0] + n[1] * gap[1] + n[2] * gap[2] - touching;
        return;
      }
      case 'roll':
        out[at] = 0;
    }
  }

  /** Takes hold where the carriers are now: B's side is set so that the row holds. */
  attach(carriers: Carriers): void {
    const { rotation, position } = carriers;
    const intoB = (x: ArrayLike<number>, out: Float64Array): void => {
      const r = 9 * this.b;
      for (let j = 0; j < 3; j++)
        out[j] = rotation[r + j] * x[0] + rotation[r + 3 + j] * x[1] + rotation[r + 6 + j] * x[2];
    };
    const fromA = (x: ArrayLike<number>): number[] => {
      const r = 9 * this.a;
      return [0, 1, 2].map(
        (i) => rotation[r + 3 * i] * x[0] + rotation[r + 3 * i + 1] * x[1] + rotation[r + 3 * i + 2] * x[2],
      );
    };
    const { row } = this;
    if (row.kind === 'point' || row.kind === 'direction') {
      const arm = fromA(this.pointA);
      intoB(
        [0, 1, 2].map((i) => position[3 * this.a + i] - position[3 * this.b + i] + arm[i]),
        this.point,
      );
      // As drawn all carriers have the world's axes, so B's direction is told in A's axes by the same numbers.
      if (row.kind === 'direction') intoB(fromA(row.w), this.directionB);
    } else if (row.kind === 'distance') {
      this.place(carriers, MOTION, -1);
      const { gap } = this;
      this.offset = Math.sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
    }
  }

  /** Holds where another took hold that is the same row in another system. */
  takeOver({ point, directionB, offset }: PairRowFormula): void {
    this.point.set(point);
    this.directionB.set(directionB);
    this.offset = offset;
  }

  /** Where it took hold */
  remember(tape: Tape): void {
    tape.array(this.point);
    tape.array(this.directionB);
    this.offset = tape.number(this.offset);
  }

  /** ψ, ψ' and the wrench */
  evaluate(motion: RowMotion): void {
    this.compute(motion, MOTION, -1);
  }

  /**
   * How they change in one direction, at the motion of the last `evaluate`.
   *
   * @param variation 0 … 11: pose of A, of B (rotation, displacement); 12 … 23: their twists
   */
  vary(motion: RowMotion, variation: number): void {
    this.compute(motion, VARIATION, variation);
  }

  private compute({ carriers, acceleration }: RowMotion, half: Half, variation: number): void {
    this.place(carriers, half, variation);
    const { n, e, gap, force, torque, kappa, sigma, across, row, rate, drift, relative } = this;
    const from = 6 * half;
    force.fill(0, from, from + 6);
    torque.fill(0, from, from + 6);
    switch (row.kind) {
      case 'point':
        copyHalf(n, force, from);
        break;
      case 'direction':
        crossJet(half, e, n, torque);
        break;
      case 'distance':
        for (let j = from; j < from + 6; j++) force[j] = gap[j] / this.offset;
        break;
      default: {
        kappa.fill(0, 2 * half, 2 * half + 2);
        addDotJet(half, n, e, kappa);
        const k = kappa[0];
        const s = Math.sqrt(1 - k * k);
        crossJet(half, e, n, across);
        if (row.kind === 'wheel') {
          copyHalf(n, force, from);
          // κ/σ, its slope 1/σ³ and curvature 3 κ/σ⁵
          applyJet(half, kappa, k / s, 1 / (s * s * s), (3 * k) / (s * s * s * s * s), sigma);
          addScaledJet(half, row.radius, sigma, across, torque);
        } else {
          applyJet(half, kappa, s, -k / s, -1 / (s * s * s), sigma);
          if (row.along === 'rolling') {
            copyHalf(across, force, from);
            addScaledJet(half, -row.radius, sigma, e, torque);
          } else {
            copyHalf(e, force, from);
            addScaledJet(half, -1, kappa, n, force);
            addScaledJet(half, row.radius, sigma, across, torque);
          }
        }
      }
    }
    this.relativeMotion(carriers, acceleration, half, variation);
    rate.fill(0, 2 * half, 2 * half + 2);
    addDotJet(half, force, drift, rate);
    addDotJet(half, torque, relative, rate);
  }

  /** Adds the wrench per unit multiplier, times λ = multipliers[at], and how it turns with the carriers. */
  differentiateReaction(motion: RowMotion, multipliers: Float64Array, at: number, out: PairDerivative): void {
    const lambda = multipliers[at];
    const { force: f, torque: t, reach, levers } = this;
    for (let column = -1; column < 12; column++) {
      if (column < 0) this.evaluate(motion);
      else this.vary(motion, column);
      const part = column < 0 ? 0 : 6;
      for (let side = 0; side < 2; side++) {
        const sign = side === 0 ? -lambda : lambda;
        const arm = side === 0 ? reach : levers[1];
        for (let j = 0; j < 3; j++) {
          const a = (j + 1) % 3;
          const b = (j + 2) % 3;
          const moment =
            column < 0
              ? arm[a] * f[b] - arm[b] * f[a] + t[j]
              : arm[part + a] * f[b] - arm[part + b] * f[a] + arm[a] * f[part + b] - arm[b] * f[part + a] + t[part + j];
          if (column < 0) {
            out.wrench[6 * side + j] += sign * moment;
            out.wrench[6 * side + 3 + j] += sign * f[j];
          } else {
            out.byPose[12 * (6 * side + j) + column] += sign * moment;
            out.byPose[12 * (6 * side + 3 + j) + column] += sign * f[part + j];
          }
        }
      }
    }
  }

  /** P from the reference point of A (side 0) or B (side 1), after `evaluate` */
  leverOf(side: number): Float64Array {
    return side === 0 ? this.reach : this.levers[1];
  }

  /** Jets of what is fixed to the carriers: levers, directions, and of d */
  private place(carriers: Carriers, half: Half, variation: number): void {
    const { position, twist } = carriers;
    const { levers, gap, reach, a, b } = this;
    const from = 6 * half;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? a : b;
      const spin = this.spin[side];
      if (half === MOTION) {
        for (let j = 0; j < 3; j++) spin[j] = twist[6 * carrier + j];
      } else {
        for (let j = 0; j < 3; j++) spin[6 + j] = variation === 12 + 6 * side + j ? 1 : 0; // δω
      }
      const theta = variation >= 6 * side && variation < 6 * side + 3 ? variation - 6 * side : -1;
      carry(carriers, half, carrier, side === 0 ? this.pointA : this.point, spin, theta, levers[side]);
      carry(
        carriers,
        half,
        carrier,
        side === 0 ? this.directionA : this.directionB,
        spin,
        theta,
        side === 0 ? this.n : this.e,
      );
    }
    // P from A's reference point; its displacement δc_B − δc_A and velocity v_B − v_A
    const lever = levers[1];
    for (let j = 0; j < 3; j++)
      if (half === MOTION) {
        reach[j] = position[3 * b + j] - position[3 * a + j] + lever[j];
        reach[3 + j] = twist[6 * b + 3 + j] - twist[6 * a + 3 + j] + lever[3 + j];
      } else {
        reach[6 + j] = lever[6 + j] + (variation === 9 + j ? 1 : 0) - (variation === 3 + j ? 1 : 0);
        reach[9 + j] = lever[9 + j] + (variation === 21 + j ? 1 : 0) - (variation === 15 + j ? 1 : 0);
      }
    const near = levers[0];
    for (let j = from; j < from + 6; j++) gap[j] = reach[j] - near[j];
  }

  /** Jets of v_B − v_A at P and of ω_B − ω_A */
  private relativeMotion(carriers: Carriers, acceleration: Float64Array, half: Half, variation: number): void {
    const { twist } = carriers;
    const { drift, relative, sum } = this;
    const from = 6 * half;
    drift.fill(0, from, from + 6);
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? this.a : this.b;
      const spin = this.spin[side];
      const sign = side === 0 ? -1 : 1;
      if (half === MOTION)
        for (let j = 0; j < 3; j++) {
          spin[3 + j] = acceleration[6 * carrier + j];
          drift[j] += sign * twist[6 * carrier + 3 + j];
          drift[3 + j] += sign * acceleration[6 * carrier + 3 + j];
        }
      else if (variation >= 15 + 6 * side && variation < 18 + 6 * side) drift[6 + variation - 15 - 6 * side] += sign;
      // ω × (P − c)
      crossJet(half, spin, side === 0 ? this.reach : this.levers[1], sum);
      for (let j = from; j < from + 6; j++) drift[j] += sign * sum[j];
    }
    const before = this.spin[0];
    const after = this.spin[1];
    for (let j = from; j < from + 6; j++) relative[j] = after[j] - before[j];
  }
}

const NONE = [0, 0, 0] as const;

function copyHalf(source: VectorJet, out: VectorJet, from: number): void {
  for (let j = from; j < from + 6; j++) out[j] = source[j];
}

/** x fixed in a carrier: R x, ω × x; θ × x, δω × x + ω × (θ × x), θ along the axis `theta` or none */
function carry(
  { rotation }: Carriers,
  half: Half,
  carrier: number,
  x: Float64Array,
  spin: VectorJet,
  theta: number,
  out: VectorJet,
): void {
  if (half === MOTION) {
    const r = 9 * carrier;
    for (let i = 0; i < 3; i++)
      out[i] = rotation[r + 3 * i] * x[0] + rotation[r + 3 * i + 1] * x[1] + rotation[r + 3 * i + 2] * x[2];
    cross(spin, 0, out, 0, out, 3);
    return;
  }
  cross(spin, 6, out, 0, out, 9);
  if (theta < 0) {
    out[6] = out[7] = out[8] = 0;
    return;
  }
  const next = (theta + 1) % 3;
  const last = (theta + 2) % 3;
  out[6 + theta] = 0;
  out[6 + next] = -out[last];
  out[6 + last] = out[next];
  out[9] += spin[1] * out[8] - spin[2] * out[7];
  out[10] += spin[2] * out[6] - spin[0] * out[8];
  out[11] += spin[0] * out[7] - spin[1] * out[6];
}

function cross(a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array, k: number): void {
  out[k] = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[k + 1] = a[i + 2] * b[j] - a[i] * b[j + 2];
  out[k + 2] = a[i] * b[j + 1] - a[i + 1] * b[j];
}
