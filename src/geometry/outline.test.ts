import { describe, expect, test } from 'vitest';
import { random } from '../math/random.js';
import { edgePoint } from './arc.js';
import { circle as disc, slot as slotOf } from './circle-outline.js';
import { extrude } from './extrude.js';
import { meshMassProperties, solidMassProperties } from './mass-properties.js';
import { flattened, hasArcs, outlineBounds, pointsAround, reversed } from './outline.js';
import { perimeter, placeOf, planeMoments, signedArea } from './polygon.js';
import type { Outline, Profile } from './profile.js';
import { mirror, rotate, scale, translate } from './transform.js';

const QUARTER = Math.SQRT2 - 1; // tan(90°/4)
/** Two half circles about (2, 1). */
const circle: Outline = [
  [5, 1, 1],
  [-1, 1, 1],
];
/** 4 × 2, its ends half circles: 6 long in all. */
const slot: Outline = [
  [-2, -1],
  [2, -1, 1],
  [2, 1],
  [-2, 1, 1],
];
/** A square whose sides bulge in, out, in and out, one of them by more than half a circle. */
const blob: Outline = [
  [0, 0, -0.3],
  [2, 0, 0.2],
  [2, 2, -0.01],
  [0, 2, 1.5],
];

describe('arcs in outlines', () => {
  test('area, length and moments are those of the circle', () => {
    const { area, centroid, xx, yy, xy } = planeMoments(circle);
    expect(area).toBeCloseTo(9 * Math.PI, 13);
    expect(signedArea(circle)).toBeCloseTo(9 * Math.PI, 13);
    expect(signedArea(reversed(circle))).toBeCloseTo(-9 * Math.PI, 13);
    expect(perimeter(circle)).toBeCloseTo(6 * Math.PI, 13);
    expect(centroid[0]).toBeCloseTo(2, 14);
    expect(centroid[1]).toBeCloseTo(1, 14);
    for (const moment of [xx, yy]) expect(moment).toBeCloseTo((81 / 4) * Math.PI, 12);
    expect(xy).toBeCloseTo(0, 12);
  });

  // A rectangle 4 × 2 and a circle of radius 1 cut in two halves whose centroids lie 4/(3π) beyond their chords:
  // ∫x² = 4³ 2/12 + 2 (π/8 − 8/(9π)) + π (2 + 4/(3π))²,   ∫y² = 4 2³/12 + π/4
  test('moments of a slot are those of the handbook', () => {
    const { area, xx, yy, xy } = planeMoments(slot);
    expect(area).toBeCloseTo(8 + Math.PI, 13);
    const own = Math.PI / 8 - 8 / (9 * Math.PI);
    expect(xx).toBeCloseTo(128 / 12 + 2 * own + Math.PI * (2 + 4 / (3 * Math.PI)) ** 2, 12);
    expect(yy).toBeCloseTo(32 / 12 + Math.PI / 4, 12);
    expect(xy).toBeCloseTo(0, 13);
  });

  /** n chords for each arc. */
  const chords = (outline: Outline, n: number): Outline =>
    outline.flatMap(([x, y, b = 0], i) =>
      Array.from({ length: n }, (_, k) => edgePoint([x, y], outline[(i + 1) % outline.length], b, k / n)),
    );

  // n chords for each arc leave an error ∝ 1/n²: (4 f(2n) − f(n))/3 has one of order 1/n⁴ only.
  test.each([
    ['blob', blob],
    ['slot', slot],
    ['flat arcs', blob.map(([x, y, b = 0]) => [x, y, b * 1e-3] as const)],
  ])('sums over arcs are the limit of those over chords: %s', (_, outline) => {
    const [coarse, fine] = [512, 1024].map((n) => chords(outline, n));
    const limit = (f: (figure: Outline) => number) => (4 * f(fine) - f(coarse)) / 3;
    expect(signedArea(outline)).toBeCloseTo(limit(signedArea), 10);
    expect(perimeter(outline)).toBeCloseTo(limit(perimeter), 9);
    for (const key of ['xx', 'yy', 'xy'] as const)
      expect(planeMoments(outline)[key]).toBeCloseTo(
        limit((figure) => planeMoments(figure)[key]),
        9,
      );
    for (const k of [0, 1] as const)
      expect(planeMoments(outline).centroid[k]).toBeCloseTo(
        limit((figure) => planeMoments(figure).centroid[k]),
        9,
      );
  });

  test('second moments have no jump where power series take over, at a sine of 0.2', () => {
    const b = 0.2 / (1 + Math.sqrt(1 - 0.04)); // sin φ = 2b/(1 + b²) = 0.2
    const at = (bulge: number) =>
      planeMoments(
        [
          [0, 0, bulge],
          [1, 0],
          [0.5, -3],
        ].toReversed() as unknown as Outline,
      );
    const [below, above] = [at(b * (1 - 1e-13)), at(b * (1 + 1e-13))];
    for (const key of ['area', 'xx', 'yy', 'xy'] as const) expect(below[key]).toBeCloseTo(above[key], 12);
  });

  test('a point is inside, outside or on the boundary as the circles say', () => {
    expect(placeOf([2, 1], circle)).toBe('inside'); // on both chords
    expect(placeOf([2, 3.999999], circle)).toBe('inside');
    expect(placeOf([2, 4.000001], circle)).toBe('outside');
    expect(placeOf([2, 4], circle)).toBe('boundary');
    expect(placeOf([5, 1], circle)).toBe('boundary');
    expect(placeOf([0, 1], circle)).toBe('inside');
    expect(placeOf([5.5, 1], circle)).toBe('outside');
    expect(placeOf([-2.5, 0], slot)).toBe('inside');
    expect(placeOf([-3, 0], slot)).toBe('boundary');
    expect(placeOf([2, 0.5], slot)).toBe('inside'); // on the chord of an arc
  });

  test('agrees with fine chords at random points, whichever way the outline runs', () => {
    const numbers = random(7);
    const fine = flattened(blob, 4096);
    let inside = 0;
    for (let i = 0; i < 2000; i++) {
      const p = [numbers.uniformBetween(-3, 3), numbers.uniformBetween(-1, 4)] as const;
      const place = placeOf(p, blob);
      expect(placeOf(p, fine)).toBe(place);
      expect(placeOf(p, reversed(blob))).toBe(place);
      if (place === 'inside') inside++;
    }
    expect((inside / 2000) * 30).toBeCloseTo(signedArea(blob), 0);
  });

  test('reversed, moved, turned, scaled and mirrored arcs stay arcs', () => {
    expect(reversed(reversed(blob))).toEqual(blob);
    const { area, xx, yy } = planeMoments(blob);
    const moved = rotate(0.7, translate([3, -5], blob));
    expect(planeMoments(moved).area).toBeCloseTo(area, 12);
    expect(planeMoments(moved).xx + planeMoments(moved).yy).toBeCloseTo(xx + yy, 11);
    expect(signedArea(scale(-2, blob))).toBeCloseTo(4 * area, 11);
    const twin = mirror('x', blob);
    expect(signedArea(twin)).toBeCloseTo(area, 12);
    for (const [i, [x, y, b = 0]] of blob.entries()) {
      const [u, v] = edgePoint([x, y], blob[(i + 1) % 4], b, 0.3);
      expect(placeOf([-u, v], twin)).toBe('boundary');
    }
  });

  test('scaled unevenly become ellipses, as arcs again', () => {
    const ellipse = scale([2, 0.5], circle);
    expect(hasArcs(ellipse)).toBe(true);
    expect(ellipse[0].slice(0, 2)).toEqual([10, 0.5]);
    expect(signedArea(ellipse)).toBeCloseTo(9 * Math.PI, 3); // half axes 6 and 1.5, 6e-5 off over a length of 25 at most
    const { form } = scale([2, -0.5, 1], extrude(blob, 1));
    const { profile } = form as { profile: Profile };
    expect(signedArea(profile.outer)).toBeCloseTo(signedArea(blob), 4);
    expect(signedArea(scale([-2, 0.5], blob))).toBeCloseTo(signedArea(blob), 4);
    // and back to the circle: 6e-5 of the first fit, twice stretched, and 3e-5 of the second
    for (const [x, y] of scale([0.5, 2], ellipse)) expect(Math.abs(Math.hypot(x - 2, y - 1) - 3)).toBeLessThan(1.5e-4);
  });

  test('bounds hold the arcs, and so does the hull of the points around', () => {
    expect(outlineBounds(circle)).toEqual({ min: [-1, -2], max: [5, 4] });
    const numbers = random(3);
    for (let i = 0; i < 100; i++) {
      const angle = numbers.uniformBetween(0, 7);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const reach = Math.max(...pointsAround(circle).map(([x, y]) => c * (x - 2) + s * (y - 1)));
      expect(reach).toBeGreaterThan(3);
      expect(reach).toBeLessThan(3 * 1.0004);
    }
  });
});

