import { describe, expect, test } from 'vitest';
import { arcCircle, edgePoint } from '../../geometry/arc.js';
import type { Vec2 } from '../../math/vec3.js';
import type { Sketch, SketchOutline } from '../document/sketch.js';
import { checkSketch } from './check.js';
import {
  addCorner,
  aroundCircle,
  bendEdge,
  closeOutline,
  deleteCorner,
  fillet,
  insertCorner,
  mirrorClosed,
  mirrorOutline,
  moveCorner,
  polar,
  setEdge,
  turnOutline,
} from './edit.js';
import { areaOf, asCircle, bulgeAlong, bulgeThrough, circle, edgeAt, outlineText, pathOf } from './outline.js';
import {
  levelByTwoPoints,
  newPicture,
  pixelOf,
  pointOf,
  scaleByTwoPoints,
  trimPicture,
  turnPicture,
} from './picture.js';
import { endTangent, gridFor, snap } from './snap.js';

const drawn = (...points: Vec2[]): SketchOutline =>
  points.reduce<SketchOutline>((outline, point) => addCorner(outline, point), { corners: [], closed: false });
const square = closeOutline(drawn([0, 0], [2, 0], [2, 2], [0, 2]));
const near = (a: readonly number[], b: readonly number[], digits = 12): void => {
  for (const [i, x] of a.entries()) expect(x).toBeCloseTo(b[i], digits);
};

describe('arcs', () => {
  test('the arc through a point passes it, on either side and beyond a half circle', () => {
    const [p, q]: Vec2[] = [
      [0.1, 0.2],
      [1.3, -0.4],
    ];
    for (const m of [
      [0.5, 0.6],
      [0.9, -0.7],
      [0.2, 1.9],
      [1.5, -3],
    ] as Vec2[]) {
      const bulge = bulgeThrough(p, m, q);
      const { centre, radius } = arcCircle(p, q, bulge);
      expect(Math.hypot(m[0] - centre[0], m[1] - centre[1])).toBeCloseTo(radius, 12);
      // m lies on the arc, not on the rest of its circle
      const ways = Array.from({ length: 2001 }, (_, i) => edgePoint(p, q, bulge, i / 2000));
      expect(Math.min(...ways.map(([x, y]) => Math.hypot(x - m[0], y - m[1])))).toBeLessThan(2e-3 * radius);
    }
    expect(bulgeThrough(p, [0.7, -0.1], q)).toBe(0);
    expect(Math.abs(bulgeThrough([0, 0], [2, 1e-12], [1, 0]))).toBe(50);
  });
  test('an arc that begins along a tangent', () => {
    // from (0, 0) along +x to (1, 1): a quarter circle about (0, 1)
    const bulge = bulgeAlong([1, 0], [0, 0], [1, 1]);
    expect(bulge).toBeCloseTo(Math.tan(Math.PI / 8), 15);
    near(arcCircle([0, 0], [1, 1], bulge).centre, [0, 1]);
  });
  test('a circle is two half circles, with its area', () => {
    expect(areaOf(circle([3, 4], 0.5))).toBeCloseTo(Math.PI / 4, 14);
    expect(asCircle(circle([3, 4], 0.5))).toEqual({ centre: [3, 4], radius: 0.5 });
    expect(outlineText(circle([0, 0], 1e-4))).toBe('circle Ø 0.2 mm');
    expect(outlineText(bendEdge(square, 1, [3, 1]))).toBe('4 corners, 1 arc');
  });
  test('SVG draws arcs as arcs, the right way round', () => {
    expect(pathOf(closeOutline(addCorner(drawn([0, 0]), [1, 0], 1), 0))).toBe('M0 0A0.5 0.5 0 0 1 1 0L0 0Z');
  });
});

