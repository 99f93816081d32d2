/**
 * Derivatives that a contact element gives by points of its bodies, as those by the motion of two rigid carriers (pair-element.ts):
 *
 *   δx = δc + θ × r,   δv = δv_c + δω × r + ω × (θ × r),   wrench (r × F, F) about the reference point, whose lever turns by θ × r
 */
import type { ElementDerivatives, Side, Triple } from '../../model/contact-element.js';
import type { Carriers } from '../tree/carriers.js';
import { PairDerivative } from './pair-element.js';
import type { RigidCarrier } from './rigid-carrier.js';

export class PointDerivatives implements ElementDerivatives {
  private out = new PairDerivative(0);
  private readonly sides: readonly [RigidCarrier, RigidCarrier];
  private readonly at = new Float64Array(3);
  private readonly of = new Float64Array(3);
  private readonly moved = new Float64Array(3);
  private readonly swept = new Float64Array(3);
  private readonly change = new Float64Array(3);
  private readonly faster = new Float64Array(3);

  constructor(
    private readonly carriers: Carriers,
    a: RigidCarrier,
    b: RigidCarrier,
  ) {
    this.sides = [a, b];
  }

  /** Calls go to `out` from here on. */
  begin(out: PairDerivative): void {
    this.out = out;
  }

  force(side: Side, point: Triple, force: Triple): void {
    const { at, moved, out } = this;
    this.sides[side].leverOf(point, at);
    for (let m = 0; m < 3; m++) {
      turnedBy(m, at, moved);
      this.addTorque(out.byPose, 72 * side + 6 * side + m, moved, force);
    }
  }

  slidingForce(side: Side, point: Triple, force: Triple, withPoint: Triple): void {
    const { at, of, moved, out } = this;
    const other = side === 0 ? 1 : 0;
    this.sides[side].leverOf(point, at);
    this.sides[other].leverOf(withPoint, of);
    for (let m = 0; m < 6; m++) {
      motionOf(m, of, moved);
      this.addTorque(out.byPose, 72 * side + 6 * other + m, moved, force);
      if (m < 3) continue;
      // its own reference point moves away under it
      motionOf(m, at, moved);
      for (let k = 0; k < 3; k++) moved[k] = -moved[k];
      this.addTorque(out.byPose, 72 * side + 6 * side + m, moved, force);
    }
  }

  byMotion(side: Side, point: Triple, ofSide: Side, ofPoint: Triple, byPlace: Triple, byVelocity: Triple): void {
    const { at, out, change } = this;
    this.sides[side].leverOf(point, at);
    for (let m = 0; m < 6; m++) {
      this.moveColumn(ofSide, ofPoint, m, byPlace, byVelocity);
      this.addWrench(out.byPose, 72 * side + 6 * ofSide + m, 12, change);
      this.addWrench(out.byTwist, 72 * side + 6 * ofSide + m, 12, this.faster);
    }
  }

  byTurn(side: Side, point: Triple, ofSide: Side, byAngle: Triple, bySpin: Triple): void {
    const { at, out, change } = this;
    this.sides[side].leverOf(point, at);
    for (let m = 0; m < 3; m++) {
      columnOf(byAngle, m, change);
      this.addWrench(out.byPose, 72 * side + 6 * ofSide + m, 12, change);
      columnOf(bySpin, m, change);
      this.addWrench(out.byTwist, 72 * side + 6 * ofSide + m, 12, change);
    }
  }

  byState(side: Side, point: Triple, k: number, change: Triple): void {
    const { states } = this.out;
    this.sides[side].leverOf(point, this.at);
    this.addWrench(this.out.byState, 6 * side * states + k, states, change);
  }

  byTime(side: Side, point: Triple, change: Triple): void {
    this.sides[side].leverOf(point, this.at);
    this.addWrench(this.out.byTime, 6 * side, 1, change);
  }

  torqueByMotion(side: Side, ofSide: Side, ofPoint: Triple, byPlace: Triple, byVelocity: Triple): void {
    const { out, change, faster } = this;
    for (let m = 0; m < 6; m++) {
      this.moveColumn(ofSide, ofPoint, m, byPlace, byVelocity);
      for (let k = 0; k < 3; k++) {
        out.byPose[72 * side + 6 * ofSide + m + 12 * k] += change[k];
        out.byTwist[72 * side + 6 * ofSide + m + 12 * k] += faster[k];
      }
    }
  }

  torqueByTurn(side: Side, ofSide: Side, byAngle: Triple, bySpin: Triple): void {
    const { byPose, byTwist } = this.out;
    for (let m = 0; m < 3; m++)
      for (let k = 0; k < 3; k++) {
        byPose[72 * side + 6 * ofSide + m + 12 * k] += byAngle[3 * k + m];
        byTwist[72 * side + 6 * ofSide + m + 12 * k] += bySpin[3 * k + m];
      }
  }

