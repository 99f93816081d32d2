import { describe, expect, test } from 'vitest';
import { frame } from '../../../tests/fixtures/closed-form.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { cylinder, type Solid } from '../../geometry/index.js';
import { ORIGIN } from '../../geometry/solid.js';
import { fromAxisAngle, multiply, type Quaternion } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { CylinderHalfSpace } from '../closed-form/index.js';
import { convexRoute } from '../convex-overlap/index.js';
import { cylinderCylinderRoute } from './route.js';

type Size = { radius: number; height: number };
const on = (a: Size, b: Size): OnRoute => new OnRoute(cylinderCylinderRoute(cylinder(a), cylinder(b), 0, 1)!);
const ratio = (a: number, b: number): number => Math.abs(a / b - 1);
const size = ({ vectorArea: s }: OnRoute['patches']): number => Math.sqrt(s[0] ** 2 + s[1] ** 2 + s[2] ** 2);
const LYING: Quaternion = fromAxisAngle([0, 1, 0], Math.PI / 2);

// The lens of two circles at the distance c: chord l, area Σ (R² asin(l/2R) − l h/2), h the height of the centre above the chord
function lens(r: number, R: number, c: number): { chord: number; area: number } {
  const h = (c * c + r * r - R * R) / (2 * c);
  const half = Math.sqrt(r * r - h * h);
  const part = (rho: number, height: number) => rho * rho * Math.atan2(half, height) - half * height;
  return { chord: 2 * half, area: part(r, h) + part(R, c - h) };
}

describe('parallel axes: the lens of two circles, as long as both are beside each other', () => {
  const exact = on({ radius: 0.3, height: 0.5 }, { radius: 0.2, height: 0.8 });
  test.each([0.1, 1e-2, 1e-4, 1e-6])('depth %f', (depth) => {
    for (const along of [0, 0.3]) {
      for (const spin of [0, 0.7, 2.5]) {
        const turn = fromAxisAngle([0, 0, 1], spin);
        const p = exact.find(frame([0, 0, 0]), frame([0.5 - depth, 0, along], turn));
        expect(p.count).toBe(1);
        const { chord, area } = lens(0.3, 0.2, 0.5 - depth);
        const length = Math.min(0.25, along + 0.4) - Math.max(-0.25, along - 0.4);
        // where both end at one height the border may be 1e-14 of the sizes aside
        const known = 1e-11 + 4e-14 / depth;
        expect(ratio(p.volume[0], area * length)).toBeLessThan(known);
        expect(ratio(p.vectorArea[0], chord * length)).toBeLessThan(known);
        // A's end in B, where B's other end is in A
        expect(Math.abs(p.vectorArea[2] - (along > 0 ? area : 0)) / (chord * length)).toBeLessThan(known);
        if (along === 0) expect(ratio(p.extent[0], depth)).toBeLessThan(known);
        expect(p.centroid[2]).toBeCloseTo(0.5 * (Math.min(0.25, along + 0.4) + Math.max(-0.25, along - 0.4)), 9);
      }
    }
  });

  test('flush ends, and nearly parallel', () => {
    const flush = on({ radius: 0.3, height: 0.5 }, { radius: 0.2, height: 0.5 });
    const { area } = lens(0.3, 0.2, 0.49);
    for (let i = 0; i < 50; i++) {
      const turn = fromAxisAngle([0.6, 0.8, 0], 0.1 * i);
      const at = multiply(multiply(turn, [0, 0.49, 0, 0]), [turn[0], -turn[1], -turn[2], -turn[3]]);
      const p = flush.find(frame([0, 0, 0], turn), frame([at[1], at[2], at[3]], turn));
      expect(ratio(p.volume[0], area * 0.5)).toBeLessThan(1e-10);
    }
    // V is even in the angle across the normal: γ² (h/R)² of it at most
    for (const tilt of [1e-13, 1e-11, 1e-10, 1e-9, 1e-7, 1e-5]) {
      const p = flush.find(frame([0, 0, 0]), frame([0.49, 0, 0], fromAxisAngle([1, 0, 0], tilt)));
      expect(ratio(p.volume[0], area * 0.5)).toBeLessThan(1e-6);
    }
  });
});

