// Bodies that deform put down on something: how deep they lie, what they press with, and that it does not take for ever.
import { expect, test } from 'vitest';
import { extrude } from '../../src/geometry/extrude.js';
import { halfSpace } from '../../src/geometry/index.js';
import { body } from '../../src/model/body.js';
import { model } from '../../src/model/model.js';
import { Simulation, simulate } from '../../src/simulation/simulation.js';

const [length, width, height] = [0.1, 0.06, 0.04];
const plastic = { density: 1040, youngsModulus: 2.2e9, poissonRatio: 0.35 };
const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
const rectangle = (a: number, b: number) =>
  [
    [-a / 2, -b / 2],
    [a / 2, -b / 2],
    [a / 2, b / 2],
    [-a / 2, b / 2],
  ] as const;
const floor = (upright: boolean) =>
  body({
    shape: halfSpace(),
    fixed: true,
    material: steel,
    ...(upright && { orientation: { axis: [1, 0, 0] as const, angle: -Math.PI / 2 } }),
  });

const lying = {
  'in its plane': (start: 'drawn' | 'equilibrium') =>
    model({
      gravity: [0, -9.81, 0],
      bodies: {
        floor: floor(true),
        block: body({
          shape: extrude(rectangle(length, height), width),
          material: plastic,
          flexible: { grid: [4, 2] },
          position: [0, height / 2, 0],
        }),
      },
      simulation: { stop: 0.5, interval: 1e-2, ...(start === 'equilibrium' && { start }) },
    }),
  'a solid': (start: 'drawn' | 'equilibrium') =>
    model({
      gravity: [0, 0, -9.81],
      bodies: {
        floor: floor(false),
        block: body({
          shape: extrude(rectangle(length, width), height),
          material: plastic,
          flexible: { layers: 1, grid: [2, 1] },
        }),
      },
      simulation: { stop: 0.5, interval: 1e-2, ...(start === 'equilibrium' && { start }) },
    }),
};

// Put down without a gap and without restitution a block swings on its contact by the 3 nm that its weight presses it in, 8 to 10 kHz. Told by a millionth of √(g L) alone, that was followed to a hundred thousandth of its
// own speed until it had died away: more than 10 000 steps. To a hundredth of it (the contact tolerance) it is some 2 000, of which nearly all lie in the first 0.1 s. What it comes to is statics: the weight, and the depth of a run
// that begins in equilibrium, to what the contact tolerance allows of it.
test.each(['in its plane', 'a solid'] as const)('a plastic block put down comes to rest: %s', (kind) => {
  const simulation = new Simulation(lying[kind]('drawn'));
  simulation.advance(0.3);
  const tries = () => simulation.statistics.accepted + simulation.statistics.rejected;
  expect(tries()).toBeLessThan(3000);
  const before = tries();
  simulation.advance();
  expect(tries() - before).toBeLessThan(10);
  const run = simulation.finish();
  const up = kind === 'a solid' ? 'z' : 'y';
  const weight = 1040 * length * width * height * 9.81;
  const force = Math.abs(run.signal(`contacts.floor-block.force.${up}`).at(-1)!);
  expect(Math.abs(force / weight - 1)).toBeLessThan(1e-4);
  const statics = simulate(lying[kind]('equilibrium'), { stopTime: 1e-3, interval: 1e-3 });
  const depth = statics.signal('contacts.floor-block.depth').at(-1)!;
  expect(Math.abs(run.signal('contacts.floor-block.depth').at(-1)! / depth - 1)).toBeLessThan(1e-2);
});
