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
import { type ConstraintRow, NODE, type System } from '../assembly/system.js';
import type { ArticulatedBody } from './articulated-body.js';
import type { Carriers } from './carriers.js';
import { PairRowFormula, type RowMotion } from './constraint-rows.js';
import type { PairDerivative } from './pair-element.js';
import { RowBasis } from './row-basis.js';
import { TreeDerivatives } from './tree-derivatives.js';

export const RANK_TOLERANCE = 1e-6;

interface Coupler {
  readonly coordinates: readonly number[];
  readonly velocities: readonly number[];
  readonly ratios: readonly number[];
  offset: number;
}

export interface LoopRow {
  /** Index of its constraint */
  readonly constraint: number;
  readonly formula?: PairRowFormula;
  readonly coupler?: Coupler;
  readonly holonomic: boolean;
}

export class Loops {
  readonly rows: readonly LoopRow[];
  /** Pairs of carriers that rows of one constraint tie, for the turning of their reactions */
  readonly groups: readonly { readonly a: number; readonly b: number; readonly rows: readonly number[] }[];
  readonly nv: number;
  /** 1 per constraint that holds */
  readonly active: Uint8Array;
  /** Independent rows of this step, positions first */
  kept: number[] = [];
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
  /** Those of the linearisation, which last for a step */
  private readonly derivatives: TreeDerivatives;
  /** Joint columns at the present pose, which changes with every evaluation */
  private readonly placement: TreeDerivatives;
  private readonly articulated: ArticulatedBody;
  private readonly basis: RowBasis;
  private readonly motion: RowMotion;
  private readonly residual: Float64Array;
  private readonly x: Float64Array;
  private readonly change: Float64Array;
  private readonly scale: Float64Array;
  private readonly wrench = new Float64Array(6);

  constructor(system: System, carriers: Carriers, derivatives: TreeDerivatives, articulated: ArticulatedBody) {
    const { tree } = system;
    this.system = system;
    this.carriers = carriers;
    this.derivatives = derivatives;
    this.placement = new TreeDerivatives(derivatives.kinematics);
    this.articulated = articulated;
    this.nv = system.nv;
    this.active = Uint8Array.from(system.constraints, ({ activeAtStart }) => (activeAtStart ? 1 : 0));
    const velocityOf = new Map<number, number>();
    for (let i = 0; i < tree.count; i++) if (tree.kind[i] !== NODE.spherical) velocityOf.set(tree.q[i], tree.v[i]);
    this.rows = system.constraints.flatMap(({ rows }, constraint) =>
      rows.map((row): LoopRow => {
        if (row.kind !== 'coupler') {
          const formula = new PairRowFormula(row, carriers);
          return { constraint, formula, holonomic: formula.holonomic };
        }
        const velocities = row.coordinates.map((q) => velocityOf.get(q)!);
        return { constraint, coupler: { ...row, velocities }, holonomic: true };
      }),
    );
    const groups = new Map<string, { a: number; b: number; rows: number[] }>();
    this.rows.forEach(({ constraint, formula }, i) => {
      if (!formula) return;
      const key = `${constraint} ${formula.a} ${formula.b}`;
      const group = groups.get(key) ?? { a: formula.a, b: formula.b, rows: [] };
      group.rows.push(i);
      groups.set(key, group);
    });
    this.groups = [...groups.values()];
    const m = this.rows.length;
    this.pivots = new Float64Array(m);
    this.lambda = new Float64Array(m);
    this.jacobian = new Float64Array(m * system.nv);
    this.byRate = new Float64Array(m * system.nv);
    this.byPosition = new Float64Array(m * system.nv);
    this.stepJacobian = new Float64Array(m * system.nv);
    this.acceleration = new Float64Array(6 * tree.count);
    this.basis = new RowBasis(derivatives.size, m);
    this.motion = { carriers, acceleration: new Float64Array(6 * (carriers.ground + 1)) };
    this.residual = new Float64Array(m);
    this.x = new Float64Array(system.nv);
    this.change = new Float64Array(system.nv);
    this.scale = new Float64Array(m);
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
    const { formula, coupler } = this.rows[row];
    if (formula) return formula.value(this.carriers);
    return coupler!.coordinates.reduce((sum, q, i) => sum + coupler!.ratios[i] * y[q], -coupler!.offset);
  }

