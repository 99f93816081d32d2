import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairMesh } from './repair.js';
import { openEdges } from './topology.js';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';
import { validateMesh } from './validation.js';

type Triple = [number, number, number];
const cube = (min: number, max: number, shift: Triple = [0, 0, 0]): TriangleMesh =>
  triangleMesh(
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i): Triple => [(i & 1 ? max : min) + shift[0], (i & 2 ? max : min) + shift[1], (i & 4 ? max : min) + shift[2]],
    ),
    [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
  );
const soupOf = ({ vertices, triangles }: TriangleMesh): TriangleMesh =>
  triangleMesh(
    [...triangles].flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)]),
    [...triangles.keys()],
  );
const flipped = (mesh: TriangleMesh, ...turned: number[]): TriangleMesh => {
  const triangles = mesh.triangles.slice();
  for (const t of turned) triangles.subarray(3 * t, 3 * t + 3).reverse();
  return { ...mesh, triangles };
};
const torus = (n: number, m: number): TriangleMesh => {
  const vertices: Triple[] = [];
  const triangles: Triple[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const [u, w] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m];
      const r = 1 + 0.4 * Math.cos(w);
      vertices.push([r * Math.cos(u), r * Math.sin(u), 0.4 * Math.sin(w)]);
      const [a, b] = [i * m + j, ((i + 1) % n) * m + j];
      const [c, d] = [i * m + ((j + 1) % m), ((i + 1) % n) * m + ((j + 1) % m)];
      triangles.push([a, b, d], [a, d, c]);
    }
  return triangleMesh(vertices, triangles);
};

test('a sound mesh comes back as it was', () => {
  const mesh = cube(0, 1);
  const { mesh: repaired, changes, remaining } = repairMesh(mesh, { fillHoles: true });
  expect([changes, remaining]).toEqual([[], []]);
  expect(repaired).toEqual(mesh);
});

describe('welding', () => {
  test('a soup becomes a solid', () => {
    const { mesh, changes, counts, remaining } = repairMesh(soupOf(cube(0, 1)));
    expect(validateMesh(mesh).ok).toBe(true);
    expect(counts.weldedVertices).toBe(28);
    expect(changes).toEqual(['welded 28 vertices equal to another']);
    expect(remaining).toEqual([]);
  });
  test('borders that differ in the last bits of single precision are sewn, other vertices stay apart', () => {
    const soup = soupOf(cube(0, 1, [5, 5, 5]));
    const noisy = { ...soup, vertices: soup.vertices.map((x, i) => Math.fround(x + (i % 7) * 1e-7)) };
    const { mesh, changes } = repairMesh(noisy);
    expect(validateMesh(mesh).ok).toBe(true);
    expect(mesh.vertices.length).toBe(24);
    expect(changes.join()).toMatch(/welded \d+ vertices on open edges within 1.43e-6 m of another/); // 6 m / 2²²
    expect(repairMesh(noisy, { weld: 'exact' }).remaining[0]).toMatch(/edges are still open, e.g. \(/);
  });
  test('with a tolerance', () => {
    const soup = soupOf(cube(0, 1));
    const noisy = { ...soup, vertices: soup.vertices.map((x, i) => x + (i % 5) * 1e-4) };
    expect(repairMesh(noisy).remaining).toHaveLength(1);
    expect(validateMesh(repairMesh(noisy, { weld: 2e-3 }).mesh).ok).toBe(true);
    expect(() => repairMesh(noisy, { weld: 0.5 })).toThrow(/weld.tolerance: expected/);
  });
});

describe('orienting', () => {
  test('any triangles turned round are turned back, and shells face outward', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(11)), (turned) => {
        const { mesh, counts, remaining } = repairMesh(flipped(cube(0, 1), ...turned));
        expect(validateMesh(mesh)).toMatchObject({ ok: true, volume: 1 });
        expect(counts.turnedTriangles).toBe(Math.min(turned.length, 12 - turned.length));
        expect(remaining).toEqual([]);
      }),
      { seed: 41, numRuns: 50 },
    );
  });
  test('cavities face inward, loose pieces in them outward, parts beside outward', () => {
    const mesh = joinMeshes([
      flipped(cube(-3, 3), ...Array(12).keys()),
      cube(-2, 2),
      flipped(cube(-1, 1), ...Array(12).keys()),
      cube(-1, 1, [9, 0, 0]),
    ]);
    const { mesh: repaired, changes } = repairMesh(mesh);
    expect(validateMesh(repaired)).toMatchObject({ ok: true, volume: 216 - 64 + 8 + 8 });
    expect(changes).toEqual(['turned 3 shells inside out']);
  });
  test('parts that run through each other are left as they are', () => {
    expect(repairMesh(joinMeshes([cube(0, 2), cube(1, 3)])).changes).toEqual([]);
  });
  test('a Möbius strip is told from a solid', () => {
    const n = 9;
    const points = Array.from({ length: 2 * n }, (_, i): Triple => {
      const [u, w] = [(2 * Math.PI * Math.floor(i / 2)) / n, i % 2 ? 0.3 : -0.3];
      const r = 1 + w * Math.cos(u / 2);
      return [r * Math.cos(u), r * Math.sin(u), w * Math.sin(u / 2)];
    });
    const strip = triangleMesh(
      points,
      Array.from({ length: n }, (_, i): Triple[] => {
        const [a, b] = [2 * i, 2 * i + 1];
        const [c, d] = i === n - 1 ? [1, 0] : [2 * i + 2, 2 * i + 3];
        return [
          [a, b, d],
          [a, d, c],
        ];
      }).flat(),
    );
    expect(repairMesh(strip).remaining.join()).toContain('1 edge of a one-sided surface');
  });
});

