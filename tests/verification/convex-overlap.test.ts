// The overlap of convex solids by clipping against independent computations: constructive solid geometry in double precision and the
// signed-crossing integral of meshes; adversarial poses; and the continuity that the exact volume has.
// TIPPETOP_SWEEP=1 runs ten times as many random poses.
import { describe, expect, test } from 'vitest';
import {
  box,
  capsule,
  cone,
  convexHull,
  cylinder,
  extrude,
  type Solid,
  type TriangleMesh,
} from '../../src/geometry/index.js';
import { fromAxisAngle, multiply, type Quaternion } from '../../src/math/quaternion.js';
import { random } from '../../src/math/random.js';
import type { Vec3 } from '../../src/math/vec3.js';
import { convexRoute } from '../../src/narrow-phase/convex-overlap/index.js';
import { MeshRoute, OverlapBody, prepareMesh } from '../../src/narrow-phase/mesh-overlap/index.js';
import { at, block, HERE, oracle, type Placement, unitCube } from '../fixtures/overlap.js';
import { OnRoute } from '../fixtures/route-gradient.js';

const SWEEP = process.env.TIPPETOP_SWEEP === '1';
const draw = random('convex solids');
const solidOf = (mesh: TriangleMesh): Solid => ({ ...box(1), mesh, form: { kind: 'mesh' } });
const hull = (n: number): Solid => solidOf(convexHull(Array.from({ length: n }, () => draw.unitVector())));
const SOLIDS: [string, Solid][] = [
  ['box', box([1, 0.8, 0.6])],
  ['cube', box(1)],
  ['slab', box([1.4, 1.2, 0.15])],
  ['needle', box([2, 0.02, 0.013])],
  ['cylinder', cylinder({ radius: 0.5, height: 1, segments: 24 })],
  ['cone', cone({ radius: 0.5, height: 1, segments: 16 })],
  ['capsule', capsule({ radius: 0.3, height: 0.6, segments: 12 })],
  ['tetrahedron', hull(4)],
  ['stone', hull(20)],
  ['round stone', hull(60)],
  [
    'prism',
    extrude(
      [
        [0, 0],
        [1, 0],
        [1, 0.5],
        [0.2, 0.9],
      ],
      0.7,
    ),
  ],
];
const clipped = (a: Solid, b: Solid) => new OnRoute(convexRoute(a, b, 0, 1)!);
const crossed = (a: Solid, b: Solid) =>
  new OnRoute(new MeshRoute(new OverlapBody(prepareMesh(a.mesh)), new OverlapBody(prepareMesh(b.mesh)), 0, 1));
const volumeOf = (pair: OnRoute, p: Placement, q: Placement): number => {
  const { count, volume } = pair.find(p, q, false);
  expect(count).toBeLessThanOrEqual(1);
  return count === 0 ? 0 : volume[0];
};

test('random poses: as constructive solid geometry finds', { timeout: 600_000 }, () => {
  let overlapping = 0;
  let worst = 0;
  for (const [, a] of SOLIDS)
    for (const [, b] of SOLIDS) {
      const pair = clipped(a, b);
      for (let k = 0; k < (SWEEP ? 100 : 10); k++) {
        const p = { position: HERE.position, orientation: draw.rotation() };
        const q = { position: draw.inSphere(), orientation: draw.rotation() };
        const volume = volumeOf(pair, p, q);
        const reference = oracle(a.mesh, p, b.mesh, q);
        const error = Math.abs(volume - (reference?.volume ?? 0));
        worst = Math.max(worst, error);
        expect(error).toBeLessThan(1e-12);
        if (!reference || volume < 1e-9) continue;
        overlapping++;
        const { centroid } = pair.patches;
        for (let i = 0; i < 3; i++) expect(Math.abs(centroid[i] - reference.centroid[i]) * volume).toBeLessThan(1e-13);
      }
    }
  expect(overlapping).toBeGreaterThan(500);
  expect(worst).toBeLessThan(2e-14); // measured 3e-15
});

