import { expect, test } from 'vitest';
import { ContactPatches, GRADIENT } from './contact-patches.js';
import { FLUSH, finishCentreLine, finishExtent, OverlapGradient } from './overlap-gradient.js';

// A's face z = 0 with normal z, cut by a plane of B with normal (sin θ, 0, cos θ) along y over a length of 3: if B moves by dx the cut
// travels by dx · n_B / sin θ, so S grows by 3 z (dx + dz / tan θ); turned about the y axis through a point h below, by 3 h/tan θ … per rad.
test('a cut travels in the face of A', () => {
  const angle = 0.4;
  const gradient = new OverlapGradient();
  const normals = Float64Array.of(0, 0, 1, Math.sin(angle), 0, Math.cos(angle));
  const points = Float64Array.of(0.5, -1, 0, 0.5, 2, 0, 0, 0, 0);
  const patches = new ContactPatches(1);
  const row = patches.add(0, 0);
  patches.volume[row] = 1;
  patches.vectorArea.set([0, 0, 2]);
  patches.normal.set([0, 0, 1]);
  patches.depth[row] = 1;
  gradient.begin(1);
  gradient.setOrigin(0, points, 6);
  gradient.addSegment(0, normals, 0, normals, 3, points, 0, 3);
  gradient.finish(0, patches, row, Float64Array.of(0.1, 0.2, -0.3), 0, undefined);
  const [dx, dy, dz, ax, ay, az] = patches.gradient.slice(GRADIENT.vectorArea, GRADIENT.vectorArea + 6);
  const cot = Math.cos(angle) / Math.sin(angle);
  expect(dx).toBeCloseTo(3, 14);
  expect(dy).toBeCloseTo(0, 14);
  expect(dz).toBeCloseTo(3 * cot, 13);
  // arm from the centroid to the middle of the cut: (0.4, 0.3, 0.3); u = dφ × arm
  expect(ax).toBeCloseTo(3 * (0.3 * cot), 13);
  expect(ay).toBeCloseTo(3 * (0.3 - 0.4 * cot), 13);
  expect(az).toBeCloseTo(3 * -0.3, 13);
  // |S| has grown along the normal only: it does not turn
  for (let k = 0; k < 18; k++) expect(patches.gradient[GRADIENT.normal + k]).toBeCloseTo(0, 14);
  // 2V/|S|: the quotient rule
  expect(patches.gradient[GRADIENT.depth]).toBeCloseTo(-3 / 2, 13);
});

test('cuts between flush faces are left out', () => {
  const gradient = new OverlapGradient();
  const patches = new ContactPatches(1);
  const row = patches.add(0, 0);
  patches.volume[row] = 1;
  patches.vectorArea.set([0, 0, 1]);
  patches.normal.set([0, 0, 1]);
  const points = Float64Array.of(0, 0, 0, 1, 0, 0);
  for (const [sine, counts] of [
    [0.5 * FLUSH, false],
    [2 * FLUSH, true],
  ] as const) {
    gradient.begin(1);
    gradient.setOrigin(0, points, 0);
    gradient.addSegment(0, Float64Array.of(0, 0, 1), 0, Float64Array.of(0, sine, 1), 0, points, 0, 3);
    gradient.finish(0, patches, row, Float64Array.of(0, 0, 0), 0, undefined);
    expect(patches.gradient[GRADIENT.vectorArea + 1] !== 0).toBe(counts);
  }
});

test('extents follow their corners, centre lines the bodies', () => {
  const patches = new ContactPatches(1);
  const row = patches.add(0, 0);
  patches.normal.set([0, 0, 1]);
  // B's centroid 2 above A's, the overlap's centroid half way
  finishCentreLine(patches, row, Float64Array.of(0, 0, 2, 0, 0, 1));
  const normal = patches.gradient.slice(GRADIENT.normal, GRADIENT.normal + 18);
  expect([normal[0], normal[7], normal[14]]).toEqual([0.5, 0.5, 0]); // sideways by dx turns it by dx/2
  expect(normal[4]).toBeCloseTo(0.5, 15); // turned about y, B's centroid moves along x
  expect(normal[9]).toBeCloseTo(-0.5, 15);
  // the highest corner is B's, at (1, 0, 2) from the centroid, the lowest A's, at (0, 0, −1)
  finishExtent(patches, row, Float64Array.of(1, 0, 2, 0, 0, 1, 0, 0, -1, 0, 0, 0), 1);
  const extent = [...patches.gradient.slice(GRADIENT.depth, GRADIENT.depth + 6)];
  // lifting B adds its lift; the corner's arm (1, 0, 3) sees the normal turn
  expect(extent[2]).toBeCloseTo(1, 15);
  expect(extent[0]).toBeCloseTo(0.5, 15);
  expect(extent[4]).toBeCloseTo(-1 + 0.5, 15);
});
