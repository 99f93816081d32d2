/**
 * Right side of the step matrix in O(n): M r_v + e K E r̃ and the wrenches that come from the right sides of elements' states. Root to
 * leaf what the given changes do to each carrier, then its wrench, then leaf to root along the joints.
 */
import type { Carriers } from '../tree/carriers.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import { addCoriolis, addCrossForce, addInertia, dot6, shiftForce } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { LoadTerm, LoadTerms } from './load-terms.js';
import type { StepColumns } from './step-columns.js';

interface Parts {
  readonly carriers: Carriers;
  readonly derivatives: TreeDerivatives;
  readonly columns: StepColumns;
  readonly loads: LoadTerms;
  readonly freeBodies: FreeBodies;
}

export class RightSide {
  private readonly parts: Parts;
  /** 6 per carrier: wrenches of the right side; of nodes that are left out what the states of elements add */
  readonly load: Float64Array;
  /** 1 per node that is left out: what solves for it makes its right side itself (plane-sweep.ts). And those that are not, ascending */
  private readonly apart: Uint8Array;
  private nodes: Int32Array;
  private readonly rise: Float64Array; // 18 per carrier: Σ (s r_v − e ψ₂ ρ), Σ −e ψ₁ ρ, Σ s ρ
  private readonly own = new Float64Array(6);
  private e = 0;
  private ofBody = { rates: new Float64Array(8), moves: new Float64Array(8) };

  constructor(parts: Parts) {
    this.parts = parts;
    const count = parts.carriers.ground + 1;
    this.load = new Float64Array(6 * count);
    this.rise = new Float64Array(18 * count);
    this.apart = new Uint8Array(count);
    this.nodes = NONE;
    this.leaveOut([]);
  }

  /** @param groups nodes that are left out from now on */
  leaveOut(groups: readonly Int32Array[]): void {
    const { apart } = this;
    const { idle } = this.parts.derivatives.kinematics;
    apart.fill(0);
    for (const nodes of groups) for (const node of nodes) apart[node] = 1;
    this.nodes = Int32Array.from(idle.keys()).filter((node) => idle[node] === 0 && apart[node] === 0);
  }

  /**
   * @param r     right side of the whole system, velocities from index `nq`
   * @param shift per velocity: E r̃
   * @param right per velocity: the result
   */
  fill(e: number, r: Float64Array, nq: number, shift: Float64Array, right: Float64Array): void {
    this.e = e;
    this.load.fill(0);
    this.raiseTree(r, nq, shift);
    this.raiseBodies(shift);
    this.ownWrenches();
    this.flexibleWrenches(r, nq, shift);
    const { cross, withStates, modal } = this.parts.loads;
    for (let k = 0; k < cross.length; k++) {
      const { blocks } = cross[k];
      this.addLoad(blocks.pose, blocks.twist, 6, 12, blocks.b, blocks.a);
      this.addLoad(blocks.pose, blocks.twist, 72, 12, blocks.a, blocks.b);
    }
    for (let k = 0; k < withStates.length; k++) this.addStates(withStates[k], r);
    for (let k = 0; k < modal.length; k++) this.addModal(modal[k], shift);
    this.alongTree(shift, right);
    for (let k = 0; k < modal.length; k++) this.alongModal(modal[k], r, shift, right);
    this.alongFlexible(r, nq, shift, right);
    this.alongBodies(r, nq, right);
  }

  private raiseTree(r: Float64Array, nq: number, shift: Float64Array): void {
    const { rise, e } = this;
    const { derivatives, columns } = this.parts;
    const { above, first, end } = derivatives.kinematics;
    const { column, psi1 } = columns;
    const { psi2 } = derivatives;
    for (const i of this.nodes) {
      const z = 18 * i;
      const p = above[i];
      if (p >= 0) for (let j = 0; j < 18; j++) rise[z + j] = rise[18 * p + j];
      else rise.fill(0, z, z + 18);
      for (let k = first[i]; k < end[i]; k++) {
        const rate = r[nq + k];
        const moved = shift[k];
        for (let j = 0; j < 6; j++) {
          rise[z + j] += column[6 * k + j] * rate - e * psi2[6 * k + j] * moved;
          rise[z + 6 + j] -= e * psi1[6 * k + j] * moved;
          rise[z + 12 + j] += column[6 * k + j] * moved;
        }
      }
    }
  }

  private raiseBodies(shift: Float64Array): void {
    const { rise, e } = this;
    const { derivatives, columns, carriers, loads } = this.parts;
    const { column, psi1 } = columns;
    for (let i = 0; i < carriers.free; i++) {
      const z = 18 * (carriers.nodes + i);
      if (loads.loaded[carriers.nodes + i] === 0) continue;
      rise.fill(0, z, z + 18);
      for (let k = derivatives.size + 6 * i; k < derivatives.size + 6 * i + 6; k++)
        for (let j = 0; j < 6; j++) {
          rise[z + 6 + j] -= e * psi1[6 * k + j] * shift[k];
          rise[z + 12 + j] += column[6 * k + j] * shift[k];
        }
    }
  }

