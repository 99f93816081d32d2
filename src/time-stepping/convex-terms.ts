/**
 * The terms ℓ_c(J_c v) of the problem of a step, flat. A *group* is what acts between two blocks of velocities (or on one): its rows J, and terms on
 * some of them each. Impulses γ = −∇ℓ and their slopes G = −∂γ/∂u ≥ 0, by the velocities u = J v + bias of the rows:
 *
 *   normal   one row:  d = −(φ + h u),  γ = h k dⁿ max(0, 1 − c u) for d > 0, else 0     rigid contact made regular: n = 1, c = 0
 *   bounded  up to 3:  W = S + s u,  F = W where |W| ≤ L, else L W/|W|,  γ = −h F        springs, dampers (L = ∞), motors, drag, dry friction in a joint, at a point
 *   patch    3:        the same with the set that the patch can bear in place of the ball (contact-laws/torsion/limit-surface.ts)
 *   coupled  any:      γ of all rows by u of all rows, as its law tells: pressed surfaces that give (flexible-pair.ts)
 *
 *   φ gap, m   k stiffness, N/mⁿ   c damping, s/m   S force at u = 0, N   s its rise with u, N s/m   L limit, N
 *
 * Each falls with its own velocity, so every ℓ is convex.
 *
 * Where W is beyond the limit the slope along W is 0, and a Newton step that brakes a slip runs past its end, reverses it, and is cut short at the first of
 * many that do so. Those that the step before ran past its end (`foresee`) have the secant L/|W| there in place of the tangent: it bounds ℓ from above, and
 * the step ends where slip does.
 */
