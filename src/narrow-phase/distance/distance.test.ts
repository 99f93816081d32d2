import { describe, expect, test } from 'vitest';
import { extrude } from '../../geometry/extrude.js';
import { convexHull } from '../../geometry/hull.js';
import { box, cone, cylinder, sphere, torus } from '../../geometry/primitives.js';
import { triangleMesh } from '../../geometry/triangle-mesh.js';
import { fromQuaternion } from '../../math/mat3.js';
import { fromAxisAngle, IDENTITY, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, distance as between, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.js';
import { Separation, type ShapePoses } from '../route.js';
import { ConvexDistance } from './convex-distance.js';
import { MeshDistance } from './mesh-distance.js';
import { CornerSupport, type Support } from './support.js';
import { TriangleDistance } from './triangle-distance.js';

interface Placement {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}
const at = (x: number, y: number, z: number, orientation: Quaternion = IDENTITY): Placement => ({
  position: [x, y, z],
  orientation,
});
const HERE = at(0, 0, 0);
const posesOf = (...placements: Placement[]): ShapePoses => ({
  position: Float64Array.from(placements.flatMap(({ position }) => [...position])),
  rotation: Float64Array.from(placements.flatMap(({ orientation }) => [...fromQuaternion(orientation)])),
});
interface Evaluator {
  evaluate(poses: ShapePoses, a: number, b: number, out: Separation, most?: number): void;
}
const measure = (of: Evaluator, a: Placement, b: Placement, most?: number): Separation => {
  const out = new Separation();
  of.evaluate(posesOf(a, b), 0, 1, out, most);
  return out;
};
const vec = (v: Float64Array): Vec3 => [v[0], v[1], v[2]];
/** What must hold of any exact answer: the points are that far apart, along the direction. */
const consistent = (s: Separation, size: number): void => {
  expect(Math.abs(between(vec(s.pointA), vec(s.pointB)) - s.distance)).toBeLessThan(1e-14 * size);
  if (s.distance > 1e-6 * size) {
    const miss = sub(sub(vec(s.pointB), vec(s.pointA)), scale(s.distance, vec(s.direction)));
    expect(norm(miss)).toBeLessThan(1e-14 * size);
  }
};
const ball = (radius: number, n: number, draw = random(5)): Float64Array =>
  Float64Array.from(Array.from({ length: n }, () => scale(radius, draw.unitVector())).flat());
const unitBox = box([1, 1, 1]).mesh;

describe('convex hulls', () => {
  const boxes = new ConvexDistance(unitBox.vertices, unitBox.vertices);
  test.each<[string, Placement, number]>([
    ['faces, parallel', at(1.5, 0.2, -0.3), 0.5],
    ['edges, parallel', at(1.3, 1.4, 0.2), 0.5],
    ['corners', at(2, 3, 3), 3],
    ['corner to face', at(0, 0, 0.5 + Math.sqrt(0.75) + 0.25, upright()), 0.25],
    ['touching in a face', at(1, 0.2, 0.1), 0],
    ['touching in an edge', at(1, 1, 0.1), 0],
    ['touching in a corner', at(1, 1, 1), 0],
    ['deep', at(0.1, 0.2, 0.3), 0],
    ['the same', HERE, 0],
    ['a hair apart', at(1 + 1e-9, 0.2, -0.3), 1e-9],
  ])('boxes: %s', (_, pose, expected) => {
    const s = measure(boxes, HERE, pose);
    expect(Math.abs(s.distance - expected)).toBeLessThan(2e-15); // a few roundings of coordinates near 1
    consistent(s, 4);
  });

  test('crossed edges: the distance of their lines', () => {
    // A's edge along x at z = h, B's along y, both boxes stood on edge
    const h = Math.SQRT1_2;
    const s = measure(
      boxes,
      at(0, 0, 0, fromAxisAngle([1, 0, 0], Math.PI / 4)),
      at(0.1, 0.2, 2 * h + 0.3, fromAxisAngle([0, 1, 0], Math.PI / 4)),
    );
    expect(s.distance).toBeCloseTo(0.3, 14);
    expect(vec(s.direction).map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0, 0, 1]);
    expect(s.pointA[0]).toBeCloseTo(0.1, 12);
    expect(s.pointA[1]).toBeCloseTo(0, 12);
  });

  test('random hulls agree with the distance of their surfaces, found another way', () => {
    const draw = random('hulls');
    for (let i = 0; i < 300; i++) {
      const few = 4 + draw.integer(12);
      const a = convexHull(ball(1, i % 3 === 0 ? 60 : few, draw));
      const b = convexHull(ball(0.3, 4 + draw.integer(60), draw));
      const pose: Placement = { position: scale(2.5, draw.inSphere()), orientation: draw.rotation() };
      const turned: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const moved: Placement = {
        position: add(turned.position, pose.position),
        orientation: multiply(turned.orientation, pose.orientation),
      };
      const convex = measure(new ConvexDistance(a.vertices, b.vertices), turned, moved);
      const surface = measure(new MeshDistance(a, b), turned, moved);
      if (convex.distance > 0) {
        expect(Math.abs(convex.distance - surface.distance)).toBeLessThan(1e-14);
        consistent(convex, 5);
      } else if (surface.distance > 1e-14) {
        // b lies within a: the middle of b must too
        const inner = new ConvexDistance(a.vertices, new Float64Array(3));
        expect(measure(inner, turned, moved).distance).toBe(0);
      }
      consistent(surface, 5);
    }
  });

  test('nobody is nearer: no corner of either lies before the plane between them', () => {
    const draw = random('planes');
    const a = ball(1, 200, draw);
    const b = ball(1, 200, draw);
    const distance = new ConvexDistance(a, b);
    for (let i = 0; i < 200; i++) {
      const pose: Placement = { position: scale(2.2, draw.unitVector()), orientation: draw.rotation() };
      const s = measure(distance, HERE, pose);
      const n = vec(s.direction);
      for (let p = 0; p < a.length; p += 3)
        expect(dot(n, vec(a.subarray(p))) - dot(n, vec(s.pointA))).toBeLessThan(1e-13);
      for (let p = 0; p < b.length; p += 3) {
        const corner = add(pose.position, rotate(pose.orientation, vec(b.subarray(p))));
        expect(dot(n, vec(s.pointB)) - dot(n, corner)).toBeLessThan(1e-13);
      }
    }
  });

  test.each([1e-6, 1e-3, 1, 100])('parts of %d m, far from the origin of the world', (size) => {
    const part = box([size, size, size]).mesh.vertices;
    const s = measure(new ConvexDistance(part, part), at(0, 0, 0), at(1.25 * size, 0.1 * size, 0));
    expect(Math.abs(s.distance - 0.25 * size)).toBeLessThan(4e-16 * size);
    // 50 m away positions are rounded to 7e-15 m, and so is the distance
    const far = measure(new ConvexDistance(part, part), at(50, 50, 50), at(50 + 1.25 * size, 50, 50));
    expect(Math.abs(far.distance - 0.25 * size)).toBeLessThan(1e-14 + 4e-16 * size);
  });

  test('a needle beside a plate: slivers in the simplex do no harm', () => {
    const plate = box([100, 100, 1e-3]).mesh.vertices;
    const needle = box([1e-3, 1e-3, 10]).mesh.vertices;
    const distance = new ConvexDistance(plate, needle);
    const draw = random('needles');
    for (let i = 0; i < 100; i++) {
      const tilt = 1e-7 * i;
      const orientation = fromAxisAngle([0.6, 0.8, 0], Math.PI / 2 + tilt);
      const pose = at(draw.uniformBetween(-40, 40), draw.uniformBetween(-40, 40), 1, orientation);
      const lowest = Math.min(
        ...Array.from({ length: 8 }, (_, k) => rotate(orientation, vec(needle.subarray(3 * k)))[2]),
      );
      // coordinates up to 150 m: each is good to 3e-14 m
      expect(Math.abs(measure(distance, HERE, pose).distance - (1 + lowest - 5e-4))).toBeLessThan(1e-13);
    }
  });

  test('points and segments, rounded off: spheres and capsules', () => {
    const point = new Float64Array(3);
    const spheres = measure(new ConvexDistance(point, point, 0.5, 0.25), HERE, at(0, 3, 4));
    expect(spheres.distance).toBe(4.25);
    expect(between(vec(spheres.pointA), [0, 0.3, 0.4])).toBeLessThan(1e-15);
    expect(between(vec(spheres.pointB), [0, 2.85, 3.8])).toBeLessThan(1e-15);
    const segment = Float64Array.of(0, 0, -1, 0, 0, 1);
    const capsules = new ConvexDistance(segment, segment, 0.1, 0.2);
    const crossed = measure(capsules, HERE, at(1, 0.3, 0.5, fromAxisAngle([1, 0, 0], Math.PI / 2)));
    expect(crossed.distance).toBeCloseTo(0.7, 14);
    expect(measure(capsules, HERE, at(0.2, 0, 0.5)).distance).toBe(0);
  });

  test('a curved support: a ball, from below and converged', () => {
    const round: Support = {
      support(dx, dy, dz, out, i) {
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        out[i] = dx / length;
        out[i + 1] = dy / length;
        out[i + 2] = dz / length;
        return -1;
      },
    };
    const draw = random('balls');
    const distance = new ConvexDistance(round, round);
    for (let i = 0; i < 50; i++) {
      const gap = draw.uniformBetween(0.01, 2);
      const s = measure(distance, HERE, { position: scale(2 + gap, draw.unitVector()), orientation: draw.rotation() });
      expect(s.distance).toBeLessThanOrEqual(gap * (1 + 1e-13));
      expect(s.distance).toBeGreaterThan(gap * (1 - 1e-9));
    }
  });

  test('walking over many corners finds what looking at all does', () => {
    const points = ball(1, 2000);
    const walker = new CornerSupport(points);
    const draw = random('walk');
    const found = new Float64Array(3);
    for (let i = 0; i < 500; i++) {
      const d =
        i < 6
          ? ([i % 3 === 0, i % 3 === 1, i % 3 === 2].map((on) => (on ? (i < 3 ? 1 : -1) : 0)) as unknown as Vec3)
          : draw.unitVector();
      walker.support(d[0], d[1], d[2], found, 0);
      let most = -Infinity;
      for (let p = 0; p < points.length; p += 3) most = Math.max(most, dot(d, vec(points.subarray(p))));
      expect(dot(d, vec(found))).toBe(most);
    }
  });

  test('says which points it cannot use', () => {
    expect(() => new ConvexDistance(new Float64Array(0), new Float64Array(3))).toThrow('expected 3 coordinates');
    expect(() => new ConvexDistance(Float64Array.of(0, Number.NaN, 0), new Float64Array(3))).toThrow('points[0]');
  });
});

