// Contact in closed form against integration by slices, constructive solid geometry of fine meshes, and limits of small depth.
import { describe, expect, test } from 'vitest';
import { box, capsule, cylinder, halfSpace, type Solid, sphere, type TriangleMesh } from '../../src/geometry/index.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { random } from '../../src/math/random.js';
import { BallOverlap, CROWN } from '../../src/narrow-phase/closed-form/index.js';
import type { ContactPatches } from '../../src/narrow-phase/contact-patches.js';
import { frame, RoutedPair } from '../fixtures/closed-form.js';
import { at, HERE, oracle } from '../fixtures/overlap.js';

/** ∫ f over [a, b] by Gauss–Legendre with 3 points on n pieces: exact for polynomials of degree 5. */
function integral(f: (x: number) => number, a: number, b: number, n = 400): number {
  const h = (b - a) / n;
  const g = Math.sqrt(0.6) / 2;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const m = a + (i + 0.5) * h;
    sum += (h / 18) * (5 * f(m - g * h) + 8 * f(m) + 5 * f(m + g * h));
  }
  return sum;
}

// Discs of both balls along the axis; the zone of the first ball's surface is 2πr dz wide everywhere. Integrands are polynomials
// but for one kink, where the two discs are equal, so the pieces are laid to meet there; what is left is rounding.
describe('all integrals of the lens, by slices', () => {
  const draw = random('lens');
  test.each(Array.from({ length: 12 }, (_, i) => i))('radii and depths at random, %i', (i) => {
    const r = 0.2 + draw.uniform();
    const R = i < 3 ? Infinity : 0.2 + draw.uniform();
    const d = 2 * Math.min(r, R) * (0.02 + 0.95 * draw.uniform());
    const D = R + r - d; // the ball's centre at 0, the other's at D
    const low = r - d; // where the other body begins
    const circle = R === Infinity ? low : (D * D + r * r - R * R) / (2 * D);
    const disc = (z: number) => (z > circle ? r * r - z * z : R * R - (z - D) ** 2);
    const both = (f: (z: number) => number) => (low < circle ? integral(f, low, circle) : 0) + integral(f, circle, r);
    const volume = both((z) => Math.PI * disc(z));
    const first = both((z) => Math.PI * disc(z) * z);
    const zone = (f: (z: number) => number) => integral((z) => 2 * Math.PI * r * f(z), circle, r);
    const area = zone(() => 1);
    const middle = zone((z) => z) / area;

    const overlap = new BallOverlap();
    overlap.evaluate(r, 1 / R, d);
    expect(overlap.contained).toBe(false);
    const close = (value: number, expected: number, size: number) =>
      expect(Math.abs(value - expected)).toBeLessThan(1e-13 * size + 1e-11 * Math.abs(expected));
    close(overlap.volume, volume, 0);
    close(overlap.volumeByDepth, Math.PI * (r * r - circle * circle), 0);
    close(overlap.centroid, first / volume, 1);
    close(overlap.area, area, 0);
    close(overlap.patchCentroid, middle, 1);
    close(
      overlap.momentAlong,
      zone((z) => (z - middle) ** 2),
      0.1,
    );
    close(
      overlap.momentAcross,
      zone((z) => (r * r - z * z) / 2),
      0.1,
    );
  });
});

// V = π d² r_e, S = 2π r_e d, 1/r_e = 1/r + κ, with relative corrections of order d/r
test.each([1e-3, 1e-8, 1e-12, 1e-15])('the lens at a depth of %f radii', (d) => {
  for (const kappa of [0, 0.3, 5]) {
    const overlap = new BallOverlap();
    overlap.evaluate(1, kappa, d);
    const reduced = 1 / (1 + kappa);
    expect(Math.abs(overlap.volume / (Math.PI * d * d * reduced) - 1)).toBeLessThan(d * (1 + kappa) + 1e-15);
    expect(Math.abs(overlap.volumeByDepth / (2 * Math.PI * d * reduced) - 1)).toBeLessThan(d * (1 + kappa) + 1e-15);
    // the centroid lies d (2 + κ)/(3 (1 + κ)) below the ball's apex: two thirds of the depth in a plane, half of it in an equal ball
    const below = (d * (2 + kappa)) / (3 * (1 + kappa));
    expect(Math.abs(1 - overlap.centroid - below)).toBeLessThan(3e-16 + (1 + kappa) * d * d);
  }
});

