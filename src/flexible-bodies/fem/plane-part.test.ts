// Cantilever L = 1, H = 0.1, t = 0.01 m, steel: T6 20 × 2 and 40 × 4 computed by two independent programs; CalculiX CPS6 agrees to 2e-6.
import { expect, test } from 'vitest';
import { stripMesh } from '../mesh/strip.js';
import { PlanePart } from './plane-part.js';

// Tolerances: half a unit of the last digit that the references were written with.
const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850, thickness: 0.01 };
const freeBut = (part: PlanePart, held: (x: number, y: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: part.size }, (_, i) => {
    const node = i >> 1;
    return held(part.mesh.points[2 * node], part.mesh.points[2 * node + 1]) ? 0 : 1;
  });

test.each([
  [3, 40, 4, [89.086, 533.76, 1295.31, 1404.63, 2551.76, 3884.76], -1.663179e-3, 1e-5],
  [6, 20, 2, [83.07738, 498.646, 1294.823, 1314.799, 2392.912, 3656.258], -1.913163111e-3, 1e-6],
  [6, 40, 4, [83.01514, 498.03545, 1294.63248, 1311.95139, 2384.42413, 3637.00856], -1.915344689e-3, 1e-7],
] as const)('cantilever of T%i elements, %i × %i', (nodes, columns, rows, frequencies, tip, tolerance) => {
  const mesh = stripMesh([0, -0.05], [1, 0.05], columns, rows, nodes);
  const part = new PlanePart(mesh, steel);
  const free = freeBut(part, (x) => x === 0);
  const { frequencies: found } = part.modes(6, free);
  frequencies.forEach((f, k) => {
    expect(Math.abs(found[k] / (2 * Math.PI) / f - 1)).toBeLessThan(tolerance);
  });
  // 1000 N shear as uniform traction on the end
  const force = new Float64Array(part.size);
  const { sides, sideEdge } = mesh;
  for (let s = 0; s < sideEdge.length; s++) {
    if (sideEdge[s] !== 1) continue;
    const share = -1000 / rows;
    const [a, b, m] = sides.subarray(3 * s, 3 * s + 3);
    force[2 * a + 1] += share * (m < 0 ? 1 / 2 : 1 / 6);
    force[2 * b + 1] += share * (m < 0 ? 1 / 2 : 1 / 6);
    if (m >= 0) force[2 * m + 1] += share * (2 / 3);
  }
  part.factor(free).solve(force);
  const middle = Array.from({ length: mesh.nodeCount }, (_, i) => i).find(
    (i) => mesh.points[2 * i] === 1 && Math.abs(mesh.points[2 * i + 1]) < 1e-12,
  )!;
  expect(Math.abs(force[2 * middle + 1] / tip - 1)).toBeLessThan(1e-6);
});

// Coarse and fine, shifts of 1 % of the first frequency and of a third of it: their squares are rounded zeros
test.each([
  [20, 2, -1e4],
  [20, 2, -1e6],
  [80, 8, -1e3],
])('a free part has three rigid modes: %i × %i, shift %d', (columns, rows, shift) => {
  const part = new PlanePart(stripMesh([0, 0], [1, 0.1], columns, rows), steel);
  const { frequencies } = part.modes(4, new Uint8Array(part.size).fill(1), shift);
  // 1.5e-12: what is left of them without rigid motions is rounding, and counts by its square
  for (let k = 0; k < 3; k++) expect(frequencies[k] / frequencies[3]).toBeLessThan(1e-10);
});
// Two independent programs, T6 120 × 62: 178.850245, 649.244529, 682.316328, 1429.512254 Hz
test('modes of a plate with 60 000 unknowns', () => {
  const part = new PlanePart(stripMesh([0, 0], [2, 1], 120, 62), steel);
  const free = freeBut(part, (x) => x === 0);
  const ldl = part.factor(free);
  const { frequencies } = part.modes(4, free, 0, ldl);
  [178.850245, 649.244529, 682.316328, 1429.512254].forEach((f, k) => {
    expect(Math.abs(frequencies[k] / (2 * Math.PI) / f - 1)).toBeLessThan(3e-9);
  });
});
