import { expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box, cylinder, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { rotate } from '../geometry/transform.js';
import { body } from '../model/body.js';
import type { PairDefaults } from '../model/contacts.js';
import { model } from '../model/model.js';
import { simulate } from './simulation.js';

const R = 0.02;
const wood = { name: 'wood', density: 700, youngsModulus: 11e9, poissonRatio: 0.35, restitution: 0.5, friction: 0.4 };

/** Notes of a run over 0.05 s of something that moves at 0.5 m/s over a floor and turns with it */
const notes = (shape: Solid, defaults: PairDefaults = {}, turning = 1): readonly string[] => {
  const run = simulate(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: wood, fixed: true }),
        thing: body({
          shape,
          material: wood,
          position: [0, 0, R],
          velocity: [0.5, 0, 0],
          angularVelocity: [0, (turning * 0.5) / R, 0],
        }),
      },
      contacts: { defaults },
    }),
    { stopTime: 0.05 },
  );
  return (run.trust?.notes ?? []).filter((note) => note.includes('rolls'));
};

// µ_r = 3/16 (1 − e²) a/R, a = √(R d) and d³ᐟ² = ¾ m g/(E* √R) (Johnson, Contact Mechanics, §4.2 and §9.4)
test('a ball that rolls on for ever is told, with what its materials would make of it', () => {
  const modulus = wood.youngsModulus / (2 * (1 - wood.poissonRatio ** 2));
  const mass = (wood.density * 4 * Math.PI * R ** 3) / 3;
  const depth = ((0.75 * mass * 9.80665) / (modulus * Math.sqrt(R))) ** (2 / 3);
  const coefficient = (3 / 16) * 0.75 * Math.sqrt(depth / R);
  const [note, ...others] = notes(sphere(R));
  expect(others).toEqual([]);
  expect(note).toMatch(/^floor–thing still rolls, at 0\.50 m\/s/);
  expect(note).toContain(`${coefficient.toPrecision(2)} here`);
  expect(note).toContain(`about ${(0.5 / (coefficient * 9.80665)).toPrecision(2)} s`);
});

test('so is a roller; not where it stands on its end', () => {
  const roller = cylinder({ radius: R, height: 2 * R });
  expect(notes(rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, roller))).toHaveLength(1);
  expect(notes(roller, {}, 0)).toEqual([]);
});

test('what slides, what is given a rolling friction, and what was said to have none is not', () => {
  expect(notes(box(2 * R), {}, 0)).toEqual([]);
  expect(notes(sphere(R), {}, -1)).toEqual([]); // it spins backwards and slips
  for (const rollingFriction of [0, 0.01, 'hysteresis'] as const)
    expect(notes(sphere(R), { rollingFriction })).toEqual([]);
});
