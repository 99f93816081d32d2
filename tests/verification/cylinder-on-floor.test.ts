// Cylinders on a floor, met without facets: what rolls rolls on, what spins stops when it should.
import { describe, expect, test } from 'vitest';
import { cylinder, halfSpace, rotate } from '../../src/geometry/index.js';
import { body, type Material, model } from '../../src/model/index.js';
import { simulate } from '../../src/simulation/index.js';

const g = 9.81;
const radius = 0.5;
const made = (youngsModulus: number, restitution: number, height: number, friction = 0.4): Material => ({
  name: 'solid',
  density: 1 / (Math.PI * radius * radius * height), // 1 kg
  youngsModulus,
  poissonRatio: 0.4,
  restitution,
  friction,
});

// Rolling down a slope without slip: a = ⅔ g sin α for a solid cylinder. It rolls on the centroid of the overlap, R − 0.6 d from its axis if it
// sinks in by d, which takes 0.4 d/R off (7e-4 for the softest). Damping of rocking must not slow it: with P = 1 in region-forces.ts the
// three are slower by 1.1e-3, 1.1e-3 and 0.077.
describe('a cylinder rolls down 0.2 rad for 2 s', () => {
  const alpha = 0.2;
  const expected = (2 / 3) * g * Math.sin(alpha) * 2;
  test.each([
    [2e11, 0.5],
    [1e9, 0.9],
    [4.5e5, 0.5],
  ])('E = %s Pa, e = %s', (youngsModulus, restitution) => {
    const material = made(youngsModulus, restitution, 1);
    const wheel = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius, height: 1 }));
    const recording = simulate(
      model({
        gravity: [g * Math.sin(alpha), 0, -g * Math.cos(alpha)],
        bodies: {
          floor: body({ shape: halfSpace(), material, fixed: true }),
          wheel: body({ shape: wheel, material, position: [0, 0, radius] }),
        },
      }),
      { stopTime: 2, interval: 0.1 },
    );
    const v = recording.signal('wheel.velocity.x').at(-1)!;
    expect(Math.abs(v / expected - 1)).toBeLessThan(1e-3);
    const sunk = 1 - recording.signal('wheel.position.z').at(-1)! / radius;
    expect(Math.abs(v / (expected * (1 - 0.4 * sunk)) - 1)).toBeLessThan(1e-5); // terms of (d/R)² and the landing
    for (const axis of ['y', 'z'])
      expect(Math.abs(recording.signal(`wheel.velocity.${axis}`).at(-1)!)).toBeLessThan(1e-6);
    expect(recording.signal('wheel.angularVelocity.y').at(-1)! * radius).toBeCloseTo(v, 2);
    // a prism of 64 sides took thousands
    expect(recording.trust.steps!.accepted).toBeLessThan(200);
  });
});

// Under uniform pressure the torque is ⅔ µ N R, so that ω falls linearly and the disc stops after ω₀ I/(⅔ µ N R), I = ½ m R².
test.each([
  [2e11, 1],
  [4.5e5, 0.05],
])('a disc that spins on its end stops in time, E = %s Pa, height %s m', (youngsModulus, height) => {
  const material = made(youngsModulus, 0.6, height);
  const spin = 10;
  const stop = (spin * 0.5 * radius * radius) / ((2 / 3) * 0.4 * g * radius);
  const recording = simulate(
    model({
      gravity: [0, 0, -g],
      bodies: {
        floor: body({ shape: halfSpace(), material, fixed: true }),
        disc: body({
          shape: cylinder({ radius, height }),
          material,
          position: [0, 0, height / 2],
          angularVelocity: [0, 0, spin],
        }),
      },
    }),
    { stopTime: 1.5 * stop, interval: stop / 100 },
  );
  const { values } = recording.signal('disc.angularVelocity.z');
  const slope = (values[80] - values[20]) / (0.6 * stop);
  const stopped = 0.2 * stop - values[20] / slope;
  expect(Math.abs(stopped / stop - 1)).toBeLessThan(1e-5);
  expect(values[99] / spin).toBeCloseTo(0.01, 4);
  expect(Math.abs(values[105])).toBeLessThan(1e-3 * spin);
  expect(Math.abs(recording.signal('disc.angularVelocity.z').at(-1)!)).toBeLessThan(1e-6);
  expect(recording.trust.steps!.accepted).toBeLessThan(200);
});
