import { describe, expect, test } from 'vitest';
import { at, HERE, L_OUTLINE, type Placement } from '../../../tests/fixtures/overlap.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { involuteGear } from '../../assets/machine-elements/gear.js';
import { extrude } from '../../geometry/extrude.js';
import type { Profile } from '../../geometry/profile.js';
import { fromAxisAngle, multiply } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { cross, sub } from '../../math/vec3.js';
import { MeshRoute, type OverlapRouteOptions } from '../mesh-overlap/mesh-route.js';
import { prepareMesh } from '../mesh-overlap/mesh-topology.js';
import { OverlapBody } from '../mesh-overlap/overlap-body.js';
import { ExtrusionRoute } from './extrusion-route.js';
import { LoopBody, prepareLoops } from './loop-body.js';

const square = (half: number): [number, number][] => [
  [-half, -half],
  [half, -half],
  [half, half],
  [-half, half],
];
const figures: Profile[] = [
  { outer: L_OUTLINE.map(([x, y]) => [x, y] as const), holes: [] },
  involuteGear({ teeth: 14, module: 0.1, points: 4, bore: 0.2 }),
  { outer: square(0.5), holes: [square(0.3).toReversed()] },
];
interface Routed {
  readonly plane: OnRoute;
  readonly space: OnRoute;
}
function routed(a: Profile, b: Profile, heights: [number, number], options?: OverlapRouteOptions): Routed {
  const body = (profile: Profile, height: number) => new OverlapBody(prepareMesh(extrude(profile, height).mesh));
  const space = new MeshRoute(body(a, heights[0]), body(b, heights[1]), 0, 1, options);
  const loops = (profile: Profile, height: number) => new LoopBody(prepareLoops(profile, 0, height));
  return {
    plane: new OnRoute(new ExtrusionRoute(loops(a, heights[0]), loops(b, heights[1]), space, options)),
    space: new OnRoute(space),
  };
}
/** Poses in the plane, B half turned over now and then. */
function* planePoses(count: number, seed: string): Generator<[Profile, Profile, Placement]> {
  const draw = random(seed);
  for (let k = 0; k < count; k++) {
    const [x, y] = draw.inSphere();
    const flip = draw.integer(2) === 1;
    const spin = fromAxisAngle([0, 0, 1], draw.uniformBetween(0, 6.28));
    yield [
      figures[draw.integer(3)],
      figures[draw.integer(3)],
      {
        position: [1.3 * x, 1.3 * y, flip ? 0.8 : -0.1],
        orientation: flip ? multiply(spin, fromAxisAngle([1, 0, 0], Math.PI)) : spin,
      },
    ];
  }
}
const IN_PLANE = [0, 1, 5];

