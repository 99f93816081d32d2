/**
 * The terms ℓ_c(J_c v) of the problem of a step, flat. A *group* is what acts between two blocks of velocities (or on one): its rows J, and terms on
 * some of them each. Impulses γ = −∇ℓ and their slopes G = −∂γ/∂u ≥ 0, by the velocities u = J v + bias of the rows:
 *
 *   normal   one row:  d = −(φ + h u),  γ = h k dⁿ max(0, 1 − c u) for d > 0, else 0     rigid contact made regular: n = 1, c = 0
 *   bounded  up to 3:  W = S + s u,  F = W where |W| ≤ L, else L W/|W|,  γ = −h F        springs, dampers (L = ∞), motors, drag, dry friction in a joint, at a point
 *   patch    3:        the same with the set that the patch can bear in place of the ball (contact-laws/torsion/limit-surface.ts)
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
import type { VelocityBlocks } from './velocity-blocks.js';

export const TERM = { normal: 0, bounded: 1, patch: 2 } as const;
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
  /** Per group: its blocks, −1: none; first row, and first term; where its Jacobian starts */
  blockA = new Int32Array(64);
  blockB = new Int32Array(64);
  firstRow = new Int32Array(128);
  firstTerm = new Int32Array(128);
  jacobianAt = new Int32Array(64);
  /** Rows of a group one after the other: those of its first block, then those of its second */
  jacobian = new Float64Array(4096);
  private used = 0;
  /** Per row: what prescribed motions add to J v; u at the present v; along the step that is searched; γ */
  bias = new Float64Array(256);
  u = new Float64Array(256);
  du = new Float64Array(256);
  gamma = new Float64Array(256);
  trial = new Float64Array(256);
  /** Per term */
  kind = new Uint8Array(256);
  row = new Int32Array(512);
  values = new Float64Array(WIDTH * 256);
  /** Slope: one number of a normal term, rows² of others */
  slope = new Float64Array(9 * 256);
  /** 1: the last step took W within the limit or past zero */
  private braked = new Uint8Array(256);
  /** 3: slip direction of the last search on a limit surface, to begin the next with */
  private directions = new Float64Array(3 * 256);
  patches: (PatchContour | undefined)[] = [];
  private readonly surface = new LimitSurface();

  constructor(private readonly blocks: VelocityBlocks) {}

  begin(h: number): void {
    this.h = h;
    this.groups = this.rows = this.terms = this.used = 0;
    this.firstRow[0] = this.firstTerm[0] = this.row[0] = 0;
  }

  /** A new group between two blocks; −1: none. Two that are the same are to be given as the first, with −1. */
  open(a: number, b: number): void {
    const g = this.groups++;
    if (g >= this.blockA.length) this.growGroups();
    this.blockA[g] = a;
    this.blockB[g] = b;
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
    if (r + 1 >= this.u.length) this.growRows();
    this.bias[r] = 0;
    this.firstRow[g + 1] = this.rows;
    const at = this.used;
    this.used += this.width(g);
    if (this.used > this.jacobian.length) {
      const more = new Float64Array(2 * this.used);
      more.set(this.jacobian);
      this.jacobian = more;
    }
    this.jacobian.fill(0, at, this.used);
    return at;
  }

  private width(g: number): number {
    const { size } = this.blocks;
    return (this.blockA[g] < 0 ? 0 : size[this.blockA[g]]) + (this.blockB[g] < 0 ? 0 : size[this.blockB[g]]);
  }

  /** A term on the last rows of the open group that have none yet */
  addTerm(kind: number, patch?: PatchContour): number {
    const t = this.terms++;
    if (t >= this.kind.length) this.growTerms();
    this.kind[t] = kind;
    this.row[t + 1] = this.rows;
    this.patches[t] = patch;
    this.directions.fill(0, 3 * t, 3 * t + 3);
    this.firstTerm[this.groups] = this.terms;
    return t;
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
  }

  setLimit(t: number, limit: number): void {
    this.values[WIDTH * t + LIMIT] = limit;
  }

  setRise(t: number, rise: number): void {
    this.values[WIDTH * t + RISE] = rise;
  }

  stiffnessOf(t: number): number {
    return this.values[WIDTH * t + STIFFNESS];
  }

  exponentOf(t: number): number {
    return this.values[WIDTH * t + EXPONENT];
  }

  /** h k dⁿ of a normal term, N s */
  elasticImpulse(t: number, u: number): number {
    const depth = -(this.values[WIDTH * t + GAP] + this.h * u);
    if (!(depth > 0)) return 0;
    return this.h * this.stiffnessOf(t) * depth * (this.exponentOf(t) === 1 ? 1 : Math.sqrt(depth));
  }

  gapOf(t: number): number {
    return this.values[WIDTH * t + GAP];
  }

  limitOf(t: number): number {
    return this.values[WIDTH * t + LIMIT];
  }

  /** u = J v + bias of the rows of a group; v a vector of all blocks. With `change`: du = J v */
  velocities(g: number, v: Float64Array, out: Float64Array, biased: boolean): void {
    const { jacobian, blocks } = this;
    const a = this.blockA[g];
    const b = this.blockB[g];
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

  /** out −= Jᵀ γ of a group */
  subtractImpulse(g: number, out: Float64Array): void {
    const { jacobian, blocks, gamma } = this;
    const a = this.blockA[g];
    const b = this.blockB[g];
    const na = a < 0 ? 0 : blocks.size[a];
    const nb = b < 0 ? 0 : blocks.size[b];
    const atA = a < 0 ? 0 : blocks.at[a];
    const atB = b < 0 ? 0 : blocks.at[b];
    let j = this.jacobianAt[g];
    for (let r = this.firstRow[g]; r < this.firstRow[g + 1]; r++) {
      const impulse = gamma[r];
      if (impulse === 0) {
        j += na + nb;
        continue;
      }
      for (let k = 0; k < na; k++) out[atA + k] -= jacobian[j++] * impulse;
      for (let k = 0; k < nb; k++) out[atB + k] -= jacobian[j++] * impulse;
    }
  }

  /** Impulses of all terms of a group at the velocities `u`, and their slopes */
  evaluate(g: number, u: Float64Array, withSlopes: boolean): void {
    const { h, kind, row, values, gamma, slope } = this;
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      const r = row[t];
      const at = WIDTH * t;
      if (kind[t] === TERM.normal) {
        const depth = -(values[at + GAP] + h * u[r]);
        const factor = 1 - values[at + DAMPING] * u[r];
        if (!(depth > 0 && factor > 0)) {
          gamma[r] = 0;
          if (withSlopes) slope[9 * t] = 0;
          continue;
        }
        const k = values[at + STIFFNESS];
        if (values[at + EXPONENT] === 1) {
          gamma[r] = h * k * depth * factor;
          if (withSlopes) slope[9 * t] = h * k * (h * factor + depth * values[at + DAMPING]);
        } else {
          const root = Math.sqrt(depth);
          gamma[r] = h * k * depth * root * factor;
          if (withSlopes) slope[9 * t] = h * k * root * (1.5 * h * factor + depth * values[at + DAMPING]);
        }
        continue;
      }
      this.evaluateBounded(t, r, row[t + 1] - r, u, withSlopes);
    }
  }

  private evaluateBounded(t: number, r: number, rows: number, u: Float64Array, withSlopes: boolean): void {
    const { h, values, gamma, slope } = this;
    const at = WIDTH * t;
    const rise = values[at + RISE];
    const limit = values[at + LIMIT];
    const s = 9 * t;
    if (!(limit > 0)) {
      for (let k = 0; k < rows; k++) gamma[r + k] = 0;
      if (withSlopes) slope.fill(0, s, s + rows * rows);
      return;
    }
    const w1 = values[at + FORCE] + rise * u[r];
    const w2 = rows > 1 ? values[at + FORCE + 1] + rise * u[r + 1] : 0;
    const w3 = rows > 2 ? values[at + FORCE + 2] + rise * u[r + 2] : 0;
    const patch = this.patches[t];
    if (patch && patch.count > 0 && rows === 3) {
      const { surface, directions } = this;
      const d = 3 * t;
      const known = directions[d] !== 0 || directions[d + 1] !== 0 || directions[d + 2] !== 0;
      const outside = known
        ? surface.project(patch, limit, w1, w2, w3, directions[d], directions[d + 1], directions[d + 2])
        : surface.project(patch, limit, w1, w2, w3, u[r], u[r + 1], u[r + 2]);
      const { force, byWrench, direction } = surface;
      if (outside) for (let k = 0; k < 3; k++) directions[d + k] = direction[k];
      for (let k = 0; k < 3; k++) gamma[r + k] = -h * force[k];
      if (!withSlopes) return;
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) slope[s + 3 * i + j] = 0.5 * h * rise * (byWrench[3 * i + j] + byWrench[3 * j + i]);
      if (outside && this.braked[t] !== 0) {
        const square = w1 * w1 + w2 * w2 + w3 * w3;
        this.addSecant(
          s,
          3,
          (h * rise * (force[0] * w1 + force[1] * w2 + force[2] * w3)) / (square * square),
          w1,
          w2,
          w3,
        );
      }
      return;
    }
    const square = w1 * w1 + w2 * w2 + w3 * w3;
    if (square <= limit * limit) {
      gamma[r] = -h * w1;
      if (rows > 1) gamma[r + 1] = -h * w2;
      if (rows > 2) gamma[r + 2] = -h * w3;
      if (withSlopes) {
        slope.fill(0, s, s + rows * rows);
        for (let k = 0; k < rows; k++) slope[s + rows * k + k] = h * rise;
      }
      return;
    }
    const per = 1 / Math.sqrt(square);
    const share = limit * per;
    gamma[r] = -h * share * w1;
    if (rows > 1) gamma[r + 1] = -h * share * w2;
    if (rows > 2) gamma[r + 2] = -h * share * w3;
    if (!withSlopes) return;
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < rows; j++) {
        const qi = per * (i === 0 ? w1 : i === 1 ? w2 : w3);
        const qj = per * (j === 0 ? w1 : j === 1 ? w2 : w3);
        slope[s + rows * i + j] = h * rise * share * ((i === j ? 1 : 0) - qi * qj);
      }
    if (this.braked[t] !== 0) this.addSecant(s, rows, h * rise * share * per * per, w1, w2, w3);
  }

  /** slope += c W Wᵀ */
  private addSecant(s: number, rows: number, c: number, w1: number, w2: number, w3: number): void {
    const { slope } = this;
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < rows; j++)
        slope[s + rows * i + j] += c * (i === 0 ? w1 : i === 1 ? w2 : w3) * (j === 0 ? w1 : j === 1 ? w2 : w3);
  }

  /** Before the first step of a solution: any slip may end. */
  brakeAll(g: number): void {
    this.braked.fill(1, this.firstTerm[g], this.firstTerm[g + 1]);
  }

  /** Marks what a whole step along `du` brakes to its end: for the slopes of the next. */
  foresee(g: number): void {
    const { kind, row, values, u, du, braked } = this;
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      if (kind[t] === TERM.normal) continue;
      const at = WIDTH * t;
      const rise = values[at + RISE];
      const limit = values[at + LIMIT];
      let square = 0;
      let along = 0;
      for (let r = row[t], k = at + FORCE; r < row[t + 1]; r++, k++) {
        const w = values[k] + rise * u[r];
        square += w * w;
        along += w * (w + rise * du[r]);
      }
      braked[t] = square > limit * limit && along < limit * Math.sqrt(square) ? 1 : 0;
    }
  }

  /** Replaces the slopes of patches by the largest they can have, h s. */
  boundSlopes(g: number): void {
    for (let t = this.firstTerm[g]; t < this.firstTerm[g + 1]; t++) {
      if (this.kind[t] !== TERM.patch || !(this.values[WIDTH * t + LIMIT] > 0)) continue;
      this.slope.fill(0, 9 * t, 9 * t + 9);
      for (let k = 0; k < 9; k += 4) this.slope[9 * t + k] = this.h * this.values[WIDTH * t + RISE];
    }
  }

  private growGroups(): void {
    this.blockA = longerInt(this.blockA);
    this.blockB = longerInt(this.blockB);
    this.jacobianAt = longerInt(this.jacobianAt);
    this.firstRow = longerInt(this.firstRow);
    this.firstTerm = longerInt(this.firstTerm);
  }

  private growRows(): void {
    this.bias = longer(this.bias);
    this.u = longer(this.u);
    this.du = longer(this.du);
    this.gamma = longer(this.gamma);
    this.trial = longer(this.trial);
  }

  private growTerms(): void {
    const kind = new Uint8Array(2 * this.kind.length);
    kind.set(this.kind);
    this.kind = kind;
    const braked = new Uint8Array(2 * this.braked.length);
    braked.set(this.braked);
    this.braked = braked;
    this.directions = longer(this.directions);
    this.row = longerInt(this.row);
    this.values = longer(this.values);
    this.slope = longer(this.slope);
  }
}

function longer(array: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * array.length);
  more.set(array);
  return more;
}

function longerInt(array: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * array.length);
  more.set(array);
  return more;
}
