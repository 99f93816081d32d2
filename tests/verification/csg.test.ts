// What must hold for any solids, whatever the library inside does:
//   V(A ∪ B) = V(A) + V(B) − V(A ∩ B),   V(A \ B) = V(A) − V(A ∩ B),   all results closed and oriented,
// and what is known in closed form: the lens of two balls, the Steinmetz solid of two cylinders.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intersect, subtract, union } from '../../src/geometry/csg/index.js';
import { box, capsule, cone, cylinder, sphere, torus } from '../../src/geometry/primitives.js';
import type { Solid } from '../../src/geometry/solid.js';
import { openEdges } from '../../src/geometry/topology.js';
import { rotate, translate } from '../../src/geometry/transform.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';

/** m³, by tetrahedra from the first vertex; written again here so that nothing judges itself. */
function volume({ mesh: { vertices: v, triangles: t } }: { mesh: TriangleMesh }): number {
  let six = 0;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
    const [ax, ay, az] = [v[a] - v[0], v[a + 1] - v[1], v[a + 2] - v[2]];
    const [bx, by, bz] = [v[b] - v[0], v[b + 1] - v[1], v[b + 2] - v[2]];
    const [cx, cy, cz] = [v[c] - v[0], v[c + 1] - v[1], v[c + 2] - v[2]];
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

function expectClosed(...solids: readonly Solid[]): void {
  for (const { mesh } of solids) expect(openEdges(mesh, 1)).toEqual([]);
}

const length = fc.double({ min: 0.1, max: 1, noNaN: true });
const coordinate = fc.double({ min: -0.6, max: 0.6, noNaN: true });
const segments = fc.integer({ min: 3, max: 40 });
const shape: fc.Arbitrary<Solid> = fc.oneof(
  fc.tuple(length, length, length).map((size) => box(size)),
  fc.record({ radius: length, height: length, segments }).map(cylinder),
  fc.record({ radius: length, height: length, segments }).map(cone),
  fc.record({ radius: fc.double({ min: 0.05, max: 0.4, noNaN: true }), height: length }).map(capsule),
  fc.tuple(length, fc.integer({ min: 1, max: 8 })).map(([radius, subdivision]) => sphere(radius, { subdivision })),
  fc.record({ majorRadius: fc.constant(0.6), minorRadius: fc.double({ min: 0.05, max: 0.4, noNaN: true }) }).map(torus),
);
/** Anyhow in space, or upright: then faces are often parallel. */
const placed: fc.Arbitrary<Solid> = fc
  .record({
    shape,
    axis: fc.tuple(coordinate, coordinate, length),
    angle: fc.double({ min: 0, max: 6, noNaN: true }),
    upright: fc.boolean(),
    at: fc.tuple(coordinate, coordinate, coordinate),
  })
  .map(({ shape, axis, angle, upright, at }) => translate(at, upright ? shape : rotate({ axis, angle }, shape)));
/** Boxes with corners on a coarse grid: shared faces, edges and corners everywhere. */
const gridBox: fc.Arbitrary<Solid> = fc
  .tuple(...[0, 1, 2].map(() => fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 }))))
  .map((axes) =>
    translate(
      axes.map(([at, size]) => at + size / 2) as [number, number, number],
      box(axes.map(([, size]) => size) as [number, number, number]),
    ),
  );

