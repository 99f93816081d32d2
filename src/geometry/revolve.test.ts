import { describe, expect, test } from 'vitest';
import { meshMassProperties } from './mass-properties.js';
import { planeMoments } from './polygon.js';
import { circleOutline } from './primitives.js';
import type { Outline, Profile } from './profile.js';
import { revolve } from './revolve.js';
import { translate } from './transform.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Every directed edge once, its reverse once; no triangle without area; every vertex used. */
function expectSound({ vertices, triangles }: TriangleMesh): void {
  const edges = new Set<string>();
  for (let i = 0; i < triangles.length; i++) {
    const edge = `${triangles[i]},${triangles[i % 3 === 2 ? i - 2 : i + 1]}`;
    expect(edges.has(edge)).toBe(false);
    edges.add(edge);
  }
  expect([...edges].every((edge) => edges.has(edge.split(',').reverse().join(',')))).toBe(true);
  expect(new Set(triangles).size).toBe(vertices.length / 3);
  for (let i = 0; i < triangles.length; i += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[i + k], 3 * triangles[i + k] + 3));
    const [a, b] = [q, r].map((c) => [c[0] - p[0], c[1] - p[1], c[2] - p[2]]);
    expect(Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])).toBeGreaterThan(
      1e-12,
    );
  }
}

// A wedge between two half planes φ apart and chords instead of arcs: Pappus' volume φ x̄ A times sin(φ/n)/(φ/n)
const pappus = (figure: Outline | Profile, angle: number, segments: number): number => {
  const { area, centroid } = planeMoments(figure);
  return segments * Math.sin(angle / segments) * centroid[0] * area;
};

const figures: readonly [string, Outline | Profile][] = [
  [
    'ring of square section',
    [
      [1, 0],
      [2, 0],
      [2, 1],
      [1, 1],
    ],
  ],
  [
    'with an edge on the axis',
    [
      [0, 0],
      [1, 0],
      [1, 2],
      [0, 2],
    ],
  ],
  [
    'with corners along the axis',
    [
      [0, 0],
      [1, 0],
      [1, 2],
      [0, 2],
      [0, 1.5],
      [0, 0.5],
    ],
  ],
  [
    'cone on cone, two corners on the axis',
    [
      [0, -1],
      [1, 0],
      [0, 1],
    ],
  ],
  [
    'a corner that only touches the axis',
    [
      [0, 1],
      [1, 0],
      [2, 1],
      [1, 2],
    ],
  ],
  [
    'concave with a hole',
    {
      outer: [
        [0, 0],
        [4, 0],
        [4, 3],
        [3, 3],
        [3, 1],
        [0, 1],
      ],
      holes: [
        [
          [1, 0.2],
          [1, 0.8],
          [2, 0.8],
          [2, 0.2],
        ],
      ],
    },
  ],
];

describe.each(figures)('%s', (_, figure) => {
  test.each([
    [2 * Math.PI, 7],
    [2 * Math.PI, 64],
    [Math.PI / 2, 5],
    [1, 1],
    [5, 12],
  ])('turned by %f rad in %i steps is sound and has the volume of Pappus', (angle, segments) => {
    const { mesh } = revolve(figure, { angle, segments });
    expectSound(mesh);
    expect(Math.abs(meshMassProperties(mesh).volume / pappus(figure, angle, segments) - 1)).toBeLessThan(1e-13);
  });
});

test('starts in the x–z plane and turns counter-clockwise', () => {
  const { mesh } = revolve(
    [
      [1, 0],
      [2, 0],
      [2, 1],
      [1, 1],
    ],
    { angle: Math.PI / 2, segments: 8 },
  );
  const { centroid } = meshMassProperties(mesh);
  expect(centroid[0]).toBeGreaterThan(0.5);
  expect(centroid[1]).toBeCloseTo(centroid[0], 13);
  expect(centroid[2]).toBeCloseTo(0.5, 13);
});

test('a circle off the axis becomes a torus, V = 2π² R r²', () => {
  const { mesh } = revolve(translate([3, 0], circleOutline(200, 1)), { segments: 200 });
  // Both polygons fall short by (2π/200)²/6 = 1.6e-4
  expect(meshMassProperties(mesh).volume / (2 * Math.PI ** 2 * 3)).toBeCloseTo(1 - 3.3e-4, 5);
});

test('refuses', () => {
  expect(() =>
    revolve([
      [-1, 0],
      [1, 0],
      [0, 1],
    ]),
  ).toThrow('revolve.outline: expected corners with x ≥ 0 m (x is the distance from the axis), got (-1, 0) m');
  expect(() =>
    revolve(
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      { angle: 7 },
    ),
  ).toThrow('revolve.angle: expected an angle > 0 and ≤ 2π rad, got 7');
  expect(() =>
    revolve(
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      { segments: 2 },
    ),
  ).toThrow('revolve.segments');
  expect(() =>
    revolve([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ]),
  ).toThrow('revolve.outline: edges 0 and 2 cross');
});
