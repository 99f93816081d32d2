import { expect, test } from 'vitest';
import type { Route } from '../narrow-phase/route.js';
import { FoundPoints } from './found-points.js';
import { RouteFinder } from './route-finder.js';

// two concave parts side by side, face on face: their nearest points are 2.5e-18 m apart, and (p_B − p_A)/d was (−1.4, 1, 0)
test('nearest points that rounding alone keeps apart tell no direction', () => {
  const apart = (distance: number): Route =>
    ({
      curvature: 0,
      find: () => undefined,
      separate: (_poses: unknown, out: { distance: number; direction: Float64Array }) => {
        out.distance = distance;
        out.direction.set(distance < 1e-12 ? [-1.389, 1, 0] : [0, 1, 0]);
      },
    }) as unknown as Route;
  const poses = { position: new Float64Array(6), rotation: new Float64Array(18) };
  for (const [distance, regions] of [
    [2.5e-18, 0],
    [1e-5, 1],
    [1, 0],
  ]) {
    const out = new FoundPoints();
    new RouteFinder(apart(distance), 0.1).find(poses, 1e-2, out);
    expect(out.regions).toBe(regions);
  }
});
