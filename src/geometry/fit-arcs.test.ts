import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../math/vec3.js';
import { arcCircle, edgeTangents } from './arc.js';
import { fitArcs } from './fit-arcs.js';
import { signedArea } from './polygon.js';
import type { Corner } from './profile.js';

interface Curve {
  readonly at: (t: number) => Vec2;
  readonly along: (t: number) => Vec2;
  readonly from: number;
  readonly to: number;
}
/** Polar curve r(φ) with its slope. */
const polar = (r: (phi: number) => number, slope: (phi: number) => number, from = 0, to = 2 * Math.PI): Curve => ({
  at: (t) => [r(t) * Math.cos(t), r(t) * Math.sin(t)],
  along: (t) => [slope(t) * Math.cos(t) - r(t) * Math.sin(t), slope(t) * Math.sin(t) + r(t) * Math.cos(t)],
  from,
  to,
});
/** Involute of a circle of radius r_b, pitch radius 1, 20 teeth, to the tip at 1.1. */
const base = Math.cos((20 * Math.PI) / 180);
const involute: Curve = {
  at: (t) => [base * (Math.cos(t) + t * Math.sin(t)), base * (Math.sin(t) - t * Math.cos(t))],
  along: (t) => [Math.cos(t), Math.sin(t)],
  from: 0.02,
  to: Math.sqrt((1.1 / base) ** 2 - 1),
};
const harmonic = polar(
  (t) => 1 + 0.15 * (1 - Math.cos(t)),
  (t) => 0.15 * Math.sin(t),
);
/** Rise over 120°, dwell 60°, return 120°, dwell 60°; `lift` of the part u of the rise. */
const riseDwell = (lift: (u: number) => number, slope: (u: number) => number): Curve => {
  const third = (2 * Math.PI) / 3;
  const part = (t: number): [u: number, sign: number] =>
    t < third
      ? [t / third, 1]
      : t < 1.5 * third
        ? [1, 0]
        : t < 2.5 * third
          ? [1 - (t - 1.5 * third) / third, -1]
          : [0, 0];
  return polar(
    (t) => 1 + 0.3 * lift(part(t)[0]),
    (t) => (0.3 * part(t)[1] * slope(part(t)[0])) / third,
  );
};
const cycloidal = riseDwell(
  (u) => u - Math.sin(2 * Math.PI * u) / (2 * Math.PI),
  (u) => 1 - Math.cos(2 * Math.PI * u),
);
const polynomial = riseDwell(
  (u) => u ** 3 * (10 - 15 * u + 6 * u * u),
  (u) => 30 * u * u * (1 - u) ** 2,
);
const ellipse: Curve = {
  at: (t) => [Math.cos(t), 0.5 * Math.sin(t)],
  along: (t) => [-Math.sin(t), 0.5 * Math.cos(t)],
  from: 0,
  to: 2 * Math.PI,
};

