/**
 * Rolling that is slowed by what the materials lose: M = 3/16 α a N of a ball, 2/(3π) α a N of a roller, α = 1 − e² (Greenwood, Minshall & Tabor 1961). What rolls without slip
 * at the speed v is slowed evenly and rests after a finite way:
 *
 *   v' = −M/(R m (1 + c)),   c = I/(m R²), 2/5 of a ball, 1/2 of a roller
 *
 * The torque is there after a way of about a, so the way is told to a few a.
 */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { cylinder, sphere } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/index.js';

const R = 0.02;
const length = 0.05;
const gravity = 9.81;
const speed = 0.02;
const wood = { density: 700, youngsModulus: 11e9, poissonRatio: 0.35, restitution: 0.5, friction: 0.4 };
const modulus = wood.youngsModulus / (2 * (1 - wood.poissonRatio ** 2));

describe('what rolls comes to rest', () => {
  const ballMass = wood.density * (4 / 3) * Math.PI * R ** 3;
  const depth = ((0.75 * ballMass * gravity) / (modulus * Math.sqrt(R))) ** (2 / 3);
  const rollerMass = wood.density * Math.PI * R * R * length;
  // as long as the cube root of its volume, for the law of a pair knows no lengths along an axis
  const width = Math.cbrt(Math.PI * R * R * length);
  const cases = {
    ball: { shape: sphere(R), c: 0.4, a: Math.sqrt(R * depth), share: 3 / 16, orientation: undefined },
    roller: {
      shape: cylinder({ radius: R, height: length }),
      c: 0.5,
      a: Math.sqrt((4 * rollerMass * gravity * R) / (Math.PI * modulus * width)),
      share: 2 / (3 * Math.PI),
      orientation: { axis: [1, 0, 0] as const, angle: Math.PI / 2 },
    },
  };
  test.each(Object.entries(cases))('a %s', (_, { shape, c, a, share, orientation }) => {
    const slowing = (share * (1 - wood.restitution ** 2) * (a / R) * gravity) / (1 + c);
    const time = speed / slowing;
    const run = simulate(
      model({
        gravity: [0, 0, -gravity],
        bodies: {
          floor: body({ shape: halfSpace(), material: wood, fixed: true }),
          thing: body({
            shape,
            material: wood,
            position: [0, 0, R],
            ...(orientation && { orientation }),
            velocity: [speed, 0, 0],
            angularVelocity: [0, speed / R, 0],
          }),
        },
        contacts: { defaults: { rollingFriction: 'hysteresis' } },
        simulation: { stop: 2.5 * time, interval: time / 20 },
      }),
    );
    expect(run.signal('thing.velocity.x').valueAt(0.5 * time) / speed).toBeCloseTo(0.5, 2);
    expect(Math.abs(run.signal('thing.position.x').at(-1)! - (speed * time) / 2)).toBeLessThan(3 * a);
    expect(Math.abs(run.signal('thing.velocity.x').at(-1)!)).toBeLessThan(1e-5);
    expect(run.trust.steps?.accepted).toBeLessThan(200);
  });
});
