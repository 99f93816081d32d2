import { describe, expect, test } from 'vitest';
import { bodyInertia } from '../assembly/inertia.js';
import { halfSpace } from '../geometry/half-space.js';
import { sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

describe('a half-space on a body that moves', () => {
  test('needs a mass and an inertia, and adds nothing to them', () => {
    const given = bodyInertia({ shape: halfSpace(), mass: 2, inertia: [1, 2, 2.5] }, 'bodies.plate');
    expect(given).toEqual({ mass: 2, centre: [0, 0, 0], inertia: [1, 0, 0, 0, 2, 0, 0, 0, 2.5], reach: 0 });
    expect(() => bodyInertia({ shape: halfSpace(), mass: 2 }, 'bodies.plate')).toThrow(
      /bodies\.plate\.shape: .*half-space/,
    );
  });

  test('a plate that falls on a ball at rest: speeds after an elastic impact', () => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: {
          ball: body({ shape: sphere(0.1), mass: 1, inertia: [1, 1, 1] }),
          plate: body({
            shape: halfSpace(),
            mass: 3,
            inertia: [1, 1, 1],
            position: [0, 0, 0.2],
            orientation: { axis: [1, 0, 0], angle: Math.PI },
          }),
        },
        joints: { guide: prismatic({ body: 'plate', axis: [0, 0, 1], initialSpeed: -1 }) },
        contacts: {
          defaults: { restitution: 1, friction: 0, normalLaw: { kind: 'power', stiffness: 1e6, exponent: 1 } },
        },
      }),
      { stopTime: 0.15 },
    );
    // 2 m₁ v/(m₁ + m₂) and (m₁ − m₂) v/(m₁ + m₂); rtol 1e-6 of each step
    expect(run.signal('ball.velocity.z').at(-1)).toBeCloseTo(-1.5, 4);
    expect(run.signal('guide.speed').at(-1)).toBeCloseTo(-0.5, 4);
  });
});
