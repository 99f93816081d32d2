// A soft cube without friction, pressed into the corner of a floor and a wall that stands on it: each carries its own component of the weight.
import { expect, test } from 'vitest';
import { box } from '../../src/geometry/index.js';
import { body, model, rubber, steel } from '../../src/model/index.js';
import { Simulation } from '../../src/simulation/index.js';

test.each([50, 500])('floor and wall carry m g and m a, a = %f m/s² towards the wall', (push) => {
  const sim = new Simulation(
    model({
      gravity: [-push, 0, -9.81],
      contacts: { defaults: { friction: 0 } },
      bodies: {
        floor: body({ shape: box([1, 1, 0.1]), material: steel, fixed: true, position: [0, 0, -0.05] }),
        wall: body({ shape: box([0.1, 1, 1]), material: steel, fixed: true, position: [-0.55, 0, 0.5] }),
        soft: body({ shape: box(0.1), material: rubber, position: [-0.4499, 0, 0.0501] }),
      },
      simulation: { stop: 1 },
    }),
  );
  sim.advance(1);
  const load = (name: string): number => {
    const pair = sim.contacts!.pairs.find((p) => p.name === name)!;
    expect(pair.touching).toBe(true);
    return pair.slots.reduce((sum, slot) => sum + (slot.region >= 0 ? slot.load : 0), 0);
  };
  const mass = rubber.density * 1e-3;
  // what is left of the vibration after 1 s; with the wall's normal along the slope of the volume the floor carried 40 % more at 500 m/s²
  expect(Math.abs(load('floor–soft') / (mass * 9.81) - 1)).toBeLessThan(5e-3);
  expect(Math.abs(load('wall–soft') / (mass * push) - 1)).toBeLessThan(5e-3);
});
