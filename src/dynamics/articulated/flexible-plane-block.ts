/**
 * The coordinates of a flexible body inside the articulated-body algorithm of a tree that moves in the xy plane (plane-motion.ts): flexible-block.ts with three
 * numbers for six. They lie where the six would, so that what factors are used for afterwards need not know.
 */
import { FlexibleBlock } from './flexible-block.js';

export class FlexiblePlaneBlock extends FlexibleBlock {
  private readonly turned = new Float64Array(this.carrying); // Σ W n of modes
  protected override leave(k: number, j: Float64Array, at: number, force: Float64Array, applied: Float64Array): void {
    const { column, matrix, residual, carrying, chain, flexible, carrier } = this;
    const { axis, turn, slide } = this.kinematics;
    const i = flexible.nodes[k];
    const s = 6 * carrier[k];
    const below = chain[k];
    const c = 6 * k;
    const w = turn[i] * axis[3 * i + 2];
    const x = slide[i] * axis[3 * i];
    const y = slide[i] * axis[3 * i + 1];
    column[c + 2] = j[at + 2] * w + j[at + 12] * x + j[at + 13] * y;
    column[c + 3] = j[at + 12] * w + j[at + 15] * x + j[at + 18] * y;
    column[c + 4] = j[at + 13] * w + j[at + 18] * x + j[at + 16] * y;
    residual[k] = applied[flexible.velocity[k]] - (w * force[s + 2] + x * force[s + 3] + y * force[s + 4]);
    for (let index = 0; index < below.length; index++) {
      const d = below[index];
      const along = w * column[6 * d + 2] + x * column[6 * d + 3] + y * column[6 * d + 4];
      matrix[d * carrying + k] += along;
      if (d !== k) matrix[k * carrying + d] += along;
    }
  }

  protected override moveUp(coordinates: Int32Array, node: number): void {
    const { column, residual } = this;
    const { bias, arm } = this.kinematics;
    const s = 6 * node;
    const ax = arm[3 * node];
    const ay = arm[3 * node + 1];
    for (let index = 0; index < coordinates.length; index++) {
      const d = coordinates[index];
      const e = 6 * d;
      const fx = column[e + 3];
      const fy = column[e + 4];
      residual[d] -= column[e + 2] * bias[s + 2] + fx * bias[s + 3] + fy * bias[s + 4];
      column[e + 2] += ax * fy - ay * fx;
    }
  }

  override eliminate(
    inertia: Float64Array,
    at: number,
    force: Float64Array,
    applied: Float64Array,
    along: Float64Array,
  ): void {
    const { carrying: c, column, gain, reduced, flexible } = this;
    const { bias, node } = flexible;
    const s = 6 * node;
    this.completeChains(along);
    force[s + 2] += bias[2];
    force[s + 3] += bias[3];
    force[s + 4] += bias[4];
    this.takeModes(inertia, at, force, applied, along);
    this.factorise();
    this.solveColumns();
    for (let k = 0, i = 0; k < c; k++, i += 6) {
      const n = column[i + 2];
      const x = column[i + 3];
      const y = column[i + 4];
      inertia[at + 2] -= n * gain[i + 2];
      inertia[at + 12] -= n * gain[i + 3];
      inertia[at + 13] -= n * gain[i + 4];
      inertia[at + 15] -= x * gain[i + 3];
      inertia[at + 18] -= x * gain[i + 4];
      inertia[at + 16] -= y * gain[i + 4];
      const f = reduced[k];
      force[s + 2] += gain[i + 2] * f;
      force[s + 3] += gain[i + 3] * f;
      force[s + 4] += gain[i + 4] * f;
    }
    this.solve();
  }

  /** Own forces and columns of the coordinates of chains */
  private completeChains(along: Float64Array): void {
    const { carrying: c, column, matrix, residual, reduced, flexible } = this;
    const { byRate, own, gravity: g, nodes } = flexible;
    for (let k = 0, s = 2; k < c; k++, s += 6) {
      along[nodes[k]] = matrix[k * c + k];
      column[s] += byRate[s];
      column[s + 1] += byRate[s + 1];
      column[s + 2] += byRate[s + 2];
      residual[k] += byRate[s + 1] * g[0] + byRate[s + 2] * g[1] - own[k];
      reduced[k] = residual[k];
    }
  }

