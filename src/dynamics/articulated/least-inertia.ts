/** Below which inertia along a joint nothing with mass moves there. */
import { NODE } from '../../assembly/system.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';

/** 1e-13 of the inertia of all that hangs on each joint, stretched out: far below any real one, far above rounding. */
export function leastInertia({ tree, turn }: TreeKinematics): Float64Array {
  const n = tree.count;
  const mass = new Float64Array(n);
  const moment = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    const length2 = tree.centre.subarray(3 * i, 3 * i + 3).reduce((sum, x) => sum + x * x, 0);
    mass[i] += tree.mass[i];
    moment[i] += tree.inertia[6 * i] + tree.inertia[6 * i + 1] + tree.inertia[6 * i + 2] + tree.mass[i] * length2;
    const p = tree.parent[i];
    if (p < 0) continue;
    const arm2 = tree.position.subarray(3 * i, 3 * i + 3).reduce((sum, x) => sum + x * x, 0);
    mass[p] += mass[i];
    moment[p] += moment[i] + mass[i] * arm2;
  }
  return Float64Array.from(
    moment,
    (value, i) => 1e-13 * (turn[i] || tree.kind[i] === NODE.spherical ? value : mass[i]),
  );
}
