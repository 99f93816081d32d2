// Discs with holes: rows against meshes of more and more chords, gradients against differences, and what is in a hole against the mesh.
import { describe, expect, test } from 'vitest';
import { frame } from '../../../tests/fixtures/closed-form.js';
import { gradientDifference, measures, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import {
  box,
  circle,
  cylinder,
  extrude,
  halfSpace,
  type Outline,
  type Profile,
  type Solid,
  sphere,
  tube,
} from '../../geometry/index.js';
import { fromAxisAngle } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { halfSpaceRoute } from '../half-space-overlap/index.js';
import { ALL_ROUTES } from '../routing/routes.js';
import { Routing } from '../routing/routing.js';

const R = 0.5;
const H = 0.3;
const clockwise = (outline: Outline): Outline =>
  outline.map(([x, y, b = 0]): [number, number, number] => [x, 0 - y, 0 - b]);
const window: Outline = [[0.05, -0.1], [0.05, 0.1], [0.25, 0.2], [0.3, -0.15]]; // biome-ignore format: one line
const figure: Profile = { outer: circle(R, [0.1, 0.2]), holes: [clockwise(circle(0.12, [-0.15, -0.2])), window] };
const wheel = (segments = 64): Solid => extrude(figure, H, { segments });
const GROUND = frame([0, 0, 0]);

const routed = (a: Solid, b: Solid) =>
  new Routing(
    [a, b].map((solid, i) => ({ name: `${i}`, solid })),
    ALL_ROUTES,
  ).route(0, 1, {
    search: 'automatic',
    depth: 'volume',
  });

describe('on a half-space', () => {
  // A circle of n chords misses 4.9 r/n²; sizes are near 1.
  test.each([
    ['flat', 0, 0.03],
    ['nearly flat', 0.03, 0.02],
    ['on its rim', 0.7, 0.25],
    ['upright, a hole reached', Math.PI / 2, 0.5],
    ['head down', 2.6, 0.2],
  ])('%s: meshes approach it in second order', (_, angle, depth) => {
    const orientation = fromAxisAngle([0.6, 0.8, 0], angle);
    const on = new OnRoute(routed(halfSpace(), wheel()));
    expect(on.route.name).toBe('half-space–disc');
    const free = on.separate(GROUND, frame([0, 0, 3], orientation)).distance;
    const placement = frame([0, 0, 3 - free - depth], orientation);
    const found = on.find(GROUND, placement, false);
    expect(found.count).toBe(1);
    const KEYS = ['volume', 'depth', 'area', 'centroid', 'moment', 'patchCentroid', 'secondMoments', 'extent'] as const;
    for (const segments of [64, 256, 1024]) {
      const other = new OnRoute(halfSpaceRoute(halfSpace(), wheel(segments), 0, 1)!).find(GROUND, placement, false);
      if (other.count > 1) continue; // legs left and right of a hole, each a region to the mesh
      for (const key of KEYS)
        for (let i = 0; i < found[key].length / found.capacity; i++)
          expect(Math.abs(found[key][i] - other[key][i])).toBeLessThan(8 / segments ** 2);
    }
  });

  test('gradients are the differences of the rows', () => {
    const draw = random('disc gradients');
    const on = new OnRoute(routed(halfSpace(), wheel()));
    let worst = 0;
    let compared = 0;
    for (let k = 0; k < 80; k++) {
      const ground = { position: draw.inSphere(), orientation: draw.rotation() };
      const position = ground.position.map((x) => x + 0.4 * draw.uniformBetween(-1, 1)) as unknown as Vec3;
      const q = { position, orientation: draw.rotation() };
      if (on.find(ground, q).count === 0 || !(on.patches.volume[0] > 1e-3)) continue;
      const difference = gradientDifference(on, ground, q, 0, { step: 1e-5 });
      if (!difference) continue;
      worst = Math.max(worst, difference.error);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
    expect(worst).toBeLessThan(1e-6);
  });
});

describe('on what a cylinder touches without facets', () => {
  const ring = tube({ outerRadius: R, innerRadius: 0.4, height: H });
  const solid = extrude(circle(R), H);
  const bar = cylinder({ radius: R, height: H });
  // the tube is drawn from its bottom
  const upright = fromAxisAngle([1, 0, 0], Math.PI / 2);
  const rows = (b: Solid, at: Vec3, gradients = true): number[] => {
    const found = new OnRoute(routed(box([4, 4, 1]), b)).find(frame([0, 0, -0.5]), frame(at, upright), gradients);
    expect(found.count).toBe(1);
    return [...measures(found, 0), ...found.gradient.slice(0, 54)];
  };

  test('a wheel on a box is a cylinder, with a hole or without', () => {
    const z = R - 0.001;
    const expected = rows(bar, [0.1, 0, z]);
    for (const disc of [solid, ring])
      for (const [i, x] of rows(disc, [0.1, H / 2, z]).entries())
        expect(Math.abs(x - expected[i])).toBeLessThan(1e-9 * (1 + Math.abs(expected[i])));
  });

  test('a peg in the hole meets the mesh', () => {
    const peg = cylinder({ radius: 0.1, height: 2 });
    const on = new OnRoute(routed(peg, ring));
    const free = on.separate(frame([0, 0, 0]), frame([0.2, 0, -H / 2]));
    expect(on.find(frame([0, 0, 0]), frame([0.2, 0, -H / 2])).count).toBe(0);
    expect(free.distance).toBeGreaterThan(0.09); // 0.4 − 0.2 − 0.1, less the chord
    const touching = on.find(frame([0, 0, 0]), frame([0.301, 0, -H / 2]));
    expect(touching.count).toBe(1);
    const normal = on.route.a === 0 ? touching.normal[0] : 0 - touching.normal[0];
    expect(normal).toBeCloseTo(-1, 3); // the far side of the hole is at −0.099, the peg's at −0.1
  });

  test('a ball on a disc without holes is in closed form, on a ring by the mesh', () => {
    expect(routed(sphere(0.1), solid).name).toBe('sphere–cylinder');
    expect(routed(sphere(0.1), ring).name).not.toBe('sphere–cylinder');
  });
});