/** Greatest distance of the curve from the nearest arc, by 20 000 points. */
function measuredError({ at, from, to }: Curve, chain: readonly Corner[], closed: boolean): number {
  const edges = chain.slice(0, closed ? chain.length : -1).map((p, i) => {
    const q = chain[(i + 1) % chain.length];
    return { p, q, ...arcCircle(p, q, p[2] ?? 0) };
  });
  let worst = 0;
  let edge = 0;
  for (let k = 0; k <= 20_000; k++) {
    const [x, y] = at(from + ((to - from) * k) / 20_000);
    const distance = (i: number) => {
      const { p, q, centre, radius } = edges[i];
      // inside the arc's sector, or the nearer end
      const [a, b] = [Math.atan2(p[1] - centre[1], p[0] - centre[0]), Math.atan2(y - centre[1], x - centre[0])];
      const sweep = 4 * Math.atan(p[2] ?? 0);
      const turned = (((Math.sign(sweep) * (b - a)) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      if (turned <= Math.abs(sweep)) return Math.abs(Math.hypot(x - centre[0], y - centre[1]) - radius);
      return Math.min(Math.hypot(x - p[0], y - p[1]), Math.hypot(x - q[0], y - q[1]));
    };
    while (edge + 1 < edges.length && distance(edge + 1) < distance(edge)) edge++;
    worst = Math.max(worst, distance(edge));
  }
  return worst;
}

function worstKink(chain: readonly Corner[], closed: boolean): number {
  let worst = 0;
  for (let i = closed ? 0 : 1; i < chain.length - (closed ? 0 : 1); i++) {
    const n = chain.length;
    const [before, here, after] = [chain[(i + n - 1) % n], chain[i], chain[(i + 1) % n]];
    const [, [ux, uy]] = edgeTangents(before, here, before[2] ?? 0);
    const [[vx, vy]] = edgeTangents(here, after, here[2] ?? 0);
    worst = Math.max(worst, Math.abs(ux * vy - uy * vx));
  }
  return worst;
}

// Counts of arcs at 1e-4, 1e-5, 1e-6 that an independent greedy fit of the same kind found; ±10 %, and two arcs for the
// last span, which is as long as what is left.
describe.each([
  ['involute flank', involute, [6, 12, 22], false],
  ['harmonic cam', harmonic, [16, 28, 56], true],
  ['cycloidal cam', cycloidal, [34, 66, 128], true],
  ['3-4-5 cam', polynomial, [34, 62, 118], true],
  ['ellipse', ellipse, [46, 92, 188], true],
] as const)('%s', (_, curve, counts, closed) => {
  test.each([
    [1e-4, counts[0]],
    [1e-5, counts[1]],
    [1e-6, counts[2]],
  ])('within %f', (tolerance, count) => {
    const chain = fitArcs(curve.at, curve.along, curve.from, curve.to, { tolerance });
    const arcs = closed ? chain.length : chain.length - 1;
    expect(Math.abs(arcs - count)).toBeLessThanOrEqual(Math.max(2, 0.1 * count));
    expect(measuredError(curve, chain, closed)).toBeLessThanOrEqual(tolerance);
    expect(worstKink(chain, closed)).toBeLessThan(1e-12);
  });
});

test('the ellipse has its area, a circle is exact whatever the tolerance, the default is 1e-5 of the half size', () => {
  const area = signedArea(fitArcs(ellipse.at, ellipse.along, 0, 2 * Math.PI, { tolerance: 1e-8 }));
  expect(area).toBeCloseTo(Math.PI / 2, 7);
  const circle = polar(
    () => 3,
    () => 0,
  );
  const chain = fitArcs(circle.at, circle.along, 0, 2 * Math.PI, { tolerance: 0.1 });
  expect(signedArea(chain)).toBeCloseTo(9 * Math.PI, 12);
  expect(chain.length).toBeLessThanOrEqual(10);
  const byDefault = fitArcs(ellipse.at, ellipse.along, 0, 2 * Math.PI);
  expect(byDefault).toEqual(fitArcs(ellipse.at, ellipse.along, 0, 2 * Math.PI, { tolerance: 1e-5 }));
});

test('a straight line is one, and what is no curve is refused', () => {
  const line = fitArcs(
    (t) => [t, 2 * t],
    () => [1, 2],
    0,
    1,
  );
  expect(line.every(([, , bulge = 0]) => Math.abs(bulge) < 1e-15)).toBe(true);
  expect(line.at(-1)).toEqual([1, 2]);
  expect(() => fitArcs(ellipse.at, (t) => [Math.sin(t), 0.5 * Math.cos(t)], 0, 6)).toThrow('runs along its tangent');
  expect(() => fitArcs(ellipse.at, ellipse.along, 1, 1)).toThrow('fitArcs.to');
  expect(() => fitArcs(() => [Number.NaN, 0], ellipse.along, 0, 1)).toThrow('fitArcs');
});
