import { describe, expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { tanhCurve } from '../friction/tanh-curve.js';
import { transitionCurve } from '../friction/transition-curve.js';
import { ellipsoidSlip } from './ellipsoid-limit.js';
import { meanSlip } from './mean-slip.js';
import { PatchContour } from './patch-contour.js';
import { patchFriction } from './patch-friction.js';
import { setPolygon } from './polygon-contour.js';
import { HERTZ_MOMENT_SHARE, momentShare } from './pressure.js';

const disc = (radius: number): PatchContour => {
  const patch = new PatchContour();
  patch.setDisc(radius);
  return patch;
};
const out = new Float64Array(13);
const at = (patch: PatchContour, v1: number, v2: number, spin: number): number[] => {
  meanSlip(patch, v1, v2, spin, out);
  return [...out.slice(0, 4)];
};

describe('uniform disc', () => {
  // ∫ u/|u| dA and ∫ r × u/|u| dA of the unit disc by adaptive quadrature, seven digits
  test.each([
    [0.1, 0.0998748, 0.6616761],
    [0.5, 0.4838438, 0.5477484],
    [1, 0.8488263, 0.2829422],
    [2, 0.9676875, 0.1278092],
    [10, 0.9987484, 0.0250209],
  ])('v = %f R ω', (v, force, torque) => {
    const [D, f1, f2, m] = at(disc(1), v, 0, 1);
    // 16 nodes: 2.8e-3 where the pole lies on the rim (over all directions), 1.7e-6 and 3.6e-6 elsewhere
    const tolerance = v === 1 ? 2.8e-3 : 1.7e-6;
    expect(Math.abs(f1 - force)).toBeLessThan(tolerance);
    expect(Math.abs(m - torque)).toBeLessThan(v === 1 ? 2.8e-3 : 3.6e-6);
    expect(Math.abs(f2)).toBeLessThan(1e-15);
    expect(D).toBeCloseTo(v * f1 + m, 14);
  });
  test('pure spin 2R/3, pure sliding 1, slow spin R²ω/4v without cancellation', () => {
    // 16 nodes on a circle: |r| is constant, so pure spin is exact
    expect(disc(0.3).effectiveRadius).toBeCloseTo(0.2, 9);
    expect(at(disc(0.3), 0, 0, 2)[3]).toBeCloseTo(0.2, 9);
    expect(at(disc(0.3), 0, 0, -2)[3]).toBeCloseTo(-0.2, 9);
    expect(at(disc(0.3), 3, 4, 0).map((x) => x + 0)).toEqual([5, 0.6, 0.8, 0].map((x) => expect.closeTo(x, 14)));
    // series error (ωR/v)², and rounding of R alone
    for (const spin of [1e-3, 1e-6, 1e-9, 1e-13])
      expect(Math.abs(at(disc(0.3), 1, 0, spin)[3] - (0.09 / 4) * spin)).toBeLessThan(1e-7 * spin + 1e-16);
    expect(at(disc(0.3), 0, 0, 0)).toEqual([0, 0, 0, 0]);
  });
  // Farkas et al., Phys. Rev. Lett. 90, 248302 (2003): sliding and spinning end together at v = 0.6530018 R ω (I = m R²/2)
  test('fixed ratio of sliding and spinning: f/v = 2m/ω at 0.653', () => {
    let low = 0.3;
    let high = 0.9;
    for (let i = 0; i < 60; i++) {
      const v = 0.5 * (low + high);
      const [, f, , m] = at(disc(1), v, 0, 1);
      if (f / v < 2 * m) low = v;
      else high = v;
    }
    expect(Math.abs(low - 0.6530018)).toBeLessThan(2e-4);
  });
  test('two spheres drill with 3π/16 µ N a', () => {
    const [R, d] = [0.01, 1e-4];
    // lens of radius √(2Rd); moments of a disc; Hertz's share
    const moment = ((2 * R * d) / 4) * HERTZ_MOMENT_SHARE;
    const patch = new PatchContour();
    patch.setEllipse(moment, 0, moment);
    expect(patch.effectiveRadius / (((3 * Math.PI) / 16) * Math.sqrt(R * d))).toBeCloseTo(1, 8);
  });
});

describe('any ellipse', () => {
  test('the ellipsoid of moments has the arm of their ellipse, nodes or not', () => {
    const patch = new PatchContour();
    for (const [xx, xy, yy] of [
      [1e-4, 0, 1e-4],
      [3e-4, -1e-4, 1e-4],
      [1e-2, 0, 0],
    ]) {
      patch.setEllipse(xx, xy, yy);
      const arm = patch.effectiveRadius;
      patch.setEllipsoidOf(xx, xy, yy);
      expect(patch.count).toBe(0);
      // the same sum, in another order
      expect(Math.abs(patch.effectiveRadius / arm - 1)).toBeLessThan(1e-14);
    }
  });

  test('weights: Σq = 0, Σ r qᵀ = 1, and the moments it was made from', () => {
    const patch = new PatchContour();
    patch.setEllipse(3e-4, -1e-4, 1e-4);
    const sums = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < patch.count; i++)
      [
        patch.qx[i],
        patch.qy[i],
        patch.x[i] * patch.qx[i],
        patch.x[i] * patch.qy[i],
        patch.y[i] * patch.qx[i],
        patch.y[i] * patch.qy[i],
      ].forEach((x, k) => {
        sums[k] += x;
      });
    expect(sums).toEqual([0, 0, 1, 0, 0, 1].map((x) => expect.closeTo(x, 12)));
    // nodes at L c: Σ r rᵀ/16 = ½ L Lᵀ = 2 S
    let xx = 0;
    let xy = 0;
    for (let i = 0; i < 16; i++) {
      xx += patch.x[i] * patch.x[i];
      xy += patch.x[i] * patch.y[i];
    }
    expect(xx / 32 / 3e-4).toBeCloseTo(1, 8);
    expect(xy / 32 / -1e-4).toBeCloseTo(1, 8);
  });
  test('against area quadrature', () => {
    // ellipse 2:1 with semi-axes 0.2, 0.1, turned by 30°; midpoint rule in polar coordinates, 400 × 400
    const [a, b, turn] = [0.2, 0.1, Math.PI / 6];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const patch = new PatchContour();
    const [A, B] = [(a * a) / 4, (b * b) / 4];
    patch.setEllipse(A * c * c + B * s * s, (A - B) * c * s, A * s * s + B * c * c);
    for (const [v1, v2, spin] of [
      [0.3, 0.1, 8],
      [1, -0.4, 2],
      [0.02, 0.05, -3],
    ]) {
      const sum = [0, 0, 0, 0];
      const n = 400;
      let area = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const rho = (i + 0.5) / n;
          const phi = ((j + 0.5) * 2 * Math.PI) / n;
          const [p, q] = [a * rho * Math.cos(phi), b * rho * Math.sin(phi)];
          const [x, y] = [c * p - s * q, s * p + c * q];
          const [u1, u2] = [v1 - spin * y, v2 + spin * x];
          const u = Math.hypot(u1, u2);
          area += rho;
          sum[0] += rho * u;
          sum[1] += (rho * u1) / u;
          sum[2] += (rho * u2) / u;
          sum[3] += (rho * (x * u2 - y * u1)) / u;
        }
      const computed = at(patch, v1, v2, spin);
      // the kernel's own error, at most 4e-3 µN and 6e-3 µNb near the rim
      sum.forEach((x, k) => {
        expect(Math.abs(x / area - computed[k])).toBeLessThan(k === 0 ? 4e-3 * computed[0] : 4e-3);
      });
    }
  });
  test('derivatives by differences, ellipse and polygon', () => {
    const draw = random('mean slip');
    const full = new Float64Array(13);
    const patch = new PatchContour();
    let worst = 0;
    let compared = 0;
    for (let n = 0; n < 400; n++) {
      if (n % 2)
        patch.setEllipse(
          draw.uniformBetween(0.01, 0.1),
          draw.uniformBetween(-5e-3, 5e-3),
          draw.uniformBetween(0.01, 0.1),
        );
      else setPolygon(patch, [0, 0, 0.6, 0, 0.6, 0.2, 0.2, 0.2, 0.2, 0.5, 0, 0.5], [0], 3);
      const v = [draw.normal(), draw.normal(), n % 5 === 0 ? 1e-7 * draw.normal() : 4 * draw.normal()];
      if (n % 7 === 0) v[0] = v[1] = 0;
      meanSlip(patch, v[0], v[1], v[2], full);
      expect([...full.slice(0, 4)]).toEqual(at(patch, v[0], v[1], v[2]).map((x) => expect.closeTo(x, 12)));
      // skip poses with a node close to the pole: |u| has a kink there
      let near = Number.POSITIVE_INFINITY;
      for (let i = 0; i < patch.count; i++)
        near = Math.min(near, Math.hypot(v[0] - v[2] * patch.y[i], v[1] + v[2] * patch.x[i]));
      if (near < 0.05) continue;
      for (let j = 0; j < 3; j++) {
        const h = 1e-6;
        const up = [...v];
        const down = [...v];
        up[j] += h;
        down[j] -= h;
        const [a, b] = [at(patch, up[0], up[1], up[2]), at(patch, down[0], down[1], down[2])];
        for (let i = 0; i < 3; i++)
          worst = Math.max(worst, Math.abs((a[i + 1] - b[i + 1]) / (2 * h) - full[4 + 3 * i + j]));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(600);
    // third derivatives up to 1/0.05³ times h², rounding 1e-16/h
    expect(worst).toBeLessThan(2e-8);
  });
  test('a line keeps its sliding and its spin', () => {
    const patch = new PatchContour();
    patch.setEllipse(0.01, 0, 0); // uniform over an infinitely thin ellipse of half length 0.2
    expect(at(patch, 0, 2, 0)).toEqual([2, 0, 1, 0].map((x) => expect.closeTo(x, 9)));
    // ∫|x| √(1 − x²/a²)/∫√(1 − x²/a²) = 4a/3π; 16 nodes
    expect(patch.effectiveRadius / ((4 * 0.2) / (3 * Math.PI))).toBeCloseTo(1, 1);
  });
  test('a point has no torque', () => {
    const patch = new PatchContour();
    patch.setEllipse(0, 0, 0);
    expect(at(patch, 0.6, 0.8, 50)).toEqual([1, 0.6, 0.8, 0]);
  });
});

describe('polygon', () => {
  test('a square and the same square cut finer, anywhere', () => {
    const patch = new PatchContour();
    setPolygon(patch, [5, 5, 6, 5, 6, 6, 5, 6], [0], 8);
    // pure spin of a unit square: (√2 + ln(1 + √2))/6
    expect(patch.effectiveRadius).toBeCloseTo((Math.SQRT2 + Math.log(1 + Math.SQRT2)) / 6, 6);
    const before = at(patch, 0.2, 0.1, 1.3);
    const turned = new PatchContour();
    setPolygon(turned, [0, 0, 0.5, 0, 1, 0, 1, 1, 0, 1], [0], 8);
    const after = at(turned, 0.2, 0.1, 1.3);
    before.forEach((x, i) => {
      expect(Math.abs(x - after[i])).toBeLessThan(2e-3);
    });
  });
  test('a hole, and two pads far apart that act as two points', () => {
    const ring = new PatchContour();
    setPolygon(ring, [-1, -1, 1, -1, 1, 1, -1, 1, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, -0.5], [0, 4], 8);
    const unit = (Math.SQRT2 + Math.log(1 + Math.SQRT2)) / 6;
    // (∫ over the large square − ∫ over the small one)/(4 − 1)
    expect(ring.effectiveRadius).toBeCloseTo((2 * unit * 4 - unit) / 3, 5);
    const pads = new PatchContour();
    setPolygon(
      pads,
      [9.9, -0.1, 10.1, -0.1, 10.1, 0.1, 9.9, 0.1, -10.1, -0.1, -9.9, -0.1, -9.9, 0.1, -10.1, 0.1],
      [0, 4],
    );
    expect(pads.effectiveRadius).toBeCloseTo(10, 2);
  });
  test('the ellipse depends on the moments only', () => {
    const a = new PatchContour();
    const b = new PatchContour();
    a.setEllipse(0.02, 0.003, 0.01);
    setPolygon(b, [0, 0, 1, 0, 1, 1, 0, 1]);
    b.setEllipse(0.02, 0.003, 0.01);
    expect(at(b, 0.3, 0.2, 4)).toEqual(at(a, 0.3, 0.2, 4));
  });
});

test('a patch without nodes is the ellipsoid of its arm, and a point if it has none', () => {
  const patch = new PatchContour();
  const [short, full, expected] = [new Float64Array(4), new Float64Array(13), new Float64Array(13)];
  for (const arm of [0.2, 0]) {
    patch.setDisc(1.5 * arm); // 2R/3
    patch.setEllipsoid();
    expect(patch.effectiveRadius).toBeCloseTo(arm, 3);
    meanSlip(patch, 0.3, -0.1, 2, short);
    meanSlip(patch, 0.3, -0.1, 2, full);
    ellipsoidSlip(patch.effectiveRadius, 0.3, -0.1, 2, expected);
    for (let i = 0; i < 13; i++) expect(full[i]).toBeCloseTo(expected[i], 14);
    for (let i = 0; i < 4; i++) expect(short[i]).toBeCloseTo(expected[i], 14);
    meanSlip(patch, 0, 0, 0, short);
    expect([...short]).toEqual([0, 0, 0, 0]);
  }
});

test('ellipsoid: D, its gradient and Hessian', () => {
  const full = new Float64Array(13);
  const up = new Float64Array(13);
  ellipsoidSlip(0.2, 0.3, -0.1, 2, full);
  expect(full[0]).toBeCloseTo(Math.hypot(0.3, 0.1, 0.4), 14);
  const h = 1e-7;
  for (let j = 0; j < 3; j++) {
    ellipsoidSlip(0.2, 0.3 + (j === 0 ? h : 0), -0.1 + (j === 1 ? h : 0), 2 + (j === 2 ? h : 0), up);
    expect((up[0] - full[0]) / h).toBeCloseTo(full[1 + j], 5);
    for (let i = 0; i < 3; i++) expect((up[1 + i] - full[1 + i]) / h).toBeCloseTo(full[4 + 3 * i + j], 5);
  }
});

test('share of the moments: flat 1, paraboloid Hertz’s, between them linear', () => {
  expect(HERTZ_MOMENT_SHARE).toBeCloseTo(0.3904, 4);
  expect(momentShare('automatic', 2e-3, 2, 1e-3)).toBe(1);
  expect(momentShare('automatic', 1e-3, 2, 1e-3)).toBeCloseTo(HERTZ_MOMENT_SHARE, 14);
  expect(momentShare('automatic', 0.7e-3, 2, 1e-3)).toBeCloseTo(HERTZ_MOMENT_SHARE, 14);
  expect(momentShare('automatic', 1.5e-3, 2, 1e-3)).toBeCloseTo((1 + HERTZ_MOMENT_SHARE) / 2, 14);
  expect(momentShare('uniform', 1e-3, 2, 1e-3)).toBe(1);
  expect(momentShare('hertz', 2e-3, 2, 1e-3)).toBe(HERTZ_MOMENT_SHARE);
});

describe('friction of a patch without memory', () => {
  const patch = disc(0.05);
  const curves = [
    tanhCurve(0.3, 1e-2),
    transitionCurve({ staticFriction: 0.5, kineticFriction: 0.3, transitionSpeed: 0.02 }),
  ];
  test('takes power away, and its derivatives', () => {
    const draw = random('patch friction');
    const here = new Float64Array(15);
    const up = new Float64Array(15);
    const down = new Float64Array(15);
    for (let n = 0; n < 200; n++) {
      const curve = curves[n % 2];
      const v = [0.05 * draw.normal(), 0.05 * draw.normal(), draw.normal()];
      const D = at(patch, v[0], v[1], v[2])[0];
      if (D < 5e-3 || Math.abs(Math.hypot(v[0], v[1]) - 0.05 * Math.abs(v[2])) < 5e-3) continue;
      patchFriction(curve, patch, 20, v[0], v[1], v[2], here);
      expect(here[0] * v[0] + here[1] * v[1] + here[2] * v[2]).toBeLessThanOrEqual(0);
      const h = 1e-7;
      for (let j = 0; j < 3; j++) {
        const plus = [...v];
        const minus = [...v];
        plus[j] += h;
        minus[j] -= h;
        patchFriction(curve, patch, 20, plus[0], plus[1], plus[2], up);
        patchFriction(curve, patch, 20, minus[0], minus[1], minus[2], down);
        for (let i = 0; i < 3; i++)
          // slopes up to 20 · 0.5/5e-3 = 2000
          expect(Math.abs((up[i] - down[i]) / (2 * h) - here[6 + 3 * i + j])).toBeLessThan(2e-4);
      }
    }
  });
  test('at rest: the slopes of pure sliding and pure spin', () => {
    const here = new Float64Array(15);
    patchFriction(curves[0], patch, 20, 0, 0, 0, here);
    expect([here[0], here[1], here[2]].map((x) => x + 0)).toEqual([0, 0, 0]);
    const small = new Float64Array(15);
    patchFriction(curves[0], patch, 20, 1e-7, 0, 0, small);
    expect(small[0] / 1e-7 / here[6]).toBeCloseTo(1, 6);
    patchFriction(curves[0], patch, 20, 0, 0, 1e-6, small);
    expect(small[2] / 1e-6 / here[14]).toBeCloseTo(1, 6);
  });
});
