/**
 * Forces along one scalar joint coordinate x with rate v, all in one element:
 *
 *   spring and damper   −k (x − x₀) − d v
 *   end stops           N = max(0, k_s δ (1 + χ v_c/u)) against the motion, δ the depth behind the stop, v_c its rate; restitution.ts
 *   dry friction        W = k_t s + d_t v;  |W| ≤ L: −W, s' = v;  else −L sign W, s' = (L sign W − k_t s)/d_t
 *   motor               kp (target − x) + kd (speed − v), within ± limit
 *   user's own          force(t, x, v)
 *
 * The bristle s holds at rest without creep. d_t = 2 ζ √(k_t m), ζ = 0.7, and the stop's u want the inertia m that the joint feels,
 * 1/(M⁻¹)_ii, of parts that deform within the time of the touch (felt-inertia.ts): it is taken at the start of a step and kept for the step. The floor speed of the stops, χ √(k_s/m) · 1e-6 (rad or m),
 * makes a joint that rests on a stop settle instead of ringing.
 */
import type { ElementPlan } from '../../assembly/system.js';
import { dampingFactor } from '../../contact-laws/normal/restitution.js';
import { AHEAD, rateAhead } from '../../math/rate-ahead.js';
import { requireFinite } from '../tree/dynamics-error.js';
import type { PowerLedger } from './pair-element.js';

export type CoordinatePlan = Extract<ElementPlan, { kind: 'coordinate' }>;

const FRICTION_DAMPING = 0.7;
const REST_DEPTH = 1e-6;
/** In √(m/k); π of these is the time in touch, and a step over where it begins or ends may be five times as long. */
const LONGEST_BRIEF = 0.03;

export class JointForce {
  readonly name: string;
  readonly plan: CoordinatePlan;
  /** Index of x, of v and of s in y; of v among the velocities */
  readonly xAt: number;
  readonly vAt: number;
  readonly velocity: number;
  readonly stateAt: number;
  readonly timeDependent: boolean;
  /** Inertia felt along the coordinate, kg or kg m² */
  effectiveInertia = 1;
  /** Of the last `differentiate`: of the force by x, v, s, and of s' by v, s */
  byCoordinate = 0;
  byRate = 0;
  byState = 0;
  stateByRate = 0;
  stateByState = 0;
  /** And of the force by time */
  byTime = 0;
  /** N or N m, of all that acts along the coordinate: the mean over the last step of a time-stepping run, which solves for it */
  mean = 0;
  /** χ of its stops: their force is k δ max(0, 1 + v_c χ/u) */
  readonly stopDamping: number;

  constructor(plan: CoordinatePlan, nq: number, nv: number) {
    this.name = plan.name;
    this.plan = plan;
    this.xAt = plan.q;
    this.velocity = plan.v;
    this.vAt = nq + plan.v;
    this.stateAt = plan.friction ? nq + nv + plan.friction.state : -1;
    this.stopDamping = plan.stops ? dampingFactor(plan.stops.restitution) : 0;
    const { motor, force } = plan;
    this.timeDependent =
      (motor !== undefined && (motor.target.length > 0 || motor.speed.length > 0)) || (force?.length ?? 0) > 0;
  }

  /** True if the inertia the joint feels matters. */
  get needsInertia(): boolean {
    return this.plan.stops !== undefined || this.plan.friction !== undefined;
  }

  /** Of what asks for the inertia, N/m or N m/rad: its stops, else its stuck friction */
  get touchStiffness(): number {
    return this.plan.stops?.stiffness ?? this.plan.friction?.stiffness ?? 0;
  }

  evaluate(t: number, y: Float64Array, applied: Float64Array, rates: Float64Array): void {
    const x = y[this.xAt];
    const v = y[this.vAt];
    const { plan } = this;
    let sum = -plan.stiffness * (x - plan.rest) - plan.damping * v;
    if (plan.stops) sum += this.stop(x, v);
    if (plan.friction) {
      const s = y[this.stateAt];
      const { limit, stiffness } = plan.friction;
      const d = this.bristleDamping();
      const bristle = stiffness * s + d * v;
      if (Math.abs(bristle) <= limit) {
        sum -= bristle;
        rates[this.stateAt] = v;
      } else {
        const held = bristle > 0 ? limit : -limit;
        sum -= held;
        rates[this.stateAt] = (held - stiffness * s) / d;
      }
    }
    if (plan.motor) sum += this.drive(t, x, v);
    if (plan.force) sum += this.own(t, x, v);
    applied[this.velocity] += sum;
  }

