/** Whether a part that deforms is flat, and stays in its plane: then the short forms of flexible-in-plane.ts and mode-elimination.ts are true of it. */
import { type FlexibleNode, NODE, type Tree } from '../../assembly/system.js';

/**
 * Height of the middle plane of a part over the origin of its node, where the part is flat and lies across the node's z axis, m; else NaN. Then the third row
 * of C0k is that height times p_k.
 */
export function flatHeight({ integrals, nodes }: FlexibleNode): number {
  const { p, c0, c, s0, mass } = integrals;
  const height = s0[2] / mass;
  const allowed = 1e-12 * c0.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (let k = 0; k < nodes.length; k++) {
    if (p[3 * k + 2] !== 0) return Number.NaN;
    for (let j = 0; j < 2; j++)
      if (!(Math.abs(c0[9 * k + 6 + j] - height * p[3 * k + j]) <= allowed)) return Number.NaN;
  }
  for (let i = 0; i < c0.length; i++) if (c0[i] !== 0 && i % 3 === 2) return Number.NaN;
  for (let i = 0; i < c.length; i++)
    if (c[i] !== 0 && i % 9 !== 0 && i % 9 !== 1 && i % 9 !== 3 && i % 9 !== 4) return Number.NaN;
  return height;
}

/** Whether a part is flat in the xy plane of its node, and no joint between the ground and it turns it about another axis than z. */
export function movesInPlane(plan: FlexibleNode, tree: Tree): boolean {
  const { node, nodes, mass, stiffness, carrying } = plan;
  if (Number.isNaN(flatHeight(plan))) return false;
  const n = nodes.length;
  for (let k = carrying; k < n; k++)
    for (let l = carrying; l < n; l++)
      if (k !== l && (mass[k * n + l] !== 0 || stiffness[k * n + l] !== 0)) return false;
  for (let k = carrying; k < n; k++)
    for (let l = 0; l < carrying; l++) if (stiffness[k * n + l] !== 0 || stiffness[l * n + k] !== 0) return false;
  let normal = [0, 0, 1];
  for (let i = node; i >= 0; i = tree.parent[i]) {
    const turns = tree.kind[i] !== NODE.fixed && tree.kind[i] !== NODE.prismatic;
    if (tree.kind[i] === NODE.spherical) return false;
    const along = tree.axis[3 * i] * normal[0] + tree.axis[3 * i + 1] * normal[1] + tree.axis[3 * i + 2] * normal[2];
    if (turns && Math.abs(along) < 1 - ALONG) return false;
    const r = 9 * i;
    normal = [0, 1, 2].map(
      (j) =>
        tree.rotation[r + 3 * j] * normal[0] +
        tree.rotation[r + 3 * j + 1] * normal[1] +
        tree.rotation[r + 3 * j + 2] * normal[2],
    );
  }
  return true;
}

/** 1 − cos of an angle of 1e-8, which rounding leaves between axes that are meant to be parallel */
const ALONG = 1e-15;
