// Meshes as they are found: each was a closed solid of known volume before it was broken, and is one again, of the same volume where nothing of its shape was lost.
import { describe, expect, test } from 'vitest';
import { mendMesh } from './mend.js';
import { box, sphere } from './primitives.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { validateMesh } from './validation.js';

const ball = (): TriangleMesh => sphere(0.05).mesh;
const volumeOf = (mesh: TriangleMesh): number => validateMesh(mesh).volume;

/** Every triangle with vertices of its own, as STL has them; moved by up to `noise` m */
function soup({ vertices, triangles }: TriangleMesh, noise = 0): TriangleMesh {
  const own = new Float64Array(3 * triangles.length);
  triangles.forEach((v, i) => {
    for (let k = 0; k < 3; k++) own[3 * i + k] = vertices[3 * v + k] + noise * (((7 * i + 3 * k) % 11) / 11 - 0.5);
  });
  return { vertices: own, triangles: Uint32Array.from(triangles, (_, i) => i) };
}
const without = ({ vertices, triangles }: TriangleMesh, ...gone: number[]): TriangleMesh => ({
  vertices,
  triangles: triangles.filter((_, i) => !gone.includes(Math.floor(i / 3))),
});
/** Every third triangle turned round */
const flipped = ({ vertices, triangles }: TriangleMesh): TriangleMesh => {
  const turned = triangles.slice();
  for (let t = 0; t < triangles.length; t += 9) [turned[t], turned[t + 1]] = [turned[t + 1], turned[t]];
  return { vertices, triangles: turned };
};
const insideOut = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
  vertices,
  triangles: triangles.map((_, i) => triangles[i - (i % 3) + 2 - (i % 3)]),
});
const together = (a: TriangleMesh, b: TriangleMesh): TriangleMesh => ({
  vertices: Float64Array.from([...a.vertices, ...b.vertices]),
  triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((v) => v + a.vertices.length / 3)]),
});
const moved = ({ vertices, triangles }: TriangleMesh, by: number): TriangleMesh => ({
  vertices: vertices.map((x, i) => (i % 3 === 0 ? x + by : x)),
  triangles,
});
/** A corner of a triangle split off by a sliver of no width: a T-junction as CAD programs leave them */
function withSliver({ vertices, triangles }: TriangleMesh): TriangleMesh {
  const [a, b] = [triangles[0], triangles[1]];
  const n = vertices.length / 3;
  const middle = [0, 1, 2].map((k) => 0.5 * (vertices[3 * a + k] + vertices[3 * b + k]));
  return {
    vertices: Float64Array.from([...vertices, ...middle]),
    // the first triangle becomes two, and a triangle without area fills what its neighbour does not follow
    triangles: Uint32Array.from([a, n, triangles[2], n, b, triangles[2], ...triangles.slice(3), b, n, a]),
  };
}

describe('a ball that was broken is a ball again', () => {
  test.each<[string, TriangleMesh, RegExp, number]>([
    ['triangles that share no vertex', soup(ball()), /welded \d+ vertices equal/, 1e-12],
    ['with coordinates in single precision', soup(ball(), 1e-9), /on open edges within/, 1e-6],
    ['with gaps of a micron', soup(ball(), 1e-6), /welded \d+ vertices within/, 1e-3],
    ['normals this way and that', flipped(ball()), /turned \d+ triangles round/, 1e-12],
    ['inside out', insideOut(ball()), /turned 1 shell inside out/, 1e-12],
    ['a triangle missing', without(ball(), 40), /filled a hole of 3 edges/, 1e-12],
    ['several missing, unwelded', without(soup(ball()), 3, 4, 50, 90), /filled a hole/, 2e-2],
    [
      'gaps of a micron everywhere, and triangles missing',
      without(soup(ball(), 1e-6), 3, 50, 90),
      /welded.*filled a hole of 3 edges/,
      1e-3,
    ],
    ['faces twice', together(ball(), { ...ball(), triangles: ball().triangles.slice(0, 60) }), /repeat another/, 1e-12],
  ])('%s', (_, mesh, said, tolerance) => {
    expect(validateMesh(mesh).ok).toBe(false);
    const { mesh: mended, changes, remaining } = mendMesh(mesh);
    const report = validateMesh(mended);
    expect(changes.join('; ')).toMatch(said);
    expect(remaining).toEqual([]);
    expect(report.closed && report.oriented).toBe(true);
    expect(Math.abs(report.volume / volumeOf(ball()) - 1)).toBeLessThan(tolerance);
  });
});

test('a sliver goes, and the ball stays', () => {
  const { mesh, changes, remaining } = mendMesh(withSliver(ball()));
  expect(changes.join('; ')).toMatch(/without area/);
  expect(remaining).toEqual([]);
  expect(volumeOf(mesh) / volumeOf(ball())).toBeCloseTo(1, 9);
});

test('two shells beside each other stay two, both facing outward', () => {
  const pair = together(ball(), insideOut(moved(ball(), 0.2)));
  const { mesh, changes } = mendMesh(pair);
  expect(changes).toEqual(['turned 1 shell inside out']);
  expect(volumeOf(mesh) / volumeOf(ball())).toBeCloseTo(2, 10);
});

test('a box without a lid gets one; a single sheet cannot be closed and that is said', () => {
  const open = without(box([0.1, 0.1, 0.1]).mesh, 0, 1);
  const { mesh, changes } = mendMesh(open);
  expect(changes.some((line) => line.startsWith('filled a hole of 4 edges'))).toBe(true);
  expect(volumeOf(mesh)).toBeCloseTo(1e-3, 12);
  const sheet = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
  const { mesh: flat, remaining } = mendMesh(sheet);
  expect(validateMesh(flat).ok).toBe(false);
  expect(remaining.length).toBeGreaterThan(0);
});