// Logs, rollers: the axes of things that rest are parallel to 1e-12 … 1e-6 rad and their ends often flush
describe('nearly parallel axes', () => {
  const [R, r, h, depth] = [0.3, 0.2, 0.5, 1e-3];
  const log = on({ radius: R, height: h }, { radius: r, height: h });
  const area = lens(R, r, R + r - depth);

  // V is even in a tilt about the end of the chord's middle line, but for what δ varies: (γ h/δ)² of it
  test.each([1e-12, 2e-10, 1e-9, 1e-8, 1e-7])('ends flush, %f rad apart', (tilt) => {
    for (let i = 0; i < 12; i++) {
      const axis = [Math.cos(0.5 * i), Math.sin(0.5 * i), 0] as const;
      const p = log.find(frame([0, 0, 0]), frame([R + r - depth, 0, 0], fromAxisAngle(axis, tilt)));
      expect(p.count).toBe(1);
      expect(ratio(p.volume[0], area.area * h)).toBeLessThan(1e-9 + (tilt * h) / depth);
      expect(ratio(p.vectorArea[0], area.chord * h)).toBeLessThan(1e-9 + (tilt * h) / depth);
    }
  });

  // Ends of two coins beside each other on a table: all of the overlap of two discs, whichever angle 1e-10 … 1e-3 rad is between them
  test.each([2e-10, 1e-9, 1e-7, 1e-5, 1e-3])('discs far in each other, ends flush, %f rad apart', (tilt) => {
    const coins = on({ radius: R, height: h }, { radius: r, height: 1.2 * h });
    const deep = lens(R, r, 0.4);
    for (let i = 0; i < 12; i++) {
      const turn = fromAxisAngle([Math.cos(0.5 * i), Math.sin(0.5 * i), 0], tilt);
      const [, x, , z] = multiply(multiply(turn, [0, 0, 0, 0.6 * h]), [turn[0], -turn[1], -turn[2], -turn[3]]);
      const p = coins.find(frame([0, 0, 0]), frame([0.4 - x, 0, 0.5 * h - z], turn));
      // B's side moves by γ h/2 on average, over the chord, and its end by less than γ r
      expect(ratio(p.volume[0], deep.area * h)).toBeLessThan(
        1e-9 + tilt * ((0.5 * h * deep.chord) / deep.area + r / h),
      );
    }
  });

  test('goes over into the general sums without a step', () => {
    const long = on({ radius: R, height: h }, { radius: r, height: 2 * h });
    for (let i = 0; i < 12; i++) {
      const axis = [Math.cos(0.5 * i), Math.sin(0.5 * i), 0] as const;
      const at = (tilt: number): number[] => {
        const p = long.find(frame([0, 0, 0]), frame([R + r - 0.01, 0, 0.7], fromAxisAngle(axis, tilt)));
        return [
          p.volume[0] / 1e-5,
          p.depth[0] / 0.01,
          p.extent[0] / 0.01,
          ...p.normal.slice(0, 3),
          ...p.centroid.slice(0, 3),
        ];
      };
      // from 0.99999999e-5 to 1.00000001e-5 rad: all else changes by 2e-13 of what a radian makes of it
      const [below, above] = [at(0.99999999e-5), at(1.00000001e-5)];
      below.forEach((value, k) => {
        expect(Math.abs(value - above[k])).toBeLessThan(1e-10);
      });
    }
  });

  test('rows of the gradient are derivatives', () => {
    const long = on({ radius: R, height: h }, { radius: r, height: 2 * h });
    for (const tilt of [0, 1e-9, 1e-6, 5e-6])
      for (let i = 0; i < 6; i++) {
        const turn = multiply(fromAxisAngle([Math.cos(i), Math.sin(i), 0], tilt), fromAxisAngle([0, 0, 1], 0.3 * i));
        const found = gradientDifference(long, frame([0, 0, 0]), frame([R + r - 0.01, 0, 0.7], turn), 0, {
          step: 2e-6,
        });
        expect(found?.error).toBeLessThan(1e-5);
      }
  });
});