  /** I −= U_mᵀ Mmm⁻¹ U_m,  U_c −= Wᵀ U_m,  p += U_mᵀ Mmm⁻¹ ε_m,  ε_c −= Wᵀ ε_m; one pass over the modes */
  private takeModes(
    inertia: Float64Array,
    at: number,
    force: Float64Array,
    applied: Float64Array,
    along: Float64Array,
  ): void {
    const { carrying: c, column, residual, reduced, turned, modes, flexible } = this;
    const { share, shareMoved, still, inverse, mass } = modes;
    const { rotation } = this.kinematics.carriers;
    const { axial, node, nodes, byRate, own, gravity: g, velocity } = flexible;
    const gx = g[0];
    const gy = g[1];
    let nn = 0;
    let nx = 0;
    let ny = 0;
    let n = 0;
    let x = 0;
    let y = 0;
    for (let i = 0; i < c; i++) turned[i] = 0;
    for (let k = 0, m = c, s = 6 * c + 3, w = 0; k < inverse.length; k++, m++, s += 6) {
      const turning = axial[m];
      const fx = byRate[s];
      const fy = byRate[s + 1];
      const left = applied[velocity[m]] + (fx * gx + fy * gy - own[m]);
      const f = left * inverse[k];
      const spun = turning * inverse[k];
      along[nodes[m]] = mass[k];
      residual[m] = left;
      nn += turning * spun;
      nx += fx * spun;
      ny += fy * spun;
      n += turning * f;
      x += fx * f;
      y += fy * f;
      for (let i = 0; i < c; i++, w++) {
        turned[i] += share[w] * turning;
        reduced[i] -= share[w] * left;
      }
    }
    const s = 6 * node;
    force[s + 2] += n;
    force[s + 3] += x;
    force[s + 4] += y;
    const cos = rotation[9 * node];
    const sin = rotation[9 * node + 3];
    const a0 = still[0] * cos - still[1] * sin;
    const a1 = still[0] * sin + still[1] * cos;
    const b0 = still[1] * cos - still[2] * sin;
    const b1 = still[1] * sin + still[2] * cos;
    inertia[at + 2] -= nn;
    inertia[at + 12] -= nx;
    inertia[at + 13] -= ny;
    inertia[at + 15] -= a0 * cos - b0 * sin;
    inertia[at + 18] -= a0 * sin + b0 * cos;
    inertia[at + 16] -= a1 * sin + b1 * cos;
    for (let i = 0, m = 0, to = 2; i < c; i++, m += 2, to += 6) {
      column[to] -= turned[i];
      column[to + 1] -= shareMoved[m] * cos - shareMoved[m + 1] * sin;
      column[to + 2] -= shareMoved[m] * sin + shareMoved[m + 1] * cos;
    }
  }

  protected override solveColumns(): void {
    const { carrying: c, matrix: l, column, gain } = this;
    for (let i = 0; i < c; i++) this.reduceThree(column, i, l, i * c, 1, i, 0);
    for (let i = c - 1; i >= 0; i--) this.reduceThree(gain, i, l, (i + 1) * c + i, c, c - 1 - i, i + 1);
  }

  /** gain of coordinate i = (start − Σ_k f_k gain_k)/f_ii, `count` of them from `from` on; f_k `step` apart. Only integers cross the call: others become heap objects. */
  private reduceThree(
    start: Float64Array,
    i: number,
    f: Float64Array,
    first: number,
    step: number,
    count: number,
    from: number,
  ): void {
    const { gain } = this;
    const at = 6 * i + 2;
    let x0 = start[at];
    let x1 = start[at + 1];
    let x2 = start[at + 2];
    for (let k = 0, a = first, b = 6 * from + 2; k < count; k++, a += step, b += 6) {
      const y = f[a];
      x0 -= y * gain[b];
      x1 -= y * gain[b + 1];
      x2 -= y * gain[b + 2];
    }
    const factor = 1 / f[i * this.carrying + i];
    gain[at] = x0 * factor;
    gain[at + 1] = x1 * factor;
    gain[at + 2] = x2 * factor;
  }

  protected override push(force: Float64Array, at: number): void {
    const { carrying: c, residual, gain: g, modes, reduced, flexible } = this;
    const { share, inverse } = modes;
    const { byRate } = flexible;
    for (let i = 0; i < c; i++) reduced[i] = residual[i];
    let n = 0;
    let x = 0;
    let y = 0;
    for (let k = 0, m = c, i = 6 * c + 2, w = 0; k < inverse.length; k++, m++, i += 6) {
      const left = residual[m];
      const f = left * inverse[k];
      n += byRate[i] * f;
      x += byRate[i + 1] * f;
      y += byRate[i + 2] * f;
      for (let j = 0; j < c; j++, w++) reduced[j] -= share[w] * left;
    }
    for (let k = 0, i = 2; k < c; k++, i += 6) {
      const f = reduced[k];
      n += g[i] * f;
      x += g[i + 1] * f;
      y += g[i + 2] * f;
    }
    force[at + 2] += n;
    force[at + 3] += x;
    force[at + 4] += y;
  }

  protected override descend(
    acceleration: Float64Array,
    x: Float64Array,
    modal: Float64Array,
    factor: Float64Array,
  ): void {
    const { carrying: c, work, gain, modes, flexible } = this;
    const { share, inverse } = modes;
    const { node, byRate } = flexible;
    const a = acceleration[6 * node + 2];
    const ax = acceleration[6 * node + 3];
    const ay = acceleration[6 * node + 4];
    for (let k = 0, g = 2; k < c; k++, g += 6) work[k] = x[k] - gain[g] * a - gain[g + 1] * ax - gain[g + 2] * ay;
    for (let k = 0, m = c, u = 6 * c + 2, w = 0; k < inverse.length; k++, m++, u += 6) {
      let sum = modal[m] * factor[k] - (byRate[u] * a + byRate[u + 1] * ax + byRate[u + 2] * ay) * inverse[k];
      for (let i = 0; i < c; i++, w++) sum -= share[w] * work[i];
      work[m] = sum;
    }
  }
}
