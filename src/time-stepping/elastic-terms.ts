/**
 * Elasticity and damping of flexible bodies in a step. In the natural modes φ of a body with its frame held, ψ = M φ, a coordinate is x = ψ·q, its rate u = ψ·η, and the forces
 * along it are ω² x and c u. Each mode is a row of the convex problem:
 *
 *   slow, h ω √w < 1    W = ω² (x₀ + h/4 (u₀ + u)),  c/2 (u₀ + u)     the middle of the step: it keeps its energy, at second order
 *   fast                W = ω² (x₀ + h u),  c u                       backward Euler: it follows its load, and does not ring on
 *
 * w ≥ 1 is what the row feels of the whole mechanism, J M⁻¹ Jᵀ: a body whose frame is free swings faster than with the frame held. It is that of where the run began: by that of the pose a mode that bears a
 * load N and is carried along at a speed u would become fast in passing, its x would fall back by h u/2 to where the end of the step has it, and N h u/2 be made, again and again where h ω √w stays about 1. Where nothing but its own elasticity pushes
 * a mechanism, coordinates move with the mean velocity of the step, those of fast modes with that of its end.
 *
 * Stretch of slender members (dynamics/flexible/flexible-inertia.ts), with a the elongation's row and t = Gm q: its force is in v*, that of the middle of the step. Where it is stiff, rows hold what makes
 * it implicit: k (a + t)(a + t)ᵀ and, under tension N, N Gm = N Σ g l lᵀ,
 *
 *   W = k h (u − u₀/2)
 */
import type { FlexibleInertia } from '../dynamics/flexible/flexible-inertia.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { NoAccelerationError } from '../dynamics/tree/dynamics-error.js';
import type { FlexiblePart } from '../flexible-bodies/flexible-part.js';
import { densePencilEigen } from '../math/sparse/dense-symmetric.js';
import type { Tape } from '../math/tape.js';
import type { ConvexTerms } from './convex-terms.js';
import { ROLE } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Own sizes: a body that is deformed so far has left every range that its shapes tell of, and the step was not stable */
const BROKEN = 10;
/** Of the largest: frequencies², eigenvalues of Gm that are rounding */
const LEAST = 1e-12;

interface Modes {
  readonly flexible: FlexibleInertia;
  readonly block: number;
  readonly n: number;
  /** n per mode: φ, and ψ = M φ */
  readonly shapes: Float64Array;
  readonly rows: Float64Array;
  /** Per mode: ω², c */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Per mode: w where the run began; 0 before */
  readonly feels: Float64Array;
  /** Per mode: 1: fast in this step; then the row of its elasticity, and x₀ */
  readonly fast: Uint8Array;
  readonly row: Int32Array;
  readonly start: Float64Array;
  /** Largest displacement of each shape over the size of the body: 1/m, of turns 1 */
  readonly reach: Float64Array;
  /** Σ g l lᵀ = Gm: g, and l n each */
  readonly tensions: readonly { readonly values: Float64Array; readonly rows: Float64Array }[];
}

