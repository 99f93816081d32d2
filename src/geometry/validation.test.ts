import { describe, expect, test } from 'vitest';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';
import { describeReport, requireSolid, validateMesh } from './validation.js';
import { weldMesh } from './weld.js';

type Triple = [number, number, number];
const cube = (min: number, max: number, shift: Triple = [0, 0, 0]): TriangleMesh =>
  triangleMesh(
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i): Triple => [(i & 1 ? max : min) + shift[0], (i & 2 ? max : min) + shift[1], (i & 4 ? max : min) + shift[2]],
    ),
    [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
  );
const reversed = (mesh: TriangleMesh): TriangleMesh => ({ ...mesh, triangles: mesh.triangles.slice().reverse() });
const without = (mesh: TriangleMesh, t: number): TriangleMesh => ({
  ...mesh,
  triangles: mesh.triangles.filter((_, i) => Math.floor(i / 3) !== t),
});
const kindsOf = (mesh: TriangleMesh) => validateMesh(mesh).shells.list.map(({ kind, inside }) => [kind, inside]);

describe('a sound mesh', () => {
  test('a cube is a solid and nothing is said against it', () => {
    const report = validateMesh(cube(0, 2));
    expect(report).toMatchObject({ ok: true, closed: true, oriented: true, volume: 8, unusedVertices: 0 });
    expect(report.edges).toEqual({ open: 0, flipped: 0, nonManifold: 0, list: [] });
    expect(describeReport(report)).toEqual(['a solid: 12 triangles, 8 vertices, 1 solid shell, volume 8 m³']);
    expect(requireSolid(cube(0, 2), 'part').ok).toBe(true);
  });
  test('a cavity, a loose piece in the cavity, a second part beside', () => {
    const mesh = joinMeshes([cube(-3, 3), reversed(cube(-2, 2)), cube(-1, 1), cube(-1, 1, [9, 0, 0])]);
    const report = validateMesh(mesh);
    expect(report.ok).toBe(true);
    expect(report.volume).toBe(216 - 64 + 8 + 8);
    expect(kindsOf(mesh)).toEqual([
      ['solid', -1],
      ['cavity', 0],
      ['solid', 1],
      ['solid', -1],
    ]);
    expect(describeReport(report)[0]).toContain('3 solid shells, 1 cavity');
  });
  test('solids that touch in an edge or a vertex are solids; it is said', () => {
    const edge = validateMesh(weldMesh(joinMeshes([cube(0, 1), cube(1, 2, [0, 0, -1])])));
    expect(edge).toMatchObject({ ok: true, closed: true, oriented: true });
    expect(edge.edges).toMatchObject({ nonManifold: 1, open: 0 });
    expect(describeReport(edge)[1]).toMatch(/^1 edge has more than two triangles: \(1, 1, 0\) – \(1, 1, 1\) m/);
    const corner = validateMesh(weldMesh(joinMeshes([cube(0, 1), cube(1, 2)])));
    expect(corner.ok).toBe(true);
    expect(corner.pinched).toEqual({ count: 1, list: [{ vertex: 7, at: [1, 1, 1] }] });
    expect(corner.shells.count).toBe(2);
  });
  test('far from the origin the volume keeps its digits', () => {
    expect(validateMesh(cube(0, 0.5, [1e6, 1e6, 1e6])).volume).toBe(0.125);
  });
});

