/**
 * The velocities at the end of a step of one island: bodies that terms tie together.
 *
 *   v = argmin ½ (v − v*)ᵀ M (v − v*) + Σ ℓ_c(J_c v),    ∇ = M (v − v*) − Σ J_cᵀ γ_c,    H = M + Σ J_cᵀ G_c J_c
 *
 * Newton's method, H Δ = −∇ by block Cholesky, v ← v + α Δ with the root α of ℓ'(α) = Δᵀ∇(v + α Δ), which only rises: the objective falls with
 * every step, from wherever it begins. It ends when every block is in balance,
 *
 *   |∇_b|_{M⁻¹} ≤ tolerance √m_b · speed
 *
 * or at the limit of iterations, with the best v so far. In the end v ← v* + M⁻¹ Σ J_cᵀ γ_c, which is the same within the tolerance and has
 * momentum and energy in the books to rounding; where it was not solved v stays as it is, or the imbalance would act as a force.
 *
 * Castro, Permenter & Han (2022), doi 10.1109/TRO.2022.3209077; Castro, Han & Masterjohn (2023).
 */
import { BlockCholesky } from '../math/block-cholesky.js';
import { intRoom } from '../math/room.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export const MOST_ITERATIONS = 50;
/** Slope of the objective along the step, of that at its start, at which the search along it may end */
const SEARCHED = 1e-2;
const MOST_TRIALS = 40;
/** Of velocities */
const ROUNDING = 1e-13;
/** Of the speed that the tolerance is a part of */
const MOVING = 1e-4;

export interface Island {
  /** Blocks and groups of terms, how many of each are in use */
  blocks: Int32Array;
  blockCount: number;
  groups: Int32Array;
  groupCount: number;
}

