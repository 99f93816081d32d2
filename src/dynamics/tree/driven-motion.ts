/**
 * How prescribed motions carry the tree along while all free coordinates and velocities stay as they are: the rise of poses, twists and
 * accelerations with time, root to leaf.
 *
 * A driven joint with column s and value x moves every node behind it. With ψ₁, ψ₂, φ of tree-derivatives.ts (ψ₂ without gravity), summed
 * over the driven joints up to the root, at the tree's common origin:
 *
 *   χ = Σ s x'      β = Σ (ψ₁ x' + s x'')      α = Σ (ψ₂ x' + φ x'' + s x''')
 *
 * a node is displaced by χ, its twist changes by χ × V + β, its acceleration (joint accelerations held) by χ × A + α + β × V.
 */
import type { System } from '../../assembly/system.js';
import { crossMotion } from './spatial.js';
import type { TreeDerivatives } from './tree-derivatives.js';

export class DrivenMotion {
  /** Something is driven. */
  readonly any: boolean;
  /** 1 per carrier that a driven joint moves */
  readonly moved: Uint8Array;
  /** 18 per node: χ, β, α */
  readonly rise: Float64Array;
  /** 6 per node: s x' of a driven joint */
  readonly own: Float64Array;
  private readonly derivatives: TreeDerivatives;
  private readonly motions: System['motions'];
  private readonly sample = new Float64Array(4);
  private readonly s = new Float64Array(6);
  private readonly psi1 = new Float64Array(6);
  private readonly term = new Float64Array(6);

  /** @param moved 1 per carrier that a prescribed motion moves (driven.ts) */
  constructor({ tree, motions }: System, moved: Uint8Array, derivatives: TreeDerivatives) {
    this.derivatives = derivatives;
    this.motions = motions;
    this.any = motions.length > 0;
    this.moved = moved;
    this.rise = new Float64Array(this.any ? 18 * tree.count : 0);
    this.own = new Float64Array(this.any ? 6 * tree.count : 0);
  }

  /** At the pose, twists and accelerations of `derivatives` */
  update(t: number): void {
    if (!this.any) return;
    const { rise, own, moved, sample, s } = this;
    const { tree } = this.derivatives.kinematics;
    for (let i = 0; i < tree.count; i++) {
      if (moved[i] === 0) continue;
      const z = 18 * i;
      const p = tree.parent[i];
      for (let j = 0; j < 18; j++) rise[z + j] = p >= 0 ? rise[18 * p + j] : 0;
      if (tree.motion[i] < 0) continue;
      this.motions[tree.motion[i]](t, sample);
      this.column(i);
      for (let j = 0; j < 6; j++) {
        own[6 * i + j] = s[j] * sample[1];
        rise[z + j] += s[j] * sample[1];
        rise[z + 6 + j] += s[j] * sample[2];
        rise[z + 12 + j] += s[j] * sample[3];
      }
      this.carry(i, p, z);
    }
  }

  /** s of a driven node */
  private column(i: number): void {
    const { s, derivatives } = this;
    const { turn, slide, axis } = derivatives.kinematics;
    const { offset } = derivatives;
    const a = turn[i];
    const b = slide[i];
    for (let j = 0; j < 3; j++) {
      const n = 3 * i + ((j + 1) % 3);
      const l = 3 * i + ((j + 2) % 3);
      s[j] = a * axis[3 * i + j];
      s[3 + j] = a * (offset[n] * axis[l] - offset[l] * axis[n]) + b * axis[3 * i + j];
    }
  }

  /** Adds ψ₁ x' to β, ψ₂ x' + φ x'' to α. */
  private carry(i: number, p: number, z: number): void {
    const { rise, sample, s, psi1, term } = this;
    const { twist, acceleration } = this.derivatives;
    crossMotion(twist, 6 * i, s, 0, term, 0);
    for (let j = 0; j < 6; j++) rise[z + 12 + j] += term[j] * sample[2];
    if (p < 0) return;
    crossMotion(twist, 6 * p, s, 0, psi1, 0);
    for (let j = 0; j < 6; j++) {
      rise[z + 6 + j] += psi1[j] * sample[1];
      rise[z + 12 + j] += psi1[j] * sample[2];
    }
    crossMotion(acceleration, 6 * p, s, 0, term, 0);
    for (let j = 0; j < 6; j++) rise[z + 12 + j] += term[j] * sample[1];
    crossMotion(twist, 6 * p, psi1, 0, term, 0);
    for (let j = 0; j < 6; j++) rise[z + 12 + j] += term[j] * sample[1];
  }
}
