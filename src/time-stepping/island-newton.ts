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
 * Patches: the set that a contour can bear takes a search for every look at it. Where the first step with them is not the whole way, they are balls (of the same arm,
 * within an eighth) until these are in balance roughly, and Newton goes on from there with their contours: few steps, and whole ones.
 *
 * Castro, Permenter & Han (2022), doi 10.1109/TRO.2022.3209077; Castro, Han & Masterjohn (2023).
 */
import { flagRoom, intRoom } from '../math/room.js';
import type { ConvexTerms } from './convex-terms.js';
import { IslandMatrix } from './island-matrix.js';
import { SLOT, type StepMemory } from './step-memory.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export const MOST_ITERATIONS = 50;
/** Slope of the objective along the step, of that at its start, at which the whole step is taken as it is; at which a search along it may end */
const WHOLE = 0.5;
const SEARCHED = 0.2;
const MOST_TRIALS = 40;
/** Balls in place of contours are left at so many times the tolerance, but not below ROUGH of the speed. */
const ROUGHLY = 1e3;
const ROUGH = 1e-3;
/** Of the speed with which a gap changes: so much more may close it */
const CLOSING = 0.25;
/** Of the groups that were chosen for a solution: so many that are needed for the next let them be */
const MOSTLY = 0.85;
/** Of velocities */
const ROUNDING = 1e-13;
/** Of the speed that the tolerance is a part of */
const MOVING = 1e-4;
/** Of the tolerance, squared: as far from balance a solution may be that rounding ends */
const COARSE = 1e6;

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
  /** All groups from the start, whether their gaps can close or not (for tests) */
  everyGroup = false;
  private readonly matrix: IslandMatrix;
  private edges: Int32Array = new Int32Array(0);
  private sizes: Int32Array = new Int32Array(0);
  /** Of the island: groups with patches that have a contour */
  private patched: Int32Array = new Int32Array(0);
  private patchedCount = 0;
  /** With coupled terms */
  private coupled: Int32Array = new Int32Array(0);
  private coupledCount = 0;
  /** They are balls for now. */
  private rough = false;
  private blockCount = 0;
  /** Groups of the island, and those of them that may act: the first of the list */
  private all = 0;
  private groupCount = 0;
  /** Per group of the island: 1: it may act */
  private wakes: Uint8Array = new Uint8Array(0);
  /** The island has not been solved yet. */
  private fresh = true;
  /** Of the search: constant part and rise of the slope along the step */
  private constant = 0;
  private rise = 0;

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    private readonly memory: StepMemory,
  ) {
    this.matrix = new IslandMatrix(memory);
    const { velocity, count } = blocks;
    for (const slot of [SLOT.v, SLOT.free, SLOT.gradient, SLOT.step, SLOT.mass, SLOT.diagonal])
      memory.reserve(slot, velocity.length);
    for (const slot of [SLOT.size, SLOT.at, SLOT.massAt, SLOT.weight, SLOT.local, SLOT.starts, SLOT.members])
      memory.reserve(slot, count);
    memory.reserve(SLOT.masses, blocks.mass.length);
    memory.reserve(SLOT.factors, blocks.factor.length);
    memory.ints(SLOT.size).set(blocks.size);
    memory.ints(SLOT.at).set(blocks.at);
    memory.ints(SLOT.massAt).set(blocks.massAt);
  }

  /** At the start of a step: what blocks weigh */
  begin(): void {
    const { memory, blocks } = this;
    memory.floats(SLOT.diagonal).set(blocks.diagonal);
    memory.floats(SLOT.weight).set(blocks.weight);
    if (blocks.firstFree === 0) return;
    memory.floats(SLOT.masses).set(blocks.mass);
    memory.floats(SLOT.factors).set(blocks.factor);
  }

  /** Prepares for an island. */
  enter({ blocks: members, blockCount, groups, groupCount }: Island): void {
    const { blocks, terms, memory } = this;
    this.blockCount = blockCount;
    this.all = groupCount;
    this.fresh = true;
    memory.reserve(SLOT.groups, groupCount);
    memory.reserve(SLOT.off, groupCount);
    memory.reserve(SLOT.goesLater, groupCount);
    this.edges = intRoom(this.edges, 2 * groupCount);
    this.sizes = intRoom(this.sizes, blockCount);
    this.wakes = flagRoom(this.wakes, groupCount);
    const { sizes } = this;
    const local = memory.ints(SLOT.local);
    const starts = memory.ints(SLOT.starts);
    const own = memory.ints(SLOT.members);
    for (let i = 0; i < blockCount; i++) {
      const b = members[i];
      own[i] = b;
      local[b] = i;
      sizes[i] = blocks.size[b];
      starts[i] = blocks.at[b];
    }
    let numbers = 0;
    for (let i = 0; i < groupCount; i++) {
      const g = groups[i];
      const a = terms.ends[2 * g];
      const b = terms.ends[2 * g + 1];
      const width = (a < 0 ? 0 : blocks.size[a]) + (b < 0 ? 0 : blocks.size[b]);
      numbers = Math.max(numbers, width * (terms.firstRow[g + 1] - terms.firstRow[g]));
    }
    memory.reserve(SLOT.weighted, 2 * numbers);
  }

  /**
   * Which groups of the island the solution begins with: those whose gaps may close. In a pile that collides a third of them never do, and without them the factors have a fifth of the blocks.
   * What was chosen before is kept where it has all of them and few more.
   */
  private choose({ groups, groupCount }: Island, speed: number): void {
    const { memory, wakes } = this;
    const { kernels } = memory;
    const list = memory.ints(SLOT.groups);
    for (let i = 0; i < groupCount; i++) list[i] = groups[i];
    kernels.rowVelocities(0, groupCount);
    const needed = kernels.openGroups(0, groupCount, speed, CLOSING, this.fresh ? 1 : 0);
    const open = memory.ints(SLOT.open);
    let kept = !this.fresh && needed >= MOSTLY * this.groupCount;
    for (let i = 0; i < groupCount && kept; i++) kept = wakes[i] !== 0 || open[groups[i]] !== 0;
    this.fresh = false;
    if (!kept) for (let i = 0; i < groupCount; i++) wakes[i] = this.everyGroup || open[groups[i]] === 0 ? 1 : 0;
    this.arrange(groups, !kept);
  }

  /** After a step: groups that were left out and act after all go on with the others. */
  private wake({ groups }: Island, speed: number): void {
    const { memory, wakes, all, groupCount: from } = this;
    if (from === all) return;
    const { kernels } = memory;
    kernels.rowVelocities(from, all);
    if (kernels.openGroups(from, all, 0, 0, 0) === 0) return;
    kernels.openGroups(from, all, speed, CLOSING, 0);
    const open = memory.ints(SLOT.open);
    for (let i = 0; i < all; i++) if (wakes[i] === 0 && open[groups[i]] === 0) wakes[i] = 1;
    this.arrange(groups, true);
  }

  /** Lists the groups, those that may act first, and prepares the matrix for these. @param anew others than before */
  private arrange(groups: Int32Array, anew: boolean): void {
    const { terms, memory, matrix, edges, sizes, wakes, all } = this;
    const list = memory.ints(SLOT.groups);
    let awake = 0;
    for (let i = 0; i < all; i++) if (wakes[i] !== 0) list[awake++] = groups[i];
    let end = awake;
    for (let i = 0; i < all; i++) if (wakes[i] === 0) list[end++] = groups[i];
    if (!anew) return;
    this.groupCount = awake;
    const local = memory.ints(SLOT.local);
    let count = 0;
    for (let i = 0; i < awake; i++) {
      const a = terms.ends[2 * list[i]];
      const b = terms.ends[2 * list[i] + 1];
      if (a < 0 || b < 0) continue;
      edges[2 * count] = local[a];
      edges[2 * count + 1] = local[b];
      count++;
    }
    matrix.structure(this.blockCount, sizes, edges, count);
    // arrays may have moved
    const placed = memory.ints(SLOT.groups);
    const off = memory.ints(SLOT.off);
    const later = memory.ints(SLOT.goesLater);
    const number = memory.ints(SLOT.local);
    for (let i = 0; i < awake; i++) {
      const a = terms.ends[2 * placed[i]];
      const b = terms.ends[2 * placed[i] + 1];
      off[i] = a < 0 || b < 0 ? -1 : matrix.at(number[a], number[b]);
      later[i] = off[i] >= 0 && matrix.goesLater(number[a], number[b]) ? 1 : 0;
    }
  }

  /**
   * Solves for v, which holds where to begin, in place.
   *
   * @param free      v*
   * @param speed     m/s that the tolerance is a part of
   * @param contours  patches as their contours tell; else balls throughout, for what is only a start or tells loads
   */
  solve(
    island: Island,
    v: Float64Array,
    free: Float64Array,
    tolerance: number,
    speed: number,
    contours: boolean,
  ): void {
    const { memory, blockCount, matrix } = this;
    const { kernels } = memory;
    const { firstFree } = this.blocks;
    const allowed = tolerance * speed * tolerance * speed;
    this.iterations = 0;
    this.unsolved = false;
    this.copyIn(island, v, free);
    kernels.begin();
    this.choose(island, speed);
    this.listPatches();
    let mayBeRough = contours && this.patchedCount > 0;
    this.rough = false;
    if (!contours) this.setContours(true);
    const roughly = contours ? Math.max(ROUGHLY * tolerance, ROUGH) * speed : tolerance * speed;
    for (;;) {
      const { groupCount } = this;
      this.evaluate(0, true);
      if (kernels.imbalance(groupCount, blockCount, firstFree, this.rough ? roughly * roughly : allowed) !== 0) {
        if (!this.rough || !contours) break;
        this.setContours(false);
        continue;
      }
      if (this.iterations === MOST_ITERATIONS) {
        // of stiff contact of flexible bodies the rounding of gaps is force
        this.unsolved =
          this.coupledCount === 0 || kernels.imbalance(groupCount, blockCount, firstFree, COARSE * allowed) === 0;
        break;
      }
      this.iterations++;
      kernels.assembleMatrix(groupCount, blockCount, firstFree, matrix.used);
      if (kernels.factoriseMatrix(blockCount) === 0) {
        // slopes of patches that rounding has made indefinite: their upper bound leads down, too
        for (let i = 0; i < this.patchedCount && !this.rough; i++) this.terms.boundSlopes(this.patched[i]);
        kernels.assembleMatrix(groupCount, blockCount, firstFree, matrix.used);
        if (kernels.factoriseMatrix(blockCount) === 0) {
          this.unsolved = true;
          break;
        }
      }
      kernels.solveMatrix(blockCount);
      kernels.stepSums(blockCount, firstFree);
      const numbers = memory.floats(SLOT.numbers);
      const start = numbers[1];
      this.rise = numbers[2];
      this.constant = numbers[3];
      // what the step promises is rounding beside the energy that v differs from v* by
      if (-start <= ROUNDING * ROUNDING * numbers[4]) break;
      kernels.rowSteps(groupCount);
      const atWhole = this.slopeAt(1);
      if (mayBeRough && !(Math.abs(atWhole) <= -SEARCHED * start)) {
        mayBeRough = false;
        this.setContours(true);
        continue;
      }
      const alpha = this.search(start, atWhole);
      kernels.takeStep(groupCount, blockCount, alpha);
      this.wake(island, speed);
      if (!(alpha > 1e-10)) {
        if (this.rough && contours) {
          this.setContours(false);
          continue;
        }
        this.evaluate(0, true);
        if (kernels.imbalance(groupCount, blockCount, firstFree, COARSE * allowed) === 0) this.unsolved = true;
        break;
      }
    }
    if (this.rough) this.setContours(false);
    if (!this.unsolved && this.moves(island, speed)) kernels.balanceVelocities(this.groupCount, blockCount, firstFree);
    this.copyOut(island, v);
  }

  /** Patches by their contours, or roughly */
  private setContours(rough: boolean): void {
    for (let i = 0; i < this.patchedCount; i++) this.terms.setContours(this.patched[i], rough);
    this.rough = rough;
  }

  private listPatches(): void {
    const { groupCount } = this;
    const groups = this.memory.ints(SLOT.groups);
    this.patchedCount = this.coupledCount = 0;
    this.patched = intRoom(this.patched, groupCount);
    this.coupled = intRoom(this.coupled, groupCount);
    for (let i = 0; i < groupCount; i++) {
      if (this.terms.hasPatches(groups[i])) this.patched[this.patchedCount++] = groups[i];
      if (this.terms.hasCoupled(groups[i])) this.coupled[this.coupledCount++] = groups[i];
    }
  }

  private copyIn({ blocks: members, blockCount }: Island, v: Float64Array, free: Float64Array): void {
    const { at, size } = this.blocks;
    const ownV = this.memory.floats(SLOT.v);
    const ownFree = this.memory.floats(SLOT.free);
    for (let i = 0; i < blockCount; i++) {
      const end = at[members[i]] + size[members[i]];
      for (let k = at[members[i]]; k < end; k++) {
        ownV[k] = v[k];
        ownFree[k] = free[k];
      }
    }
  }

  private copyOut({ blocks: members, blockCount }: Island, v: Float64Array): void {
    const { at, size } = this.blocks;
    const ownV = this.memory.floats(SLOT.v);
    for (let i = 0; i < blockCount; i++) {
      const end = at[members[i]] + size[members[i]];
      for (let k = at[members[i]]; k < end; k++) v[k] = ownV[k];
    }
  }

  /** Impulses at u + α du; gives Σ γ·du */
  private evaluate(alpha: number, withSlopes: boolean): number {
    let sum = this.memory.kernels.evaluateTerms(this.groupCount, alpha, withSlopes ? 1 : 0);
    for (let i = 0; i < this.coupledCount; i++) sum += this.terms.evaluateCoupled(this.coupled[i], alpha, withSlopes);
    if (this.rough) return sum;
    for (let i = 0; i < this.patchedCount; i++) sum += this.terms.evaluatePatches(this.patched[i], alpha, withSlopes);
    return sum;
  }

  /** ℓ'(α) */
  private slopeAt(alpha: number): number {
    return this.constant + alpha * this.rise - this.evaluate(alpha, false);
  }

  /** Root of ℓ'(α): 1 where that is near enough. @param start ℓ'(0); @param atWhole ℓ'(1) */
  private search(start: number, atWhole: number): number {
    if (!(start < 0)) return 0;
    const enough = -SEARCHED * start;
    let high = 1;
    let atHigh = atWhole;
    if (Math.abs(atHigh) <= -WHOLE * start) return 1;
    let low = 0;
    let atLow = start;
    if (atHigh < 0) {
      // a longer step does better
      for (let k = 0; k < 10 && atHigh < -enough; k++) {
        low = high;
        atLow = atHigh;
        high *= 2;
        atHigh = this.slopeAt(high);
      }
      if (atHigh < -enough || Math.abs(atHigh) <= enough) return high;
    }
    // regula falsi with halved ends (Illinois): ℓ' only rises
    let side = 0;
    let alpha = high;
    for (let k = 0; k < MOST_TRIALS; k++) {
      alpha = (low * atHigh - high * atLow) / (atHigh - atLow);
      if (!(alpha > low && alpha < high)) alpha = 0.5 * (low + high);
      const value = this.slopeAt(alpha);
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
  private moves({ blocks: members, blockCount }: Island, speed: number): boolean {
    const { at, size } = this.blocks;
    const v = this.memory.floats(SLOT.v);
    for (let i = 0; i < blockCount; i++)
      for (let k = at[members[i]]; k < at[members[i]] + size[members[i]]; k++)
        if (Math.abs(v[k]) > MOVING * speed) return true;
    return false;
  }
}