describe('what is wrong is found, with coordinates', () => {
  test('a hole', () => {
    const report = validateMesh(without(cube(0, 1), 3));
    expect(report).toMatchObject({ ok: false, closed: false, oriented: true });
    expect(report.edges.open).toBe(3);
    expect(report.edges.list[0]).toEqual({
      kind: 'open',
      vertices: [4, 6],
      from: [0, 0, 1],
      to: [0, 1, 1],
      triangles: [7],
    });
    expect(report.shells.kinds.open).toBe(1);
    expect(describeReport(report)[1]).toContain('(0, 0, 1) – (0, 1, 1) m');
    expect(() => requireSolid(without(cube(0, 1), 3), 'bodies.rack.shape')).toThrow(
      /^bodies.rack.shape: expected a closed solid, got not a solid: .*3 edges have a triangle on one side only: \(0, 0, 1\)/,
    );
  });
  test('a triangle the wrong way round', () => {
    const mesh = cube(0, 1);
    mesh.triangles.set([0, 3, 2], 0);
    const report = validateMesh(mesh);
    expect(report).toMatchObject({ ok: false, closed: true, oriented: false });
    expect(report.edges).toMatchObject({ flipped: 3, open: 0 });
  });
  test('an unwelded soup', () => {
    const { vertices, triangles } = cube(0, 1);
    const soup = triangleMesh(
      [...triangles].flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)]),
      [...triangles.keys()],
    );
    const report = validateMesh(soup);
    expect(report).toMatchObject({ ok: false, closed: false, duplicateVertices: 28 });
    expect(report.edges.open).toBe(36);
    expect(report.edges.list).toHaveLength(20);
    expect(report.selfIntersections).toMatchObject({ crossing: 0, overlapping: 0, touching: 0 });
    expect(describeReport(report)[1]).toContain('28 vertices repeat another: weld them');
  });
  test('inside out, nested the wrong way', () => {
    expect(kindsOf(reversed(cube(0, 1)))).toEqual([['inside-out', -1]]);
    const nested = joinMeshes([cube(-2, 2), cube(-1, 1)]);
    expect(kindsOf(nested)).toEqual([
      ['solid', -1],
      ['nested', 0],
    ]);
    expect(validateMesh(nested).ok).toBe(false);
    expect(describeReport(validateMesh(nested))[1]).toContain('shell 1. Make it a cavity');
  });
  test('a shell inside another that touches it with all its vertices', () => {
    // an octahedron with its corners in the middle of the cube's faces
    const octahedron = triangleMesh(
      [-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1],
      [1, 3, 5, 3, 0, 5, 0, 2, 5, 2, 1, 5, 3, 1, 4, 0, 3, 4, 2, 0, 4, 1, 2, 4],
    );
    const report = validateMesh(joinMeshes([cube(-1, 1), reversed(octahedron)]));
    expect(report.volume).toBeCloseTo(8 - 4 / 3, 14);
    expect(report.shells.list[1]).toMatchObject({ kind: 'cavity', inside: 0 });
    expect(report.ok).toBe(true);
    expect(report.selfIntersections!.touching).toBeGreaterThan(0);
  });
  test('parts that run through each other', () => {
    const report = validateMesh(joinMeshes([cube(0, 2), cube(1, 3)]));
    expect(report).toMatchObject({ ok: false, closed: true, oriented: true });
    expect(report.selfIntersections!.crossing).toBeGreaterThan(0);
    expect(describeReport(report)[1]).toMatch(
      /^6 pairs of triangles run through each other .* at \(1.5, 1, 2\) m; .* and 3 more\. Unite the parts \(CSG union\)/,
    );
    expect(
      validateMesh(joinMeshes([cube(0, 2), cube(1, 3)]), { selfIntersections: false }).selfIntersections,
    ).toBeNull();
  });
  test('duplicates, triangles without area, a sheet, unused vertices, nothing', () => {
    const mesh = cube(0, 1);
    const doubled = { ...mesh, triangles: Uint32Array.of(...mesh.triangles, 3, 0, 2, 5, 5, 1) };
    const report = validateMesh(doubled);
    expect(report.duplicate).toEqual({ count: 1, list: [[0, 12]] });
    expect(report.degenerate).toEqual({ count: 1, list: [13] });
    expect(report.ok).toBe(false);
    const sheet = triangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 7, 7], [0, 1, 2, 0, 2, 1]);
    expect(validateMesh(sheet)).toMatchObject({ ok: false, closed: true, unusedVertices: 1 });
    expect(kindsOf(sheet)).toEqual([['flat', -1]]);
    const empty = { vertices: new Float64Array(0), triangles: new Uint32Array(0) };
    expect(validateMesh(empty).ok).toBe(false);
    expect(describeReport(validateMesh(empty))).toHaveLength(2);
  });
  test('no area means no more than the rounding of coordinates', () => {
    const thin = (height: number, at: number) =>
      validateMesh(triangleMesh([at, 0, 0, at + 1, 0, 0, at + 0.5, height, 0], [0, 1, 2])).degenerate.count;
    expect([thin(0, 0), thin(1e-16, 0), thin(1e-14, 0), thin(1e-14, 1000), thin(1e-9, 1000)]).toEqual([1, 1, 0, 1, 0]);
  });
  test('a hundred thousand triangles take about a second or two', () => {
    const [n, m] = [250, 200];
    const vertices: number[] = [];
    const triangles: number[] = [];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < m; j++) {
        const [u, w] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m];
        const r = 1 + 0.4 * Math.cos(w);
        vertices.push(r * Math.cos(u), r * Math.sin(u), 0.4 * Math.sin(w));
        const [a, b] = [i * m + j, ((i + 1) % n) * m + j];
        const [c, d] = [i * m + ((j + 1) % m), ((i + 1) % n) * m + ((j + 1) % m)];
        triangles.push(a, b, d, a, d, c);
      }
    const before = performance.now();
    const report = validateMesh(triangleMesh(vertices, triangles));
    expect(report.ok).toBe(true);
    expect(performance.now() - before).toBeLessThan(15_000); // loose: guards against the wrong complexity
  });
});
