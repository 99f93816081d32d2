/** What steps of known length book as made or lost by their length, against its closed form; and that neither names nor the order of piles change a bit. */
import { expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, capsule, sphere } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { oak, rubber, steel } from '../../src/model/materials.js';
import { type ModelOptions, model } from '../../src/model/model.js';
import { Simulation } from '../../src/simulation/simulation.js';

const g = 9.81;
const floor = body({ shape: halfSpace(), material: oak, fixed: true });
function run(of: ModelOptions, step: number, stopTime: number): Simulation {
  const simulation = new Simulation(model(of), { integrator: 'time-stepping', step, stopTime, interval: 0.02 });
  simulation.advance();
  simulation.finish();
  return simulation;
}

// A block that slides down a slope goes h v⁺ in a step, while the work of gravity is that of h (v₀ + v⁺)/2: it falls by ½ h (v⁺ − v₀) too far each time, which sums to
// −½ m g sin α · h v at the end, v = g (sin α − µ cos α) t.
test('energy that the length of the step loses is that of the closed form, linear in the step', () => {
  const [angle, friction, mass, t] = [0.3, 0.1, 2, 0.4];
  const slope: ModelOptions = {
    gravity: [g * Math.sin(angle), 0, -g * Math.cos(angle)],
    bodies: { floor, block: body({ shape: box([0.1, 0.1, 0.1]), material: oak, mass, position: [0, 0, 0.05] }) },
    contacts: { defaults: { friction, restitution: 0 } },
  };
  const speed = g * (Math.sin(angle) - friction * Math.cos(angle)) * t;
  for (const step of [8e-3, 4e-3, 2e-3, 1e-3]) {
    const { account } = run(slope, step, t).stepping!;
    const lost = -0.5 * mass * g * Math.sin(angle) * step * speed;
    // the floor gives way by h² g cos α/κ, κ = 1000
    expect(Math.abs(account.step - lost)).toBeLessThan((0.5 * mass * (g * Math.cos(angle) * step) ** 2) / 1000);
    expect(account.worst / account.scale).toBeLessThan(1e-12);
  }
});

/** A pile of bodies at x, listed under the names given */
const pile = (x: number, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name, i) => [
      name,
      body({
        shape: [box([0.1, 0.08, 0.06]), sphere(0.04), capsule({ radius: 0.03, height: 0.08 })][i % 3],
        material: [oak, steel, rubber][i % 3],
        position: [x + 0.01 * i, 0.012 * (i % 2), 0.06 + 0.11 * i],
      }),
    ]),
  );
const bits = ({ recording }: Simulation, name: string): Float64Array =>
  Float64Array.from(
    ['position.x', 'position.z', 'velocity.y', 'velocity.z'].flatMap((one) => [
      ...recording.signal(`${name}.${one}`).values,
    ]),
  );

test('other names and another order of piles: same bits', () => {
  const [here, there] = [
    ['a', 'b', 'c', 'd', 'e'],
    ['p', 'q', 'r', 's'],
  ];
  const [hereToo, thereToo] = [['zeta', '10', 'y', '9', 'alpha'].map((name) => `n${name}`), ['m', 'z', 'k', 'b']];
  const first = run({ bodies: { floor, ...pile(0, here), ...pile(3, there) } }, 5e-3, 0.5);
  const renamed = run({ bodies: { floor, ...pile(0, hereToo), ...pile(3, thereToo) } }, 5e-3, 0.5);
  const turned = run({ bodies: { floor, ...pile(3, thereToo), ...pile(0, hereToo) } }, 5e-3, 0.5);
  expect(first.stepping!.largestIsland).toBeGreaterThan(3);
  for (const [names, others] of [
    [here, hereToo],
    [there, thereToo],
  ])
    names.forEach((name, i) => {
      expect(bits(renamed, others[i])).toEqual(bits(first, name));
      expect(bits(turned, others[i])).toEqual(bits(first, name));
    });
});
