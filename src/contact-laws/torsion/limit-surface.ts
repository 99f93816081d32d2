/**
 * The limit surface of a patch and the point on it nearest to a wrench. In scaled wrenches (F₁, F₂, M/b) and scaled slips
 * (v₁, v₂, b ω), b the effective radius, all components are forces and speeds, and friction can bear the convex set
 *
 *   K = { F : F·V ≤ L D(V) for every slip V },   L = µ N
 *
 * whose border is L G(V), G = ∂D/∂V = (f₁, f₂, m/b) (mean-slip.ts). For a point it is the disc |F| ≤ L, for the ellipsoid of
 * ellipsoid-limit.ts the ball; there the nearest point is L W/|W|, and W the direction to start from.
 * For W outside K the nearest point F = W − ρ q satisfies, with the unit slip direction q,
 *
 *   W = L G(q) + ρ q,   ρ = max over q of (W·q − L D(q)) > 0
 *
 * and for W inside that maximum is ≤ 0. Newton's method on the unit sphere: with H = ∂G/∂V (H q = 0, for G does not depend on
 * the size of V) and A = L H + ρ 1, q moves by A⁻¹ times the part of W − L G(q) across q. It starts from a direction the caller
 * thinks near; steady sliding along V has q = V/|V| and needs one look.
 * Then, exactly,
 *
 *   ∂F/∂W = A⁻¹ L H,   ∂F/∂L = ρ A⁻¹ G
 *
 * Without iteration: |W₁₂| + |W₃| ≤ L is inside, since D(V) ≥ |v| and D(V) ≥ b |ω|.
 */
import { meanSlipDerivatives } from './mean-slip.js';
import type { PatchContour } from './patch-contour.js';

const MOST_STEPS = 40;

export class LimitSurface {
  /** Nearest point F, scaled wrench, N */
  readonly force = new Float64Array(3);
  /** Rows of ∂F/∂W */
  readonly byWrench = new Float64Array(9);
  /** ∂F/∂L */
  readonly byLimit = new Float64Array(3);
  /** Slip direction q, scaled; where W was outside */
  readonly direction = new Float64Array(3);
  /** Newton steps of the last call */
  steps = 0;

  private readonly slip = new Float64Array(13);
  /** G(q), scaled; rows of H, scaled; A and what it is solved with */
  private readonly g = new Float64Array(3);
  private readonly h = new Float64Array(9);
  private readonly a = new Float64Array(9);
  private readonly across = new Float64Array(3);
  private readonly trial = new Float64Array(3);
  private readonly start = new Float64Array(3);

