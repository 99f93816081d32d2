/**
 * The limit surface of a patch and the point on it nearest to a wrench. In scaled wrenches (F₁, F₂, M/b) and scaled slips
 * (v₁, v₂, b ω), b the effective radius, all components are forces and speeds, and friction can bear the convex set
 *
 *   K = { F : F·V ≤ L D(V) for every slip V },   L = µ N
 *
 * whose border is L G(V), G = ∂D/∂V = (f₁, f₂, m/b) (mean-slip.ts). For a point it is the disc |F| ≤ L, for the ellipsoid of
 * ellipsoid-limit.ts the ball; there the nearest point is L W/|W|.
 * For W outside K the nearest point F = W − ρ q satisfies, with the unit slip direction q,
 *
 *   W = L G(q) + ρ q,   ρ = max over q of φ(q) = W·q − L D(q) > 0
 *
 * and for W inside that maximum is ≤ 0. The condition W = L G + ρ q alone also holds at the *least* of φ, on the far side of K, so the maximum
 * is climbed: φ is concave, a direction with φ > 0 has no other summit above it, and a step is accepted only if φ grows by it. With H = ∂G/∂V ≥ 0
 * (H q = 0, for G does not depend on the size of V) and A = L H + ρ 1, Newton's step on the unit sphere is A⁻¹ times the part of W − L G(q) across
 * q; shortened until φ grows, and no longer than a part of the sphere. Where the start has φ ≤ 0 the climb goes up W·q − ℓ D(q) with
 * ℓ = W·q/D(q) ≤ L instead, whose maximum is > 0 until ℓ is that share of L at which W would be on the border; ℓ grows with q, either to L or to an end below.
 *
 * Scaled with an arm σ b in place of b, the third components are F₃/σ and σ V₃: all holds, and "nearest" weighs a torque less.
 *
 * Inside for certain, since D(V) ≥ |V|/√(1 + σ²) makes every wrench of the size r one of the set for √(1 + σ²) r: W = ℓ G(q) + r with ℓ + √(1 + σ²) |r| ≤ L.
 * And |W₁₂| + σ |W₃| ≤ L, without a look at D. (D ≥ |v| and D ≥ b |ω| for patches alike about their centre; of others only the first and half of the second is used.)
 *
 * The start is the slip, which is q itself in steady sliding and needs one look, else the direction of W. Then, exactly, with H symmetric,
 *
 *   ∂F/∂W = A⁻¹ L H,   ∂F/∂L = ρ A⁻¹ G
 */
import { meanSlip } from './mean-slip.js';
import type { PatchContour } from './patch-contour.js';

const MOST_STEPS = 60;
/** What φ is known to, of |W|, and of it as often as the sums over a thin patch are rougher than those over a disc */
const ROUNDING = 2e-15;
/** Of a step on the unit sphere */
const LONGEST = 1;

export class LimitSurface {
  /** Nearest point F, scaled wrench, N */
  readonly force = new Float64Array(3);
  /** Rows of ∂F/∂W */
  readonly byWrench = new Float64Array(9);
  /** ∂F/∂L */
  readonly byLimit = new Float64Array(3);
  /** Slip direction q, scaled; where W was outside */
  readonly direction = new Float64Array(3);
  /** Steps of the last climb */
  steps = 0;

  private readonly slip = new Float64Array(13);
  /** G(q), scaled; rows of H, scaled; A and what it is solved with */
  private readonly g = new Float64Array(3);
  private readonly h = new Float64Array(9);
  private readonly a = new Float64Array(9);
  private readonly w = new Float64Array(3);
  private readonly across = new Float64Array(3);
  private readonly step = new Float64Array(3);
  private readonly start = new Float64Array(3);
  /** At q: D, W·q */
  private mean = 0;
  private reachOfW = 0;
  /** 1/(σ b), 1/m; least size of D⁻¹ |V| that makes a wrench inside for certain */
  private perArm = 1;
  private certain = 1;

