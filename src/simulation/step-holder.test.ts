import { expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { Simulation } from './simulation.js';
import { StepHolder } from './step-holder.js';

test('short is what would take more than 100 000 steps; one short step is none', () => {
  const holder = new StepHolder(1);
  let t = 0;
  const steps = (count: number, h: number): void => {
    for (let i = 0; i < count; i++, t += h) holder.watch(t, h);
  };
  steps(20, 1e-3);
  steps(1, 1e-9);
  expect(holder.holds).toBe(false);
  steps(200, 1e-6);
  expect(holder.holds).toBe(true);
  expect(holder.text('pawl–ring')).toMatch(/^pawl–ring holds the step at 1\.\d µs since t = 0\.02\d* s$/);
  steps(20, 1e-3);
  expect(holder.holds).toBe(false);
});

test('a joint that a stiff spring shakes is named', () => {
  // ω = √(k/J) = 1e5 rad/s: some 20 steps a period of 63 µs, against a run of 100 s
  const simulation = new Simulation(
    model({
      bodies: { bob: body({ mass: 1, inertia: [1, 1, 1] }) },
      joints: { pivot: revolute({ body: 'bob', axis: [0, 1, 0], spring: { stiffness: 1e10 }, initialSpeed: 1 }) },
    }),
    { stopTime: 100, maxSteps: 300, integrator: 'dopri5' },
  );
  expect(simulation.holdUp).toBeUndefined();
  simulation.advance();
  expect(simulation.holdUp).toMatch(/^the (speed|position) of joint "pivot" holds the step at [\d.]+ [µn]s since t = /);
  expect(simulation.finish().trust.notes?.join()).toContain('of joint "pivot" holds the step');
});

test('a contact is named by its pair', () => {
  const stuff = { density: 1000, youngsModulus: 1e12, poissonRatio: 0.3, friction: 0.3, restitution: 0.9 };
  const simulation = new Simulation(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: stuff, fixed: true }),
        block: body({ shape: box(0.01), material: stuff, position: [0, 0, 0.0051], angularVelocity: [3, 1, 0] }),
      },
    }),
    { stopTime: 1000, maxSteps: 200 },
  );
  simulation.advance();
  expect(simulation.holdUp).toMatch(/floor–block/);
});

test('a run whose steps are not short tells who sets them, too', () => {
  const simulation = new Simulation(
    model({
      bodies: { bob: body({ mass: 1, inertia: [1, 1, 1] }) },
      joints: { pivot: revolute({ body: 'bob', axis: [0, 1, 0], spring: { stiffness: 100 }, initialSpeed: 1 }) },
    }),
    { stopTime: 1 },
  );
  expect(simulation.pace).toBeUndefined();
  simulation.advance();
  expect(simulation.holdUp).toBeUndefined();
  expect(simulation.pace).toMatch(/^the (speed|position) of joint "pivot" sets the step, [\d.]+ ms of late$/);
});
