import { describe, expect, test } from 'vitest';
import { fromQuaternion } from '../../math/mat3.js';
import {
  fromAxisAngle,
  fromRotationVector,
  IDENTITY,
  multiply,
  type Quaternion,
  rotate,
  between as shortest,
} from '../../math/quaternion.js';
import { type Random, random } from '../../math/random.js';
import { add, cross, dot, norm, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';
import { ContactPatches, GRADIENT } from '../contact-patches.js';
import { type Route, Separation } from '../route.js';
import { type IdealizedSurface, idealizedRoute, type PointRouteOptions, surfaceBounds } from './index.js';

interface Frame {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}
const frame = (position: Vec3, orientation: Quaternion = IDENTITY): Frame => ({ position, orientation });
const ORIGIN = frame([0, 0, 0]);

/** Rows of a route by the number of the contact point; normal and gradient are those for B moving. */
interface Row {
  readonly depth: number;
  readonly normal: Vec3;
  readonly point: Vec3;
  readonly gradient: Float64Array;
}

class Pair {
  readonly route: Route;
  readonly patches = new ContactPatches(1);
  readonly poses = { position: new Float64Array(6), rotation: new Float64Array(18) };
  constructor(a: IdealizedSurface, b: IdealizedSurface, options?: PointRouteOptions) {
    this.route = idealizedRoute(a, b, 0, 1, options);
  }
  place(a: Frame, b: Frame): void {
    [a, b].forEach(({ position, orientation }, i) => {
      this.poses.position.set(position, 3 * i);
      this.poses.rotation.set(fromQuaternion(orientation), 9 * i);
    });
  }
  find(a: Frame, b: Frame, gradients = false): Map<number, Row> {
    this.place(a, b);
    const { patches } = this;
    patches.clear();
    this.route.find(this.poses, 7, patches, gradients);
    const rows = new Map<number, Row>();
    for (let i = 0; i < patches.count; i++) {
      if (patches.pair[i] !== 7 || patches.region[i] !== i) expect.fail('pair or region');
      rows.set(patches.feature[2 * i + 1], {
        depth: patches.depth[i],
        normal: [...patches.normal.slice(3 * i, 3 * i + 3)] as unknown as Vec3,
        point: [...patches.centroid.slice(3 * i, 3 * i + 3)] as unknown as Vec3,
        gradient: patches.gradient.slice(54 * i, 54 * i + 54),
      });
    }
    if (rows.size !== patches.count) expect.fail('a number twice');
    if (patches.count > this.route.mostRegions) expect.fail('more regions than promised');
    return rows;
  }
  separate(a: Frame, b: Frame): Separation {
    const out = new Separation();
    this.place(a, b);
    this.route.separate(this.poses, out);
    return out;
  }
}

const between = (r: Random, low: number, high: number): number => r.uniformBetween(low, high);
const direction = (r: Random): Vec3 => r.unitVector();
const turned = (r: Random): Quaternion => r.rotation();
const tilted = (r: Random, angle: number): Quaternion => fromAxisAngle(direction(r), between(r, -angle, angle));
const chain = (a: Frame, b: Frame): Frame => ({
  position: add(a.position, rotate(a.orientation, b.position)),
  orientation: multiply(a.orientation, b.orientation),
});

const SPHERE: IdealizedSurface = { kind: 'sphere', radius: 0.7 };
const CYLINDER: IdealizedSurface = { kind: 'cylinder', radius: 0.5, length: 2 };
const RECTANGLE: IdealizedSurface = { kind: 'rectangle', width: 1.6, length: 2.2 };
const CIRCLE: IdealizedSurface = { kind: 'circle', radius: 0.9 };
const PLANE: IdealizedSurface = { kind: 'rectangle', width: Infinity, length: Infinity };
const CORNERS: IdealizedSurface = {
  kind: 'points',
  points: [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z): Vec3 => [0.3 * x, 0.2 * y, 0.1 * z]))),
};
const DOWN = fromAxisAngle([1, 0, 0], Math.PI);

