import { expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
import { steel } from '../model/materials.js';
import { model } from '../model/model.js';
import { sceneOf } from '../results/scene/scene-of.js';
import { motorSeat, motorSize } from './motor-look.js';

test('a motor begins where its body ends, and is small beside a small body', () => {
  const scene = sceneOf(
    model({
      bodies: { wheel: body({ shape: box([0.2, 0.2, 0.1]), material: steel }) },
      joints: { hub: revolute({ body: 'wheel', at: [0, 0, 0.02], axis: [0, 0, 1], speed: 1 }) },
    }),
  );
  const [hub] = scene.joints;
  // from z = 0.02 back to the face at −0.05
  expect(motorSeat(scene, hub, 1)).toBeCloseTo(0.07, 12);
  // behind by more than a quarter of the scene: inside
  expect(motorSeat(scene, hub, 0.2)).toBe(0);
  // eight times half the diagonal of the box, √(0.2² + 0.2² + 0.1²)/2 = 0.15
  expect(motorSize(scene, hub, 10)).toBeCloseTo(1.2, 12);
  expect(motorSize(scene, hub, 1)).toBe(1);
});