export class ElasticTerms {
  readonly any: boolean;
  /** Some mode is fast in this step. */
  anyFast = false;
  private readonly modes: readonly Modes[];
  private readonly along: Float64Array;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    this.modes = mechanics.kinematics.flexible
      .filter(({ count }) => count > 0)
      .map((flexible) => modesOf(flexible, blocks.ofVelocity(flexible.velocity[0])));
    this.any = this.modes.length > 0;
    this.along = new Float64Array(Math.max(0, ...this.modes.map(({ n }) => n)));
  }

  /** Takes elasticity and damping out of the rates, or puts them back. */
  setApart(apart: boolean): void {
    for (const { flexible } of this.modes) flexible.elasticityApart = apart;
    if (this.any) this.mechanics.forgetPoses();
  }

  /** What the next steps follow from */
  remember(tape: Tape): void {
    for (const { feels } of this.modes) tape.array(feels);
  }

  /**
   * One group per flexible body. The carriers are at the start of the step.
   *
   * @param opened told of a group
   * @param add    makes the term of the row that was added last, by its role
   */
  write(h: number, opened: () => void, add: (role: number) => number): void {
    this.anyFast = false;
    for (const own of this.modes) {
      this.terms.open(own.block, -1);
      opened();
      for (let i = 0; i < own.n; i++) this.writeMode(own, i, h, add);
      for (let i = 0; i < own.tensions.length; i++) this.writeStretch(own, i, h, add);
      if (this.terms.firstRow[this.terms.groups] === this.terms.firstRow[this.terms.groups - 1]) this.terms.drop();
    }
  }

  private writeMode(own: Modes, i: number, h: number, add: (role: number) => number): void {
    const { terms, blocks } = this;
    const { flexible, rows, n, fast, feels, block } = own;
    const [k, c] = [own.stiffness[i], own.damping[i]];
    if (!(k > 0)) return;
    const at = this.addRow(own, rows, n * i);
    if (feels[i] === 0) feels[i] = blocks.mobility(block, terms.jacobian, at);
    fast[i] = h * h * k * feels[i] < 1 ? 0 : 1;
    if (fast[i] !== 0) this.anyFast = true;
    let x = 0;
    let u = 0;
    for (let j = 0; j < n; j++) {
      x += rows[n * i + j] * flexible.q[j];
      u += rows[n * i + j] * flexible.eta[j];
    }
    own.row[i] = terms.rows - 1;
    own.start[i] = x;
    const slow = fast[i] === 0;
    terms.setBounded(
      add(ROLE.stored),
      k * (x + (slow ? 0.25 * h * u : 0)),
      0,
      0,
      k * h * (slow ? 0.25 : 1),
      Number.POSITIVE_INFINITY,
    );
    if (!(c > 0)) return;
    this.addRow(own, rows, n * i);
    terms.setBounded(add(ROLE.heat), slow ? 0.5 * c * u : 0, 0, 0, slow ? 0.5 * c : c, Number.POSITIVE_INFINITY);
  }

  private writeStretch(own: Modes, span: number, h: number, add: (role: number) => number): void {
    const { flexible, n } = own;
    const tension = own.tensions[span];
    const { along: row } = this;
    const { along, matrix, stiffness } = flexible.plan.spans[span];
    let elongation = 0;
    for (let j = 0; j < n; j++) {
      let t = 0;
      for (let l = 0; l < n; l++) t += matrix[n * j + l] * flexible.q[l];
      row[j] = along[j] + t;
      elongation += (along[j] + 0.5 * t) * flexible.q[j];
    }
    this.writeStiff(own, row, 0, stiffness, h, add);
    const force = stiffness * elongation;
    if (force > 0)
      for (let i = 0; i < tension.values.length; i++)
        this.writeStiff(own, tension.rows, n * i, force * tension.values[i], h, add);
  }

  /** A row that an explicit step would not be stable with; else none */
  private writeStiff(
    own: Modes,
    row: Float64Array,
    from: number,
    k: number,
    h: number,
    add: (role: number) => number,
  ): void {
    const { terms, blocks } = this;
    const at = this.addRow(own, row, from);
    if (!(h * h * k * blocks.mobility(own.block, terms.jacobian, at) > 1)) {
      terms.dropRow();
      return;
    }
    let u = 0;
    for (let j = 0; j < own.n; j++) u += row[from + j] * own.flexible.eta[j];
    terms.setBounded(add(ROLE.stored), -0.5 * k * h * u, 0, 0, k * h, Number.POSITIVE_INFINITY);
  }

  private addRow({ flexible, n }: Modes, row: Float64Array, from: number): number {
    const { terms, blocks } = this;
    const at = terms.addRow();
    for (let j = 0; j < n; j++) terms.jacobian[at + blocks.placeOf(flexible.velocity[j])] = row[from + j];
    return at;
  }

  /**
   * Steps are not tried again, and a body that is thrown beyond all bounds by one too long would go on as numbers of 10³⁸ until something else cannot bear them.
   *
   * @throws NoAccelerationError naming a body that is deformed by many of its own sizes in y, at t
   */
  refuseBroken(t: number, y: Float64Array): void {
    for (const { flexible, n, reach } of this.modes) {
      let far = 0;
      for (let j = 0; j < n; j++) far += reach[j] * Math.abs(y[flexible.coordinate[j]]);
      if (!(far < BROKEN))
        throw new NoAccelerationError(
          flexible.plan.name,
          `t = ${t} s: deformed by more than ten times its own size; the step was too long: take a shorter one, or error control (another integrator)`,
        );
    }
  }

  /**
   * What fast modes have lost in the step, J: what their elasticity took from the motion, −γ ū, less what they hold more at its end. They follow their load, and the motion
   * about it that a blow leaves them, too fast for the step, is not followed: it goes as if they were damped.
   *
   * @param before velocities of rows at the start of the step, those of its end are in the terms; @param y where it ends
   */
  lost(before: Float64Array, y: Float64Array): number {
    const { gamma, u } = this.terms;
    let sum = 0;
    for (const { flexible, n, rows, stiffness, fast, row, start } of this.modes)
      for (let i = 0; i < n; i++) {
        if (fast[i] === 0 || !(stiffness[i] > 0)) continue;
        let x = 0;
        for (let j = 0; j < n; j++) x += rows[n * i + j] * y[flexible.coordinate[j]];
        sum -= 0.5 * gamma[row[i]] * (before[row[i]] + u[row[i]]);
        sum -= 0.5 * stiffness[i] * (x - start[i]) * (x + start[i]);
      }
    return sum;
  }

  /** Where nothing else pushes a mechanism: coordinates of fast modes move with the velocity of the end. @param v of all blocks; @param drift by velocity, the mean of the step */
  drift(pushedBySelf: (block: number) => boolean, v0: Float64Array, v: Float64Array, drift: Float64Array): void {
    const { blocks } = this;
    for (const { flexible, block, n, rows, shapes, fast } of this.modes) {
      if (!pushedBySelf(block)) continue;
      for (let i = 0; i < n; i++) {
        if (fast[i] === 0) continue;
        let change = 0;
        for (let j = 0; j < n; j++) {
          const k = blocks.at[block] + blocks.placeOf(flexible.velocity[j]);
          change += rows[n * i + j] * (v[k] - v0[k]);
        }
        for (let j = 0; j < n; j++) drift[flexible.velocity[j]] += 0.5 * shapes[n * i + j] * change;
      }
    }
  }
}