export class IslandNewton {
  /** Iterations of the last solution, and whether it ended at their limit */
  iterations = 0;
  unsolved = false;
  private readonly matrix = new BlockCholesky();
  private readonly gradient: Float64Array;
  private readonly step: Float64Array;
  private readonly mass: Float64Array;
  /** Per block of the island: number of unknowns, where they start; and per block of all its number in the island */
  private sizes: Int32Array = new Int32Array(0);
  private starts: Int32Array = new Int32Array(0);
  private entered = 0;
  private readonly local: Int32Array;
  private edges: Int32Array = new Int32Array(0);
  private weighted = new Float64Array(7 * 64);

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const n = blocks.velocity.length;
    this.gradient = new Float64Array(n);
    this.step = new Float64Array(n);
    this.mass = new Float64Array(n);
    this.local = new Int32Array(blocks.count);
  }

  /** Prepares the matrix for an island. */
  enter({ blocks: members, blockCount, groups, groupCount }: Island): void {
    const { blocks, terms, local } = this;
    this.sizes = intRoom(this.sizes, blockCount);
    this.starts = intRoom(this.starts, blockCount);
    this.edges = intRoom(this.edges, 2 * groupCount);
    for (let i = 0; i < blockCount; i++) {
      local[members[i]] = i;
      this.sizes[i] = blocks.size[members[i]];
      this.starts[i] = blocks.at[members[i]];
    }
    let edges = 0;
    for (let i = 0; i < groupCount; i++) {
      const g = groups[i];
      if (terms.blockA[g] < 0 || terms.blockB[g] < 0) continue;
      this.edges[2 * edges] = local[terms.blockA[g]];
      this.edges[2 * edges + 1] = local[terms.blockB[g]];
      edges++;
    }
    this.entered = blockCount;
    this.matrix.structure(blockCount, this.sizes, this.edges, edges);
  }

  /**
   * Solves for v, which holds where to begin, in place.
   *
   * @param free      v*
   * @param speed     m/s that the tolerance is a part of
   */
  solve(island: Island, v: Float64Array, free: Float64Array, tolerance: number, speed: number): void {
    const { terms, step } = this;
    const { groups, groupCount } = island;
    this.iterations = 0;
    this.unsolved = false;
    for (let i = 0; i < groupCount; i++) {
      terms.velocities(groups[i], v, terms.u, true);
      terms.brakeAll(groups[i]);
    }
    for (;;) {
      for (let i = 0; i < groupCount; i++) terms.evaluate(groups[i], terms.u, true);
      if (this.residual(island, v, free, tolerance, speed)) break;
      if (this.iterations === MOST_ITERATIONS) {
        this.unsolved = true;
        break;
      }
      this.iterations++;
      this.assemble(island);
      if (!this.matrix.factorise()) {
        // slopes of patches that rounding has made indefinite: their upper bound leads down, too
        for (let i = 0; i < groupCount; i++) terms.boundSlopes(groups[i]);
        this.assemble(island);
        if (!this.matrix.factorise()) {
          this.unsolved = true;
          break;
        }
      }
      this.matrix.solve(step, this.starts);
      if (this.isSettled(island, v, free)) break;
      const { u, du } = terms;
      for (let i = 0; i < groupCount; i++) {
        terms.velocities(groups[i], step, du, false);
        terms.foresee(groups[i]);
      }
      const alpha = this.search(island, v, free);
      for (let i = 0; i < island.blockCount; i++) {
        const from = this.starts[i];
        for (let k = from; k < from + this.sizes[i]; k++) v[k] += alpha * step[k];
      }
      for (let i = 0; i < groupCount; i++) {
        const g = groups[i];
        for (let r = terms.firstRow[g]; r < terms.firstRow[g + 1]; r++) u[r] += alpha * du[r];
      }
      if (!(alpha > 1e-10)) {
        for (let i = 0; i < groupCount; i++) terms.evaluate(groups[i], terms.u, true);
        if (!this.residual(island, v, free, 1e3 * tolerance, speed)) this.unsolved = true;
        break;
      }
    }
    if (!this.unsolved && this.iterations > 0 && this.moves(v, speed)) this.balance(island, v, free);
  }

  /** What the step promises, Δᵀ∇, is rounding beside the energy that v differs from v* by. */
  private isSettled({ blockCount }: Island, v: Float64Array, free: Float64Array): boolean {
    let promise = 0;
    let energy = 0;
    for (let i = 0; i < blockCount; i++)
      for (let k = this.starts[i]; k < this.starts[i] + this.sizes[i]; k++) {
        promise -= this.gradient[k] * this.step[k];
        energy += this.mass[k] * Math.abs(v[k] - free[k]);
      }
    return promise <= ROUNDING * ROUNDING * energy;
  }

  /** ∇ into `gradient`, −∇ into `step`; true if every block is in balance */
  private residual(
    { blocks: members, blockCount, groups, groupCount }: Island,
    v: Float64Array,
    free: Float64Array,
    tolerance: number,
    speed: number,
  ): boolean {
    const { blocks, gradient, step, mass, terms } = this;
    for (let i = 0; i < blockCount; i++) {
      const first = this.starts[i];
      for (let k = first; k < first + this.sizes[i]; k++) step[k] = v[k] - free[k];
      blocks.applyMass(members[i], step, gradient);
      for (let k = first; k < first + this.sizes[i]; k++) mass[k] = Math.abs(gradient[k]);
    }
    for (let i = 0; i < groupCount; i++) terms.subtractImpulse(groups[i], gradient);
    let balanced = true;
    for (let i = 0; i < blockCount; i++) {
      const b = members[i];
      const first = this.starts[i];
      const n = this.sizes[i];
      let square = 0;
      if (b >= blocks.firstFree)
        for (let k = first; k < first + n; k++) {
          // what rounding leaves of terms that cancel is no imbalance
          const rest = Math.max(0, Math.abs(gradient[k]) - 1e-14 * mass[k]);
          square += (rest * rest) / blocks.diagonal[k];
        }
      else {
        for (let k = first; k < first + n; k++) step[k] = gradient[k];
        blocks.halfSolve(b, step, first);
        for (let k = first; k < first + n; k++) square += step[k] * step[k];
      }
      const allowed = tolerance * speed;
      if (!(square <= allowed * allowed * blocks.weight[b])) balanced = false;
      for (let k = first; k < first + n; k++) step[k] = -gradient[k];
    }
    return balanced;
  }

  /** H */
  private assemble({ blocks: members, blockCount, groups, groupCount }: Island): void {
    const { blocks, matrix } = this;
    matrix.clear();
    const { values, diagonal } = matrix;
    for (let i = 0; i < blockCount; i++) {
      const b = members[i];
      const n = this.sizes[i];
      if (b >= blocks.firstFree)
        for (let k = 0; k < n; k++) values[diagonal[i] + n * k + k] = blocks.diagonal[this.starts[i] + k];
      else for (let k = 0; k < n * n; k++) values[diagonal[i] + k] = blocks.mass[blocks.massAt[b] + k];
    }
    for (let i = 0; i < groupCount; i++) this.addGroup(groups[i]);
  }

  private addGroup(g: number): void {
    const { terms, blocks, matrix, local } = this;
    const { jacobian, slope, kind, row } = terms;
    const a = terms.blockA[g];
    const b = terms.blockB[g];
    const na = a < 0 ? 0 : blocks.size[a];
    const nb = b < 0 ? 0 : blocks.size[b];
    const width = na + nb;
    const base = terms.jacobianAt[g];
    const first = terms.firstRow[g];
    const rows = terms.firstRow[g + 1] - first;
    if (this.weighted.length < rows * width) this.weighted = new Float64Array(2 * rows * width);
    const { weighted } = this;
    // G J
    let active = false;
    for (let t = terms.firstTerm[g]; t < terms.firstTerm[g + 1]; t++) {
      const r = row[t] - first;
      const n = row[t + 1] - row[t];
      if (kind[t] === TERM.normal) {
        const s = slope[9 * t];
        if (s !== 0) active = true;
        const j = base + r * width;
        for (let k = 0; k < width; k++) weighted[r * width + k] = s * jacobian[j + k];
        continue;
      }
      for (let i = 0; i < n; i++) {
        const to = (r + i) * width;
        for (let k = 0; k < width; k++) weighted[to + k] = 0;
        for (let l = 0; l < n; l++) {
          const s = slope[9 * t + n * i + l];
          if (s === 0) continue;
          active = true;
          const j = base + (r + l) * width;
          for (let k = 0; k < width; k++) weighted[to + k] += s * jacobian[j + k];
        }
      }
    }
    if (!active) return;
    const { values, diagonal } = matrix;
    if (a >= 0) addSquare(values, diagonal[local[a]], jacobian, base, weighted, 0, rows, width, na);
    if (b >= 0) addSquare(values, diagonal[local[b]], jacobian, base + na, weighted, na, rows, width, nb);
    if (a < 0 || b < 0) return;
    const at = matrix.at(local[a], local[b]);
    if (matrix.goesLater(local[a], local[b])) addProduct(values, at, jacobian, base, weighted, na, rows, width, na, nb);
    else addProduct(values, at, jacobian, base + na, weighted, 0, rows, width, nb, na);
  }

  /** Root of ℓ'(α): 1 where that is near enough */
  private search(
    { blocks: members, blockCount, groups, groupCount }: Island,
    v: Float64Array,
    free: Float64Array,
  ): number {
    const { terms, step, gradient, mass, blocks } = this;
    // of the quadratic part: slope at 0, and its rise
    let start = 0;
    let constant = 0;
    let rise = 0;
    for (let i = 0; i < blockCount; i++) {
      const first = this.starts[i];
      blocks.applyMass(members[i], step, mass);
      for (let k = first; k < first + this.sizes[i]; k++) {
        start += gradient[k] * step[k];
        rise += mass[k] * step[k];
        constant += mass[k] * (v[k] - free[k]);
      }
    }
    if (!(start < 0)) return 0;
    const { u, du, trial, gamma } = terms;
    const slopeAt = (alpha: number): number => {
      let sum = constant + alpha * rise;
      for (let i = 0; i < groupCount; i++) {
        const g = groups[i];
        for (let r = terms.firstRow[g]; r < terms.firstRow[g + 1]; r++) trial[r] = u[r] + alpha * du[r];
        terms.evaluate(g, trial, false);
        for (let r = terms.firstRow[g]; r < terms.firstRow[g + 1]; r++) sum -= gamma[r] * du[r];
      }
      return sum;
    };
    const enough = -SEARCHED * start;
    let high = 1;
    let atHigh = slopeAt(1);
    if (Math.abs(atHigh) <= enough) return 1;
    let low = 0;
    let atLow = start;
    if (atHigh < 0) {
      // a longer step does better
      for (let k = 0; k < 10 && atHigh < -enough; k++) {
        low = high;
        atLow = atHigh;
        high *= 2;
        atHigh = slopeAt(high);
      }
      if (atHigh < -enough || Math.abs(atHigh) <= enough) return high;
    }
    // regula falsi with halved ends (Illinois): ℓ' only rises
    let side = 0;
    let alpha = high;
    for (let k = 0; k < MOST_TRIALS; k++) {
      alpha = (low * atHigh - high * atLow) / (atHigh - atLow);
      if (!(alpha > low && alpha < high)) alpha = 0.5 * (low + high);
      const value = slopeAt(alpha);
      if (Math.abs(value) <= enough) break;
      if (value < 0) {
        low = alpha;
        atLow = value;
        if (side < 0) atHigh *= 0.5;
        side = -1;
      } else {
        high = alpha;
        atHigh = value;
        if (side > 0) atLow *= 0.5;
        side = 1;
      }
      if (high - low < 1e-12 * high) break;
    }
    return alpha;
  }

  /** Fast enough for its energy to matter: what rests is left alone, for what the tolerance allows is κ times as much in the next step. */
  private moves(v: Float64Array, speed: number): boolean {
    for (let i = 0; i < this.sizes.length && i < this.entered; i++)
      for (let k = this.starts[i]; k < this.starts[i] + this.sizes[i]; k++)
        if (Math.abs(v[k]) > MOVING * speed) return true;
    return false;
  }

  /** v ← v* + M⁻¹ Σ Jᵀ γ */
  private balance(
    { blocks: members, blockCount, groups, groupCount }: Island,
    v: Float64Array,
    free: Float64Array,
  ): void {
    const { gradient, terms, blocks } = this;
    for (let i = 0; i < blockCount; i++) gradient.fill(0, this.starts[i], this.starts[i] + this.sizes[i]);
    for (let i = 0; i < groupCount; i++) terms.subtractImpulse(groups[i], gradient);
    for (let i = 0; i < blockCount; i++) {
      blocks.solveMass(members[i], gradient);
      const first = this.starts[i];
      for (let k = first; k < first + this.sizes[i]; k++) v[k] = free[k] - gradient[k];
    }
  }
}