describe('triangles without area', () => {
  test('a needle and a cap put into a closed mesh leave it closed', () => {
    // the edge 0–3 of a tetrahedron carries a cap with its tip in the middle; the edge 1–2 a needle
    const [a, b, c, d, m, n] = [0, 1, 2, 3, 4, 5];
    const mesh = triangleMesh(
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.5, 1, 2 ** -60, 0],
      [a, c, b, a, b, m, m, b, d, a, m, d, a, d, c, b, c, n, n, c, d, b, n, d],
    );
    expect(openEdges(mesh)).toEqual([]);
    const before = validateMesh(mesh);
    expect(before.degenerate.count).toBeGreaterThan(1);
    const { mesh: repaired, changes, counts, remaining } = repairMesh(mesh);
    const report = validateMesh(repaired);
    expect(report.degenerate.count).toBe(0);
    expect(report).toMatchObject({ ok: true, closed: true });
    expect(report.volume).toBeCloseTo(1 / 6, 15);
    expect(remaining).toEqual([]);
    expect(counts.degenerateTriangles).toBe(mesh.triangles.length / 3 - repaired.triangles.length / 3);
    expect(changes[0]).toMatch(/removed triangles without area: 1 closed, 1 merged/);
  });
  test('whatever slivers are put along the edges of a torus, the result is closed, without them, of the same volume', () => {
    const base = torus(8, 6);
    const volume = validateMesh(base).volume;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1000), fc.constantFrom(0, 2 ** -60, 0.25, 0.5, 0.75, 1)), {
          minLength: 1,
          maxLength: 8,
        }),
        (slits) => {
          const vertices = [...base.vertices];
          const triangles = [...base.triangles];
          for (const [pick, s] of slits) {
            // side a → b of a triangle gets a vertex m on it: the triangle is cut at m, and a sliver fills the slit
            const h = pick % triangles.length;
            const t = 3 * Math.floor(h / 3);
            const [a, b, c] = [h, t + ((h + 1) % 3), t + ((h + 2) % 3)].map((i) => triangles[i]);
            const m = vertices.length / 3;
            for (let k = 0; k < 3; k++)
              vertices.push(vertices[3 * a + k] + s * (vertices[3 * b + k] - vertices[3 * a + k]));
            triangles.splice(t, 3, a, m, c, m, b, c, a, b, m);
          }
          const mesh = triangleMesh(vertices, triangles);
          expect(openEdges(mesh)).toEqual([]);
          const { mesh: repaired } = repairMesh(mesh);
          expect(openEdges(repaired)).toEqual([]);
          const report = validateMesh(repaired, { selfIntersections: false });
          expect(report.volume).toBeCloseTo(volume, 14);
          expect(report.degenerate.count).toBe(0);
        },
      ),
      { seed: 42, numRuns: 100 },
    );
  });
});

