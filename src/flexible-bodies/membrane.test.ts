// Strip 0.125 × 0.003: projected Gm by a program of its own 9.60666, −0.100416, 0.016905; a beam has 6/(5 L) = 9.6, −1/10, 2 L/15 = 0.0166667
import { expect, test } from 'vitest';
import { PlanePart } from './fem/plane-part.js';
import { interfaceAt } from './interfaces.js';
import { membranesOf } from './membrane.js';
import { stripMesh } from './mesh/strip.js';
import { reducePart } from './reduction.js';

test('stress stiffness of a strip under unit pull', () => {
  const mesh = stripMesh([0, -0.0015], [0.125, 0.0015], 40, 2);
  const part = new PlanePart(mesh, { youngsModulus: 20e9, poissonRatio: 0.3, density: 1900, thickness: 1 });
  const ends = [interfaceAt(mesh, [0, 0], 0.003, 'left'), interfaceAt(mesh, [0.125, 0], 0.003, 'right')];
  const axis = { direction: [1, 0], places: [0, 0.125], leastSpan: 0 } as const;
  const [{ matrix, stiffness }] = membranesOf(part, reducePart(part, ends, 0, 0), axis);
  // E A/L, a little more: the ends cannot narrow
  expect(stiffness / ((20e9 * 0.003) / 0.125)).toBeGreaterThan(1);
  expect(stiffness / ((20e9 * 0.003) / 0.125)).toBeLessThan(1.01);
  expect(Math.abs(matrix[4] / 9.60666 - 1)).toBeLessThan(2e-3);
  expect(Math.abs(matrix[5] / -0.100416 - 1)).toBeLessThan(6e-3);
  expect(Math.abs(matrix[8] / 0.016905 - 1)).toBeLessThan(6e-3);
  expect(Math.abs(matrix[0])).toBeLessThan(1e-12);
});

// Three interfaces on a strip of Poisson's ratio 0, the frame at any of them: a span is as stiff as a bar, E A/L; its elongation is that of its own two ends, and what lengthens it lengthens no other
test.each([[[0, 0.4, 1]], [[0.4, 0, 1]], [[1, 0, 0.4]]])('spans of a strip with interfaces at %j', (xs) => {
  const flat = { youngsModulus: 1e9, poissonRatio: 0, density: 1000, thickness: 0.01 };
  const part = new PlanePart(stripMesh([0, -0.01], [1, 0.01], 20, 2), flat);
  const { points, nodeCount } = part.mesh;
  const interfaces = xs.map((x) => ({
    point: [x, 0] as const,
    nodes: Int32Array.from({ length: nodeCount }, (_, i) => i).filter((i) => Math.abs(points[2 * i] - x) < 1e-12),
  }));
  const reduced = reducePart(part, interfaces, 0, 0);
  const spans = membranesOf(part, reduced, { direction: [1, 0], places: xs, leastSpan: 0.05 });
  const lengths = [0.4, 0.6];
  expect(spans.length).toBe(2);
  const inner = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  // every interface goes on by a thousandth of its distance from the frame: even strain
  const strained = new Float64Array(reduced.count);
  xs.forEach((x, i) => {
    if (i > 0) strained[3 * (i - 1)] = 1e-3 * (x - xs[0]);
  });
  spans.forEach(({ along, shift, stiffness }, k) => {
    expect(inner(along, strained)).toBeCloseTo(1e-3 * lengths[k], 15);
    expect(stiffness / ((1e9 * 0.02 * 0.01) / lengths[k])).toBeCloseTo(1, 9);
    for (let l = 0; l < 2; l++) expect(inner(spans[l].along, shift)).toBe(k === l ? 1 : 0);
  });
});
