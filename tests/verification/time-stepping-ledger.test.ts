/** What steps of known length book as made or lost by their length, against its closed form; and that neither names nor the order of piles change a bit. */
import { expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, capsule, sphere } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { prismatic } from '../../src/model/joints.js';
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

// A table of 400 kg is taken from rest to V at once: its ½ m V² comes from the drive, which takes a box along by µ g until both are as fast, V t − V²/(2 µ g) behind it
test('a prescribed speed that jumps: what the carrier has of it is supplied', () => {
  const [speed, friction] = [1, 0.4];
  const shoved: ModelOptions = {
    gravity: [0, 0, -g],
    bodies: {
      table: body({ shape: box([2, 2, 0.1]), material: steel, mass: 400, position: [0, 0, -0.05] }),
      box: body({ shape: box([0.1, 0.1, 0.1]), material: oak, mass: 1, position: [0, 0, 0.05] }),
    },
    joints: {
      drive: prismatic({
        body: 'table',
        axis: [1, 0, 0],
        position: (t: number) => (t < 0.5 ? [0, 0, 0] : [speed * (t - 0.5), speed, 0]),
      }),
    },
    contacts: { defaults: { friction, restitution: 0 } },
  };
  for (const step of [4e-3, 1e-3]) {
    const simulation = run(shoved, step, 1.5);
    const { account } = simulation.stepping!;
    expect(Math.abs(account.step)).toBeLessThan(1e-6 * account.scale);
    // the table's, the box's, and as much again of the box's in heat
    expect(Math.abs(account.supplied - (0.5 * 400 + 1) * speed * speed)).toBeLessThan(1e-2);
    const behind = (speed * speed) / (2 * friction * g);
    expect(Math.abs(simulation.recording.signal('box.position.x').at(-1)! - (speed - behind))).toBeLessThan(
      0.6 * speed * step,
    );
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