  /** First velocity a row acts on, −1 if none */
  firstVelocity(row: number): number {
    const { coupler, formula } = this.rows[row];
    if (coupler) return coupler.velocities[0];
    const { tree } = this.derivatives.kinematics;
    for (const carrier of [formula!.a, formula!.b])
      for (let i = carrier < this.carriers.nodes ? carrier : -1; i >= 0; i = tree.parent[i])
        if (tree.v[i] >= 0) return tree.v[i];
    return -1;
  }

  /** Chooses the independent rows at the present pose; the factors of the articulated body must be those of the pose. */
  select(): void {
    const { rows, basis, scale, pivots } = this;
    pivots.fill(0);
    this.kept = [];
    if (rows.length === 0) return;
    this.placement.place();
    const active: number[] = [];
    rows.forEach((_, row) => {
      if (!this.isActive(row)) return;
      this.evaluateRow(row);
      scale[active.length] = this.jacobianRow(row);
      this.articulated.halfSolve(this.jacobian, row * this.nv, basis.z, active.length * basis.size);
      active.push(row);
    });
    const rest = new Float64Array(active.length);
    const chosen = basis.select(
      active.length,
      scale,
      (column) => (rows[active[column]].holonomic ? 0 : 1),
      RANK_TOLERANCE,
      rest,
    );
    this.kept = chosen.map((column) => active[column]);
    for (const column of chosen) pivots[active[column]] = rest[column];
    this.keptPositions = this.kept.filter((row) => rows[row].holonomic).length;
  }

  /** Adds M⁻¹ Gᵀ λ to the free accelerations in out[at …], so that the kept rows do not accelerate. */
  constrain(out: Float64Array, at: number): boolean {
    const { articulated, acceleration, kept, residual, lambda, basis, x, change } = this;
    acceleration.set(articulated.acceleration);
    lambda.fill(0);
    if (kept.length === 0) return true;
    this.placement.place();
    this.pointAccelerations();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.jacobianRow(kept[j]);
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
    this.placement.place();
    for (const row of kept) {
      this.evaluateRow(row);
      this.jacobianRow(row);
    }
    if (!this.factorise()) return false;
    for (let j = 0; j < this.keptPositions; j++) residual[j] = -this.value(kept[j], y);
    basis.solveTransposed(residual, this.keptPositions);
    basis.applyQ(residual, x, this.keptPositions);
    this.articulated.halfSolveTransposed(x, 0, out, 0);
    return true;
  }

  /** The same for velocities, at the present pose and velocities. */
  velocityChange(y: Float64Array, out: Float64Array): boolean {
    const { kept, residual, basis, x } = this;
    this.placement.place();
    for (let j = 0; j < kept.length; j++) {
      this.evaluateRow(kept[j]);
      this.jacobianRow(kept[j]);
      residual[j] = -this.rateOf(kept[j], y);
    }
    if (!this.factorise()) return false;
    basis.solveTransposed(residual);
    basis.applyQ(residual, x);
    this.articulated.halfSolveTransposed(x, 0, out, 0);
    return true;
  }

  /** 1/(M⁻¹)_kk with the kept rows holding; `factorise` must have been called. 0 if the rows lock it. */
  feltInertia(k: number): number {
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
    return coupler!.velocities.reduce((sum, v, i) => sum + coupler!.ratios[i] * y[this.system.nq + v], 0);
  }

  /** Value and rate of every active row, for reports */
  evaluateRow(row: number): void {
    this.rows[row].formula?.evaluate(this.motion, -1);
  }

