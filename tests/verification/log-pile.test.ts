// A pyramid of ten logs without friction, the four lowest held a little apart: every contact force follows from the weights alone. A log of weight W on which
// the forces F press from above rests on two others, in directions ±θ from the vertical, sin θ = half the distance of neighbours over 2R:
//   (N_left + N_right) cos θ = W + Σ F_z,   (N_left − N_right) sin θ = Σ F_x
import { expect, test } from 'vitest';
import { cylinder, rotate } from '../../src/geometry/index.js';
import { body, model, oak } from '../../src/model/index.js';
import { Simulation } from '../../src/simulation/index.js';

const [R, length, gravity, gap] = [0.05, 0.4, 9.81, 0.004];

test('logs in a pile carry what statics says', () => {
  const sine = (R + 0.5 * gap) / (2 * R);
  const cosine = Math.sqrt(1 - sine * sine);
  const log = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: R, height: length }));
  const name = (row: number, k: number) => `log${row}${k}`;
  const bodies: Record<string, ReturnType<typeof body>> = {};
  for (let row = 0; row < 4; row++)
    for (let k = 0; k < 4 - row; k++)
      bodies[name(row, k)] = body({
        shape: log,
        material: oak,
        fixed: row === 0,
        position: [(2 * k + row) * (R + 0.5 * gap), 0, 2 * R * cosine * row],
      });
  const sim = new Simulation(
    model({ gravity: [0, 0, -gravity], contacts: { defaults: { friction: 0 } }, bodies, simulation: { stop: 0.2 } }),
  );
  sim.advance(0.2);
  const load = (below: string, above: string): number => {
    const pair = sim.contacts!.pairs.find((p) => p.name === `${below}–${above}`)!;
    return pair.slots.reduce((sum, slot) => sum + (slot.region >= 0 ? slot.load : 0), 0);
  };

  const weight = oak.density * Math.PI * R * R * length * gravity;
  // what presses on each log of a row from above, from the top down
  let pressed = [[0, 0]];
  for (let row = 3; row > 0; row--) {
    const below = Array.from({ length: 5 - row }, () => [0, 0]);
    pressed.forEach(([x, z], k) => {
      const [sum, difference] = [(weight + z) / cosine, x / sine];
      // pushed to the right it leans on what is below on the right
      const forces = [0.5 * (sum - difference), 0.5 * (sum + difference)];
      forces.forEach((force, side) => {
        // logs sink by some 5 µm into each other, 1e-4 of R, which turns the directions by as much
        expect(Math.abs(load(name(row - 1, k + side), name(row, k)) / force - 1)).toBeLessThan(3e-4);
        below[k + side][0] += (side === 0 ? -1 : 1) * force * sine;
        below[k + side][1] += force * cosine;
      });
    });
    pressed = below;
  }
  // all of them are upon the four that are held
  expect(pressed.reduce((sum, [, z]) => sum + z, 0)).toBeCloseTo(6 * weight, 9);
});
