import { describe, expect, test } from 'vitest';
import { wheel } from '../../assets/wheel.js';
import { box, cylinder } from '../../geometry/primitives.js';
import { translate } from '../../geometry/transform.js';
import { joinMeshes, type TriangleMesh } from '../../geometry/triangle-mesh.js';
import { multiply, rotation } from '../../math/mat3.js';
import { Footprint } from './footprint.js';
import { SoilMesh } from './soil-mesh.js';

/** Area under a body, m², and its middle from the body's origin, m, by the cells of a grid of 1 cm; ground at `top` */
function seen(mesh: TriangleMesh, position: readonly number[], turn: ArrayLike<number>, top: number) {
  const footprint = new Footprint();
  const spacing = 0.01;
  const pose = { position: Float64Array.from(position), rotation: Float64Array.from(turn) };
  footprint.draw(new SoilMesh(mesh), pose, spacing, top);
  const { i0, j0, columns, rows, coverage } = footprint;
  const { under } = footprint.underside;
  let [area, x, y, cut] = [0, 0, 0, 0];
  for (let k = 0; k < columns * rows; k++) {
    if (!(under[k] < top)) continue;
    const part = coverage.cover[k];
    if (part < 1) cut++;
    area += part;
    x += part * ((i0 + (k % columns)) * spacing + coverage.offsetX[k] - position[0]);
    y += part * ((j0 + Math.floor(k / columns)) * spacing + coverage.offsetY[k] - position[1]);
  }
  return { area: area * spacing * spacing, x: x / area, y: y / area, cut };
}

describe('cells on the outline of a footprint', () => {
  const places = [
    [0.005, 0.005, 0],
    [0.013, -0.0071, 0],
    [0, 0, 0.7],
    [0.3333, 0.0127, -2.1],
    [-0.0049999999999, 0.005, 1e-9],
  ] as const;

  test.each(places)('area and middle of a plate at (%f, %f), turned by %f, to rounding', (x, y, angle) => {
    const found = seen(box([0.2, 0.13, 0.1]).mesh, [x, y, 0.04], rotation([0, 0, 1], angle), 0);
    expect(found.area / (0.2 * 0.13) - 1).toBeCloseTo(0, 10);
    expect(Math.hypot(found.x, found.y)).toBeLessThan(1e-11);
  });

  // What of it is below the ground, seen from above: its section clipped there. A side that leaned out by 1e-7 rad had its outline above the ground, and the cells it crosses counted whole or not at all:
  // 5 % of a wheel's load came and went with the sign of a roll, and wheels with their sides on nodes took ten times the steps.
  test.each([0, 1e-9, 1e-7, -1e-7, 1e-4, -1e-4, 0.02, -0.02, 0.2])('area of a block that leans by %f rad', (angle) => {
    const [c, s, height] = [Math.cos(angle), Math.sin(angle), 0.04];
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([y, z]) => [0.065 * y * c - 0.05 * z * s, 0.065 * y * s + 0.05 * z * c + height]);
    const wet: number[] = [];
    corners.forEach(([y, z], k) => {
      const [v, w] = corners[(k + 1) % 4];
      if (z <= 0) wet.push(y);
      if (z <= 0 !== w <= 0) wet.push(y + ((v - y) * z) / (z - w));
    });
    const expected = 0.2 * (Math.max(...wet) - Math.min(...wet));
    for (const y of [0, 0.005, 0.0031]) {
      const { area } = seen(box([0.2, 0.13, 0.1]).mesh, [0.0021, y, height], rotation([1, 0, 0], angle), 0);
      expect(area / expected - 1).toBeCloseTo(0, 7); // faces that lean by less than 1e-8 count as upright
    }
  });

  test('a probe within one cell, and one thinner than a cell', () => {
    const probe = seen(box([0.004, 0.003, 0.1]).mesh, [0.0021, 0.0007, 0.04], rotation([0, 0, 1], 0.3), 0);
    expect(probe.area).toBeCloseTo(0.004 * 0.003, 14);
    const blade = seen(box([0.2, 0.001, 0.1]).mesh, [0.1234, 0.004, 0.04], rotation([0, 0, 1], 0.2), 0);
    expect(blade.area).toBeCloseTo(0.2 * 0.001, 13);
    expect(Math.hypot(blade.x, blade.y)).toBeLessThan(1e-11);
  });

  test('a disc has its polygon’s area, and where it has holes they are taken out', () => {
    const n = 64;
    const disc = cylinder({ radius: 0.07, height: 0.1, segments: n }).mesh;
    const polygon = 0.5 * n * 0.07 * 0.07 * Math.sin((2 * Math.PI) / n);
    expect(seen(disc, [0.0037, 0.0012, 0.04], rotation([0, 0, 1], 0.1), 0).area / polygon - 1).toBeCloseTo(0, 10);
  });

  test('legs count, the top above the ground does not', () => {
    const leg = (x: number, y: number): TriangleMesh => translate([x, y, -0.05], box([0.03, 0.03, 0.1])).mesh;
    const table = joinMeshes([
      box([0.3, 0.3, 0.02]).mesh,
      leg(0.1, 0.1),
      leg(-0.1, 0.1),
      leg(0.1, -0.1),
      leg(-0.1, -0.1),
    ]);
    const found = seen(table, [0.0013, 0.0021, 0.09], rotation([0, 0, 1], 0.4), 0);
    expect(found.area / (4 * 0.03 * 0.03) - 1).toBeCloseTo(0, 10);
    expect(Math.hypot(found.x, found.y)).toBeLessThan(1e-11);
  });

  test('corners of their own, as in a file of loose triangles, change nothing', () => {
    const { vertices, triangles } = box([0.2, 0.13, 0.1]).mesh;
    const loose = {
      vertices: Float64Array.from([...triangles].flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)])),
      triangles: Uint32Array.from(triangles, (_v, k) => k),
    };
    const place = [0.013, -0.0071, 0.04];
    expect(seen(loose, place, rotation([0, 0, 1], 0.7), 0)).toEqual(
      seen({ vertices, triangles }, place, rotation([0, 0, 1], 0.7), 0),
    );
  });

  // 5 mm deep: a band as wide as the wheel, wherever its sides are and however its grousers stand
  test.each([
    ['smooth', 0],
    ['with grousers', 12],
  ])('a %s wheel is as wide as it is', (_name, count) => {
    const grouser = { count, height: 0.02, root: 0.03, tip: 0.025 };
    const { mesh } = wheel({ radius: 0.2, width: 0.123, segments: 120, grouser }).solid;
    const widths = [0, 0.0031, 0.0077].map((y) => {
      const turn = multiply(rotation([0, 1, 0], 0.4), rotation([1, 0, 0], 0));
      const { area } = seen(mesh, [0.002, y, count > 0 ? 0.2 : 0.195], turn, 0);
      return area;
    });
    for (const area of widths) expect(area / widths[0] - 1).toBeCloseTo(0, 9);
  });
});
