import { expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { fromAxisAngle, multiply, rotate } from '../math/quaternion.js';
import { random } from '../math/random.js';
import { addScaled, distance, type Vec3 } from '../math/vec3.js';
import { BroadPhase } from './broad-phase.js';
import { solidBounds } from './shape-bounds.js';
import { sweepBoxes } from './swept-boxes.js';

test('a body that moves and turns stays in its swept box', () => {
  const draw = random('sweep');
  const solid = box([1, 0.3, 2]);
  const { vertices } = solid.mesh;
  let outside = -Infinity;
  for (let run = 0; run < 200; run++) {
    const start: Vec3 = [draw.normal(), draw.normal(), draw.normal()];
    const orientation = draw.rotation();
    const way: Vec3 = [3 * draw.normal(), draw.normal(), run % 4 === 0 ? 0 : draw.normal()];
    const axis = draw.unitVector();
    const angle = 3 * draw.uniform();
    // It turns about a point of itself that moves straight
    const pivot: Vec3 = [0.2, 0.1, -0.5];
    let radius = 0;
    for (let i = 0; i < vertices.length; i += 3)
      radius = Math.max(radius, distance([vertices[i], vertices[i + 1], vertices[i + 2]], pivot));
    const { min, max } = solidBounds(solid, { position: start, orientation });
    const swept = new Float64Array(6);
    const stray = Float64Array.of(2 * radius * Math.sin(Math.min(angle, Math.PI) / 2));
    sweepBoxes(Float64Array.of(...min, ...max), Float64Array.from(way), stray, swept);
    for (let step = 0; step <= 20; step++) {
      const turned = multiply(fromAxisAngle(axis, (angle * step) / 20), orientation);
      const at = addScaled(addScaled(start, step / 20, way), 1, rotate(orientation, pivot));
      for (let i = 0; i < vertices.length; i += 3) {
        const arm: Vec3 = [vertices[i] - pivot[0], vertices[i + 1] - pivot[1], vertices[i + 2] - pivot[2]];
        const v = addScaled(at, 1, rotate(turned, arm));
        for (let k = 0; k < 3; k++) outside = Math.max(outside, swept[k] - v[k], v[k] - swept[3 + k]);
      }
    }
  }
  // the sum of positions and arms is rounded a few times
  expect(outside).toBeLessThan(1e-14);
});

test('a bullet that would jump over a plate in one step becomes a candidate', () => {
  // 1 mm plate, 5 mm ball at 1000 m/s, step 1 ms: 1 m of way
  const boxes = Float64Array.of(-1, -1, -5e-4, 1, 1, 5e-4, -5e-3, -5e-3, 0.5, 5e-3, 5e-3, 0.51);
  const phase = new BroadPhase({ rules: { body: [-1, 0] } });
  expect(phase.update(boxes).count).toBe(0);
  sweepBoxes(boxes, Float64Array.of(0, 0, 0, 0, 0, -1), Float64Array.of(0, 0), boxes);
  expect(phase.update(boxes).count).toBe(1);
});
