import { describe, expect, test } from 'vitest';
import {
  ArcPair,
  bar,
  circle,
  FIGURES,
  type Figure,
  genevaArcs,
  type PlanePose,
  placedAt,
  rectangle,
  ring,
  roundedBox,
  slottedPlate,
} from '../../../tests/fixtures/arc-outlines.js';
import { genevaDimensions } from '../../assets/machine-elements/geneva-dimensions.js';
import { genevaWheelMoments } from '../../assets/machine-elements/geneva-outline.js';
import { random } from '../../math/random.js';
import { GRADIENT, PATCH } from '../contact-patches.js';
import { SEGMENT, segmentSums } from './circular-segment.js';
import { prepareLoops } from './loop-body.js';

const EPS = 2.2e-16;
const ORIGIN = placedAt(0, 0);
const DEPTHS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/** Area of the part of a disc beyond a chord at distance r − h from the centre: r² (φ − sin φ cos φ), without loss for small h */
function cap(r: number, h: number): number {
  const out = new Float64Array(SEGMENT.count);
  const half = Math.sqrt(h * (2 * r - h));
  segmentSums(out, 0, 2 * half, half / r);
  return out[SEGMENT.area];
}

// Rounding of coordinates of size 1 moves the outlines by ε against each other: ε/δ of the depth, of the volume half as much again.
describe('small overlaps of round outlines', () => {
  test.each(DEPTHS)('lens of two circles, depth %s', (delta) => {
    const [r, s] = [1, 0.7];
    for (const angle of [0, 0.4, 2, 4.1]) {
      const distance = r + s - delta;
      const pair = new ArcPair(circle(r), circle(s, 3));
      expect(pair.place(ORIGIN, placedAt(distance * Math.cos(angle), distance * Math.sin(angle), 1))).toBe(1);
      // heights of the two caps: from the distance of the common chord
      const ha = (delta * (2 * s - delta)) / (2 * distance);
      const hb = (delta * (2 * r - delta)) / (2 * distance);
      const half = Math.sqrt(ha * (2 * r - ha));
      const { patches } = pair;
      const tolerance = (20 * EPS) / delta;
      expect(Math.abs(patches.volume[0] / (cap(r, ha) + cap(s, hb)) - 1)).toBeLessThan(tolerance);
      const size = Math.hypot(patches.vectorArea[0], patches.vectorArea[1]);
      expect(Math.abs(size / (2 * half) - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.normal[0] - Math.cos(angle))).toBeLessThan(Math.sqrt(tolerance) * 1e-7 + 1e-9);
      expect(Math.abs(patches.extent[0] / delta - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.depth[0] / (patches.volume[0] / half) - 1)).toBeLessThan(tolerance);
    }
  });

  test.each(DEPTHS)('cap on a line, depth %s', (delta) => {
    const pair = new ArcPair(rectangle(4, 2), circle(0.7));
    for (const x of [0, 0.31, -0.9]) {
      expect(pair.place(ORIGIN, placedAt(x, 1.7 - delta, x))).toBe(1);
      const { patches } = pair;
      const half = Math.sqrt(delta * (1.4 - delta));
      const tolerance = (20 * EPS) / delta;
      expect(Math.abs(patches.volume[0] / cap(0.7, delta) - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.vectorArea[1] / (2 * half) - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.area[0] / (2 * half) - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.extent[0] / delta - 1)).toBeLessThan(tolerance);
      expect(Math.abs(patches.centroid[0] - x)).toBeLessThan(1e-9);
    }
  });
});

test('circle in circle, disc in a hole, circle over a ring', () => {
  const within = new ArcPair(circle(1), circle(0.4, 3));
  expect(within.place(ORIGIN, placedAt(0.3, -0.2))).toBe(1);
  expect(within.overlap.volume()).toBeCloseTo(Math.PI * 0.16, 14);
  expect(within.patches.flags[0]).toBe(PATCH.contained);
  expect([...within.patches.vectorArea.slice(0, 3)]).toEqual([0, 0, 0]);
  expect(within.patches.extent[0]).toBeCloseTo(0.8, 14);
  const hole = new ArcPair(ring(1, 0.6), circle(0.4));
  expect(hole.place(ORIGIN, placedAt(0.15, 0.1))).toBe(0);
  const over = new ArcPair(ring(1, 0.6), circle(0.8));
  expect(over.place(ORIGIN, placedAt(0.1, 0))).toBe(1);
  expect(over.overlap.volume()).toBeCloseTo(Math.PI * (0.64 - 0.36), 14);
  const cover = new ArcPair(ring(1, 0.6), circle(1.5));
  expect(cover.place(ORIGIN, placedAt(0.1, 0.2))).toBe(1);
  expect(cover.overlap.volume()).toBeCloseTo(Math.PI * 0.64, 13);
});

