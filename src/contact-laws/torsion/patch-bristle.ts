/**
 * Friction of a patch that holds: the bristle of friction/bristle.ts with three components, on the limit surface of the patch.
 *
 *   z = (s₁, s₂, ψ)      displacement of the centroid and twist times b; states                    m
 *   V = (v₁, v₂, b ω)    slip velocity of the centroid and spin times the effective radius b       m/s
 *   W = k z + d V,   F = the point of the limit surface's set K nearest to W,   z' = d⁻¹ (F − k z),   d = diag(d, d, d₃)
 *   force −(F₁, F₂), torque −b F₃ on the body that moves with V
 *
 * W inside K: stick, F = W, z' = V, nothing creeps. W outside: slip; with V = z' + p the slider's rate p = d⁻¹ (W − F) is along the
 * normal of K at F where nearest is told by (W − F)·d⁻¹ (W − F), which is Coulomb's law over the whole patch: F = L ∂D/∂V (p). In steady sliding
 * z' = 0, p = V: exactly the force and torque of mean-slip.ts. What goes in, F·V, is stored in ½ k |z|² or lost:
 *
 *   F·V − (½ k |z|²)' = z'·d z' + F·p,   F·p = L D(p) ≥ 0
 *
 * so the law is passive for constant k, whatever L, b, d₃ and the shape of the patch do.
 *
 * One stiffness k for all three: the torsional stiffness is k b². Patches with b = 0 are points: two components, no torque.
 *
 * Damping: what is lost in a cycle is a part of what is stored, in a twist as in a slip, so the two have one damping ratio. A slip feels a mass m, d = 2 ζ √(k m); a twist
 * with the arm b feels I/b², d₃ = 2 ζ √(k I)/b, hence
 *
 *   d₃/d = ϱ/b,   ϱ = √(I/m)                                                                           m
 *
 * at least 1, and at most 10⁴: the patch of a hard ball is 10⁻³ of it, and with d₃ = d its twist rings a thousand times. The nearest point is found in the
 * coordinates (W₁, W₂, W₃/σ), σ² = d₃/d, in which d is the same all round and the arm is σ b.
 */
import { OPEN, type Regime, SLIP, STICK } from '../friction/bristle.js';
import { LimitSurface } from './limit-surface.js';
import type { PatchContour } from './patch-contour.js';

/** s₁, s₂, ψ */
export const BRISTLE_STATES = 3;
/** Most of d₃/d: what is thinner is told with too few digits */
const MOST_TWIST = 1e4;

export class PatchBristle {
  /** F₁, F₂ in N and the torque b F₃ in N m; on the body that moves with V their negatives act */
  readonly wrench = new Float64Array(3);
  /** z', m/s */
  readonly rates = new Float64Array(3);
  readonly surface = new LimitSurface();
  /** F, scaled by b only, N */
  readonly force = new Float64Array(3);
  /** d₃/d = σ² of the last `evaluate` */
  twistDamping = 1;
  /**
   * With d₃ ~ 1/b the wrench and the rates follow ln b by this times their derivatives by ω, and ψ' by ψ' besides; 0 where d₃ is held. From the nearest point's condition,
   * ∂F/∂ln σ = 2 d₃ ψ' ∂F/∂W₃.
   */
  dampingByArm = 0;

