import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { oak } from '../model/materials.js';
import { model } from '../model/model.js';
import { Simulation } from './simulation.js';

const STEP = 4e-3;
const options = { integrator: 'time-stepping', step: STEP, interval: STEP, stopTime: 2 } as const;

describe('gravity that is turned while time runs', () => {
  const falling = () =>
    model({ bodies: { ball: body({ shape: sphere(0.1), material: oak, position: [0, 0, 1] }) }, contacts: false });

  // z = z₀ − ½ g t² up to 1 s, then straight on at −g·1 s: flight is exact in each step
  test('a ball falls, then flies straight on', () => {
    const run = new Simulation(falling(), options);
    run.advance(1);
    run.hand!.setGravity([0, 0, 0]);
    run.advance();
    const z = run.finish().signal('ball.position.z');
    const g = 9.81; // m/s²
    const turned = run.hand!.notes[0].t;
    expect(z.at(-1)).toBeCloseTo(1 - 0.5 * g * turned ** 2 - g * turned * (2 - turned), 9);
    // the energy that gravity took with it counts as taken out: kinetic stays
    expect(run.recording.trust.verdict?.word).toBe('trusted');
  });

  test('the same again from the notes', () => {
    const run = new Simulation(falling(), options);
    run.advance(0.5);
    run.hand!.setGravity([1, 0, 0]);
    run.advance();
    const again = new Simulation(falling(), { ...options, handling: run.hand!.notes });
    again.advance();
    expect(again.finish().hash).toBe(run.finish().hash);
  });
});

describe('a motor whose speed is set while time runs', () => {
  const driven = () =>
    model({
      bodies: {
        floor: body({ shape: halfSpace({}), material: oak, fixed: true }),
        arm: body({ shape: box([0.4, 0.05, 0.05]), material: oak, position: [0.2, 0, 0.5] }),
      },
      joints: { axis: revolute({ body: 'arm', at: [0, 0, 0.5], axis: [0, 0, 1], speed: 1 }) },
    });

  // φ = 1·t₀ + ½ (1 + 5)·0.1 + 5 (t − t₀ − 0.1)
  test('goes on from where it is, a tenth of a second later at its new speed', () => {
    const run = new Simulation(driven(), options);
    run.advance(1);
    const from = run.time;
    run.hand!.drive('axis', 5);
    run.advance();
    const angle = run.finish().signal('axis.angle');
    expect(angle.at(-1)).toBeCloseTo(from + 0.3 + 5 * (2 - from - 0.1), 12);
    expect(run.hand!.speedOf('axis')).toBe(5);
    expect([...run.hand!.driven.keys()]).toEqual(['axis']);
    const again = new Simulation(driven(), { ...options, handling: run.hand!.notes });
    again.advance();
    expect(again.finish().hash).toBe(run.recording.hash);
  });

  test('a joint that is not driven is refused by name', () => {
    const run = new Simulation(driven(), options);
    expect(() => run.hand!.drive('axes', 5)).toThrow(/drive\.joint: "axes" has no prescribed motion.*"axis"/);
  });
});

test('times, budgets and lengths of steps that are none are refused with what was expected', () => {
  const ball = model({ bodies: { ball: body({ shape: sphere(0.1), material: oak }) }, contacts: false });
  const run = new Simulation(ball, options);
  expect(() => run.advance(Number.NaN)).toThrow('advance.time: expected a time in s, got NaN');
  expect(() => run.advance(1, Number.NaN)).toThrow('advance.pause: expected ms ≥ 0');
  expect(() => run.advance(1, -1)).toThrow('got -1');
  expect(() => new Simulation(ball, { ...options, accuracy: 1e-3 })).toThrow('accuracy: expected either step (0.004 s');
});