test('the area of a Geneva wheel', () => {
  const pair = new ArcPair(genevaArcs({ radius: 1 }), rectangle(4, 4));
  pair.place(ORIGIN, ORIGIN);
  expect(pair.overlap.volume()).toBeCloseTo(2.002709, 6);
  // Green's theorem over the same pieces, and without the bore
  const bore = genevaDimensions({ radius: 1 }).boreRadius;
  const { wheelArea } = genevaWheelMoments({ radius: 1 });
  expect(pair.overlap.volume()).toBeCloseTo(wheelArea + Math.PI * bore ** 2, 13);
});

// By Simpson's rule over the angle, in heights and places from the chord; on both sides of the switch to series at s² = 0.04.
describe('sums over a circular segment', () => {
  test.each([1e-9, 1e-4, 0.01, 0.1, 0.19, 0.199999, 0.2, 0.200001, 0.21, 0.4, 0.7, 0.99, -0.05, -0.5])(
    'sine %s',
    (sine) => {
      const chord = 1.7;
      const radius = chord / (2 * Math.abs(sine));
      const phi = Math.asin(Math.abs(sine));
      const n = 2000;
      const expected = new Float64Array(SEGMENT.count);
      for (let k = 0; k <= n; k++) {
        const weight = ((k === 0 || k === n ? 1 : k % 2 === 1 ? 4 : 2) * 2 * phi) / (3 * n);
        const angle = -phi + (2 * phi * k) / n;
        // cos a − cos φ without loss
        const height = 2 * radius * Math.sin((phi + angle) / 2) * Math.sin((phi - angle) / 2);
        const place = radius * Math.sin(angle);
        const line = radius * weight;
        const across = radius * Math.cos(angle) * weight; // d(place)
        expected[SEGMENT.area] += height * across;
        expected[SEGMENT.rise] += 0.5 * height * height * across;
        expected[SEGMENT.length] += line;
        expected[SEGMENT.lift] += height * line;
        expected[SEGMENT.along] += place * place * line;
        expected[SEGMENT.up] += height * height * line;
      }
      const sums = new Float64Array(SEGMENT.count);
      segmentSums(sums, 0, chord, sine);
      const sign = Math.sign(sine);
      expected[SEGMENT.area] *= sign;
      expected[SEGMENT.lift] *= sign;
      for (let k = 0; k < SEGMENT.count; k++) expect(Math.abs(sums[k] / expected[k] - 1)).toBeLessThan(1e-11);
    },
  );
});

const ROWS = ['volume', 'depth', 'extent', 'area'] as const;
const VECTORS = ['centroid', 'normal', 'vectorArea', 'patchCentroid', 'secondMoments'] as const;

/** Overlapping pairs of figures, some with B turned over */
function* overlaps(count: number, seed: string): Generator<[Figure, Figure, PlanePose, PlanePose]> {
  const draw = random(seed);
  const figures = Object.values(FIGURES);
  for (let k = 0; k < count; k++) {
    const pose = (): PlanePose => ({
      x: draw.uniformBetween(-0.6, 0.6),
      y: draw.uniformBetween(-0.6, 0.6),
      angle: draw.uniformBetween(0, 6.3),
    });
    const q = { ...pose(), over: draw.integer(4) === 0 };
    yield [figures[draw.integer(figures.length)], figures[draw.integer(figures.length)], pose(), q];
  }
}

test('a circle of 3, 4 or 7 arcs has the same rows', () => {
  const draw = random('cut circles');
  for (let k = 0; k < 60; k++) {
    const q = placedAt(draw.uniformBetween(0.3, 1.1), draw.uniformBetween(-0.5, 0.5), draw.uniformBetween(0, 6));
    const [first, ...others] = [3, 4, 7].map((arcs) => {
      const pair = new ArcPair(slottedPlate(), circle(0.45, arcs, 0.1));
      pair.place(ORIGIN, q, true);
      return pair.patches;
    });
    for (const other of others) {
      expect(other.count).toBe(first.count);
      for (let row = 0; row < first.count; row++) {
        if (first.volume[row] < 1e-3) continue;
        for (const name of ROWS) expect(Math.abs(other[name][row] - first[name][row])).toBeLessThan(1e-13);
        for (const name of VECTORS)
          for (let c = 0; c < 3; c++)
            expect(Math.abs(other[name][3 * row + c] - first[name][3 * row + c])).toBeLessThan(1e-12);
        for (let g = 0; g < 54; g++)
          expect(Math.abs(other.gradient[54 * row + g] - first.gradient[54 * row + g])).toBeLessThan(1e-10);
      }
    }
  }
});