// Square axes, both long: over each x along A the segment of A's circle above B's lowest line, ∫ R²(acos u − u √(1 − u²)) dx, u = (D − √(r² − x²))/R
describe('crossed', () => {
  const [R, r] = [0.3, 0.2];
  const exact = on({ radius: R, height: 2 }, { radius: r, height: 2 });
  const crossed = (distance: number): number => {
    const half = Math.sqrt(r * r - Math.max(0, distance - R) ** 2);
    let sum = 0;
    const count = 4000;
    for (let i = 0; i < count; i++) {
      // x = half sin t: smooth to the ends
      const t = -Math.PI / 2 + (Math.PI * (i + 0.5)) / count;
      const u = Math.min(1, (distance - Math.sqrt(r * r - (half * Math.sin(t)) ** 2)) / R);
      sum += R * R * (Math.acos(u) - u * Math.sqrt(1 - u * u)) * half * Math.cos(t) * (Math.PI / count);
    }
    return sum;
  };
  test.each([0.15, 0.05, 1e-2, 1e-3])('depth %f', (depth) => {
    const p = exact.find(
      frame([0, 0, 0], LYING),
      frame([0.1, 0, R + r - depth], fromAxisAngle([1, 0, 0], Math.PI / 2)),
    );
    expect(p.count).toBe(1);
    // the midpoint rule on a smooth integrand that ends flat
    expect(ratio(p.volume[0], crossed(R + r - depth))).toBeLessThan(1e-6);
    expect(p.normal[2]).toBeCloseTo(1, 12);
  });

  // V → π √(R r) d², S → 2π √(R r) d: half-axes of the ellipse √(2Rd), √(2rd)
  test('shallow: an ellipse, whatever the angle', () => {
    for (const angle of [Math.PI / 2, 1, 0.3]) {
      const d = 1e-7;
      const turned = multiply(fromAxisAngle([0, 0, 1], angle), LYING);
      const p = exact.find(frame([0, 0, 0], LYING), frame([0, 0, R + r - d], turned));
      expect(ratio(p.volume[0], (Math.PI * Math.sqrt(R * r) * d * d) / Math.sin(angle))).toBeLessThan(1e-5);
      expect(ratio(size(p), (2 * Math.PI * Math.sqrt(R * r) * d) / Math.sin(angle))).toBeLessThan(1e-5);
      expect(ratio(p.depth[0], d)).toBeLessThan(1e-5);
    }
  });
});

describe('end on end', () => {
  test.each([
    ['smaller on larger', 0.2, 0.3, [0.03, 0.04]],
    ['larger on smaller', 0.3, 0.2, [0.03, 0.04]],
    ['of one size', 0.2, 0.2, [0, 0]],
    ['of one size, 1e-13 aside', 0.2, 0.2, [1e-13, 0]],
  ] as const)('%s', (_, r, R, [x, y]) => {
    const exact = on({ radius: R, height: 0.5 }, { radius: r, height: 0.1 });
    for (const depth of [1e-2, 1e-5, 1e-8])
      for (const spin of [0, 1.3]) {
        const p = exact.find(frame([0, 0, 0]), frame([x, y, 0.3 - depth], fromAxisAngle([0, 0, 1], spin)));
        expect(p.count).toBe(1);
        const area = Math.PI * Math.min(r, R) ** 2;
        // ends count as 1e-14 of the sizes aside; a border is told to 1e-16 of 0.3 over the offset of 1e-13
        expect(ratio(p.volume[0], area * depth)).toBeLessThan(1e-8 + 2e-14 / depth);
        // aside, half of each side is in the other, and S leans by depth × diameter
        const lean = x > 0 && r === R ? (2 * r * depth) / area : 0;
        expect(ratio(p.depth[0], 2 * depth)).toBeLessThan(1e-8 + 2e-14 / depth + 0.6 * lean * lean);
        expect(1 - Math.abs(p.normal[2])).toBeLessThan(1e-12 + 0.6 * lean * lean);
      }
  });

  test('a log on a stump: square axes, lines of the side along the end', () => {
    const exact = on({ radius: 0.3, height: 0.5 }, { radius: 0.1, height: 2 });
    for (const tilt of [0, 1e-12, 1e-9, 1e-6]) {
      const d = 1e-3;
      const turned = fromAxisAngle([0, 1, 0], Math.PI / 2 + tilt);
      const p = exact.find(frame([0, 0, 0]), frame([0, 0, 0.35 - d], turned));
      // a strip as wide as the log is deep, its ends on the stump's rim: ∫ 2 √(0.3² − y²) (√(0.1² − y²) − 0.1 + d) dy
      let exactVolume = 0;
      const half = Math.sqrt(2 * 0.1 * d - d * d);
      for (let i = 0; i < 2000; i++) {
        const y = half * Math.sin(-Math.PI / 2 + (Math.PI * (i + 0.5)) / 2000);
        const dy = half * Math.cos(-Math.PI / 2 + (Math.PI * (i + 0.5)) / 2000) * (Math.PI / 2000);
        exactVolume += 2 * Math.sqrt(0.09 - y * y) * (Math.sqrt(0.01 - y * y) - 0.1 + d) * dy;
      }
      expect(ratio(p.volume[0], exactVolume)).toBeLessThan(1e-6);
    }
  });
});

