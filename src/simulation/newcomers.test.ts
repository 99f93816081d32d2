// What people write on their first day: it works as they mean it, or the message says how to write it.
import { describe, expect, test } from 'vitest';
import { body } from '../model/body.js';
import { revolute, spherical } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

const wheel = (more: object) =>
  model({
    gravity: 'none',
    bodies: { wheel: body({ mass: 1, inertia: [2, 2, 2] }) },
    joints: { shaft: revolute({ body: 'wheel', axis: [0, 0, 1], ...more } as Parameters<typeof revolute>[0]) },
  });

describe('a motor', () => {
  // J ω' = kd (Ω − ω): ω = Ω (1 − e^(−kd t/J))
  test('that keeps a speed needs no target angle', () => {
    const run = simulate(wheel({ motor: { targetSpeed: 10, kd: 4 } }), { stopTime: 1 });
    expect(run.signal('shaft.speed').at(-1)).toBeCloseTo(10 * (1 - Math.exp(-2)), 5); // rtol 1e-6 of 10 rad/s
  });

  test.each([
    [
      { targetSpeed: 10 },
      'joints.shaft.motor: expected a gain: kp with a target in rad, kd with a targetSpeed in rad/s',
    ],
    [{ target: 1, kd: 1 }, 'joints.shaft.motor: expected a target in rad together with its gain kp in N m/rad'],
    [{ kp: 1 }, 'joints.shaft.motor: expected a target in rad together with its gain kp in N m/rad'],
  ])('without %j is refused with what is missing', (motor, message) => {
    expect(() => wheel({ motor })).toThrow(message);
  });
});

test('a speed that changes is given by the angle', () => {
  expect(() => wheel({ speed: (t: number) => t })).toThrow(
    'joints.shaft.speed: expected an angular speed in rad/s that does not change, got a function; give "angle" as a function of time',
  );
  expect(() => wheel({ speed: 'fast' })).toThrow('joints.shaft.speed: expected an angular speed in rad/s, got "fast"');
});

test('a chain drawn taut between two hooks cannot move: the message says so, and names the joint', () => {
  const link = (i: number) => body({ mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [0.1 * (i + 0.5), 0, 0] });
  const taut = model({
    bodies: { link: [0, 1, 2, 3].map(link) },
    joints: {
      hook: spherical({ body: 'link[0]', at: [0, 0, 0] }),
      pin: [1, 2, 3].map((i) => spherical({ body: `link[${i}]`, to: `link[${i - 1}]`, at: [0.1 * i, 0, 0] })),
      latch: spherical({ body: 'link[3]', at: [0.4, 0, 0] }),
    },
  });
  expect(() => simulate(taut, { stopTime: 0.5 })).toThrow(
    /Loops are closed by joints\.\S+: .* draw it with some slack/,
  );
});
