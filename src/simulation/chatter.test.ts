// A force that jumps with the velocity it causes: a sled braked by 50 N to and fro stops at t = m v / F and can then neither move nor rest.
import { describe, expect, test } from 'vitest';
import { body } from '../model/body.js';
import { applied } from '../model/forces.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { Simulation, simulate } from './simulation.js';

const sled = { mass: 1, inertia: [1, 1, 1] as [number, number, number] };
const braked = model({
  gravity: 'none',
  bodies: { sled: body(sled) },
  joints: {
    rail: prismatic({ body: 'sled', axis: [1, 0, 0], initialSpeed: 1, force: (_t, _x, v) => (v > 0 ? -50 : 50) }),
  },
});

describe('a run that gets no further', () => {
  test.each(['automatic', 'dopri5', 'rodas4'] as const)(
    '%s says so, names the element and proposes friction',
    (integrator) => {
      const simulation = new Simulation(braked, { integrator });
      expect(() => simulation.advance()).toThrow(/^joints\.rail: t = 0\.02\d* s: .*friction: \{ limit \}/);
      const { accepted, rejected } = simulation.statistics;
      expect(accepted + rejected).toBeLessThan(3000);
      expect(simulation.time).toBeCloseTo(0.02, 4);
    },
  );

  test('on a free body', () => {
    const free = model({
      gravity: 'none',
      bodies: { sled: body({ ...sled, velocity: [1, 0, 0] }) },
      forces: { brake: applied({ on: 'sled', force: (_t, { velocity }) => [velocity[0] > 0 ? -50 : 50, 0, 0] }) },
    });
    expect(() => simulate(free)).toThrow(/^forces\.brake: t = 0\.02\d* s: .*friction of a joint or of a contact/);
  });
});
