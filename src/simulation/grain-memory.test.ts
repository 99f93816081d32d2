/** Memory that grows makes all arrays new. Whatever was kept of them must be asked for again: here every allocation makes them new, and nothing may change. */
import { afterEach, describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { Arena } from '../kernels/arena.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { simulate } from './simulation.js';

const soft = { density: 2500, youngsModulus: 1e6, poissonRatio: 0.3, restitution: 0.5, friction: 0.5 };
const floor = body({ shape: halfSpace(), material: soft, fixed: true });

const SCENES: Readonly<Record<string, ModelOptions>> = {
  'spheres that come and go, a paddle, probes, contacts kept': {
    bodies: { floor, paddle: body({ shape: box([0.02, 0.1, 0.04]), material: soft, position: [0, 0, 0.03] }) },
    joints: { shaft: revolute({ body: 'paddle', axis: [0, 1, 0], at: [0, 0, 0.03], speed: 5 }) },
    contacts: false,
    grains: {
      species: { bead: { radius: { uniform: [4e-3, 5e-3] }, material: soft } },
      packings: {
        heap: {
          species: 'bead',
          arrangement: 'random',
          fraction: 0.2,
          region: {
            box: [
              [-0.04, -0.04, 0],
              [0.04, 0.04, 0.08],
            ],
          },
        },
      },
      inlets: {
        feed: {
          species: 'bead',
          rate: 6000,
          region: {
            box: [
              [-0.05, -0.05, 0.1],
              [0.05, 0.05, 0.12],
            ],
          },
        },
      },
      outlets: { edge: { region: { behind: { through: [0.05, 0, 0], normal: [-1, 0, 0] } } } },
      probes: { below: { plane: { through: [0, 0, 0.05], normal: [0, 0, 1] } }, press: { wall: 'floor', area: 1 } },
      contacts: true,
    },
    simulation: { stop: 0.05, interval: 0.01 },
  },
  'stones and balls that come and go': {
    bodies: { floor, paddle: body({ shape: box([0.02, 0.1, 0.04]), material: soft, position: [0, 0, 0.03] }) },
    joints: { shaft: revolute({ body: 'paddle', axis: [0, 1, 0], at: [0, 0, 0.03], speed: 5 }) },
    contacts: false,
    grains: {
      species: { rock: { shape: { rock: {} }, radius: 0.012, material: soft }, ball: { radius: 0.01, material: soft } },
      packings: {
        heap: {
          species: 'rock',
          region: {
            box: [
              [-0.06, -0.06, 0],
              [0.06, 0.06, 0.12],
            ],
          },
        },
      },
      inlets: {
        feed: {
          species: 'ball',
          rate: 2000,
          region: {
            box: [
              [-0.06, -0.06, 0.13],
              [0.06, 0.06, 0.16],
            ],
          },
        },
      },
      outlets: { edge: { region: { behind: { through: [0.05, 0, 0], normal: [-1, 0, 0] } } } },
      contacts: true,
    },
    simulation: { stop: 0.05, interval: 0.01 },
  },
};

afterEach(() => {
  Arena.restless = false;
});

describe('no array is kept over an allocation', () => {
  test.each(Object.entries(SCENES))('%s', (_, options) => {
    const { hash } = simulate(model(options));
    Arena.restless = true;
    const { hash: again, trust } = simulate(model(options));
    expect(again).toBe(hash);
    expect(trust.energy!.kinetic).toBeGreaterThan(0);
  });
  test('one that is kept is seen', () => {
    Arena.restless = true;
    const arena = new Arena();
    const block = arena.floats(10);
    const kept = block.view;
    arena.ints(3);
    expect(kept.length).toBe(0);
    expect(block.view.length).toBe(10);
  });
});