/** Lower triangle of C += Jᵀ W over rows, which is symmetric: C of n × n, J's columns from `j`, W's from `w` on, both `width` wide */
function addSquare(
  c: Float64Array,
  at: number,
  jacobian: Float64Array,
  j: number,
  weighted: Float64Array,
  w: number,
  rows: number,
  width: number,
  n: number,
): void {
  for (let r = 0; r < rows; r++) {
    const p = j + r * width;
    const q = w + r * width;
    if (n === 6) {
      const w0 = weighted[q];
      const w1 = weighted[q + 1];
      const w2 = weighted[q + 2];
      const w3 = weighted[q + 3];
      const w4 = weighted[q + 4];
      const w5 = weighted[q + 5];
      if (w0 === 0 && w1 === 0 && w2 === 0 && w3 === 0 && w4 === 0 && w5 === 0) continue;
      const x1 = jacobian[p + 1];
      const x2 = jacobian[p + 2];
      const x3 = jacobian[p + 3];
      const x4 = jacobian[p + 4];
      const x5 = jacobian[p + 5];
      c[at] += jacobian[p] * w0;
      c[at + 6] += x1 * w0;
      c[at + 7] += x1 * w1;
      c[at + 12] += x2 * w0;
      c[at + 13] += x2 * w1;
      c[at + 14] += x2 * w2;
      c[at + 18] += x3 * w0;
      c[at + 19] += x3 * w1;
      c[at + 20] += x3 * w2;
      c[at + 21] += x3 * w3;
      c[at + 24] += x4 * w0;
      c[at + 25] += x4 * w1;
      c[at + 26] += x4 * w2;
      c[at + 27] += x4 * w3;
      c[at + 28] += x4 * w4;
      c[at + 30] += x5 * w0;
      c[at + 31] += x5 * w1;
      c[at + 32] += x5 * w2;
      c[at + 33] += x5 * w3;
      c[at + 34] += x5 * w4;
      c[at + 35] += x5 * w5;
      continue;
    }
    for (let i = 0; i < n; i++) {
      const x = jacobian[p + i];
      for (let k = 0; k <= i; k++) c[at + n * i + k] += x * weighted[q + k];
    }
  }
}

