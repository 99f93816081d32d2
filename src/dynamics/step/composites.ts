/**
 * Sums over subtrees of what each node has in the step matrix: inertia I, Coriolis matrix B (tree-derivatives.ts), derivatives C and X'' of
 * loads (load-derivatives.ts).
 */

import { addCoriolis, addInertia } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { LoadTerms } from './load-terms.js';
import type { StepColumns } from './step-columns.js';

export class Composites {
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  private readonly loads: LoadTerms;
  private readonly inertia: Float64Array; // 10 per node
  private readonly coriolis: Float64Array; // 12 per node
  private readonly pose: Float64Array; // 36 per node
  private readonly twist: Float64Array; // 36 per node
  private readonly loaded: Uint8Array;
  private e = 0;

  constructor(derivatives: TreeDerivatives, columns: StepColumns, loads: LoadTerms) {
    const n = derivatives.kinematics.tree.count;
    this.derivatives = derivatives;
    this.columns = columns;
    this.loads = loads;
    this.inertia = new Float64Array(10 * n);
    this.coriolis = new Float64Array(12 * n);
    this.pose = new Float64Array(36 * n);
    this.twist = new Float64Array(36 * n);
    this.loaded = new Uint8Array(n);
  }

  /** @param nodes of whole trees, ascending */
  gather(e: number, nodes: Int32Array): void {
    this.e = e;
    const { inertia, coriolis, pose, twist, loaded, derivatives, loads } = this;
    const { tree } = derivatives.kinematics;
    for (let index = 0; index < nodes.length; index++) {
      const i = nodes[index];
      const massless = tree.mass[i] === 0;
      for (let j = 10 * i; j < 10 * i + 10; j++) inertia[j] = massless ? 0 : derivatives.inertia[j];
      for (let j = 12 * i; j < 12 * i + 12; j++) coriolis[j] = massless ? 0 : derivatives.coriolis[j];
      loaded[i] = loads.loaded[i];
      for (let j = 36 * i; j < 36 * i + 36; j++) {
        pose[j] = loads.pose[j];
        twist[j] = loads.twist[j];
      }
    }
    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      const p = tree.parent[i];
      if (p < 0) continue;
      for (let j = 0; j < 10; j++) inertia[10 * p + j] += inertia[10 * i + j];
      for (let j = 0; j < 12; j++) coriolis[12 * p + j] += coriolis[12 * i + j];
      if (loaded[i] === 0) continue;
      loaded[p] = 1;
      for (let j = 0; j < 36; j++) {
        pose[36 * p + j] += pose[36 * i + j];
        twist[36 * p + j] += twist[36 * i + j];
      }
    }
  }

  /** out = I α + e (B − C) β − e² X'' χ of the subtree of node i and velocity k */
  column(i: number, k: number, out: Float64Array): void {
    const { inertia, coriolis, pose, twist, e } = this;
    const { alpha, beta, chi } = this.columns;
    const at = 6 * k;
    out.fill(0, 0, 6);
    addInertia(inertia, 10 * i, alpha, at, out, 0);
    addCoriolis(e, coriolis, 12 * i, beta, at, out, 0);
    if (this.loaded[i] === 0) return;
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      for (let c = 0; c < 6; c++) {
        const m = 36 * i + 6 * r + c;
        sum += e * twist[m] * beta[at + c] + e * e * pose[m] * chi[at + c];
      }
      out[r] -= sum;
    }
  }

  /** out = s · [I | e (B − C) | −e² X''] of the subtree of node i and velocity k, 18 numbers */
  row(i: number, k: number, out: Float64Array): void {
    const { inertia, coriolis, pose, twist, e } = this;
    const { column: s } = this.columns;
    const at = 6 * k;
    out.fill(0);
    addInertia(inertia, 10 * i, s, at, out, 0); // I is symmetric
    const b = 12 * i;
    const px = coriolis[b + 9];
    const py = coriolis[b + 10];
    const pz = coriolis[b + 11];
    // Sᵀ B = (B₁₁ᵀ s_ω − 2 [P]ᵀ s_v, 0) = (B₁₁ᵀ s_ω + 2 P × s_v, 0)
    for (let c = 0; c < 3; c++)
      out[6 + c] = e * (s[at] * coriolis[b + c] + s[at + 1] * coriolis[b + 3 + c] + s[at + 2] * coriolis[b + 6 + c]);
    out[6] += 2 * e * (py * s[at + 5] - pz * s[at + 4]);
    out[7] += 2 * e * (pz * s[at + 3] - px * s[at + 5]);
    out[8] += 2 * e * (px * s[at + 4] - py * s[at + 3]);
    if (this.loaded[i] === 0) return;
    for (let c = 0; c < 6; c++) {
      let byTwist = 0;
      let byPose = 0;
      for (let r = 0; r < 6; r++) {
        byTwist += s[at + r] * twist[36 * i + 6 * r + c];
        byPose += s[at + r] * pose[36 * i + 6 * r + c];
      }
      out[6 + c] -= e * byTwist;
      out[12 + c] -= e * e * byPose;
    }
  }
}