/** Pose of B in A's frame, near contact; A is the first surface and, by its kind, the one with the field. */
type Near = (r: Random) => Frame;
const CASES: readonly (readonly [string, IdealizedSurface, IdealizedSurface, number, Near])[] = [
  ['sphere on sphere', SPHERE, { kind: 'sphere', radius: 0.4 }, 1, (r) => frame(scale(1.05, direction(r)), turned(r))],
  [
    'sphere on cylinder and its rims',
    CYLINDER,
    SPHERE,
    1,
    (r) => {
      const [x, y] = direction(r);
      const rho = between(r, 0.9, 1.2) / Math.sqrt(x * x + y * y);
      return frame([rho * x, rho * y, between(r, -1.4, 1.4)], turned(r));
    },
  ],
  [
    'sphere on rectangle, edges and corners',
    RECTANGLE,
    SPHERE,
    1,
    (r) => frame([between(r, -1.1, 1.1), between(r, -1.4, 1.4), between(r, 0.3, 0.7)], turned(r)),
  ],
  [
    'sphere on circle and its edge',
    CIRCLE,
    SPHERE,
    1,
    (r) => frame([between(r, -1, 1), between(r, -1, 1), between(r, 0.3, 0.7)], turned(r)),
  ],
  ['corners on plane', PLANE, CORNERS, 8, (r) => frame([between(r, -9, 9), between(r, -9, 9), 0.1], turned(r))],
  ['corners on sphere', SPHERE, CORNERS, 8, (r) => frame(scale(0.9, direction(r)), turned(r))],
  [
    'corners on cylinder',
    CYLINDER,
    CORNERS,
    8,
    (r) => frame([between(r, -0.6, 0.6), 0.6, between(r, -1, 1)], turned(r)),
  ],
  [
    'cylinder on plane',
    PLANE,
    CYLINDER,
    2,
    (r) => frame([3, 2, 0.45], multiply(tilted(r, 0.3), multiply(fromAxisAngle([0, 0, 1], 6 * r.uniform()), LYING))),
  ],
  [
    'cylinder on rectangle, overhanging',
    RECTANGLE,
    CYLINDER,
    2,
    (r) =>
      frame(
        [between(r, -0.8, 0.8), between(r, -1, 1), 0.4],
        multiply(tilted(r, 0.2), multiply(fromAxisAngle([0, 0, 1], 6 * r.uniform()), LYING)),
      ),
  ],
  [
    'cylinder on circle, overhanging',
    CIRCLE,
    CYLINDER,
    2,
    (r) =>
      frame(
        [between(r, -0.8, 0.8), between(r, -0.8, 0.8), 0.4],
        multiply(tilted(r, 0.2), multiply(fromAxisAngle([0, 0, 1], 6 * r.uniform()), LYING)),
      ),
  ],
  [
    'cylinders parallel',
    CYLINDER,
    { kind: 'cylinder', radius: 0.3, length: 1.5 },
    2,
    (r) => frame([0.5, 0.55, between(r, -1, 1)], tilted(r, 0.009)),
  ],
  [
    'cylinders crossing, also over ends',
    CYLINDER,
    { kind: 'cylinder', radius: 0.3, length: 1.5 },
    2,
    (r) =>
      frame(
        [between(r, -0.7, 0.7), 0.75, between(r, -1, 1)],
        multiply(tilted(r, 0.15), fromAxisAngle([0, 1, 0], between(r, 0.2, 3))),
      ),
  ],
  [
    'the end of A on the side of B',
    { kind: 'cylinder', radius: 0.3, length: 1.5 },
    { kind: 'cylinder', radius: 0.5, length: 9 },
    2,
    (r) => {
      // from B's axis to the middle of A's end, and B's axis square to it
      const up = rotate(fromAxisAngle([0, 0, 1], 6 * r.uniform()), [Math.sin(0.6), 0, Math.cos(0.6)]);
      const axis = normalize(cross(up, direction(r)));
      const middle = sub([0, 0, -0.75], scale(between(r, 0.55, 0.63), up));
      return frame(add(middle, scale(between(r, -1, 1), axis)), shortest([0, 0, 1], axis));
    },
  ],
  [
    'rectangle on plane',
    PLANE,
    RECTANGLE,
    4,
    (r) => frame([1, 2, between(r, -0.1, 0)], multiply(tilted(r, 0.2), DOWN)),
  ],
  [
    'rectangle on rectangle',
    { kind: 'rectangle', width: 2, length: 3 },
    RECTANGLE,
    8,
    (r) =>
      frame(
        [between(r, -1, 1), between(r, -1, 1), -0.15],
        multiply(tilted(r, 0.1), multiply(fromAxisAngle([0, 0, 1], 6 * r.uniform()), DOWN)),
      ),
  ],
  [
    'rectangle on circle',
    { kind: 'circle', radius: 1.5 },
    RECTANGLE,
    8,
    (r) =>
      frame(
        [between(r, -1, 1), between(r, -1, 1), -0.15],
        multiply(tilted(r, 0.1), multiply(fromAxisAngle([0, 0, 1], 6 * r.uniform()), DOWN)),
      ),
  ],
  [
    'circle on rectangle, lying',
    { kind: 'rectangle', width: 2, length: 3 },
    CIRCLE,
    5,
    (r) => frame([between(r, -1.5, 1.5), between(r, -2, 2), -0.1], multiply(tilted(r, 0.012), DOWN)),
  ],
  ['circle on plane, on its rim', PLANE, CIRCLE, 5, (r) => frame([1, 2, 0.1], multiply(tilted(r, 0.5), DOWN))],
  [
    'circle on circle',
    { kind: 'circle', radius: 1 },
    CIRCLE,
    5,
    (r) => frame([between(r, -1, 1), between(r, -1, 1), -0.1], multiply(tilted(r, 0.012), DOWN)),
  ],
];
/** Axis of a cylinder along x */
const LYING = fromAxisAngle([0, 1, 0], Math.PI / 2);