  differentiate(t: number, y: Float64Array): void {
    const x = y[this.xAt];
    const v = y[this.vAt];
    const { plan } = this;
    let byX = -plan.stiffness;
    let byV = -plan.damping;
    this.byState = this.stateByRate = this.stateByState = 0;
    if (plan.stops) {
      const side = this.sideOf(x);
      const depth = side > 0 ? x - plan.stops.upper : plan.stops.lower - x;
      if (depth > 0) {
        // dN/dδ and dN/dv_c; δ and v_c both change by `side` times x and v, the force by −side
        const k = plan.stops.stiffness;
        const m = this.effectiveInertia;
        const vc = side * v;
        const u = this.impactSpeed(depth, vc);
        const factor = 1 + this.stopDamping * (vc / u);
        if (factor > 0) {
          byX -= k * factor - (k * depth * this.stopDamping * vc * k * depth) / (m * u * u * u);
          byV -= k * depth * this.stopDamping * (1 / u - (vc * vc) / (u * u * u));
        }
      }
    }
    if (plan.friction) {
      const { limit, stiffness } = plan.friction;
      const d = this.bristleDamping();
      if (Math.abs(stiffness * y[this.stateAt] + d * v) <= limit) {
        byV -= d;
        this.byState = -stiffness;
        this.stateByRate = 1;
      } else this.stateByState = -stiffness / d;
    }
    this.byTime = 0;
    if (plan.motor) {
      const { kp, kd, target, speed, limit } = plan.motor;
      const wanted = kp * target(t) + kd * speed(t);
      if (Math.abs(wanted - kp * x - kd * v) < limit) {
        byX -= kp;
        byV -= kd;
        if (target.length > 0 || speed.length > 0)
          this.byTime += rateAhead(
            wanted,
            kp * target(t + AHEAD) + kd * speed(t + AHEAD),
            kp * target(t + 2 * AHEAD) + kd * speed(t + 2 * AHEAD),
          );
      }
    }
    if (plan.force && plan.force.length > 0)
      this.byTime += rateAhead(this.own(t, x, v), this.own(t + AHEAD, x, v), this.own(t + 2 * AHEAD, x, v));
    if (plan.force && plan.force.length > 1) {
      byX += this.ownByCoordinate(t, x, v);
      byV += this.ownByRate(t, x, v);
    }
    this.byCoordinate = byX;
    this.byRate = byV;
  }

  energy(y: Float64Array): number {
    const { plan } = this;
    const stretch = y[this.xAt] - plan.rest;
    let sum = 0.5 * plan.stiffness * stretch * stretch;
    if (plan.stops) {
      const depth = this.depth(y[this.xAt]);
      sum += 0.5 * plan.stops.stiffness * depth * depth;
    }
    if (plan.friction) sum += 0.5 * plan.friction.stiffness * y[this.stateAt] * y[this.stateAt];
    return sum;
  }

  power(t: number, y: Float64Array, ledger: PowerLedger): void {
    const { plan } = this;
    const x = y[this.xAt];
    const v = y[this.vAt];
    ledger.dissipated += plan.damping * v * v;
    if (plan.stops) ledger.dissipated -= (this.stop(x, v) + this.sideOf(x) * plan.stops.stiffness * this.depth(x)) * v;
    if (plan.friction) {
      const { limit, stiffness } = plan.friction;
      const s = y[this.stateAt];
      const d = this.bristleDamping();
      const bristle = stiffness * s + d * v;
      const held = Math.max(-limit, Math.min(limit, bristle));
      const rate = Math.abs(bristle) <= limit ? v : (held - stiffness * s) / d;
      ledger.dissipated += held * v - stiffness * s * rate;
    }
    if (plan.motor) ledger.supplied += this.drive(t, x, v) * v;
    if (plan.force) ledger.supplied += this.own(t, x, v) * v;
  }

  /** Depth behind a stop, 0 between them. */
  depth(x: number): number {
    const { stops } = this.plan;
    return stops ? Math.max(0, x - stops.upper, stops.lower - x) : 0;
  }

