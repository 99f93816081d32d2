// What people write on their first day: it works as they mean it, or the message says how to write it.
import { describe, expect, test } from 'vitest';
import { box, circle, cylinder, extrude, halfSpace, solidMassProperties, subtract, tube } from '../geometry/index.js';
import { body } from '../model/body.js';
import { revolute, spherical } from '../model/joints.js';
import { steel } from '../model/material-library.js';
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

// Down a slope of angle α what rolls has the acceleration g sin α/(1 + k²/R²), k its radius of gyration: ½R² of a disc, ½(R² + r²) of a ring. As polygons of 64 corners
// these rolled 0.5 to 2.2 % less far, in 1300 steps, without a word.
describe('a wheel rolls on its rim, however it was made', () => {
  const [R, r, width, slope, stopTime] = [0.05, 0.04, 0.02, 0.1, 0.8];
  const wheels = {
    'an extruded circle': extrude(circle(R), width),
    'a ring cut by CSG': subtract(cylinder({ radius: R, height: width }), cylinder({ radius: r, height: 0.05 })),
    'a tube': tube({ outerRadius: R, innerRadius: r, height: width }),
    'a wheel with windows': extrude({ outer: circle(R), holes: [square(0.02, 0.012), square(-0.02, 0.012)] }, width),
  };
  const grounds = {
    'a half-space': body({ shape: halfSpace(), material: steel, fixed: true }),
    'a box': body({ shape: box([2, 2, 0.2]), material: steel, fixed: true, position: [0, 0, -0.1] }),
  };
  test.each(Object.keys(wheels).flatMap((shape) => Object.keys(grounds).map((ground) => [shape, ground])))(
    '%s on %s',
    (shape, ground) => {
      const solid = wheels[shape as keyof typeof wheels];
      const { mass, inertia, centroid } = solidMassProperties(solid, steel.density);
      const run = simulate(
        model({
          gravity: [9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)],
          bodies: {
            floor: grounds[ground as keyof typeof grounds],
            wheel: body({
              shape: solid,
              material: steel,
              position: [0, centroid[2], R],
              orientation: { axis: [1, 0, 0], angle: Math.PI / 2 },
            }),
          },
          contacts: { defaults: { friction: 0.5, restitution: 0.1 } },
        }),
        { stopTime },
      );
      const acceleration = (9.81 * Math.sin(slope)) / (1 + inertia[8] / mass / (R * R));
      expect(run.signal('wheel.position.x').at(-1)! / (0.5 * acceleration * stopTime ** 2)).toBeCloseTo(1, 4);
      expect(run.trust.verdict?.word).toBe('trusted');
      expect(run.trust.steps?.accepted).toBeLessThan(200);
    },
  );
});

function square(x: number, side: number): [number, number][] {
  const h = side / 2;
  return [[x - h, -h], [x - h, h], [x + h, h], [x + h, -h]]; // biome-ignore format: one line
}