function modesOf(flexible: FlexibleInertia, block: number): Modes {
  const { count: n, plan } = flexible;
  const { values, vectors } = densePencilEigen(plan.stiffness, plan.mass, n);
  const rows = new Float64Array(n * n);
  const damping = new Float64Array(n);
  const stiffness = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    stiffness[i] = values[i] > LEAST * values[n - 1] ? values[i] : 0;
    for (let j = 0; j < n; j++) {
      let loss = 0;
      for (let l = 0; l < n; l++) {
        rows[n * i + j] += plan.mass[n * j + l] * vectors[n * i + l];
        loss += plan.damping[n * j + l] * vectors[n * i + l];
      }
      damping[i] += loss * vectors[n * i + j];
    }
  }
  return {
    flexible,
    block,
    n,
    shapes: vectors,
    rows,
    stiffness,
    damping,
    feels: new Float64Array(n),
    fast: new Uint8Array(n),
    row: new Int32Array(n),
    start: new Float64Array(n),
    reach: reachOf(plan.part),
    tensions: plan.spans.map(({ matrix }) => decompose(matrix, n)),
  };
}

function reachOf({ kind, mesh: { points }, shapes }: FlexiblePart): Float64Array {
  const d = kind === 'plane' ? 2 : 3;
  const [low, high] = [new Float64Array(d).fill(Infinity), new Float64Array(d).fill(-Infinity)];
  for (let i = 0; i < points.length; i++) {
    low[i % d] = Math.min(low[i % d], points[i]);
    high[i % d] = Math.max(high[i % d], points[i]);
  }
  const size = high.reduce((most, x, k) => Math.max(most, x - low[k]), 0);
  return Float64Array.from(shapes, (shape) => shape.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / size);
}

/** Gm = Σ g l lᵀ of what it has that is positive */
function decompose(matrix: Float64Array, n: number): { values: Float64Array; rows: Float64Array } {
  const unit = new Float64Array(n * n);
  for (let i = 0; i < n; i++) unit[(n + 1) * i] = 1;
  const { values, vectors } = densePencilEigen(matrix, unit, n);
  const kept = Array.from(values.keys()).filter((i) => values[i] > LEAST * values[n - 1]);
  const rows = new Float64Array(n * kept.length);
  for (let k = 0; k < kept.length; k++) rows.set(vectors.subarray(n * kept[k], n * kept[k] + n), n * k);
  return { values: Float64Array.from(kept, (i) => values[i]), rows };
}
