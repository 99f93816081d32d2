/**
 * Friction of a patch that holds: the bristle of friction/bristle.ts with three components, on the limit surface of the patch.
 *
 *   z = (s₁, s₂, ψ)      displacement of the centroid and twist times b; states                    m
 *   V = (v₁, v₂, b ω)    slip velocity of the centroid and spin times the effective radius b       m/s
 *   W = k z + d V,   F = the point of the limit surface's set K nearest to W,   z' = (F − k z)/d
 *   force −(F₁, F₂), torque −b F₃ on the body that moves with V
 *
 * W inside K: stick, F = W, z' = V, nothing creeps. W outside: slip; with V = z' + p the slider's rate p = (W − F)/d is along the
 * normal of K at F, which is Coulomb's law over the whole patch: F = L ∂D/∂V (p). In steady sliding z' = 0, p = V: exactly the
 * force and torque of mean-slip.ts. What goes in, F·V, is stored in ½ k |z|² or lost:
 *
 *   F·V − (½ k |z|²)' = d |z'|² + F·p,   F·p = L D(p) ≥ 0
 *
 * so the law is passive for constant k, whatever L, b and the shape of the patch do.
 *
 * One stiffness k for all three: the torsional stiffness is k b². Patches with b = 0 are points: two components, no torque.
 */
import { OPEN, type Regime, SLIP, STICK } from '../friction/bristle.js';
import { LimitSurface } from './limit-surface.js';
import type { PatchContour } from './patch-contour.js';

/** s₁, s₂, ψ */
export const BRISTLE_STATES = 3;

export class PatchBristle {
  /** F₁, F₂ in N and the torque b F₃ in N m; on the body that moves with V their negatives act */
  readonly wrench = new Float64Array(3);
  /** z', m/s */
  readonly rates = new Float64Array(3);
  readonly surface = new LimitSurface();

  /**
   * @param stiffness k, N/m
   * @param damping   d, N s/m
   * @param limit     L = µ N, N
   * @param z         3 states from `at`, m
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
  ): Regime {
    const { wrench, rates, surface } = this;
    const b = patch.effectiveRadius;
    const z1 = stiffness * z[at];
    const z2 = stiffness * z[at + 1];
    const z3 = stiffness * z[at + 2];
    if (!(limit > 0)) {
      wrench.fill(0);
      rates[0] = -z1 / damping;
      rates[1] = -z2 / damping;
      rates[2] = -z3 / damping;
      surface.force.fill(0);
      surface.byWrench.fill(0);
      surface.byLimit.fill(0);
      return OPEN;
    }
    const v3 = b * spin;
    const w3 = b > 0 ? z3 + damping * v3 : 0;
    const slips = surface.project(patch, limit, z1 + damping * v1, z2 + damping * v2, w3, v1, v2, v3);
    const { force } = surface;
    wrench[0] = force[0];
    wrench[1] = force[1];
    wrench[2] = b * force[2];
    if (slips) {
      rates[0] = (force[0] - z1) / damping;
      rates[1] = (force[1] - z2) / damping;
      rates[2] = (force[2] - z3) / damping;
    } else {
      rates[0] = v1;
      rates[1] = v2;
      rates[2] = b > 0 ? v3 : -z3 / damping;
    }
    return slips ? SLIP : STICK;
  }

  /**
   * Derivatives of the last `evaluate`: of (wrench | rates) by (z₁, z₂, z₃ | v₁, v₂, ω | L), 6 rows of 7.
   * b and the shape of the patch are held.
   */
  derivatives(patch: PatchContour, stiffness: number, damping: number, out: Float64Array): void {
    const { byWrench, byLimit } = this.surface;
    const b = patch.effectiveRadius;
    for (let i = 0; i < 3; i++) {
      const arm = i < 2 ? 1 : b;
      const wrenchRow = 7 * i;
      const rateRow = 7 * (i + 3);
      for (let j = 0; j < 3; j++) {
        const speedArm = j < 2 ? 1 : b;
        const share = byWrench[3 * i + j];
        out[wrenchRow + j] = arm * stiffness * share;
        out[wrenchRow + 3 + j] = arm * damping * speedArm * share;
        out[rateRow + j] = (stiffness * (share - (i === j ? 1 : 0))) / damping;
        out[rateRow + 3 + j] = speedArm * share;
      }
      out[wrenchRow + 6] = arm * byLimit[i];
      out[rateRow + 6] = byLimit[i] / damping;
    }
    if (!(b > 0)) out[7 * 5 + 2] = -stiffness / damping;
  }

  /** d |z'|² + F·(V − z') ≥ 0 of the last `evaluate`, W */
  loss(patch: PatchContour, damping: number, v1: number, v2: number, spin: number): number {
    const { rates } = this;
    const { force } = this.surface;
    const v3 = patch.effectiveRadius * spin;
    return (
      damping * (rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2]) +
      force[0] * (v1 - rates[0]) +
      force[1] * (v2 - rates[1]) +
      force[2] * (v3 - rates[2])
    );
  }
}
