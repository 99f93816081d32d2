// The nearest place of a hollow side, (P − E) · E' = 0, for places almost as far away as the side is curved: a pin with little room in its hole
import { expect, test } from 'vitest';
import { footOnSide, SideFoot } from './side-foot.js';

test.each([0.97, 0.9, 0.8, 0.5])('of its radius away: %f', (part) => {
  // an arc of radius 1 over 15°, seen from its inside; E' turns by as much
  const at = (angle: number): readonly [number, number] => [-Math.sin(angle), -Math.cos(angle)];
  const half = Math.PI / 24;
  const x = Float64Array.from([...at(-half), ...at(half), ...at(0)]);
  const foot = new SideFoot();
  // beside the middle of the arc, so that the foot is a twentieth of the side beside its middle
  const px = 0.05 * half * (1 - part);
  footOnSide(px, part - 1, Int32Array.from([0, 1, 2]), 0, true, x, new Float64Array(3), foot);
  const size = Math.sqrt(foot.ox * foot.ox + foot.oy * foot.oy) * Math.sqrt(foot.tx * foot.tx + foot.ty * foot.ty);
  expect(foot.atEnd).toBe(false);
  // rounding; with steps that were cut short 8e-5 at 0.97, 1e-5 at 0.9, 6e-9 at 0.8
  expect(Math.abs(foot.ox * foot.tx + foot.oy * foot.ty) / size).toBeLessThan(1e-12);
});
