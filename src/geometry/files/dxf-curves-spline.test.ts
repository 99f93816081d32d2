import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../math/vec3.js';
import { type Spline, sampleSpline, splineThrough } from './dxf-curves-spline.js';

const points: Vec3[] = [[0, 0, 0], [1, 2, 0], [1.5, 2.1, 1], [5, -1, 0], [4, -3, 0.5]]; // biome-ignore format: one line

/** Second derivatives of piece i of a chain of cubic Bézier curves at its start and end. */
function curvatures({ knots, control }: Spline, piece: number): { start: number[]; end: number[] } {
  const h = knots[3 * piece + 4] - knots[3 * piece + 1];
  const b = [0, 1, 2, 3].map((k) => [0, 1, 2].map((axis) => control[4 * (3 * piece + k) + axis]));
  const second = (p: number[], q: number[], r: number[]) =>
    p.map((x, axis) => (6 * (x - 2 * q[axis] + r[axis])) / h ** 2);
  return { start: second(b[0], b[1], b[2]), end: second(b[1], b[2], b[3]) };
}

describe('splineThrough', () => {
  test('passes through unevenly spaced points with continuous curvature, none at open ends', () => {
    const spline = splineThrough(points, { closed: false });
    points.forEach((p, i) => {
      expect([...spline.control.slice(12 * i, 12 * i + 3)]).toEqual([...p]);
    });
    for (let piece = 0; piece + 2 < points.length; piece++) {
      const { end } = curvatures(spline, piece);
      curvatures(spline, piece + 1).start.forEach((x, axis) => {
        expect(x).toBeCloseTo(end[axis], 12);
      });
    }
    for (const x of [...curvatures(spline, 0).start, ...curvatures(spline, points.length - 2).end])
      expect(x).toBeCloseTo(0, 12);
  });

  test('closed: the curvature goes on from the last point to the first', () => {
    const spline = splineThrough(points, { closed: true });
    for (let piece = 0; piece < points.length; piece++)
      curvatures(spline, (piece + 1) % points.length).start.forEach((x, axis) => {
        expect(x).toBeCloseTo(curvatures(spline, piece).end[axis], 12);
      });
  });

  test('takes the tangents it is given', () => {
    const { control, knots } = splineThrough(points, {
      closed: false,
      startTangent: [0, -1, 0],
      endTangent: [1, 0, 0],
    });
    expect(3 * (control[5] - control[1])).toBeCloseTo(-(knots[4] - knots[3]), 12);
    const last = control.length - 4;
    expect(3 * (control[last] - control[last - 4])).toBeCloseTo(knots[knots.length - 1] - knots[knots.length - 5], 12);
  });
});

describe('sampleSpline', () => {
  // A cubic with a cusp at t = ½: x = 3 t − … folds back; the sampling must end.
  test('a cusp ends the subdivision; corners at triple knots stay', () => {
    const chain = (control: number[][], knots: number[]): number[][] => {
      const got: number[][] = [];
      const spline = { degree: 3, knots: Float64Array.from(knots), control: Float64Array.from(control.flatMap(([x, y]) => [x, y, 0, 1])) }; // biome-ignore format: one line
      sampleSpline(spline, undefined, (x, y) => got.push([x, y]));
      return got;
    };
    const cusp = chain([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 0, 0, 1, 1, 1, 1]); // biome-ignore format: one line
    expect(cusp.length).toBeLessThan(400);
    expect(cusp[0]).toEqual([0, 0]);
    expect(cusp[cusp.length - 1]).toEqual([1, 0]);
    const corner = chain([[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3]], [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]); // biome-ignore format: one line
    expect(corner).toContainEqual([3, 0]);
  });

  test('degree 1 is the polygon itself', () => {
    const got: number[][] = [];
    const control = Float64Array.from([0, 0, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1]);
    sampleSpline({ degree: 1, knots: Float64Array.from([0, 0, 1, 2, 2]), control }, 1e-9, (x, y) => got.push([x, y]));
    expect(got).toEqual([[0, 0], [2, 0], [2, 3]]); // biome-ignore format: one line
  });
});