  /** Row of G after `evaluateRow`; returns its natural size in the norm of M⁻¹. */
  jacobianRow(row: number): number {
    const { jacobian, nv, wrench, placement, articulated } = this;
    const at = row * nv;
    const { formula, coupler } = this.rows[row];
    jacobian.fill(0, at, at + nv);
    let square = 0;
    if (coupler) {
      coupler.velocities.forEach((v, i) => {
        jacobian[at + v] += coupler.ratios[i];
        square += (coupler.ratios[i] * coupler.ratios[i]) / articulated.along[placement.nodeOf[v]];
      });
      return Math.sqrt(square);
    }
    const { force: f, torque: t, forceSize, torqueSize } = formula!;
    const { tree } = placement.kinematics;
    const { column, offset } = placement;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? formula!.a : formula!.b;
      if (carrier >= this.carriers.nodes) continue;
      const sign = side === 0 ? -1 : 1;
      const lever = formula!.leverOf(side);
      const px = offset[3 * carrier] + lever[0];
      const py = offset[3 * carrier + 1] + lever[1];
      const pz = offset[3 * carrier + 2] + lever[2];
      wrench[0] = sign * (py * f[2] - pz * f[1] + t[0]);
      wrench[1] = sign * (pz * f[0] - px * f[2] + t[1]);
      wrench[2] = sign * (px * f[1] - py * f[0] + t[2]);
      wrench[3] = sign * f[0];
      wrench[4] = sign * f[1];
      wrench[5] = sign * f[2];
      for (let i = carrier; i >= 0; i = tree.parent[i]) {
        const v = tree.v[i];
        if (v < 0) continue;
        for (let k = v; k < v + (tree.kind[i] === NODE.spherical ? 3 : 1); k++) {
          const s = 6 * k;
          let sum = 0;
          for (let j = 0; j < 6; j++) sum += column[s + j] * wrench[j];
          jacobian[at + k] += sum;
          // Speed of the point and of turning per unit velocity
          const vx = column[s + 3] + column[s + 1] * pz - column[s + 2] * py;
          const vy = column[s + 4] + column[s + 2] * px - column[s] * pz;
          const vz = column[s + 5] + column[s] * py - column[s + 1] * px;
          const w2 = column[s] * column[s] + column[s + 1] * column[s + 1] + column[s + 2] * column[s + 2];
          const most = forceSize * Math.sqrt(vx * vx + vy * vy + vz * vz) + torqueSize * Math.sqrt(w2);
          square += (most * most) / articulated.along[i];
        }
      }
    }
    return Math.sqrt(square);
  }

  /** Derivatives of the kept rows' accelerations; `derivatives` must be those of the state, `acceleration` those with constraints. */
  differentiate(): void {
    this.pointAccelerations(this.acceleration);
    for (const row of this.kept) this.differentiateRow(row);
    this.stepJacobian.set(this.jacobian);
  }

  /** Joint columns at the present pose, for `jacobianRow` */
  place(): void {
    this.placement.place();
  }

  /** The tree's mass matrix at the present pose, row-major */
  massMatrix(out: Float64Array): void {
    this.placement.massMatrix(out, this.nv);
  }

  private differentiateRow(row: number): void {
    const { byRate, byPosition, nv, derivatives, motion } = this;
    const { formula } = this.rows[row];
    const at = row * nv;
    byRate.fill(0, at, at + nv);
    byPosition.fill(0, at, at + nv);
    if (!formula) return;
    // How ψ' changes with pose and twist of either carrier, accelerations held
    const slope = new Float64Array(24);
    for (let variation = 0; variation < 24; variation++) {
      formula.evaluate(motion, variation);
      slope[variation] = formula.rate[3];
    }
    formula.evaluate(motion, -1);
    this.jacobianRow(row);
    const { force: f, torque: t } = formula;
    const { tree } = derivatives.kinematics;
    const { column, psi1, psi2Bare, phi, offset } = derivatives;
    const { twist } = this.carriers;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? formula.a : formula.b;
      if (carrier >= this.carriers.nodes) continue;
      const sign = side === 0 ? -1 : 1;
      const lever = formula.leverOf(side);
      const c = offset.subarray(3 * carrier, 3 * carrier + 3);
      const V = twist.subarray(6 * carrier, 6 * carrier + 6);
      const A = this.acceleration.subarray(6 * carrier, 6 * carrier + 6);
      const P = slope.subarray(6 * side, 6 * side + 6);
      const Q = slope.subarray(12 + 6 * side, 18 + 6 * side);
      // Wrench at the reference point: what angular acceleration and the point's acceleration count
      const w = [0, 1, 2].map((j) => {
        const a = (j + 1) % 3;
        const b = (j + 2) % 3;
        return sign * (lever[a] * f[b] - lever[b] * f[a] + t[j]);
      });
      const F = [sign * f[0], sign * f[1], sign * f[2]];
      for (let i = carrier; i >= 0; i = tree.parent[i]) {
        const v = tree.v[i];
        if (v < 0) continue;
        for (let k = v; k < v + (tree.kind[i] === NODE.spherical ? 3 : 1); k++) {
          const s = at6(column, 6 * k, c);
          const p1 = at6(psi1, 6 * k, c);
          const p2 = at6(psi2Bare, 6 * k, c);
          const ph = at6(phi, 6 * k, c);
          // By position: ξ = s, dV = s × V + ψ₁, dA = s × A + ψ₂ + ψ₁ × V; then to the moving reference point
          const dV = add6(cross6(s, V), p1);
          const dA = add6(add6(cross6(s, A), p2), cross6(p1, V));
          byPosition[at + k] -= pointwise(P, Q, w, F, s, dV, dA, V, A);
          // By velocity: dV = s, dA = s × V + φ
          byRate[at + k] -= pointwise(ZERO6, Q, w, F, ZERO6, s, add6(cross6(s, V), ph), V, A);
        }
      }
    }
  }

  /** Reaction of a group of rows and its derivative by pose */
  differentiateReaction(group: number, out: PairDerivative): void {
    for (const row of this.groups[group].rows)
      if (this.lambda[row] !== 0) this.rows[row].formula!.differentiateReaction(this.motion, this.lambda[row], out);
  }

  /** Adds the reactions of all rows to the carriers' loads; afterwards the tree's wrenches include them. */
  addReactions(load: Float64Array): void {
    this.rows.forEach(({ formula }, row) => {
      const lambda = this.lambda[row];
      if (!formula || lambda === 0) return;
      formula.evaluate(this.motion, -1);
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
    });
  }

  /** Generalised forces of couplers */
  addCouplerForces(applied: Float64Array): void {
    this.rows.forEach(({ coupler }, row) => {
      if (!coupler) return;
      for (let i = 0; i < coupler.velocities.length; i++)
        applied[coupler.velocities[i]] += coupler.ratios[i] * this.lambda[row];
    });
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

const ZERO6 = new Float64Array(6);
type Six = ArrayLike<number>;

/** A motion vector at the common origin, seen at the point c: v + ω × c */
const at6 = (m: Float64Array, at: number, c: Six): number[] => [
  m[at],
  m[at + 1],
  m[at + 2],
  m[at + 3] + m[at + 1] * c[2] - m[at + 2] * c[1],
  m[at + 4] + m[at + 2] * c[0] - m[at] * c[2],
  m[at + 5] + m[at] * c[1] - m[at + 1] * c[0],
];
const add6 = (a: Six, b: Six): number[] => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
];
const cross6 = (a: Six, b: Six): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
  a[1] * b[5] - a[2] * b[4] + a[4] * b[2] - a[5] * b[1],
  a[2] * b[3] - a[0] * b[5] + a[5] * b[0] - a[3] * b[2],
  a[0] * b[4] - a[1] * b[3] + a[3] * b[1] - a[4] * b[0],
];