  /** How deep an impact at the speed v would go. */
  impactDepth(v: number): number {
    const { stops } = this.plan;
    return stops ? Math.abs(v) * Math.sqrt(this.effectiveInertia / stops.stiffness) : 0;
  }

  /**
   * Longest step for the sake of the stops. Their force has a kink where touch begins and ends, of which an error estimate sees too little, if it sees it at all: a step ends
   * just before the kink, and one so short that it does not matter goes over it. A kink is looked for with the present rate v and acceleration a; one and a half times a
   * towards a stop that is not touched, so that none is missed. Over a kink for τ a method may miss the change of the speed, ½ (k/m) τ² of it: τ goes with √r.
   *
   * @param r relative tolerance of the run
   */
  stepLimit(x: number, v: number, a: number, r: number): number {
    const { stops } = this.plan;
    if (!stops) return Number.POSITIVE_INFINITY;
    const brief = Math.min(LONGEST_BRIEF, 2 * Math.sqrt(r)) * Math.sqrt(this.effectiveInertia / stops.stiffness);
    let limit = Number.POSITIVE_INFINITY;
    for (let side = 1; side >= -1; side -= 2) {
      const gap = side > 0 ? stops.upper - x : x - stops.lower;
      if (gap === Number.POSITIVE_INFINITY) continue;
      const time =
        gap > 0 ? timeToGo(gap, side * v, Math.max(0, 1.5 * side * a)) : timeToGo(-gap, -side * v, -side * a);
      limit = Math.min(limit, time > 4 * brief ? time - brief : time + brief);
    }
    return limit;
  }

  private sideOf(x: number): number {
    return x > this.plan.stops!.upper ? 1 : -1;
  }

  /** Depth whose energy is the floor of u, m or rad */
  get stopFloor(): number {
    return this.stopDamping * REST_DEPTH;
  }

  /** u of a stop, √(v² + (k/m) (δ² + floor²)), m/s or rad/s */
  private impactSpeed(depth: number, v: number): number {
    const ratio = this.plan.stops!.stiffness / this.effectiveInertia;
    const floor = this.stopFloor;
    return Math.sqrt(v * v + ratio * (depth * depth + floor * floor));
  }

  private stop(x: number, v: number): number {
    const depth = this.depth(x);
    if (!(depth > 0)) return 0;
    const side = this.sideOf(x);
    const factor = 1 + this.stopDamping * ((side * v) / this.impactSpeed(depth, side * v));
    return -side * Math.max(0, this.plan.stops!.stiffness * depth * factor);
  }

  bristleDamping(inertia = this.effectiveInertia): number {
    return 2 * FRICTION_DAMPING * Math.sqrt(this.plan.friction!.stiffness * inertia);
  }

  private drive(t: number, x: number, v: number): number {
    const { kp, kd, target, speed, limit } = this.plan.motor!;
    const value = kp * (target(t) - x) + kd * (speed(t) - v);
    if (!Number.isFinite(value)) requireFinite(value, t, this.name, 'its motor');
    return Math.max(-limit, Math.min(limit, value));
  }

  /** Of the user's own force, by central differences */
  ownByCoordinate(t: number, x: number, v: number): number {
    if (this.plan.force!.length < 2) return 0;
    const dx = 1e-6 * (1 + Math.abs(x));
    return (this.own(t, x + dx, v) - this.own(t, x - dx, v)) / (2 * dx);
  }

  ownByRate(t: number, x: number, v: number): number {
    if (this.plan.force!.length < 3) return 0;
    const dv = 1e-6 * (1 + Math.abs(v));
    return (this.own(t, x, v + dv) - this.own(t, x, v - dv)) / (2 * dv);
  }

  /** The user's own force, N or N m */
  own(t: number, x: number, v: number): number {
    const value = this.plan.force!(t, x, v);
    if (!Number.isFinite(value)) requireFinite(value, t, this.name, `its force at x = ${x}, v = ${v}`);
    return value;
  }
}

/** When `way` > 0 is gone, at the speed v with the acceleration a; ∞ if never */
function timeToGo(way: number, v: number, a: number): number {
  const square = v * v + 2 * a * way;
  if (!(square >= 0)) return Number.POSITIVE_INFINITY;
  const sum = v + Math.sqrt(square);
  return sum > 0 ? (2 * way) / sum : Number.POSITIVE_INFINITY;
}
