import { expect, test } from 'vitest';
import { rotate as rotateVector } from '../math/quaternion.js';
import { dot, sub, type Vec3 } from '../math/vec3.js';
import { halfSpace } from './half-space.js';
import { meshMassProperties, solidMassProperties } from './mass-properties.js';
import type { Solid } from './solid.js';
import { mirror, rotate, scale, translate } from './transform.js';
import { meshBounds, vertexAt } from './triangle-mesh.js';

test('what is drawn: a closed slab under the plane', () => {
  const { mesh, form } = halfSpace({ extent: 5 });
  expect(form).toEqual({ kind: 'halfSpace' });
  expect(meshBounds(mesh)).toEqual({ min: [-2.5, -2.5, -0.1], max: [2.5, 2.5, 0] });
  expect(meshMassProperties(mesh).volume).toBeCloseTo(2.5, 13);
  expect(() => halfSpace({ extent: 0 })).toThrow('halfSpace.extent: expected a length > 0 m, got 0');
});

test('it has no mass', () => {
  expect(() => solidMassProperties(halfSpace(), 1000)).toThrow(/half-space.*fixed/);
});

// The four upper corners of the slab stay in the plane z = 0 of the form's frame, the others under it.
test.each<[string, Solid]>([
  ['moved and turned', translate([1, 2, 3], rotate({ axis: [1, 2, 3], angle: 1 }, halfSpace()))],
  ['scaled unevenly', scale([2, 3, 0.5], halfSpace())],
  ['turned, then scaled unevenly', scale([2, 3, 0.5], rotate({ axis: [1, 2, 3], angle: 1 }, halfSpace()))],
  ['mirrored in its plane', mirror('z', halfSpace())],
  ['turned and mirrored askew', mirror([1, 2, -1], rotate({ axis: [1, 0, 3], angle: 2 }, halfSpace()))],
])('it stays a half-space: %s', (_, { mesh, form, pose }) => {
  expect(form.kind).toBe('halfSpace');
  const up = rotateVector(pose.orientation, [0, 0, 1]);
  let inPlane = 0;
  for (let i = 0; i < 8; i++) {
    const height = dot(up, sub(vertexAt(mesh, i) as Vec3, pose.position));
    if (Math.abs(height) < 1e-12) inPlane++;
    else expect(height).toBeLessThan(-0.01);
  }
  expect(inPlane).toBe(4);
});
