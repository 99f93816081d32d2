import { expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import type { Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { explain } from './explanation.js';

const oak = { name: 'oak', density: 700, youngsModulus: 1e10, poissonRatio: 0.3, friction: 0.4, restitution: 0.3 };
const brick = (position: Vec3) => body({ shape: box([0.2, 0.1, 0.06]), material: oak, position });

test('explain tells of what is drawn too deep, and all else beside it', () => {
  const facts = explain('bricks', model({ bodies: { a: brick([0, 0, 0.5]), b: brick([0.17, 0, 0.5]) } }), {});
  expect(facts.contact!.warnings[0]).toMatch(/^contacts \(a–b\): the two overlap by 30\.0 mm at the start: move them/);
  expect(facts.contact!.warnings.join()).toContain("between: ['a', 'b']");
  expect(facts.bodies.length).toBe(2);
  const shallow = model({ bodies: { a: brick([0, 0, 0.5]), b: brick([0.1995, 0, 0.5]) } });
  expect(explain('bricks', shallow, {}).contact!.warnings[0]).toMatch(
    /overlaps by 500 µm as drawn, and is pushed apart at/,
  );
});