/** Takes the z axis to a corner of a cube, corner down. */
function upright(): Quaternion {
  const corner: Vec3 = [1 / Math.sqrt(3), 1 / Math.sqrt(3), 1 / Math.sqrt(3)];
  const angle = Math.acos(corner[2]);
  return fromAxisAngle([corner[1], -corner[0], 0], angle);
}

describe('triangles', () => {
  test('random, flat, parallel and crossing triangles: the same as GJK on their corners', () => {
    const draw = random('triangles');
    const triangles = new TriangleDistance();
    let crossing = 0;
    for (let i = 0; i < 3000; i++) {
      const size = i % 4 === 0 ? 1e-3 : 1;
      const corners = (flat: number): Float64Array =>
        Float64Array.from([0, 1, 2].flatMap(() => [draw.normal(), draw.normal(), flat * draw.normal()]));
      const p = corners(i % 5 === 0 ? 0 : 1);
      const q = corners(i % 5 === 0 ? 0 : 1).map((x) => size * x);
      if (i % 5 === 0) for (let k = 2; k < 9; k += 3) q[k] = draw.uniform() < 0.5 ? 0.25 : 0.5; // near parallel
      if (i % 7 === 0) for (let k = 0; k < 3; k++) q[k] = p[k]; // a corner in common
      if (i % 11 === 0) for (let k = 0; k < 3; k++) q[6 + k] = q[k] + (1 + 1e-9) * (q[3 + k] - q[k]); // a sliver
      const found = Math.sqrt(triangles.measure(p, 0, q, 0, Infinity));
      const reference = measure(new ConvexDistance(p, q), HERE, HERE).distance;
      expect(Math.abs(found - reference)).toBeLessThan(2e-14);
      expect(Math.abs(between(vec(triangles.pointP), vec(triangles.pointQ)) - found)).toBeLessThan(1e-14);
      if (found === 0) crossing++;
    }
    expect(crossing).toBeGreaterThan(300);
  });
  test('edges that are nearly parallel', () => {
    const triangles = new TriangleDistance();
    for (const angle of [1e-3, 1e-5, 1e-7, 1e-9, 1e-12]) {
      // A's edge along x; B's crosses above it at x = 0.3; the third corners point away from each other
      const p = Float64Array.of(-1, 0, 0, 1, 0, 0, 0, 0.1, -1);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const q = Float64Array.of(0.3 - c, -s, 1e-6, 0.3 + c, s, 1e-6, 0, 0.1, 1);
      expect(Math.abs(Math.sqrt(triangles.measure(p, 0, q, 0, Infinity)) - 1e-6)).toBeLessThan(1e-15);
    }
  });
});

