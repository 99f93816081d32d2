import { describe, expect, test } from 'vitest';
import { frame, measures, RoutedPair } from '../../../tests/fixtures/closed-form.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { cylinder, halfSpace } from '../../geometry/index.js';
import { fromAxisAngle, type Quaternion } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { type ContactPatches, PATCH } from '../contact-patches.js';
import { halfSpaceRoute } from '../half-space-overlap/index.js';
import { CylinderSection } from './cylinder-section.js';
import { CYLINDER } from './sphere-cylinder.js';

const R = 0.5;
const H = 0.8;
const GROUND = frame([0, 0, 0]);
const exact = (radius = R, height = H) => new RoutedPair(halfSpace(), cylinder({ radius, height }));
/** Axis turned by an angle from upright */
const tilted = (angle: number): Quaternion => fromAxisAngle([0, 1, 0], angle);
/** Height of the centre at which the lowest point is so deep */
const sunk = (angle: number, depth: number, radius = R, height = H): number =>
  Math.abs(Math.sin(angle)) * radius + 0.5 * Math.abs(Math.cos(angle)) * height - depth;
const ratio = (a: number, b: number) => Math.abs(a / b - 1);

describe('closed forms', () => {
  test.each([0.3, 1e-3, 1e-6, 1e-9, 1e-12])('a disc standing, %s m deep', (depth) => {
    const given = 0.5 * H - (0.5 * H - depth); // the depth that the coordinates hold
    const pair = exact();
    for (const orientation of [tilted(0), tilted(Math.PI)]) {
      const p = pair.find(GROUND, frame([3, -4, 0.5 * H - depth], orientation));
      expect(p.count).toBe(1);
      // turned over by a quaternion it leans by 1e-16, which deepens the lowest point by 1e-16 R and moves the centroid by 1e-16 R²/4d
      const tolerance = 1e-14 + (orientation[0] === 1 ? 0 : 1e-16 / given);
      expect(ratio(p.area[0], Math.PI * R * R)).toBeLessThan(1e-14);
      expect(ratio(p.volume[0], Math.PI * R * R * given)).toBeLessThan(tolerance);
      expect(ratio(p.depth[0], 2 * given)).toBeLessThan(tolerance);
      expect(ratio(p.extent[0], given)).toBeLessThan(tolerance);
      expect(Math.abs(p.centroid[0] - 3)).toBeLessThan(tolerance);
      expect(Math.abs(p.centroid[1] + 4)).toBeLessThan(tolerance);
      expect(p.centroid[2]).toBeCloseTo(-given / 2, 14);
      for (let k = 0; k < 2; k++) expect(p.secondMoments[k]).toBeCloseTo((Math.PI * R ** 4) / 4, 14);
      expect(p.secondMoments[2]).toBeCloseTo(0, 14);
      expect([...p.normal.slice(0, 3)]).toEqual([0, 0, 1]);
      expect(p.feature[1]).toBe(orientation[0] === 1 ? CYLINDER.bottom : CYLINDER.top);
      // The volume falls by its area, the depth by twice the way
      expect(p.gradient[2]).toBeCloseTo(-Math.PI * R * R, 13);
      expect(p.gradient[8]).toBeCloseTo(-2, 12);
    }
  });

  // A segment of height d: area R² (θ − sin θ cos θ), cos θ = 1 − d/R, chord 2 R sin θ, its centroid ⅔ R sin³θ/(θ − sin θ cos θ) from the axis
  test.each([0.9, 0.5, 0.1, 1e-3])('a cylinder lying, %s m deep', (depth) => {
    const p = exact().find(GROUND, frame([0, 0, R - depth], tilted(Math.PI / 2)));
    const theta = Math.acos(1 - depth / R);
    const segment = R * R * (theta - Math.sin(theta) * Math.cos(theta));
    const chord = 2 * R * Math.sin(theta);
    // acos − sin cos of the reference cancels: 1e-16/θ³
    const tolerance = 1e-14 + 1e-15 / theta ** 3;
    expect(ratio(p.volume[0], segment * H)).toBeLessThan(tolerance);
    expect(ratio(p.area[0], chord * H)).toBeLessThan(1e-12);
    expect(p.centroid[2]).toBeCloseTo(R - depth - (2 * (R * Math.sin(theta)) ** 3) / (3 * segment), 11);
    expect(p.secondMoments[0]).toBeCloseTo((chord * H ** 3) / 12, 13);
    expect(p.secondMoments[1]).toBeCloseTo((chord ** 3 * H) / 12, 13);
    expect(ratio(p.depth[0], Math.min(2 * depth, (2 * segment) / chord))).toBeLessThan(tolerance + 1e-12);
    expect(p.feature[1]).toBe(CYLINDER.side);
  });

  // Archimedes' hoof: cut through a diameter of its end, a cylinder loses ⅔ R² h, h the height of the cut at the side; and a cut through
  // the whole side leaves π R² times the length of the axis.
  test('hoof and slanted end', () => {
    for (const angle of [0.1, 0.5, 1]) {
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      const section = new CylinderSection(R, 100);
      section.cut(R * s, s, c);
      expect(ratio(section.volume, ((2 / 3) * R ** 3 * s) / c)).toBeLessThan(1e-14);
      expect(ratio(section.area, (0.5 * Math.PI * R * R) / c)).toBeLessThan(1e-14);
      section.cut(R * s + 3 * c, s, c);
      expect(ratio(section.volume, Math.PI * R * R * 3)).toBeLessThan(1e-14);
      expect(ratio(section.area, (Math.PI * R * R) / c)).toBeLessThan(1e-14);
    }
  });

  // A rim that just dips in, w = 2 √(2 R t): V = 8/15 √(2R) d^(5/2)/(s^(3/2) c), A = 4/3 √(2R) (d/s)^(3/2)/c, to d/R
  test.each([1e-6, 1e-9, 1e-12, 1e-15])('a rim %s m deep', (depth) => {
    const [s, c] = [0.6, 0.8];
    const section = new CylinderSection(R, H);
    section.cut(depth, s, c);
    const tolerance = 1e-14 + depth / R;
    expect(ratio(section.volume, ((8 / 15) * Math.sqrt(2 * R) * depth ** 2.5) / (s ** 1.5 * c))).toBeLessThan(
      tolerance,
    );
    expect(ratio(section.area, ((4 / 3) * Math.sqrt(2 * R) * (depth / s) ** 1.5) / c)).toBeLessThan(tolerance);
    expect(ratio(section.areaByZ, (-2 * Math.sqrt((2 * R * depth) / s)) / s)).toBeLessThan(tolerance);
  });

  test('wholly below: flagged, all of its volume, twice its extent', () => {
    for (const angle of [0, 0.4, Math.PI / 2]) {
      const { flags, volume, normal, vectorArea, depth, extent, centroid } = exact().find(
        GROUND,
        frame([0, 0, -5], tilted(angle)),
      );
      expect(flags[0]).toBe(PATCH.contained);
      expect(volume[0]).toBeCloseTo(Math.PI * R * R * H, 14);
      expect([...normal.slice(0, 3)]).toEqual([0, 0, 1]);
      expect([...vectorArea.slice(0, 3)]).toEqual([0, 0, 0]);
      expect(extent[0]).toBeCloseTo(2 * sunk(angle, 0), 14);
      expect(depth[0]).toBeCloseTo(2 * extent[0], 14);
      expect(centroid[2]).toBeCloseTo(-5, 14);
    }
  });
});

