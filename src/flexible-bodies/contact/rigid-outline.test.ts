// Distances from an outline against all of its edges, point by point.
import { expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { type Foot, RigidOutline } from './rigid-outline.js';

// a star with sharp tips, notches and an arc
const star: [number, number, number?][] = Array.from({ length: 14 }, (_, i) => {
  const r = i % 2 === 0 ? 1 : 0.55;
  const a = (2 * Math.PI * i) / 14;
  return i === 3 ? [r * Math.cos(a), r * Math.sin(a), 0.3] : [r * Math.cos(a), r * Math.sin(a)];
});

test('the nearest edge is found and tells inside from outside', () => {
  const outline = new RigidOutline({ kind: 'outline', profile: { outer: star, holes: [] } });
  const draw = random(3);
  const foot: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
  // many points on the outline instead: chords of the arc are 5e-5 inside it
  const fine = star.flatMap(([x, y, bulge], i) => {
    const [u, v] = star[(i + 1) % star.length];
    return Array.from({ length: 400 }, (_, k): [number, number] => {
      const t = k / 400;
      if (!bulge) return [x + t * (u - x), y + t * (v - y)];
      const half = 2 * Math.atan(bulge);
      const chord = Math.hypot(u - x, v - y);
      const radius = chord / (2 * Math.sin(half));
      const away = Math.cos(half) * radius;
      const [cx, cy] = [(x + u) / 2 - (away * (v - y)) / chord, (y + v) / 2 + (away * (u - x)) / chord];
      const a = Math.atan2(y - cy, x - cx) + 2 * half * t;
      return [cx + radius * Math.cos(a), cy + radius * Math.sin(a)];
    });
  });
  for (let k = 0; k < 120; k++) {
    const [x, y] = [draw.uniformBetween(-1.2, 1.2), draw.uniformBetween(-1.2, 1.2)];
    expect(outline.find(x, y, foot)).toBe(true);
    let least = Infinity;
    let inside = false;
    fine.forEach(([ax, ay], i) => {
      const [bx, by] = fine[(i + 1) % fine.length];
      least = Math.min(least, Math.hypot(x - ax, y - ay));
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    });
    expect(Math.abs(Math.abs(foot.gap) - least)).toBeLessThan(2e-4 + 2e-6 / least);
    if (least > 1e-3) expect(foot.gap < 0).toBe(inside);
    // the direction is the gradient
    const h = 1e-6;
    const gap = foot.gap;
    const { nx, ny } = foot;
    outline.find(x + h * nx, y + h * ny, foot);
    if (Math.abs(gap) > 1e-3) expect(Math.abs((foot.gap - gap) / h - 1)).toBeLessThan(1e-3);
  }
});

test('a place on a corner, to the bit, is at its distance of nothing, and its direction lies between those of the edges', () => {
  // the corner of a block that stands in a corner, or in a groove, has the same coordinates as that of the other body
  const groove: [number, number][] = [
    [0, 0],
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ].reverse() as [number, number][];
  const outline = new RigidOutline({ kind: 'outline', profile: { outer: groove, holes: [] } });
  const foot: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
  const half = Math.SQRT1_2;
  const eighth = Math.tan(Math.PI / 8);
  const size = Math.hypot(1, eighth);
  const expected: [number, number, number, number][] = [
    [0, 0, 0, 1],
    [1, -1, half, -half],
    [-1, -1, -half, -half],
    // the tip on the right turns by 135°, from (1, 0) to (−√½, √½)
    [1, 1, eighth / size, 1 / size],
    [-1, 1, -eighth / size, 1 / size],
  ];
  for (const [x, y, nx, ny] of expected) {
    outline.find(x, y, foot);
    expect(foot.gap).toBe(0);
    // rounding
    expect(foot.nx).toBeCloseTo(nx, 14);
    expect(foot.ny).toBeCloseTo(ny, 14);
  }
});