  /**
   * @param stiffness   k, N/m
   * @param damping     d, N s/m
   * @param limit       L = µ N, N
   * @param z           3 states from `at`, m
   * @param twistRadius ϱ, m; 0: d₃ = d
   * @param gradients   `derivatives` will be asked for
   */
  evaluate(
    patch: PatchContour,
    stiffness: number,
    damping: number,
    limit: number,
    z: Float64Array,
    at: number,
    v1: number,
    v2: number,
    spin: number,
    twistRadius = 0,
    gradients = true,
  ): Regime {
    const { wrench, rates, surface, force } = this;
    const b = patch.effectiveRadius;
    const ratio = b > 0 && limit > 0 ? twistRadius / b : 0;
    this.twistDamping = ratio > 1 ? Math.min(ratio, MOST_TWIST) : 1;
    this.dampingByArm = 0;
    const z1 = stiffness * z[at];
    const z2 = stiffness * z[at + 1];
    const z3 = stiffness * z[at + 2];
    if (!(limit > 0)) {
      wrench.fill(0);
      force.fill(0);
      rates[0] = -z1 / damping;
      rates[1] = -z2 / damping;
      rates[2] = -z3 / damping;
      surface.force.fill(0);
      surface.byWrench.fill(0);
      surface.byLimit.fill(0);
      return OPEN;
    }
    const v3 = b * spin;
    const twist = damping * this.twistDamping;
    const scale = Math.sqrt(this.twistDamping);
    const w3 = b > 0 ? (z3 + twist * v3) / scale : 0;
    const slips = surface.project(
      patch,
      limit,
      z1 + damping * v1,
      z2 + damping * v2,
      w3,
      v1,
      v2,
      scale * v3,
      scale,
      gradients,
    );
    force[0] = surface.force[0];
    force[1] = surface.force[1];
    force[2] = scale * surface.force[2];
    wrench[0] = force[0];
    wrench[1] = force[1];
    wrench[2] = b * force[2];
    if (slips) {
      rates[0] = (force[0] - z1) / damping;
      rates[1] = (force[1] - z2) / damping;
      rates[2] = (force[2] - z3) / twist;
    } else {
      rates[0] = v1;
      rates[1] = v2;
      rates[2] = b > 0 ? v3 : -z3 / damping;
    }
    if (ratio > 1 && ratio < MOST_TWIST) this.dampingByArm = -rates[2] / b;
    return slips ? SLIP : STICK;
  }

  /**
   * Derivatives of the last `evaluate`: of (wrench | rates) by (z₁, z₂, z₃ | v₁, v₂, ω | L), 6 rows of 7.
   * b and the shape of the patch are held.
   */
  derivatives(patch: PatchContour, stiffness: number, damping: number, out: Float64Array): void {
    const { byWrench, byLimit } = this.surface;
    const b = patch.effectiveRadius;
    const twist = damping * this.twistDamping;
    const scale = Math.sqrt(this.twistDamping);
    for (let i = 0; i < 3; i++) {
      const arm = i < 2 ? 1 : b;
      const own = i < 2 ? damping : twist;
      const from = i < 2 ? 1 : scale;
      const wrenchRow = 7 * i;
      const rateRow = 7 * (i + 3);
      for (let j = 0; j < 3; j++) {
        const speedArm = j < 2 ? 1 : b;
        // ∂F_i/∂W_j, from that of the scaled
        const share = j < 2 ? from * byWrench[3 * i + j] : (from * byWrench[3 * i + j]) / scale;
        const other = j < 2 ? damping : twist;
        out[wrenchRow + j] = arm * stiffness * share;
        out[wrenchRow + 3 + j] = arm * other * speedArm * share;
        out[rateRow + j] = (stiffness * (share - (i === j ? 1 : 0))) / own;
        out[rateRow + 3 + j] = (other / own) * speedArm * share;
      }
      out[wrenchRow + 6] = arm * from * byLimit[i];
      out[rateRow + 6] = (from * byLimit[i]) / own;
    }
    if (!(b > 0)) out[7 * 5 + 2] = -stiffness / damping;
  }

  /** z'·d z' + F·(V − z') ≥ 0 of the last `evaluate`, W */
  loss(patch: PatchContour, damping: number, v1: number, v2: number, spin: number): number {
    const { rates, force, twistDamping } = this;
    const v3 = patch.effectiveRadius * spin;
    return (
      damping * (rates[0] * rates[0] + rates[1] * rates[1] + twistDamping * rates[2] * rates[2]) +
      force[0] * (v1 - rates[0]) +
      force[1] * (v2 - rates[1]) +
      force[2] * (v3 - rates[2])
    );
  }
}