// A prism inscribed with n sides misses the circle by 1/n²: what it finds lies within 6/n² of the exact rows, for sizes near 1.
describe('prisms of more and more sides approach it in second order', () => {
  const KEYS = ['volume', 'depth', 'area', 'centroid', 'moment', 'patchCentroid', 'secondMoments', 'extent'] as const;
  test.each([
    ['standing', 0.02, 0.1],
    ['on its rim', 0.7, 0.2],
    ['on its side', 1.4, 0.3],
    ['on its side, deep', 1.5, 0.7],
    ['head down', 2.6, 0.3],
  ])('%s', (_, angle, depth) => {
    const placement = frame([0.1, -0.2, sunk(angle, depth)], tilted(angle));
    const found = exact().find(GROUND, placement);
    for (const segments of [64, 256, 1024]) {
      const solid = cylinder({ radius: R, height: H, segments });
      const other = new OnRoute(halfSpaceRoute(halfSpace(), solid, 0, 1)!).find(GROUND, placement);
      expect(other.count).toBe(1);
      for (const key of KEYS) expect(rowError(found, other, key)).toBeLessThan(6 / segments ** 2);
    }
  });
  const rowError = (p: ContactPatches, q: ContactPatches, key: (typeof KEYS)[number]): number => {
    const length = p[key].length / p.capacity;
    let most = 0;
    for (let i = 0; i < length; i++) most = Math.max(most, Math.abs(p[key][i] - q[key][i]));
    return most;
  };
});