  /** I α + B β, then loads e X'' χ − C β */
  private ownWrenches(): void {
    const { rise, load, apart } = this;
    const { derivatives, carriers, loads } = this.parts;
    const { tree } = derivatives.kinematics;
    for (const i of this.nodes) {
      if (tree.mass[i] === 0) continue;
      addInertia(derivatives.inertia, 10 * i, rise, 18 * i, load, 6 * i);
      addCoriolis(1, derivatives.coriolis, 12 * i, rise, 18 * i + 6, load, 6 * i);
    }
    for (let i = 0; i < carriers.ground; i++)
      if (loads.loaded[i] !== 0 && apart[i] === 0) this.addLoad(loads.pose, loads.twist, 36 * i, 6, i, i);
  }

  /** Of deforming bodies, on the node of the frame: (n_k, p_k) r_v − e ∂/∂q_k ρ */
  private flexibleWrenches(r: Float64Array, nq: number, shift: Float64Array): void {
    const { load, own, apart, e } = this;
    const { kinematics, offset } = this.parts.derivatives;
    const { flexible } = kinematics;
    for (let f = 0; f < flexible.length; f++) {
      const { node, count, velocity, byAcceleration, byQ } = flexible[f];
      if (apart[node] !== 0) continue;
      let [f0, f1, f2, f3, f4, f5] = [0, 0, 0, 0, 0, 0];
      for (let k = 0, at = 0; k < count; k++, at += 6) {
        const rate = r[nq + velocity[k]];
        const moved = e * shift[velocity[k]];
        f0 += byAcceleration[at] * rate - byQ[at] * moved;
        f1 += byAcceleration[at + 1] * rate - byQ[at + 1] * moved;
        f2 += byAcceleration[at + 2] * rate - byQ[at + 2] * moved;
        f3 += byAcceleration[at + 3] * rate - byQ[at + 3] * moved;
        f4 += byAcceleration[at + 4] * rate - byQ[at + 4] * moved;
        f5 += byAcceleration[at + 5] * rate - byQ[at + 5] * moved;
      }
      own[0] = f0;
      own[1] = f1;
      own[2] = f2;
      own[3] = f3;
      own[4] = f4;
      own[5] = f5;
      shiftForce(own, 0, offset, 3 * node, own, 0);
      for (let j = 0; j < 6; j++) load[6 * node + j] += own[j];
    }
  }

  /** And along their coordinates */
  private alongFlexible(r: Float64Array, nq: number, shift: Float64Array, right: Float64Array): void {
    const { rise, apart, e } = this;
    const { kinematics, offset } = this.parts.derivatives;
    const { flexible } = kinematics;
    for (let f = 0; f < flexible.length; f++) {
      const { node, count, velocity, byAcceleration, plan, rowsByQ, beta } = flexible[f];
      if (apart[node] !== 0) continue;
      const { mass, carrying } = plan;
      const z = 18 * node;
      const { rates, moves } = this.room(count);
      for (let l = 0; l < count; l++) {
        rates[l] = r[nq + velocity[l]];
        moves[l] = e * shift[velocity[l]];
      }
      // the rise of the frame at the node's own origin, where (n_k, p_k) and β_k are
      const o = 3 * node;
      const w0 = rise[z];
      const w1 = rise[z + 1];
      const w2 = rise[z + 2];
      const v0 = rise[z + 3] + w1 * offset[o + 2] - w2 * offset[o + 1];
      const v1 = rise[z + 4] + w2 * offset[o] - w0 * offset[o + 2];
      const v2 = rise[z + 5] + w0 * offset[o + 1] - w1 * offset[o];
      const b0 = rise[z + 6];
      const b1 = rise[z + 7];
      const b2 = rise[z + 8];
      for (let k = 0, at = 0, u = 0, b = 0; k < count; k++, u += 6, b += 3) {
        const moved =
          byAcceleration[u] * w0 +
          byAcceleration[u + 1] * w1 +
          byAcceleration[u + 2] * w2 +
          byAcceleration[u + 3] * v0 +
          byAcceleration[u + 4] * v1 +
          byAcceleration[u + 5] * v2 +
          beta[b] * b0 +
          beta[b + 1] * b1 +
          beta[b + 2] * b2;
        let inert = 0;
        let held = 0;
        // of modes the mass is diagonal
        const coupled = k < carrying ? count : carrying;
        let l = 0;
        for (; l < coupled; l++, at++) {
          inert += mass[at] * rates[l];
          held += rowsByQ[at] * moves[l];
        }
        for (; l < count; l++, at++) held += rowsByQ[at] * moves[l];
        if (k >= carrying) inert += mass[k * count + k] * rates[k];
        right[velocity[k]] += moved + inert - held;
      }
    }
  }

