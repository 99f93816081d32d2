import { describe, expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { OPEN, SLIP, STICK } from '../friction/bristle.js';
import { LimitSurface } from './limit-surface.js';
import { meanSlip } from './mean-slip.js';
import { PatchBristle } from './patch-bristle.js';
import { PatchContour } from './patch-contour.js';
import { setPolygon } from './polygon-contour.js';

const slip = new Float64Array(13);
/** D in scaled slips. */
const meanOf = (patch: PatchContour, q: ArrayLike<number>): number => {
  meanSlip(patch, q[0], q[1], q[2] / patch.effectiveRadius, slip);
  return slip[0];
};

const shapes: readonly (readonly [string, (patch: PatchContour) => void])[] = [
  ['disc', (patch) => patch.setDisc(0.03)],
  ['ellipse 2:1', (patch) => patch.setEllipse(4e-4, 1e-4, 1e-4)],
  ['ellipse 8:1', (patch) => patch.setEllipse(6.4e-3, 0, 1e-4)],
  ['patch that is taken for an ellipsoid', (patch) => patch.setEllipsoid(0.02)],
  ['square', (patch) => setPolygon(patch, [0, 0, 0.1, 0, 0.1, 0.1, 0, 0.1], [0], 3)],
];

describe.each(shapes)('limit surface of a %s', (_, shape) => {
  const patch = new PatchContour();
  shape(patch);
  const surface = new LimitSurface();
  const L = 12;

  test('the nearest point is on the surface with the slip as its normal', () => {
    const draw = random('limit surface');
    let outside = 0;
    let mostSteps = 0;
    for (let n = 0; n < 500; n++) {
      const w = [draw.normal(), draw.normal(), draw.normal()].map((x) => 10 * x);
      const slips = surface.project(patch, L, w[0], w[1], w[2], 0, 0, 0);
      mostSteps = Math.max(mostSteps, surface.steps);
      const { force, direction: q } = surface;
      if (!slips) {
        // inside: below the support in every direction
        let over = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < 300; k++) {
          const p = draw.unitVector();
          over = Math.max(over, w[0] * p[0] + w[1] * p[1] + w[2] * p[2] - L * meanOf(patch, p));
        }
        expect(over).toBeLessThanOrEqual(1e-12 * L);
        continue;
      }
      outside++;
      const D = meanOf(patch, q);
      // F = L G(q): on the surface, where G is the force and torque of a patch that slips along q
      const b = patch.effectiveRadius;
      expect(force[0]).toBeCloseTo(L * slip[1], 9);
      expect(force[1]).toBeCloseTo(L * slip[2], 9);
      expect(force[2]).toBeCloseTo((L * slip[3]) / b, 9);
      expect(force[0] * q[0] + force[1] * q[1] + force[2] * q[2]).toBeCloseTo(L * D, 9);
      // W − F points along q
      const rho = (w[0] - force[0]) * q[0] + (w[1] - force[1]) * q[1] + (w[2] - force[2]) * q[2];
      expect(rho).toBeGreaterThan(0);
    }
    expect(outside).toBeGreaterThan(200);
    expect(mostSteps).toBeLessThan(12);
  });

  test('derivatives by differences', () => {
    const draw = random('limit surface derivatives');
    const other = new LimitSurface();
    let compared = 0;
    const errors: number[] = [];
    for (let n = 0; n < 200; n++) {
      const w = [draw.normal(), draw.normal(), draw.normal()].map((x) => 14 * x);
      if (!surface.project(patch, L, w[0], w[1], w[2], 0, 0, 0)) continue;
      for (let j = 0; j < 4; j++) {
        const h = 1e-5;
        const a = [...w, L];
        a[j] += h;
        other.project(patch, a[3], a[0], a[1], a[2], 0, 0, 0);
        const up = [...other.force];
        a[j] -= 2 * h;
        other.project(patch, a[3], a[0], a[1], a[2], 0, 0, 0);
        for (let i = 0; i < 3; i++) {
          const exact = j < 3 ? surface.byWrench[3 * i + j] : surface.byLimit[i];
          errors.push(Math.abs((up[i] - other.force[i]) / (2 * h) - exact));
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(1000);
    errors.sort((a, b) => a - b);
    // all but the few where a node of the contour lies within h of the pole (a kink of the sums)
    expect(errors[Math.floor(0.98 * errors.length)]).toBeLessThan(1e-6);
    expect(errors[Math.floor(0.5 * errors.length)]).toBeLessThan(1e-8);
  });
});

describe('bristle of a patch', () => {
  const patch = new PatchContour();
  patch.setDisc(0.03);
  const b = patch.effectiveRadius;
  const bristle = new PatchBristle();
  const k = 1e6;
  const d = 300;

  test('sticks to the bit, fades when open', () => {
    const z = Float64Array.of(9, 1e-6, -2e-6, 1e-6);
    expect(bristle.evaluate(patch, k, d, 10, z, 1, 1e-3, 2e-3, 0.1)).toBe(STICK);
    expect([...bristle.rates]).toEqual([1e-3, 2e-3, b * 0.1]);
    expect(bristle.wrench[2]).toBeCloseTo(b * (k * 1e-6 + d * b * 0.1), 12);
    expect(bristle.evaluate(patch, k, d, 0, z, 1, 1e-3, 2e-3, 0.1)).toBe(OPEN);
    expect([...bristle.wrench]).toEqual([0, 0, 0]);
    expect(bristle.rates[0]).toBeCloseTo((-k / d) * 1e-6, 12);
  });
  test('steady sliding and spinning is Coulomb friction of the patch, to rounding', () => {
    // z with k z = L G(V): the bristle no longer moves
    const V = [0.3, -0.2, 8];
    meanSlip(patch, V[0], V[1], V[2], slip);
    const L = 10;
    const z = Float64Array.of((L * slip[1]) / k, (L * slip[2]) / k, (L * slip[3]) / b / k);
    expect(bristle.evaluate(patch, k, d, L, z, 0, V[0], V[1], V[2])).toBe(SLIP);
    expect(bristle.wrench[0]).toBeCloseTo(L * slip[1], 12);
    expect(bristle.wrench[1]).toBeCloseTo(L * slip[2], 12);
    expect(bristle.wrench[2]).toBeCloseTo(L * slip[3], 12);
    for (const rate of bristle.rates) expect(Math.abs(rate)).toBeLessThan(1e-14);
    expect(bristle.surface.steps).toBeLessThanOrEqual(1);
  });
  test('a point is the plain bristle', () => {
    const point = new PatchContour();
    point.setPoint();
    const z = Float64Array.of(1e-5, 2e-5, 3e-6);
    expect(bristle.evaluate(point, k, d, 5, z, 0, 0.1, 0.2, 40)).toBe(SLIP);
    expect(Math.hypot(bristle.wrench[0], bristle.wrench[1])).toBeCloseTo(5, 12);
    expect(bristle.wrench[0] / bristle.wrench[1]).toBeCloseTo((10 + 30) / (20 + 60), 12);
    expect(bristle.wrench[2]).toBe(0);
    expect(bristle.rates[2]).toBeCloseTo((-k / d) * 3e-6, 12);
  });
  test('derivatives of wrench and rates', () => {
    const draw = random('patch bristle');
    const other = new PatchBristle();
    const matrix = new Float64Array(42);
    const counts = [0, 0, 0];
    const errors: number[] = [];
    for (let n = 0; n < 200; n++) {
      const a = [1, 1, 1, 1e-2, 1e-2, 0.5, 0].map((x, i) => (i < 3 ? 8e-6 : 1) * x * draw.normal());
      a[6] = draw.uniformBetween(-2, 20);
      // a twist that is damped as a slip, and up to a hundred times more
      const radius = n % 2 === 0 ? 0 : b * 10 ** (2 * draw.uniform());
      const run = (which: PatchBristle) =>
        which.evaluate(patch, k, d, a[6], Float64Array.from(a), 0, a[3], a[4], a[5], radius);
      const regime = run(bristle);
      bristle.derivatives(patch, k, d, matrix);
      counts[regime]++;
      for (let j = 0; j < 7; j++) {
        const h = [1e-11, 1e-11, 1e-11, 1e-8, 1e-8, 1e-6, 1e-6][j];
        a[j] += h;
        const above = run(other);
        const up = [...other.wrench, ...other.rates];
        a[j] -= 2 * h;
        const below = run(other);
        const down = [...other.wrench, ...other.rates];
        a[j] += h;
        if (above !== below) continue;
        const size = [k, k, k, d, d, d * b, 1][j];
        for (let i = 0; i < 6; i++) {
          const scale = i < 2 ? size : i === 2 ? size * b : size / d;
          errors.push(Math.abs((up[i] - down[i]) / (2 * h) - matrix[7 * i + j]) / scale);
        }
      }
    }
    for (const count of counts) expect(count).toBeGreaterThan(10);
    errors.sort((x, y) => x - y);
    expect(errors[Math.floor(0.99 * errors.length)]).toBeLessThan(1e-5);
  });

  // F·V − (½k|z|²)' = loss ≥ 0 with the normal force and the size and shape of the patch changing
  test('is passive on random paths', () => {
    const draw = random('patch paths');
    let least = 0;
    let mismatch = 0;
    let slipping = 0;
    for (let path = 0; path < 60; path++) {
      const z = new Float64Array(3);
      const waves = [...Array(6)].map(() => [
        draw.uniformBetween(0.02, 0.3),
        draw.uniformBetween(5, 300),
        draw.uniformBetween(0, 7),
      ]);
      const moving = new PatchContour();
      const h = 2e-5;
      for (let n = 0; n < 500; n++) {
        const t = n * h;
        const wave = (i: number) => waves[i][0] * Math.sin(waves[i][1] * t + waves[i][2]);
        const size = 1e-4 * (1 + 0.9 * Math.sin(500 * t));
        moving.setEllipse(size, 0.3 * size, 0.4 * size);
        const spin = 60 * wave(2);
        const limit = 8 + 9 * Math.sin(200 * t + path);
        const regime = bristle.evaluate(moving, k, d, limit, z, 0, wave(0), wave(1), spin);
        if (regime === SLIP) slipping++;
        const loss = bristle.loss(moving, d, wave(0), wave(1), spin);
        const { wrench, rates } = bristle;
        const stored = k * (z[0] * rates[0] + z[1] * rates[1] + z[2] * rates[2]);
        mismatch = Math.max(
          mismatch,
          Math.abs(wrench[0] * wave(0) + wrench[1] * wave(1) + wrench[2] * spin - stored - loss),
        );
        least = Math.min(least, loss);
        for (let i = 0; i < 3; i++) z[i] += h * rates[i];
      }
    }
    expect(slipping).toBeGreaterThan(10000);
    // powers are up to 17 N · 0.5 m/s; rounding
    expect(least).toBeGreaterThan(-1e-10);
    expect(mismatch).toBeLessThan(1e-9);
  });
});