// A side of radius 1e5 m is flat to 5e-7 m over 0.3 m; places on it are known to 1e-11 m.
test('a rim on a very large side is one on a half-space', () => {
  const large = on({ radius: 1e5, height: 8 }, { radius: 0.3, height: 0.5 });
  const plane = new OnRoute(new CylinderHalfSpace(0, 1, 0.3, 0.5));
  for (const angle of [0.7, 1.2, 2.5]) {
    const depth = 0.05;
    const height = Math.abs(Math.sin(angle)) * 0.3 + 0.25 * Math.abs(Math.cos(angle)) - depth;
    const orientation = fromAxisAngle([0, 1, 0], angle);
    const p = large.find(
      frame([0, 0, -1e5], fromAxisAngle([1, 0, 0], Math.PI / 2)),
      frame([0, 0, height], orientation),
    );
    const q = plane.find(frame([0, 0, 0]), frame([0, 0, height], orientation));
    expect(ratio(p.volume[0], q.volume[0])).toBeLessThan(1e-4);
    expect(ratio(size(p), size(q))).toBeLessThan(1e-4);
    expect(ratio(p.depth[0], q.depth[0])).toBeLessThan(1e-4);
  }
});

const [A, B]: readonly Size[] = [
  { radius: 0.3, height: 0.5 },
  { radius: 0.2, height: 0.7 },
];
function poses(seed: string, count: number) {
  const draw = random(seed);
  const turns: readonly (() => Quaternion)[] = [
    () => fromAxisAngle(draw.unitVector(), Math.PI * draw.uniform()),
    () => [1, 0, 0, 0],
    () => LYING,
    () => multiply(fromAxisAngle([0, 0, 1], 6 * draw.uniform()), LYING),
  ];
  return Array.from({ length: count }, (_, i) => {
    const way = draw.unitVector();
    const far = 0.35 + 0.25 * draw.uniform();
    return {
      a: frame([0.1, -0.2, 0.3], i % 3 === 0 ? turns[0]() : [1, 0, 0, 0]),
      b: frame([0.1 + way[0] * far, -0.2 + way[1] * far, 0.3 + way[2] * far], turns[i % 4]()),
    };
  });
}

test('facets converge to it', () => {
  const exact = on(A, B);
  const meshed = ({ radius, height }: Size, segments: number): Solid => ({
    mesh: cylinder({ radius, height, segments }).mesh,
    form: { kind: 'mesh' },
    pose: ORIGIN,
  });
  const drawn = [30, 120].map((n) => new OnRoute(convexRoute(meshed(A, n), meshed(B, n), 0, 1)!));
  let compared = 0;
  for (const { a, b } of poses('facets', 150)) {
    const p = exact.find(a, b, false);
    if (p.count === 0 || p.flags[0] !== 0 || p.depth[0] > 1.9 * p.extent[0] || p.volume[0] < 2e-4) continue;
    const errors = drawn.map((route) => {
      const q = route.find(a, b, false);
      return q.count === 0 ? 1 : ratio(q.volume[0], p.volume[0]);
    });
    compared++;
    // (30/120)² where it is not by chance less
    expect(errors[1]).toBeLessThan(0.15 * errors[0] + 3e-4);
  }
  expect(compared).toBeGreaterThan(40);
});

test('rows of the gradient are derivatives, and the order of the pair does not matter', () => {
  const exact = on(A, B);
  const other = on(B, A);
  const errors: number[] = [];
  for (const { a, b } of poses('gradients', 200)) {
    const p = exact.find(a, b);
    if (p.count === 0 || p.flags[0] !== 0 || p.depth[0] > 1.9 * p.extent[0] || p.volume[0] < 1e-5) continue;
    const q = other.find(b, a);
    expect(ratio(q.volume[0], p.volume[0])).toBeLessThan(1e-7);
    for (let k = 0; k < 3; k++) expect(Math.abs(p.normal[k] + q.normal[k])).toBeLessThan(1e-6);
    const found = gradientDifference(exact, a, b, 0, { step: 1e-5 });
    if (found && found.kinks === 0) errors.push(found.error);
  }
  errors.sort((x, y) => x - y);
  expect(errors.length).toBeGreaterThan(40);
  // differences are good to 1e-7; deep overlaps have pieces that end beside a line that touches the other side, which are halved towards it (4e-3 if they are not)
  expect(errors[errors.length - 1]).toBeLessThan(1e-6);
});

test('what it leaves to others', () => {
  expect(cylinderCylinderRoute(cylinder(A), { ...cylinder(B), form: { kind: 'mesh' } }, 0, 1)).toBeUndefined();
  expect(on(A, B).find(frame([0, 0, 0]), frame([0.501, 0, 0])).count).toBe(0);
  // one within the other has no direction of its own
  expect(
    on({ radius: 0.3, height: 0.5 }, { radius: 0.1, height: 0.2 }).find(frame([0, 0, 0]), frame([0.05, 0, 0])).flags[0],
  ).not.toBe(0);
});
