import { describe, expect, test } from 'vitest';
import { type Frame, frame, measures, RoutedPair } from '../../../tests/fixtures/closed-form.js';
import { box, capsule, cone, cylinder, halfSpace, type Solid, sphere } from '../../geometry/index.js';
import { random } from '../../math/random.js';
import { norm, scale, sub, type Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { CAPSULE, CYLINDER, closedFormRoute } from './index.js';

const PAIRS: [string, Solid, Solid][] = [
  ['sphere–sphere', sphere(1), sphere(0.4)],
  ['sphere–half-space', sphere(0.7), halfSpace()],
  ['sphere–box', sphere(0.6), box([1, 1.4, 0.8])],
  ['sphere–cylinder', sphere(0.5), cylinder({ radius: 0.8, height: 1.2 })],
  ['sphere–capsule', sphere(0.5), capsule({ radius: 0.4, height: 1 })],
  ['sphere–capsule', sphere(0.3), capsule({ radius: 0.9, height: 0.4 })],
  ['capsule–half-space', capsule({ radius: 0.4, height: 1 }), halfSpace()],
  ['capsule–capsule', capsule({ radius: 0.4, height: 1 }), capsule({ radius: 0.3, height: 2 })],
  ['half-space–cylinder', halfSpace(), cylinder({ radius: 0.6, height: 0.9 })],
];
const SIZE = 2;

/** Random frames; many of the pairs overlap. */
function* frames(seed: string, count: number): Generator<[Frame, Frame]> {
  const draw = random(seed);
  for (let k = 0; k < count; k++)
    yield [
      frame([0.3, -0.2, 0.1], draw.rotation()),
      frame(sub([0.3, -0.2, 0.1], scale(1.4, draw.inSphere())), draw.rotation()),
    ];
}
const featuresOf = ({ feature, count, flags }: RoutedPair['patches']) =>
  `${[...feature.slice(0, 2 * count)]}|${[...flags.slice(0, count)]}`;
const vec = (array: Float64Array, row: number): Vec3 => [array[3 * row], array[3 * row + 1], array[3 * row + 2]];

describe.each(PAIRS)('%s', (name, first, second) => {
  const pair = new RoutedPair(first, second);

  test('its name, and it is found in either order', () => {
    expect(pair.route.name).toBe(name);
    expect(closedFormRoute({ solid: second }, { solid: first }, 4, 9)?.name).toBe(name);
    expect(pair.route.patches).toBe(true);
  });

  // Central differences with a step of 1e-5: truncation 1e-10 × third derivatives, rounding 1e-11. Near edges, rims and ends these
  // derivatives grow as 1/distance³, so contacts closer than 0.05 to a kink of the distance are left out.
  test('gradients are the differences of what is found', () => {
    const STEP = 1e-5;
    const near = new RoutedPair(first, second);
    const seen = new Set<string>();
    let rows = 0;
    for (const [p, q] of frames(`gradient ${name}`, 800)) {
      const found = pair.find(p, q);
      const { count } = found;
      const before = featuresOf(found);
      for (let row = 0; row < count; row++) {
        const values = measures(found, row);
        const gradient = found.gradient.slice(54 * row, 54 * row + 54);
        const about = vec(found.centroid, row);
        const [s, m] = [vec(found.vectorArea, row), vec(found.moment, row)];
        // B's displacement changes the volume by −S · dx − Q · dφ
        for (let k = 0; k < 3; k++) {
          expect(gradient[k]).toBeCloseTo(-s[k], 12);
          expect(gradient[3 + k]).toBeCloseTo(-m[k], 12);
        }
        const wide = sides(near, p, q, about, row, 0, 0.05, before);
        if (!wide) continue;
        rows++;
        seen.add(before);
        for (let column = 0; column < 6; column++) {
          const both = sides(near, p, q, about, row, column, STEP, before);
          if (!both) continue;
          for (let k = 0; k < 9; k++) {
            const difference = (both[1][k] - both[0][k]) / (2 * STEP);
            const bend = Math.abs(both[1][k] - 2 * values[k] + both[0][k]) / STEP;
            // 1e-7 of the size, and what a curve leaves to a step of this length
            expect(Math.abs(gradient[6 * k + column] - difference)).toBeLessThan(1e-7 * SIZE + 1e-3 * bend);
          }
        }
      }
    }
    expect(rows).toBeGreaterThan(40);
    expect(seen.size).toBeGreaterThanOrEqual(
      {
        'sphere–box': 12,
        'sphere–cylinder': 5,
        'sphere–capsule': 3,
        'capsule–half-space': 2,
        'capsule–capsule': 5,
        'half-space–cylinder': 6,
      }[name] ?? 1,
    );
  });

  test('the other order gives the same contact, to the last bit or the other way round', () => {
    const swapped = new RoutedPair(first, second, true);
    let regions = 0;
    for (const [p, q] of frames(`swap ${name}`, 60)) {
      const one = pair.find(p, q);
      const two = swapped.find(p, q);
      expect(two.count).toBe(one.count);
      const sign = pair.route.a === swapped.route.a ? 1 : -1;
      for (let row = 0; row < one.count; row++, regions++) {
        expect(Math.abs(two.volume[row] / one.volume[row] - 1)).toBeLessThan(1e-12);
        expect(two.depth[row]).toBeCloseTo(one.depth[row], 14);
        for (let k = 3 * row; k < 3 * row + 3; k++) {
          expect(two.normal[k]).toBeCloseTo(sign * one.normal[k], 13);
          expect(two.vectorArea[k]).toBeCloseTo(sign * one.vectorArea[k], 13);
          expect(two.centroid[k]).toBeCloseTo(one.centroid[k], 13);
        }
      }
    }
    expect(regions).toBeGreaterThan(10);
  });

  test('pure: the same bits whatever was asked before, with and without gradients', () => {
    const fresh = () => new RoutedPair(first, second);
    for (const [p, q] of frames(`pure ${name}`, 40)) {
      const a = pair.find(p, q);
      const b = fresh().find(p, q);
      for (const key of ['volume', 'depth', 'normal', 'centroid', 'vectorArea', 'moment', 'secondMoments'] as const)
        expect(
          Object.is(JSON.stringify([...a[key]].slice(0, a.count)), JSON.stringify([...b[key]].slice(0, b.count))),
        ).toBe(true);
      expect(a.gradient.slice(0, 54 * a.count)).toEqual(b.gradient.slice(0, 54 * b.count));
      expect(
        fresh()
          .find(p, q, false)
          .gradient.every((x) => x === 0),
      ).toBe(true);
    }
  });

  test('a scene 1 µm or 100 m in size is the same scene', () => {
    for (const factor of [1e-6, 100]) {
      const scaled = new RoutedPair(resized(first, factor), resized(second, factor));
      for (const [p, q] of frames(`size ${name}`, 40)) {
        const one = pair.find(p, q);
        const two = scaled.find(
          { ...p, position: scale(factor, p.position) },
          { ...q, position: scale(factor, q.position) },
        );
        expect(two.count).toBe(one.count);
        for (let row = 0; row < one.count; row++) {
          expect(two.depth[row] / (factor * one.depth[row])).toBeCloseTo(1, 10);
          expect(two.volume[row] / (factor ** 3 * one.volume[row])).toBeCloseTo(1, 10);
          // rows of the gradient have the powers 2, 0, 1, −1 and 0 of a length by dx, one more by dφ
          const power = [2, 0, 1, -1, -1, -1, 0, 0, 0];
          for (let k = 0; k < 54; k++) {
            const unit = factor ** (power[Math.floor(k / 6)] + (k % 6 > 2 ? 1 : 0));
            expect(two.gradient[54 * row + k] / unit).toBeCloseTo(one.gradient[54 * row + k], 8);
          }
        }
      }
    }
  });

  test('separation: no two points are nearer, and the nearest points are on the surfaces', () => {
    let apart = 0;
    for (const [p, q] of frames(`apart ${name}`, 150)) {
      const far: Frame = { ...q, position: add(p.position, scale(2.2, sub(q.position, p.position))) };
      const { distance, direction, pointA, pointB } = pair.separate(p, far);
      if (distance === 0) continue;
      apart++;
      const [a, b] = [vec(pointA, 0), vec(pointB, 0)];
      expect(norm(sub(b, a))).toBeCloseTo(distance, 12);
      for (let k = 0; k < 3; k++) expect(direction[k]).toBeCloseTo((b[k] - a[k]) / distance, 9);
      // Brought together by the distance and a hair they overlap, by a hair less they do not; crowned capsules in four goes, for their distance is told a little short
      let [near, left, way] = [[p, far] as Frame[], distance, [...direction] as unknown as Vec3];
      const bring = (by: number): Frame[] => pair.moved(near[0], near[1], [0, 0, 0], scale(-by, way), [0, 0, 0]);
      for (let go = 0; go < 3; go++) {
        near = bring(left - 1e-9);
        const next = pair.separate(near[0], near[1]);
        left = next.distance;
        way = [next.direction[0], next.direction[1], next.direction[2]];
        expect(left / distance).toBeLessThan(2e-4);
      }
      const [p1, q1] = bring(left + 1e-9);
      expect(pair.separate(p1, q1).distance).toBe(0);
      const [p2, q2] = near;
      expect(Math.abs(left - 1e-9)).toBeLessThan(name === 'capsule–capsule' ? 1e-12 : 5e-14);
      expect(pair.find(p2, q2).count).toBe(0);
    }
    expect(apart).toBeGreaterThan(15);
  });
});

/** Measures of a row with B moved back and forth by a step of one column; undefined if other features take part there. */
function sides(
  pair: RoutedPair,
  p: Frame,
  q: Frame,
  about: Vec3,
  row: number,
  column: number,
  step: number,
  features: string,
): [number[], number[]] | undefined {
  const at = (h: number): number[] | undefined => {
    const v: Vec3 = [column % 3 === 0 ? h : 0, column % 3 === 1 ? h : 0, column % 3 === 2 ? h : 0];
    const zero: Vec3 = [0, 0, 0];
    const found = pair.find(...pair.moved(p, q, about, column < 3 ? v : zero, column < 3 ? zero : v), false);
    return featuresOf(found) === features ? measures(found, row) : undefined;
  };
  const [one, two] = [at(-step), at(step)];
  return one && two && [one, two];
}

const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

function resized({ form }: Solid, f: number): Solid {
  switch (form.kind) {
    case 'sphere':
      return sphere(form.radius * f);
    case 'box':
      return box(scale(f, form.size));
    case 'cylinder':
      return cylinder({ radius: form.radius * f, height: form.height * f });
    case 'capsule':
      return capsule({ radius: form.radius * f, height: form.height * f });
    default:
      return halfSpace();
  }
}

test('curvature', () => {
  const of = (a: Solid, b: Solid) => new RoutedPair(a, b).route.curvature;
  expect(of(sphere(2), sphere(0.5))).toBe(2.5);
  expect(of(halfSpace(), sphere(0.5))).toBe(2);
  expect(of(box(1), sphere(0.5))).toBe(2);
  expect(of(capsule({ radius: 0.25, height: 1 }), halfSpace())).toBe(4);
  expect(of(capsule({ radius: 0.25, height: 1 }), sphere(1))).toBe(0);
  expect(of(cylinder({ radius: 0.25, height: 1 }), sphere(1))).toBe(0);
});

test('pairs without a closed form', () => {
  const solids = [box(1), cylinder({ radius: 1, height: 1 }), cone({ radius: 1, height: 1 }), halfSpace()];
  for (const a of solids)
    for (const b of solids) {
      const kinds = [a.form.kind, b.form.kind];
      if (kinds.includes('halfSpace') && kinds.includes('cylinder')) continue;
      expect(closedFormRoute({ solid: a }, { solid: b }, 0, 1)).toBeUndefined();
    }
  expect(closedFormRoute({ solid: sphere(1) }, { solid: cone({ radius: 1, height: 1 }) }, 0, 1)).toBeUndefined();
});

describe('what is continuous', () => {
  const ball = sphere(0.3);
  /** Greatest change of a measure between neighbours on a way, and of its change. */
  const jumps = (pair: RoutedPair, way: (t: number) => Vec3, count = 4000) => {
    const found = Array.from({ length: count + 1 }, (_, i) => [
      ...measures(pair.find(frame(way(i / count)), frame([0, 0, 0])), 0),
      ...vec(pair.patches.vectorArea, 0),
    ]);
    const change = found.slice(1).map((values, i) => values.map((x, k) => Math.abs(x - found[i][k])));
    return change.reduce((most, values) => most.map((x, k) => Math.max(x, values[k])));
  };

  // On its way at a constant height of 0.25 over the surface, around edges, rims and ends, with 4000 steps of 3.5e-4: nothing changes
  // by more than 1.5e-3 (the normal turns by 3.5e-4/0.25 in a step).
  test.each([
    ['box', box([1, 1, 1]), 0.5, 0.5],
    ['cylinder', cylinder({ radius: 0.5, height: 1 }), 0.5, 0.5],
    ['capsule', capsule({ radius: 0.25, height: 1 }), 0, 0.5],
  ])('a ball around a %s', (_, solid, x, z) => {
    const pair = new RoutedPair(ball, solid);
    const high = solid.form.kind === 'capsule' ? 0.5 : 0.25;
    const way = (t: number): Vec3 => {
      // half of the way up the side, a quarter of a turn, then towards the axis
      const arc = (Math.PI / 2) * high;
      const s = t * (z + arc + x);
      if (s < z) return [x + high, 0.1, s];
      const angle = Math.min(1, (s - z) / arc) * (Math.PI / 2);
      return [x + high * Math.cos(angle) - Math.max(0, s - z - arc), 0.1, z + high * Math.sin(angle)];
    };
    const most = jumps(pair, way);
    for (const change of most) expect(change).toBeLessThan(1.5e-3);
    const features = new Set<number>();
    for (let t = 0; t <= 1; t += 0.001) features.add(pair.find(frame(way(t)), frame([0, 0, 0])).feature[1]);
    expect(features.size).toBe(solid.form.kind === 'capsule' ? 2 : 3);
  });

  test('spheres into and out of containment', () => {
    for (const [r, s] of [
      [1, 0.4],
      [0.4, 1],
    ]) {
      const pair = new RoutedPair(sphere(r), sphere(s));
      const at = (x: number) => pair.find(frame([x, 0, 0]), frame([0, 0, 0]));
      expect(at(0.6 - 1e-9).flags[0]).toBe(PATCH.contained);
      expect(at(0.6 + 1e-9).flags[0]).toBe(0);
      const most = jumps(pair, (t) => [0.01 + 1.3 * t, 0, 0]);
      // dV/dx is at most π 0.4², |S| changes by 2π 0.4 a step of 3.25e-4
      for (const change of most) expect(change).toBeLessThan(4e-3);
      const { volume, normal, depth } = at(0);
      expect(volume[0]).toBeCloseTo((4 / 3) * Math.PI * 0.4 ** 3, 14);
      expect([...normal.slice(0, 3)]).toEqual([0, 0, 1]);
      expect(depth[0]).toBeCloseTo(1.4, 14);
      expect(pair.patches.gradient.every(Number.isFinite)).toBe(true);
    }
  });

  // A capsule that lies on another and tips over by a hair: where they touch moves along, it does not jump.
  test('parallel capsules', () => {
    const rod = capsule({ radius: 0.1, height: 2 });
    const pair = new RoutedPair(rod, rod);
    const tipped = (angle: number) =>
      pair.find(frame([0, 0, 0]), frame([0.199, 0, 0.3], [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0]));
    const at = (angle: number) => [...measures(tipped(angle), 0)];
    // It moves from the middle to an end while the angle grows by 2 CROWN (r + r)/ℓ = 4e-5
    let previous = at(-1e-4);
    let least = Infinity;
    let greatest = -Infinity;
    for (let angle = -1e-4; angle < 1e-4; angle += 1e-7) {
      const values = at(angle);
      for (let k = 0; k < 9; k++) expect(Math.abs(values[k] - previous[k])).toBeLessThan(0.02);
      least = Math.min(least, values[8]);
      greatest = Math.max(greatest, values[8]);
      previous = values;
    }
    expect(at(0)[8]).toBeCloseTo(0.15, 6); // in the middle of what lies side by side
    expect(greatest - least).toBeCloseTo(1.7, 3);
    // and turned in the plane of contact
    for (let angle = -1e-3; angle < 1e-3; angle += 1e-5) {
      const turned = pair.find(
        frame([0, 0, 0]),
        frame([0.199, 0, 0.3], [Math.cos(angle / 2), Math.sin(angle / 2), 0, 0]),
      );
      expect(turned.count).toBe(1);
      expect(Math.abs(turned.centroid[2] - 0.15)).toBeLessThan(0.2);
    }
  });
});

test('a capsule flat on the ground stands on both ends; tipped, on one', () => {
  const pair = new RoutedPair(capsule({ radius: 0.2, height: 1 }), halfSpace());
  const lying = (angle: number) =>
    pair.find(frame([0, 0, 0.19], [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0]), frame([0, 0, 0]));
  const flat = lying(Math.PI / 2);
  expect(flat.count).toBe(2);
  expect([...flat.feature.slice(0, 4)]).toEqual([0, -1, 1, -1]);
  expect(flat.depth[0]).toBeCloseTo(0.01, 14);
  expect(flat.depth[1]).toBeCloseTo(0.01, 14);
  expect(flat.centroid[0]).toBeCloseTo(-0.5, 14);
  const tipped = lying(Math.PI / 2 - 0.1);
  expect([tipped.count, tipped.feature[0], tipped.region[0]]).toEqual([1, 0, 0]);
  const other = lying(Math.PI / 2 + 0.1);
  expect([other.count, other.feature[0], other.region[0]]).toEqual([1, 1, 0]);
});

describe('features', () => {
  const ball = sphere(0.2);
  test.each([
    [[0.9, 0, 0.1], CYLINDER.side],
    [[0.1, 0, 1.1], CYLINDER.top],
    [[0.1, 0, -1.1], CYLINDER.bottom],
    [[0.85, 0, 1.05], CYLINDER.topRim],
    [[0, -0.85, -1.05], CYLINDER.bottomRim],
    [[0.7, 0, 0.1], CYLINDER.side],
    [[0, 0, 0.5], CYLINDER.top],
  ] as [Vec3, number][])('cylinder, centre at %j', (p, feature) => {
    const pair = new RoutedPair(ball, cylinder({ radius: 0.8, height: 2 }));
    expect(pair.find(frame(p), frame([0, 0, 0])).feature[1]).toBe(feature);
  });
  test.each([
    [[0.4, 0, 0.1], CAPSULE.side],
    [[0.1, 0, 1.3], CAPSULE.top],
    [[0.1, 0, -1.3], CAPSULE.bottom],
  ] as [Vec3, number][])('capsule, centre at %j', (p, feature) => {
    const pair = new RoutedPair(ball, capsule({ radius: 0.3, height: 2 }));
    expect(pair.find(frame(p), frame([0, 0, 0])).feature[1]).toBe(feature);
  });
  // 1 + a digit to the base 3 for each axis: 0 below, 1 within, 2 beyond
  test.each([
    [[0.6, 0, 0], 14, [-1, 0, 0], 0.1],
    [[0.4, 0, 0], 14, [-1, 0, 0], 0.3],
    [[0, -0.4, 0], 10, [0, 1, 0], 0.3],
    [[0, 0, -0.6], 4, [0, 0, 1], 0.1],
    [[0.6, 0.6, 0], 17, [-Math.SQRT1_2, -Math.SQRT1_2, 0], 0.2 - 0.1 * Math.SQRT2],
    [[0.6, 0.6, -0.55], 8, [-2 / 3, -2 / 3, 1 / 3], 0.2 - 0.15],
  ] as [Vec3, number, Vec3, number][])('box, centre at %j', (p, feature, normal, depth) => {
    const found = new RoutedPair(ball, box(1)).find(frame(p), frame([0, 0, 0]));
    expect(found.feature[1]).toBe(feature);
    expect(found.depth[0]).toBeCloseTo(depth, 14);
    for (let k = 0; k < 3; k++) expect(found.normal[k]).toBeCloseTo(normal[k], 14);
  });
});
