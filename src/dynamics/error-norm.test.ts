import { describe, expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { body } from '../model/body.js';
import { bushing, spring } from '../model/forces.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from '../simulation/simulation.js';
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

describe('bodies given by mass alone', () => {
  const chain = (stiffness: number, gravity: 'earth' | 'none', damping = 0) =>
    model({
      gravity: gravity === 'earth' ? [0, 0, -9.81] : 'none',
      contacts: false,
      bodies: Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`m${i}`, body({ mass: 1, position: [0, 0, -0.1 * (i + 1)] })]),
      ),
      forces: Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [
          `s${i}`,
          spring({ from: i > 0 ? `m${i - 1}` : [0, 0, 0], to: `m${i}`, stiffness, damping, restLength: 0.1 }),
        ]),
      ),
    });

  test('have the length of the springs that hold them', () => {
    const { norm } = new MechanicalSystem(assemble(chain(1e8, 'none')));
    for (const length of norm.scales.length) expect(length).toBeCloseTo(0.1, 12);
    // Two springs on a mass: √(2k/m), an upper bound of what it can swing with alone
    expect(norm.scales.frequency[3]).toBeCloseTo(Math.sqrt(2e8), 6);
  });

  // 0.1 m written as differences of decimals is rounded: accelerations of 1e-8 m/s² that nobody wants followed.
  test.each(['automatic', 'rodas4', 'radau5', 'esdirk4'] as const)('rest without gravity: %s', (integrator) => {
    const run = simulate(chain(1e8, 'none'), { stopTime: 1, integrator, maxSteps: 3000 });
    expect(run.times.at(-1)).toBe(1);
    expect(run.trust.energy!.relativeError).toBeLessThan(1e-6);
    // Moved by rounding alone
    const z = run.signal('m9.position.z').at(-1)!;
    expect(Math.abs(z + 1)).toBeLessThan(1e-12);
  });

  // Hanging, with ω up to 2e4 rad/s and 5 % of critical damping: it comes to its length under its weight, Σ m g (10 − i)/k.
  test('hang down and come to rest', () => {
    const run = simulate(chain(1e8, 'earth', 1e3), { stopTime: 2, maxSteps: 20000 });
    expect(run.times.at(-1)).toBe(2);
    const z = run.signal('m9.position.z').at(-1)!;
    expect(Math.abs(z + 1 + (55 * 9.81) / 1e8)).toBeLessThan(1e-11);
  });

  // A mass at rest on a spring, no gravity, pushed from 0.5 s on: x'' = −ω² x + sin(a t), from rest: (sin a t − (a/ω) sin ω t)/(ω² − a²)
  test.each(['automatic', 'rodas4', 'radau5', 'esdirk4'] as const)('at rest, then pushed: %s', (integrator) => {
    const run = simulate(
      model({
        gravity: 'none',
        contacts: false,
        bodies: { a: body({ mass: 1 }) },
        joints: {
          slide: prismatic({
            body: 'a',
            axis: [1, 0, 0],
            spring: { stiffness: 1e4 },
            force: (t) => (t > 0.5 ? Math.sin(20 * (t - 0.5)) : 0),
          }),
        },
      }),
      { stopTime: 1, integrator, maxSteps: 3000 },
    );
    const x = run.signal('slide.position').at(-1)!;
    const exact = (Math.sin(10) - 0.2 * Math.sin(50)) / (1e4 - 400);
    // 1e-6 of the amplitude for each of some 400 steps would be 4e-4 of it
    expect(Math.abs(x / exact - 1)).toBeLessThan(4e-4);
  });
});