describe('meshes', () => {
  test('fine spheres: the closed form at second order with the edges', () => {
    const errors = [8, 16, 32].map((subdivision) => {
      const mesh = sphere(1, { subdivision }).mesh;
      const distance = new MeshDistance(mesh, mesh);
      const orientation = fromAxisAngle([0.2, 0.5, 0.8], 1);
      return measure(distance, at(0, 0, 0, fromAxisAngle([0.3, 0.2, 0.1], 0.7)), at(2, 1, 2, orientation)).distance - 1;
    });
    // faces lie inside the ball, never outside
    for (const error of errors) expect(error).toBeGreaterThan(-1e-14);
    expect(errors[2]).toBeLessThan(1e-3);
    expect(errors[2]).toBeLessThan(errors[0] / 8);
  });

  test('concave: a ball in a ring, the bow of a U', () => {
    const ring = torus({ majorRadius: 2, minorRadius: 0.5, segments: 128 }).mesh;
    const small = sphere(1, { subdivision: 16 }).mesh;
    // 0.5 m between the ball and the ring all round; the facets of the ring's hole stand out by 1.5 m (1 − cos π/128) = 0.45 mm,
    // those of the ball lie back by up to 4 mm
    const s = measure(new MeshDistance(ring, small), HERE, HERE);
    expect(s.distance).toBeGreaterThan(0.5 - 4.6e-4);
    expect(s.distance).toBeLessThan(0.505);
    const u = extrude(
      [
        [0, 0],
        [3, 0],
        [3, 3],
        [2, 3],
        [2, 1],
        [1, 1],
        [1, 3],
        [0, 3],
      ],
      1,
    ).mesh;
    const inner = box([0.5, 0.5, 0.5]).mesh;
    const inside = measure(new MeshDistance(u, inner), HERE, at(1.5, 1.75, 0.5));
    expect(inside.distance).toBe(0.25);
    expect(measure(new ConvexDistance(u.vertices, inner.vertices), HERE, at(1.5, 1.75, 0.5)).distance).toBe(0);
  });

  test('against all pairs of triangles', () => {
    const draw = random('all pairs');
    const a = torus({ majorRadius: 1, minorRadius: 0.3, segments: 12 }).mesh;
    const b = cone({ radius: 0.5, height: 1, segments: 12 }).mesh;
    const distance = new MeshDistance(a, b);
    const triangles = new TriangleDistance();
    for (let i = 0; i < 12; i++) {
      const pose: Placement = { position: scale(2.5, draw.inSphere()), orientation: draw.rotation() };
      const q = new Float64Array(3 * b.triangles.length);
      b.triangles.forEach((v, k) => {
        q.set(add(pose.position, rotate(pose.orientation, vec(b.vertices.subarray(3 * v)))), 3 * k);
      });
      const p = Float64Array.from([...a.triangles].flatMap((v) => [...a.vertices.subarray(3 * v, 3 * v + 3)]));
      let best = Infinity;
      for (let m = 0; m < p.length; m += 9)
        for (let n = 0; n < q.length; n += 9) best = triangles.measure(p, m, q, n, best);
      expect(Math.abs(measure(distance, HERE, pose).distance - Math.sqrt(best))).toBeLessThan(1e-14);
    }
  });

  test('loose triangles beside each other along each axis, against all pairs', () => {
    const draw = random('soup');
    const triangles = new TriangleDistance();
    const numbers = Uint32Array.from({ length: 36 }, (_, k) => k);
    for (let i = 0; i < 300; i++) {
      const soup = (shift: number): Float64Array =>
        Float64Array.from({ length: 108 }, (_, k) => draw.normal() + (k % 3 === i % 3 ? shift : 0));
      const [p, q] = [soup(0), soup(draw.uniformBetween(4, 8))];
      let best = Infinity;
      for (let m = 0; m < 108; m += 9) for (let n = 0; n < 108; n += 9) best = triangles.measure(p, m, q, n, best);
      const distance = new MeshDistance({ vertices: p, triangles: numbers }, { vertices: q, triangles: numbers });
      expect(Math.abs(measure(distance, HERE, HERE).distance - Math.sqrt(best))).toBeLessThan(1e-14);
    }
  });

  test('flush and touching', () => {
    const boxes = new MeshDistance(unitBox, unitBox);
    for (const pose of [at(1, 0, 0), at(1, 0.5, 0.5), at(1, 1, 0), at(1, 1, 1), at(0.5, 0.5, 0.5), HERE])
      expect(measure(boxes, HERE, pose).distance).toBe(0);
    expect(measure(boxes, HERE, at(1.25, 0, 0)).distance).toBe(0.25);
    // wholly inside: the distance of the surfaces
    expect(measure(new MeshDistance(unitBox, box([0.5, 0.5, 0.5]).mesh), HERE, HERE).distance).toBe(0.25);
  });

  test.each([1e-6, 1e-3, 1, 100])('parts of %d m', (size) => {
    const a = cylinder({ radius: size, height: size, segments: 40 }).mesh;
    const b = box([size, size, size]).mesh;
    const s = measure(new MeshDistance(a, b), HERE, at(0.3 * size, 0, 1.25 * size));
    expect(Math.abs(s.distance - 0.25 * size)).toBeLessThan(1e-15 * size);
    consistent(s, size);
  });

  test('a bound: nearer than it the true distance, else the bound', () => {
    const boxes = new MeshDistance(unitBox, unitBox);
    expect(measure(boxes, HERE, at(2, 0, 0), 1.5).distance).toBe(1);
    expect(measure(boxes, HERE, at(4, 0, 0), 1.5).distance).toBe(1.5);
    const convex = new ConvexDistance(unitBox.vertices, unitBox.vertices);
    const lower = measure(convex, HERE, at(4, 1, 0), 1.5).distance;
    expect(lower).toBeGreaterThanOrEqual(1.5);
    expect(lower).toBeLessThanOrEqual(3 + 1e-14);
    expect(measure(new MeshDistance(unitBox, triangleMesh([], [])), HERE, HERE).distance).toBe(Infinity);
  });

  test('the same bits whatever was asked before', () => {
    const a = torus({ majorRadius: 1, minorRadius: 0.3, segments: 24 }).mesh;
    const draw = random('again');
    const first: Placement = { position: [1.7, 0.4, 0.5], orientation: draw.rotation() };
    for (const distance of [new MeshDistance(a, a), new ConvexDistance(a.vertices, a.vertices)]) {
      const before = measure(distance, HERE, first);
      for (let i = 0; i < 5; i++) measure(distance, HERE, { position: draw.inSphere(), orientation: draw.rotation() });
      expect(measure(distance, HERE, first)).toEqual(before);
    }
  });
});
