/** Machines with coordinates of their own among rigid grains. */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { prismatic, revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { RigidGrainSimulation } from './rigid-grain-simulation.js';
import { simulate } from './simulation.js';

const stone = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };
const foundation = { kind: 'foundation', modulus: 1e8 } as const;

// Two masses on a line: v' = (m − eM)/(m + M) v, V' = (1 + e) m/(m + M) v. The face is flat, so contact is a linear spring; 40 and more steps a contact leave 1e-3 (the law itself, see
// rigid-grains.test.ts), and the cart's side of it goes through the prediction and the machine's own integrator.
describe('a cube hits a cart that is free to roll', () => {
  test.each([
    [1, 0.4],
    [0.5, 0.4],
    [1, 50],
    [0.5, 50],
  ])('restitution %d, a cart of %d kg', (e, cart) => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          cart: body({ shape: box(0.1), mass: cart, position: [0.2, 0, 0] }),
          cube: body({ shape: box(0.1), material: stone, position: [0.0995, 0, 0], velocity: [1, 0, 0] }),
        },
        joints: { rail: prismatic({ body: 'cart', axis: [1, 0, 0] }) },
        contacts: { defaults: { normalLaw: foundation, friction: 0, restitution: e } },
        simulation: { integrator: 'grains', step: 5e-5, stop: 0.05, interval: 0.005 },
      }),
    );
    const mass = 2500 * 1e-3;
    const after = run.signal('cart.velocity.x').at(-1)!;
    expect(Math.abs(after / (((1 + e) * mass) / (mass + cart)) - 1)).toBeLessThan(3e-3);
    // Momentum: what one gained the other lost, but for the integrator's own rounding
    const x = run.signal('cube.position.x').values;
    const speed = (x[run.rows - 1] - x[run.rows - 3]) / 0.01;
    expect(Math.abs(mass * speed + cart * after - mass)).toBeLessThan(1e-9);
  });
});

/** Cubes in a pan that hangs on a spring; a flap beside it swings freely */
const scales = () =>
  model({
    bodies: {
      floor: body({ shape: halfSpace(), material: stone, fixed: true, position: [0, 0, -2] }),
      pan: body({ shape: box([0.5, 0.5, 0.2]), mass: 5, position: [0, 0, -0.1] }),
      flap: body({ shape: box([0.02, 0.3, 0.2]), mass: 1, position: [0.3, 0, 0.15] }),
      cube: [0, 1, 2, 3].map((k) =>
        body({
          shape: box(0.1),
          material: stone,
          position: [0.15 * (k % 2) - 0.075, 0.15 * Math.floor(k / 2) - 0.075, 0.051],
        }),
      ),
    },
    joints: {
      spring: prismatic({ body: 'pan', axis: [0, 0, 1], force: (_t, x, v) => -5000 * x - 250 * v }),
      hinge: revolute({ body: 'flap', at: [0.3, 0, 0.25], axis: [0, 1, 0] }),
    },
    contacts: { defaults: { normalLaw: foundation, friction: 0.5, restitution: 0.2 } },
    simulation: { integrator: 'grains', step: 1e-4, stop: 1, interval: 0.02 },
  });

test('a pan on a spring feels what lies in it', () => {
  const run = simulate(scales());
  // Four cubes of 2.5 kg and the pan of 5 kg
  expect(run.signal('pan.position.z').at(-1)! + 0.1).toBeCloseTo((-15 * 9.80665) / 5000, 4);
  expect(run.signal('pan.grains.force.z').at(-1)!).toBeCloseTo(-10 * 9.80665, 0);
  expect(run.trust.verdict?.word).toBe('trusted');
});

test('stopped and gone on with the same bits', () => {
  const options = { stopTime: 0.2 };
  const through = new RigidGrainSimulation(scales(), options);
  through.advance(0.1);
  const checkpoint = through.checkpoint()!;
  expect(checkpoint.time).toBeCloseTo(0.1, 9);
  const recording = through.recording;
  const second = new RigidGrainSimulation(scales(), { ...options, restart: { checkpoint, recording } });
  second.advance();
  through.advance();
  expect(second.finish().hash).toBe(through.finish().hash);
});