describe('editing', () => {
  test('bending to a half circle adds its area, and inserting a corner keeps it', () => {
    const bent = bendEdge(square, 1, [3, 1]);
    expect(bent.corners[1][2]).toBeCloseTo(1, 14);
    expect(areaOf(bent)).toBeCloseTo(4 + Math.PI / 2, 13);
    for (const t of [0.5, 0.2]) expect(areaOf(insertCorner(bent, 1, t))).toBeCloseTo(4 + Math.PI / 2, 13);
    expect(areaOf(bendEdge(bent, 1, [2, 1]))).toBeCloseTo(4, 13);
  });
  test('corners move and go; too few are nothing', () => {
    expect(areaOf(moveCorner(square, 2, [4, 2]))).toBeCloseTo(6, 14);
    const triangle = deleteCorner(square, 2)!;
    expect(areaOf(triangle)).toBeCloseTo(2, 14);
    expect(deleteCorner(triangle, 0)).toBeUndefined();
    expect(() => closeOutline(drawn([0, 0], [1, 0]))).toThrow('at least 3 corners');
  });
  test('a typed length and angle', () => {
    near(setEdge(square, 0, 3, Math.PI / 6).corners[1], [3 * Math.cos(Math.PI / 6), 1.5, 0]);
    near(polar([1, 1], 2, Math.PI / 2), [1, 3]);
  });
  // A corner of 90° rounded by r loses (1 − π/4) r²
  test('fillets', () => {
    expect(areaOf(fillet(square, [0, 2], 0.5))).toBeCloseTo(4 - 2 * (1 - Math.PI / 4) * 0.25, 13);
    expect(() => fillet(square, [0, 1], 1.5)).toThrow('does not fit');
    expect(() => fillet(drawn([0, 0], [1, 0], [1, 1]), [1], 0.1)).toThrow('close it first');
  });
  test('mirror images keep area and arcs; a half outline becomes a whole one', () => {
    const bent = bendEdge(square, 1, [3, 1]);
    const image = mirrorOutline(bent, [0, 0], [1, 1]);
    expect(areaOf(image)).toBeCloseTo(areaOf(bent), 13);
    expect(checkSketch({ outlines: { image } }).problem).toBeUndefined();
    const half = addCorner(addCorner(drawn([0, 0]), [1, 0]), [0, 1], Math.tan(Math.PI / 8)); // a quarter disc about (0, 0)
    expect(areaOf(mirrorClosed(half))).toBeCloseTo(Math.PI / 2, 13);
  });
  test('around a circle: holes stand, a tooth becomes a wheel', () => {
    const holes = aroundCircle(circle([2, 0], 0.1), 6, [0, 0]);
    expect(holes).toHaveLength(6);
    near(asCircle(holes[2])!.centre, polar([0, 0], 2, (2 * Math.PI) / 3));
    // n corners on the unit circle about (5, 5): area n/2 sin(2π/n)
    const [wheel] = aroundCircle(drawn([6, 5]), 7, [5, 5]);
    expect(areaOf(wheel)).toBeCloseTo(3.5 * Math.sin((2 * Math.PI) / 7), 13);
    expect(areaOf(turnOutline(wheel, 0.3, [1, 1]))).toBeCloseTo(areaOf(wheel), 12);
    expect(() => aroundCircle(wheel, 1.5, [0, 0])).toThrow('expected a whole number');
  });
});

describe('snapping', () => {
  const outlines = { plate: bendEdge(square, 1, [3, 1]) };
  const at = (point: Vec2, options: object = {}) => snap(point, outlines, { reach: 0.1, ...options });
  test('corner, middle, centre; and nothing when out of reach', () => {
    expect(at([2.05, -0.02])).toMatchObject({ at: [2, 0], kind: 'corner', corner: ['plate', 1] });
    expect(at([1.04, 0.03])).toMatchObject({ at: [1, 0], kind: 'middle' });
    near(at([2.04, 1.05]).at, [2, 1]);
    expect(at([2.04, 1.05]).kind).toBe('centre');
    expect(at([5.3, 5.3])).toMatchObject({ at: [5.3, 5.3], kind: 'free' });
  });
  test('15° from the corner before, its tangent first, and level with corners', () => {
    const angled = at([10 + 5.0, 10 + 5.03], { from: [10, 10] });
    expect(angled.kind).toBe('angle');
    expect(Math.atan2(angled.at[1] - 10, angled.at[0] - 10)).toBeCloseTo(Math.PI / 4, 14);
    const tangent = endTangent(drawn([9, 9.7], [10, 10]))!;
    expect(at([14, 11.19], { from: [10, 10], tangent }).kind).toBe('tangent');
    const level = at([7.3, 2.03]);
    expect(level).toMatchObject({ at: [7.3, 2], kind: 'level' });
    expect(level.guides[0][0]).toEqual([2, 2]);
  });
  test('the grid, of round numbers; not on the corner that moves', () => {
    expect(at([5.48, 5.53], { grid: 0.5 })).toMatchObject({ at: [5.5, 5.5], kind: 'grid' });
    expect([gridFor(4), gridFor(0.003), gridFor(70)]).toEqual([0.1, 1e-4, 2]);
    expect(at([2.05, -0.02], { without: ['plate', 1] }).kind).not.toBe('corner');
  });
});