  /** For r_v and ρ of one deforming body */
  private room(count: number): { rates: Float64Array; moves: Float64Array } {
    if (this.ofBody.rates.length < count)
      this.ofBody = { rates: new Float64Array(count), moves: new Float64Array(count) };
    return this.ofBody;
  }

  private addLoad(pose: Float64Array, twist: Float64Array, at: number, stride: number, from: number, to: number): void {
    const { rise, load, e } = this;
    for (let i = 0; i < 6; i++) {
      let sum = 0;
      for (let j = 0; j < 6; j++) {
        const k = at + stride * i + j;
        sum += e * pose[k] * rise[18 * from + 12 + j] - twist[k] * rise[18 * from + 6 + j];
      }
      load[6 * to + i] += sum;
    }
  }

  /** Wrenches on carriers by coordinates of deforming ones */
  private addModal({ blocks, modal }: LoadTerm, shift: Float64Array): void {
    const { load, e } = this;
    const { count: n, velocities, wrenchByQ } = modal!;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? blocks.a : blocks.b;
      if (carrier === this.parts.carriers.ground) continue;
      for (let j = 0; j < 6; j++)
        for (let k = 0; k < n; k++)
          load[6 * carrier + j] += e * wrenchByQ[(6 * side + j) * n + k] * shift[velocities[k]];
    }
  }

  /** And along these coordinates */
  private alongModal(
    { blocks, modal, derivative, stateAt }: LoadTerm,
    r: Float64Array,
    shift: Float64Array,
    right: Float64Array,
  ): void {
    const { rise, e } = this;
    const { count: n, velocities, byPose, byTwist, byQ, stateGain } = modal!;
    const { states } = derivative;
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let side = 0; side < 2; side++) {
        const carrier = side === 0 ? blocks.a : blocks.b;
        if (carrier === this.parts.carriers.ground) continue;
        const at = 12 * k + 6 * side;
        for (let j = 0; j < 6; j++)
          sum += e * byPose[at + j] * rise[18 * carrier + 12 + j] - byTwist[at + j] * rise[18 * carrier + 6 + j];
      }
      for (let l = 0; l < n; l++) sum += e * byQ[k * n + l] * shift[velocities[l]];
      for (let l = 0; l < states; l++) sum += e * stateGain[k * states + l] * r[stateAt + l];
      right[velocities[k]] += sum;
    }
  }

  private addStates({ blocks, derivative, stateAt }: LoadTerm, r: Float64Array): void {
    const { load, e } = this;
    const { stateGain } = blocks;
    const n = derivative.states;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? blocks.a : blocks.b;
      if (carrier === this.parts.carriers.ground) continue;
      for (let j = 0; j < 6; j++)
        for (let k = 0; k < n; k++) load[6 * carrier + j] += e * stateGain[(6 * side + j) * n + k] * r[stateAt + k];
    }
  }

  /** Leaf to root; −e (s ×* f) ρ goes to the joints above only */
  private alongTree(shift: Float64Array, right: Float64Array): void {
    const { load, nodes, e } = this;
    const { derivatives, columns } = this.parts;
    const { tree, above, first, end } = derivatives.kinematics;
    const { column } = columns;
    right.fill(0, 0, derivatives.size); // what is left out, and modes
    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      const v = tree.v[i];
      const p = above[i];
      for (let k = v; k >= 0 && k < end[i]; k++) right[k] = dot6(column, 6 * k, load, 6 * i);
      if (p < 0) continue;
      for (let k = v; k >= 0 && k < end[i]; k++)
        addCrossForce(-e * shift[k], column, 6 * k, derivatives.wrench, 6 * i, load, 6 * i);
      // slides that are taken together with it, above it in the chain
      for (let k = v - 1; k >= first[i]; k--) {
        right[k] = dot6(column, 6 * k, load, 6 * i);
        addCrossForce(-e * shift[k], column, 6 * k, derivatives.wrench, 6 * i, load, 6 * i);
      }
      for (let j = 0; j < 6; j++) load[6 * p + j] += load[6 * i + j];
    }
  }

  private alongBodies(r: Float64Array, nq: number, right: Float64Array): void {
    const { load } = this;
    const { derivatives, columns, carriers, freeBodies } = this.parts;
    const { column } = columns;
    for (let i = 0; i < carriers.free; i++) {
      const v = derivatives.size + 6 * i;
      const mass = freeBodies.mass[i];
      const at = 6 * (carriers.nodes + i);
      for (let j = 0; j < 3; j++) {
        right[v + j] = mass * r[nq + v + j] + load[at + 3 + j];
        const moment = freeBodies.moments[3 * i + j];
        right[v + 3 + j] =
          moment === 0 ? r[nq + v + 3 + j] : moment * r[nq + v + 3 + j] + dot6(column, 6 * (v + 3 + j), load, at);
      }
    }
  }
}

const NONE = new Int32Array(0);