describe('made of arcs', () => {
  test('a circle and a slot have the area and length of theirs', () => {
    expect(signedArea(disc(2, [3, 4]))).toBeCloseTo(4 * Math.PI, 13);
    expect(perimeter(disc(2))).toBeCloseTo(4 * Math.PI, 13);
    const bar = slotOf([1, 1], [4, 5], 2);
    expect(signedArea(bar)).toBeCloseTo(10 + Math.PI, 13);
    expect(perimeter(bar)).toBeCloseTo(10 + 2 * Math.PI, 13);
    expect(placeOf([1 - 0.6, 1 - 0.8], bar)).toBe('boundary');
    expect(() => disc(0)).toThrow('circle.radius');
    expect(() => slotOf([1, 1], [1, 1], 1)).toThrow('slot.to');
  });
});

describe('extrusions with arcs', () => {
  const plate: Profile = {
    outer: slot,
    holes: [
      [
        [0.5, 0, -1],
        [-0.5, 0, -1],
      ],
    ],
  };

  test('keep them as their exact form; the mesh has chords', () => {
    const solid = extrude(plate, 3);
    expect(solid.form).toEqual({ kind: 'extrusion', profile: plate, height: 3 });
    // 32 chords for each half circle, 2 straight edges
    expect(solid.mesh.vertices.length / 6).toBe(2 * 32 + 2 + 64);
    expect(hasArcs(flattened(plate))).toBe(false);
    expect(extrude(plate, 3, { segments: 16 }).form).toMatchObject({ segments: 16 });
  });

  test('weigh what the arcs weigh', () => {
    const solid = translate([1, 2, 3], rotate({ axis: [1, 0, 0], angle: 0.4 }, extrude(plate, 3)));
    const exact = solidMassProperties(solid, 2);
    expect(exact.volume).toBeCloseTo(3 * (8 + Math.PI - Math.PI / 4), 12);
    expect(exact.area).toBeCloseTo(2 * (8 + 0.75 * Math.PI) + 3 * (8 + 2 * Math.PI + Math.PI), 12);
    const fine = [512, 1024].map((segments) => {
      const drawn = extrude(plate, 3, { segments });
      return meshMassProperties(translate([1, 2, 3], rotate({ axis: [1, 0, 0], angle: 0.4 }, drawn)).mesh, 2);
    });
    exact.inertia.forEach((value, i) => {
      expect(value).toBeCloseTo((4 * fine[1].inertia[i] - fine[0].inertia[i]) / 3, 7);
    });
    exact.centroid.forEach((value, i) => {
      expect(value).toBeCloseTo((4 * fine[1].centroid[i] - fine[0].centroid[i]) / 3, 9);
    });
  });

  test('two arcs make a disc, two straight edges nothing', () => {
    expect(solidMassProperties(extrude(circle, 1)).volume).toBeCloseTo(9 * Math.PI, 12);
    expect(() =>
      extrude(
        [
          [0, 0],
          [1, 0],
        ],
        1,
      ),
    ).toThrow('at least 3 different corners, or 2 and an arc, got 2');
    expect(() =>
      extrude(
        [
          [0, 0, Number.NaN],
          [1, 0],
          [1, 1],
        ],
        1,
      ),
    ).toThrow('[x, y, bulge]');
    expect(QUARTER).toBeCloseTo(Math.tan(Math.PI / 8), 15);
  });
});