// As for the caps above: 7 ε/δ are 1.5e-12.
test('the overlap of a disc with a flat does not change while it turns', () => {
  const pair = new ArcPair(rectangle(4, 2), circle(1, 5));
  const exact = cap(1, 1e-3);
  for (let k = 0; k < 720; k++) {
    pair.place(ORIGIN, placedAt(0.1, 2 - 1e-3, (k * Math.PI) / 360));
    expect(Math.abs(pair.patches.volume[0] / exact - 1)).toBeLessThan((7 * EPS) / 1e-3);
  }
});

describe('invariance', () => {
  test('exchange of the bodies', () => {
    for (const [a, b, p, q] of overlaps(200, 'exchange')) {
      const one = new ArcPair(a, b);
      const other = new ArcPair(b, a);
      const count = one.place(p, q);
      expect(other.place(q, p)).toBe(count);
      expect(Math.abs(one.overlap.volume() - other.overlap.volume())).toBeLessThan(1e-14);
      if (count !== 1 || one.patches.volume[0] < 1e-2) continue;
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(one.patches.vectorArea[c] + other.patches.vectorArea[c])).toBeLessThan(1e-14);
        expect(Math.abs(one.patches.centroid[c] - other.patches.centroid[c])).toBeLessThan(1e-13);
      }
    }
  });

  test('common motion', () => {
    const draw = random('motion');
    for (const [a, b, p, q] of overlaps(200, 'common motion')) {
      const pair = new ArcPair(a, b);
      const count = pair.place(p, q);
      const volume = pair.overlap.volume();
      const angle = draw.uniformBetween(0, 6);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const move = (pose: PlanePose): PlanePose => ({
        ...pose,
        x: c * pose.x - s * pose.y + 0.2,
        y: s * pose.x + c * pose.y - 0.1,
        angle: pose.angle + angle,
      });
      expect(pair.place(move(p), move(q))).toBe(count);
      expect(Math.abs(pair.overlap.volume() - volume)).toBeLessThan(1e-14);
    }
  });

  // half a turn about x, seen from above, is a mirror image: so is the whole scene mirrored
  test('a body turned over', () => {
    for (const [a, b, p, q] of overlaps(200, 'turned over')) {
      const mirror = ({ outer, holes }: Figure): Figure => {
        const flip = (loop: Figure['outer']): Figure['outer'] =>
          loop.map((_, k) => {
            const n = loop.length;
            const [x, y] = loop[n - 1 - k];
            return [x, -y, loop[(2 * n - 2 - k) % n][2] ?? 0] as const;
          });
        return { outer: flip(outer), holes: holes.map(flip) };
      };
      const over = new ArcPair(a, b);
      const drawn = new ArcPair(a, mirror(b));
      const count = over.place(p, { ...q, over: true });
      expect(drawn.place(p, { ...q, over: false })).toBe(count);
      expect(Math.abs(over.overlap.volume() - drawn.overlap.volume())).toBeLessThan(1e-14);
    }
  });
});

