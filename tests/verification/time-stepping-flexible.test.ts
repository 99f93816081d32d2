/**
 * Flexible bodies in steps of known length: modes that a step resolves swing on with their energy, faster ones follow their load.
 */
import { expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { box } from '../../src/geometry/primitives.js';
import { body } from '../../src/model/body.js';
import { applied } from '../../src/model/forces.js';
import { fixed, revolute } from '../../src/model/joints.js';
import { oak } from '../../src/model/materials.js';
import { type ModelOptions, model } from '../../src/model/model.js';
import { Simulation, type SimulationOptions } from '../../src/simulation/simulation.js';

const [E, rho, length, height, thickness] = [210e9, 7850, 1, 0.02, 0.01];
const strip = (l: number, h: number, material: object, flexible: object, x = 0) =>
  body({
    shape: extrude(
      [
        [0, -h / 2],
        [l, -h / 2],
        [l, h / 2],
        [0, h / 2],
      ],
      thickness,
    ),
    material: { poissonRatio: 0, density: rho, youngsModulus: E, ...material },
    position: [x, 0, 0],
    frames: { tip: { position: [l, 0, 0] } },
    flexible: { grid: [20, 2], modes: 3, damping: 0, membrane: false, ...flexible },
  });
function run(of: ModelOptions, options: SimulationOptions): Simulation {
  const simulation = new Simulation(model(of), { integrator: 'time-stepping', ...options });
  simulation.advance();
  simulation.finish();
  return simulation;
}
const end = ({ recording }: Simulation, name: string): number => recording.signal(name).at(-1)!;
const load = 10;
const cantilever = (force: (t: number) => number, flexible: object = {}): ModelOptions => ({
  gravity: [0, 0, 0],
  contacts: false,
  bodies: { beam: strip(length, height, {}, flexible) },
  joints: { wall: fixed({ body: 'beam' }) },
  forces: { weight: applied({ on: { body: 'beam', at: [length, 0, 0] }, force: (t) => [0, -force(t), 0] }) },
});
const bending = (E * thickness * height ** 3) / 12;
/** Euler–Bernoulli: P L³/(3 E I) */
const sag = (load * length ** 3) / (3 * bending);

// λ₁² √(E I/(ρ A))/L², λ₁ = 1.8751: the slenderness of 50 makes shear and rotary inertia a part in a thousand, the grid no more
test('a cantilever swings about its sag at the frequency of beam theory, and keeps its amplitude', () => {
  const omega = (1.8751041 ** 2 / length ** 2) * Math.sqrt(bending / (rho * thickness * height));
  const period = (2 * Math.PI) / omega;
  // a load that is there at once: y = sag (cos ω t − 1) in the first mode, which has 97 % of it
  const simulation = run(
    cantilever(() => load),
    { step: period / 80, stopTime: 20.5 * period, interval: period / 80 },
  );
  const y = simulation.recording.signal('beam.tip.position.y');
  const turned: number[] = [];
  for (let row = 1; row < y.length - 1; row++)
    if (y.at(row)! > -0.2 * sag && y.at(row)! > y.at(row - 1)! && y.at(row)! >= y.at(row + 1)!) turned.push(row);
  expect(turned.length).toBeGreaterThanOrEqual(20);
  // within half a row of 1600; the midpoint rule is slow by (ω h)²/12 = 5e-4
  expect(Math.abs(turned.at(-1)! / turned.length / 80 - 1)).toBeLessThan(5e-3);
  // it comes as low in the last swing as in the first
  const lowest = (from: number, to: number): number => {
    let least = 0;
    for (let row = from; row < to; row++) least = Math.min(least, y.at(row)!);
    return least;
  };
  expect(lowest(19 * 80, 20 * 80) / lowest(0, 80)).toBeGreaterThan(0.97);
  const { account } = simulation.stepping!;
  expect(account.worst / account.scale).toBeLessThan(1e-12);
  expect(Math.abs(account.step / account.scale)).toBeLessThan(1e-2);
});

test('with steps of many periods it goes to the sag of beam theory, and stays', () => {
  const simulation = run(
    cantilever(() => load),
    { step: 0.2, stopTime: 6 },
  );
  expect(Math.abs(-end(simulation, 'beam.tip.position.y') / sag - 1)).toBeLessThan(5e-3);
  expect(simulation.stepping!.unsolved).toBe(0);
});

// The independent computation is error control: two soft strips, pinned to each other
test('a flexible double pendulum comes to the answer of error control at second order', () => {
  const soft = { density: 2700, youngsModulus: 1e9, poissonRatio: 0.3 };
  const pendulum: ModelOptions = {
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: { upper: strip(1, 0.05, soft, { modes: 2 }), lower: strip(1, 0.05, soft, { modes: 2 }, 1) },
    joints: {
      shoulder: revolute({ body: 'upper', axis: [0, 0, 1] }),
      elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 0, 1], at: [1, 0, 0] }),
    },
  };
  const stopTime = 0.4;
  const exact = new Simulation(model(pendulum), { stopTime, rtol: 1e-7 });
  exact.advance();
  exact.finish();
  const [coarse, fine] = [2e-3, 5e-4].map((step) => {
    const simulation = run(pendulum, { step, stopTime });
    return Math.abs(end(simulation, 'lower.position.y') - end(exact, 'lower.position.y'));
  });
  expect(coarse).toBeLessThan(1e-3);
  expect(fine).toBeLessThan(0.12 * coarse);
});

