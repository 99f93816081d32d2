// Idealized surfaces in a run: layers as thin as the user says are not passed unseen.
import { expect, test } from 'vitest';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

// A point of 1 kg against a spring of 4e9 N/m with a layer of 1 mm: k t²/2 = 2000 J stop it up to √(4000) = 63 m/s.
const flight = (speed: number, side?: number) =>
  simulate(
    model({
      gravity: 'none',
      bodies: {
        plane: body({
          fixed: true,
          contact: {
            surfaces: [{ kind: 'rectangle', ...(side !== undefined && { width: side, length: side }) }],
            thickness: 1e-3,
          },
        }),
        bolt: body({
          mass: 1,
          inertia: [1, 1, 1],
          position: [0, 0, 1],
          velocity: [0, 0, -speed],
          contact: { surfaces: [{ kind: 'points', points: [[0, 0, 0]] }] },
        }),
      },
      contacts: { defaults: { normalLaw: { kind: 'power', stiffness: 4e9 }, restitution: 1, friction: 0 } },
    }),
    { stopTime: 1.5 / speed },
  ).signal('bolt.velocity.z');

test.each([undefined, 2])('a fast body does not fly through a thin layer; side %s', (side) => {
  for (const speed of [1, 10, 60]) expect(flight(speed, side).at(-1)! / speed).toBeCloseTo(1, 4);
});

test('one that is too fast for the layer comes through', () => {
  // 70² − 4000 = 30²
  expect(flight(70, 2).at(-1)!).toBeCloseTo(-30, 3);
});
