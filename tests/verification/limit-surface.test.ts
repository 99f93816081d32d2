import { expect, test } from 'vitest';
import { LimitSurface } from '../../src/contact-laws/torsion/limit-surface.js';
import { meanSlip } from '../../src/contact-laws/torsion/mean-slip.js';
import { PatchContour } from '../../src/contact-laws/torsion/patch-contour.js';
import { nearestWrenchError } from '../../src/verify/limit-surface.js';

// The nearest point F to W is the only one that is in K and as far from W as the greatest of W·q − L D(q) over all slip directions q. Both are
// searched for by brute force, to 1e-10 of the height of the maximum (steps of 1e-6 on the unit sphere). `verify --only FRICTION-SURFACE` does it a million times.
test('the nearest bearable wrench, 10 000 random ones', { timeout: 60_000 }, () => {
  expect(nearestWrenchError(10_000)).toBeLessThan(1e-9);
});

// Started from the slip, Newton's method alone ends on the far side of the surface here, where W·q − L D(q) is least, and takes W for bearable
test('a wrench outside whose slip lies nearly across it', () => {
  const patch = new PatchContour();
  patch.setEllipse(2.8370703589683926e-6, 1.933068572597052e-6, 1.4465495425954493e-6);
  const L = 1.790147117636562;
  const W = [-2.2557845446530274, -0.2273915519744079, -0.30446663817510333] as const;
  const V = [-0.0013095583402543132, 0.0023193133140333166, -0.0009982931734834888] as const;
  const surface = new LimitSurface();
  expect(surface.project(patch, L, ...W, ...V)).toBe(true);
  const [q, F, slip] = [surface.direction, surface.force, new Float64Array(13)];
  meanSlip(patch, q[0], q[1], q[2] / patch.effectiveRadius, slip);
  // on the border, with q as its normal; rounding of the 16 terms
  const border = [slip[1], slip[2], slip[3] / patch.effectiveRadius].map((g) => L * g);
  border.forEach((x, i) => {
    expect(F[i]).toBeCloseTo(x, 12);
  });
  // and the start makes no difference
  const other = new LimitSurface();
  other.project(patch, L, ...W, 0, 0, 0);
  other.force.forEach((x, i) => {
    expect(F[i]).toBeCloseTo(x, 11);
  });
});