describe('duplicates', () => {
  test('a repeated triangle goes, a wall without thickness goes altogether', () => {
    const mesh = cube(0, 1);
    const { mesh: repaired, counts } = repairMesh({ ...mesh, triangles: Uint32Array.of(...mesh.triangles, 2, 3, 0) });
    expect(validateMesh(repaired)).toMatchObject({ ok: true, volume: 1 });
    expect(counts.duplicateTriangles).toBe(1);
    const sheet = triangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2, 1, 2, 0]);
    expect([...repairMesh(sheet).mesh.triangles]).toEqual([0, 1, 2]);
    // two cubes with a common face, each closed in itself: the face between them is a wall
    const both = repairMesh(joinMeshes([cube(0, 1), cube(0, 1, [1, 0, 0])]));
    expect(both.counts.duplicateTriangles).toBe(4);
    expect(validateMesh(both.mesh)).toMatchObject({ ok: true, volume: 2 });
    expect(both.mesh.triangles.length / 3).toBe(20);
  });
  test('a triangle repeated the other way round: one of the two stays', () => {
    const mesh = cube(0, 1);
    const { mesh: repaired } = repairMesh({ ...mesh, triangles: Uint32Array.of(...mesh.triangles, 0, 3, 2) });
    expect(validateMesh(repaired)).toMatchObject({ ok: true, volume: 1 });
  });
});

describe('holes', () => {
  const keep = (mesh: TriangleMesh, holds: (t: number) => boolean): TriangleMesh => ({
    ...mesh,
    triangles: mesh.triangles.filter((_, i) => holds(Math.floor(i / 3))),
  });
  test('stay open unless asked, then are closed in their plane', () => {
    const open = keep(cube(0, 1), (t) => t > 1 && t !== 4);
    expect(repairMesh(open).changes).toEqual([]);
    expect(repairMesh(open).remaining[0]).toContain('5 edges are still open');
    const { mesh, changes, counts } = repairMesh(open, { fillHoles: true });
    expect(validateMesh(mesh)).toMatchObject({ ok: true, volume: 1 });
    expect(counts).toMatchObject({ filledHoles: 1, addedTriangles: 3 });
    expect(changes[0]).toMatch(/^filled a hole of 5 edges at \(.*\) m with 3 triangles/);
  });
  test('two holes that meet in a vertex are two holes', () => {
    const { mesh, counts } = repairMesh(
      keep(cube(0, 1), (t) => t !== 0 && t !== 3),
      { fillHoles: true },
    );
    expect(counts.filledHoles).toBe(2);
    expect(validateMesh(mesh)).toMatchObject({ ok: true, volume: 1 });
  });
  test('any triangles missing from a torus: the result is closed', () => {
    const base = torus(10, 7);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(139), { maxLength: 30 }), (missing) => {
        const gone = new Set(missing);
        const { mesh, remaining } = repairMesh(
          keep(base, (t) => !gone.has(t)),
          { fillHoles: true },
        );
        expect(openEdges(mesh)).toEqual([]);
        expect(remaining).toEqual([]);
      }),
      { seed: 43, numRuns: 100 },
    );
  });
  test('a long crooked hole gets the least area or a fan', () => {
    const ring = (n: number, wave: number) => {
      const points = Array.from({ length: n }, (_, i): Triple => {
        const u = (2 * Math.PI * i) / n;
        return [Math.cos(u), Math.sin(u), wave * Math.sin(3 * u)];
      });
      points.push([0, 0, -3]);
      return triangleMesh(
        points,
        Array.from({ length: n }, (_, i): Triple => [(i + 1) % n, i, n]),
      );
    };
    for (const [n, wave, way] of [
      [60, 0.5, 'least area'],
      [60, 0, 'plane'],
      [400, 0.5, 'fan'],
    ] as const) {
      const { mesh, changes, remaining } = repairMesh(ring(n, wave), { fillHoles: true });
      expect(changes[0]).toContain(`(${way})`);
      expect(openEdges(mesh)).toEqual([]);
      // the chords of least area cut the narrow cone: that is said, and it is true
      expect(validateMesh(mesh).ok).toBe(way !== 'least area');
      expect(remaining.join().includes('run through')).toBe(way === 'least area');
    }
  });
});
