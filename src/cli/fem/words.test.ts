// What is typed for loads, holds and designs, as numbers in SI
import { expect, test } from 'vitest';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { stripMesh } from '../../flexible-bodies/mesh/strip.js';
import { parseCircle, parseMirror, parseVolume } from './design-words.js';
import { inertiaFields, readHolds, readLoads } from './load-words.js';
import { planePlaces } from './places.js';

// 100 × 10 mm, 2 mm thick
const mesh = stripMesh([0, 0], [0.1, 0.01], 10, 2);
const part = new PlanePart(mesh, { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850, thickness: 2e-3 });
const places = planePlaces(mesh, 2e-3, () => {});
const free = new Uint8Array(part.size).fill(1);
const total = (load: string): [number, number] => {
  const [{ force }] = readLoads(part, places, { fix: [], load: [load] }, free);
  const sum: [number, number] = [0, 0];
  force.forEach((f, i) => {
    sum[i % 2] += f;
  });
  return sum;
};

// p t h on an end of 10 mm, towards the material
test.each<[string, number]>([
  ['1Pa', 1],
  ['3kPa', 3e3],
  ['2 MPa', 2e6],
  ['2N/mm²', 2e6],
  ['1.5bar', 1.5e5],
  ['1GPa', 1e9],
])('a pressure of %s', (typed, pascal) => {
  const [x, y] = total(`right=${typed}`);
  expect(x / (-pascal * 2e-3 * 0.01)).toBeCloseTo(1, 12);
  expect(Math.abs(y)).toBeLessThan(1e-12 * Math.abs(x));
});
test.each<[string, number]>([
  ['-2kN', -2e3],
  ['3MN', 3e6],
  ['4mN', 4e-3],
  ['5', 5],
])('a force of %s', (typed, newton) => {
  expect(total(`right=0,${typed}`)[1] / newton).toBeCloseTo(1, 12);
});

test.each<[string, number]>([
  ['3000rpm', 100 * Math.PI],
  ['3000 1/min', 100 * Math.PI],
  ['50Hz', 100 * Math.PI],
  ['7rad/s', 7],
])('a spin of %s: ω² r', (typed, speed) => {
  const [{ field }] = inertiaFields(mesh.points, 2, { spin: `${typed} at 20mm,0` });
  for (const i of [0, 7, mesh.nodeCount - 1]) {
    expect(field[2 * i]).toBeCloseTo(speed ** 2 * (mesh.points[2 * i] - 0.02), 6);
    expect(field[2 * i + 1]).toBeCloseTo(speed ** 2 * mesh.points[2 * i + 1], 6);
  }
});

test('a node may be held twice where both want the same', () => {
  const {
    moved,
    holdOf,
    free: left,
  } = readHolds(places, {
    fix: ['left'],
    load: [],
    move: ['right:x=0.1mm', 'point 0.1,0.01:x=0.1mm'],
  });
  const corner = Array.from({ length: mesh.nodeCount }, (_, i) => i).find(
    (i) => mesh.points[2 * i] === 0.1 && mesh.points[2 * i + 1] === 0.01,
  )!;
  expect(moved![2 * corner]).toBe(1e-4);
  expect(holdOf[2 * corner]).toBe(1);
  expect([left[2 * corner], left[2 * corner + 1]]).toEqual([0, 1]);
});

test('volumes, mirrors and circles', () => {
  expect(parseVolume('40%')).toBe(0.4);
  expect(parseVolume(' 0.4 ')).toBe(0.4);
  expect(parseMirror('x=20mm')).toEqual({ axis: 'x', at: 0.02 });
  expect(parseMirror('y = -0.1 m')).toEqual({ axis: 'y', at: -0.1 });
  expect(parseCircle('20mm,-5mm,0.003', '--full')).toEqual({ at: [0.02, -0.005], radius: 0.003 });
});