/**
 * P · (θ, δc) + Q · (δω, δv) + (w, F) · (δα, δa) from spatial variations at the point, where the point itself moves:
 * δv = dV_v + ω × δc,  δa = dA_v + α × δc + δω × v + ω × δv
 */
function pointwise(P: Six, Q: Six, w: Six, F: Six, xi: Six, dV: Six, dA: Six, V: Six, A: Six): number {
  const dv = [
    dV[3] + V[1] * xi[5] - V[2] * xi[4],
    dV[4] + V[2] * xi[3] - V[0] * xi[5],
    dV[5] + V[0] * xi[4] - V[1] * xi[3],
  ];
  const da = [
    dA[3] + A[1] * xi[5] - A[2] * xi[4] + dV[1] * V[5] - dV[2] * V[4] + V[1] * dv[2] - V[2] * dv[1],
    dA[4] + A[2] * xi[3] - A[0] * xi[5] + dV[2] * V[3] - dV[0] * V[5] + V[2] * dv[0] - V[0] * dv[2],
    dA[5] + A[0] * xi[4] - A[1] * xi[3] + dV[0] * V[4] - dV[1] * V[3] + V[0] * dv[1] - V[1] * dv[0],
  ];
  let sum = 0;
  for (let j = 0; j < 3; j++)
    sum += P[j] * xi[j] + P[3 + j] * xi[3 + j] + Q[j] * dV[j] + Q[3 + j] * dv[j] + w[j] * dA[j] + F[j] * da[j];
  return sum;
}

/** Longest arm of the tree or of a constraint's anchor, m; 1 where all are zero */
function mechanismSize({ tree, constraints }: System): number {
  let longest = 0;
  for (let i = 0; i < tree.count; i++) {
    const p = tree.position.subarray(3 * i, 3 * i + 3);
    const c = tree.centre.subarray(3 * i, 3 * i + 3);
    longest = Math.max(
      longest,
      Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]),
      Math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]),
    );
  }
  for (const { rows } of constraints)
    for (const row of rows)
      for (const { position: p } of anchors(row))
        longest = Math.max(longest, Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
  return longest > 0 ? longest : 1;
}

const anchors = (row: ConstraintRow) => (row.kind === 'coupler' ? [] : [row.a, row.b]);
