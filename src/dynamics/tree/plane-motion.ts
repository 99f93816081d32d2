/**
 * Trees that move in the world's xy plane alone, with parts that deform: of all motion only ω_z, v_x, v_y and of all wrenches only M_z, F_x, F_y do anything.
 * In spatial vectors (angular, linear) these are the third to the fifth number.
 */
import { NODE, type System, type Tree } from '../../assembly/system.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';

/** 1 per node of trees whose joints all turn about the world's z or slide across it, with a part that deforms and all of these flat (flat-part.ts). */
export function planeNodes(
  { tree }: Pick<System, 'tree'>,
  root: Int32Array,
  flexible: readonly FlexibleInertia[],
): Uint8Array {
  const deforms = new Uint8Array(tree.count);
  const leaves = new Uint8Array(tree.count);
  for (const { node, inPlane } of flexible) {
    deforms[root[node]] = 1;
    if (inPlane === undefined) leaves[root[node]] = 1;
  }
  for (let i = 0; i < tree.count; i++) if (!isUpright(tree, i) || !jointInPlane(tree, i)) leaves[root[i]] = 1;
  return Uint8Array.from(root, (first) => (deforms[first] !== 0 && leaves[first] === 0 ? 1 : 0));
}

function jointInPlane({ kind, axis }: Tree, i: number): boolean {
  if (kind[i] === NODE.revolute) return axis[3 * i] === 0 && axis[3 * i + 1] === 0;
  return kind[i] === NODE.fixed || (kind[i] === NODE.prismatic && axis[3 * i + 2] === 0);
}

/** Its joint frame has the z axis of the node above. */
function isUpright({ rotation }: Tree, i: number): boolean {
  const r = 9 * i;
  return (
    rotation[r + 2] === 0 &&
    rotation[r + 5] === 0 &&
    rotation[r + 6] === 0 &&
    rotation[r + 7] === 0 &&
    rotation[r + 8] === 1
  );
}
