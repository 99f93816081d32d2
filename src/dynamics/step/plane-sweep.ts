/**
 * Steps of a mechanism that moves in the xy plane (plane-motion.ts): right side and O(n) sweep (right-side.ts, tree-sweep.ts) in one, with three numbers where
 * these have six. Angular parts of ψ₁, ψ₂ and φ are zero, so without loads that have derivatives P has four columns,
 *
 *   P = [ I | e B_zω | −e C_xy | −e² X'' ]        1 3 – 1 – 2 – 3 columns, of which the last five come with loads
 *
 * and z as many numbers. Leaf to root with l the wrench of the right side and c that of the sweep, g = l − c:
 *
 *   y = d⁻¹ (b + s · g),   g_parent += g − e ρ (s ×* f) − u' y;   root to leaf  x = y − row z_parent,  z = z_parent + col x
 */

import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { FlexiblePlaneSweep } from './flexible-plane-sweep.js';
import type { Mechanism } from './mechanisms.js';
import { byColumns, UNLOADED, WIDTH } from './plane-columns.js';
import type { StepColumns } from './step-columns.js';

export class PlaneSweep {
  private readonly nodes: Int32Array; // ascending, but for those that are taken together with others
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  /** By node: the body that deforms whose frame it is, undefined: none; and 1 if it is a coordinate of one */
  private readonly frames: readonly (FlexiblePlaneSweep | undefined)[];
  private readonly chains: readonly (FlexiblePlaneSweep | undefined)[];
  private readonly matrix: Float64Array; // 27 per node: P
  private readonly row: Float64Array; // 9 per node
  private readonly back: Float64Array; // 3 per node: u'
  private readonly inverse: Float64Array; // per node: d⁻¹
  private readonly wrench: Float64Array; // 3 per node: g
  private readonly rise: Float64Array; // 9 per node, as in right-side.ts
  private readonly motion: Float64Array; // 9 per node: z
  private pose: Float64Array = NONE;
  private twist: Float64Array = NONE;
  private loaded: Uint8Array = NO_LOADS;
  private width = UNLOADED;
  private e = 0;

  constructor({ nodes }: Mechanism, derivatives: TreeDerivatives, columns: StepColumns) {
    const { tree, idle, flexible } = derivatives.kinematics;
    this.derivatives = derivatives;
    this.columns = columns;
    this.nodes = nodes.filter((node) => idle[node] === 0);
    const frames = new Array<FlexiblePlaneSweep | undefined>(tree.count).fill(undefined);
    const chains = frames.slice();
    for (const body of flexible) {
      if (!nodes.includes(body.node)) continue;
      const sweep = new FlexiblePlaneSweep(body, derivatives, columns);
      frames[body.node] = sweep;
      for (const node of body.nodes) chains[node] = sweep;
    }
    this.frames = frames;
    this.chains = chains;
    this.matrix = new Float64Array(27 * tree.count);
    this.row = new Float64Array(WIDTH * tree.count);
    this.back = new Float64Array(3 * tree.count);
    this.inverse = new Float64Array(tree.count);
    this.wrench = new Float64Array(3 * tree.count);
    this.rise = new Float64Array(9 * tree.count);
    this.motion = new Float64Array(WIDTH * tree.count);
  }

