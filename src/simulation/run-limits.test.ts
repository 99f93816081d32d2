// A run ended by a limit keeps what it has: the same bits as the run without it, as far as it went.
import { expect, test } from 'vitest';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { Simulation, type SimulationOptions, simulate } from './simulation.js';

const pendulum = () =>
  model({
    bodies: { bob: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1] }) },
    joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0], initialAngle: 1 }) },
  });

const limited = (options: SimulationOptions): Simulation => {
  const simulation = new Simulation(pendulum(), { stopTime: 10, interval: 0.05, ...options });
  simulation.advance();
  return simulation;
};

test('maxSteps ends a run, which keeps its results and says why', () => {
  const whole = simulate(pendulum(), { stopTime: 10, interval: 0.05 });
  const simulation = limited({ maxSteps: 20 });
  expect(simulation.statistics.accepted + simulation.statistics.rejected).toBe(20);
  expect(simulation.finished).toBe(false);
  expect(simulation.interruption).toContain('20 steps');
  expect(simulation.advance()).toBe(false); // it does not go on by itself
  const cut = simulation.finish();
  expect(cut.state).toBe('interrupted');
  expect(cut.trust?.notes?.join()).toContain('maxSteps');
  expect(cut.rows).toBeGreaterThan(3);
  expect(cut.rows).toBeLessThan(whole.rows);
  const angle = cut.signal('pivot.angle');
  const reference = whole.signal('pivot.angle');
  // all rows but the last, which is where the run was stopped
  for (let i = 0; i < cut.rows - 1; i++) expect(angle.at(i)).toBe(reference.at(i));
});

test('maxTime ends a run that a clock overtakes, and leaves others alone', () => {
  expect(limited({ maxTime: 1e-9 }).interruption).toContain('maxTime');
  const simulation = limited({ maxTime: 1000 });
  expect(simulation.interruption).toBeUndefined();
  expect(simulation.finish().state).toBe('finished');
});

test('longestStep bounds every step', () => {
  const simulation = new Simulation(pendulum(), { stopTime: 1, longestStep: 0.004 });
  let longest = 0;
  let before = 0;
  simulation.advance(1, () => {
    longest = Math.max(longest, simulation.time - before);
    before = simulation.time;
    return false;
  });
  expect(longest).toBeGreaterThan(0.0039);
  expect(longest).toBeLessThan(0.00405); // the last but one may be a hundredth longer, rather than leave a tiny rest
});

test('limits that make no sense are refused by name', () => {
  expect(() => limited({ maxSteps: 0 })).toThrow('maxSteps: expected a number of steps ≥ 1, got 0');
  expect(() => limited({ maxTime: -1 })).toThrow('maxTime: expected a time > 0 s, got -1');
  expect(() => limited({ longestStep: Number.NaN })).toThrow('longestStep: expected a number > 0 s, got NaN');
  expect(() => limited({ integrator: 'verlet', step: 0.1, longestStep: 0.01 })).toThrow('longestStep');
});
