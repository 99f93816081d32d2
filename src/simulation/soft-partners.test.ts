import { expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { fixed } from '../model/joints.js';
import { rubber, steel } from '../model/materials.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

// A block lies on a strip of aluminium: what is rigid has no softness of its own there, which is told of rubber and not of steel
test.each([
  ['rubber', rubber, 1],
  ['steel', steel, 0],
])('a block of %s on a flexible strip', (_, material, notes) => {
  const run = simulate(
    model({
      gravity: [0, -9.81, 0],
      contacts: { defaults: { friction: 0, restitution: 0 } },
      bodies: {
        strip: body({
          shape: box([0.2, 0.02, 0.02]),
          material: { density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 },
          flexible: { grid: [8, 1], modes: 1, damping: 0.5 },
        }),
        block: body({ shape: box([0.04, 0.04, 0.02]), material, position: [0, 0.03, 0] }),
      },
      joints: { wall: fixed({ body: 'strip', at: [-0.1, 0, 0] }) },
    }),
    { stopTime: 2e-4, interval: 1e-5 },
  );
  expect(JSON.stringify(run.trust).split('contact of \\"strip\\" with \\"block\\"').length - 1).toBe(notes);
});