  /**
   * Finds the point of K nearest to (w1, w2, w3). False: it was inside, and `force` is itself.
   *
   * @param limit L > 0, N
   * @param n1 n2 n3 scaled slip to start from, of any size; 0 if none is known
   */
  project(
    patch: PatchContour,
    limit: number,
    w1: number,
    w2: number,
    w3: number,
    n1: number,
    n2: number,
    n3: number,
  ): boolean {
    const { force, direction: q, across, trial } = this;
    this.steps = 0;
    const along = Math.sqrt(w1 * w1 + w2 * w2);
    if (along + Math.abs(w3) <= limit) return this.inside(w1, w2, w3);
    const size = Math.sqrt(along * along + w3 * w3);
    // start
    const near = Math.sqrt(n1 * n1 + n2 * n2 + n3 * n3);
    const ball = patch.count === 0;
    if (!ball && near > 0 && n1 * w1 + n2 * w2 + n3 * w3 > 0) {
      q[0] = n1 / near;
      q[1] = n2 / near;
      q[2] = n3 / near;
    } else {
      q[0] = w1 / size;
      q[1] = w2 / size;
      q[2] = w3 / size;
    }
    let rho = this.look(patch, limit, w1, w2, w3, q);
    let miss = norm(across);
    const enough = 1e-13 * size;
    while (miss > enough && this.steps < MOST_STEPS) {
      this.steps++;
      // A δ = across; L q qᵀ does not act on what is across q, and keeps A regular where ρ is small or W looks inside
      this.fillA(limit, rho);
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) this.a[3 * i + j] += limit * q[i] * q[j];
      if (!solve3(this.a, across)) break;
      let share = 1;
      const d0 = across[0];
      const d1 = across[1];
      const d2 = across[2];
      const before = miss;
      this.start.set(q);
      for (let halving = 0; ; halving++) {
        trial[0] = this.start[0] + share * d0;
        trial[1] = this.start[1] + share * d1;
        trial[2] = this.start[2] + share * d2;
        const length = norm(trial);
        q[0] = trial[0] / length;
        q[1] = trial[1] / length;
        q[2] = trial[2] / length;
        rho = this.look(patch, limit, w1, w2, w3, q);
        miss = norm(across);
        if (miss < before || halving === 6) break;
        share *= 0.5;
      }
      if (miss >= before) {
        // rounding has been reached, or a kink of the sums: stay at the better end
        if (miss > before) {
          q.set(this.start);
          rho = this.look(patch, limit, w1, w2, w3, q);
        }
        break;
      }
    }
    if (!(rho > 1e-14 * limit)) return this.inside(w1, w2, w3);
    force[0] = w1 - rho * q[0];
    force[1] = w2 - rho * q[1];
    force[2] = w3 - rho * q[2];
    this.differentiate(limit, rho);
    return true;
  }

  private inside(w1: number, w2: number, w3: number): boolean {
    this.force[0] = w1;
    this.force[1] = w2;
    this.force[2] = w3;
    this.byLimit.fill(0);
    this.byWrench.fill(0);
    this.byWrench[0] = this.byWrench[4] = this.byWrench[8] = 1;
    return false;
  }

  /** G, H at q; `across` the part of W − L G across q; returns ρ = q·(W − L G). */
  private look(patch: PatchContour, limit: number, w1: number, w2: number, w3: number, q: Float64Array): number {
    const { slip, g, h, across } = this;
    const b = patch.effectiveRadius;
    const perB = b > 0 ? 1 / b : 0;
    meanSlipDerivatives(patch, q[0], q[1], q[2] * perB, slip);
    g[0] = slip[1];
    g[1] = slip[2];
    g[2] = slip[3] * perB;
    h[0] = slip[4];
    h[1] = slip[5];
    h[2] = slip[6] * perB;
    h[3] = slip[7];
    h[4] = slip[8];
    h[5] = slip[9] * perB;
    h[6] = slip[10] * perB;
    h[7] = slip[11] * perB;
    h[8] = slip[12] * perB * perB;
    const r0 = w1 - limit * g[0];
    const r1 = w2 - limit * g[1];
    const r2 = b > 0 ? w3 - limit * g[2] : 0;
    const rho = q[0] * r0 + q[1] * r1 + q[2] * r2;
    across[0] = r0 - rho * q[0];
    across[1] = r1 - rho * q[1];
    across[2] = r2 - rho * q[2];
    return rho;
  }

  private fillA(limit: number, rho: number): void {
    const { a, h } = this;
    for (let i = 0; i < 9; i++) a[i] = limit * h[i];
    a[0] += rho;
    a[4] += rho;
    a[8] += rho;
  }

  private differentiate(limit: number, rho: number): void {
    const { a, h, g, byWrench, byLimit, trial } = this;
    for (let j = 0; j < 3; j++) {
      this.fillA(limit, rho);
      trial[0] = limit * h[j];
      trial[1] = limit * h[3 + j];
      trial[2] = limit * h[6 + j];
      solve3(a, trial);
      byWrench[j] = trial[0];
      byWrench[3 + j] = trial[1];
      byWrench[6 + j] = trial[2];
    }
    this.fillA(limit, rho);
    trial[0] = rho * g[0];
    trial[1] = rho * g[1];
    trial[2] = rho * g[2];
    solve3(a, trial);
    byLimit.set(trial);
  }
}

function norm(a: Float64Array): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/** Overwrites r with the solution of a x = r, a 3×3 by rows (destroyed). Partial pivoting. False if singular. */
function solve3(a: Float64Array, r: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    let p = k;
    for (let i = k + 1; i < 3; i++) if (Math.abs(a[3 * i + k]) > Math.abs(a[3 * p + k])) p = i;
    if (!(Math.abs(a[3 * p + k]) > 0)) return false;
    if (p !== k) {
      for (let j = k; j < 3; j++) {
        const t = a[3 * k + j];
        a[3 * k + j] = a[3 * p + j];
        a[3 * p + j] = t;
      }
      const t = r[k];
      r[k] = r[p];
      r[p] = t;
    }
    for (let i = k + 1; i < 3; i++) {
      const factor = a[3 * i + k] / a[3 * k + k];
      for (let j = k + 1; j < 3; j++) a[3 * i + j] -= factor * a[3 * k + j];
      r[i] -= factor * r[k];
    }
  }
  r[2] /= a[8];
  r[1] = (r[1] - a[5] * r[2]) / a[4];
  r[0] = (r[0] - a[1] * r[1] - a[2] * r[2]) / a[0];
  return true;
}
