// Bodies that go or turn far within a step of time stepping meet where they meet, not where the step began.
import { describe, expect, test } from 'vitest';
import { type BodyOptions, body, box, cylinder, model, simulate, sphere, steel } from '../../src/index.js';
import type { Recording } from '../../src/results/recording.js';

const last = (run: Recording, signal: string): number => run.signal(signal).values.at(-1)!;

function flight(step: number, stopTime: number, restitution: number, bodies: Record<string, BodyOptions>): Recording {
  return simulate(model({ gravity: [0, 0, 0], bodies, contacts: { defaults: { friction: 0, restitution } } }), {
    integrator: 'time-stepping',
    step,
    stopTime,
    interval: stopTime,
  });
}

describe('meeting within a step', () => {
  // Two equal balls of radius R, the centre of one passing at b from that of the other: normal at the angle asin(b/2R) to the flight, the other leaves along it with
  // (1 + e)/2 v cos. The normal is told where gaps are below 1/100 of a size: 2 % of the speed.
  test.each([1e-3, 5e-3, 2e-2])('balls glance off each other, h = %s s', (h) => {
    const [R, b, v, e] = [0.05, 0.07, 10, 0.8];
    const sine = b / (2 * R);
    const along = 0.5 * (1 + e) * v * Math.sqrt(1 - sine * sine);
    for (let phase = 0; phase < 1; phase += 0.25) {
      const run = flight(h, 0.1 + 3 * h, e, {
        flying: body({
          shape: sphere(R),
          mass: 1,
          material: steel,
          position: [-0.5 - phase * v * h, 0, 0],
          velocity: [v, 0, 0],
        }),
        standing: body({ shape: sphere(R), mass: 1, material: steel, position: [0, b, 0] }),
      });
      expect(Math.abs(last(run, 'standing.velocity.x') - along * Math.sqrt(1 - sine * sine))).toBeLessThan(
        0.02 * along,
      );
      expect(Math.abs(last(run, 'standing.velocity.y') - along * sine)).toBeLessThan(0.02 * along);
    }
  });

  test('what tumbles past without touching is not touched', () => {
    const stick = { shape: box([0.3, 0.02, 0.02]), mass: 1, material: steel };
    for (let phase = 0; phase < 1; phase += 0.2) {
      const run = flight(1e-2, 0.2, 0.5, {
        flying: body({
          ...stick,
          position: [-0.5 - 0.1 * phase, 0, 0],
          velocity: [10, 0, 0],
          angularVelocity: [0, 0, -40],
        }),
        lying: body({ ...stick, position: [0, 0.17, 0] }),
      });
      expect(last(run, 'lying.velocity.y')).toBe(0);
      expect(last(run, 'flying.velocity.x')).toBe(10);
    }
  });

  // 60 rad/s are 1.2 rad in a step of 20 ms; 0.1 ms resolve it
  test('a stick that turns by more than a rad in a step hits a peg as in short steps', () => {
    const hit = (h: number) => {
      const run = flight(h, 0.1, 0.5, {
        rod: body({ shape: box([1, 0.02, 0.02]), material: steel, angularVelocity: [0, 0, 60] }),
        peg: body({
          shape: cylinder({ radius: 0.02, height: 0.2 }),
          material: steel,
          fixed: true,
          position: [0.3, 0.2, 0],
        }),
      });
      return ['angularVelocity.z', 'velocity.x', 'velocity.y'].map((name) => last(run, `rod.${name}`));
    };
    const fine = hit(1e-4);
    hit(2e-2).forEach((value, i) => {
      expect(Math.abs(value - fine[i])).toBeLessThan(2e-3 * Math.abs(fine[i]));
    });
  });
});

// Torque-free: energy and angular momentum in the world stay. 1000 rad/s are 20 rad in a step.
test('a body that turns many times in a step keeps its energy and its angular momentum', () => {
  const w = 1000;
  const run = flight(2e-2, 1, 0, {
    a: body({ shape: box([0.3, 0.2, 0.1]), mass: 12, angularVelocity: [0.3 * w, w, -0.2 * w] }),
  });
  const moments = [0.2 ** 2 + 0.1 ** 2, 0.3 ** 2 + 0.1 ** 2, 0.3 ** 2 + 0.2 ** 2];
  const momentum = (row: number) => {
    const [q, x, y, z] = ['w', 'x', 'y', 'z'].map((k) => run.signal(`a.orientation.${k}`).values[row]);
    const spin = ['x', 'y', 'z'].map((k) => run.signal(`a.angularVelocity.${k}`).values[row]);
    const axes = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + q * z), 2 * (x * z - q * y)],
      [2 * (x * y - q * z), 1 - 2 * (x * x + z * z), 2 * (y * z + q * x)],
      [2 * (x * z + q * y), 2 * (y * z - q * x), 1 - 2 * (x * x + y * y)],
    ];
    const own = axes.map((axis) => axis.reduce((sum, e, k) => sum + e * spin[k], 0));
    return {
      energy: own.reduce((sum, e, i) => sum + moments[i] * e * e, 0),
      vector: [0, 1, 2].map((k) => axes.reduce((sum, axis, i) => sum + moments[i] * own[i] * axis[k], 0)),
    };
  };
  const [start, end] = [momentum(0), momentum(run.rows - 1)];
  expect(Math.abs(end.energy / start.energy - 1)).toBeLessThan(1e-12);
  const miss = Math.hypot(...end.vector.map((e, k) => e - start.vector[k])) / Math.hypot(...start.vector);
  expect(miss).toBeLessThan(1e-3); // turns of a tenth of a rad, of second order
});
