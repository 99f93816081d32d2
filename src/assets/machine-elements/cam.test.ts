import { describe, expect, test } from 'vitest';
import { edgePoint } from '../../geometry/arc.js';
import { perimeter, signedArea } from '../../geometry/polygon.js';
import type { Outline } from '../../geometry/profile.js';
import type { Vec2 } from '../../math/vec3.js';
import { cam } from './cam.js';

/** Points along the outline, so many on each arc. */
const points = (outline: Outline, many = 40): Vec2[] =>
  outline.flatMap((p, i) =>
    Array.from({ length: many }, (_, k) => edgePoint(p, outline[(i + 1) % outline.length], p[2] ?? 0, k / many)),
  );
/** How far the outline reaches along the ray at an angle: what a flat follower there feels. */
const support = (all: readonly Vec2[], angle: number): number =>
  Math.max(...all.map(([x, y]) => x * Math.cos(angle) + y * Math.sin(angle)));

describe('cam', () => {
  // An eccentric circle of radius R about (e, 0) lifts a flat follower at θ by e cos θ.
  test('of a flat follower with a harmonic lift is the eccentric circle', () => {
    const outline = cam({ baseRadius: 2, lift: (t) => 0.5 * Math.cos(t), follower: 'flat', tolerance: 1e-7 });
    for (const [x, y] of points(outline)) expect(Math.hypot(x - 0.5, y)).toBeCloseTo(2, 6);
    expect(signedArea(outline)).toBeCloseTo(4 * Math.PI, 6);
  });

  // The same circle under a roller of radius ρ: s(θ) = e cos θ + √((R + ρ)² − e² sin² θ) − R − ρ, r₀ = R.
  test('of a roller whose centre runs on the law of the eccentric is the same circle', () => {
    const [R, e, roller] = [2, 0.5, 0.7];
    const lift = (t: number) => e * Math.cos(t) + Math.sqrt((R + roller) ** 2 - (e * Math.sin(t)) ** 2) - R - roller;
    const outline = cam({ baseRadius: R, lift, follower: { roller }, tolerance: 1e-7 });
    for (const [x, y] of points(outline)) expect(Math.hypot(x - e, y)).toBeCloseTo(R, 6);
  });

  test('of an edge is the polar curve, within its tolerance', () => {
    const lift = (t: number) => 0.15 * (1 - Math.cos(t));
    const outline = cam({ baseRadius: 1, lift, slope: (t) => 0.15 * Math.sin(t), tolerance: 1e-5 });
    for (const [x, y] of points(outline))
      expect(Math.abs(Math.hypot(x, y) - 1 - lift(Math.atan2(y, x)))).toBeLessThan(1.001e-5);
    expect(outline.length).toBeLessThanOrEqual(31); // 28 arcs by an independent fit
  });

  // 3-4-5 polynomial, lift 0.3 in 120°, dwell 60°, back in 120°: what a flat follower is lifted by is the support function.
  test('with dwells lifts a flat follower as asked for', () => {
    const third = (2 * Math.PI) / 3;
    const rise = (u: number) => u ** 3 * (10 - 15 * u + 6 * u * u);
    const lift = (angle: number) => {
      const t = ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      if (t < third) return 0.3 * rise(t / third);
      if (t < 1.5 * third) return 0.3;
      return t < 2.5 * third ? 0.3 * rise(1 - (t - 1.5 * third) / third) : 0;
    };
    const all = points(cam({ baseRadius: 1, lift, follower: 'flat', tolerance: 1e-6 }), 400);
    for (let k = 0; k < 100; k++) expect(support(all, 0.0628 * k)).toBeCloseTo(1 + lift(0.0628 * k), 5);
  });

  test('from a table is that of the function behind it', () => {
    const lift = (t: number) => 0.2 * Math.cos(t) + 0.02 * Math.sin(2 * t);
    const table = Array.from({ length: 180 }, (_, i) => lift((2 * Math.PI * i) / 180));
    const [a, b] = [lift, table].map((law) => cam({ baseRadius: 1, lift: law, tolerance: 1e-7 }));
    expect(signedArea(a)).toBeCloseTo(signedArea(b), 6);
    expect(perimeter(a)).toBeCloseTo(perimeter(b), 6);
  });

  test('refuses what cannot be made', () => {
    const lift = (t: number) => 0.5 * Math.cos(3 * t);
    expect(() => cam({ baseRadius: 1, lift, follower: 'flat' })).toThrow('undercuts itself');
    expect(() => cam({ baseRadius: 1, lift, follower: { roller: 2 } })).toThrow('the roller does not fit');
    expect(() => cam({ baseRadius: 1, lift: (t) => 2 * Math.cos(t) })).toThrow('more than −baseRadius');
    expect(() => cam({ baseRadius: 1, lift: [0, 1, 2] })).toThrow('at least 8 lifts');
    expect(() => cam({ baseRadius: 0, lift })).toThrow('cam.baseRadius');
    expect(() => cam({ baseRadius: 1, lift: () => Number.NaN })).toThrow('cam.lift');
  });
});
