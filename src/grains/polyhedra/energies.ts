/** Energy of rigid grains at a whole step: velocities lag half a step behind, so half a kick is added for the look and not kept. */
import type { Vec3 } from '../../math/vec3.js';
import type { GrainEnergies } from '../bed.js';
import type { RigidGrains } from './rigid-grains.js';

/** @param h the last step, s */
export function energiesOf(grains: RigidGrains, gravity: Vec3, h = grains.step): GrainEnergies {
  const { positions, velocities, momenta, inverseInertia, bodyCount } = grains.arrays;
  const [x, v, l, j] = [positions.view, velocities.view, momenta.view, inverseInertia.view];
  const half = grains.counts.steps > 0 ? 0.5 * h : 0;
  let [kinetic, rotational, potential] = [0, 0, 0];
  for (let b = 0; b < bodyCount; b++) {
    const perMass = v[8 * b + 3];
    if (!(perMass > 0)) continue;
    grains.wrench(b, LOAD);
    for (let k = 0; k < 3; k++) {
      const speed = v[8 * b + k] + half * (LOAD[k] * perMass + gravity[k]);
      kinetic += (0.5 * speed * speed) / perMass;
      potential -= (gravity[k] * x[4 * b + k]) / perMass;
    }
    // ½ Lᵀ J L
    const [lx, ly, lz] = [
      l[4 * b] + half * LOAD[3],
      l[4 * b + 1] + half * LOAD[4],
      l[4 * b + 2] + half * LOAD[5],
    ] as const;
    const at = 8 * b;
    rotational +=
      0.5 * (lx * (j[at] * lx + 2 * j[at + 3] * ly) + ly * (j[at + 1] * ly + 2 * j[at + 4] * lz)) +
      0.5 * lz * (j[at + 2] * lz + 2 * j[at + 5] * lx);
  }
  return { kinetic, rotational, potential: potential - grains.wentRound, ...grains.stored };
}

const LOAD = new Float64Array(6);