describe('gradients in the plane', () => {
  test.each(['volume', 'extent'] as const)('are those of find itself, depth by %s', (depth) => {
    let compared = 0;
    let kinks = 0;
    let worst = 0;
    for (const [a, b, q] of planePoses(60, `plane gradient ${depth}`)) {
      const { plane } = routed(a, b, [0.5, 0.9], { depth });
      const { count, volume, flags, gradient, vectorArea, moment } = plane.find(HERE, q);
      for (let row = 0; row < Math.min(count, 2); row++) {
        for (let c = 0; c < 3; c++) {
          expect(gradient[54 * row + c]).toBe(0 - vectorArea[3 * row + c]);
          expect(gradient[54 * row + 3 + c]).toBe(0 - moment[3 * row + c]);
        }
        if (volume[row] < 1e-4 || flags[row] !== 0) continue;
        const difference = gradientDifference(plane, HERE, q, row, { columns: IN_PLANE });
        if (!difference) continue;
        compared += 27 - difference.kinks;
        kinks += difference.kinks;
        worst = Math.max(worst, difference.error);
      }
    }
    expect(compared).toBeGreaterThan(1000);
    expect(kinks).toBeLessThan(0.1 * compared);
    expect(worst).toBeLessThan(1e-6);
  });

  // B is taller, so that A's caps lie in it on both ends and their parts of S cancel: both routes know the same walls.
  test('agree with those of the general overlap of meshes', () => {
    let compared = 0;
    for (const [a, b, q] of planePoses(60, 'plane and space')) {
      const { plane, space } = routed(a, b, [0.5, 0.9]);
      const p = plane.find(HERE, q);
      const s = space.find(HERE, q);
      expect(s.count).toBe(p.count);
      for (let row = 0; row < p.count; row++) {
        if (p.volume[row] < 1e-3 || p.flags[row] !== 0) continue;
        const gap = (n: number) =>
          [0, 1].reduce((sum, c) => sum + Math.abs(p.centroid[3 * row + c] - s.centroid[3 * n + c]), 0);
        const other = [...Array(s.count).keys()].reduce((best, n) => (gap(n) < gap(best) ? n : best));
        for (let r = 0; r < 9; r++) {
          if (r === 8) continue; // heights: caps move with B there
          const scale = 1 + Math.max(...IN_PLANE.map((c) => Math.abs(p.gradient[54 * row + 6 * r + c])));
          for (const c of IN_PLANE)
            expect(
              Math.abs(p.gradient[54 * row + 6 * r + c] - s.gradient[54 * other + 6 * r + c]) / scale,
            ).toBeLessThan(1e-10);
        }
        expect(Math.abs(p.depth[row] - s.depth[other])).toBeLessThan(1e-12);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('the middle of the common height follows B where B ends it', () => {
    const { plane } = routed(figures[0], figures[0], [1, 1]);
    const middle = (z: number) => plane.find(HERE, at(0.2, 0.1, z)).gradient[36 + 6 * 2 + 2];
    expect(middle(0.3)).toBe(0.5);
    expect(middle(-0.3)).toBe(0.5);
    expect(middle(0)).toBe(0.5);
    const taller = routed(figures[0], figures[0], [1, 3]).plane;
    expect(taller.find(HERE, at(0.2, 0.1, -1)).gradient[36 + 6 * 2 + 2]).toBe(0);
    const shorter = routed(figures[0], figures[0], [3, 1]).plane;
    expect(shorter.find(HERE, at(0.2, 0.1, 1)).gradient[36 + 6 * 2 + 2]).toBe(1);
  });
});

test('tilted axes are left to the meshes, the distance as well', () => {
  const { plane, space } = routed(figures[0], figures[0], [0.5, 0.5]);
  const q: Placement = { position: [0.3, 0.2, 0.1], orientation: fromAxisAngle([1, 0, 0], 1e-6) };
  expect(JSON.stringify(plane.find(HERE, q))).toBe(JSON.stringify(space.find(HERE, q)));
  expect(plane.separate(HERE, at(2.5, 0, 0)).distance).toBeCloseTo(1.5, 14);
  expect(plane.separate(HERE, q).distance).toBe(0);
});

// The meshes of the two extrusions are the same solids, and their distance is computed from triangles.
test('the distance in the plane is that of the meshes', () => {
  const draw = random('plane distance');
  let apart = 0;
  let within = 0;
  for (const [a, b, q] of planePoses(120, 'distance')) {
    const { plane, space } = routed(a, b, [0.5, 0.9]);
    // farther out, and above or below now and then
    const far = draw.uniformBetween(0.5, 3);
    const [x, y, z] = q.position;
    const placed: Placement = { ...q, position: [far * x, far * y, z + draw.uniformBetween(-1.5, 1.5)] };
    const p = { ...plane.separate(HERE, placed) };
    const s = space.separate(HERE, placed);
    expect(Math.abs(p.distance - s.distance)).toBeLessThan(1e-12);
    if (p.distance > 0) {
      apart++;
      // nearest points may be others, of edges that are parallel; their line is as long and, in the plane, as directed
      const gap = sub([...p.pointB] as never, [...p.pointA] as never);
      for (let k = 0; k < 3; k++) expect(gap[k]).toBeCloseTo(p.distance * p.direction[k], 12);
    } else within++;
  }
  expect(apart).toBeGreaterThan(40);
  expect(within).toBeGreaterThan(20);
});

test('one within the other is at distance 0, one in a hole is not', () => {
  const frame: Profile = { outer: square(0.5), holes: [square(0.3).toReversed()] };
  const post: Profile = { outer: square(0.05), holes: [] };
  expect(routed(frame, post, [1, 1]).plane.separate(HERE, at(0.1, 0, 0)).distance).toBeCloseTo(0.15, 14);
  expect(routed(frame, post, [1, 1]).plane.separate(HERE, at(0.4, 0, 0)).distance).toBe(0);
  expect(routed(post, frame, [1, 1]).plane.separate(HERE, at(0.4, 0, 0)).distance).toBe(0);
  // over it: as far as the heights are apart
  const above = routed(frame, post, [1, 1]).plane.separate(HERE, at(0.4, 0, 1.25));
  expect(above.distance).toBeCloseTo(0.25, 14);
  expect([...above.direction]).toEqual([0, 0, 1]);
});

test('edges are named as given, also with the axis turned over', () => {
  // an L and a block that touches only edge 2, from (1, 0.35) to (0.4, 0.35)
  const post: Profile = { outer: square(0.05), holes: [] };
  const { plane } = routed(figures[0], post, [1, 1]);
  const over = fromAxisAngle([1, 0, 0], Math.PI);
  expect(plane.find(HERE, at(0.7, 0.39, 0)).feature[0]).toBe(2);
  expect(plane.find(HERE, { position: [0.7, 0.39, 1], orientation: over }).feature[0]).toBe(2);
  // the other way round: the L is B, turned over about x, its edge 2 then facing −y
  const swapped = routed(post, figures[0], [1, 1]).plane;
  expect(swapped.find(at(0.7, -0.39, 0), { position: [0, 0, 1], orientation: over }).feature[1]).toBe(2);
});

test('walls to draw have the area and the vector area of the patch', () => {
  for (const [a, b, q] of planePoses(40, 'walls')) {
    const { plane } = routed(a, b, [0.5, 0.9]);
    const patches = plane.find(HERE, q);
    for (let row = 0; row < patches.count; row++) {
      const sum = [0, 0, 0];
      let area = 0;
      for (const { loops } of (plane.route as ExtrusionRoute).polygons(row, 'A'))
        for (const loop of loops) {
          const n = cross(sub(loop[1], loop[0]), sub(loop[3], loop[0]));
          for (let k = 0; k < 3; k++) sum[k] += n[k];
          area += Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
        }
      expect(Math.abs(area - patches.area[row])).toBeLessThan(1e-13);
      if (patches.flags[row] === 0)
        for (let k = 0; k < 3; k++) expect(Math.abs(sum[k] - patches.vectorArea[3 * row + k])).toBeLessThan(1e-13);
    }
  }
});

// Squares shifted along x with flush sides: S = (1, ±0.1) as the shift decides, (1, 0) on average.
test('symmetricFlush', () => {
  const one: Profile = { outer: square(0.5), holes: [] };
  const plain = routed(one, one, [1, 1]).plane.find(HERE, at(0.9, 0, 0));
  expect(Math.abs(plain.vectorArea[1])).toBeCloseTo(0.1, 14);
  const mean = routed(one, one, [1, 1], { symmetricFlush: true }).plane.find(HERE, at(0.9, 0, 0));
  expect(mean.vectorArea[0]).toBeCloseTo(1, 14);
  expect(mean.vectorArea[1]).toBeCloseTo(0, 14);
  expect(mean.depth[0]).toBeCloseTo(0.2, 14);
});

test('what a route knows of its outlines: one region of two convex ones, and who rolls', () => {
  const disc: Profile = { outer: [[1, 0, 1], [-1, 0, 1]], holes: [] }; // biome-ignore format: one line
  const block: Profile = { outer: square(2), holes: [] };
  const bar: Profile = { outer: [[-1, -1], [1, -1, 1], [1, 1], [-1, 1, 1]], holes: [] }; // biome-ignore format: one line
  const bitten: Profile = { outer: [[-1, -1], [1, -1, -0.3], [1, 1], [-1, 1]], holes: [] }; // biome-ignore format: one line
  const ring: Profile = { outer: [[2, 0, 1], [-2, 0, 1]], holes: [[[1, 0, -1], [-1, 0, -1]]] }; // biome-ignore format: one line
  const facts = (a: Profile, b: Profile) => {
    const { mostRegions, roller } = routed(a, b, [1, 1]).plane.route;
    return [mostRegions, roller];
  };
  expect(facts(block, disc)).toEqual([1, 1]);
  expect(facts(disc, block)).toEqual([1, 0]);
  expect(facts(block, bar)).toEqual([1, undefined]);
  expect(facts(block, bitten)).toEqual([Infinity, undefined]);
  expect(facts(ring, block)).toEqual([Infinity, 0]);
  expect(facts(figures[0], block)).toEqual([Infinity, undefined]);
});

test('one body for both shapes is refused', () => {
  const body = new LoopBody(prepareLoops(figures[0], 0, 1));
  const { space } = routed(figures[0], figures[0], [1, 1]);
  expect(() => new ExtrusionRoute(body, body, space.route as MeshRoute)).toThrow(/a LoopBody for each shape/);
});