test('spheres that touch with 1e-12 of a radius, far from the origin too', () => {
  for (const R of [1e-6, 1, 100]) {
    const pair = new RoutedPair(sphere(R), sphere(R / 2));
    for (const direction of [0.1, 1, 2.5]) {
      const D = 1.5 * R * (1 - 1e-12);
      const found = pair.find(frame([0, 0, 0]), frame([D * Math.cos(direction), 0, D * Math.sin(direction)]));
      // the coordinates carry 1e-16 of the radius, a few 1e-4 of the depth
      const d = 1.5e-12 * R;
      expect(found.depth[0] / d).toBeCloseTo(1, 3);
      expect(found.volume[0] / (Math.PI * d * d * (R / 3))).toBeCloseTo(1, 2);
      expect(found.vectorArea[0] / (2 * Math.PI * (R / 3) * d * Math.cos(direction))).toBeCloseTo(1, 3);
      const apart = frame([1.5 * R * (1 + 1e-12), 0, 0]);
      expect(pair.find(frame([0, 0, 0]), apart).count).toBe(0);
      expect(pair.separate(frame([0, 0, 0]), apart).distance / d).toBeCloseTo(1, 3);
    }
  }
});

// Meshes with n pieces an edge: the error of volume, centroid and so on falls as 1/n².
describe('fine meshes approach the closed form at second order', () => {
  const cases: [string, (n: number) => TriangleMesh, (n: number) => TriangleMesh, [Solid, Solid], number[]][] = [
    [
      'sphere–sphere',
      (n) => sphere(0.5, { subdivision: n }).mesh,
      (n) => sphere(0.3, { subdivision: n }).mesh,
      [sphere(0.5), sphere(0.3)],
      [0.3, 0.2, 0.55],
    ],
    [
      'sphere–half-space',
      (n) => sphere(0.5, { subdivision: n }).mesh,
      () => halfSpace({ extent: 100 }).mesh,
      [sphere(0.5), halfSpace()],
      [0.1, 0.05, -0.4],
    ],
    [
      'sphere–box',
      (n) => sphere(0.5, { subdivision: n }).mesh,
      () => box([3, 3, 2]).mesh,
      [sphere(0.5), box([3, 3, 2])],
      [0.1, 0.2, -1.35],
    ],
  ];
  test.each(cases)('%s', (_, meshA, meshB, [a, b], shift) => {
    const [x, y, z] = shift;
    const tilt = { ...at(x, y, z), orientation: fromAxisAngle([0, 0, 1], 0.3) };
    const found = new RoutedPair(a, b).find(frame([0, 0, 0]), frame([x, y, z], tilt.orientation));
    const errors = [8, 16, 32].map((n) => {
      const reference = oracle(meshA(n), HERE, meshB(n), tilt)!;
      const c = reference.centroid;
      const off = Math.hypot(...[0, 1, 2].map((k) => found.centroid[k] - c[k]));
      return [Math.abs(reference.volume / found.volume[0] - 1), off];
    });
    expect(errors[2][0]).toBeLessThan(6e-3);
    expect(errors[2][1]).toBeLessThan(5e-4);
    // each doubling divides the error by four, more or less as the facets happen to lie
    expect(errors[0][0] / errors[2][0]).toBeGreaterThan(10);
    expect(errors[0][0] / errors[2][0]).toBeLessThan(25);
  });
});

// A ball on the side of a cylinder: slices across the cylinder's axis are lenses of two circles.
test('on the side of a cylinder the volume is right to first order in the depth', () => {
  const [r, R] = [0.3, 0.7];
  const pair = new RoutedPair(sphere(r), cylinder({ radius: R, height: 4 }));
  const capsuled = new RoutedPair(sphere(r), capsule({ radius: R, height: 4 }));
  const exact = (d: number): number => {
    const D = R + r - d;
    const lens = (p: number): number => {
      if (p <= D - R) return 0;
      const u = (D * D + p * p - R * R) / (2 * D);
      const v = D - u;
      const half = Math.sqrt(Math.max(0, p * p - u * u));
      return p * p * Math.acos(u / p) + R * R * Math.acos(v / R) - D * half;
    };
    // z = z₁ sin t takes away the edge where the slices vanish
    const end = Math.sqrt(r * r - (D - R) ** 2);
    return (
      2 * integral((t) => lens(Math.sqrt(r * r - (end * Math.sin(t)) ** 2)) * end * Math.cos(t), 0, Math.PI / 2, 200)
    );
  };
  const errors = [0.08, 0.04, 0.02, 0.01].map((d) => {
    const there = frame([R + r - d, 0, 0.2]);
    const found = pair.find(there, frame([0, 0, 0])).volume[0];
    expect(capsuled.find(there, frame([0, 0, 0])).volume[0] / found).toBeCloseTo(1, 13);
    return Math.abs(found / exact(d) - 1);
  });
  expect(errors[3]).toBeLessThan(1e-3);
  for (let i = 1; i < 4; i++) expect(errors[i] / errors[i - 1]).toBeLessThan(0.6);
});