describe('volumes add up', () => {
  // Each volume is a sum over up to 2000 triangles, with an error of 1e-15 of it or so; we saw 4e-15.
  test('two random solids, to 1e-13', () => {
    fc.assert(
      fc.property(placed, placed, (a, b) => {
        const [both, either, rest] = [intersect(a, b), union(a, b), subtract(a, b)];
        expectClosed(both, either, rest);
        expect(Math.abs(volume(either) + volume(both) - volume(a) - volume(b))).toBeLessThan(1e-13 * volume(either));
        expect(Math.abs(volume(rest) + volume(both) - volume(a))).toBeLessThan(1e-13 * volume(either));
      }),
      { seed: 20150914, numRuns: 60 },
    );
  });

  test('boxes with faces, edges and corners in common: exact', () => {
    fc.assert(
      fc.property(gridBox, gridBox, gridBox, (a, b, c) => {
        const results = [
          union(a, b, c),
          intersect(a, b, c),
          subtract(a, b, c),
          intersect(a, b),
          intersect(b, c),
          intersect(a, c),
        ];
        expectClosed(...results);
        const [all, common, rest, ab, bc, ac] = results.map(volume);
        // whole numbers, sixths of which are summed: inclusion and exclusion
        expect(all).toBeCloseTo(volume(a) + volume(b) + volume(c) - ab - bc - ac + common, 11);
        expect(rest).toBeCloseTo(volume(a) - ab - ac + common, 11);
        expect(all).toBeCloseTo(Math.round(all), 11);
      }),
      { seed: 20150914, numRuns: 100 },
    );
  });

  test('many at once equals one after the other', () => {
    fc.assert(
      fc.property(fc.array(placed, { minLength: 3, maxLength: 6 }), (solids) => {
        const [first, ...others] = solids;
        const step = (operate: typeof union) => others.reduce((result, solid) => operate(result, solid), first);
        for (const operate of [union, subtract, intersect] as const) {
          const [atOnce, stepwise] = [operate(first, ...others), step(operate)];
          expectClosed(atOnce, stepwise);
          expect(Math.abs(volume(atOnce) - volume(stepwise))).toBeLessThan(
            1e-13 * solids.reduce((sum, solid) => sum + volume(solid), 0),
          );
        }
      }),
      { seed: 20150914, numRuns: 8 },
    );
  });

  test('a result is as good an operand as any: A \\ (A \\ B) = A ∩ B', () => {
    fc.assert(
      fc.property(placed, placed, (a, b) => {
        const again = subtract(a, subtract(a, b));
        expectClosed(again);
        // The surfaces of A and of A \ B coincide where B is not, but for the rounding of its cut triangles.
        expect(Math.abs(volume(again) - volume(intersect(a, b)))).toBeLessThan(1e-11 * (volume(a) + volume(b)));
      }),
      { seed: 20150914, numRuns: 25 },
    );
  });
});

describe('closed forms', () => {
  // Two balls of radius R, centres d apart: V = π (4R + d)(2R − d)² / 12
  test('lens of two balls, second order in the edge length', () => {
    const R = 1;
    const d = 0.8;
    const exact = (Math.PI * (4 * R + d) * (2 * R - d) ** 2) / 12;
    const errors = [8, 16, 32].map((subdivision) => {
      const ball = sphere(R, { subdivision });
      return 1 - volume(intersect(ball, translate([d, 0.01, 0.02], ball))) / exact;
    });
    // The meshes are inscribed, so too small; half the edge, a quarter of the error. The centres are a little further
    // apart than d, by 3.1e-4 (√(0.8² + 0.01² + 0.02²)), which is 2e-4 of the volume.
    const apart = Math.hypot(d, 0.01, 0.02);
    const moved = 1 - (Math.PI * (4 * R + apart) * (2 * R - apart) ** 2) / 12 / exact;
    expect((errors[0] - moved) / (errors[1] - moved)).toBeGreaterThan(3.8);
    expect((errors[1] - moved) / (errors[2] - moved)).toBeGreaterThan(3.8);
    expect((errors[1] - moved) / (errors[2] - moved)).toBeLessThan(4.2);
    expect(errors[2]).toBeLessThan(4e-3);
  });

  // Two cylinders of radius R crossing at right angles: V = 16 R³ / 3 (Archimedes).
  test('Steinmetz solid', () => {
    const errors = [32, 64, 128].map((n) => {
      const rod = cylinder({ radius: 1, height: 4, segments: n });
      const across = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, rod);
      const solid = intersect(rod, across);
      expectClosed(solid);
      return 1 - volume(solid) / (16 / 3);
    });
    expect(errors[0] / errors[1]).toBeGreaterThan(3.9);
    expect(errors[1] / errors[2]).toBeGreaterThan(3.9);
    expect(errors[1] / errors[2]).toBeLessThan(4.1);
    expect(errors[2]).toBeLessThan(1e-3);
  });
});
