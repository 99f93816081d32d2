/**
 * A body on which no torque can act keeps its angular momentum L (world) and its rotational energy T for ever. After every accepted step
 * both are restored to rounding by the smallest turn of the body (projection onto invariants: Hairer, Lubich & Wanner, Geometric
 * Numerical Integration, §IV.4):
 *
 *   l = Rᵀ L             angular momentum in the principal frame; its length is right whatever R is
 *   ω = J⁻¹ l            T(R) = ½ l · ω
 *   δ = (T₀ − T) c/|c|²   c = ω × l, turn in the body's frame: dT = ω · dl, dl = l × δ   (Newton, two or three times)
 *
 * Where c is nothing (rotation about a principal axis) T does not depend on δ to first order, and nothing is turned. What is left to the
 * integrator's tolerance is where along the motion the body is, not which motion it is.
 *
 * That error no invariant shows, but what was put right in each step tells its size: the integrator finds attitude and angular velocity
 * each by itself, so the angle between J ω and Rᵀ L, and the turn δ, are its errors in that step; along the motion it errs as much. Their
 * sum over all steps, √(angle² + δ²), is what the attitude is wrong by after as many steps: in a motion whose invariants are kept, errors
 * add up and do not grow by themselves.
 */
import { turnQuaternion } from './turn-quaternion.js';

/** A turn by more than this is no rounding: something acted on the body after all, or the step was refused anyway. */
const LARGEST_TURN = 0.05;

export class FreeRotation {
  private readonly moments: Float64Array;
  /** Per free body: 1 if nothing can turn it and none of its moments is zero; its L (3 each) and T */
  private readonly kept: Uint8Array;
  private readonly momentum: Float64Array;
  private readonly energy: Float64Array;
  private count = 0;
  /** rad, per free body: estimate of its attitude error, and what the last `restore` adds to it if its step is taken */
  readonly attitudeError: Float64Array;
  private readonly put: Float64Array;
  private readonly local = new Float64Array(3);
  private readonly theta = new Float64Array(3);

  /** @param turnable one per free body: 1 if some force element may turn it */
  constructor(moments: Float64Array, turnable: Uint8Array) {
    this.moments = moments;
    this.kept = new Uint8Array(turnable.length);
    this.momentum = new Float64Array(3 * turnable.length);
    this.energy = new Float64Array(turnable.length);
    this.attitudeError = new Float64Array(turnable.length);
    this.put = new Float64Array(turnable.length);
    for (let i = 0; i < turnable.length; i++) if (this.canKeep(i, turnable)) this.kept[i] = 1;
    for (let i = 0; i < turnable.length; i++) this.count += this.kept[i];
  }

  private canKeep(i: number, turnable: Uint8Array): boolean {
    const { moments } = this;
    return turnable[i] === 0 && moments[3 * i] > 0 && moments[3 * i + 1] > 0 && moments[3 * i + 2] > 0;
  }

  get any(): boolean {
    return this.count > 0;
  }

  /**
   * Other bodies are turned from now on. Those that nothing turns any more have the L and T of y; those that nothing turned before
   * keep what they have. The state of body i starts at y[q + 7 i] and y[v + 6 i].
   */
  follow(turnable: Uint8Array, y: Float64Array, q: number, v: number): void {
    const { kept } = this;
    for (let i = 0; i < kept.length; i++) {
      const now = this.canKeep(i, turnable) ? 1 : 0;
      if (now === kept[i]) continue;
      if (now === 1) this.take(i, y, q, v);
      kept[i] = now;
      this.count += now === 1 ? 1 : -1;
    }
  }

  /** Takes L and T from y. */
  remember(y: Float64Array, q: number, v: number): void {
    for (let i = 0; i < this.kept.length; i++) if (this.kept[i] !== 0) this.take(i, y, q, v);
  }

  private take(i: number, y: Float64Array, q: number, v: number): void {
    const { moments, momentum, energy, local } = this;
    const w = v + 6 * i + 3;
    const lx = moments[3 * i] * y[w];
    const ly = moments[3 * i + 1] * y[w + 1];
    const lz = moments[3 * i + 2] * y[w + 2];
    energy[i] = 0.5 * (lx * y[w] + ly * y[w + 1] + lz * y[w + 2]);
    local[0] = lx;
    local[1] = ly;
    local[2] = lz;
    turned(y, q + 7 * i + 3, 1, local, 0, momentum, 3 * i);
  }

  /** The step whose end was restored last is taken. */
  accept(): void {
    const { put, attitudeError } = this;
    for (let i = 0; i < put.length; i++) attitudeError[i] += put[i];
  }

  /** Puts L and T back. */
  restore(y: Float64Array, q: number, v: number): void {
    const { kept, moments, momentum, energy, local, theta, put } = this;
    for (let i = 0; i < kept.length; i++) {
      put[i] = 0;
      if (kept[i] === 0) continue;
      const at = q + 7 * i + 3;
      const jx = moments[3 * i];
      const jy = moments[3 * i + 1];
      const jz = moments[3 * i + 2];
      turned(y, at, -1, momentum, 3 * i, local, 0);
      const w = v + 6 * i + 3;
      const dx = jx * y[w] - local[0];
      const dy = jy * y[w + 1] - local[1];
      const dz = jz * y[w + 2] - local[2];
      const momentum2 = local[0] * local[0] + local[1] * local[1] + local[2] * local[2];
      let angle2 = momentum2 > 0 ? (dx * dx + dy * dy + dz * dz) / momentum2 : 0;
      for (let pass = 0; pass < 3; pass++) {
        turned(y, at, -1, momentum, 3 * i, local, 0);
        const wx = local[0] / jx;
        const wy = local[1] / jy;
        const wz = local[2] / jz;
        const off = energy[i] - 0.5 * (local[0] * wx + local[1] * wy + local[2] * wz);
        const cx = wy * local[2] - wz * local[1];
        const cy = wz * local[0] - wx * local[2];
        const cz = wx * local[1] - wy * local[0];
        const square = cx * cx + cy * cy + cz * cz;
        // Below this, a turn of 1 rad would change T by less than 1e-6 of itself: a principal axis
        if (!(square > 1e-12 * energy[i] * energy[i]) || Math.abs(off) <= 2e-16 * energy[i]) break;
        const scale = off / square;
        if (!(Math.abs(scale) * Math.sqrt(square) < LARGEST_TURN)) break;
        theta[0] = scale * cx;
        theta[1] = scale * cy;
        theta[2] = scale * cz;
        turnQuaternion(y, at, theta);
        angle2 += scale * scale * square;
      }
      turned(y, at, -1, momentum, 3 * i, local, 0);
      y[w] = local[0] / jx;
      y[w + 1] = local[1] / jy;
      y[w + 2] = local[2] / jz;
      put[i] = Math.sqrt(angle2);
    }
  }
}

/** R x (sign 1) or Rᵀ x (sign −1) of the unit quaternion at y[at], x at from[first], into out[to …] */
function turned(
  y: Float64Array,
  at: number,
  sign: 1 | -1,
  from: Float64Array,
  first: number,
  out: Float64Array,
  to: number,
): void {
  const x = from[first];
  const yy = from[first + 1];
  const z = from[first + 2];
  const w = y[at];
  const qx = sign * y[at + 1];
  const qy = sign * y[at + 2];
  const qz = sign * y[at + 3];
  const tx = 2 * (qy * z - qz * yy);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * yy - qy * x);
  out[to] = x + w * tx + qy * tz - qz * ty;
  out[to + 1] = yy + w * ty + qz * tx - qx * tz;
  out[to + 2] = z + w * tz + qx * ty - qy * tx;
}