  torqueByState(side: Side, k: number, change: Triple): void {
    const { states, byState } = this.out;
    for (let j = 0; j < 3; j++) byState[(6 * side + j) * states + k] += change[j];
  }

  rateByMotion(k: number, side: Side, point: Triple, byPlace: Triple, byVelocity: Triple): void {
    const { of, moved, swept, out, carriers } = this;
    this.sides[side].leverOf(point, of);
    for (let m = 0; m < 6; m++) {
      motionOf(m, of, moved);
      sweep(m, carriers.twist, 6 * this.sides[side].index, moved, swept);
      const column = 12 * k + 6 * side + m;
      for (let j = 0; j < 3; j++) {
        out.ratesByPose[column] += byPlace[j] * moved[j] + byVelocity[j] * swept[j];
        out.ratesByTwist[column] += byVelocity[j] * moved[j];
      }
    }
  }

  rateByTurn(k: number, side: Side, byAngle: Triple, bySpin: Triple): void {
    for (let m = 0; m < 3; m++) {
      this.out.ratesByPose[12 * k + 6 * side + m] += byAngle[m];
      this.out.ratesByTwist[12 * k + 6 * side + m] += bySpin[m];
    }
  }

  rateByState(k: number, l: number, value: number): void {
    this.out.ratesByState[k * this.out.states + l] += value;
  }

  rateByTime(k: number, value: number): void {
    this.out.ratesByTime[k] += value;
  }

  /** What unit motion m of a side changes through the place and velocity of a point: by its pose into `change`, by its twist into `faster` */
  private moveColumn(side: Side, point: Triple, m: number, byPlace: Triple, byVelocity: Triple): void {
    const { of, moved, swept, change, faster, carriers } = this;
    this.sides[side].leverOf(point, of);
    motionOf(m, of, moved);
    sweep(m, carriers.twist, 6 * this.sides[side].index, moved, swept);
    for (let i = 0; i < 3; i++) {
      change[i] = faster[i] = 0;
      for (let j = 0; j < 3; j++) {
        change[i] += byPlace[3 * i + j] * moved[j] + byVelocity[3 * i + j] * swept[j];
        faster[i] += byVelocity[3 * i + j] * moved[j];
      }
    }
  }

  /** (r × f, f) down six rows, r in `at` */
  private addWrench(matrix: Float64Array, start: number, stride: number, f: Triple): void {
    const r = this.at;
    matrix[start] += r[1] * f[2] - r[2] * f[1];
    matrix[start + stride] += r[2] * f[0] - r[0] * f[2];
    matrix[start + 2 * stride] += r[0] * f[1] - r[1] * f[0];
    for (let k = 0; k < 3; k++) matrix[start + (3 + k) * stride] += f[k];
  }

  /** d × f down three rows of a 12-wide matrix */
  private addTorque(matrix: Float64Array, start: number, d: Float64Array, f: Triple): void {
    matrix[start] += d[1] * f[2] - d[2] * f[1];
    matrix[start + 12] += d[2] * f[0] - d[0] * f[2];
    matrix[start + 24] += d[0] * f[1] - d[1] * f[0];
  }
}

function columnOf(matrix: Triple, m: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = matrix[3 * k + m];
}

/** e_m × r */
function turnedBy(m: number, r: Float64Array, out: Float64Array): void {
  out[0] = m === 1 ? r[2] : m === 2 ? -r[1] : 0;
  out[1] = m === 2 ? r[0] : m === 0 ? -r[2] : 0;
  out[2] = m === 0 ? r[1] : m === 1 ? -r[0] : 0;
}

/** Displacement of a point at lever r by unit motion m of its carrier: about x, y, z, along x, y, z */
function motionOf(m: number, r: Float64Array, out: Float64Array): void {
  if (m < 3) turnedBy(m, r, out);
  else for (let k = 0; k < 3; k++) out[k] = k === m - 3 ? 1 : 0;
}

/** ω × (θ × r), which a turn does to a point's velocity; shifts do nothing to it */
function sweep(m: number, twist: Float64Array, w: number, moved: Float64Array, out: Float64Array): void {
  if (m >= 3) {
    out.fill(0);
    return;
  }
  out[0] = twist[w + 1] * moved[2] - twist[w + 2] * moved[1];
  out[1] = twist[w + 2] * moved[0] - twist[w] * moved[2];
  out[2] = twist[w] * moved[1] - twist[w + 1] * moved[0];
}
