import { describe, expect, test } from 'vitest';
import { type Frame, frame } from '../../../tests/fixtures/closed-form.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { box, capsule, convexHull, cylinder, type Solid, sphere } from '../../geometry/index.js';
import { ORIGIN } from '../../geometry/solid.js';
import { fromAxisAngle, multiply } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { scale, type Vec3 } from '../../math/vec3.js';
import { closedFormRoute } from '../closed-form/index.js';
import { cylinderPolyhedronRoute } from '../cylinder-polyhedron/index.js';
import { capsuleRoute } from './capsule-route.js';

const R = 0.2;
const H = 0.7;
const bar = capsule({ radius: R, height: H });
const block = box([1, 0.8, 0.6]);
const draw = random('a stone for capsules');
const stone: Solid = {
  mesh: convexHull(Array.from({ length: 16 }, () => scale(0.5, draw.unitVector()))),
  form: { kind: 'mesh' },
  pose: ORIGIN,
};
const HERE = frame([0, 0, 0]);
const lying = fromAxisAngle([0, 1, 0], Math.PI / 2);

describe.each([
  ['box', block],
  ['stone', stone],
  ['cylinder', cylinder({ radius: 0.5, height: 0.6 })],
] as const)('a capsule on a %s', (_, solid) => {
  const route = new OnRoute(capsuleRoute(solid, bar, 0, 1)!);

  /** A capsule that dips in by a little, from any side */
  function* dips(seed: string, count: number): Generator<Frame> {
    const next = random(seed);
    for (let k = 0; k < count; k++) {
      const way = next.unitVector();
      const orientation = next.rotation();
      let [near, far] = [0, 2];
      for (let i = 0; i < 50; i++) {
        const middle = 0.5 * (near + far);
        if (route.separate(HERE, frame(scale(middle, way), orientation)).distance > 0) far = middle;
        else near = middle;
      }
      yield frame(scale(far - 0.02, way), orientation);
    }
  }

  test('it touches where the distance ends, and not before', () => {
    for (const pose of dips('where', 50)) {
      const way = scale(1 / Math.hypot(...pose.position), pose.position as Vec3);
      const out = scale(Math.hypot(...pose.position) + 0.02 + 1e-9, way);
      expect(route.find(HERE, frame(out, pose.orientation), false).count).toBe(0);
      expect(route.find(HERE, pose, false).count).toBeGreaterThan(0);
    }
  });

  test('rows of the gradient are derivatives, whichever part of it touches', () => {
    const errors: number[] = [];
    for (const pose of dips('gradients', 60)) {
      const { count } = route.find(HERE, pose);
      for (let row = 0; row < count; row++) {
        if (route.find(HERE, pose).volume[row] < 1e-5) continue;
        const found = gradientDifference(route, HERE, pose, row, { step: 1e-5 });
        if (found && found.kinks === 0) errors.push(found.error);
      }
    }
    errors.sort((a, b) => a - b);
    expect(errors.length).toBeGreaterThan(30);
    // differences of step 1e-5, extrapolated, of rows that are small themselves
    expect(errors[Math.floor(0.8 * errors.length)]).toBeLessThan(1e-6);
    expect(errors[errors.length - 1]).toBeLessThan(1e-3);
  });

  test('normals point out of the solid', () => {
    for (const pose of dips('normals', 30)) {
      const p = route.find(HERE, pose, false);
      for (let row = 0; row < p.count; row++)
        expect(
          p.normal[3 * row] * pose.position[0] +
            p.normal[3 * row + 1] * pose.position[1] +
            p.normal[3 * row + 2] * pose.position[2],
        ).toBeGreaterThan(0);
    }
  });
});

test('its parts are a cylinder and two balls, and lying flat they press evenly', () => {
  const route = new OnRoute(capsuleRoute(block, bar, 0, 1)!);
  const side = new OnRoute(cylinderPolyhedronRoute(block, cylinder({ radius: R, height: H }), 0, 1)!);
  const ball = new OnRoute(closedFormRoute({ solid: sphere(R) }, { solid: block }, 1, 0)!);
  const pose = frame([0.05, 0, 0.3 + R - 1e-3], lying);
  const p = route.find(HERE, pose);
  expect(p.count).toBe(3);
  const q = side.find(HERE, pose);
  expect(p.volume[0]).toBe(q.volume[0]);
  const end = ball.find(HERE, frame([0.05 + H / 2, 0, 0.3 + R - 1e-3]));
  expect(p.volume[1]).toBeCloseTo(end.volume[0], 15);
  expect(p.volume[1]).toBeCloseTo(p.volume[2], 15);
  expect(p.normal[3 + 2]).toBeCloseTo(1, 15);
  expect(end.normal[2]).toBeCloseTo(-1, 15);
});

test('rolled about its axis it has the same regions; the order of the pair does not matter', () => {
  const route = new OnRoute(capsuleRoute(bar, block, 1, 0)!);
  expect([route.route.a, route.route.b, route.route.roller]).toEqual([0, 1, 1]);
  const first = [...route.find(HERE, frame([0, 0, 0.3 + R - 1e-3], lying), false).volume.slice(0, 3)];
  const rolled = multiply(lying, fromAxisAngle([0, 0, 1], 0.3));
  const then = route.find(HERE, frame([0, 0, 0.3 + R - 1e-3], rolled), false);
  for (let k = 0; k < 3; k++) expect(Math.abs(then.volume[k] / first[k] - 1)).toBeLessThan(1e-10);
});