import { LimitSurface } from '../contact-laws/torsion/limit-surface.js';
import type { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import { SLOT, type StepMemory } from './step-memory.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** A patch is `bounded` while it has no contour; `patch` terms are evaluated here, all others by the kernels. */
export const TERM = { normal: 0, bounded: 1, patch: 2 } as const;
/** Impulses γ(u) of rows that act on each other, the falling gradient of a convex function; slopes −∂γ/∂u, symmetric and ≥ 0 */
export interface CoupledLaw {
  /** From index `row` on, slopes rows × rows from `at` on where they are asked for. @param alpha, du the velocities are u + α du */
  evaluate(
    u: Float64Array,
    du: Float64Array,
    alpha: number,
    row: number,
    gamma: Float64Array,
    slope: Float64Array | undefined,
    at: number,
  ): void;
}

/** Numbers per term */
const WIDTH = 8;
/** Their places: of a normal term */
const GAP = 0;
const STIFFNESS = 1;
const EXPONENT = 2;
const DAMPING = 3;
/** of the others: S takes three */
const FORCE = 0;
const RISE = 3;
const LIMIT = 4;

export class ConvexTerms {
  /** s */
  h = 0;
  groups = 0;
  rows = 0;
  terms = 0;
  /** Per group: its two blocks, −1: none; first row, and first term; where its Jacobian starts */
  ends!: Int32Array;
  firstRow!: Int32Array;
  firstTerm!: Int32Array;
  jacobianAt!: Int32Array;
  /** Rows of a group one after the other: those of its first block, then those of its second */
  jacobian!: Float64Array;
  private used = 0;
  /** Per row: what prescribed motions add to J v; u at the present v; along the step that is searched; γ */
  bias!: Float64Array;
  u!: Float64Array;
  du!: Float64Array;
  gamma!: Float64Array;
  /** Room for other velocities of rows */
  trial = new Float64Array(256);
  /** Per term */
  kind!: Int32Array;
  row!: Int32Array;
  values!: Float64Array;
  /** Slope: one number of a normal term, rows² of others */
  slope!: Float64Array;
  /** 1: the last step took W within the limit or past zero */
  private braked!: Int32Array;
  /** 3: slip direction of the last search on a limit surface, to begin the next with */
  private directions = new Float64Array(3 * 256);
  patches: (PatchContour | undefined)[] = [];
  private readonly coupled: (CoupledLaw | undefined)[] = [];
  private readonly surface = new LimitSurface();

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly memory: StepMemory,
  ) {
    memory.watch(() => {
      this.ends = memory.ints(SLOT.ends);
      this.firstRow = memory.ints(SLOT.firstRow);
      this.firstTerm = memory.ints(SLOT.firstTerm);
      this.jacobianAt = memory.ints(SLOT.jacobianAt);
      this.jacobian = memory.floats(SLOT.jacobian);
      this.bias = memory.floats(SLOT.bias);
      this.u = memory.floats(SLOT.u);
      this.du = memory.floats(SLOT.du);
      this.gamma = memory.floats(SLOT.gamma);
      this.kind = memory.ints(SLOT.kind);
      this.row = memory.ints(SLOT.row);
      this.values = memory.floats(SLOT.values);
      this.slope = memory.floats(SLOT.slope);
      this.braked = memory.ints(SLOT.braked);
    });
    this.reserveGroups(64);
    this.reserveRows(256);
    this.reserveTerms(256);
    memory.reserve(SLOT.jacobian, 4096);
  }

  begin(h: number): void {
    this.h = h;
    this.memory.floats(SLOT.numbers)[0] = h;
    this.groups = this.rows = this.terms = this.used = 0;
    this.firstRow[0] = this.firstTerm[0] = this.row[0] = 0;
  }

  /** A new group between two blocks; −1: none. Two that are the same are to be given as the first, with −1. */
  open(a: number, b: number): void {
    const g = this.groups++;
    if (g + 1 >= this.jacobianAt.length) this.reserveGroups(2 * (g + 2));
    this.ends[2 * g] = a;
    this.ends[2 * g + 1] = b;
    this.jacobianAt[g] = this.used;
    this.firstRow[g] = this.rows;
    this.firstTerm[g] = this.terms;
    this.firstRow[g + 1] = this.rows;
    this.firstTerm[g + 1] = this.terms;
  }

  /** Takes the last group back. */
  drop(): void {
    const g = --this.groups;
    this.rows = this.firstRow[g];
    this.terms = this.firstTerm[g];
    this.used = this.jacobianAt[g];
  }

  /** A row of the open group, all zero; gives where the part of its first block starts in `jacobian`. */
  addRow(): number {
    const g = this.groups - 1;
    const r = this.rows++;
    if (r + 1 >= this.u.length) this.reserveRows(2 * (r + 2));
    this.bias[r] = 0;
    this.firstRow[g + 1] = this.rows;
    const at = this.used;
    this.used += this.width(g);
    if (this.used > this.jacobian.length) this.memory.reserve(SLOT.jacobian, 2 * this.used);
    this.jacobian.fill(0, at, this.used);
    return at;
  }

  /** Leaves nothing of a group but its ends: rows without a Jacobian. */
  silence(g: number): void {
    const rows = this.firstRow[g + 1] - this.firstRow[g];
    const at = this.jacobianAt[g];
    this.jacobian.fill(0, at, at + rows * this.width(g));
    this.bias.fill(0, this.firstRow[g], this.firstRow[g + 1]);
    this.gamma.fill(0, this.firstRow[g], this.firstRow[g + 1]);
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      this.coupled[t] = undefined;
      this.kind[t] = TERM.patch;
      this.values[WIDTH * t + LIMIT] = 0;
      this.slope.fill(0, 9 * t, 9 * t + 9);
    }
  }

  /** Takes the last row of the open group back; it has no term yet. */
  dropRow(): void {
    const g = this.groups - 1;
    this.firstRow[g + 1] = --this.rows;
    this.used -= this.width(g);
  }

  private width(g: number): number {
    const { size } = this.blocks;
    const a = this.ends[2 * g];
    const b = this.ends[2 * g + 1];
    return (a < 0 ? 0 : size[a]) + (b < 0 ? 0 : size[b]);
  }

  /** A term on the last rows of the open group that have none yet */
  addTerm(kind: number, patch?: PatchContour): number {
    const t = this.terms++;
    if (t + 1 >= this.kind.length) this.reserveTerms(2 * (t + 2));
    this.kind[t] = kind === TERM.patch ? TERM.bounded : kind;
    this.row[t + 1] = this.rows;
    this.patches[t] = patch;
    this.coupled[t] = undefined;
    this.directions.fill(0, 3 * t, 3 * t + 3);
    this.firstTerm[this.groups] = this.terms;
    return t;
  }

  /** One law on all of the last rows of the open group that have no term yet. Slopes take the room of as many terms as they need, which have no rows. */
  addCoupled(law: CoupledLaw): number {
    const first = this.addTerm(TERM.normal);
    const rows = this.row[first + 1] - this.row[first];
    for (let room = 9; room < rows * rows; room += 9) {
      const t = this.addTerm(TERM.normal);
      this.kind[t] = TERM.patch;
      this.values[WIDTH * t + LIMIT] = 0;
    }
    this.kind[first] = TERM.patch;
    this.values[WIDTH * first + LIMIT] = Number.POSITIVE_INFINITY; // it may act whenever it is asked
    this.coupled[first] = law;
    return first;
  }

  setNormal(t: number, gap: number, stiffness: number, exponent: number, damping: number): void {
    const at = WIDTH * t;
    this.values[at + GAP] = gap;
    this.values[at + STIFFNESS] = stiffness;
    this.values[at + EXPONENT] = exponent;
    this.values[at + DAMPING] = damping;
  }

  setGap(t: number, gap: number): void {
    this.values[WIDTH * t + GAP] = gap;
  }

  setBounded(t: number, s1: number, s2: number, s3: number, rise: number, limit: number): void {
    const at = WIDTH * t;
    this.values[at + FORCE] = s1;
    this.values[at + FORCE + 1] = s2;
    this.values[at + FORCE + 2] = s3;
    this.values[at + RISE] = rise;
    this.values[at + LIMIT] = limit;
    const patch = this.patches[t];
    if (patch) this.kind[t] = patch.count > 0 && limit > 0 ? TERM.patch : TERM.bounded;
  }

  setRise(t: number, rise: number): void {
    this.values[WIDTH * t + RISE] = rise;
  }

  riseOf(t: number): number {
    return this.values[WIDTH * t + RISE];
  }

  setLimit(t: number, limit: number): void {
    this.values[WIDTH * t + LIMIT] = limit;
  }

  stiffnessOf(t: number): number {
    return this.values[WIDTH * t + STIFFNESS];
  }

  limitOf(t: number): number {
    return this.values[WIDTH * t + LIMIT];
  }

  /** u = J v + bias of the rows of a group; v a vector of all blocks. With `change`: du = J v */
  velocities(g: number, v: Float64Array, out: Float64Array, biased: boolean): void {
    const { jacobian, blocks } = this;
    const a = this.ends[2 * g];
    const b = this.ends[2 * g + 1];
    const na = a < 0 ? 0 : blocks.size[a];
    const nb = b < 0 ? 0 : blocks.size[b];
    const atA = a < 0 ? 0 : blocks.at[a];
    const atB = b < 0 ? 0 : blocks.at[b];
    let j = this.jacobianAt[g];
    for (let r = this.firstRow[g]; r < this.firstRow[g + 1]; r++) {
      let sum = biased ? this.bias[r] : 0;
      for (let k = 0; k < na; k++) sum += jacobian[j++] * v[atA + k];
      for (let k = 0; k < nb; k++) sum += jacobian[j++] * v[atB + k];
      out[r] = sum;
    }
  }

  /** The same of all groups, biased */
  allVelocities(v: Float64Array, out: Float64Array): void {
    for (let g = 0; g < this.groups; g++) this.velocities(g, v, out, true);
  }

  /** out += Jᵀ γ of a group; a vector of all blocks */
  addImpulse(g: number, out: Float64Array): void {
    const { jacobian, blocks, gamma } = this;
    let j = this.jacobianAt[g];
    for (let r = this.firstRow[g]; r < this.firstRow[g + 1]; r++)
      for (let end = 2 * g; end < 2 * g + 2; end++) {
        const b = this.ends[end];
        for (let k = 0; b >= 0 && k < blocks.size[b]; k++) out[blocks.at[b] + k] += jacobian[j++] * gamma[r];
      }
  }

  /**
   * Velocities of all blocks to which motors, springs and other bounded terms so far push, each for itself: out = v + M⁻¹ Σ Jᵀ γ, γ = −h F/(1 + h s w), w mobility of the row.
   * A guess of where bodies would go if nothing touched, that tells how far contact is to be looked for.
   */
  pushedTo(v: Float64Array, out: Float64Array): void {
    const { blocks, kind, row, values, h, jacobian, trial } = this;
    out.fill(0);
    for (let g = 0; g < this.groups; g++) {
      const a = this.ends[2 * g];
      const b = this.ends[2 * g + 1];
      const na = a < 0 ? 0 : blocks.size[a];
      const nb = b < 0 ? 0 : blocks.size[b];
      this.velocities(g, v, trial, true);
      for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
        if (kind[t] === TERM.normal) continue;
        const at = WIDTH * t;
        const rise = values[at + RISE];
        let square = 0;
        for (let r = row[t]; r < row[t + 1]; r++) {
          trial[r] = values[at + FORCE + r - row[t]] + rise * trial[r];
          square += trial[r] * trial[r];
        }
        const limit = values[at + LIMIT];
        const share = square > limit * limit ? limit / Math.sqrt(square) : 1;
        for (let r = row[t]; r < row[t + 1]; r++) {
          const j = this.jacobianAt[g] + (na + nb) * (r - this.firstRow[g]);
          const w = (a < 0 ? 0 : blocks.mobility(a, jacobian, j)) + (b < 0 ? 0 : blocks.mobility(b, jacobian, j + na));
          const impulse = (-h * share * trial[r]) / (1 + h * rise * w);
          for (let k = 0; k < na; k++) out[blocks.at[a] + k] += jacobian[j + k] * impulse;
          for (let k = 0; k < nb; k++) out[blocks.at[b] + k] += jacobian[j + na + k] * impulse;
        }
      }
    }
    for (let b = 0; b < blocks.count; b++) blocks.solveMass(b, out);
    for (let k = 0; k < out.length; k++) out[k] += v[k];
  }

  /** Patches with a contour among the terms of a group */
  hasPatches(g: number): boolean {
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++)
      if (this.kind[t] === TERM.patch && this.patches[t]) return true;
    return false;
  }

  hasCoupled(g: number): boolean {
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) if (this.coupled[t]) return true;
    return false;
  }

  /** Impulses of coupled terms of a group at u + α du, and their slopes; gives Σ γ·du. */
  evaluateCoupled(g: number, alpha: number, withSlopes: boolean): number {
    const { row, u, du, gamma, slope } = this;
    let sum = 0;
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      const law = this.coupled[t];
      if (!law) continue;
      law.evaluate(u, du, alpha, row[t], gamma, withSlopes ? slope : undefined, 9 * t);
      if (alpha !== 0) for (let r = row[t]; r < row[t + 1]; r++) sum += gamma[r] * du[r];
      break; // a group has one; what follows is room for its slopes
    }
    return sum;
  }

  /** Patches of a group as their contours tell, or roughly: as balls, which the kernels evaluate. */
  setContours(g: number, rough: boolean): void {
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      const patch = this.patches[t];
      if (patch && patch.count > 0 && this.limitOf(t) > 0) this.kind[t] = rough ? TERM.bounded : TERM.patch;
    }
  }

  /** Impulses of patches of a group at u + α du, and their slopes; gives Σ γ·du. */
  evaluatePatches(g: number, alpha: number, withSlopes: boolean): number {
    const { kind, row, u, du, gamma } = this;
    let sum = 0;
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      if (kind[t] !== TERM.patch || !this.patches[t]) continue;
      const r = row[t];
      if (alpha === 0) this.evaluatePatch(t, r, u[r], u[r + 1], u[r + 2], withSlopes);
      else {
        this.evaluatePatch(
          t,
          r,
          u[r] + alpha * du[r],
          u[r + 1] + alpha * du[r + 1],
          u[r + 2] + alpha * du[r + 2],
          withSlopes,
        );
        sum += gamma[r] * du[r] + gamma[r + 1] * du[r + 1] + gamma[r + 2] * du[r + 2];
      }
    }
    return sum;
  }

  private evaluatePatch(t: number, r: number, u1: number, u2: number, u3: number, withSlopes: boolean): void {
    const { h, values, gamma, slope, surface, directions } = this;
    const at = WIDTH * t;
    const rise = values[at + RISE];
    const limit = values[at + LIMIT];
    const s = 9 * t;
    const w1 = values[at + FORCE] + rise * u1;
    const w2 = values[at + FORCE + 1] + rise * u2;
    const w3 = values[at + FORCE + 2] + rise * u3;
    const patch = this.patches[t]!;
    const d = 3 * t;
    const known = directions[d] !== 0 || directions[d + 1] !== 0 || directions[d + 2] !== 0;
    const n1 = known ? directions[d] : u1;
    const n2 = known ? directions[d + 1] : u2;
    const n3 = known ? directions[d + 2] : u3;
    const outside = surface.project(patch, limit, w1, w2, w3, n1, n2, n3, 1, withSlopes);
    const { force, byWrench, direction } = surface;
    if (outside) for (let k = 0; k < 3; k++) directions[d + k] = direction[k];
    for (let k = 0; k < 3; k++) gamma[r + k] = -h * force[k];
    if (!withSlopes) return;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) slope[s + 3 * i + j] = 0.5 * h * rise * (byWrench[3 * i + j] + byWrench[3 * j + i]);
    if (!outside || this.braked[t] === 0) return;
    const square = w1 * w1 + w2 * w2 + w3 * w3;
    const c = (h * rise * (force[0] * w1 + force[1] * w2 + force[2] * w3)) / (square * square);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        slope[s + 3 * i + j] += c * (i === 0 ? w1 : i === 1 ? w2 : w3) * (j === 0 ? w1 : j === 1 ? w2 : w3);
  }

  /** Replaces the slopes of patches by the largest they can have, h s. */
  boundSlopes(g: number): void {
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      if (this.kind[t] !== TERM.patch || !this.patches[t]) continue;
      this.slope.fill(0, 9 * t, 9 * t + 9);
      for (let k = 0; k < 9; k += 4) this.slope[9 * t + k] = this.h * this.values[WIDTH * t + RISE];
    }
  }

  private reserveGroups(count: number): void {
    const { memory } = this;
    memory.reserve(SLOT.ends, 2 * count);
    memory.reserve(SLOT.firstRow, count + 1);
    memory.reserve(SLOT.firstTerm, count + 1);
    memory.reserve(SLOT.jacobianAt, count);
    memory.reserve(SLOT.open, count);
  }

  private reserveRows(count: number): void {
    const { memory } = this;
    for (const slot of [SLOT.bias, SLOT.u, SLOT.du, SLOT.gamma]) memory.reserve(slot, count);
    if (this.trial.length < this.u.length) this.trial = new Float64Array(this.u.length);
  }

  private reserveTerms(count: number): void {
    const { memory } = this;
    memory.reserve(SLOT.kind, count);
    memory.reserve(SLOT.braked, count);
    memory.reserve(SLOT.row, count + 1);
    memory.reserve(SLOT.values, WIDTH * count);
    memory.reserve(SLOT.slope, 9 * count);
    if (this.directions.length < 3 * this.kind.length) {
      const more = new Float64Array(3 * this.kind.length);
      more.set(this.directions);
      this.directions = more;
    }
  }
}