/** Depth, normal and point of the row with this number after B was moved about a point; undefined where it is gone. */
function moved(pair: Pair, a: Frame, b: Frame, about: Vec3, column: number, step: number, number: number) {
  const shift: [number, number, number] = [0, 0, 0];
  const turn: [number, number, number] = [0, 0, 0];
  if (column < 3) shift[column] = step;
  else turn[column - 3] = step;
  const spin = fromRotationVector(turn);
  const move = (f: Frame): Frame => ({
    position: add(add(about, shift), rotate(spin, sub(f.position, about))),
    orientation: multiply(spin, f.orientation),
  });
  const rows = pair.route.b === 1 ? pair.find(a, move(b)) : pair.find(move(a), b);
  const row = rows.get(number);
  return row && [row.depth, ...row.normal, ...row.point];
}

const PLACES = [
  GRADIENT.depth,
  ...[0, 6, 12].map((k) => GRADIENT.normal + k),
  ...[0, 6, 12].map((k) => GRADIENT.centroid + k),
];

describe('gradients are those of the differences', () => {
  test.each(
    CASES.flatMap(([name, a, b, , near]) => [
      { name, a, b, near, perAxis: false },
      { name: `${name}, along the axes`, a, b, near, perAxis: true },
    ]),
  )('$name', ({ name, a: surfaceA, b: surfaceB, near, perAxis }) => {
    const pair = new Pair(surfaceA, surfaceB, { perAxis });
    const r = random(name);
    const numbers = new Set<number>();
    let compared = 0;
    for (let i = 0; i < 15; i++) {
      const a = frame([between(r, -1, 1), between(r, -1, 1), between(r, -1, 1)], turned(r));
      const b = chain(a, near(r));
      for (const [number, { point, gradient }] of pair.find(a, b, true)) {
        // volume and |S| of points are zero
        for (const k of [GRADIENT.volume, GRADIENT.vectorArea])
          if (gradient.slice(k, k + 6).some((value) => value !== 0)) expect.fail('derivative of nothing');
        for (let column = 0; column < 6; column++) {
          const at = (h: number) => moved(pair, a, b, point, column, h, number);
          // two step sizes, extrapolated to fourth order; where they disagree a kink is near
          const h = 4e-5;
          const [p, q, u, v] = [at(h), at(-h), at(h / 2), at(-h / 2)];
          if (!p || !q || !u || !v) continue;
          PLACES.forEach((place, k) => {
            const coarse = (p[k] - q[k]) / (2 * h);
            const fine = (u[k] - v[k]) / h;
            const size = 1 + Math.abs(fine);
            if (Math.abs(fine - coarse) > (surfaceB.kind === 'circle' ? 1e-4 : 1e-6) * size) return;
            const error = Math.abs(gradient[place + column] - (4 * fine - coarse) / 3) / size;
            // rounding 1e-16/1e-5 and the fifth derivative; discs between lying and tilting bend over 0.01 rad
            if (error > (surfaceB.kind === 'circle' ? 3e-6 : 1e-8))
              expect.fail(
                `point ${number}, measure ${k}, column ${column}: ${gradient[place + column]}, difference ${fine}`,
              );
            compared++;
          });
          numbers.add(number);
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
    expect(numbers.size).toBeGreaterThan(0);
  });
});

describe('numbers of contact points, fig. 2', () => {
  test.each(CASES)('%s', (_, a, b, most) => {
    const pair = new Pair(a, b);
    expect(pair.route.patches).toBe(false);
    expect(pair.route.mostRegions).toBe(most);
    expect(new Pair(a, b, { perAxis: true }).route.mostRegions).toBe(3 * most);
  });

  test('lying flat on larger ones: 2 for a cylinder, 4 for a rectangle, 5 for a circle', () => {
    const numbers = (b: IdealizedSurface, at: Frame) => [...new Pair(PLANE, b).find(ORIGIN, at).keys()].sort();
    expect(numbers(CYLINDER, frame([0, 0, 0.49], LYING))).toEqual([0, 1]);
    expect(numbers(RECTANGLE, frame([0, 0, -0.01], DOWN))).toEqual([0, 1, 2, 3]);
    expect(numbers(CIRCLE, frame([0, 0, -0.01], DOWN))).toEqual([0, 1, 2, 3, 4]);
  });

  test('the curvature of Hertz where there is one', () => {
    expect(new Pair(SPHERE, { kind: 'sphere', radius: 0.4 }).route.curvature).toBe(1 / 0.7 + 1 / 0.4);
    expect(new Pair(PLANE, SPHERE).route.curvature).toBe(1 / 0.7);
    expect(new Pair(CYLINDER, SPHERE).route.curvature).toBe(0);
  });
});

const close = (got: readonly number[], expected: readonly number[], digits = 14) =>
  got.forEach((x, k) => {
    expect(x).toBeCloseTo(expected[k], digits);
  });

describe('balls', () => {
  test('a sphere beside a cylinder: along the line of centres, at the surface of the sphere', () => {
    const row = new Pair(CYLINDER, SPHERE).find(ORIGIN, frame([0.66, 0.88, 0.3])).get(0)!;
    expect(row.depth).toBeCloseTo(0.1, 14); // 0.5 + 0.7 − 1.1
    close(row.normal, [0.6, 0.8, 0]);
    close(row.point, [0.66 - 0.42, 0.88 - 0.56, 0.3]);
  });
  test('a sphere at the rim of a cylinder, and none where only an end face could touch', () => {
    const pair = new Pair(CYLINDER, SPHERE);
    const row = pair.find(ORIGIN, frame([0.5 + 0.36, 0, 1 + 0.48])).get(0)!;
    expect(row.depth).toBeCloseTo(0.1, 14);
    close(row.normal, [0.6, 0, 0.8]);
    expect(pair.find(ORIGIN, frame([0.2, 0, 1.2])).size).toBe(0);
  });
  test('two spheres touch half-way between their surfaces, whoever is first', () => {
    const other: IdealizedSurface = { kind: 'sphere', radius: 0.4 };
    close(new Pair(SPHERE, other).find(ORIGIN, frame([0, 0, 1])).get(0)!.point, [0, 0, 0.65]);
    close(new Pair(other, SPHERE).find(frame([0, 0, 1]), ORIGIN).get(0)!.point, [0, 0, 0.65]);
  });
  test('over the edge of a face the normal turns without a jump; without edges there is nothing', () => {
    const at = (x: number, edges: boolean) =>
      new Pair(RECTANGLE, SPHERE, { edges }).find(ORIGIN, frame([x, 0, 0.6])).get(0);
    expect(at(0.8 + 1e-9, true)!.depth).toBeCloseTo(at(0.8, true)!.depth, 9);
    close(at(0.8 + 1e-9, true)!.normal, at(0.8, true)!.normal, 8);
    expect(at(0.8, false)!.depth).toBeCloseTo(0.1, 14);
    expect(at(0.8 + 1e-9, false)).toBeUndefined();
  });
  test('corners of a box on a plane: each at its own place with its own depth and number', () => {
    const tilt = fromAxisAngle([0, 1, 0], 0.1);
    const rows = new Pair(PLANE, CORNERS).find(ORIGIN, frame([5, 6, 0.1], tilt));
    expect([...rows.keys()]).toEqual([4, 6]); // x = +0.3, z = −0.1
    const lowest = rotate(tilt, [0.3, -0.2, -0.1]);
    expect(rows.get(4)!.depth).toBeCloseTo(-0.1 - lowest[2], 14);
    close(rows.get(4)!.point, add([5, 6, 0.1], lowest));
  });
  test('what is deeper than the layer lies behind the face', () => {
    const pair = new Pair(RECTANGLE, CORNERS);
    expect(pair.find(ORIGIN, frame([0, 0, -0.6])).size).toBe(8);
    expect(pair.find(ORIGIN, frame([0, 0, -0.8])).size).toBe(4); // 0.9 > 1.6/2
    expect(new Pair(RECTANGLE, CORNERS, { thickness: 0.05 }).find(ORIGIN, frame([0, 0, 0.04])).size).toBe(0);
    expect(new Pair(PLANE, CORNERS).find(ORIGIN, frame([0, 0, -80])).size).toBe(8);
  });
});

describe('contact points that move, §3.2', () => {
  test('a cylinder over the edge of a disc: the law of cosines, eq. 3', () => {
    const small: IdealizedSurface = { kind: 'circle', radius: 0.8 };
    const rows = new Pair(small, CYLINDER).find(ORIGIN, frame([0.3, 0.4, 0.45], LYING));
    // the generator y = 0.4 leaves the disc at x = ±√(0.8² − 0.4²)
    const chord = Math.sqrt(0.8 ** 2 - 0.4 ** 2);
    // and its end towards −x stays where it is
    expect(rows.get(0)!.point[0]).toBeCloseTo(-chord, 8);
    expect(rows.get(1)!.point[0]).toBeCloseTo(chord, 8);
    expect(rows.get(0)!.depth).toBeCloseTo(0.05, 12);
    expect(new Pair(small, CYLINDER).find(ORIGIN, frame([0.5, 0.4, 0.45], LYING)).get(0)!.point[0]).toBeCloseTo(
      -0.5,
      12,
    );
    expect(new Pair(small, CYLINDER).find(ORIGIN, frame([0.3, 0.81, 0.45], LYING)).size).toBe(0);
  });
  test('one corner of a rectangle off the plane: two in its place, eqs 6 and 7', () => {
    const table: IdealizedSurface = { kind: 'rectangle', width: 2, length: 20 };
    const phi = 0.3;
    const turn = multiply(fromAxisAngle([0, 0, 1], phi), DOWN);
    const box: IdealizedSurface = { kind: 'rectangle', width: 0.7, length: 1 };
    const corner = (u: number, v: number) => rotate(turn, [0.35 * u, 0.5 * v, 0]);
    // turned by π about x the corner (+, −) is the one farthest along x … found, not assumed
    const all = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    const outmost = all.reduce((best, c, i) => (c[0] > all[best][0] ? i : best), 0);
    const over = 0.1;
    const shift = 1 + over - all[outmost][0];
    const rows = new Pair(table, box).find(ORIGIN, frame([shift, 0, -0.01], turn));
    expect(rows.size).toBe(5);
    expect(rows.has(outmost)).toBe(false);
    const next = rows.get(4 + 2 * outmost)!;
    const before = rows.get(5 + 2 * outmost)!;
    const gone: Vec3 = add(all[outmost], [shift, 0, -0.01]);
    const moves = [norm(sub(next.point, gone)), norm(sub(before.point, gone))].sort((a, b) => a - b);
    close(
      moves,
      [over / Math.cos(phi), over / Math.sin(phi)].sort((a, b) => a - b),
      7,
    );
    close([next.point[0], before.point[0]], [1, 1], 7);
  });
  test('a plate on a small post touches the corners of the post', () => {
    const post: IdealizedSurface = { kind: 'rectangle', width: 0.2, length: 0.3 };
    const rows = new Pair(RECTANGLE, post).find(frame([0.1, 0.2, 0.99], DOWN), frame([0, 0, 1]));
    expect([...rows.keys()].sort()).toEqual([0, 1, 2, 3]);
    for (const { depth } of rows.values()) expect(depth).toBeCloseTo(0.01, 12);
  });
  test('two equal plates, one over a corner of the other: a rectangle of four points, one of them the corner below', () => {
    const rows = new Pair(RECTANGLE, RECTANGLE).find(ORIGIN, frame([0.5, 0.7, -0.01], DOWN));
    const at = [...rows.values()].map(({ point }) => point.map((x) => x.toFixed(6)).join(' ')).sort();
    expect(at).toEqual(
      [
        '-0.300000 -0.400000 -0.010000',
        '-0.300000 1.100000 -0.010000',
        '0.800000 -0.400000 -0.010000',
        '0.800000 1.100000 -0.010000',
      ].sort(),
    );
    expect([...rows.keys()].some((number) => number >= 12)).toBe(true);
  });
  test('flush plates have their four corners, whichever way they round', () => {
    const pair = new Pair(RECTANGLE, RECTANGLE);
    const r = random('flush');
    for (let i = 0; i < 50; i++) {
      const a = frame([between(r, -9, 9), between(r, -9, 9), between(r, -9, 9)], turned(r));
      expect([...pair.find(a, chain(a, frame([0, 0, -1e-6], DOWN))).keys()].sort()).toEqual([0, 1, 2, 3]);
    }
  });
  test('a disc that is tilted up stands on the deepest point of its rim, exactly', () => {
    for (const tilt of [0.0101, 0.3, 1.2]) {
      const turn = multiply(fromAxisAngle([0.6, 0.8, 0], tilt), DOWN);
      const rows = new Pair(PLANE, CIRCLE).find(ORIGIN, frame([0, 0, 0.9 * Math.sin(tilt) - 0.001], turn));
      expect([...rows.keys()]).toEqual([4]);
      expect(rows.get(4)!.depth).toBeCloseTo(0.001, 13);
      expect(norm(sub(rows.get(4)!.point, [0, 0, 0.9 * Math.sin(tilt) - 0.001]))).toBeCloseTo(0.9, 13);
    }
  });
});

describe('two cylinders', () => {
  const other: IdealizedSurface = { kind: 'cylinder', radius: 0.3, length: 1.5 };
  test('parallel: the ends of the common length', () => {
    const rows = new Pair(CYLINDER, other).find(ORIGIN, frame([0.75, 0, 0.6]));
    close(rows.get(0)!.point, [0.45, 0, -0.15]);
    close(rows.get(1)!.point, [0.45, 0, 1]);
    expect(rows.get(0)!.depth).toBeCloseTo(0.05, 14);
  });
  test('crossing: radii less the distance of the axes, along their common normal', () => {
    const turn = fromAxisAngle([0, 1, 0], 1);
    const { depth, normal } = new Pair(CYLINDER, other).find(ORIGIN, frame([0.1, 0.75, 0.2], turn)).get(2)!;
    expect(depth).toBeCloseTo(0.05, 14);
    close(normal, [0, 1, 0]);
  });
  test('the end of one on the side of the other, whichever is A: the depth is that of a point of its rim', () => {
    const long: IdealizedSurface = { kind: 'cylinder', radius: 0.5, length: 9 };
    const lying = frame([0, 0, 0], fromAxisAngle([0, 1, 0], 1.3));
    const axis = rotate(lying.orientation, [0, 0, 1]);
    // leans at 0.6 rad to the vertical y, its lower end 0.6 above the axis of the long one
    const lean: Vec3 = add([0, Math.cos(0.6), 0], scale(Math.sin(0.6), cross([0, 1, 0], axis)));
    const leaning = frame(add([0, 0.6, 0], scale(0.75, lean)), shortest([0, 0, 1], lean));
    const rows = [
      new Pair(long, other).find(lying, leaning).get(2)!,
      new Pair(other, long).find(leaning, lying).get(2)!,
    ];
    for (const [i, { point, depth, normal }] of rows.entries()) {
      const radial = sub(point, scale(dot(point, axis), axis));
      expect(0.5 - norm(radial)).toBeCloseTo(depth, 13);
      close(normalize(radial), i === 0 ? normal : scale(-1, normal), 13);
      // on the rim: at the end of the leaning one, 0.3 from its axis
      close([dot(sub(point, leaning.position), lean), norm(sub(point, [0, 0.6, 0]))], [-0.75, 0.3], 13);
      // 0.6 less the rim's 0.3 sin 0.6, and out of the middle plane by 0.3 cos 0.6
      expect(depth).toBeCloseTo(0.5 - Math.hypot(0.6 - 0.3 * Math.sin(0.6), 0.3 * Math.cos(0.6)), 13);
    }
  });
});

test('the same pair in either order gives the same rows, bit for bit, and again after another pose', () => {
  const r = random('order');
  for (const [, a, b, , near] of CASES) {
    if (a.kind === b.kind) continue;
    const pair = new Pair(a, b);
    const swapped = new Pair(a, b);
    (swapped as { route: Route }).route = idealizedRoute(b, a, 1, 0);
    const first = frame([1, 2, 3], turned(r));
    const second = chain(first, near(r));
    const rows = pair.find(first, second, true);
    pair.find(first, chain(first, near(r)), true);
    expect(pair.find(first, second, true)).toEqual(rows);
    expect(swapped.find(first, second, true)).toEqual(rows);
    for (const [number, row] of pair.find(first, second, false)) {
      const { depth, normal, point } = rows.get(number)!;
      expect([row.depth, row.normal, row.point]).toEqual([depth, normal, point]);
    }
  }
});

/** Points all over a surface, its borders included. */
function* sampled(surface: IdealizedSurface): Generator<Vec3> {
  const n = 24;
  const grid = Array.from({ length: n + 1 }, (_, i) => (2 * i) / n - 1);
  const reach = (size: number | undefined): number => Math.min(size ?? Infinity, 20) / 2;
  if (surface.kind === 'points') yield* surface.points;
  else
    for (const u of grid)
      for (const v of grid) {
        const [c, s] = [Math.cos(Math.PI * u), Math.sin(Math.PI * u)];
        if (surface.kind === 'rectangle') yield [u * reach(surface.width), v * reach(surface.length), 0];
        else if (surface.kind === 'cylinder') yield [surface.radius * c, surface.radius * s, (v * surface.length) / 2];
        else if (surface.kind === 'circle')
          yield [(surface.radius * (1 + v) * c) / 2, (surface.radius * (1 + v) * s) / 2, 0];
        else {
          const w = Math.sqrt(1 - v * v);
          yield [surface.radius * w * c, surface.radius * w * s, surface.radius * v];
        }
      }
}

describe('separation', () => {
  test.each(CASES)(
    '%s: never more than the distance of any two points, and not much less above',
    (name, a, b, _most, near) => {
      const r = random(`apart ${name}`);
      const pair = new Pair(a, b);
      const pointsA = [...sampled(a)];
      const pointsB = [...sampled(b)];
      let apart = 0;
      for (let i = 0; i < 6; i++) {
        const first = frame([1, 2, 3], turned(r));
        const here = near(r);
        const lift: Vec3 =
          a.kind === 'rectangle' || a.kind === 'circle' ? [0, 0, 0.6] : scale(0.6, normalize(here.position));
        const second = chain(first, frame(add(here.position, lift), here.orientation));
        const { distance, direction: d, pointA, pointB } = pair.separate(first, second);
        const place = ({ position, orientation }: Frame, points: readonly Vec3[]) =>
          points.map((p) => add(position, rotate(orientation, p)));
        const [worldA, worldB] = [place(first, pointsA), place(second, pointsB)];
        let nearest = Infinity;
        for (const p of worldA) for (const q of worldB) nearest = Math.min(nearest, norm(sub(p, q)));
        expect(distance).toBeLessThanOrEqual(nearest + 1e-12);
        if (!(distance > 0)) continue;
        apart++;
        expect(pair.find(first, second).size).toBe(0);
        // from the first point to the second, along the direction from A to B
        expect(norm([...d] as unknown as Vec3)).toBeCloseTo(1, 13);
        close([...pointB], add([...pointA] as unknown as Vec3, scale(distance, [...d] as unknown as Vec3)), 12);
        if (b.kind === 'sphere' || b.kind === 'points') {
          // exact: samples lie within their spacing of the nearest points
          const spacing = a === PLANE ? 0.9 : 0.12;
          expect(nearest - distance).toBeLessThan(spacing);
        }
      }
      expect(apart).toBeGreaterThan(0);
    },
  );
  test('0 where they overlap', () => {
    expect(new Pair(PLANE, CYLINDER).separate(ORIGIN, frame([0, 0, 0.4], LYING)).distance).toBe(0);
    expect(new Pair(CYLINDER, CYLINDER).separate(ORIGIN, frame([0.9, 0, 0])).distance).toBe(0);
  });
});

describe('what cannot be is refused', () => {
  test.each([
    [CORNERS, CORNERS, /no contact of points and points; possible are sphere–sphere, .*points–circle/],
    [PLANE, PLANE, /two rectangles without end/],
    [PLANE, { kind: 'rectangle', width: 1 }, /two rectangles without end/],
    [SPHERE, { kind: 'sphere', radius: -1 }, /surfaceB.radius: expected a finite length > 0 m, got -1/],
    [{ kind: 'cylinder', radius: 1, length: Infinity }, SPHERE, /surfaceA.length: expected a finite length/],
    [{ kind: 'rectangle', width: NaN, length: 1 }, SPHERE, /surfaceA.width: expected a length > 0 m, got NaN/],
    [PLANE, { kind: 'points', points: [] }, /surfaceB.points: expected at least one point/],
    [PLANE, { kind: 'points', points: [[0, NaN, 0]] }, /surfaceB.points\[0\]: expected three coordinates/],
    [PLANE, { kind: 'torus' } as unknown as IdealizedSurface, /surfaceB.kind: .*got torus/],
  ] as [IdealizedSurface, IdealizedSurface, RegExp][])('%o and %o', (a, b, message) => {
    expect(() => idealizedRoute(a, b, 0, 1)).toThrow(message);
  });
  test('options', () => {
    expect(() => idealizedRoute(PLANE, SPHERE, 0, 1, { thickness: 0 })).toThrow(
      /thickness: expected a length > 0 m, got 0/,
    );
    expect(() => idealizedRoute(CYLINDER, CYLINDER, 0, 1, { parallelAngle: 1 })).toThrow(/parallelAngle/);
  });
});

test('bounds hold the surface and the layer behind a face', () => {
  expect(surfaceBounds(CYLINDER)).toEqual({ min: [-0.5, -0.5, -1], max: [0.5, 0.5, 1] });
  expect(surfaceBounds(RECTANGLE, 0.1)).toEqual({ min: [-0.8, -1.1, -0.1], max: [0.8, 1.1, 0] });
  expect(surfaceBounds(CIRCLE).min[2]).toBe(-0.9);
  expect(surfaceBounds(CORNERS)).toEqual({ min: [-0.3, -0.2, -0.1], max: [0.3, 0.2, 0.1] });
  expect(surfaceBounds(PLANE).min).toEqual([-Infinity, -Infinity, -Infinity]);
});
