/** Rigid parts of the tree as they have turned: centres and inertias in world axes, about each node's origin, R I Rᵀ + m (c² 1 − c cᵀ). Parts that deform tell their own. */
import type { Tree } from '../../assembly/system.js';
import type { Carriers } from './carriers.js';

export interface Inertias {
  readonly tree: Tree;
  readonly carriers: Carriers;
  /** 3 per node, m */
  readonly centre: Float64Array;
  /** 6 per node: xx yy zz xy xz yz, kg m² */
  readonly inertia: Float64Array;
}

/** @param solid nodes with mass that do not deform */
export function turnInertias(of: Inertias, solid: Int32Array): void {
  const { tree, centre, inertia } = of;
  const { rotation } = of.carriers;
  for (let index = 0; index < solid.length; index++) {
    const i = solid[index];
    const mass = tree.mass[i];
    const i3 = 3 * i;
    const i6 = 6 * i;
    const i9 = 9 * i;
    const r00 = rotation[i9];
    const r01 = rotation[i9 + 1];
    const r02 = rotation[i9 + 2];
    const r10 = rotation[i9 + 3];
    const r11 = rotation[i9 + 4];
    const r12 = rotation[i9 + 5];
    const r20 = rotation[i9 + 6];
    const r21 = rotation[i9 + 7];
    const r22 = rotation[i9 + 8];
    const cx0 = tree.centre[i3];
    const cy0 = tree.centre[i3 + 1];
    const cz0 = tree.centre[i3 + 2];
    const cx = r00 * cx0 + r01 * cy0 + r02 * cz0;
    const cy = r10 * cx0 + r11 * cy0 + r12 * cz0;
    const cz = r20 * cx0 + r21 * cy0 + r22 * cz0;
    centre[i3] = cx;
    centre[i3 + 1] = cy;
    centre[i3 + 2] = cz;
    const xx = tree.inertia[i6];
    const yy = tree.inertia[i6 + 1];
    const zz = tree.inertia[i6 + 2];
    const xy = tree.inertia[i6 + 3];
    const xz = tree.inertia[i6 + 4];
    const yz = tree.inertia[i6 + 5];
    const a0 = r00 * xx + r01 * xy + r02 * xz;
    const a1 = r00 * xy + r01 * yy + r02 * yz;
    const a2 = r00 * xz + r01 * yz + r02 * zz;
    const b0 = r10 * xx + r11 * xy + r12 * xz;
    const b1 = r10 * xy + r11 * yy + r12 * yz;
    const b2 = r10 * xz + r11 * yz + r12 * zz;
    const c0 = r20 * xx + r21 * xy + r22 * xz;
    const c1 = r20 * xy + r21 * yy + r22 * yz;
    const c2 = r20 * xz + r21 * yz + r22 * zz;
    inertia[i6] = a0 * r00 + a1 * r01 + a2 * r02 + mass * (cy * cy + cz * cz);
    inertia[i6 + 1] = b0 * r10 + b1 * r11 + b2 * r12 + mass * (cz * cz + cx * cx);
    inertia[i6 + 2] = c0 * r20 + c1 * r21 + c2 * r22 + mass * (cx * cx + cy * cy);
    inertia[i6 + 3] = a0 * r10 + a1 * r11 + a2 * r12 - mass * cx * cy;
    inertia[i6 + 4] = a0 * r20 + a1 * r21 + a2 * r22 - mass * cx * cz;
    inertia[i6 + 5] = b0 * r20 + b1 * r21 + b2 * r22 - mass * cy * cz;
  }
}
