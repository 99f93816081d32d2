import { expect, test } from 'vitest';
import { box } from '../geometry/index.js';
import { Gjk } from '../narrow-phase/distance/index.js';
import { convexShape, Expansion } from '../narrow-phase/manifold/index.js';
import { BoxDirections } from './box-directions.js';

/** Numbers in (0, 1), the same in every run */
function randoms(seed: number): () => number {
  let x = seed;
  return () => {
    x = (1103515245 * x + 12345) % 2147483648;
    return x / 2147483648;
  };
}

function turn(random: () => number): Float64Array {
  const q = Array.from({ length: 4 }, () => random() - 0.5);
  const size = Math.hypot(...q);
  const [w, x, y, z] = q.map((c) => c / size);
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  );
}

// Two ways to the same number: where boxes overlap the polytope of differences, expanded to its surface, is as far from the origin as the least of fifteen depths; where they
// are apart no direction may claim more than the distance of the nearest points, and those of faces and edges that face each other claim all of it.
test('fifteen directions find the depth that the expanding polytope finds, and never more than the distance', () => {
  const random = randoms(7);
  const directions = new BoxDirections();
  const expansion = new Expansion();
  const gjk = new Gjk();
  let overlapping = 0;
  let apart = 0;
  let exact = 0;
  for (let i = 0; i < 1000; i++) {
    const sizeA = [0.2 + random(), 0.2 + random(), 0.2 + random()] as const;
    const sizeB = [0.2 + random(), 0.2 + random(), 0.2 + random()] as const;
    const r = turn(random);
    const t = Float64Array.of(1.6 * (random() - 0.5), 1.6 * (random() - 0.5), 1.6 * (random() - 0.5));
    const a = convexShape(box(sizeA))!;
    const b = convexShape(box(sizeB))!;
    const half = (size: readonly number[]): Float64Array => Float64Array.from(size, (x) => x / 2);
    expect(directions.run(half(sizeA), half(sizeB), r, t, 10)).toBe(true);
    gjk.run(a.support, b.support, r, t);
    const { normal: n } = directions;
    expect(Math.hypot(n[0], n[1], n[2])).toBeCloseTo(1, 12);
    if (gjk.distance > 1e-9) {
      apart++;
      expect(directions.largest).toBeLessThan(gjk.distance + 1e-12);
      if (directions.largest > gjk.distance - 1e-9) exact++;
      const { largest } = directions;
      if (largest > 0) expect(directions.run(half(sizeA), half(sizeB), r, t, 0.999 * largest)).toBe(false);
      continue;
    }
    overlapping++;
    expect(expansion.run(a.support, b.support, r, t, 0)).toBe(true);
    // 1e-7 of the sizes is what an edge must win by
    expect(Math.abs(-directions.largest - expansion.depth)).toBeLessThan(1e-6);
    if (directions.which < 6) continue;
    // the two points lie opposite each other, as far apart as the overlap is deep
    for (let k = 0; k < 3; k++)
      expect(directions.pointB[k] - directions.pointA[k]).toBeCloseTo(directions.largest * n[k], 9);
  }
  expect(overlapping).toBeGreaterThan(300);
  expect(apart).toBeGreaterThan(100);
  expect(exact).toBeGreaterThan(0.5 * apart);
});
