// A step that is far too long tries states at which nothing can be computed. It is tried again, shorter, and nothing is left of it: a mechanism at rest whose crank
// set out ended with "the inertia of its deformation is not positive" there, or with rates that were no numbers at any length of step.
import { expect, test } from 'vitest';
import { flexibleFourBar } from '../../tests/fixtures/flexible-four-bar.js';
import { assemble } from '../assembly/assemble.js';
import { body } from '../model/body.js';
import { revolute, spherical } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from '../simulation/simulation.js';
import { initialise, MechanicalSystem } from './index.js';

test('rates at states far away are no numbers, and near ones have the bits they had', () => {
  const mechanics = new MechanicalSystem(assemble(model(flexibleFourBar(2, 0.02))), { tolerance: { relative: 1e-4 } });
  const y = mechanics.system.initial.slice();
  initialise(mechanics, 0, y);
  const before = new Float64Array(mechanics.size);
  mechanics.rates(0, y, before);
  for (const size of [1e12, 1e28, 1e160, Number.NaN]) {
    const far = y.map((x, i) => (i % 3 === 0 ? size : x));
    const rates = new Float64Array(mechanics.size);
    mechanics.rates(0.1, far, rates);
    expect(mechanics.project(0.1, far.slice())).toBe(false);
    if (!(size < 1e100)) expect(rates.every((x) => Number.isFinite(x))).toBe(false);
    // as loops do with what such a step left them
    mechanics.articulated.halfSolveTransposed(far, 0, new Float64Array(mechanics.nv), 0);
    const after = new Float64Array(mechanics.size);
    mechanics.prepare(0, y);
    mechanics.rates(0, y, after);
    expect(after).toEqual(before);
  }
});

test('a ball joint on a point mass names what is wrong', () => {
  const point = body({ mass: 1, inertia: [0, 0, 0], position: [0.4, 0, 0] });
  const { bodies } = flexibleFourBar(0, 0.05);
  const options = {
    contacts: false,
    bodies: {
      rod: { ...(bodies as { rod: ReturnType<typeof body> }).rod, position: [0, 0, 0], orientation: undefined },
      point,
    },
    joints: {
      root: revolute({ body: 'rod', axis: [0, 0, 1] }),
      ball: spherical({ body: 'point', to: 'rod', at: [0.4, 0, 0] }),
    },
  } as const;
  expect(() => simulate(model(options), { stopTime: 0.01 })).toThrow(
    'joints.ball: moves a body without inertia along it',
  );
});
