/**
 * Who flies through a hollow body does not come out through its wall: the nearest wall is behind it, and steps are bounded by what may be ahead.
 */
import { expect, test } from 'vitest';
import { sphere, tube } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { steel } from '../../src/model/materials.js';
import { model } from '../../src/model/model.js';
import { Simulation } from '../../src/simulation/simulation.js';

// A ring of 64 facets, 0.5 m inside, whose chords reach into the ball of 0.05 m: it is thrown off at 7 m/s, across, and stays within 0.45 m and what it is pressed in by.
// Its steps are long by then, and what they began beside is the wall behind it.
test.each([0.3, 1])('a ball in a ring, thrown across, %f s', (stopTime) => {
  const turned = { axis: [1, 0, 0], angle: Math.PI / 2 } as const;
  const ring = tube({ innerRadius: 0.5, outerRadius: 0.6, height: 0.2 });
  const simulation = new Simulation(
    model({
      bodies: {
        ring: body({ shape: ring, material: steel, fixed: true, orientation: turned }),
        ball: body({ shape: sphere(0.05), material: steel, position: [0.3, 0, -Math.sqrt(0.45 ** 2 - 0.3 ** 2)] }),
      },
    }),
    { stopTime, interval: 3e-3 },
  );
  simulation.advance();
  const recording = simulation.finish();
  const [x, z] = ['x', 'z'].map((axis) => recording.signal(`ball.position.${axis}`).values);
  for (let i = 0; i < x.length; i++) expect(Math.hypot(x[i], z[i])).toBeLessThan(0.455);
});
