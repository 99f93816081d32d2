/**
 * Closed loops and other constraints on the tree: rows, the independent ones among them, reactions, and projection.
 *
 * Accelerations: free of constraints a₀, then a = a₀ + M⁻¹ Gᵀ λ so that no kept row accelerates. The set of independent rows is chosen
 * at the start of a step and kept for it; all other rows follow from them, and their multipliers are reported as zero: with redundant
 * constraints the split of reactions is not unique.
 *
 * Pivoted Gram–Schmidt on the rows in the norm of M⁻¹, each against the size it would have if nothing cancelled (so that a row that
 * says nothing, as out of the plane of a planar linkage, is rounding and not a constraint); rest below 1e-6: dependent.
 */
import type { System } from '../../assembly/system.js';
import type { Tape } from '../../math/tape.js';
import type { ArticulatedBody } from '../articulated/articulated-body.js';
import type { PairDerivative } from '../elements/pair-element.js';
import type { Carriers } from '../tree/carriers.js';
import type { DrivenMotion } from '../tree/driven-motion.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { RowMotion } from './constraint-rows.js';
import { type LoopRow, loopRows, mechanismSize, type RowGroup, rowGroups } from './loop-rows.js';
import { RowBasis } from './row-basis.js';
import { RowDerivatives } from './row-derivatives.js';

export const RANK_TOLERANCE = 1e-6;

export class Loops {
  readonly rows: readonly LoopRow[];
  /** Pairs of carriers that rows of one constraint tie, for the turning of their reactions */
  readonly groups: readonly RowGroup[];
  readonly nv: number;
  /** 1 per constraint that holds */
  readonly active: Uint8Array;
  /** Independent rows of this step, positions first; another selection is another array */
  kept: readonly number[] = [];
  /** How many of `kept` are on positions */
  keptPositions = 0;
  /** Rest of each row when it was chosen, 0 for dependent ones */
  readonly pivots: Float64Array;
  /** Multipliers of the last `constrain`, per row */
  readonly lambda: Float64Array;
  /** rows × nv: G; minus the derivatives of the rows' accelerations by velocity and by position */
  readonly jacobian: Float64Array;
  readonly byRate: Float64Array;
  readonly byPosition: Float64Array;
  /** G of the kept rows at the linearisation */
  readonly stepJacobian: Float64Array;
  /** 6 per node: spatial accelerations with constraints, at the node's origin */
  readonly acceleration: Float64Array;
  /** m, the size of the mechanism */
  readonly length: number;
  private readonly system: System;
  private readonly carriers: Carriers;
  private readonly derivatives: TreeDerivatives;
  private readonly rowDerivatives: RowDerivatives;
  private readonly articulated: ArticulatedBody;
  private readonly basis: RowBasis;
  private readonly motion: RowMotion;
  private readonly residual: Float64Array;
  private readonly single = new Float64Array(1);
  private readonly x: Float64Array;
  private readonly change: Float64Array;
  /** Of the active rows, for `select` */
  private readonly candidates: Int32Array;
  private readonly levels: Uint8Array;
  private readonly scale: Float64Array;
  private readonly rest: Float64Array;
  private readonly chosen: Int32Array;

  constructor(system: System, carriers: Carriers, derivatives: TreeDerivatives, articulated: ArticulatedBody) {
    this.system = system;
    this.carriers = carriers;
    this.derivatives = derivatives;
    this.articulated = articulated;
    this.nv = system.nv;
    this.active = Uint8Array.from(system.constraints, ({ activeAtStart }) => (activeAtStart ? 1 : 0));
    this.rows = loopRows(system, carriers);
    this.groups = rowGroups(this.rows);
    this.rowDerivatives = new RowDerivatives(this.rows, system, carriers, derivatives, articulated);
    this.jacobian = this.rowDerivatives.jacobian;
    this.byRate = this.rowDerivatives.byRate;
    this.byPosition = this.rowDerivatives.byPosition;
    const m = this.rows.length;
    this.pivots = new Float64Array(m);
    this.lambda = new Float64Array(m);
    this.stepJacobian = new Float64Array(m * system.nv);
    this.acceleration = new Float64Array(6 * system.tree.count);
    this.basis = new RowBasis(derivatives.size, m);
    this.motion = { carriers, acceleration: new Float64Array(6 * (carriers.ground + 1)) };
    this.residual = new Float64Array(m);
    this.x = new Float64Array(system.nv);
    this.change = new Float64Array(system.nv);
    this.candidates = new Int32Array(m);
    this.levels = new Uint8Array(m);
    this.scale = new Float64Array(m);
    this.rest = new Float64Array(m);
    this.chosen = new Int32Array(m);
    this.length = mechanismSize(system);
  }