describe('checking', () => {
  test('area with holes, shortest edge', () => {
    const check = checkSketch({ outlines: { plate: square, bore: circle([1, 1], 0.5) } });
    expect(check).toMatchObject({ allClosed: true, shortestEdge: Math.PI / 2 });
    expect(check.area).toBeCloseTo(4 - Math.PI / 4, 13);
    expect(check.profiles[0].holes).toHaveLength(1);
  });
  test('a crossing has its place and both edges', () => {
    const bow = closeOutline(drawn([0, 0], [1, 1], [1, 0], [0, 1]));
    const { problem, profiles } = checkSketch({ outlines: { bow } });
    expect(problem).toMatchObject({ at: [0.5, 0.5], text: 'bow: edges 1 and 3 cross at 500 mm, 500 mm' });
    expect(profiles).toEqual([]);
    expect(checkSketch({ outlines: { plate: square, hole: circle([2, 1], 0.5) } }).problem?.text).toMatch(
      /^edge 2 of plate and edge [12] of hole cross at 2000 mm/,
    );
  });
  test('open outlines, equal corners, nothing at all', () => {
    const open: Sketch = { outlines: { plate: square, line: drawn([5, 5], [6, 6]) } };
    expect(checkSketch(open).problem?.text).toMatch(/^line is open/);
    expect(checkSketch({ outlines: { a: moveCorner(square, 1, [0, 0]) } }).problem?.text).toMatch(/two corners at one/);
    expect(checkSketch({ outlines: {} })).toMatchObject({ allClosed: false, area: 0 });
  });
});

describe('the picture', () => {
  const size = { width: 800, height: 600 };
  const picture = { ...newPicture('pallet.png', size), turn: 0.2, at: [0.01, 0.02] as const };
  test('pixels and points go back and forth', () => {
    near(pixelOf(picture, size, pointOf(picture, size, [123, 456])), [123, 456], 10);
    near(pointOf(picture, size, [400, 300]), [0.01, 0.02]);
  });
  test('two points and a length set the scale, the first stays', () => {
    const [a, b] = [pointOf(picture, size, [100, 500]), pointOf(picture, size, [700, 500])];
    const scaled = scaleByTwoPoints(picture, a, b, 3e-3);
    expect(scaled.scale).toBeCloseTo(3e-3 / 600, 15);
    near(pointOf(scaled, size, [100, 500]), a, 14);
    const [c, d] = [pointOf(scaled, size, [100, 500]), pointOf(scaled, size, [700, 500])];
    expect(Math.hypot(d[0] - c[0], d[1] - c[1])).toBeCloseTo(3e-3, 14);
    expect(() => scaleByTwoPoints(picture, a, a, 1)).toThrow('apart');
    expect(() => scaleByTwoPoints(picture, a, b, Number.NaN)).toThrow('expected a length');
  });
  test('levelled, turned, trimmed', () => {
    const [a, b] = [pointOf(picture, size, [100, 500]), pointOf(picture, size, [700, 500])];
    const level = levelByTwoPoints(picture, a, b);
    expect(level.turn).toBeCloseTo(0, 14);
    near(pointOf(level, size, [100, 500]), a, 14);
    expect(turnPicture(picture, 0.3).turn).toBeCloseTo(0.5, 14);
    const trimmed = trimPicture(level, size, [pointOf(level, size, [50, 60]), pointOf(level, size, [650, 1000])]);
    expect(trimmed.trim).toEqual([50, 60, 600, 540]);
    expect(trimPicture(trimmed, size, undefined).trim).toBeUndefined();
  });
});

test('edges of a closed outline come round', () => {
  expect(edgeAt(square, 3)).toEqual({ from: [0, 2], to: [0, 0], bulge: 0 });
});