test('beside bodies that touch; steps that choose themselves', () => {
  const beside: ModelOptions = {
    ...cantilever(() => load),
    gravity: [0, -9.81, 0],
    contacts: { defaults: { friction: 0.4, restitution: 0 } },
    bodies: {
      beam: { ...strip(length, height, {}, {}), contact: false },
      floor: body({ shape: box([1, 0.1, 1]), material: oak, position: [0, -1.05, 0], fixed: true }),
      block: body({ shape: box([0.1, 0.1, 0.1]), material: oak, position: [0, -0.9, 0] }),
    },
  };
  const weight = rho * thickness * height * 9.81;
  const lower = sag + (weight * length ** 4) / (8 * bending);
  const simulation = run(beside, { step: 0.05, stopTime: 2 });
  // the steps are long for the beam, and for the block, which the first of them sets down
  expect(Math.abs(-end(simulation, 'beam.tip.position.y') / lower - 1)).toBeLessThan(5e-3);
  expect(Math.abs(end(simulation, 'block.position.y') + 0.95)).toBeLessThan(1e-4);
  const chosen = run(
    cantilever(() => load),
    { accuracy: 1e-4, stopTime: 0.3 },
  );
  const fine = run(
    cantilever(() => load),
    { step: 1e-4, stopTime: 0.3 },
  );
  expect(Math.abs(end(chosen, 'beam.tip.position.y') - end(fine, 'beam.tip.position.y'))).toBeLessThan(3e-4);
});

test('a strip in pieces that a step too long throws is refused by name; it went on as numbers of 10³⁸ until its contact said that bodies tilt', () => {
  const [l, h] = [0.2, 1e-3];
  const pull = (t: number): number => -4 * Math.min(1, t / 0.2) ** 2;
  const pulled = (step: number): Simulation =>
    new Simulation(
      model({
        gravity: [0, 0, 0],
        bodies: {
          strip: strip(l, h, {}, { grid: [40, 2], modes: 4, membrane: true, substructures: 4, damping: 0.02 }),
        },
        joints: { wall: fixed({ body: 'strip', at: [0, 0, thickness / 2] }) },
        forces: { pull: applied({ on: 'strip.tip', force: (t) => [0, pull(t), 0] }) },
      }),
      { step, integrator: 'time-stepping', stopTime: 0.3, interval: step },
    );
  // F l³/(3 E I) is 61 mm: a third of the length, which bends it 5 % less than that; steps of 1 ms are stable or told to be too long
  const run = pulled(1e-3);
  let told = '';
  try {
    while (run.advance(run.time + 1e-12));
  } catch (error) {
    told = (error as Error).message;
  }
  const tip = Math.abs(run.recording.signal('strip.tip.position.y').at(-1)!);
  if (told === '') expect(Math.abs(tip / ((4 * l ** 3) / (3 * E * ((thickness * h ** 3) / 12))) - 1)).toBeLessThan(0.1);
  else
    expect(told).toMatch(
      /^bodies\.strip: t = [\d.]+ s: deformed by more than ten times its own size; the step was too long/,
    );
  // no row of it
  expect(tip).toBeLessThan(10 * l);
});

// A soft strip of a double pendulum on springs bends by a third of its length. Its second pair of modes bears a load, and h ω √w, with what it feels where it is, comes to 1 at 4e-4 s and stays there: taken for fast and for
// slow in turn it made 1.4 J of 10 J. Taken for what it was where the run began the energy that steps make stays of second order.
test('a mode that bears a load while h ω √w passes 1 makes no energy', () => {
  const soft = { density: 2700, youngsModulus: 5e8, poissonRatio: 0.3 };
  const flexible = { modes: 2, membrane: true };
  const pendulum: ModelOptions = {
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: { upper: strip(1, 0.05, soft, flexible), lower: strip(1, 0.05, soft, flexible, 1) },
    joints: {
      shoulder: revolute({ body: 'upper', axis: [0, 0, 1], spring: { stiffness: 500 } }),
      elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 0, 1], at: [1, 0, 0], spring: { stiffness: 100 } }),
    },
  };
  const [coarse, fine] = [4e-4, 2e-4].map((step) => run(pendulum, { step, stopTime: 0.6 }).stepping!.account);
  // a quarter; 0.2 … 0.3 grants the next order
  expect(Math.abs(fine.largestStep)).toBeGreaterThan(0.2 * Math.abs(coarse.largestStep));
  expect(Math.abs(fine.largestStep)).toBeLessThan(0.3 * Math.abs(coarse.largestStep));
});
