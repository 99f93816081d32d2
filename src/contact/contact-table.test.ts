import { expect, test, vi } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import { COLUMN } from './contact-table.js';

const oak = { name: 'oak', density: 700, youngsModulus: 1e8, poissonRatio: 0.3, friction: 0.4, restitution: 0.5 };
const scene = (): ContactScene => {
  const of = new ContactScene(
    model({
      bodies: {
        floor: body({ shape: box([1, 1, 0.1]), position: [0, 0, -0.05], fixed: true, material: oak }),
        cube: body({ shape: box([0.1, 0.1, 0.1]), position: [0, 0, 0.0501], material: oak }),
      },
    }),
  ).start();
  of.place('cube', [0, 0, 0.0499]);
  of.accept();
  return of;
};

test('one state is evaluated once, whoever asks; another motion, other states and other slots are evaluated anew', () => {
  const of = scene();
  const pair = of.pair('floor', 'cube');
  const evaluate = vi.spyOn(pair, 'evaluateRegion');
  const ask = (): number => {
    const before = evaluate.mock.calls.length;
    of.mechanics.update(of.time, of.y);
    const energy = pair.energy(of.time, of.y);
    const ledger = { dissipated: 0, supplied: 0, friction: 0 };
    pair.power(of.time, of.y, ledger);
    expect(pair.tabulate(of.time, of.y).energy).toBe(energy);
    expect(pair.tabulate(of.time, of.y).dissipated).toBe(ledger.dissipated);
    return evaluate.mock.calls.length - before;
  };
  expect(ask()).toBe(1);
  expect(ask()).toBe(0);
  of.place('cube', [0, 0, 0.0498]);
  expect(ask()).toBe(1);
  of.y[pair.stateAt] = 1e-7;
  expect(ask()).toBe(1);
  of.accept();
  expect(ask()).toBe(1);
  expect(ask()).toBe(0);
});

test('a row has the whole wrench: it is what the carriers are loaded with', () => {
  const of = scene();
  const pair = of.pair('floor', 'cube');
  of.mechanics.update(of.time, of.y);
  const { count, values } = pair.tabulate(of.time, of.y);
  expect(count).toBe(1);
  const { load } = of.mechanics.carriers;
  load.fill(0);
  pair.evaluate(of.time, of.y, new Float64Array(of.y.length));
  for (let k = 0; k < 3; k++) expect(values[COLUMN.force + k]).toBe(load[6 * pair.b + 3 + k]);
  expect(values[COLUMN.normalForce]).toBeGreaterThan(0);
});

// Searches of a box that falls on a floor, slides and comes to rest, while it touches: rodas4 has six stages, one of which is at a state that is
// known already; a step tried again costs five more. One search is for the accepted state, one for the ledger in the middle of a step; rows and steps
// that the ledger must look at more closely make it 3 here.
test('accepted states are searched once: stages and the ledger between them are all that is left', () => {
  const simulation = new Simulation(
    model({
      bodies: {
        floor: body({ shape: box([1, 1, 0.1]), position: [0, 0, -0.05], fixed: true, material: oak }),
        cube: body({ shape: box([0.1, 0.1, 0.1]), position: [0, 0, 0.051], velocity: [0.3, 0, 0], material: oak }),
      },
    }),
    { stopTime: 0.1, interval: 0.01 },
  );
  simulation.advance(0.03); // touches
  const [pair] = simulation.contacts!.pairs;
  const find = vi.spyOn(pair.route, 'find');
  const { accepted, rejected } = simulation.statistics;
  simulation.advance();
  const steps = simulation.statistics.accepted - accepted;
  const tries = steps + simulation.statistics.rejected - rejected;
  expect(steps).toBeGreaterThan(50);
  const besideStages = find.mock.calls.length - 5 * tries;
  expect(besideStages / steps).toBeLessThan(4);
});
