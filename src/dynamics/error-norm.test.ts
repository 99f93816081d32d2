import { expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { body } from '../model/body.js';
import { bushing, spring } from '../model/forces.js';
import { model } from '../model/model.js';
import { MechanicalSystem } from './mechanical-system.js';

// A fast body and a slow one, 1 mm/s: what error of the slow one's speed counts as much as the whole of it?
const sizeOfError = (joined: 'bushing' | 'spring'): [number, MechanicalSystem] => {
  const places = { from: { body: 'fast', at: [0.5, 0, 0] }, to: { body: 'slow', at: [0.5, 0, 0] } } as const;
  const system = assemble(
    model({
      gravity: 'none',
      contacts: false,
      bodies: {
        fast: body({ mass: 1, inertia: [1, 1, 1], velocity: [10, 0, 0] }),
        slow: body({ mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [1e-3, 0, 0] }),
      },
      forces: {
        link:
          joined === 'bushing'
            ? bushing({ ...places, stiffness: [1, 1, 1, 1, 1, 1] })
            : spring({ from: 'fast', to: 'slow', stiffness: 1 }),
      },
    }),
  );
  const mechanics = new MechanicalSystem(system, { tolerance: { relative: 1e-6 } });
  const y = Float64Array.from(system.initial);
  const error = new Float64Array(y.length);
  error[system.nq + 6] = 1e-6; // of the slow body's velocity in x, m/s
  return [mechanics.norm.size(0, error, y, y), mechanics];
};

test('bodies on a bushing are one mechanism, and errors are measured by its fastest', () => {
  const [size, mechanics] = sizeOfError('bushing');
  expect(size).toBeCloseTo(1e-6 / (1e-6 * 10), 12);
  expect(mechanics.norm.sharedSpeed(mechanics.carriers.nodes + 1)).toBe(10);
});

test('bodies on a line spring are not: only a thousandth of the fastest counts', () => {
  const [size, mechanics] = sizeOfError('spring');
  expect(size).toBeCloseTo(1e-6 / (1e-6 * 1e-2), 9);
  expect(mechanics.norm.sharedSpeed(mechanics.carriers.nodes + 1)).toBe(0);
});
