// Forces of deformation are the derivatives of the strain energy, what stretches a slender part as it bends included (membrane.ts)
import { expect, test } from 'vitest';
import { assemble } from '../../assembly/assemble.js';
import { box } from '../../geometry/primitives.js';
import { body } from '../../model/body.js';
import { applied } from '../../model/forces.js';
import { fixed } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { FlexibleInertia } from './flexible-inertia.js';

test.each([true, false])('of a strip held at one end and pulled at the other; membrane term: %s', (membrane) => {
  const system = assemble(
    model({
      contacts: false,
      bodies: {
        strip: body({
          shape: box([1, 0.02, 0.01]),
          material: { density: 2700, youngsModulus: 1e9, poissonRatio: 0.3 },
          flexible: { grid: [20, 1], modes: 2, membrane },
        }),
      },
      joints: { wall: fixed({ body: 'strip', at: [-0.5, 0, 0] }) },
      forces: { pull: applied({ on: { body: 'strip', at: [0.5, 0, 0] }, force: [1, 0, 0] }) },
    }),
  );
  const part = new FlexibleInertia(system.flexible![0], system.tree);
  expect(system.flexible![0].spans.length).toBe(membrane ? 1 : 0);
  const y = new Float64Array(system.nq + system.nv);
  // 1 mm longer, 30 mm and 0.1 rad aside: bending lengthens it as much
  part.coordinate.forEach((at, k) => {
    y[at] = [1e-3, 0.03, 0.1, 1e-3, -2e-3][k];
  });
  const nodes = system.tree.count;
  const rotation = Float64Array.from({ length: 9 * nodes }, (_, i) =>
    i % 9 === 0 || i % 9 === 4 || i % 9 === 8 ? 1 : 0,
  );
  const [twist, centre, inertia] = [6, 3, 6].map((width) => new Float64Array(width * nodes));
  const energyAt = (k: number, by: number): number => {
    y[part.coordinate[k]] += by;
    part.update(y, system.nq, rotation, twist, centre, inertia);
    const energy = part.strainEnergy();
    y[part.coordinate[k]] -= by;
    return energy;
  };
  energyAt(0, 0);
  const forces = part.own.slice();
  const size = forces.reduce((most, f) => Math.max(most, Math.abs(f)), 0);
  const h = 1e-6;
  // the energy is of fourth order: differences are wrong by h² of its third derivative, and by rounding of 1e-16/h of it
  forces.forEach((force, k) => {
    expect(Math.abs((energyAt(k, h) - energyAt(k, -h)) / (2 * h) - force)).toBeLessThan(1e-7 * size);
  });
});
