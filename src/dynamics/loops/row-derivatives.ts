/**
 * Loop rows by joint velocities: G, and how the rows' accelerations change with velocities and positions.
 *
 * A joint column s moves the carriers behind it. Seen at a carrier's reference point, with V and A its spatial velocity and acceleration:
 *
 *   by position   ξ = s,  dV = s × V + ψ₁,  dA = s × A + ψ₂ + ψ₁ × V
 *   by velocity   ξ = 0,  dV = s,           dA = s × V + φ
 *
 * and the point itself moves: δv = dV_v + ω × δc,  δa = dA_v + α × δc + δω × v + ω × δv. The formula of a row tells what of that counts.
 */
import { NODE, type System } from '../../assembly/system.js';
import type { ArticulatedBody } from '../articulated/articulated-body.js';
import type { Carriers } from '../tree/carriers.js';
import type { DrivenMotion } from '../tree/driven-motion.js';
import { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { PairRowFormula, RowMotion } from './constraint-rows.js';
import type { Coupler, LoopRow } from './loop-rows.js';

export class RowDerivatives {
  /** rows × nv: G; minus the derivatives of the rows' accelerations by velocity and by position */
  readonly jacobian: Float64Array;
  readonly byRate: Float64Array;
  readonly byPosition: Float64Array;
  /** Per row: minus the derivative of its acceleration by time, from prescribed motions */
  readonly byTime: Float64Array;
  /** Per row, in the norm of M⁻¹: size that its G would have if nothing cancelled */
  readonly naturalSize: Float64Array;
  /** Joint columns at the present pose, which changes with every evaluation */
  readonly placement: TreeDerivatives;
  private readonly rows: readonly LoopRow[];
  private readonly nv: number;
  private readonly carriers: Carriers;
  /** Those of the linearisation, which last for a step */
  private readonly derivatives: TreeDerivatives;
  private readonly articulated: ArticulatedBody;
  private readonly wrench = new Float64Array(6);
  private readonly slope = new Float64Array(24);
  private readonly velocity = new Float64Array(6); // V, A
  private readonly acceleration = new Float64Array(6);
  private readonly s = new Float64Array(6);
  private readonly psi1 = new Float64Array(6);
  private readonly turned = new Float64Array(6); // s × V
  private readonly dV = new Float64Array(6);
  private readonly dA = new Float64Array(6);
  private readonly term = new Float64Array(6);

  constructor(
    rows: readonly LoopRow[],
    system: System,
    carriers: Carriers,
    derivatives: TreeDerivatives,
    articulated: ArticulatedBody,
  ) {
    this.rows = rows;
    this.nv = system.nv;
    this.carriers = carriers;
    this.derivatives = derivatives;
    this.placement = new TreeDerivatives(derivatives.kinematics);
    this.articulated = articulated;
    this.jacobian = new Float64Array(rows.length * system.nv);
    this.byRate = new Float64Array(rows.length * system.nv);
    this.byPosition = new Float64Array(rows.length * system.nv);
    this.naturalSize = new Float64Array(rows.length);
    this.byTime = new Float64Array(rows.length);
  }

  /** Row of G and its natural size, after its formula's `evaluate`, at the columns of `placement` */
  jacobianRow(row: number): void {
    const { formula, coupler } = this.rows[row];
    this.jacobian.fill(0, row * this.nv, (row + 1) * this.nv);
    if (coupler) this.couplerRow(row, coupler);
    else this.pairRow(row, formula!);
  }

  private couplerRow(row: number, { velocities, ratios }: Coupler): void {
    const { jacobian, placement, articulated, naturalSize } = this;
    let square = 0;
    for (let i = 0; i < velocities.length; i++) {
      const v = velocities[i];
      jacobian[row * this.nv + v] += ratios[i];
      square += (ratios[i] * ratios[i]) / articulated.along[placement.nodeOf[v]];
    }
    naturalSize[row] = Math.sqrt(square);
  }

  private pairRow(row: number, formula: PairRowFormula): void {
    const { jacobian, naturalSize, wrench, placement } = this;
    const { along } = this.articulated;
    const { force: f, torque: t, forceSize, torqueSize } = formula;
    const { tree } = placement.kinematics;
    const { column, offset } = placement;
    const at = row * this.nv;
    let square = 0;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? formula.a : formula.b;
      if (carrier >= this.carriers.nodes) continue;
      const sign = side === 0 ? -1 : 1;
      const lever = formula.leverOf(side);
      const px = offset[3 * carrier] + lever[0];
      const py = offset[3 * carrier + 1] + lever[1];
      const pz = offset[3 * carrier + 2] + lever[2];
      wrench[0] = sign * (py * f[2] - pz * f[1] + t[0]);
      wrench[1] = sign * (pz * f[0] - px * f[2] + t[1]);
      wrench[2] = sign * (px * f[1] - py * f[0] + t[2]);
      wrench[3] = sign * f[0];
      wrench[4] = sign * f[1];
      wrench[5] = sign * f[2];
      for (let i = carrier; i >= 0; i = tree.parent[i]) {
        const v = tree.v[i];
        if (v < 0) continue;
        const end = v + (tree.kind[i] === NODE.spherical ? 3 : 1);
        for (let k = v; k < end; k++) {
          const s = 6 * k;
          let sum = 0;
          for (let j = 0; j < 6; j++) sum += column[s + j] * wrench[j];
          jacobian[at + k] += sum;
          // Speed of the point and of turning per unit velocity
          const vx = column[s + 3] + column[s + 1] * pz - column[s + 2] * py;
          const vy = column[s + 4] + column[s + 2] * px - column[s] * pz;
          const vz = column[s + 5] + column[s] * py - column[s + 1] * px;
          const w2 = column[s] * column[s] + column[s + 1] * column[s + 1] + column[s + 2] * column[s + 2];
          const most = forceSize * Math.sqrt(vx * vx + vy * vy + vz * vz) + torqueSize * Math.sqrt(w2);
          square += (most * most) / along[i];
        }
      }
    }
    naturalSize[row] = Math.sqrt(square);
  }

  /**
   * Fills `byRate` and `byPosition` of a row.
   *
   * @param motion   accelerations of the reference points
   * @param spatial  6 per node: spatial accelerations at the node's origin
   */
  differentiateRow(row: number, motion: RowMotion, spatial: Float64Array, driven: DrivenMotion): void {
    const { byRate, byPosition, nv, slope } = this;
    const { formula } = this.rows[row];
    byRate.fill(0, row * nv, (row + 1) * nv);
    byPosition.fill(0, row * nv, (row + 1) * nv);
    this.byTime[row] = 0;
    if (!formula) return;
    // How ψ' changes with pose and twist of either carrier, accelerations held
    formula.evaluate(motion);
    for (let variation = 0; variation < 24; variation++) {
      formula.vary(motion, variation);
      slope[variation] = formula.rate[3];
    }
    this.jacobianRow(row);
    if (formula.a < this.carriers.nodes) this.differentiateSide(row, formula, 0, formula.a, spatial);
    if (formula.b < this.carriers.nodes) this.differentiateSide(row, formula, 1, formula.b, spatial);
    if (driven.any) {
      if (driven.moved[formula.a] !== 0) this.driveSide(row, formula, 0, formula.a, spatial, driven.rise);
      if (driven.moved[formula.b] !== 0) this.driveSide(row, formula, 1, formula.b, spatial, driven.rise);
    }
  }

  /** What prescribed motions do to one end, joint accelerations held */
  private driveSide(
    row: number,
    formula: PairRowFormula,
    side: number,
    carrier: number,
    spatial: Float64Array,
    rise: Float64Array,
  ): void {
    const { wrench, slope, velocity, acceleration, s, psi1, dV, dA, term, byTime } = this;
    const { offset } = this.derivatives;
    const c = 3 * carrier;
    this.setSide(formula, side, carrier, spatial);
    seenAt(rise, 18 * carrier, offset, c, s); // χ
    seenAt(rise, 18 * carrier + 6, offset, c, psi1); // β
    crossInto(s, velocity, dV);
    sumInto(dV, psi1, dV);
    crossInto(s, acceleration, dA);
    seenAt(rise, 18 * carrier + 12, offset, c, term); // α
    sumInto(dA, term, dA);
    crossInto(psi1, velocity, term);
    sumInto(dA, term, dA);
    subtractCounted(slope, 6 * side, slope, 12 + 6 * side, wrench, s, dV, dA, velocity, acceleration, byTime, row);
  }

  /** Twist, acceleration and wrench at one end's reference point */
  private setSide(formula: PairRowFormula, side: number, carrier: number, spatial: Float64Array): void {
    const { wrench, velocity, acceleration } = this;
    const { twist } = this.carriers;
    const { force: f, torque: t } = formula;
    const sign = side === 0 ? -1 : 1;
    const lever = formula.leverOf(side);
    for (let j = 0; j < 6; j++) {
      velocity[j] = twist[6 * carrier + j];
      acceleration[j] = spatial[6 * carrier + j];
    }
    // What angular acceleration and the point's acceleration count
    for (let j = 0; j < 3; j++) {
      const a = (j + 1) % 3;
      const b = (j + 2) % 3;
      wrench[j] = sign * (lever[a] * f[b] - lever[b] * f[a] + t[j]);
      wrench[3 + j] = sign * f[j];
    }
  }

  private differentiateSide(
    row: number,
    formula: PairRowFormula,
    side: number,
    carrier: number,
    spatial: Float64Array,
  ): void {
    const { wrench, slope, velocity, acceleration, s, psi1, turned, dV, dA, term } = this;
    const { derivatives, byPosition, byRate } = this;
    const { tree } = derivatives.kinematics;
    const { offset } = derivatives;
    const c = 3 * carrier;
    this.setSide(formula, side, carrier, spatial);
    for (let i = carrier; i >= 0; i = tree.parent[i]) {
      const v = tree.v[i];
      if (v < 0) continue;
      const end = v + (tree.kind[i] === NODE.spherical ? 3 : 1);
      for (let k = v; k < end; k++) {
        seenAt(derivatives.column, 6 * k, offset, c, s);
        seenAt(derivatives.psi1, 6 * k, offset, c, psi1);
        crossInto(s, velocity, turned);
        // By position
        sumInto(turned, psi1, dV);
        crossInto(s, acceleration, dA);
        seenAt(derivatives.psi2Bare, 6 * k, offset, c, term);
        sumInto(dA, term, dA);
        crossInto(psi1, velocity, term);
        sumInto(dA, term, dA);
        subtractCounted(
          slope,
          6 * side,
          slope,
          12 + 6 * side,
          wrench,
          s,
          dV,
          dA,
          velocity,
          acceleration,
          byPosition,
          row * this.nv + k,
        );
        // By velocity
        seenAt(derivatives.phi, 6 * k, offset, c, term);
        sumInto(turned, term, dA);
        subtractCounted(
          ZERO6,
          0,
          slope,
          12 + 6 * side,
          wrench,
          ZERO6,
          s,
          dA,
          velocity,
          acceleration,
          byRate,
          row * this.nv + k,
        );
      }
    }
  }
}

