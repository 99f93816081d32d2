import { describe, expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { spring } from '../model/forces.js';
import { prismatic, revolute } from '../model/joints.js';
import { type Model, model } from '../model/model.js';
import { startFromRest, staticEquilibrium } from './equilibrium.js';
import { MechanicalSystem } from './mechanical-system.js';

const g = 9.81;
const stiffness = (i: number): number => (i % 2 === 0 ? 1e2 : 1e8);

/** n masses of 1 kg in a row, springs of 0.1 m before each (and behind the last, if it ends somewhere), stiffness 1e2 and 1e8 N/m in turn */
function chain(n: number, place: (i: number) => Vec3, end?: Vec3): Model {
  const count = end ? n + 1 : n;
  return model({
    gravity: [0, 0, -g],
    contacts: false,
    bodies: Object.fromEntries(Array.from({ length: n }, (_, i) => [`m${i}`, body({ mass: 1, position: place(i) })])),
    forces: Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `s${i}`,
        spring({
          from: i > 0 ? `m${i - 1}` : [0, 0, 0],
          to: i < n ? `m${i}` : end!,
          stiffness: stiffness(i),
          restLength: 0.1,
        }),
      ]),
    ),
  });
}

/** Places of the masses at rest, and the steps it took */
function atRest(given: Model, n: number): { places: Vec3[]; steps: number } {
  const system = assemble(given);
  const y = Float64Array.from(system.initial);
  const steps = staticEquilibrium(new MechanicalSystem(system), 0, y);
  return { steps, places: Array.from({ length: n }, (_, i) => [y[7 * i], y[7 * i + 1], y[7 * i + 2]]) };
}

// Below mass i hang n − i masses: z_i = −Σ (0.1 + (n − j) g/k_j). Rounded places leave forces of 1e-8 N in the stiff springs.
describe.each([10, 30])('a chain of %i masses, soft and stiff springs in turn', (n) => {
  const hanging = Array.from({ length: n }, () => 0);
  let z = 0;
  for (let i = 0; i < n; i++) hanging[i] = z -= 0.1 + ((n - i) * g) / stiffness(i);

  test.each([
    ['straight', (i: number): Vec3 => [0, 0, -0.1 * (i + 1)]],
    [
      'in zigzag, stretched by thousandths of their length',
      (i: number): Vec3 => [i % 2 ? 0.03 : -0.03, 0, -0.1 * (i + 1)],
    ],
    ['lying', (i: number): Vec3 => [0.1 * (i + 1), 1e-3 * (i % 3), 0]],
  ])('hangs down from where it is drawn: %s', (_, place) => {
    const { places, steps } = atRest(chain(n, place), n);
    for (let i = 0; i < n; i++) {
      expect(Math.abs(places[i][2] - hanging[i])).toBeLessThan(1e-8);
      expect(Math.abs(places[i][0])).toBeLessThan(1e-7);
    }
    expect(steps).toBeLessThan(40);
  });

  // Between two ends: tensions have one horizontal part and take up the weights one after the other.
  test('hangs through between two ends', () => {
    const end: Vec3 = [0.1 * (n + 1), 0, 0];
    const { places } = atRest(
      chain(n, (i) => [0.1 * (i + 1), 0, 0], end),
      n,
    );
    const all: Vec3[] = [[0, 0, 0], ...places, end];
    const tensions = Array.from({ length: n + 1 }, (_, i) => {
      const d = [0, 1, 2].map((j) => all[i + 1][j] - all[i][j]);
      const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      return d.map((x) => (stiffness(i) * (length - 0.1) * x) / length);
    });
    for (let i = 1; i <= n; i++) {
      expect(tensions[i][0]).toBeCloseTo(tensions[0][0], 5);
      expect(tensions[i][2] - tensions[i - 1][2]).toBeCloseTo(g, 5);
    }
    expect(tensions[0][0]).toBeGreaterThan(0);
  });
});

test('what can only fall is refused', () => {
  const free = model({ gravity: [0, 0, -g], contacts: false, bodies: { a: body({ mass: 1 }) } });
  expect(() => atRest(free, 1)).toThrow(/no position of rest found/);
});

// A pendulum on a slide that begins to move at 3 m/s² and 0.5 m/s: accelerated along it would hang at atan(3/g), and at rest it hangs straight down.
test('what is driven goes on as it is driven: a bob under an accelerated cart hangs back by atan(a/g)', () => {
  const system = assemble(
    model({
      gravity: [0, 0, -g],
      contacts: false,
      bodies: { cart: body({ mass: 1 }), bob: body({ mass: 1, position: [0.6, 0, -0.8] }) },
      joints: {
        slide: prismatic({ body: 'cart', axis: [1, 0, 0], position: (t: number) => 0.1 + 0.5 * t + 1.5 * t * t }),
        pin: revolute({ body: 'bob', to: 'cart', axis: [0, 1, 0], at: [0, 0, 0] }),
      },
    }),
  );
  const mechanics = new MechanicalSystem(system);
  const y = Float64Array.from(system.initial);
  staticEquilibrium(mechanics, 2, y);
  mechanics.update(2, y);
  const { position, twist } = mechanics.carriers;
  const angle = Math.atan2(0.6, 0.8); // by which it is drawn away
  expect(Math.abs(Math.abs(y[0]) - angle)).toBeCloseTo(Math.atan2(3, g), 9);
  expect(position[0]).toBeCloseTo(0.1 + 1 + 6, 12);
  expect(twist[3]).toBeCloseTo(0.5 + 6, 12); // and moves on as before
});

// A mass on a spring starts in its rest, m g/k below the end of the spring, with the velocity that it is given
test('a start from rest keeps the velocities', () => {
  const mass = prismatic({ body: 'mass', axis: [0, 0, 1], initialSpeed: 0.7, spring: { stiffness: 100 } });
  const system = assemble(
    model({ gravity: [0, 0, -g], contacts: false, bodies: { mass: body({ mass: 2 }) }, joints: { mass } }),
  );
  const y = Float64Array.from(system.initial);
  startFromRest(new MechanicalSystem(system), y);
  expect(y[0]).toBeCloseTo((-2 * g) / 100, 12);
  expect(y[1]).toBe(0.7);
});
