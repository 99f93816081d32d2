import { describe, expect, test } from 'vitest';
import { extrude } from './extrude.js';
import { meshMassProperties, solidMassProperties } from './mass-properties.js';
import { perimeter, planeMoments, profileArea } from './polygon.js';
import { circleOutline } from './primitives.js';
import type { Outline, Profile } from './profile.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Every directed edge once, its reverse once. */
function isClosed({ triangles }: TriangleMesh): boolean {
  const edges = new Set<string>();
  for (let i = 0; i < triangles.length; i++) {
    const edge = `${triangles[i]},${triangles[i % 3 === 2 ? i - 2 : i + 1]}`;
    if (edges.has(edge)) return false;
    edges.add(edge);
  }
  return [...edges].every((edge) => edges.has(edge.split(',').reverse().join(',')));
}

// Concave, with corners on straight edges and two holes
const plate: Profile = {
  outer: [
    [0, 0],
    [2, 0],
    [4, 0],
    [4, 1],
    [2, 1],
    [1, 1],
    [1, 2],
    [1, 3],
    [0, 3],
    [0, 1],
  ],
  holes: [
    [
      [0.2, 0.2],
      [0.2, 0.5],
      [0.2, 0.8],
      [0.8, 0.8],
      [0.8, 0.2],
    ],
    [
      [2.5, 0.2],
      [2.5, 0.6],
      [3, 0.6],
      [3, 0.2],
    ],
  ],
};

test('a plate with holes: closed, volume = area × height, surface = 2 ends + walls, all corners kept', () => {
  const solid = extrude(plate, 0.5);
  expect(isClosed(solid.mesh)).toBe(true);
  expect(solid.mesh.vertices.length / 3).toBe(2 * 19);
  const { volume, area, centroid } = meshMassProperties(solid.mesh);
  expect(volume).toBeCloseTo((6 - 0.36 - 0.2) * 0.5, 14);
  const walls = (perimeter(plate.outer) + perimeter(plate.holes[0]) + perimeter(plate.holes[1])) * 0.5;
  expect(area).toBeCloseTo(2 * profileArea(plate) + walls, 13);
  expect(centroid[0]).toBeCloseTo(planeMoments(plate).centroid[0], 14);
  expect(centroid[2]).toBeCloseTo(0.25, 14);
  expect(solid.form).toEqual({ kind: 'extrusion', profile: plate, height: 0.5 });
  expect(solidMassProperties(solid).volume).toBeCloseTo(volume, 14);
});

test('outlines may run either way and repeat corners', () => {
  const turned = extrude({ outer: plate.outer.toReversed(), holes: plate.holes.map((hole) => hole.toReversed()) }, 0.5);
  expect(isClosed(turned.mesh)).toBe(true);
  expect(meshMassProperties(turned.mesh).volume).toBeCloseTo(2.72, 14);
  const repeated = extrude(
    [
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ],
    1,
  );
  expect(repeated.mesh.vertices.length / 3).toBe(8);
  expect(meshMassProperties(repeated.mesh).volume).toBe(1);
});

test('a scaled top makes a frustum: V = A h (1 + k + k²) / 3', () => {
  const solid = extrude(plate, 2, { scale: 0.5 });
  expect(isClosed(solid.mesh)).toBe(true);
  expect(solid.form.kind).toBe('mesh');
  expect(meshMassProperties(solid.mesh).volume).toBeCloseTo((profileArea(plate) * 2 * (1 + 0.5 + 0.25)) / 3, 13);
});

test('a twisted bar: each slice is the profile turned, so the volume tends to area × height at second order', () => {
  const square: Outline = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  const error = [8, 16, 32].map((layers) => {
    const { mesh } = extrude(square, 3, { twist: 1.5, layers });
    expect(isClosed(mesh)).toBe(true);
    return Math.abs(meshMassProperties(mesh).volume - 12);
  });
  expect(Math.log2(error[0] / error[1])).toBeCloseTo(2, 1);
  expect(Math.log2(error[1] / error[2])).toBeCloseTo(2, 1);
  // Turned the other way it is the mirror image
  const [left, right] = [1, -1].map(
    (sign) => meshMassProperties(extrude(square, 3, { twist: 1.5 * sign }).mesh).volume,
  );
  expect(left).toBeCloseTo(right, 12);
  const { mesh } = extrude(square, 3, { twist: Math.PI / 2 });
  expect([...mesh.vertices.slice(-12, -10)]).toEqual([1, -1]); // the corner (−1, −1) after a quarter turn
});

test('10 000 corners take no n²', () => {
  const start = performance.now();
  const { mesh } = extrude({ outer: circleOutline(8000, 1), holes: [circleOutline(2000, 0.5)] }, 0.1);
  expect(performance.now() - start).toBeLessThan(10_000); // about 0.1 s
  expect(mesh.triangles.length / 3).toBe(2 * 10_000 + 2 * 10_000);
});

describe('refuses', () => {
  const square: Outline = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  test.each([
    [() => extrude(square, 0), 'extrude.height: expected a length > 0 m, got 0'],
    [() => extrude(square, Number.NaN), 'extrude.height'],
    [
      () =>
        extrude(
          [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
          1,
        ),
      'extrude.outline: edges 0 and 2 cross at (0.5, 0.5) m; a solid needs an outline that does not cross or touch itself',
    ],
    [() => extrude({ outer: square, holes: [square] }, 1), 'extrude.profile.holes[0]'],
    [
      () => extrude({ holes: [square] } as never, 1),
      'extrude.profile: expected an outline [[x, y], …] in m, or a profile { outer, holes } of outlines, got an object without "outer"; it has holes',
    ],
    [() => extrude(undefined as never, 1), 'extrude.profile: expected an outline'],
    [
      () => extrude({ outer: 3 } as never, 1),
      'extrude.profile.outer: expected an outline [[x, y], …] in m, got number',
    ],
    [() => extrude([1, 2, 3] as never, 1), 'extrude.outline[0]: expected a corner [x, y] in m'],
    [() => extrude(square, 1, { scale: 0 }), 'extrude.scale: expected a factor > 0, got 0'],
    [() => extrude(square, 1, { layers: 0.5 }), 'extrude.layers'],
    [
      () => extrude(square, 1, { holes: [square] } as never),
      'extrude.holes: holes belong to the figure: extrude({ outer: [[0, 0], …], holes: [[[…], …]] }, …)',
    ],
    [
      () => extrude(square, 1, { segment: 8 } as never),
      'extrude.segment: there is no such option; did you mean "segments"?',
    ],
    [
      () =>
        extrude(
          [
            [0, 0],
            [1, 0],
          ],
          1,
        ),
      'extrude.outline: expected at least 3 different corners',
    ],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