// Differences of fourth order; their rounding, 1e-16/step of values of size 1, and their truncation meet at 1e-9 near step 1e-4 of a size.
describe('gradients', () => {
  test.each(['volume', 'extent'] as const)('all rows, depth by %s', (depth) => {
    let compared = 0;
    let worst = 0;
    const errors: number[] = [];
    for (const [a, b, p, q] of overlaps(150, `gradient ${depth}`)) {
      const pair = new ArcPair(a, b, depth);
      const count = pair.place(p, q, true);
      for (let row = 0; row < Math.min(1, count); row++) {
        if (pair.patches.volume[row] < 0.02 || pair.patches.flags[row] !== 0) continue;
        pair.place(p, q, true);
        const analytic = pair.patches.gradient.slice(54 * row, 54 * row + 54);
        const [cx, cy] = pair.patches.centroid.slice(3 * row, 3 * row + 2);
        const measure = (column: number, h: number): number[] | undefined => {
          const turn = column === 2 ? h : 0;
          const [c, s] = [Math.cos(turn), Math.sin(turn)];
          const x = cx + c * (q.x - cx) - s * (q.y - cy) + (column === 0 ? h : 0);
          const y = cy + s * (q.x - cx) + c * (q.y - cy) + (column === 1 ? h : 0);
          if (pair.place(p, { ...q, x, y, angle: q.angle + turn }) !== count) return undefined;
          const { volume, depth: d, vectorArea, normal, centroid } = pair.patches;
          const v = vectorArea.slice(3 * row, 3 * row + 2);
          return [
            volume[row],
            d[row],
            Math.hypot(...v),
            normal[3 * row],
            normal[3 * row + 1],
            centroid[3 * row],
            centroid[3 * row + 1],
          ];
        };
        const rows = [
          GRADIENT.volume,
          GRADIENT.depth,
          GRADIENT.vectorArea,
          GRADIENT.normal,
          GRADIENT.normal + 6,
          GRADIENT.centroid,
          GRADIENT.centroid + 6,
        ];
        for (let column = 0; column < 3; column++) {
          const difference = (h: number): number[] | undefined => {
            const [m2, m1, p1, p2] = [-2 * h, -h, h, 2 * h].map((step) => measure(column, step));
            if (!m2 || !m1 || !p1 || !p2) return undefined;
            return rows.map((_, r) => (8 * (p1[r] - m1[r]) - (p2[r] - m2[r])) / (12 * h));
          };
          const fine = difference(1e-4);
          const coarse = difference(2e-4);
          if (!fine || !coarse) continue;
          rows.forEach((at, r) => {
            // a kink is near where the two disagree
            if (Math.abs(fine[r] - coarse[r]) > 1e-7 * (1 + Math.abs(fine[r]))) return;
            const error = Math.abs(fine[r] - analytic[at + (column === 2 ? 5 : column)]) / (1 + Math.abs(fine[r]));
            errors.push(error);
            worst = Math.max(worst, error);
            compared++;
          });
        }
      }
    }
    expect(compared).toBeGreaterThan(900);
    expect(worst).toBeLessThan(1e-7);
    expect(errors.sort((x, y) => x - y)[errors.length >> 1]).toBeLessThan(1e-9);
  });
});

// A bar's flat side meets its round end: a crossing that passes the joint sees the curvature jump, nothing before it. S is C1, V is C2.
test('a joint of line and arc is smooth', () => {
  const pair = new ArcPair(rectangle(2, 2), bar(1, 0.3));
  // the bar lies across the rectangle's side x = 1, turned: its joint passes the side as it is pushed along its axis
  const angle = 0.35;
  const measure = (x: number): [number, number] => {
    pair.place(ORIGIN, placedAt(x, 0.1, angle), true);
    const { gradient, normal, vectorArea } = pair.patches;
    const size = Math.hypot(vectorArea[0], vectorArea[1]);
    // d|S|/dx, and −d²V/dx² = dS_x/dx
    return [
      gradient[GRADIENT.vectorArea],
      gradient[GRADIENT.vectorArea] * normal[0] + size * gradient[GRADIENT.normal],
    ];
  };
  // the joint (−0.5, −0.3) of the bar at x = 1
  const passing = 1 + 0.5 * Math.cos(angle) - 0.3 * Math.sin(angle);
  const h = 1e-5;
  for (const row of [0, 1]) {
    const [f2, f1, g1, g2] = [-2 * h, -h, h, 2 * h].map((step) => measure(passing + step)[row]);
    // both sides continued to the joint, with an error of h² times a third derivative; their slopes differ
    expect(Math.abs(2 * g1 - g2 - (2 * f1 - f2))).toBeLessThan(1e-6);
    expect(Math.abs((g2 - g1 - (f1 - f2)) / h)).toBeGreaterThan(1);
  }
});

test('edges are named as given though arcs are cut', () => {
  const loops = prepareLoops(roundedBox(1, 1, 0.2), 0, 1);
  expect([...loops.source]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const halves = prepareLoops(bar(1, 0.2), 0, 1);
  expect([...halves.source]).toEqual([0, 1, 1, 2, 3, 3]);
  expect([...halves.flipped!.source].sort()).toEqual([0, 1, 1, 2, 3, 3]);
});