test('on the end of a capsule all is that of a sphere', () => {
  const ball = sphere(0.3);
  const end = new RoutedPair(ball, capsule({ radius: 0.4, height: 2 }));
  const round = new RoutedPair(ball, sphere(0.4));
  const p = frame([0.3, -0.2, 1.5]);
  const one = end.find(p, frame([0, 0, 0]));
  const two = round.find(p, frame([0, 0, 1]));
  const names = [
    'volume',
    'depth',
    'area',
    'centroid',
    'normal',
    'vectorArea',
    'patchCentroid',
    'secondMoments',
  ] as const;
  const row = (patches: ContactPatches) =>
    names.flatMap((name) => [...patches[name].slice(0, name === 'secondMoments' ? 6 : 3)]);
  const expected = row(two);
  row(one).forEach((x, k) => {
    expect(x).toBeCloseTo(expected[k], 14);
  });
  one.gradient.slice(0, 54).forEach((x, k) => {
    // about the sphere's centre every turn is none
    if (k % 6 < 3) expect(x).toBeCloseTo(two.gradient[k], 13);
  });
});

// Crossed at the middle: the balls about the nearest points are the whole of the distance, the crown has no part in it.
test('crossing capsules: distance of their axes', () => {
  const pair = new RoutedPair(capsule({ radius: 0.2, height: 1 }), capsule({ radius: 0.1, height: 2 }));
  const turned = fromAxisAngle([1, 0, 0], 0.7);
  const found = pair.find(frame([0, 0, 0]), frame([0.29, 0, 0], turned));
  expect(found.depth[0]).toBeCloseTo(0.01, 14);
  expect([...found.normal.slice(0, 3)]).toEqual([1, 0, 0]);
  expect(found.centroid[0]).toBeGreaterThan(0.19);
  expect(found.centroid[0]).toBeLessThan(0.2);
  expect(pair.separate(frame([0, 0, 0]), frame([0.35, 0, 0], turned)).distance).toBeCloseTo(0.05, 14);
  // end to end the crown takes CROWN of the radii off, no more
  const flush = pair.find(frame([0, 0, 0]), frame([0, 0, 1.79]));
  expect(flush.depth[0]).toBeLessThan(0.01);
  expect(flush.depth[0]).toBeGreaterThan(0.01 - 1.1e-4 * 0.3);
});

// The nearest points of two segments, against a search on a grid.
test('separation of capsules', () => {
  const draw = random('segments');
  const pair = new RoutedPair(capsule({ radius: 0.1, height: 1 }), capsule({ radius: 0.2, height: 1.5 }));
  for (let k = 0; k < 40; k++) {
    const parallel = k % 4 === 0;
    const q = parallel ? ([1, 0, 0, 0] as const) : draw.rotation();
    const [x, y, z] = draw.inSphere();
    const there = frame([2 * x, 2 * y, 3 * z], q);
    const { distance } = pair.separate(frame([0, 0, 0]), there);
    const r = pair.poses.rotation;
    let least = Infinity;
    for (let i = -50; i <= 50; i++)
      for (let j = -75; j <= 75; j++) {
        const [s, t] = [i / 100, j / 100];
        least = Math.min(least, Math.hypot(2 * x + t * r[11], 2 * y + t * r[14], 3 * z + t * r[17] - s));
      }
    const grid = Math.max(0, least - 0.3);
    // the surfaces that press are crowned: thinner by CROWN of the radii at the ends, no more
    expect(distance).toBeLessThanOrEqual(grid + CROWN * 0.3);
    expect(distance).toBeGreaterThan(grid - 8e-3); // half a cell's diagonal
  }
});
