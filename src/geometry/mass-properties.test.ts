import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Quaternion, rotate } from '../math/quaternion.js';
import { add, norm, sub, type Vec3 } from '../math/vec3.js';
import { type MassProperties, meshMassProperties, solidMassProperties } from './mass-properties.js';
import { type Form, ORIGIN, type Pose, type Solid } from './solid.js';
import { ellipsoid } from './sphere.js';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';

// 1e-15 is nine roundings: a few per term, which partly cancel over the terms. Smaller asks for luck.
const EXACT = 1e-15;

describe('closed forms of meshes', () => {
  test('boxes of any proportions, to 15 digits', () => {
    const length = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(length, length, length, fc.double({ min: 1, max: 2e4, noNaN: true }), (a, b, c, density) => {
        const { volume, area, mass, centroid, inertia } = meshMassProperties(boxMesh([a, b, c]), density);
        expect(Math.abs(volume / (a * b * c) - 1)).toBeLessThan(EXACT);
        expect(Math.abs(area / (2 * (a * b + b * c + c * a)) - 1)).toBeLessThan(EXACT);
        expect(Math.abs(mass / (density * a * b * c) - 1)).toBeLessThan(EXACT);
        expect(norm(centroid)).toBeLessThan(EXACT * norm([a, b, c]));
        const m = density * a * b * c;
        const diagonal = [(m * (b * b + c * c)) / 12, (m * (c * c + a * a)) / 12, (m * (a * a + b * b)) / 12];
        for (const k of [0, 1, 2]) expect(Math.abs(inertia[4 * k] / diagonal[k] - 1)).toBeLessThan(EXACT);
        for (const k of [1, 2, 3, 5, 6, 7]) expect(Math.abs(inertia[k])).toBeLessThan(EXACT * Math.max(...diagonal));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  // Corner tetrahedron with legs a, b, c: V = abc/6, centroid at a quarter of each leg,
  // ∫(x − x̄)² dV = 3Va²/80, ∫(x − x̄)(y − ȳ) dV = −Vab/80.
  test('corner tetrahedra, to 15 digits', () => {
    const length = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(length, length, length, (a, b, c) => {
        const { volume, centroid, inertia } = meshMassProperties(cornerTetrahedron(a, b, c));
        const V = (a * b * c) / 6;
        expect(Math.abs(volume / V - 1)).toBeLessThan(EXACT);
        expect(norm(sub(centroid, [a / 4, b / 4, c / 4]))).toBeLessThan(EXACT * norm([a, b, c]));
        const expected = [
          3 * (b * b + c * c),
          a * b,
          a * c,
          a * b,
          3 * (a * a + c * c),
          b * c,
          a * c,
          b * c,
          3 * (a * a + b * b),
        ];
        for (let k = 0; k < 9; k++)
          expect(Math.abs(inertia[k] - (V * expected[k]) / 80)).toBeLessThan(
            (EXACT * V * (a * a + b * b + c * c) * 3) / 80,
          );
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  // The inscribed polyhedron differs from its sphere or cylinder by the square of the edge length.
  test('spheres and cylinders converge at second order', () => {
    const sphere = (n: number) =>
      meshMassProperties(revolved((v) => [Math.sin(Math.PI * v), -Math.cos(Math.PI * v)], n, 2 * n));
    // Rings of a cylinder: the two rims
    const rims = (v: number) => [v > 0 && v < 1 ? 1 : 0, v < 0.5 ? -1 : 1];
    const cylinder = (n: number) => meshMassProperties(revolved(rims, 3, n));
    const errors = (p: MassProperties, volume: number, area: number, axial: number) => [
      p.volume / volume - 1,
      p.area / area - 1,
      p.inertia[8] / axial - 1,
    ];
    const ball = (n: number) => errors(sphere(n), (4 / 3) * Math.PI, 4 * Math.PI, (8 / 15) * Math.PI);
    const drum = (n: number) => errors(cylinder(n), 2 * Math.PI, 6 * Math.PI, Math.PI);
    for (const family of [ball, drum])
      for (const k of [0, 1, 2]) expect(Math.log2(family(32)[k] / family(64)[k])).toBeCloseTo(2, 1);
  });
});

describe('against exact arithmetic', () => {
  // Judge: the mesh cut into tetrahedra that fan out from an arbitrary point, each with the integrals over its four
  // corners of Tonon (2004), in whole numbers without any rounding.
  test('random closed meshes equal the sum over their tetrahedra', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const mesh = randomClosedMesh(seed);
      expectEqualToJudge(meshMassProperties(mesh, 2700), tetrahedraSum(mesh, 2700, [13n, -7n, 29n]), 1e-15);
    }
  });

  test('a part of 1 mm a kilometre away keeps what its coordinates hold', () => {
    // At 1 km coordinates have steps of 2⁻⁴³ m; the part is made of such steps, then moved without rounding.
    for (let seed = 1; seed <= 5; seed++) {
      const near = randomClosedMesh(seed, 1e-3, 43);
      const far = moved(near, [1000, -900, 800]);
      const ours = meshMassProperties(far);
      const judge = tetrahedraSum(near, 1, [0n, 0n, 0n], 43);
      expect(Math.abs(ours.volume / judge.volume - 1)).toBeLessThan(2e-15);
      for (let k = 0; k < 9; k++)
        expect(Math.abs(ours.inertia[k] - judge.inertia[k])).toBeLessThan(
          2e-15 * (judge.inertia[0] + judge.inertia[4]),
        );
      // The centroid itself is a coordinate at 1 km: half a step of 2⁻⁴³ m
      const expected = add(judge.centroid, [1000, -900, 800]);
      for (const k of [0, 1, 2]) expect(Math.abs(ours.centroid[k] - expected[k])).toBeLessThanOrEqual(2 ** -43);
    }
  });

  test('a small part with a long thin tail keeps its digits too', () => {
    // A cube of 1 mm with a needle of 1 m: the middle of the bounds is 500 mm from the centroid, 1700 radii of gyration.
    const cube = boxMesh([2 ** -10, 2 ** -10, 2 ** -10]);
    const needle = moved(boxMesh([1, 2 ** -25, 2 ** -25]), [0.5 + 2 ** -11, 0, 0]);
    const mesh = joinMeshes([cube, needle]);
    expectEqualToJudge(meshMassProperties(mesh), tetrahedraSum(mesh, 1, [0n, 0n, 0n], 40), 1e-15);
  });
});

describe('what must hold anyway', () => {
  const q: Quaternion = unit([0.3, -0.7, 0.2, 0.5]);

  test('turning a body turns its inertia and leaves the principal moments', () => {
    const mesh = randomClosedMesh(3);
    const [before, after] = [meshMassProperties(mesh), meshMassProperties(turned(q, mesh))];
    const size = before.inertia[0] + before.inertia[4] + before.inertia[8];
    expect(Math.abs(after.volume / before.volume - 1)).toBeLessThan(1e-13);
    expect(Math.abs(after.area / before.area - 1)).toBeLessThan(1e-13);
    expect(norm(sub(after.centroid, rotate(q, before.centroid)))).toBeLessThan(1e-13);
    const expected = tensorTurned(q, before.inertia);
    for (let k = 0; k < 9; k++) expect(Math.abs(after.inertia[k] - expected[k])).toBeLessThan(1e-12 * size);
    for (const k of [0, 1, 2])
      expect(Math.abs(after.principalMoments[k] / before.principalMoments[k] - 1)).toBeLessThan(1e-12);
  });

  test('principal axes and moments make up the inertia again', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { inertia, principalMoments: m, principalAxes } = meshMassProperties(randomClosedMesh(seed));
      expect(m[0] <= m[1] && m[1] <= m[2]).toBe(true);
      expect(Math.abs(Math.hypot(...principalAxes) - 1)).toBeLessThan(1e-15);
      const again = tensorTurned(principalAxes, [m[0], 0, 0, 0, m[1], 0, 0, 0, m[2]]);
      for (let k = 0; k < 9; k++) expect(Math.abs(again[k] - inertia[k])).toBeLessThan(1e-14 * m[2]);
    }
  });

  test('two bodies together: masses add, inertias add after the parallel-axis rule', () => {
    const [a, b] = [randomClosedMesh(4), moved(randomClosedMesh(5), [3, -2, 1])];
    const [pa, pb, both] = [a, b, joinMeshes([a, b])].map((mesh) => meshMassProperties(mesh, 900));
    expect(Math.abs(both.mass / (pa.mass + pb.mass) - 1)).toBeLessThan(1e-14);
    expect(Math.abs(both.area / (pa.area + pb.area) - 1)).toBeLessThan(1e-14);
    for (let k = 0; k < 3; k++)
      expect(both.centroid[k]).toBeCloseTo((pa.mass * pa.centroid[k] + pb.mass * pb.centroid[k]) / both.mass, 13);
    const sum = [pa, pb].map((p) => aboutPoint(p, both.centroid)).reduce((s, t) => s.map((x, k) => x + t[k]));
    for (let k = 0; k < 9; k++) expect(Math.abs(both.inertia[k] / sum[k] - 1)).toBeLessThan(1e-12);
  });

  test('a cavity is taken off', () => {
    const hollow = joinMeshes([boxMesh([2, 2, 2]), reversed(boxMesh([1, 1, 1]))]);
    expect(meshMassProperties(hollow).volume).toBeCloseTo(7, 14);
    expect(meshMassProperties(hollow).inertia[0]).toBeCloseTo(8 * (8 / 12) - 2 / 12, 14);
  });

  test('a mirrored mesh with its triangles reversed has the mirrored inertia', () => {
    const mesh = cornerTetrahedron(1, 2, 3);
    const mirrored = { ...mesh, vertices: mesh.vertices.map((x, i) => (i % 3 === 0 ? -x : x)) };
    const [before, after] = [meshMassProperties(mesh), meshMassProperties(reversed(mirrored))];
    expect(after.volume).toBe(before.volume);
    const signs = [1, -1, -1, -1, 1, 1, -1, 1, 1];
    for (let k = 0; k < 9; k++) expect(after.inertia[k]).toBeCloseTo(signs[k] * before.inertia[k], 14);
    expect(() => meshMassProperties(mirrored)).toThrow(
      /mesh: expected outward triangles, got a volume of -0\.99\d* m³|-1 m³/,
    );
    expect(() => meshMassProperties(mirrored)).toThrow('inside out or a mirrored copy');
  });
});

describe('exact forms', () => {
  // Solids of revolution: with r² a polynomial of z on each piece, three Gauss points integrate exactly up to z⁵.
  const r = 0.3;
  const h = 0.8;
  const halfBall = (z: number) => r * r - z * z;
  const forms: { form: Form; pieces: [number, number, (z: number) => number][]; area: number }[] = [
    { form: { kind: 'sphere', radius: r }, pieces: [[-r, r, halfBall]], area: 4 * Math.PI * r ** 2 },
    {
      form: { kind: 'cylinder', radius: r, height: h },
      pieces: [[-h / 2, h / 2, () => r * r]],
      area: 2 * Math.PI * r * h + 2 * Math.PI * r ** 2,
    },
    {
      form: { kind: 'capsule', radius: r, height: h },
      pieces: [
        [-h / 2 - r, -h / 2, (z) => halfBall(z + h / 2)],
        [-h / 2, h / 2, () => r * r],
        [h / 2, h / 2 + r, (z) => halfBall(z - h / 2)],
      ],
      area: 2 * Math.PI * r * h + 4 * Math.PI * r ** 2,
    },
    {
      // Slant height 1 m for radii 0.9 m and 0.3 m and a height of 0.8 m
      form: { kind: 'frustum', bottomRadius: 0.9, topRadius: 0.3, height: 0.8 },
      pieces: [[-h / 2, h / 2, (z) => (0.6 - 0.75 * z) ** 2]],
      area: Math.PI * (0.9 + 0.3) * 1 + Math.PI * (0.81 + 0.09),
    },
    {
      form: { kind: 'frustum', bottomRadius: 0, topRadius: 0.6, height: 0.8 },
      pieces: [[-h / 2, h / 2, (z) => (0.3 + 0.75 * z) ** 2]],
      area: Math.PI * 0.6 * 1 + Math.PI * 0.36,
    },
  ];
  test.each(forms)('$form', ({ form, pieces, area }) => {
    const integral = (f: (z: number, r2: number) => number) =>
      pieces.reduce((sum, [from, to, r2]) => sum + gauss((z) => f(z, r2(z)), from, to), 0);
    const volume = integral((_, r2) => Math.PI * r2);
    const centre = integral((z, r2) => Math.PI * r2 * z) / volume;
    const across = integral((_, r2) => (Math.PI / 4) * r2 * r2);
    const along = integral((z, r2) => Math.PI * r2 * (z - centre) ** 2);
    const ours = solidMassProperties(solid(form), 2);
    expect(Math.abs(ours.volume / volume - 1)).toBeLessThan(2e-15);
    expect(Math.abs(ours.area / area - 1)).toBeLessThan(2e-15);
    expect(ours.mass).toBe(2 * ours.volume);
    expect(Math.abs(ours.centroid[2] - centre)).toBeLessThan(1e-15);
    expect(ours.centroid.slice(0, 2)).toEqual([0, 0]);
    const expected = [2 * (across + along), 2 * (across + along), 4 * across];
    for (const k of [0, 1, 2]) expect(Math.abs(ours.inertia[4 * k] / expected[k] - 1)).toBeLessThan(3e-15);
    for (const k of [1, 2, 3, 5, 6, 7]) expect(ours.inertia[k]).toBeCloseTo(0, 20);
    const sorted = [...expected].sort((a, b) => a - b);
    for (const k of [0, 1, 2]) expect(Math.abs(ours.principalMoments[k] / sorted[k] - 1)).toBeLessThan(3e-15);
  });

  // Knud Thomsen's formula is off by 1 %; spheroids have areas in closed form, 2π a² (1 + (1 − e²)/e artanh e) flat and
  // 2π a² (1 + c/(a e) arcsin e) long; three different axes are held against a fine mesh.
  test('an ellipsoid', () => {
    const area = (radii: Vec3) => solidMassProperties(solid({ kind: 'ellipsoid', radii }), 1).area;
    const [a, c] = [0.7, 0.3];
    const flat = Math.sqrt(1 - (c / a) ** 2);
    for (const radii of [
      [a, a, c],
      [a, c, a],
      [c, a, a],
    ] as Vec3[])
      expect(area(radii) / (2 * Math.PI * a * a * (1 + ((1 - flat ** 2) / flat) * Math.atanh(flat)))).toBeCloseTo(
        1,
        14,
      );
    const long = Math.sqrt(1 - (c / a) ** 2);
    expect(area([c, c, a]) / (2 * Math.PI * c * c * (1 + (a / (c * long)) * Math.asin(long)))).toBeCloseTo(1, 14);
    expect(area([1, 1, 1]) / (4 * Math.PI)).toBeCloseTo(1, 15);
    const drawn = ellipsoid([0.2, 0.03, 0.02], { subdivision: 60 });
    const exact = solidMassProperties(drawn, 1000);
    const mesh = meshMassProperties(drawn.mesh, 1000);
    // 72 000 facets inside the surface: short of it by about (63°/60)²/6 of the volume
    expect(mesh.area / exact.area - 1).toBeLessThan(0);
    expect(Math.abs(mesh.area / exact.area - 1)).toBeLessThan(3e-4);
    expect(Math.abs(mesh.volume / exact.volume - 1)).toBeLessThan(3e-4);
    for (const k of [0, 4, 8]) expect(Math.abs(mesh.inertia[k] / exact.inertia[k] - 1)).toBeLessThan(5e-4);
    expect(exact.inertia[0]).toBeCloseTo((exact.mass * (0.03 ** 2 + 0.02 ** 2)) / 5, 14);
  });

  test('a box with a pose equals its mesh', () => {
    const size: Vec3 = [0.1, 0.2, 0.4];
    const pose: Pose = { position: [5, -3, 2], orientation: unit([1, 2, -3, 4]) };
    const mesh = moved(turned(pose.orientation, boxMesh(size)), pose.position);
    const exact = solidMassProperties({ mesh: cornerTetrahedron(1, 1, 1), form: { kind: 'box', size }, pose }, 1000);
    const drawn = meshMassProperties(mesh, 1000);
    // The mesh's corners are rounded at 5 m, 50 times its size.
    expect(exact.volume / drawn.volume).toBeCloseTo(1, 12);
    expect(exact.area / drawn.area).toBeCloseTo(1, 12);
    expect(norm(sub(exact.centroid, drawn.centroid))).toBeLessThan(1e-14);
    for (let k = 0; k < 9; k++) expect(Math.abs(exact.inertia[k] - drawn.inertia[k])).toBeLessThan(1e-12);
    for (const p of [exact, drawn]) {
      const [a, b, c] = p.principalMoments;
      const again = tensorTurned(p.principalAxes, [a, 0, 0, 0, b, 0, 0, 0, c]);
      for (let k = 0; k < 9; k++) expect(Math.abs(again[k] - exact.inertia[k])).toBeLessThan(1e-12);
    }
    expect(exact.inertia[1]).toBe(exact.inertia[3]);
  });

  test('extrusions and meshes are taken from the mesh', () => {
    const mesh = boxMesh([1, 2, 3]);
    const outer = [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const;
    const extrusion = solid({ kind: 'extrusion', profile: { outer, holes: [] }, height: 1 }, mesh);
    expect(solidMassProperties(extrusion).volume).toBe(6);
    expect(solidMassProperties(solid({ kind: 'mesh' }, mesh))).toEqual(meshMassProperties(mesh));
  });
});

describe('refusals', () => {
  test('an open mesh, with the places', () => {
    const mesh = boxMesh([2, 2, 2]);
    const open = { ...mesh, triangles: mesh.triangles.slice(3) };
    expect(() => meshMassProperties(open)).toThrow(
      /^mesh: expected a closed, oriented surface, got one with 3 open edges: \(-1, 1, -1\) to \(-1, -1, -1\), .* m; repair welds/,
    );
    const soup = triangleMesh(
      Array.from(mesh.triangles).flatMap((v) => [...mesh.vertices.slice(3 * v, 3 * v + 3)]),
      [...Array(36).keys()],
    );
    expect(() => meshMassProperties(soup)).toThrow(/got one with 36 open edges: (\(.*?\) to \(.*?\), ){5}… m/);
  });

  test('one triangle turned round', () => {
    const { vertices, triangles } = boxMesh([2, 2, 2]);
    const swapped = triangles.slice();
    [swapped[0], swapped[1]] = [triangles[1], triangles[0]];
    expect(() => meshMassProperties({ vertices, triangles: swapped })).toThrow('3 open edges');
  });

  test('inside out, flat and empty', () => {
    expect(() => meshMassProperties(reversed(boxMesh([1, 1, 1])))).toThrow('got a volume of -1 m³');
    const flat = triangleMesh(
      [
        [0, 0, 5],
        [1, 0, 5],
        [0.3, 1, 5],
      ],
      [
        [0, 1, 2],
        [2, 1, 0],
      ],
    );
    expect(() => meshMassProperties(turned(unit([1, 2, 3, 4]), flat))).toThrow('encloses no volume');
    expect(() => meshMassProperties(triangleMesh([], []))).toThrow('got no triangles');
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('a density of %s', (density) => {
    expect(() => meshMassProperties(boxMesh([1, 1, 1]), density)).toThrow(
      `density: expected a density > 0 kg/m³, got ${density}`,
    );
    expect(() => solidMassProperties(solid({ kind: 'sphere', radius: 1 }), density)).toThrow('density: expected');
  });
});

// Bodies

function boxMesh([a, b, c]: Vec3): TriangleMesh {
  const corners = [...Array(8).keys()].map(
    (i): Vec3 => [((i & 1) - 0.5) * a, (((i >> 1) & 1) - 0.5) * b, ((i >> 2) - 0.5) * c],
  );
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return triangleMesh(
    corners,
    faces.flatMap(
      ([p, q, r, s]) =>
        [
          [p, q, r],
          [p, r, s],
        ] as [number, number, number][],
    ),
  );
}

const cornerTetrahedron = (a: number, b: number, c: number): TriangleMesh =>
  triangleMesh(
    [
      [0, 0, 0],
      [a, 0, 0],
      [0, b, 0],
      [0, 0, c],
    ],
    [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ],
  );

/** Revolves points (radius, z) from pole to pole, v from 0 to 1 in n steps, around z. */
function revolved(profile: (v: number) => number[], n: number, sectors: number): TriangleMesh {
  const vertices: number[][] = [[0, 0, profile(0)[1]]];
  for (let i = 1; i < n; i++)
    for (let j = 0; j < sectors; j++) {
      const [radius, z] = profile(i / n);
      const angle = (2 * Math.PI * j) / sectors;
      vertices.push([radius * Math.cos(angle), radius * Math.sin(angle), z]);
    }
  vertices.push([0, 0, profile(1)[1]]);
  const at = (i: number, j: number) =>
    i === 0 ? 0 : i === n ? vertices.length - 1 : 1 + (i - 1) * sectors + (j % sectors);
  const triangles: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < sectors; j++) {
      if (i < n - 1) triangles.push(at(i, j), at(i + 1, j + 1), at(i + 1, j));
      if (i > 0) triangles.push(at(i, j), at(i, j + 1), at(i + 1, j + 1));
    }
  return triangleMesh(vertices.flat(), triangles);
}

/** A sphere of 16 × 32 facets with every vertex moved in and out at random; coordinates are multiples of 2^−bits m. */
function randomClosedMesh(seed: number, size = 1, bits = 20): TriangleMesh {
  const mesh = revolved((v) => [Math.sin(Math.PI * v), -Math.cos(Math.PI * v)], 16, 32);
  let x = (seed * 2654435761) | 1;
  const random = () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
  const stretch = [0.5 + random(), 0.5 + random(), 0.5 + random()];
  const vertices = mesh.vertices.slice();
  for (let i = 0; i < vertices.length; i += 3) {
    const wave = 0.6 + 0.4 * random();
    for (let k = 0; k < 3; k++)
      vertices[i + k] = Math.round(vertices[i + k] * wave * stretch[k] * size * 2 ** bits) / 2 ** bits;
  }
  return { vertices, triangles: mesh.triangles };
}

const mapped = (mesh: TriangleMesh, f: (p: Vec3) => Vec3): TriangleMesh => ({
  vertices: Float64Array.from({ length: mesh.vertices.length / 3 }, (_, i) => i).reduce((out, i) => {
    out.set(f([mesh.vertices[3 * i], mesh.vertices[3 * i + 1], mesh.vertices[3 * i + 2]]), 3 * i);
    return out;
  }, new Float64Array(mesh.vertices.length)),
  triangles: mesh.triangles,
});
const moved = (mesh: TriangleMesh, by: Vec3): TriangleMesh => mapped(mesh, (p) => add(p, by));
const turned = (q: Quaternion, mesh: TriangleMesh): TriangleMesh => mapped(mesh, (p) => rotate(q, p));
const reversed = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
  vertices,
  triangles: triangles.slice().reverse(),
});
const solid = (form: Form, mesh: TriangleMesh = boxMesh([1, 1, 1]), pose: Pose = ORIGIN): Solid => ({
  mesh,
  form,
  pose,
});

// Judges

const unit = (q: Quaternion): Quaternion => {
  const length = Math.hypot(...q);
  return q.map((x) => x / length) as unknown as Quaternion;
};

/** R T Rᵀ with R from the quaternion's matrix. */
function tensorTurned([w, x, y, z]: Quaternion, t: ArrayLike<number>): number[] {
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const out: number[] = [];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += R[i][k] * t[3 * k + l] * R[j][l];
      out.push(sum);
    }
  return out;
}

/** Inertia about another point: I + m (d² 1 − d dᵀ). */
function aboutPoint({ inertia, mass, centroid }: MassProperties, point: Vec3): number[] {
  const d = sub(centroid, point);
  const square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
  return Array.from(inertia, (x, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return x + mass * ((i === j ? square : 0) - d[i] * d[j]);
  });
}

function gauss(f: (z: number) => number, from: number, to: number): number {
  const [middle, half] = [(from + to) / 2, (to - from) / 2];
  const s = Math.sqrt(0.6) * half;
  return (half * (5 * f(middle - s) + 8 * f(middle) + 5 * f(middle + s))) / 9;
}

interface Judged {
  readonly volume: number;
  readonly centroid: Vec3;
  readonly inertia: number[];
}

/**
 * Sum over tetrahedra of `apex` and each triangle, in whole numbers: coordinates must be multiples of 2^−bits m.
 * With D = det(p₂−p₁, p₃−p₁, p₄−p₁) = 6V, over the four corners p: ∫x = D/24 Σxᵢ, ∫x² = D/60 Σ_{i≤j} xᵢxⱼ,
 * ∫xy = D/120 (2 Σ xᵢyᵢ + Σ_{i≠j} xᵢyⱼ): Tonon (2004), before the shift to the centroid.
 */
function tetrahedraSum(
  { vertices, triangles }: TriangleMesh,
  density: number,
  apex: readonly bigint[],
  bits = 20,
): Judged {
  const whole = Array.from(vertices, (x) => BigInt(x * 2 ** bits));
  let volume6 = 0n;
  const first24 = [0n, 0n, 0n];
  const second120 = Array<bigint>(9).fill(0n);
  for (let t = 0; t < triangles.length; t += 3) {
    const p = [apex, ...[0, 1, 2].map((k) => whole.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3))];
    const [u, v, w] = [1, 2, 3].map((i) => p[i].map((x, k) => x - p[0][k]));
    const D =
      u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    volume6 += D;
    for (let a = 0; a < 3; a++) {
      for (let i = 0; i < 4; i++) first24[a] += D * p[i][a];
      for (let b = 0; b < 3; b++)
        for (let i = 0; i < 4; i++)
          for (let j = 0; j < 4; j++) second120[3 * a + b] += D * p[i][a] * p[j][b] * (i === j ? 2n : 1n);
    }
  }
  // About the centroid: ∫xy − ∫x ∫y / V = S/120 − (F/24)(G/24)/(W/6) = (8 S W − 10 F G) / (960 W)
  const length = 2 ** -bits;
  const central = second120.map((S, k) => {
    const [F, G] = [first24[Math.floor(k / 3)], first24[k % 3]];
    return quotient(8n * S * volume6 - 10n * F * G, 960n * volume6) * length ** 5;
  });
  const trace = central[0] + central[4] + central[8];
  return {
    volume: quotient(volume6, 6n) * length ** 3,
    centroid: first24.map((F) => quotient(F, 4n * volume6) * length) as unknown as Vec3,
    inertia: central.map((x, k) => density * ((k % 4 === 0 ? trace : 0) - x)),
  };
}

/** n / d as a double. */
function quotient(n: bigint, d: bigint): number {
  const scaled = (n << 128n) / d;
  return Number(scaled) / 2 ** 128;
}

function expectEqualToJudge(ours: MassProperties, judge: Judged, tolerance: number): void {
  expect(Math.abs(ours.volume / judge.volume - 1)).toBeLessThan(tolerance);
  expect(norm(sub(ours.centroid, judge.centroid))).toBeLessThan(tolerance);
  const size = Math.max(...judge.inertia);
  for (let k = 0; k < 9; k++) expect(Math.abs(ours.inertia[k] - judge.inertia[k])).toBeLessThan(tolerance * size);
}
