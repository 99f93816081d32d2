import { describe, expect, test } from 'vitest';
import { cos, sin } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import { extrude } from './extrude.js';
import { meshMassProperties } from './mass-properties.js';
import { circleOutline, torus } from './primitives.js';
import type { Outline } from './profile.js';
import { sweep } from './sweep.js';
import { validateMesh } from './validation.js';

const channel: Outline = [
  [-2, -1],
  [2, -1],
  [2, 1],
  [1, 1],
  [1, 0],
  [-1, 0],
  [-1, 1],
  [-2, 1],
];
const ring = (points: number, radius: number): Vec3[] =>
  Array.from({ length: points }, (_, k) => {
    const angle = (2 * Math.PI * k) / points;
    return [radius * cos(angle), radius * sin(angle), 0];
  });

describe('sweep', () => {
  test('along a straight line is an extrusion, x to the left and y up', () => {
    const along = sweep(channel, [
      [1, 2, 3],
      [6, 2, 3],
    ]);
    const expected = meshMassProperties(extrude(channel, 5).mesh);
    const { volume, centroid: centre } = meshMassProperties(along.mesh);
    expect(volume).toBeCloseTo(expected.volume, 12);
    expect(centre[0]).toBeCloseTo(1 + 2.5, 12);
    expect(centre[1]).toBeCloseTo(2, 12);
    expect(centre[2]).toBeCloseTo(3 + expected.centroid[1], 12);
    const lopsided = sweep(
      [
        [0, 0],
        [1, 0],
        [0, 2],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    );
    // going along x with z overhead, left is y
    expect(meshMassProperties(lopsided.mesh).centroid[1]).toBeCloseTo(1 / 3, 12);
    expect(meshMassProperties(lopsided.mesh).centroid[2]).toBeCloseTo(2 / 3, 12);
  });

  test('of a circle round a circle is the torus with as many corners', () => {
    const swept = sweep(circleOutline(12, 0.3), ring(40, 2), { closed: true });
    const { volume, centroid: centre } = meshMassProperties(swept.mesh);
    const expected = meshMassProperties(
      torus({ majorRadius: 2, minorRadius: 0.3, segments: 40, minorSegments: 12 }).mesh,
    );
    expect(volume).toBeCloseTo(expected.volume, 10);
    expect(Math.abs(centre[0]) + Math.abs(centre[1]) + Math.abs(centre[2])).toBeLessThan(1e-12);
    expect(validateMesh(swept.mesh).ok).toBe(true);
  });

  test('a pipe with a hole has two surfaces joined at its ends, and the volume between', () => {
    const hole = circleOutline(16, 0.5).toReversed();
    const spiral = Array.from({ length: 60 }, (_, k): Vec3 => [5 * cos(0.1 * k), 5 * sin(0.1 * k), 0.02 * k]);
    const { mesh } = sweep({ outer: circleOutline(16, 1), holes: [hole] }, spiral);
    const report = validateMesh(mesh);
    expect(report.ok).toBe(true);
    // area between the circles times the length of the line, to the square of half a turning angle 0.1
    const area = 8 * sin(Math.PI / 8) * (1 - 0.25);
    const length = 59 * Math.sqrt((10 * sin(0.05)) ** 2 + 0.02 ** 2);
    expect(meshMassProperties(mesh).volume / (area * length)).toBeCloseTo(1, 2);
  });

  test.each([
    ['one point', [[0, 0, 0]] as Vec3[], 'sweep.path: expected at least two points, got 1'],
    [
      'a point twice',
      [
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
      ] as Vec3[],
      'expected points that differ',
    ],
    [
      'along up',
      [
        [0, 0, 0],
        [0, 0, 1],
      ] as Vec3[],
      'runs along up',
    ],
    [
      'back on itself',
      [
        [0, 0, 0],
        [9, 0, 0],
        [0, 0, 0],
      ] as Vec3[],
      'turns back on itself',
    ],
    [
      'a bend that is too sharp',
      [
        [0, 0, 0],
        [9, 0, 0],
        [9, 0.5, 0],
        [0, 0.5, 0],
      ] as Vec3[],
      'sweep: expected a closed solid',
    ],
  ])('%s is refused', (_, path, message) => {
    expect(() => sweep(channel, path)).toThrow(message);
  });
});
