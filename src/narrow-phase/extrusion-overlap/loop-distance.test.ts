// Distance of outlines with arcs: closed forms, and fine polygons.
import { expect, test } from 'vitest';
import {
  circle,
  FIGURES,
  type Figure,
  type PlanePose,
  placedAt,
  rectangle,
  ring,
} from '../../../tests/fixtures/arc-outlines.js';
import { random } from '../../math/random.js';
import { Separation } from '../route.js';
import { prepareLoops } from './loop-body.js';
import { LoopDistance } from './loop-distance.js';

function distance(a: Figure, b: Figure, p: PlanePose, q: PlanePose): Separation {
  const rotation = new Float64Array(18);
  const position = new Float64Array(6);
  [p, q].forEach(({ x, y, angle, over }, k) => {
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    rotation.set(over ? [c, s, 0, s, -c, 0, 0, 0, -1] : [c, -s, 0, s, c, 0, 0, 0, 1], 9 * k);
    position.set([x, y, over ? 1 : 0], 3 * k);
  });
  const out = new Separation();
  expect(
    new LoopDistance(prepareLoops(a, 0, 1), prepareLoops(b, 0, 1)).evaluate({ rotation, position }, 0, 1, out),
  ).toBe(true);
  return out;
}

test('circles outside and inside each other, in a ring, beside a flat', () => {
  const draw = random('circles apart');
  for (let k = 0; k < 100; k++) {
    const angle = draw.uniformBetween(0, 6.3);
    const d = draw.uniformBetween(1.3, 5);
    const q = placedAt(d * Math.cos(angle), d * Math.sin(angle), draw.uniformBetween(0, 6.3));
    const apart = distance(circle(0.7), circle(0.5, 3), placedAt(0, 0), q);
    expect(Math.abs(apart.distance - (d - 1.2))).toBeLessThan(2e-15 * d);
    expect(Math.abs(apart.direction[0] - Math.cos(angle))).toBeLessThan(1e-13);
    expect(Math.hypot(apart.pointA[0], apart.pointA[1])).toBeCloseTo(0.7, 14);
    const e = 0.3 * draw.uniform();
    const within = distance(
      ring(2, 1),
      circle(0.6),
      placedAt(0, 0),
      placedAt(e * Math.cos(angle), e * Math.sin(angle)),
    );
    expect(Math.abs(within.distance - (0.4 - e))).toBeLessThan(1e-15);
    const beside = distance(rectangle(8, 2), circle(0.6), placedAt(0, 0), placedAt(e, 1 + d, angle));
    expect(Math.abs(beside.distance - (d - 0.6))).toBeLessThan(2e-15 * d);
    expect(distance(circle(0.7), circle(0.5, 3), placedAt(0, 0), placedAt(0.1, 0.15)).distance).toBe(0);
  }
});

// An arc of radius 1e6 and sagitta 1.25e-7: the centre's rounding, 1e-10, must not be in the distance.
test('flat arcs lose nothing', () => {
  const chord = 1;
  const radius = 1e6;
  const sagitta = radius - Math.sqrt(radius ** 2 - chord ** 2 / 4);
  const bulge = chord / (4 * radius); // tan(sweep/4), to 1e-20
  const flat: Figure = {
    outer: [
      [-0.5, -1],
      [0.5, -1],
      [0.5, 0, bulge],
      [-0.5, 0],
    ],
    holes: [],
  };
  const exact = (chord * chord) / (8 * radius);
  expect(Math.abs(sagitta / exact - 1)).toBeLessThan(1e-3);
  expect(
    Math.abs(distance(flat, circle(0.25), placedAt(0, 0), placedAt(0, 0.5)).distance - (0.25 - exact)),
  ).toBeLessThan(1e-15);
  expect(
    Math.abs(distance(circle(0.25), flat, placedAt(0, 0.5), placedAt(0, 0)).distance - (0.25 - exact)),
  ).toBeLessThan(1e-15);
});

/** Arcs as chords, corners on the arc */
function fine({ outer, holes }: Figure, parts: number): Figure {
  const cut = (loop: Figure['outer']): Figure['outer'] =>
    loop.flatMap(([x, y, b = 0], i) => {
      if (b === 0) return [[x, y] as const];
      const [u, v] = loop[(i + 1) % loop.length];
      const half = 2 * Math.atan(b);
      return Array.from({ length: parts }, (_, k) => {
        const angle = (half * k) / parts;
        const length = Math.sin(angle) / Math.sin(half);
        const c = length * Math.cos(angle - half);
        const s = length * Math.sin(angle - half);
        return [x + c * (u - x) - s * (v - y), y + s * (u - x) + c * (v - y)] as const;
      });
    });
  return { outer: cut(outer), holes: holes.map(cut) };
}

// Of 400 chords of the longest arc, 330° of radius 0.36, each lies within 1e-5 of it; both bodies may have one.
test('as fine polygons', () => {
  const draw = random('arc distance');
  const figures = Object.values(FIGURES);
  const polygons = figures.map((figure) => fine(figure, 400));
  let apart = 0;
  for (let k = 0; k < 80; k++) {
    const i = draw.integer(figures.length);
    const j = draw.integer(figures.length);
    const angle = draw.uniformBetween(0, 6.3);
    const d = draw.uniformBetween(0, 3);
    const q = { ...placedAt(d * Math.cos(angle), d * Math.sin(angle), draw.uniformBetween(0, 6)), over: k % 3 === 0 };
    const exact = distance(figures[i], figures[j], placedAt(0, 0), q);
    const nearly = distance(polygons[i], polygons[j], placedAt(0, 0), q);
    expect(Math.abs(exact.distance - nearly.distance)).toBeLessThan(2e-5);
    if (exact.distance === 0) continue;
    apart++;
    const gap = [0, 1].map((axis) => exact.pointB[axis] - exact.pointA[axis]);
    expect(Math.hypot(...gap)).toBeCloseTo(exact.distance, 13);
  }
  expect(apart).toBeGreaterThan(25);
});
