import { describe, expect, test } from 'vitest';
import { distance, dot, type Vec3 } from '../../math/vec3.js';
import { beside, meant, onto, placed, snapShift } from './aim.js';
import type { Feature } from './features.js';

const circle = (at: Vec3, axis: Vec3, radius = 0.01): Feature => ({ kind: 'circle', at, axis, radius, area: 0 });
const face = (at: Vec3, axis: Vec3): Feature => ({ kind: 'face', at, axis, radius: 0, area: 1e-4 });

describe('what is meant by pointing', () => {
  const features = [
    circle([0, 0, 0], [0, 0, 1], 0.05),
    circle([0.03, 0, 0], [0, 0, 1], 0.005),
    face([0, 0, 0], [0, 0, 1]),
  ];
  test('the smallest circle around the place', () => {
    expect(meant(features, [0.032, 0, 0], [0, 0, 1])?.radius).toBe(0.005);
    expect(meant(features, [-0.02, 0, 0], [0, 0, 1])?.radius).toBe(0.05);
  });
  test('of the two ends of a hole the one that is seen', () => {
    const ends = [circle([0, 0, 0], [0, 0, -1]), circle([0, 0, 0.02], [0, 0, 1])];
    expect(meant(ends, [0.012, 0, 0.02], [0, 0, 1])).toBe(ends[1]);
    expect(meant([...ends].reverse(), [0.012, 0, 0], [0, 0, -1])).toBe(ends[0]);
  });
  test('else the face it is on', () => {
    expect(meant(features, [0.3, 0, 0], [0, 0, 1])?.kind).toBe('face');
    expect(meant(features, [0.3, 0, 0.1], [1, 0, 0])).toBeUndefined();
  });
});

describe('snapping', () => {
  test('a circle goes to the axis of another, along which it stays where it is', () => {
    const { shift } = snapShift([circle([0.011, 0.002, 0.3], [0, 0, -1])], [circle([0.01, 0, 0], [0, 0, 1])], 0.005)!;
    expect(shift[0]).toBeCloseTo(-0.001, 15);
    expect(shift[1]).toBeCloseTo(-0.002, 15);
    expect(shift[2]).toBe(0);
  });
  test('faces that look at each other come together; those that look the same way do not', () => {
    const floor = face([0, 0, 0], [0, 0, 1]);
    expect(snapShift([face([1, 1, 0.003], [0, 0, -1])], [floor], 0.005)?.shift).toMatchObject([
      expect.closeTo(0),
      expect.closeTo(0),
      -0.003,
    ]);
    expect(snapShift([face([1, 1, 0.003], [0, 0, 1])], [floor], 0.005)).toBeUndefined();
    expect(snapShift([face([1, 1, 0.006], [0, 0, -1])], [floor], 0.005)).toBeUndefined();
  });
});

test('a part is put onto a circle: centre on centre and axis on axis to 1e-12', () => {
  const mine = circle([0.2, -0.1, 0.05], [0.6, 0, 0.8]);
  const to = circle([1, 2, 3], [0, -0.28, 0.96]);
  const pose = onto({ position: [5, 6, 7], orientation: [0.5, 0.5, -0.5, 0.5] }, mine, to);
  const now = placed(mine, pose);
  expect(distance(now.at, to.at)).toBeLessThan(1e-12);
  expect(1 - Math.abs(dot(now.axis, to.axis))).toBeLessThan(1e-12);
});

describe('hole on hole', () => {
  const hole = (at: Vec3, axis: Vec3): Feature => ({ ...circle(at, axis), isHole: true });
  /** Through a plate 20 mm thick, with another hole beside it */
  const ends = [
    hole([0.1, 0, 0], [0, 0, -1]),
    hole([0.1, 0, 0.02], [0, 0, 1]),
    hole([0, 0, 0], [0, 0, -1]),
    hole([0, 0, 0.02], [0, 0, 1]),
  ];
  const to = hole([1, 2, 3], [0, 1, 0]);
  test('the part lies against the face of the other, outside of it', () => {
    for (const orientation of [
      [1, 0, 0, 0],
      [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
      [Math.SQRT1_2, -Math.SQRT1_2, 0, 0],
    ] as const)
      for (const mine of ends) {
        const pose = beside({ position: [5, 6, 7], orientation }, ends, mine, to)!;
        const along = ends
          .filter(({ at }) => at[0] === mine.at[0])
          .map((end) => dot(to.axis, placed(end, pose).at) - dot(to.axis, to.at));
        expect(Math.min(...along)).toBeCloseTo(0, 12);
        expect(Math.max(...along)).toBeCloseTo(0.02, 12);
      }
  });
  test('pins, and holes that end inside, go where they always went', () => {
    const body = { position: [0, 0, 0], orientation: [1, 0, 0, 0] } as const;
    expect(beside(body, ends, circle([0, 0, 0], [0, 0, 1]), to)).toBeUndefined();
    expect(beside(body, ends, ends[0], circle([1, 2, 3], [0, 1, 0]))).toBeUndefined();
    const up = hole([1, 2, 3], [0, 0, 1]);
    expect(beside(body, [ends[1]], ends[1], up)).toBeUndefined();
  });
});
