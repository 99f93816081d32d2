import { describe, expect, test } from 'vitest';
import { type RandomSystemOptions, randomSystem } from '../../../tests/fixtures/random-system.js';
import { NODE } from '../../assembly/system.js';
import { Carriers } from '../tree/carriers.js';
import { GravityField } from '../tree/gravity.js';
import { alongJoints, jointWrenches, nodeAccelerations } from '../tree/inverse-dynamics.js';
import { TreeKinematics } from '../tree/tree-kinematics.js';
import { ArticulatedBody } from './articulated-body.js';

/** Forward dynamics under random joint forces and loads, then inverse dynamics of what came out. */
function roundTrip(options: RandomSystemOptions) {
  const system = randomSystem(options);
  const carriers = new Carriers(system);
  const kinematics = new TreeKinematics(system, carriers);
  const articulated = new ArticulatedBody(kinematics);
  kinematics.update(0.3, system.initial, system.nq);
  carriers.load.fill(0);
  new GravityField(system, kinematics).addLoads();
  for (let i = 0; i < 6 * system.tree.count; i++) carriers.load[i] += Math.sin(17 * i + options.seed);
  const applied = Float64Array.from({ length: system.nv }, (_, i) => 3 * Math.cos(5 * i));
  const a = new Float64Array(system.nv);
  articulated.solve(applied, a, 0);
  const acceleration = new Float64Array(6 * system.tree.count);
  const wrench = new Float64Array(6 * system.tree.count);
  const back = new Float64Array(system.nv);
  nodeAccelerations(kinematics, a, 0, acceleration);
  jointWrenches(kinematics, acceleration, a, 0, wrench);
  alongJoints(kinematics, wrench, back);
  const scale = wrench.reduce((largest, x) => Math.max(largest, Math.abs(x)), 1);
  const worst = back.reduce((largest, x, i) => Math.max(largest, Math.abs(x - applied[i])), 0) / scale;
  return { system, kinematics, articulated, a, acceleration, wrench, applied, worst };
}

describe('articulated bodies', () => {
  // Rounding only: errors of a few ulp of the largest wrench in the tree.
  test.each(Array.from({ length: 40 }, (_, i) => i))(
    'forward equals inverse dynamics on random trees, seed %i',
    (seed) => {
      expect(roundTrip({ seed, nodes: 12, special: true }).worst).toBeLessThan(1e-12);
    },
  );
  test.each([
    [10, 1e-12],
    [100, 1e-12],
    [1000, 1e-11],
  ])('chain of %i revolute joints', (nodes, limit) => {
    for (let seed = 0; seed < 3; seed++)
      expect(roundTrip({ seed, nodes, shape: 'chain', kinds: [NODE.revolute] }).worst).toBeLessThan(limit);
  });
  test('chain of ball joints', () => {
    expect(roundTrip({ seed: 1, nodes: 100, shape: 'chain', kinds: [NODE.spherical] }).worst).toBeLessThan(1e-12);
  });
});