test('random poses: every number as the overlap of meshes finds', () => {
  for (const [, a] of SOLIDS)
    for (const [, b] of SOLIDS) {
      const one = clipped(a, b);
      const other = crossed(a, b);
      for (let k = 0; k < 3; k++) {
        const p = { position: draw.inSphere(), orientation: draw.rotation() };
        const q = { position: draw.inSphere(), orientation: draw.rotation() };
        const found = one.find(p, q);
        const expected = other.find(p, q);
        if (Math.max(found.count && found.volume[0], expected.count && expected.volume[0]) < 1e-9) continue;
        expect([found.count, found.flags[0]]).toEqual([expected.count, expected.flags[0]]);
        const volume = expected.volume[0];
        expect(Math.abs(found.volume[0] - volume)).toBeLessThan(1e-13);
        expect(Math.abs(found.area[0] - expected.area[0])).toBeLessThan(1e-12);
        expect(Math.abs(found.extent[0] - expected.extent[0])).toBeLessThan(1e-9);
        expect(Math.abs(found.depth[0] - expected.depth[0])).toBeLessThan(1e-9);
        for (let i = 0; i < 3; i++) {
          expect(Math.abs(found.centroid[i] - expected.centroid[i]) * volume).toBeLessThan(1e-13);
          expect(Math.abs(found.patchCentroid[i] - expected.patchCentroid[i]) * found.area[0]).toBeLessThan(1e-12);
          expect(Math.abs(found.vectorArea[i] - expected.vectorArea[i])).toBeLessThan(1e-12);
          expect(Math.abs(found.moment[i] - expected.moment[i])).toBeLessThan(1e-12);
        }
        for (let i = 0; i < 6; i++)
          expect(Math.abs(found.secondMoments[i] - expected.secondMoments[i])).toBeLessThan(1e-12);
        if (volume < 1e-4 || found.flags[0]) continue;
        // derivatives divide by volume and sines, so they have fewer digits
        for (let i = 0; i < 54; i++) {
          const scale = 1 + Math.abs(expected.gradient[i]);
          expect(Math.abs(found.gradient[i] - expected.gradient[i])).toBeLessThan(1e-7 * scale);
        }
      }
    }
});

describe('adversarial poses', () => {
  const cube = solidOf(unitCube());
  const turn = (axis: Vec3, angle: number): Quaternion => fromAxisAngle(axis, angle);
  const sliver = solidOf(block([-1, -1e-6, -0.5], [1, 1e-6, 0.5]));
  const disc = cylinder({ radius: 0.5, height: 0.4, segments: 32 });
  const micro = box(1e-6);
  const tower = box(100);
  const cases: [string, Solid, Solid, Placement, number?][] = [
    ['flush sides', cube, cube, at(0.5, 0, 0)],
    ['all but one side flush', cube, solidOf(block([0, 0, 0], [1, 1, 0.5])), HERE],
    ['a corner shared, three sides flush', cube, solidOf(block([0, 0, 0], [0.5, 0.6, 0.7])), HERE],
    ['coplanar caps, turned', disc, disc, { position: [0.2, 0.1, 0], orientation: turn([0, 0, 1], 0.3) }],
    ['coplanar caps, face on face', disc, disc, at(0.2, 0.1, 0.4)],
    ['coplanar caps, 1e-12 deep', disc, disc, at(0.2, 0.1, 0.4 - 1e-12)],
    ['edge on edge, parallel', cube, cube, at(0, 0.9, 0.95)],
    ['edge across edge', cube, cube, { position: [1, 0.2, 0.9], orientation: turn([0, 0, 1], Math.PI / 4) }],
    [
      'edge on face',
      cube,
      cube,
      { position: [0.5, 0.2, 1 + Math.SQRT1_2 - 1e-9], orientation: turn([0, 1, 0], Math.PI / 4) },
    ],
    ['vertex on a face', cube, solidOf(block([0, 0, 0], [0.5, 0.5, 0.5])), at(0.25, 0.25, 1)],
    ['touching in a corner', cube, cube, at(1, 1, 1)],
    ['1e-12 in a corner', cube, cube, at(1 - 1e-12, 1 - 1e-12, 1 - 1e-12)],
    ['1e-12 deep', cube, cube, at(0.3, 0.2, 1 - 1e-12)],
    ['inside', solidOf(block([-2, -2, -2], [2, 2, 2])), cube, at(0.1, 0, 0)],
    ['inside, touching a wall', solidOf(block([-2, -2, -2], [2, 2, 2])), cube, at(1, 0, 0)],
    ['sliver through a cube', cube, sliver, { position: [0.5, 0.5, 0.5], orientation: turn([1, 1, 0], 0.4) }],
    ['sliver flush in a side', cube, sliver, at(0.5, 1e-6, 0.5)],
    ['sliver on sliver', sliver, sliver, { position: [0.1, 1e-6, 0.1], orientation: turn([0, 1, 0], 0.3) }],
    ['parts of 1 µm', micro, micro, { position: [0.6e-6, 0.2e-6, 0.1e-6], orientation: turn([1, 2, 3], 0.5) }, 1e-6],
    ['parts of 100 m', tower, tower, { position: [60, 20, 10], orientation: turn([1, 2, 3], 0.5) }, 100],
    ['1 µm on 100 m', tower, micro, { position: [10, 20, 50], orientation: turn([1, 2, 3], 0.5) }, 1],
  ];
  test.each(cases)('%s', (_, a, b, q, size = 1) => {
    // still, and with both turned so that nothing is round any more
    for (const turned of [HERE.orientation, turn([0.3, -0.2, 0.9], 0.77)]) {
      const move = ({ position, orientation }: Placement): Placement => ({
        position: rotated(turned, position),
        orientation: multiply(turned, orientation),
      });
      const [p, r] = [move(HERE), move(q)];
      const expected = oracle(a.mesh, p, b.mesh, r)?.volume ?? 0;
      expect(Math.abs(volumeOf(clipped(a, b), p, r) - expected)).toBeLessThan(1e-12 * size ** 3);
      expect(Math.abs(volumeOf(clipped(b, a), r, p) - expected)).toBeLessThan(1e-12 * size ** 3);
    }
  });

  // Each solid with itself, moved or turned by next to nothing: everything is flush to the last digits. What is left out of the volume is
  // what the surface sweeps, half of it at most on each side.
  test.each(SOLIDS)('%s with itself, moved by 0, 1e-16 … 1e-8', (_, solid) => {
    const pair = clipped(solid, solid);
    const whole = volumeOf(pair, HERE, HERE);
    expect(whole).toBeGreaterThan(0);
    for (const step of [0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8])
      for (let k = 0; k < 5; k++) {
        const axis = draw.unitVector();
        const moved = { position: axis.map((x) => step * x) as unknown as Vec3, orientation: HERE.orientation };
        const spun = { position: HERE.position, orientation: turn(axis, step) };
        for (const q of [moved, spun]) {
          const volume = volumeOf(pair, HERE, q);
          expect(volume).toBeLessThan(whole * (1 + 1e-13) + 1e-15);
          expect(volume).toBeGreaterThan(whole - 10 * step - 1e-14); // surfaces here are below 10 m²
        }
      }
  });
});

