/**
 * Contacts softened to a wanted depth at rest, `contacts: { depth }`, against the laws' own formulas: what rests, bounces and slides, and what a heap
 * costs. Sizes are diagonals of the box around a body.
 */
import { describe, expect, test } from 'vitest';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, sphere } from '../../src/geometry/primitives.js';
import type { Solid } from '../../src/geometry/solid.js';
import { body } from '../../src/model/body.js';
import type { ContactsOptions } from '../../src/model/contacts.js';
import { prismatic } from '../../src/model/joints.js';
import { oak, steel } from '../../src/model/materials.js';
import { model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';

const DEPTH = 1e-4;
const floor = body({ shape: halfSpace(), material: steel, fixed: true });
const fall = (shape: Solid, z: number, contacts: ContactsOptions, stopTime: number) =>
  simulate(
    model({
      bodies: { floor, part: body({ shape, material: steel, position: [0, 0, z] }) },
      contacts,
    }),
    { stopTime },
  );
const settled = { restitution: 0.2, friction: 0.3 };

describe('depth at rest', () => {
  test('a ball lies depth × size deep', () => {
    const R = 0.03;
    const run = fall(sphere(R), R, { depth: DEPTH, defaults: settled }, 1);
    const sunk = R - run.signal('part.position.z').at(-1)!;
    // At rest the elastic force is the weight; depths are held to 1 % of the depth at rest.
    expect(Math.abs(sunk / (DEPTH * 2 * R * Math.sqrt(3)) - 1)).toBeLessThan(0.01);
  });

  // On its corner a depth d cuts off V = √3/2 d³. Of a cube K s² ½ δ √3 s = m g on its face, so d = ∛δ s: no law that adds up pressure over the overlap lets a corner
  // sink in as little as a face, and 1e-3 of a size would want δ = 1e-9.
  test('a cube that is held upright on a corner sinks in by ∛depth of its side', () => {
    const side = 0.05;
    const high = (Math.sqrt(3) / 2) * side;
    const run = simulate(
      model({
        bodies: {
          floor,
          part: body({
            shape: box([side, side, side]),
            material: steel,
            position: [0, 0, high],
            // (1, 1, 1) down
            orientation: { axis: [1, -1, 0], angle: Math.PI - Math.acos(1 / Math.sqrt(3)) },
          }),
        },
        joints: { guide: prismatic({ body: 'part', axis: [0, 0, 1] }) },
        contacts: { depth: DEPTH, defaults: settled },
      }),
      { stopTime: 1 },
    );
    const sunk = -run.signal('guide.position').at(-1)!;
    expect(Math.abs(sunk / (Math.cbrt(DEPTH) * side) - 1)).toBeLessThan(0.01);
  });

  // K V = m g on the face A, K from 2 m g = K L² d: the overlap is m g/(K A) = ½ d L²/A thick, and the law's depth 2 V/A is twice that.
  test('a box lies ½ depth × size × L²/A deep, L³ its volume, A its face', () => {
    const [a, b, c] = [0.06, 0.05, 0.04];
    const run = fall(box([a, b, c]), c / 2, { depth: DEPTH, defaults: settled }, 1);
    const sunk = c / 2 - run.signal('part.position.z').at(-1)!;
    const wanted = (0.5 * DEPTH * Math.sqrt(a * a + b * b + c * c) * (a * b * c) ** (2 / 3)) / (a * b);
    expect(Math.abs(sunk / wanted - 1)).toBeLessThan(0.01);
  });
});

// The damping of the law depends on e alone. The wall is upright, so that the weight does no work on the impact; what is left is the floor speed,
// x √(g d/n) near 0.01 m/s, whose square is small against those of impact and rebound.
test.each([0.3, 0.7, 0.95])('restitution %s is met', (restitution) => {
  const R = 0.03;
  const v = 1;
  const run = simulate(
    model({
      bodies: {
        wall: body({ shape: box([0.1, 1, 1]), material: steel, fixed: true, position: [-0.05, 0, 0] }),
        ball: body({ shape: sphere(R), material: steel, position: [R + 1e-3, 0, 0], velocity: [-v, 0, 0] }),
      },
      contacts: { depth: DEPTH, defaults: { restitution, friction: 0 } },
    }),
    { stopTime: 0.03 },
  );
  expect(Math.abs(run.signal('ball.velocity.x').at(-1)! / (restitution * v) - 1)).toBeLessThan(1e-3);
});

// v = v₀ − µ g t. While it gets going the load swings a little: 1 % of the speed lost.
test('a box slides to rest by µ g', () => {
  const [mu, v] = [0.3, 1];
  const run = simulate(
    model({
      bodies: {
        floor,
        part: body({ shape: box([0.06, 0.06, 0.02]), material: steel, position: [0, 0, 0.01], velocity: [v, 0, 0] }),
      },
      contacts: { depth: DEPTH, defaults: { friction: mu, restitution: 0.2 } },
    }),
    { stopTime: 0.6 },
  );
  const way = (v * v) / (2 * mu * 9.81);
  expect(Math.abs(run.signal('part.position.x').at(-1)! / way - 1)).toBeLessThan(0.01);
});

describe('a heap', () => {
  const heap = (depth?: number) => {
    const wall = (size: [number, number, number], position: [number, number, number]) =>
      body({ shape: box(size), material: oak, position, fixed: true });
    const parts = Array.from({ length: 6 }, (_, i) =>
      body({
        shape: i % 2 === 0 ? box([0.05, 0.04, 0.03]) : sphere(0.02),
        material: i % 3 === 0 ? steel : oak,
        position: [0.012 * (i % 3) - 0.01, 0.008 * (i % 2), 0.04 + 0.055 * i],
        orientation: { axis: [1, 0.3 * i, 0.2], angle: 0.4 + 0.5 * i },
      }),
    );
    return simulate(
      model({
        bodies: {
          floor,
          left: wall([0.02, 0.12, 0.2], [-0.06, 0, 0.1]),
          right: wall([0.02, 0.12, 0.2], [0.06, 0, 0.1]),
          front: wall([0.1, 0.02, 0.2], [0, -0.06, 0.1]),
          back: wall([0.1, 0.02, 0.2], [0, 0.06, 0.1]),
          parts,
        },
        contacts: { defaults: { restitution: 0.3, friction: 0.4 }, ...(depth !== undefined && { depth }) },
      }),
      { stopTime: 0.3 },
    ).trust;
  };

  test('takes several times fewer steps, and the trust report says what it cost', () => {
    const [soft, real] = [heap(DEPTH), heap()];
    // 2 020 and 5 766 steps
    expect(real.steps!.accepted / soft.steps!.accepted).toBeGreaterThan(2);
    expect(soft.energy!.relativeError).toBeLessThan(1e-3);
    expect(soft.notes!.join('\n')).toMatch(/contacts are softer than real, as "depth" asks/);
    expect(real.notes!.join('\n')).not.toMatch(/softer/);
  });
});