const ZERO6 = new Float64Array(6);
const POINT = new Float64Array(6); // δv, δa

/** A motion vector at the common origin, seen at the point c: v + ω × c */
function seenAt(m: Float64Array, at: number, c: Float64Array, cAt: number, out: Float64Array): void {
  const x = c[cAt];
  const y = c[cAt + 1];
  const z = c[cAt + 2];
  out[0] = m[at];
  out[1] = m[at + 1];
  out[2] = m[at + 2];
  out[3] = m[at + 3] + m[at + 1] * z - m[at + 2] * y;
  out[4] = m[at + 4] + m[at + 2] * x - m[at] * z;
  out[5] = m[at + 5] + m[at] * y - m[at + 1] * x;
}

function sumInto(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let j = 0; j < 6; j++) out[j] = a[j] + b[j];
}

/** a × b of motion vectors; out may not overlap. */
function crossInto(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[3] = a[1] * b[5] - a[2] * b[4] + a[4] * b[2] - a[5] * b[1];
  out[4] = a[2] * b[3] - a[0] * b[5] + a[5] * b[0] - a[3] * b[2];
  out[5] = a[0] * b[4] - a[1] * b[3] + a[3] * b[1] - a[4] * b[0];
}

/** out −= P · (θ, δc) + Q · (δω, δv) + wrench · (δα, δa), from the spatial variations ξ, dV, dA at the point */
function subtractCounted(
  P: Float64Array,
  p: number,
  Q: Float64Array,
  q: number,
  wrench: Float64Array,
  xi: Float64Array,
  dV: Float64Array,
  dA: Float64Array,
  V: Float64Array,
  A: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const dvx = dV[3] + V[1] * xi[5] - V[2] * xi[4];
  const dvy = dV[4] + V[2] * xi[3] - V[0] * xi[5];
  const dvz = dV[5] + V[0] * xi[4] - V[1] * xi[3];
  POINT[0] = dvx;
  POINT[1] = dvy;
  POINT[2] = dvz;
  POINT[3] = dA[3] + A[1] * xi[5] - A[2] * xi[4] + dV[1] * V[5] - dV[2] * V[4] + V[1] * dvz - V[2] * dvy;
  POINT[4] = dA[4] + A[2] * xi[3] - A[0] * xi[5] + dV[2] * V[3] - dV[0] * V[5] + V[2] * dvx - V[0] * dvz;
  POINT[5] = dA[5] + A[0] * xi[4] - A[1] * xi[3] + dV[0] * V[4] - dV[1] * V[3] + V[0] * dvy - V[1] * dvx;
  let sum = 0;
  for (let j = 0; j < 3; j++)
    sum +=
      P[p + j] * xi[j] +
      P[p + 3 + j] * xi[3 + j] +
      Q[q + j] * dV[j] +
      Q[q + 3 + j] * POINT[j] +
      wrench[j] * dA[j] +
      wrench[3 + j] * POINT[3 + j];
  out[at] -= sum;
}
