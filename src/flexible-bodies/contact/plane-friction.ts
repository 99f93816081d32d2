/**
 * Friction of two parts in their plane. Points that lie together share a bristle (contact-laws/friction/bristle.ts): with N = Σ f and slip speed u = Σ f t · w/N (w velocity of A's point seen from
 * B's), F of the bristle with the limit µ N acts on A's points as −F t f/N, so that its power is −F u.
 */
import type { FrictionOfPair } from './local-contact.js';
import type { TouchSearch } from './touch-search.js';

/** Regions with a bristle of their own */
export const SLOTS = 3;

export class PlaneFriction {
  /** W: heat; taken from the bodies */
  dissipated = 0;
  taken = 0;
  // per bristle: N, F, their changes
  readonly normalForce = new Float64Array(SLOTS);
  readonly held = new Float64Array(SLOTS);
  readonly dNormal = new Float64Array(SLOTS);
  readonly dHeld = new Float64Array(SLOTS);
  private readonly slip = new Float64Array(SLOTS);
  private readonly dSlip = new Float64Array(SLOTS);
  /** 1 slides, 0 sticks, −1 has no load */
  private readonly sliding = new Int8Array(SLOTS);

  constructor(private readonly plane: TouchSearch) {}

  /**
   * Slip and forces with the touches there are.
   *
   * @param energy of what presses, J
   * @param out    rates of the bristles come to its end, m/s
   * @returns `energy` and that of the bristles
   */
  rub(
    friction: FrictionOfPair | undefined,
    bristle: Float64Array,
    stretchedOnly: boolean,
    energy: number,
    out: Float64Array,
  ): number {
    const { plane, normalForce, slip, held, sliding } = this;
    const { touches, count } = plane;
    this.dissipated = this.taken = 0;
    normalForce.fill(0);
    slip.fill(0);
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      const { wx, wy } = touch;
      normalForce[touch.slot] += touch.force;
      slip[touch.slot] += touch.force * (touch.nx * wy - touch.ny * wx);
    }
    if (!friction) return energy;
    const rates = out.length - SLOTS;
    for (let r = 0; r < SLOTS; r++) {
      const k = friction.stiffness[r];
      const d = friction.damping[r];
      const x = bristle[r];
      const limit = friction.coefficient * normalForce[r];
      energy += 0.5 * k * x * x;
      if (!(limit > 0)) {
        held[r] = 0;
        sliding[r] = -1;
        out[rates + r] = (-k * x) / d;
        this.dissipated += (k * x * k * x) / d;
        continue;
      }
      slip[r] = stretchedOnly ? 0 : slip[r] / normalForce[r];
      const pull = k * x + d * slip[r];
      sliding[r] = Math.abs(pull) > limit ? 1 : 0;
      held[r] = sliding[r] === 0 ? pull : pull > 0 ? limit : -limit;
      const rate = sliding[r] === 0 ? slip[r] : (held[r] - k * x) / d;
      out[rates + r] = rate;
      this.taken += held[r] * slip[r];
      this.dissipated += d * rate * rate + held[r] * (slip[r] - rate);
    }
    return energy;
  }

  /** Change of the forces and of the rates of the bristles, after those of the touches are known. @param d as the inputs of the contact */
  move(friction: FrictionOfPair, d: Float64Array, result: Float64Array): void {
    const { touches, count, nA, nB } = this.plane;
    const { dNormal, dSlip, dHeld, normalForce, slip, held, sliding } = this;
    const at = 3 + nA + nB;
    dNormal.fill(0);
    dSlip.fill(0);
    for (let i = 0; i < count; i++) {
      const touch = touches[i];
      const along = touch.nx * touch.wy - touch.ny * touch.wx;
      const change = touch.nx * touch.dwy - touch.ny * touch.dwx + touch.dnx * touch.wy - touch.dny * touch.wx;
      dNormal[touch.slot] += touch.dForce;
      dSlip[touch.slot] += touch.dForce * along + touch.force * change;
    }
    const states = at + 6 + nA + nB;
    const rates = result.length - SLOTS;
    for (let r = 0; r < SLOTS; r++) {
      const k = friction.stiffness[r];
      const damping = friction.damping[r];
      const dx = d[states + r];
      if (sliding[r] < 0) {
        dHeld[r] = 0;
        result[rates + r] = (-k * dx) / damping;
        continue;
      }
      const du = (dSlip[r] - slip[r] * dNormal[r]) / normalForce[r];
      if (sliding[r] === 0) {
        dHeld[r] = k * dx + damping * du;
        result[rates + r] = du;
      } else {
        dHeld[r] = Math.sign(held[r]) * friction.coefficient * dNormal[r];
        result[rates + r] = (dHeld[r] - k * dx) / damping;
      }
    }
  }
}