/** C += Jᵀ W over rows: C of n × m, J's columns from `j`, W's from `w` on, both `width` wide */
function addProduct(
  c: Float64Array,
  at: number,
  jacobian: Float64Array,
  j: number,
  weighted: Float64Array,
  w: number,
  rows: number,
  width: number,
  n: number,
  m: number,
): void {
  for (let r = 0; r < rows; r++) {
    const p = j + r * width;
    const q = w + r * width;
    if (m === 6) {
      const w0 = weighted[q];
      const w1 = weighted[q + 1];
      const w2 = weighted[q + 2];
      const w3 = weighted[q + 3];
      const w4 = weighted[q + 4];
      const w5 = weighted[q + 5];
      if (w0 === 0 && w1 === 0 && w2 === 0 && w3 === 0 && w4 === 0 && w5 === 0) continue;
      for (let i = 0, to = at; i < n; i++, to += 6) {
        const x = jacobian[p + i];
        c[to] += x * w0;
        c[to + 1] += x * w1;
        c[to + 2] += x * w2;
        c[to + 3] += x * w3;
        c[to + 4] += x * w4;
        c[to + 5] += x * w5;
      }
      continue;
    }
    for (let i = 0; i < n; i++) {
      const x = jacobian[p + i];
      for (let k = 0; k < m; k++) c[at + m * i + k] += x * weighted[q + k];
    }
  }
}
