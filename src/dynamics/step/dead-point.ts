/**
 * Near a dead point (all bars of a parallelogram in line) the rows of a loop are almost dependent: two branches of motion come close, and
 * what a step drifts across the constraints is magnified by one over the pivot p of the row that is least independent. That part of the
 * error is an artefact, for projection after the step takes it away; left in the estimate it drives the step to nothing, and the
 * mechanism never gets past. So there, and only there, the estimate is projected onto the directions that the loops leave free:
 *
 *   e ← e − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G e,    of positions and of velocities, G and M at the start of the step
 *
 * Elsewhere it is not: without drift in it the estimate is too kind, and runs become less accurate.
 * The same holds for what projection itself moves. Measured on one to ten parallelograms: see docs/theory/simulation.md.
 */
import type { Loops } from '../loops/loops.js';
import type { StepMatrix } from './step-matrix.js';

/** The parts of a mechanical system that are needed here */
interface Constrained {
  readonly size: number;
  readonly system: { readonly motions: ArrayLike<unknown> };
  readonly nq: number;
  readonly derivatives: { readonly size: number };
  readonly matrix: Pick<StepMatrix, 'columns'>;
  readonly loops: Loops;
  update(t: number, y: Float64Array): void;
  factoriseMass(): void;
}

/** Pivot (1: rows orthogonal) below which the estimate is projected */
const NEAR = 0.05;

export class DeadPoint {
  private readonly mechanics: Constrained;
  private readonly state: Float64Array;
  private readonly change: Float64Array;
  private readonly error: Float64Array;
  private readonly driven: Float64Array;

  constructor(mechanics: Constrained) {
    this.mechanics = mechanics;
    this.state = new Float64Array(mechanics.size);
    this.change = new Float64Array(mechanics.size);
    this.error = new Float64Array(mechanics.size);
    this.driven = new Float64Array(mechanics.size);
  }

  /** True if the rows that hold in this step are almost dependent. */
  static near({ kept, pivots }: Loops): boolean {
    for (let j = 0; j < kept.length; j++) if (pivots[kept[j]] < NEAR) return true;
    return false;
  }

  /** The error without what the loops forbid; reused by the next call. */
  allowed(t: number, error: Float64Array, before: Float64Array): Float64Array {
    const { mechanics, state, error: out } = this;
    const { nq, derivatives } = mechanics;
    const { coordinateOf, rotorOf } = mechanics.matrix.columns;
    const n = derivatives.size;
    state.set(before);
    out.set(error);
    for (let k = 0; k < n; k++) state[nq + k] = error[nq + k];
    if (this.forbidden(t)) for (let k = 0; k < n; k++) out[nq + k] += this.change[k];
    // Positions of scalar joints; balls have a quaternion whose error is left as it is
    for (let k = 0; k < n; k++) state[nq + k] = rotorOf[k] < 0 ? error[coordinateOf[k]] : 0;
    if (this.forbidden(t)) for (let k = 0; k < n; k++) if (rotorOf[k] < 0) out[coordinateOf[k]] += this.change[k];
    return out;
  }

  /** Smallest change that takes the velocities in `state` back to those the loops allow, all drives standing still */
  private forbidden(t: number): boolean {
    const { mechanics, state, change, driven } = this;
    mechanics.update(t, state);
    mechanics.factoriseMass();
    if (!mechanics.loops.velocityChange(state, change)) return false;
    if (mechanics.system.motions.length === 0) return true;
    // Rows move with the drives, an error does not: less what they ask for when all else rests
    const { nq, derivatives } = mechanics;
    state.fill(0, nq, nq + derivatives.size);
    mechanics.update(t, state);
    if (!mechanics.loops.velocityChange(state, driven)) return false;
    for (let k = 0; k < derivatives.size; k++) change[k] -= driven[k];
    return true;
  }
}
