import { describe, expect, test } from 'vitest';
import { conjugate, rotate as rotateVector } from '../math/quaternion.js';
import { sub } from '../math/vec3.js';
import { meshMassProperties, solidMassProperties } from './mass-properties.js';
import { flattened } from './outline.js';
import { profileArea } from './polygon.js';
import {
  box,
  capsule,
  cone,
  cylinder,
  disc,
  ellipsoid,
  frustum,
  regularPrism,
  sphere,
  torus,
  tube,
  wedge,
} from './primitives.js';
import type { Solid } from './solid.js';
import { type TriangleMesh, vertexAt, vertexCount } from './triangle-mesh.js';

/** Every directed edge once, its reverse once: closed, oriented, and no edge with more than two triangles. */
function isClosed({ triangles }: TriangleMesh): boolean {
  const edges = new Set<string>();
  for (let i = 0; i < triangles.length; i++) {
    const edge = `${triangles[i]},${triangles[i % 3 === 2 ? i - 2 : i + 1]}`;
    if (edges.has(edge)) return false;
    edges.add(edge);
  }
  for (const edge of edges) if (!edges.has(edge.split(',').reverse().join(','))) return false;
  return true;
}

/** Smallest angle in degrees, and areas, of the triangles that `pick` selects by their first corners. */
function quality({ vertices, triangles }: TriangleMesh, pick: (z: readonly number[]) => boolean = () => true) {
  let smallest = 180;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const corner = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[i + k], 3 * triangles[i + k] + 3));
    if (!pick(corner.map((p) => p[2]))) continue;
    const side = [0, 1, 2].map((k) => {
      const [p, q] = [corner[(k + 1) % 3], corner[(k + 2) % 3]];
      return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    });
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [side[k], side[(k + 1) % 3], side[(k + 2) % 3]];
      smallest = Math.min(smallest, (Math.acos((b * b + c * c - a * a) / (2 * b * c)) * 180) / Math.PI);
    }
    const s = (side[0] + side[1] + side[2]) / 2;
    const area = Math.sqrt(s * (s - side[0]) * (s - side[1]) * (s - side[2]));
    least = Math.min(least, area);
    most = Math.max(most, area);
  }
  return { smallest, ratio: most / least };
}

/** Vertices as a set of strings, after mirroring. */
const vertexSet = ({ vertices }: TriangleMesh, sign: readonly number[] = [1, 1, 1]): Set<string> => {
  const set = new Set<string>();
  for (let i = 0; i < vertices.length; i += 3) set.add([0, 1, 2].map((k) => 0 + sign[k] * vertices[i + k]).join(' '));
  return set;
};

const all: readonly [string, Solid][] = [
  ['box', box([1, 2, 3])],
  ['cube', box(2)],
  ['wedge', wedge({ size: [3, 2, 1], top: 1 })],
  ['ramp', wedge({ size: [3, 2, 1] })],
  ['wedge wider at the top', wedge({ size: [1, 2, 3], top: 2 })],
  ['regular prism', regularPrism({ sides: 7, radius: 1, height: 2 })],
  ['triangular prism', regularPrism({ sides: 3, radius: 1, height: 2 })],
  ['cylinder', cylinder({ radius: 1, height: 2 })],
  ['cylinder of 5', cylinder({ radius: 1, height: 2, segments: 5 })],
  ['cylinder of 1001', cylinder({ radius: 1, height: 2, segments: 1001 })],
  ['tube', tube({ outerRadius: 1, innerRadius: 0.9, height: 2 })],
  ['thick tube', tube({ outerRadius: 1, innerRadius: 0.1, height: 0.2, segments: 24 })],
  ['sphere', sphere(1)],
  ['ellipsoid', ellipsoid([1, 0.5, 2])],
  ['icosahedron', sphere(1, { subdivision: 1 })],
  ['cone', cone({ radius: 1, height: 2 })],
  ['frustum', frustum({ bottomRadius: 1, topRadius: 0.5, height: 2 })],
  ['frustum upside down', frustum({ bottomRadius: 0, topRadius: 0.5, height: 2 })],
  ['capsule', capsule({ radius: 1, height: 2 })],
  ['coarsest capsule', capsule({ radius: 1, height: 2, segments: 4 })],
  ['torus', torus({ majorRadius: 2, minorRadius: 0.5 })],
];