  /**
   * Finds the point of K nearest to (w1, w2, w3). False: it was inside, and `force` is itself.
   *
   * @param limit L > 0, N
   * @param n1 n2 n3 scaled slip to start from, of any size; 0 if none is known
   * @param scale σ ≥ 1: the arm is σ b
   * @param gradients derivatives are asked for; they are without meaning if not
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
    scale = 1,
    gradients = true,
  ): boolean {
    const { force, direction: q, w } = this;
    this.steps = 0;
    this.perArm = 1 / (scale * patch.effectiveRadius);
    this.certain = patch.central ? Math.sqrt(1 + scale * scale) : 1 + 2 * scale;
    const along = Math.sqrt(w1 * w1 + w2 * w2);
    if (along + (patch.central ? scale : 2 * scale) * Math.abs(w3) <= limit) return this.inside(w1, w2, w3);
    const size = Math.sqrt(along * along + w3 * w3);
    w[0] = w1;
    w[1] = w2;
    w[2] = w3;
    if (patch.count === 0 && (scale === 1 || !(patch.effectiveRadius > 0)))
      return size > limit ? this.ball(limit, size, patch.effectiveRadius > 0) : this.inside(w1, w2, w3);
    const near = Math.sqrt(n1 * n1 + n2 * n2 + n3 * n3);
    let ratio = 0;
    if (n1 * w1 + n2 * w2 + n3 * w3 > 0) {
      q[0] = n1 / near;
      q[1] = n2 / near;
      q[2] = n3 / near;
      this.look(patch);
      ratio = this.reachOfW / this.mean;
    }
    if (!(ratio > limit)) {
      this.start.set(q);
      for (let k = 0; k < 3; k++) q[k] = w[k] / size;
      this.look(patch);
      if (this.reachOfW / this.mean < ratio) {
        q.set(this.start);
        this.look(patch);
      }
    }
    const rho = this.climb(patch, limit, size);
    if (!(rho > 1e-14 * limit)) return this.inside(w1, w2, w3);
    for (let k = 0; k < 3; k++) force[k] = w[k] - rho * q[k];
    if (gradients) this.differentiate(limit, rho);
    return true;
  }

  /** Goes up from q, which has been looked at, to the maximum of φ, and gives it; anything ≤ 0 where W is inside. */
  private climb(patch: PatchContour, limit: number, size: number): number {
    const { direction: q, across, step, start, certain } = this;
    const known = ROUNDING * patch.roughness * size;
    for (;;) {
      // φ with the limit ℓ, for which it is ≥ 0 here
      const l = Math.min(limit, this.reachOfW / this.mean);
      const height = this.reachOfW - l * this.mean;
      const miss = this.slope(l);
      if (l < limit && l + certain * miss <= limit) return 0; // W = ℓ G + across
      if (!(miss > 50 * known) || this.steps === MOST_STEPS) break;
      this.steps++;
      step.set(across);
      start.set(q);
      this.fillA(l, Math.max(0, height));
      if (!solve3(this.a, step)) break;
      const length = norm(step);
      let share = Math.min(1, LONGEST / length);
      const promise = step[0] * across[0] + step[1] * across[1] + step[2] * across[2];
      let accepted = false;
      for (let halving = 0; halving < 40 && !accepted; halving++) {
        for (let k = 0; k < 3; k++) q[k] = start[k] + share * step[k];
        const per = 1 / norm(q);
        for (let k = 0; k < 3; k++) q[k] *= per;
        this.look(patch);
        const gain = this.reachOfW - l * this.mean - height;
        accepted = gain > known && gain > 1e-4 * share * promise;
        if (!accepted && share * promise < 8 * known) {
          // near the top φ is flat to its last digits, and the slope tells
          accepted = gain >= -known && this.slope(Math.min(limit, this.reachOfW / this.mean)) < 0.9 * miss;
          break;
        }
        share *= 0.5;
      }
      if (accepted) continue;
      q.set(start);
      this.look(patch);
      break;
    }
    this.slope(limit);
    return this.reachOfW - limit * this.mean;
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

  /** F = L W/|W| of a ball, of a disc where the patch is a point */
  private ball(limit: number, size: number, spins: boolean): boolean {
    const { w, force, direction: q, byWrench, byLimit } = this;
    const share = limit / size;
    for (let i = 0; i < 3; i++) {
      q[i] = byLimit[i] = w[i] / size;
      force[i] = limit * q[i];
    }
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) byWrench[3 * i + j] = share * ((i === j ? 1 : 0) - q[i] * q[j]);
    if (!spins) byWrench[8] = 0;
    return true;
  }

  /** D, G, H at q, and W·q */
  private look(patch: PatchContour): void {
    const { slip, g, h, direction: q, w, perArm: perB } = this;
    meanSlip(patch, q[0], q[1], q[2] * perB, slip);
    this.mean = slip[0];
    this.reachOfW = w[0] * q[0] + w[1] * q[1] + w[2] * q[2];
    g[0] = slip[1];
    g[1] = slip[2];
    g[2] = slip[3] * perB;
    h[0] = slip[4];
    h[1] = h[3] = slip[5];
    h[2] = h[6] = slip[6] * perB;
    h[4] = slip[8];
    h[5] = h[7] = slip[9] * perB;
    h[8] = slip[12] * perB * perB;
  }

  /** The part of W − ℓ G across q, the slope of φ, into `across`; gives its size. */
  private slope(l: number): number {
    const { w, g, across, direction: q } = this;
    for (let k = 0; k < 3; k++) across[k] = w[k] - l * g[k];
    const rho = across[0] * q[0] + across[1] * q[1] + across[2] * q[2];
    for (let k = 0; k < 3; k++) across[k] -= rho * q[k];
    return norm(across);
  }

  /** A, and q qᵀ with some weight, which does not act on what is across q and keeps A regular where ρ is small */
  private fillA(l: number, rho: number): void {
    const { a, h, direction: q } = this;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) a[3 * i + j] = l * (h[3 * i + j] + q[i] * q[j]);
    const least = rho + 1e-14 * l;
    a[0] += least;
    a[4] += least;
    a[8] += least;
  }

  /** H has nothing along q, and of G the part D q along it goes through A⁻¹ as D q/ρ. */
  private differentiate(limit: number, rho: number): void {
    const { a, h, g, byWrench, byLimit, step, direction: q } = this;
    for (let j = 0; j < 3; j++) {
      this.fillA(limit, rho);
      for (let i = 0; i < 3; i++) step[i] = limit * h[3 * i + j];
      solve3(a, step);
      for (let i = 0; i < 3; i++) byWrench[3 * i + j] = step[i];
    }
    this.fillA(limit, rho);
    for (let i = 0; i < 3; i++) step[i] = rho * (g[i] - this.mean * q[i]);
    solve3(a, step);
    for (let i = 0; i < 3; i++) byLimit[i] = this.mean * q[i] + step[i];
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