// Through a degenerate pose and beyond: V changes by |S| · step, as an integral must, and its derivative is −S on either side.
test('sweeps through degenerate poses are continuous', () => {
  const cube = solidOf(unitCube());
  const disc = cylinder({ radius: 0.5, height: 0.4, segments: 32 });
  const sweeps: [Solid, Solid, (s: number) => Placement][] = [
    [cube, cube, (s) => at(0.5, s, 0)], // flush sides
    [cube, cube, (s) => at(s, s, s)], // identical
    [cube, cube, (s) => at(0.2, 0.3, 1 + s)], // face on face
    [
      cube,
      cube,
      (s) => ({ position: [0.5, 0.2, 1 + Math.SQRT1_2 + s], orientation: fromAxisAngle([0, 1, 0], Math.PI / 4) }),
    ],
    [cube, cube, (s) => ({ position: [0, 0, 0.9], orientation: fromAxisAngle([0, 1, 0], s) })], // tilt through parallel
    [cube, cube, (s) => ({ position: [0.1, 0, 0.9], orientation: fromAxisAngle([1, 1, 1], s) })],
    [disc, disc, (s) => ({ position: [0.1, 0.2, s], orientation: fromAxisAngle([0, 0, 1], 0.2) })],
    [disc, disc, (s) => ({ position: [0.1, 0.2, 0.3], orientation: fromAxisAngle([1, 0, 0], s) })],
  ];
  for (const [a, b, place] of sweeps) {
    const pair = clipped(a, b);
    const middle = volumeOf(pair, HERE, place(0));
    for (const step of [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6])
      for (const s of [-step, step]) {
        const volume = volumeOf(pair, HERE, place(s));
        expect(Math.abs(volume - middle)).toBeLessThan(4 * step + 1e-15); // surfaces are below 4 m² here
        if (middle < 1e-3) continue;
        const { centroid } = pair.patches;
        const [x, y, z] = centroid;
        pair.find(HERE, place(0), false);
        const gap = Math.abs(centroid[0] - x) + Math.abs(centroid[1] - y) + Math.abs(centroid[2] - z);
        expect(gap).toBeLessThan(50 * step + 1e-13);
      }
  }
});

// A box that begins to overhang the edge of a table: 2V/|S| hardly notices (mesh by mesh the extent would double).
test('overhang: depth and normal are continuous', () => {
  const pair = clipped(box([2, 2, 1]), box(1));
  const depth = 0.01;
  const values = [-1e-9, 1e-9].map((s) => {
    const { depth: d, normal } = pair.find(HERE, at(0.5 + s, 0, 1 - depth), false);
    return { depth: d[0], tilt: normal[0] };
  });
  expect(Math.abs(values[1].depth / values[0].depth - 1)).toBeLessThan(1e-4);
  // the side of the table now under the box counts: the tilt is depth over length, the kink of the exact volume
  expect(Math.abs(values[1].tilt - values[0].tilt)).toBeLessThan(1.01 * depth);
});

function rotated(q: Quaternion, [x, y, z]: Vec3): Vec3 {
  const [w, a, b, c] = q;
  const [u, v, t] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [x + w * u + b * t - c * v, y + w * v + c * u - a * t, z + w * t + a * v - b * u];
}