// Extrapolated central differences with steps of 2e-5 leave about 1e-10 of rounding; the tolerance is that of the contract.
describe('gradients are the differences of the rows', () => {
  const draw = random('cylinder gradients');
  test.each([
    ['standing', 0, 0.1],
    ['nearly standing', 1e-9, 0.1],
    ['standing, a little tilted', 1e-2, 0.1],
    ['on its rim', 0.5, 0.1],
    ['with half of its end', 0.1, 0.05],
    ['nearly lying', Math.PI / 2 - 1e-9, 0.1],
    ['lying', Math.PI / 2, 0.1],
    ['lying deep', Math.PI / 2, 0.6],
    ['lying, nearly under', Math.PI / 2 - 0.1, 0.95],
    ['standing, nearly under', 0.1, 0.75],
    ['head down', Math.PI - 0.3, 0.2],
    ['wholly below', 0.3, 2],
  ])('%s', (_, angle, depth) => {
    const on = new OnRoute(exact().route);
    const q = frame([0.1, -0.2, sunk(angle, depth)], tilted(angle));
    const found = on.find(GROUND, q);
    for (let k = 0; k < 3; k++) {
      expect(found.gradient[k]).toBe(0 - found.vectorArea[k]);
      expect(found.gradient[3 + k]).toBe(0 - found.moment[k]);
    }
    const difference = gradientDifference(on, GROUND, q, 0)!;
    expect(difference.error).toBeLessThan(1e-7);
    expect(difference.kinks).toBeLessThan(5); // upright the place of the lowest point has one
  });
  test('anywhere', () => {
    let worst = 0;
    for (const [radius, height] of [
      [0.5, 0.8],
      [0.1, 2],
      [1, 0.05],
    ]) {
      const on = new OnRoute(exact(radius, height).route);
      for (let k = 0; k < 60; k++) {
        const ground = { position: draw.inSphere(), orientation: draw.rotation() };
        const position = ground.position.map((x) => x + 0.3 * draw.uniformBetween(-1, 1)) as unknown as Vec3;
        const q = { position, orientation: draw.rotation() };
        if (!(on.find(ground, q).volume[0] > 1e-3 * radius * radius * height) || on.patches.count === 0) continue;
        const difference = gradientDifference(on, ground, q, 0, {
          step: 1e-5 * Math.min(1, 10 * Math.min(radius, height)),
        });
        if (difference) worst = Math.max(worst, difference.error);
      }
    }
    expect(worst).toBeLessThan(1e-6);
  });
});

describe('what is continuous', () => {
  /** Greatest change of a measure, of extent, moment and second moments between neighbours on a way */
  const jumps = (way: (t: number) => [angle: number, depth: number], count: number): number => {
    const pair = exact();
    let previous: number[] | undefined;
    let most = 0;
    for (let i = 0; i <= count; i++) {
      const [angle, depth] = way(i / count);
      const p = pair.find(GROUND, frame([0, 0, sunk(angle, depth)], tilted(angle)), false);
      expect(p.count).toBe(1);
      const now = [
        ...measures(p, 0),
        p.extent[0],
        ...p.moment.slice(0, 3),
        ...p.patchCentroid.slice(0, 3),
        ...p.secondMoments.slice(0, 6),
      ];
      if (previous) for (let k = 0; k < now.length; k++) most = Math.max(most, Math.abs(now[k] - previous[k]));
      previous = now;
    }
    return most;
  };
  // The centroid goes from the middle to a rim while the tilt grows by d/2R = 0.05: about 0.5/(0.05/step).
  test('once around, at a depth of 0.05', () => {
    expect(jumps((t) => [2 * Math.PI * t, 0.05], 20000)).toBeLessThan(5e-3);
    expect(jumps((t) => [Math.PI / 2 + 1e-6 * (t - 0.5), 0.05], 50)).toBeLessThan(1e-6);
    expect(jumps((t) => [1e-6 * (t - 0.5), 0.05], 50)).toBeLessThan(1e-6);
    expect(jumps((t) => [1e-14 * (t - 0.5), 0.05], 20)).toBeLessThan(1e-12);
  });
  // |S| of a lying one falls as √ of what is still above: 2H √(2R Δ) in the last step. The section's centroid ends at the highest rim,
  // and the flag puts it into the middle, where it means nothing: it is not compared beyond.
  test('down until the last of it is under', () => {
    for (const angle of [0.3, 1, 1.4, Math.PI / 2]) {
      const end = 2 * sunk(angle, 0);
      expect(jumps((t) => [angle, 1e-6 + (end - 2e-6) * t], 4000)).toBeLessThan(0.03);
      const pair = exact();
      const at = (depth: number) => [
        ...measures(pair.find(GROUND, frame([0, 0, sunk(angle, depth)], tilted(angle)), false), 0),
      ];
      const [above, below] = [at(end - 1e-10), at(end + 1e-10)];
      for (let k = 0; k < 9; k++) expect(Math.abs(above[k] - below[k])).toBeLessThan(2e-5);
    }
    expect(exact().find(GROUND, frame([0, 0, -0.5], tilted(0))).flags[0]).toBe(PATCH.contained);
  });
});

test('its features', () => {
  const at = (angle: number, depth: number) =>
    exact().find(GROUND, frame([0, 0, sunk(angle, depth)], tilted(angle))).feature[1];
  expect(at(0.5, 0.01)).toBe(CYLINDER.bottomRim);
  expect(at(Math.PI - 0.5, 0.01)).toBe(CYLINDER.topRim);
  expect(at(0.01, 0.1)).toBe(CYLINDER.bottom);
  expect(at(Math.PI - 0.01, 0.1)).toBe(CYLINDER.top);
  expect(at(Math.PI / 2 - 0.01, 0.1)).toBe(CYLINDER.side);
});
