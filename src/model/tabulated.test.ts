import { describe, expect, test } from 'vitest';
import { Simulation } from '../simulation/simulation.js';
import { body, model, revolute } from './index.js';
import { modelFromJson } from './json.js';
import { modelToJson } from './json-write.js';
import { tabulated } from './tabulated.js';

const range = (f: (t: number) => number): number => {
  const values = Array.from({ length: 1001 }, (_, i) => f(i / 500));
  return Math.max(...values) - Math.min(...values);
};

describe('a function of time as a table', () => {
  test.each([
    ['a swing that is moving at the start', (t: number) => Math.sin(7 * t)],
    ['steady', (t: number) => 3 * t],
    ['a constant', () => 0.7],
    ['of value, rate and acceleration', (t: number) => [t * t, 2 * t, 2] as const],
    ['a soft step', (t: number) => Math.tanh(10 * (t - 1))],
  ])('%s is met', (_, f) => {
    const value = (t: number): number => [f(t)].flat()[0] as number;
    const { data, error } = tabulated(f as (t: number) => number, 2)!;
    expect(error).toBeLessThanOrEqual(1e-6 * Math.max(range(value), 1e-8));
    expect(data.times[0]).toBeLessThan(0);
    expect(data.times.at(-1)).toBeGreaterThan(2);
  });
  test.each([
    ['jumps', (t: number) => (t > 0.777 ? 1 : 0)],
    ['is no number', () => Number.NaN],
    ['rattles', (t: number) => Math.sin(1e5 * t)],
  ])('one that %s has none', (_, f) => expect(tabulated(f, 2)).toBeUndefined());
});

test('a driven arm runs from its table as from its function, and the table is told', async () => {
  const arm = model({
    bodies: { arm: body({ mass: 1, inertia: [0.1, 0.1, 0.1], centreOfMass: [0.3, 0, 0] }) },
    joints: {
      pivot: revolute({ body: 'arm', axis: [0, 1, 0], motor: { target: (t) => Math.sin(3 * t), kp: 50, kd: 5 } }),
    },
    simulation: { stop: 1 },
  });
  const { model: data, lost } = modelToJson(arm);
  expect(lost).toHaveLength(1);
  expect(lost[0].path).toBe('joints.pivot.motor.target');
  expect(lost[0].why).toMatch(/^is a function of time; a table of \d+ values stands for it, which meets it within /);
  const end = (given: typeof arm): number => {
    const run = new Simulation(given);
    run.advance(1);
    return run.finish('finished').signal('pivot.angle').at(-1)!;
  };
  expect(end(await modelFromJson(data))).toBeCloseTo(end(arm), 5);
});
