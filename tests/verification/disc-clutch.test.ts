// Two discs on one shaft, pressed together. While they slip, friction of a uniform pressure has the torque M = ⅔ µ N R, so that the driven disc gains M t/I and the driving one
// loses as much; equal discs lock at half the speed, at I ω₀/(2 M), and half of the energy is heat. The centre of the patch lies on the axis, where nothing can move across.
import { expect, test } from 'vitest';
import {
  applied,
  body,
  circle,
  cylinder,
  cylindrical,
  extrude,
  model,
  revolute,
  Simulation,
  steel,
  translate,
} from '../../src/index.js';

const [R, height, N, mu, speed] = [0.05, 0.01, 50, 0.3, 20];
const inertia = 0.5 * steel.density * Math.PI * R ** 4 * height;
const torque = (2 / 3) * mu * N * R;

test.each([
  ['cylinders', cylinder({ radius: R, height })],
  ['extruded discs', translate([0, 0, -height / 2], extrude(circle(R), height))],
])('%s slip, then lock', (_, shape) => {
  const clutch = model({
    gravity: 'none',
    bodies: {
      driving: body({ shape, material: steel, position: [0, 0, -height / 2] }),
      driven: body({ shape, material: steel, position: [0, 0, height / 2] }),
    },
    joints: {
      shaft: revolute({ body: 'driving', axis: [0, 0, 1], initialSpeed: speed }),
      sleeve: cylindrical({ body: 'driven', axis: [0, 0, 1] }),
    },
    forces: { press: applied({ on: 'driven', force: [0, 0, -N] }) },
    contacts: { defaults: { friction: mu, restitution: 0.1 } },
  });
  const simulation = new Simulation(clutch, { stopTime: 0.05, interval: 1e-3 });
  simulation.advance();
  expect(simulation.statistics.accepted + simulation.statistics.rejected).toBeLessThan(200);
  const run = simulation.finish();
  expect(run.trust.verdict!.word).toBe('trusted');
  // the first 0.1 ms, in which the discs are pressed together, have another force: N is right on the mean
  const driven = run.signal('driven.angularVelocity.z');
  expect(Math.abs((driven.at(10)! - driven.at(2)!) / ((torque * 0.008) / inertia) - 1)).toBeLessThan(1e-3);
  expect(Math.abs(driven.at(-1)! / (speed / 2) - 1)).toBeLessThan(1e-6);
  expect(Math.abs(run.signal('shaft.speed').at(-1)! / (speed / 2) - 1)).toBeLessThan(1e-6);
  expect(Math.abs(run.signal('energy.dissipated').at(-1)! / (0.25 * inertia * speed ** 2) - 1)).toBeLessThan(1e-4);
});