describe.each(all)('%s', (_, solid) => {
  test('is closed, faces outwards and is centred', () => {
    expect(isClosed(solid.mesh)).toBe(true);
    expect(meshMassProperties(solid.mesh).volume).toBeGreaterThan(0);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = 2; i < solid.mesh.vertices.length; i += 3) {
      lowest = Math.min(lowest, solid.mesh.vertices[i]);
      highest = Math.max(highest, solid.mesh.vertices[i]);
    }
    expect(lowest).toBe(-highest);
    expect([...solid.mesh.vertices].some((x) => Object.is(x, -0))).toBe(false);
  });

  test('its mesh fills its form', () => {
    const mesh = meshMassProperties(solid.mesh);
    const { form, pose } = solid;
    if (form.kind === 'extrusion') {
      // Every vertex, seen from the form's frame, is at height 0 or h, and the two ends are the profile's corners
      const corners = [form.profile.outer, ...form.profile.holes].flat().map(([x, y]) => [x, y]);
      const inverse = conjugate(pose.orientation);
      const ends = new Map([0, form.height].map((z) => [z, 0]));
      for (let i = 0; i < vertexCount(solid.mesh); i++) {
        const [x, y, z] = rotateVector(inverse, sub(vertexAt(solid.mesh, i), pose.position));
        const end = Math.abs(z) < 1e-14 ? 0 : form.height;
        expect(Math.abs(z - end)).toBeLessThan(1e-14);
        if (corners.some(([u, v]) => Math.hypot(u - x, v - y) < 1e-14)) ends.set(end, (ends.get(end) ?? 0) + 1);
      }
      expect([...ends.values()]).toEqual([corners.length, corners.length]);
      const drawn = flattened(form.profile, form.segments);
      expect(Math.abs(mesh.volume / (profileArea(drawn) * form.height) - 1)).toBeLessThan(1e-14);
    } else if (form.kind !== 'mesh' && form.kind !== 'box') {
      // Round forms hold their mesh: the polygon of n corners has 1 − (2π/n)²/6 of the circle's area
      expect(solidMassProperties(solid).volume).toBeGreaterThan(mesh.volume);
    }
  });
});

test('three numbers in place of a list are refused, for they would make a cube', () => {
  const loose = box as (...edges: number[]) => unknown;
  expect(() => loose(1, 2, 3)).toThrow('box.size: expected one list of edge lengths in m, box([1, 2, 3])');
});

test('a box is exact', () => {
  const { volume, area } = meshMassProperties(box([0.3, 0.7, 1.1]).mesh);
  expect(Math.abs(volume / (0.3 * 0.7 * 1.1) - 1)).toBeLessThan(1e-15);
  expect(Math.abs(area / (2 * (0.3 * 0.7 + 0.7 * 1.1 + 1.1 * 0.3)) - 1)).toBeLessThan(1e-15);
});

test('a wedge has the volume of its trapezium times its width', () => {
  expect(meshMassProperties(wedge({ size: [3, 2, 1], top: 1 }).mesh).volume).toBeCloseTo(((3 + 1) / 2) * 2, 14);
  expect(meshMassProperties(wedge({ size: [3, 2, 1] }).mesh).volume).toBeCloseTo(3, 14);
});

test('a regular prism has the area of its polygon, n/2 r² sin 2π/n', () => {
  for (const sides of [3, 4, 5, 6, 9, 10, 33]) {
    const exact = (sides / 2) * Math.sin((2 * Math.PI) / sides) * 4 * 0.5;
    expect(meshMassProperties(regularPrism({ sides, radius: 2, height: 0.5 }).mesh).volume / exact).toBeCloseTo(1, 13);
  }
});