  get any(): boolean {
    return this.rows.length > 0;
  }

  isActive(row: number): boolean {
    return this.active[this.rows[row].constraint] !== 0;
  }

  /** g of a row at the present poses: m or rad; 0 for rows on velocities */
  value(row: number, y: Float64Array): number {
    this.measure(row, y, this.single, 0);
    return this.single[0];
  }

  private measure(row: number, y: Float64Array, out: Float64Array, at: number): void {
    const { formula, coupler } = this.rows[row];
    if (formula) {
      formula.measure(this.carriers, out, at);
      return;
    }
    const { coordinates, ratios, offset } = coupler!;
    let sum = -offset;
    for (let i = 0; i < coordinates.length; i++) sum += ratios[i] * y[coordinates[i]];
    out[at] = sum;
  }

  /** Largest |value| of the kept rows on positions, each against its size */
  openness(y: Float64Array): number {
    const { kept, residual } = this;
    let largest = 0;
    for (let j = 0; j < this.keptPositions; j++) {
      this.measure(kept[j], y, residual, j);
      const size = this.rows[kept[j]].formula?.unit === 'm' ? this.length : 1;
      largest = Math.max(largest, Math.abs(residual[j]) / size);
    }
    return largest;
  }

  /** First velocity a row acts on, −1 if none */
  firstVelocity(row: number): number {
    const { coupler, formula } = this.rows[row];
    if (coupler) return coupler.velocities[0];
    const { tree } = this.derivatives.kinematics;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? formula!.a : formula!.b;
      for (let i = carrier < this.carriers.nodes ? carrier : -1; i >= 0; i = tree.parent[i])
        if (tree.v[i] >= 0) return tree.v[i];
    }
    return -1;
  }

  /** Chooses the independent rows at the present pose; the factors of the articulated body must be those of the pose. */
  select(): void {
    const { rows, basis, candidates, levels, scale, rest, chosen, pivots } = this;
    pivots.fill(0);
    if (rows.length === 0) return;
    this.place();
    let count = 0;
    for (let row = 0; row < rows.length; row++) {
      if (!this.isActive(row)) continue;
      this.evaluateRow(row);
      this.rowDerivatives.jacobianRow(row);
      scale[count] = this.rowDerivatives.naturalSize[row];
      levels[count] = rows[row].holonomic ? 0 : 1;
      this.articulated.halfSolve(this.jacobian, row * this.nv, basis.z, count * basis.size);
      candidates[count++] = row;
    }
    const rank = basis.select(count, scale, levels, RANK_TOLERANCE, rest, chosen);
    let same = rank === this.kept.length;
    this.keptPositions = 0;
    for (let j = 0; j < rank; j++) {
      const row = candidates[chosen[j]];
      pivots[row] = rest[chosen[j]];
      if (rows[row].holonomic) this.keptPositions++;
      if (same && this.kept[j] !== row) same = false;
    }
    if (!same) this.kept = Array.from(chosen.subarray(0, rank), (column) => candidates[column]);
  }

  /** Adds M⁻¹ Gᵀ λ to the free accelerations in out[at …], so that the kept rows do not accelerate. */
  constrain(out: Float64Array, at: number): boolean {
    const { articulated, acceleration, kept, residual, lambda, basis, x, change } = this;
    acceleration.set(articulated.acceleration);
    lambda.fill(0);
    if (kept.length === 0) return true;
    this.place();
    this.pointAccelerations();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.rowDerivatives.jacobianRow(kept[j]);
      const { formula, coupler } = this.rows[kept[j]];
      if (formula) residual[j] = formula.rate[1];
      else {
        residual[j] = 0;
        for (let i = 0; i < coupler!.velocities.length; i++)
          residual[j] += coupler!.ratios[i] * out[at + coupler!.velocities[i]];
      }
    }
    if (!this.factorise()) return false;
    basis.solveTransposed(residual);
    for (let j = 0; j < kept.length; j++) residual[j] = -residual[j];
    basis.applyQ(residual, x);
    articulated.halfSolveTransposed(x, 0, change, 0);
    for (let k = 0; k < basis.size; k++) out[at + k] += change[k];
    for (let i = 0; i < acceleration.length; i++) acceleration[i] += articulated.acceleration[i];
    basis.solve(residual);
    for (let j = 0; j < kept.length; j++) lambda[kept[j]] = residual[j];
    return true;
  }

  /** Takes from the change of accelerations out[at …] what the kept rows do not allow, after `differentiate`: G δa = −δψ'. */
  constrainChange(out: Float64Array, at: number): void {
    const { kept, residual, basis, x, change, jacobian, nv } = this;
    if (kept.length === 0) return;
    for (let j = 0; j < kept.length; j++) {
      let sum = this.rowDerivatives.byTime[kept[j]];
      for (let k = 0; k < basis.size; k++) sum -= jacobian[kept[j] * nv + k] * out[at + k];
      residual[j] = sum;
    }
    if (!this.factorise()) return;
    basis.solveTransposed(residual);
    basis.applyQ(residual, x);
    this.articulated.halfSolveTransposed(x, 0, change, 0);
    for (let k = 0; k < basis.size; k++) out[at + k] += change[k];
  }

  /** Z of the kept rows, factored; their Jacobians must be up to date. */
  factorise(): boolean {
    const { kept, basis, articulated } = this;
    for (let j = 0; j < kept.length; j++)
      articulated.halfSolve(this.jacobian, kept[j] * this.nv, basis.z, j * basis.size);
    return basis.factorise(kept.length);
  }

  /** The smallest change (in the norm of M) of positions that closes the kept rows to first order, into `out`. */
  positionChange(y: Float64Array, out: Float64Array): boolean {
    const { kept, residual, basis, x } = this;
    this.place();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.rowDerivatives.jacobianRow(kept[j]);
    }
    if (!this.factorise()) return false;
    for (let j = 0; j < this.keptPositions; j++) {
      this.measure(kept[j], y, residual, j);
      residual[j] = -residual[j];
    }
    basis.solveTransposed(residual, this.keptPositions);
    basis.applyQ(residual, x, this.keptPositions);
    this.articulated.halfSolveTransposed(x, 0, out, 0);
    return true;
  }

  /** The same for velocities, at the present pose and velocities. */
  velocityChange(y: Float64Array, out: Float64Array): boolean {
    const { kept, residual, basis, x } = this;
    this.place();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.rowDerivatives.jacobianRow(kept[j]);
      residual[j] = -this.rateOf(kept[j], y);
    }
    if (!this.factorise()) return false;
    basis.solveTransposed(residual);
    basis.applyQ(residual, x);
    this.articulated.halfSolveTransposed(x, 0, out, 0);
    return true;
  }

  /** Factors of the kept rows at the present pose, for `mobility`; the factors of the articulated body must be those of the pose. */
  hold(): boolean {
    const { kept } = this;
    if (kept.length === 0) return true;
    this.place();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.rowDerivatives.jacobianRow(kept[j]);
    }
    return this.factorise();
  }

  /** fᵀ M⁻¹ f with the kept rows holding, f the generalised forces of the tree; after `hold` */
  mobility(f: Float64Array): number {
    const { basis, x } = this;
    this.half(f, x);
    let sum = 0;
    for (let i = 0; i < basis.size; i++) sum += x[i] * x[i];
    return sum;
  }

  /** x = B f less what the kept rows hold, so that x · x = fᵀ M⁻¹ f; as for `mobility` */
  half(f: Float64Array, x: Float64Array): void {
    this.articulated.halfSolve(f, 0, x, 0);
    if (this.kept.length > 0) this.basis.removeRows(x);
  }

  /** 1/(M⁻¹)_kk with the kept rows holding; `factorise` must have been called. 0 if the rows lock it. */
  effectiveInertia(k: number): number {
    const { basis, x, change } = this;
    change.fill(0);
    change[k] = 1;
    this.articulated.halfSolve(change, 0, x, 0);
    let free = 0;
    for (let i = 0; i < basis.size; i++) free += x[i] * x[i];
    if (this.kept.length > 0) {
      basis.removeRows(x);
      let held = 0;
      for (let i = 0; i < basis.size; i++) held += x[i] * x[i];
      if (held > 1e-12 * free) free = held;
    }
    return 1 / free;
  }

  /** Rate of a row after `evaluateRow` */
  rateOf(row: number, y: Float64Array): number {
    const { formula, coupler } = this.rows[row];
    if (formula) return formula.rate[0];
    const { velocities, ratios } = coupler!;
    let sum = 0;
    for (let i = 0; i < velocities.length; i++) sum += ratios[i] * y[this.system.nq + velocities[i]];
    return sum;
  }

  /** Value and rate of every active row, for reports */
  evaluateRow(row: number): void {
    this.rows[row].formula?.evaluate(this.motion);
  }

  /** Row of G after `evaluateRow`; returns its natural size in the norm of M⁻¹. */
  jacobianRow(row: number): number {
    this.rowDerivatives.jacobianRow(row);
    return this.rowDerivatives.naturalSize[row];
  }

  /** Derivatives of the kept rows' accelerations; `derivatives` must be those of the state, `acceleration` those with constraints. */
  differentiate(driven: DrivenMotion): void {
    if (!this.any) return;
    this.pointAccelerations(this.acceleration);
    const { kept, motion, acceleration } = this;
    for (let j = 0; j < kept.length; j++) this.rowDerivatives.differentiateRow(kept[j], motion, acceleration, driven);
    this.stepJacobian.set(this.jacobian);
  }

  /** Joint columns at the present pose, for `jacobianRow` */
  place(): void {
    this.rowDerivatives.placement.place();
  }

  /** The tree's mass matrix at the present pose, row-major */
  massMatrix(out: Float64Array): void {
    this.rowDerivatives.placement.massMatrix(out, this.nv);
  }

  /** Reaction of a group of rows and its derivative by pose */
  differentiateReaction(group: number, out: PairDerivative): void {
    const { rows } = this.groups[group];
    for (let j = 0; j < rows.length; j++)
      if (this.lambda[rows[j]] !== 0)
        this.rows[rows[j]].formula!.differentiateReaction(this.motion, this.lambda, rows[j], out);
  }

  /** Adds the reactions of all rows to the carriers' loads; afterwards the tree's wrenches include them. */
  addReactions(load: Float64Array): void {
    for (let row = 0; row < this.rows.length; row++) {
      const { formula } = this.rows[row];
      const lambda = this.lambda[row];
      if (!formula || lambda === 0) continue;
      formula.evaluate(this.motion);
      const { force: f, torque: t } = formula;
      for (let side = 0; side < 2; side++) {
        const sign = side === 0 ? -lambda : lambda;
        const arm = formula.leverOf(side);
        const s = 6 * (side === 0 ? formula.a : formula.b);
        for (let j = 0; j < 3; j++) {
          const a = (j + 1) % 3;
          const b = (j + 2) % 3;
          load[s + j] += sign * (arm[a] * f[b] - arm[b] * f[a] + t[j]);
          load[s + 3 + j] += sign * f[j];
        }
      }
    }
  }

  /** Takes hold of a constraint where the carriers are now. */
  attach(constraint: number, y: Float64Array): void {
    this.active[constraint] = 1;
    this.rows.forEach(({ constraint: own, formula, coupler }) => {
      if (own !== constraint) return;
      formula?.attach(this.carriers);
      if (coupler) coupler.offset = coupler.coordinates.reduce((sum, q, i) => sum + coupler.ratios[i] * y[q], 0);
    });
  }

  /** A constraint is held, or let go, as it is in another system that has it under another number. */
  takeOver(constraint: number, from: Loops, there: number): void {
    this.active[constraint] = from.active[there];
    const given = from.rows.filter((row) => row.constraint === there);
    this.rows
      .filter((row) => row.constraint === constraint)
      .forEach(({ formula, coupler }, i) => {
        if (formula) formula.takeOver(given[i].formula!);
        else coupler!.offset = given[i].coupler!.offset;
      });
  }

  /** Who holds, and where */
  remember(tape: Tape): void {
    tape.array(this.active);
    for (const { formula, coupler } of this.rows)
      if (formula) formula.remember(tape);
      else coupler!.offset = tape.number(coupler!.offset);
  }

  /** Acceleration of the reference points: A_v + ω × v */
  private pointAccelerations(spatial: Float64Array = this.articulated.acceleration): void {
    const { acceleration } = this.motion;
    const { twist } = this.carriers;
    for (let s = 0; s < spatial.length; s += 6) {
      for (let j = 0; j < 3; j++) acceleration[s + j] = spatial[s + j];
      acceleration[s + 3] = spatial[s + 3] + twist[s + 1] * twist[s + 5] - twist[s + 2] * twist[s + 4];
      acceleration[s + 4] = spatial[s + 4] + twist[s + 2] * twist[s + 3] - twist[s] * twist[s + 5];
      acceleration[s + 5] = spatial[s + 5] + twist[s] * twist[s + 4] - twist[s + 1] * twist[s + 3];
    }
  }

  /** Unit of a row's value */
  unit(row: number): string {
    const { formula, coupler } = this.rows[row];
    return coupler ? 'rad or m' : formula!.unit;
  }

  /** Size that a row's value is judged against */
  sizeOf(row: number): number {
    return this.rows[row].formula?.unit === 'm' ? this.length : 1;
  }
}
