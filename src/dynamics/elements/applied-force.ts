/**
 * A force and a torque on a point of a body, from the user: in world axes or in those of the point's frame, of time alone or of time
 * and the point's motion. What pushes back is the ground or another body, at the same point.
 *
 * A function that reads the motion is differentiated by central differences over position, orientation, velocity and angular velocity
 * of the point; the turning of the axes and of the lever is exact.
 */
import type { AnchorMotion, ElementPlan } from '../../assembly/system.js';
import { fromQuaternion, type Mat3 } from '../../math/mat3.js';
import { AHEAD, rateAhead } from '../../math/rate-ahead.js';
import type { Carriers } from '../tree/carriers.js';
import { requireFinite } from '../tree/dynamics-error.js';
import { quaternionOfMatrix } from '../tree/rotation-vector.js';
import { addHeld, type HeldElement, lever, type PairDerivative, type PowerLedger } from './pair-element.js';

type AppliedPlan = Extract<ElementPlan, { kind: 'applied' }>;

export class AppliedForce implements HeldElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states = 0;
  readonly stateAt = -1;
  /** What is always the same drives nothing. */
  readonly timeDependent: boolean;
  readonly acting = new Float64Array(12);
  held = false;
  powerApart = false;
  /** Numbers that functions of the user's give */
  readonly given: number;
  readonly givenOfState: boolean;
  private readonly plan: AppliedPlan;
  private readonly carriers: Carriers;
  private readonly point: Float64Array;
  private readonly frame: Mat3;
  private readonly size: number;
  private readonly levers = new Float64Array(6); // of the point, from A and from B
  private readonly axes = new Float64Array(9);
  private readonly asked = new Float64Array(6);
  private readonly world = new Float64Array(6); // force, torque
  private readonly changed = new Float64Array(6);
  private readonly further = new Float64Array(6);
  private readonly position: [number, number, number] = [0, 0, 0];
  private readonly velocity: [number, number, number] = [0, 0, 0];
  private readonly orientation: [number, number, number, number] = [1, 0, 0, 0];
  private readonly angularVelocity: [number, number, number] = [0, 0, 0];
  private readonly motion: AnchorMotion;

  /** @param size of the body, m: the scale of the differences */
  constructor(plan: AppliedPlan, carriers: Carriers, size: number) {
    this.name = plan.name;
    this.plan = plan;
    this.given = plan.steady ? 0 : 6;
    this.timeDependent = !plan.steady;
    this.givenOfState = !plan.onlyTime;
    this.carriers = carriers;
    this.a = plan.a ? carriers.indexOf(plan.a) : carriers.ground;
    this.b = carriers.indexOf(plan.b);
    this.point = Float64Array.from(plan.b.position);
    this.frame = fromQuaternion(plan.b.orientation);
    this.size = size > 0 ? size : 1;
    this.motion = {
      position: this.position,
      velocity: this.velocity,
      orientation: this.orientation,
      angularVelocity: this.angularVelocity,
    };
  }

  /** The point's motion, and the axes of its frame */
  private measure(): void {
    const { carriers, a, b, levers, axes, frame } = this;
    const { position, twist, rotation } = carriers;
    lever(carriers, b, this.point, levers, 3);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++)
        axes[3 * i + j] =
          rotation[9 * b + 3 * i] * frame[j] +
          rotation[9 * b + 3 * i + 1] * frame[3 + j] +
          rotation[9 * b + 3 * i + 2] * frame[6 + j];
      const n = (i + 1) % 3;
      const p = (i + 2) % 3;
      this.position[i] = position[3 * b + i] + levers[3 + i];
      levers[i] = this.position[i] - position[3 * a + i];
      this.velocity[i] = twist[6 * b + 3 + i] + twist[6 * b + n] * levers[3 + p] - twist[6 * b + p] * levers[3 + n];
      this.angularVelocity[i] = twist[6 * b + i];
    }
    if (!this.plan.onlyTime) quaternionOfMatrix(axes, this.orientation);
  }

  /** Asks the user; force and torque in world axes into `out`. */
  private ask(t: number, out: Float64Array): void {
    const { asked, axes, plan } = this;
    plan.wrench(t, this.motion, asked);
    for (let i = 0; i < 6; i++)
      if (!Number.isFinite(asked[i])) requireFinite(asked[i], t, this.name, i < 3 ? 'its force' : 'its torque');
    if (plan.axes === 'world') {
      out.set(asked);
      return;
    }
    for (let half = 0; half < 6; half += 3)
      for (let i = 0; i < 3; i++)
        out[half + i] =
          axes[3 * i] * asked[half] + axes[3 * i + 1] * asked[half + 1] + axes[3 * i + 2] * asked[half + 2];
  }

  /** Force and torque as the user gives them at time t, where the carriers are */
  readGiven(t: number, out: Float64Array, at: number): void {
    if (this.givenOfState) this.measure();
    this.plan.wrench(t, this.motion, this.asked);
    out.set(this.asked, at);
  }

  evaluate(t: number): void {
    if (!this.held) this.respond(t, this.acting);
    addHeld(this, this.carriers.load);
  }

  /** Wrenches on A and B, 12 */
  private respond(t: number, out: Float64Array): void {
    const { world, levers } = this;
    this.measure();
    this.ask(t, world);
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? -1 : 1;
      const r = 3 * side;
      for (let i = 0; i < 3; i++) {
        const n = (i + 1) % 3;
        const p = (i + 2) % 3;
        out[6 * side + i] = sign * (levers[r + n] * world[p] - levers[r + p] * world[n] + world[3 + i]);
        out[6 * side + 3 + i] = sign * world[i];
      }
    }
  }

  differentiate(t: number, _y: Float64Array, out: PairDerivative): void {
    const { world, plan, levers } = this;
    this.respond(t, out.wrench);
    const F = [...world.subarray(0, 3)];
    const T = [...world.subarray(3)];
    const rA = [...levers.subarray(0, 3)];
    const rB = [...levers.subarray(3)];
    const record = (matrix: Float64Array, column: number, dF: number[], dT: number[], dA: number[], dB: number[]) => {
      const onA = cross(dA, F).map((x, i) => x + cross(rA, dF)[i] + dT[i]);
      const onB = cross(dB, F).map((x, i) => x + cross(rB, dF)[i] + dT[i]);
      for (let i = 0; i < 3; i++) {
        matrix[12 * i + column] -= onA[i];
        matrix[12 * (3 + i) + column] -= dF[i];
        matrix[12 * (6 + i) + column] += onB[i];
        matrix[12 * (9 + i) + column] += dF[i];
      }
    };
    if (this.timeDependent) this.differentiateTime(t, F, T, rA, rB, out);
    const zero = [0, 0, 0];
    // How the user's force follows the point: columns position, orientation, velocity, angular velocity
    const slopes = plan.onlyTime ? undefined : this.slopes(t);
    const follow = (kind: number, direction: readonly number[], half: number): number[] =>
      [0, 1, 2].map((i) =>
        slopes ? [0, 1, 2].reduce((sum, j) => sum + slopes[6 * (3 * kind + j) + half + i] * direction[j], 0) : 0,
      );
    const wB = [...this.angularVelocity];
    for (let m = 0; m < 3; m++) {
      const unit = [0, 1, 2].map((i) => (i === m ? 1 : 0));
      const moved = cross(unit, rB);
      const turns = plan.axes === 'body' ? [cross(unit, F), cross(unit, T)] : [zero, zero];
      const swept = cross(wB, moved);
      const sum = (half: number): number[] =>
        follow(0, moved, half).map(
          (x, i) => x + follow(1, unit, half)[i] + follow(2, swept, half)[i] + turns[half / 3][i],
        );
      record(out.byPose, 6 + m, sum(0), sum(3), moved, moved);
      record(out.byPose, 9 + m, follow(0, unit, 0), follow(0, unit, 3), unit, zero);
      record(
        out.byTwist,
        6 + m,
        add(follow(2, moved, 0), follow(3, unit, 0)),
        add(follow(2, moved, 3), follow(3, unit, 3)),
        zero,
        zero,
      );
      record(out.byTwist, 9 + m, follow(2, unit, 0), follow(2, unit, 3), zero, zero);
      // A moves away under the point
      record(
        out.byPose,
        3 + m,
        zero,
        zero,
        unit.map((x) => -x),
        zero,
      );
    }
  }

  private differentiateTime(
    t: number,
    F: number[],
    T: number[],
    rA: number[],
    rB: number[],
    out: PairDerivative,
  ): void {
    const { changed, further } = this;
    this.ask(t + AHEAD, changed);
    this.ask(t + 2 * AHEAD, further);
    const dF = F.map((here, i) => rateAhead(here, changed[i], further[i]));
    const dT = T.map((here, i) => rateAhead(here, changed[3 + i], further[3 + i]));
    const onA = cross(rA, dF);
    const onB = cross(rB, dF);
    for (let i = 0; i < 3; i++) {
      out.byTime[i] -= onA[i] + dT[i];
      out.byTime[3 + i] -= dF[i];
      out.byTime[6 + i] += onB[i] + dT[i];
      out.byTime[9 + i] += dF[i];
    }
  }

  /** 12 columns of 6: change of world force and torque, axes held, per unit of the point's motion. */
  private slopes(t: number): Float64Array {
    const { changed } = this;
    const columns = new Float64Array(72);
    const speed = this.velocity.reduce((sum, x) => sum + Math.abs(x), 0);
    const spin = this.angularVelocity.reduce((sum, x) => sum + Math.abs(x), 0);
    const steps = [1e-5 * this.size, 1e-5, 1e-5 * (speed + this.size), 1e-5 * (spin + 1)];
    const own = [...this.orientation];
    for (let kind = 0; kind < 4; kind++)
      for (let j = 0; j < 3; j++)
        for (const sign of [1, -1]) {
          const h = sign * steps[kind];
          const target = kind === 0 ? this.position : kind === 2 ? this.velocity : this.angularVelocity;
          const before = target[j];
          if (kind === 1) this.turn(own, j, h);
          else target[j] += h;
          this.ask(t, changed);
          if (kind === 1) for (let i = 0; i < 4; i++) this.orientation[i] = own[i];
          else target[j] = before;
          for (let i = 0; i < 6; i++) columns[6 * (3 * kind + j) + i] += changed[i] / (2 * h);
        }
    return columns;
  }

  /** Orientation turned by the small angle h about world axis j: (1, ½ h e_j) q, normalised. */
  private turn(q: readonly number[], j: number, h: number): void {
    const [w, x, y, z] = q;
    const e = [0, 0, 0];
    e[j] = 0.5 * h;
    const scale = 1 / Math.sqrt(1 + 0.25 * h * h);
    this.orientation[0] = (w - e[0] * x - e[1] * y - e[2] * z) * scale;
    this.orientation[1] = (x + e[0] * w + e[1] * z - e[2] * y) * scale;
    this.orientation[2] = (y + e[1] * w + e[2] * x - e[0] * z) * scale;
    this.orientation[3] = (z + e[2] * w + e[0] * y - e[1] * x) * scale;
  }

  energy(): number {
    return 0;
  }

  power(t: number, _y: Float64Array, ledger: PowerLedger): void {
    if (this.powerApart) return;
    this.measure();
    const { world, levers } = this;
    const { twist } = this.carriers;
    this.ask(t, world);
    for (let i = 0; i < 3; i++) {
      const n = (i + 1) % 3;
      const p = (i + 2) % 3;
      const a = 6 * this.a;
      const other = twist[a + 3 + i] + twist[a + n] * levers[p] - twist[a + p] * levers[n];
      ledger.supplied +=
        world[i] * (this.velocity[i] - other) + world[3 + i] * (this.angularVelocity[i] - twist[a + i]);
    }
  }
}

const add = (a: readonly number[], b: readonly number[]): number[] => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