test('disc is cylinder by another name', () => {
  expect(disc({ radius: 1, height: 0.1 })).toEqual(cylinder({ radius: 1, height: 0.1 }));
});

describe('triangles', () => {
  test('of a sphere are even and its vertices lie on it', () => {
    for (const subdivision of [1, 2, 3, 4, 5, 7, 8, 12, 16, 31]) {
      const { mesh } = sphere(0.3, { subdivision });
      expect(mesh.triangles.length / 3).toBe(20 * subdivision ** 2);
      expect(mesh.vertices.length / 3).toBe(10 * subdivision ** 2 + 2);
      const { smallest, ratio } = quality(mesh);
      expect(ratio).toBeLessThan(1.21);
      expect(smallest).toBeGreaterThan(53.9);
      for (let i = 0; i < mesh.vertices.length; i += 3) {
        const [x, y, z] = mesh.vertices.subarray(i, i + 3);
        // Three products, two sums, a root, a division and a product: a few roundings of 2⁻⁵³
        expect(Math.abs(Math.sqrt(x * x + y * y + z * z) / 0.3 - 1)).toBeLessThan(5e-16);
      }
    }
  });

  test('of a sphere have no edge longer than asked for, and not much shorter ones', () => {
    for (const edgeLength of [2, 1, 0.5, 0.31, 0.2, 0.1, 0.05]) {
      const { mesh } = sphere(1, { edgeLength });
      let longest = 0;
      for (let i = 0; i < mesh.triangles.length; i++) {
        const p = mesh.vertices.subarray(3 * mesh.triangles[i]);
        const q = mesh.vertices.subarray(3 * mesh.triangles[i % 3 === 2 ? i - 2 : i + 1]);
        longest = Math.max(longest, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
      }
      expect(longest).toBeLessThanOrEqual(edgeLength);
      if (edgeLength < 1) expect(longest).toBeGreaterThan(0.7 * edgeLength);
    }
  });

  test('of round ends are no slivers: every angle at least 30° from 3 to 1024 corners', () => {
    let worst = 180;
    for (const segments of [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 19, 23, 31, 33, 48, 64, 65, 127, 360, 1023, 1024,
    ]) {
      const { mesh } = cylinder({ radius: 1, height: 1, segments });
      worst = Math.min(worst, quality(mesh, ([a, b, c]) => a === b && b === c).smallest);
    }
    expect(worst).toBeGreaterThan(30);
    // The usual ones are far better; a polygon of 64 corners cut between its own corners would have 2.8° at best
    expect(
      quality(cylinder({ radius: 1, height: 1 }).mesh, ([a, b, c]) => a === b && b === c).smallest,
    ).toBeGreaterThan(44);
  });

  test('of the ends of a tube are at most twice as long as wide', () => {
    for (const innerRadius of [0.05, 0.3, 0.5, 0.9, 0.99]) {
      const { mesh } = tube({ outerRadius: 1, innerRadius, height: 1 });
      const { smallest } = quality(mesh, ([a, b, c]) => a === b && b === c);
      // arctan ½ = 26.6° for a quadrilateral twice as long as wide; a thin wall makes them wide instead
      expect(smallest).toBeGreaterThan(innerRadius < 0.95 ? 24 : 5);
    }
  });
});

test('meshes are mirror symmetric to the last bit', () => {
  const symmetric: readonly Solid[] = [
    sphere(0.7, { subdivision: 7 }),
    cylinder({ radius: 0.7, height: 0.3 }),
    capsule({ radius: 0.7, height: 0.3 }),
    tube({ outerRadius: 0.7, innerRadius: 0.3, height: 1 }),
    torus({ majorRadius: 0.7, minorRadius: 0.3 }),
  ];
  for (const { mesh } of symmetric) {
    const own = vertexSet(mesh);
    expect(own.size).toBe(mesh.vertices.length / 3);
    for (const sign of [
      [-1, 1, 1],
      [1, -1, 1],
      [1, 1, -1],
    ])
      expect(vertexSet(mesh, sign)).toEqual(own);
  }
});

describe('refuses', () => {
  test.each([
    [() => box(-1), 'box.size: expected a length > 0 m, got -1'],
    [() => box([1, Number.NaN, 1]), 'box.size.y: expected a length > 0 m, got NaN'],
    [() => cylinder({ radius: 0, height: 1 }), 'cylinder.radius: expected a length > 0 m, got 0'],
    [() => cylinder({ radius: 1, height: Number.POSITIVE_INFINITY }), 'cylinder.height'],
    [() => cylinder({ radius: 1, height: 1, segments: 2 }), 'cylinder.segments: expected a whole number from 3'],
    [() => cylinder({ radius: 1, height: 1, segments: 7.5 }), 'cylinder.segments'],
    [() => tube({ outerRadius: 1, innerRadius: 1, height: 1 }), 'tube.innerRadius: expected less than outerRadius'],
    [() => sphere(1, { subdivision: 0 }), 'sphere.subdivision'],
    [() => sphere(1, { subdivision: 2, edgeLength: 1 }), 'sphere: expected subdivision or edgeLength, got both'],
    [() => sphere(1, { edgeLength: 1e-6 }), 'sphere.edgeLength'],
    [
      () => capsule({ radius: 1, height: 1, segments: 30 }),
      'capsule.segments: expected a multiple of 4, got 30; try 32',
    ],
    [() => frustum({ bottomRadius: 0, topRadius: 0, height: 1 }), 'frustum: expected bottomRadius or topRadius > 0'],
    [() => torus({ majorRadius: 1, minorRadius: 1 }), 'torus.minorRadius: expected less than majorRadius'],
    [() => wedge({ size: [1, 1, 1], top: -1 }), 'wedge.top'],
    [() => regularPrism({ sides: 2, radius: 1, height: 1 }), 'regularPrism.sides'],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});

// Model files run without their types, so what other tools' calls look like arrives here.
describe('shapes called another way are told how they are called', () => {
  // biome-ignore lint/suspicious/noExplicitAny: what a model file without types may pass
  const any = (value: unknown) => value as any;
  test.each([
    [
      () => sphere(any({ radius: 1 })),
      'sphere.radius: expected a length > 0 m, got {"radius":1}; it is written sphere(0.1)',
    ],
    [() => sphere(any('0.1')), 'sphere.radius: expected a length > 0 m, got "0.1"; it is written sphere(0.1)'],
    [() => box(any({ size: [1, 2, 3] })), 'got undefined; it is written box([0.3, 0.2, 0.1])'],
    [() => cylinder(any(1)), 'got undefined; it is written cylinder({ radius: 0.1, height: 0.2 })'],
    [() => sphere(0), 'expected a length > 0 m, got 0'],
    [() => any(sphere)(), 'sphere.radius: expected a length > 0 m, got undefined; it is written sphere(0.1)'],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });

  test.each([
    [box, 'box', 'box([0.3, 0.2, 0.1])'],
    [wedge, 'wedge', 'wedge({ size: [0.3, 0.2, 0.1] })'],
    [regularPrism, 'regularPrism', 'regularPrism({ sides: 6, radius: 0.1, height: 0.2 })'],
    [cylinder, 'cylinder', 'cylinder({ radius: 0.1, height: 0.2 })'],
    [tube, 'tube', 'tube({ outerRadius: 0.1, innerRadius: 0.08, height: 0.2 })'],
    [cone, 'cone', 'cone({ radius: 0.1, height: 0.2 })'],
    [frustum, 'frustum', 'frustum({ bottomRadius: 0.1, topRadius: 0.05, height: 0.2 })'],
    [torus, 'torus', 'torus({ majorRadius: 0.1, minorRadius: 0.02 })'],
    [capsule, 'capsule', 'capsule({ radius: 0.1, height: 0.2 })'],
  ])('with nothing: %o', (shape, name, call) => {
    expect(() => any(shape)()).toThrow(`${name}: expected its lengths in m, got nothing; it is written ${call}`);
  });
});