  /**
   * @param pose     36 per node: X''
   * @param twist    36 per node: C
   * @param loaded   per node: pose and twist are not zero
   * @param diagonal per velocity: what joint forces add to W
   * @returns false if the matrix is singular
   */
  factorise(e: number, pose: Float64Array, twist: Float64Array, loaded: Uint8Array, diagonal: Float64Array): boolean {
    const { nodes, frames, chains, matrix, derivatives } = this;
    const { tree, above } = derivatives.kinematics;
    this.e = e;
    this.pose = pose;
    this.twist = twist;
    this.loaded = loaded;
    this.width = UNLOADED;
    for (const i of nodes) if (loaded[i] !== 0) this.width = WIDTH;
    for (const i of nodes) {
      this.start(i);
      frames[i]?.start();
    }
    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      const frame = frames[i];
      if (frame !== undefined && !frame.eliminate(e, matrix, 27 * i, diagonal, this.width)) return false;
      const chain = chains[i];
      if (chain !== undefined) chain.pass(i, e, matrix, 27 * i, this.width);
      else if (tree.v[i] >= 0 && !this.eliminate(i, tree.v[i], diagonal)) return false;
      const p = above[i];
      if (p < 0) continue;
      for (let a = 27 * i, b = 27 * p; a < 27 * i + 27; a++, b++) matrix[b] += matrix[a];
    }
    return true;
  }

  /** Own part of P */
  private start(i: number): void {
    const { matrix: m, derivatives, pose, twist, e } = this;
    const { inertia, coriolis, kinematics } = derivatives;
    const at = 27 * i;
    m.fill(0, at, at + 27);
    if (kinematics.tree.mass[i] !== 0) {
      const k = 10 * i;
      m[at] = inertia[k + 6];
      m[at + 1] = m[at + 9] = -inertia[k + 2];
      m[at + 2] = m[at + 18] = inertia[k + 1];
      m[at + 10] = m[at + 20] = inertia[k];
      m[at + 3] = e * coriolis[12 * i + 8];
      m[at + 12] = -2 * e * coriolis[12 * i + 10];
      m[at + 21] = 2 * e * coriolis[12 * i + 9];
    }
    if (this.loaded[i] === 0) return;
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        const from = 36 * i + 6 * (r + 2) + c + 2;
        m[at + 9 * r + 3 + c] -= e * twist[from];
        m[at + 9 * r + 6 + c] -= e * e * pose[from];
      }
  }

  /** A joint, from P of its node */
  private eliminate(i: number, v: number, diagonal: Float64Array): boolean {
    const { matrix: m, row, back, derivatives, columns, width, e } = this;
    const { column } = columns;
    const { wrench } = derivatives;
    const c = 6 * v + 2;
    const at = 27 * i;
    const b = 3 * i;
    for (let r = 0; r < 3; r++) back[b + r] = byColumns(m, at + WIDTH * r, columns, c, width);
    const s0 = column[c];
    const s1 = column[c + 1];
    const s2 = column[c + 2];
    const d = diagonal[v] + s0 * back[b] + s1 * back[b + 1] + s2 * back[b + 2];
    if (!(Math.abs(d) > 0 && Math.abs(d) < Number.POSITIVE_INFINITY)) return false;
    const inverse = 1 / d;
    this.inverse[i] = inverse;
    // u' = u + e² (s ×* f)
    const f = 6 * i + 2;
    const u0 = back[b] + e * e * (s1 * wrench[f + 2] - s2 * wrench[f + 1]);
    const u1 = back[b + 1] - e * e * s0 * wrench[f + 2];
    const u2 = back[b + 2] + e * e * s0 * wrench[f + 1];
    back[b] = u0;
    back[b + 1] = u1;
    back[b + 2] = u2;
    for (let j = 0, k = at; j < width; j++, k++) {
      const x = inverse * (s0 * m[k] + s1 * m[k + 9] + s2 * m[k + 18]);
      row[WIDTH * i + j] = x;
      m[k] -= u0 * x;
      m[k + 9] -= u1 * x;
      m[k + 18] -= u2 * x;
    }
    return true;
  }

  /**
   * Solution for the velocities into r, from index `nq`.
   *
   * @param shift per velocity: E r̃
   * @param load  6 per carrier: what the states of elements add to the right side
   * @param b     per velocity: what joint forces add to it; then the solution
   */
  solve(r: Float64Array, nq: number, shift: Float64Array, load: Float64Array, b: Float64Array): void {
    this.raise(r, nq, shift);
    this.up(r, nq, shift, load, b);
    this.down(b);
  }

  private raise(r: Float64Array, nq: number, shift: Float64Array): void {
    const { nodes, rise, derivatives, columns, width, e } = this;
    const { above, first, end } = derivatives.kinematics;
    const { psi2 } = derivatives;
    const { column, psi1 } = columns;
    for (const i of nodes) {
      const p = above[i];
      const z = 9 * i;
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      if (p >= 0) {
        a0 = rise[9 * p];
        a1 = rise[9 * p + 1];
        a2 = rise[9 * p + 2];
      }
      for (let k = first[i]; k < end[i]; k++) {
        const rate = r[nq + k];
        const moved = e * shift[k];
        const c = 6 * k + 2;
        a0 += column[c] * rate;
        a1 += column[c + 1] * rate - psi2[c + 1] * moved;
        a2 += column[c + 2] * rate - psi2[c + 2] * moved;
      }
      rise[z] = a0;
      rise[z + 1] = a1;
      rise[z + 2] = a2;
      if (width === UNLOADED) continue;
      for (let j = 3; j < 9; j++) rise[z + j] = p < 0 ? 0 : rise[9 * p + j];
      for (let k = first[i]; k < end[i]; k++)
        for (let j = 0, c = 6 * k + 2; j < 3; j++, c++) {
          rise[z + 3 + j] -= e * psi1[c] * shift[k];
          rise[z + 6 + j] += column[c] * shift[k];
        }
    }
  }

  /** Leaf to root: y */
  private up(r: Float64Array, nq: number, shift: Float64Array, load: Float64Array, b: Float64Array): void {
    const { nodes, frames, chains, rise, back, inverse, wrench: g, derivatives, columns, e } = this;
    const { tree, above, first } = derivatives.kinematics;
    const { inertia, wrench } = derivatives;
    const { column } = columns;
    for (const i of nodes) for (let j = 0; j < 3; j++) g[3 * i + j] = load[6 * i + 2 + j];
    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      const p = above[i];
      const v = tree.v[i];
      if (tree.mass[i] !== 0) {
        const k = 10 * i;
        const z = 9 * i;
        const w = rise[z];
        const x = rise[z + 1];
        const y = rise[z + 2];
        g[3 * i] += inertia[k + 6] * w - inertia[k + 2] * x + inertia[k + 1] * y;
        g[3 * i + 1] += inertia[k] * x - inertia[k + 2] * w;
        g[3 * i + 2] += inertia[k] * y + inertia[k + 1] * w;
      }
      if (this.loaded[i] !== 0) this.addLoad(i);
      frames[i]?.up(r, nq, shift, rise, g, b);
      let g0 = g[3 * i];
      let g1 = g[3 * i + 1];
      let g2 = g[3 * i + 2];
      const inChain = chains[i] !== undefined;
      for (let k = v; k >= first[i] && k >= 0; k--) {
        const c = 6 * k + 2;
        const f = 6 * i + 2;
        const s0 = column[c];
        const s1 = column[c + 1];
        const s2 = column[c + 2];
        const along = b[k] + s0 * g0 + s1 * g1 + s2 * g2;
        const moved = e * shift[k];
        g0 -= moved * (s1 * wrench[f + 2] - s2 * wrench[f + 1]);
        g1 += moved * s0 * wrench[f + 2];
        g2 -= moved * s0 * wrench[f + 1];
        if (inChain) b[k] = along;
        else {
          const y = inverse[i] * along;
          b[k] = y;
          g0 -= back[3 * i] * y;
          g1 -= back[3 * i + 1] * y;
          g2 -= back[3 * i + 2] * y;
        }
      }
      if (p < 0) continue;
      g[3 * p] += g0;
      g[3 * p + 1] += g1;
      g[3 * p + 2] += g2;
    }
  }

  /** e X'' χ − C β of the right side */
  private addLoad(i: number): void {
    const { rise, wrench, pose, twist, e } = this;
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let c = 0, from = 36 * i + 6 * (j + 2) + 2; c < 3; c++, from++)
        sum += e * pose[from] * rise[9 * i + 6 + c] - twist[from] * rise[9 * i + 3 + c];
      wrench[3 * i + j] += sum;
    }
  }

  /** Root to leaf: x */
  private down(b: Float64Array): void {
    const { nodes, frames, chains, row, motion, derivatives, columns, width } = this;
    const { above, first, end } = derivatives.kinematics;
    const { alpha, beta, chi } = columns;
    for (const i of nodes) {
      const p = above[i];
      const z = WIDTH * i;
      for (let j = 0; j < width; j++) motion[z + j] = p < 0 ? 0 : motion[WIDTH * p + j];
      if (first[i] < end[i] && chains[i] === undefined && p >= 0) {
        let x = b[first[i]];
        for (let j = z; j < z + width; j++) x -= row[j] * motion[j];
        b[first[i]] = x;
      }
      for (let k = first[i]; k < end[i]; k++) {
        const x = b[k];
        const c = 6 * k + 2;
        motion[z] += alpha[c] * x;
        motion[z + 1] += alpha[c + 1] * x;
        motion[z + 2] += alpha[c + 2] * x;
        motion[z + 3] += beta[c] * x;
        if (width === UNLOADED) continue;
        motion[z + 4] += beta[c + 1] * x;
        motion[z + 5] += beta[c + 2] * x;
        for (let j = 0; j < 3; j++) motion[z + 6 + j] += chi[c + j] * x;
      }
      frames[i]?.down(b, motion, width);
    }
  }
}

const NONE = new Float64Array(0);
const NO_LOADS = new Uint8Array(0);
