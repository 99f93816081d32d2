/** Energy of rigid grains: kinetic, potential, elastic, heat of each contact counted at every step, work of tools. */
import { describe, expect, test } from 'vitest';
import { belgianBlock } from '../assets/stones.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import { random } from '../math/random.js';
import { body } from '../model/body.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

const stone = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };

/** Stones fall on a floor beside a board that is pushed through them */
function heap({ step, restitution = 0.4, friction = 0.5 }: { step: number; restitution?: number; friction?: number }) {
  const draw = random('heap');
  return simulate(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: stone, fixed: true }),
        board: body({ shape: box([0.1, 1, 0.3]), material: stone, position: [-0.45, 0, 0.15] }),
        stone: Array.from({ length: 18 }, (_, k) =>
          body({
            shape: k % 3 === 0 ? sphere(0.05) : k % 3 === 1 ? box([0.1, 0.08, 0.06]) : belgianBlock({ seed: `${k}` }),
            material: stone,
            position: [0.15 * (k % 3) - 0.2, 0.15 * (Math.floor(k / 3) % 3) - 0.15, 0.1 + 0.15 * Math.floor(k / 9)],
            orientation: draw.rotation(),
          }),
        ),
      },
      joints: { push: prismatic({ body: 'board', axis: [1, 0, 0], speed: 0.5 }) },
      contacts: { defaults: { normalLaw: { kind: 'foundation', modulus: 1e8 }, friction, restitution } },
      simulation: { integrator: 'grains', step, stop: 0.6, interval: 0.02 },
    }),
  );
}

/** A block with a flat or a tilted face thrown on the floor: what its book misses, of the energy that moved */
function thrown(step: number, tilted: boolean, restitution: number, friction: number): number {
  const run = simulate(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: stone, fixed: true }),
        block: body({
          shape: box([0.1, 0.1, 0.1]),
          material: stone,
          position: [0, 0, tilted ? 0.09 : 0.051],
          ...(tilted && { orientation: { axis: [1, 1, 0], angle: 0.9553 } }),
          velocity: [0.5, 0, -1],
        }),
      },
      contacts: { defaults: { normalLaw: { kind: 'foundation', modulus: 1e8 }, friction, restitution } },
      simulation: { integrator: 'grains', step, stop: 0.02, interval: 2e-3 },
    }),
  );
  return run.trust.energy!.relativeError;
}

// Springs side by side in a half-space have a potential, so without friction and loss all is leapfrog, of second order. A blow of 1 m/s against a face lasts 40 steps of 2e-4 s, on a corner
// three times that. Where friction tips the block over its edge, forces begin with a jump: first order.
describe('a block hits the floor, and its book closes with the step', () => {
  test.each([
    ['flat, elastic', false, 1, 0, 4],
    ['flat, with friction and loss', false, 0.5, 0.5, 1.5],
    ['on its corner, elastic', true, 1, 0, 3.8],
    ['on its corner, with friction and loss', true, 0.5, 0.5, 1.5],
  ] as const)('%s', (_, tilted, restitution, friction, less) => {
    const coarse = thrown(2e-4, tilted, restitution, friction);
    const fine = thrown(1e-4, tilted, restitution, friction);
    expect(coarse).toBeLessThan(4e-3);
    expect(coarse / fine).toBeGreaterThan(less);
  });
});

// Between stones the bed of springs has no potential where the faces that touch change: that share does not go with the step. Without friction and loss it is 0.7 to 1.6 % here, with both 0.1 %.
test('a heap of spheres, blocks and hewn stones with a board pushed through it', () => {
  const { energy, verdict } = heap({ step: 2e-4 }).trust;
  expect(energy!.putIn).toBeGreaterThan(5);
  expect(energy!.dissipated).toBeGreaterThan(20);
  expect(energy!.relativeError).toBeLessThan(3e-3);
  expect(verdict!.word).toBe('trusted');
});
