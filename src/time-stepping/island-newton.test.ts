// Groups whose gaps stay open are left out of Newton's passes until they close: a convex problem has one solution, whatever it began with.
import { expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { oak } from '../model/materials.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';

// Loads of friction are told by solutions to 1e-4 of g h (small islands) and 1e-6 (more than fifty bodies), 4e-6 m/s; ten times that, for a load that is another by this part is friction that is.
test.each([36, 80])('%i boxes that collide move as they do with every pair in from the start', (count) => {
  const side = Math.ceil(Math.cbrt(count));
  const simulation = new Simulation(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: oak, fixed: true }),
        box: Array.from({ length: count }, (_, i) =>
          body({
            shape: box([0.1, 0.08, 0.06]),
            material: oak,
            position: [
              0.105 * (i % side) + 0.003 * Math.sin(7 * i),
              0.09 * (Math.floor(i / side) % side) + 0.003 * Math.cos(5 * i),
              0.05 + 0.085 * Math.floor(i / side ** 2),
            ],
            velocity: [0, 0, -1],
            angularVelocity: [Math.sin(i), Math.cos(2 * i), Math.sin(3 * i)],
          }),
        ),
      },
      contacts: { defaults: { friction: 0.5, restitution: 0.3 }, records: false },
    }),
    { integrator: 'time-stepping', step: 4e-3, resting: false, stopTime: 1e9, interval: 1e6 },
  );
  const stepping = simulation.stepping!;
  const { newton } = (stepping as unknown as { islands: { newton: { everyGroup: boolean } } }).islands;
  let worst = 0;
  let left = 0;
  for (let step = 0; step < 20; step++) {
    const end = stepping.t + 4e-3;
    stepping.tried(end); // pairs are looked for where some were near in the step before, tried ones among them
    newton.everyGroup = true;
    const all = Float64Array.from(stepping.tried(end));
    newton.everyGroup = false;
    stepping.step(end);
    for (let k = 0; k < all.length; k++) worst = Math.max(worst, Math.abs(stepping.y[k] - all[k]));
    if (stepping.y.some((value, k) => value !== all[k])) left++;
  }
  expect(left).toBeGreaterThan(5); // other bits: some were left out
  expect(stepping.unsolved).toBe(0);
  expect(worst).toBeLessThan(4e-5);
});
