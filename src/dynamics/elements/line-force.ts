/**
 * A force along the line between two points: spring and damper, or a law of the user's own.
 *
 *   d = P_B − P_A,  L = |d|,  u = d/L,  L' = u · d'      F_B = f u, F_A = −f u,   f = −k (L − L₀) − c L'  or  law(L, L', t)
 *
 *   dF = f_L u uᵀ δd + f_L' u (δd' · u + (d' − u L')/L · δd) + f/L (1 − u uᵀ) δd
 *
 * A user's law is differentiated by central differences. Where the points meet, u is taken as zero.
 */
import type { ElementPlan } from '../../assembly/system.js';
import { AHEAD, rateAhead } from '../../math/rate-ahead.js';
import type { Carriers } from '../tree/carriers.js';
import { requireFinite } from '../tree/dynamics-error.js';
import {
  addPointForce,
  lever,
  type PairDerivative,
  type PairElement,
  type PowerLedger,
  pointForcePair,
} from './pair-element.js';

type LinePlan = Extract<ElementPlan, { kind: 'line' }>;

export class LineForce implements PairElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states = 0;
  readonly stateAt = -1;
  readonly timeDependent: boolean;
  /** Numbers that a function of the user's gives */
  readonly given: number;
  readonly givenOfState = true;
  /** Its damping is somebody else's: neither in the force nor in the power */
  dampingApart = false;
  /** m/s that a law of the user's own is given in place of its rate; NaN: its own */
  private heldRate = Number.NaN;
  private readonly plan: LinePlan;
  private readonly carriers: Carriers;
  private readonly levers = new Float64Array(6);
  private readonly offset = new Float64Array(3);
  private readonly rate = new Float64Array(3);
  private readonly force = new Float64Array(3);
  private readonly byOffset = new Float64Array(9);
  private readonly byRate = new Float64Array(9);
  private readonly line = new Float64Array(2); // L, L'
  private readonly pointA: Float64Array;
  private readonly pointB: Float64Array;

  constructor(plan: LinePlan, carriers: Carriers) {
    this.name = plan.name;
    this.plan = plan;
    this.carriers = carriers;
    this.a = carriers.indexOf(plan.a);
    this.b = carriers.indexOf(plan.b);
    this.pointA = Float64Array.from(plan.a.position);
    this.pointB = Float64Array.from(plan.b.position);
    this.given = plan.law ? 1 : 0;
    this.timeDependent = plan.law !== undefined && plan.law.length > 2;
  }

  /** Length and its rate */
  private measure(): void {
    const { carriers, a, b, levers, offset, rate, line } = this;
    const { position, twist } = carriers;
    lever(carriers, a, this.pointA, levers, 0);
    lever(carriers, b, this.pointB, levers, 3);
    for (let j = 0; j < 3; j++) {
      offset[j] = position[3 * b + j] - position[3 * a + j] + (levers[3 + j] - levers[j]);
      const n = (j + 1) % 3;
      const p = (j + 2) % 3;
      rate[j] =
        twist[6 * b + 3 + j] +
        twist[6 * b + n] * levers[3 + p] -
        twist[6 * b + p] * levers[3 + n] -
        (twist[6 * a + 3 + j] + twist[6 * a + n] * levers[p] - twist[6 * a + p] * levers[n]);
    }
    const length = Math.sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    line[0] = length;
    line[1] = length > 0 ? (offset[0] * rate[0] + offset[1] * rate[1] + offset[2] * rate[2]) / length : 0;
  }

  private push(t: number, length: number, speed: number): number {
    const { law, stiffness, rest, damping } = this.plan;
    return law ? this.own(t, length, speed) : -stiffness * (length - rest) - (this.dampingApart ? 0 : damping * speed);
  }

  private own(t: number, length: number, speed: number): number {
    const value = this.plan.law!(length, speed, t);
    if (!Number.isFinite(value))
      requireFinite(value, t, this.name, `its law at length ${length} m and rate ${speed} m/s`);
    return value;
  }

  evaluate(t: number): void {
    this.measure();
    const { line, offset, levers, force } = this;
    const length = line[0];
    if (!(length > 0)) return;
    const f = this.push(t, length, Number.isNaN(this.heldRate) ? line[1] : this.heldRate) / length;
    for (let j = 0; j < 3; j++) force[j] = f * offset[j];
    const { load } = this.carriers;
    addPointForce(load, this.b, levers, 3, force, 1);
    addPointForce(load, this.a, levers, 0, force, -1);
  }

  differentiate(t: number, _y: Float64Array, out: PairDerivative): void {
    this.measure();
    const { plan, line, offset, rate, force, byOffset, byRate } = this;
    const length = line[0];
    const speed = line[1];
    let byLength = -plan.stiffness;
    let bySpeed = -plan.damping;
    if (plan.law) {
      byLength = this.lawByLength(t, length, speed);
      bySpeed = this.lawBySpeed(t, length, speed);
    }
    const f = length > 0 ? this.push(t, length, speed) : 0;
    const across = length > 0 ? f / length : plan.rest === 0 && !plan.law ? -plan.stiffness : 0;
    for (let i = 0; i < 3; i++) {
      const ui = length > 0 ? offset[i] / length : 0;
      force[i] = f * ui;
      for (let j = 0; j < 3; j++) {
        const uj = length > 0 ? offset[j] / length : 0;
        const turning = length > 0 ? (rate[j] - uj * speed) / length : 0;
        byOffset[3 * i + j] = byLength * ui * uj + bySpeed * ui * turning + across * ((i === j ? 1 : 0) - ui * uj);
        byRate[3 * i + j] = bySpeed * ui * uj;
      }
    }
    pointForcePair(this.carriers, this.a, this.b, this.levers, force, byOffset, byRate, out);
    if (this.timeDependent && length > 0) this.differentiateTime(t, f, out);
  }

  private lawByLength(t: number, length: number, speed: number): number {
    const dl = 1e-6 * (length + this.plan.rest);
    return (this.push(t, length + dl, speed) - this.push(t, length - dl, speed)) / (2 * dl);
  }

  private lawBySpeed(t: number, length: number, speed: number): number {
    const dv = 1e-5 * (Math.abs(speed) + this.plan.rest + length);
    return (this.push(t, length, speed + dv) - this.push(t, length, speed - dv)) / (2 * dv);
  }

  /** Of a law of the user's own, at the carriers' present motion: by length, N/m, and by its rate, N s/m */
  slopes(t: number, out: Float64Array): void {
    this.measure();
    const length = this.line[0];
    const speed = this.line[1];
    out[0] = this.lawByLength(t, length, speed);
    out[1] = this.lawBySpeed(t, length, speed);
  }

  /** Gives a law of the user's own the rate of the last evaluation from now on, or its own again. */
  holdRate(hold: boolean): void {
    this.heldRate = hold ? this.line[1] : Number.NaN;
  }

  /** The law follows time */
  private differentiateTime(t: number, f: number, { byTime }: PairDerivative): void {
    const { line, offset, levers, force } = this;
    const rise = rateAhead(f, this.own(t + AHEAD, line[0], line[1]), this.own(t + 2 * AHEAD, line[0], line[1]));
    for (let j = 0; j < 3; j++) force[j] = (rise * offset[j]) / line[0];
    addPointForce(byTime, 0, levers, 0, force, -1);
    addPointForce(byTime, 1, levers, 3, force, 1);
  }

  /** Length in m and force in N (positive pushes apart) at the carriers' present motion, into out[at], out[at + 1] */
  lengthAndForce(t: number, out: Float64Array, at: number): void {
    this.measure();
    out[at] = this.line[0];
    out[at + 1] = this.push(t, this.line[0], this.line[1]);
  }

  /** Force as the user's law gives it at time t, where the carriers are */
  readGiven(t: number, out: Float64Array, at: number): void {
    this.measure();
    out[at] = this.plan.law!(this.line[0], this.line[1], t);
  }

  energy(): number {
    if (this.plan.law) return 0;
    this.measure();
    const stretch = this.line[0] - this.plan.rest;
    return 0.5 * this.plan.stiffness * stretch * stretch;
  }

  power(t: number, _y: Float64Array, ledger: PowerLedger): void {
    this.measure();
    const speed = this.line[1];
    if (this.plan.law) ledger.supplied += this.own(t, this.line[0], speed) * speed;
    else if (!this.dampingApart) ledger.dissipated += this.plan.damping * speed * speed;
  }
}
