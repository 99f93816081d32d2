import { describe, expect, test } from 'vitest';
import { halfSpace } from '../../geometry/half-space.js';
import { convexHull } from '../../geometry/hull.js';
import { box, capsule, cone, cylinder, frustum, regularPrism, sphere } from '../../geometry/primitives.js';
import { ORIGIN, type Solid } from '../../geometry/solid.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { fromQuaternion } from '../../math/mat3.js';
import {
  conjugate,
  fromAxisAngle,
  fromRotationVector,
  IDENTITY,
  multiply,
  type Quaternion,
  rotate,
} from '../../math/quaternion.js';
import { type Random, random } from '../../math/random.js';
import { add, cross, dot, norm, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';
import { ContactPatches, GRADIENT } from '../contact-patches.js';
import { CornerSupport, RelativePose } from '../distance/index.js';
import { type Route, Separation, type ShapePoses } from '../route.js';
import { Expansion } from './expansion.js';
import { manifoldRoute } from './manifold-route.js';
import { Polyhedron } from './polyhedron.js';

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
interface Point {
  readonly depth: number;
  readonly normal: Vec3;
  readonly at: Vec3;
  readonly feature: string;
  readonly gradient: Float64Array;
}
const vec = (of: Float64Array, i: number): Vec3 => [of[3 * i], of[3 * i + 1], of[3 * i + 2]];
const solidOf = (mesh: TriangleMesh): Solid => ({ mesh, form: { kind: 'mesh' }, pose: ORIGIN });
const routeOf = (a: Solid, b: Solid): Route => {
  const route = manifoldRoute(a, b, 0, 1);
  if (!route) throw new Error('not convex');
  return route;
};
/** Points with A and B in the order given, whichever the route calls A. */
const pointsOf = (route: Route, a: Placement, b: Placement, gradients = false): Point[] => {
  const patches = new ContactPatches();
  route.find(posesOf(a, b), 3, patches, gradients);
  return Array.from({ length: patches.count }, (_, i) => ({
    depth: patches.depth[i],
    normal: vec(patches.normal, i),
    at: vec(patches.centroid, i),
    feature: `${patches.feature[2 * i]} ${patches.feature[2 * i + 1]}`,
    gradient: patches.gradient.slice(54 * i, 54 * i + 54),
  }));
};
const turned = (axis: Vec3, angle: number): Quaternion => fromAxisAngle(axis, angle);
const randomHull = (draw: Random, n: number, size: Vec3 = [1, 1, 1]): TriangleMesh =>
  convexHull(
    Float64Array.from(
      Array.from({ length: n }, () => draw.unitVector()).flatMap((v) => [
        v[0] * size[0],
        v[1] * size[1],
        v[2] * size[2],
      ]),
    ),
  );

/** The least overlap along all face normals and edge crosses, by looking at every corner: the separating axes. */
function leastOverlap(a: TriangleMesh, b: TriangleMesh, poseA: Placement, poseB: Placement) {
  const place = (mesh: TriangleMesh, pose: Placement): Vec3[] =>
    Array.from({ length: mesh.vertices.length / 3 }, (_, i) =>
      add(pose.position, rotate(pose.orientation, vec(mesh.vertices, i))),
    );
  const [pa, pb] = [place(a, poseA), place(b, poseB)];
  const faces = (mesh: TriangleMesh, points: Vec3[]): Vec3[] =>
    Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
      const [p, q, r] = [0, 1, 2].map((k) => points[mesh.triangles[3 * t + k]]);
      return normalize(cross(sub(q, p), sub(r, p)));
    });
  const edges = (mesh: TriangleMesh, points: Vec3[]): Vec3[] =>
    [...mesh.triangles].map((p, h) => sub(points[mesh.triangles[h % 3 === 2 ? h - 2 : h + 1]], points[p]));
  let least = Infinity;
  let axis: Vec3 = [0, 0, 0];
  const depths: number[] = [];
  const look = (n: Vec3): void => {
    const depth = Math.max(...pa.map((p) => dot(n, p))) - Math.min(...pb.map((p) => dot(n, p)));
    depths.push(depth);
    if (depth < least) {
      least = depth;
      axis = n;
    }
  };
  for (const n of faces(a, pa)) look(n);
  for (const n of faces(b, pb)) look(scale(-1, n));
  for (const u of edges(a, pa))
    for (const c of edges(b, pb)) {
      const n = cross(u, c);
      if (norm(n) < 1e-9) continue;
      look(normalize(n));
      look(scale(-1, normalize(n)));
    }
  return { depth: least, axis, rivals: depths.filter((d) => d < 1.1 * least) };
}

/** Largest difference of the gradients from central differences of the route itself; NaN where a point has no twin. */
function gradientError(route: Route, a: Placement, b: Placement, step = 1e-6): number {
  const points = pointsOf(route, a, b, true);
  let worst = 0;
  for (const { feature, at: c, gradient, depth } of points) {
    const size = 1 + depth;
    for (let column = 0; column < 6; column++) {
      const ends = [1, -1].map((sign) => {
        const e: Vec3 = [0, 1, 2].map((k) => (k === column % 3 ? sign * step : 0)) as unknown as Vec3;
        // the body that is the route's B moves
        const still = route.b === 1 ? b : a;
        const moved: Placement =
          column < 3
            ? { position: add(still.position, e), orientation: still.orientation }
            : {
                position: add(c, rotate(fromRotationVector(e), sub(still.position, c))),
                orientation: multiply(fromRotationVector(e), still.orientation),
              };
        const found = route.b === 1 ? pointsOf(route, a, moved) : pointsOf(route, moved, b);
        return found.find((p) => p.feature === feature);
      });
      const [plus, minus] = ends;
      if (!plus || !minus) return Number.NaN;
      const difference = (f: (p: Point) => number): number => (f(plus) - f(minus)) / (2 * step);
      const compare = (row: number, f: (p: Point) => number): void => {
        const exact = gradient[row + column];
        worst = Math.max(worst, Math.abs(difference(f) - exact) / (size + Math.abs(exact)));
      };
      compare(GRADIENT.depth, (p) => p.depth);
      for (let k = 0; k < 3; k++) {
        compare(GRADIENT.normal + 6 * k, (p) => p.normal[k]);
        compare(GRADIENT.centroid + 6 * k, (p) => p.at[k]);
      }
    }
  }
  return worst;
}

const block = box([1, 1, 1]);
const table = box([10, 10, 1]);

describe('which solids', () => {
  test('convex ones only', () => {
    expect(Polyhedron.fromMesh(block.mesh)?.faceCount).toBe(6);
    expect(Polyhedron.fromMesh(block.mesh)?.edgeCount).toBe(12);
    const prism = Polyhedron.fromMesh(regularPrism({ sides: 12, radius: 1, height: 1 }).mesh);
    expect([prism?.faceCount, prism?.edgeCount, prism?.mostCorners]).toEqual([14, 36, 12]);
    const dented = { ...block.mesh, vertices: block.mesh.vertices.map((x, i) => (i < 3 ? 0.1 * x : x)) };
    expect(manifoldRoute(block, solidOf(dented), 0, 1)).toBeUndefined();
    expect(manifoldRoute(halfSpace(), halfSpace(), 0, 1)).toBeUndefined();
    const route = routeOf(block, sphere(1));
    expect([route.name, route.patches, route.mostRegions, route.curvature]).toEqual([
      'box–sphere by deepest points',
      false,
      8,
      1,
    ]);
  });
});

describe('depth and normal', () => {
  const overlapAlong = (n: Vec3, a: TriangleMesh, b: TriangleMesh, poseA: Placement, poseB: Placement): number => {
    const reach = (mesh: TriangleMesh, pose: Placement, d: Vec3): number => {
      let most = -Infinity;
      for (let i = 0; i < mesh.vertices.length / 3; i++)
        most = Math.max(most, dot(d, add(pose.position, rotate(pose.orientation, vec(mesh.vertices, i)))));
      return most;
    };
    return reach(a, poseA, n) + reach(b, poseB, scale(-1, n));
  };

  test('of random hulls, by expansion: the least overlap over all faces and pairs of edges', () => {
    const draw = random('hulls');
    const expansion = new Expansion();
    const pose = new RelativePose();
    let overlapping = 0;
    for (let i = 0; i < 60; i++) {
      const a = randomHull(draw, 5 + draw.integer(6));
      const b = randomHull(draw, 5 + draw.integer(6), [0.7, 0.5, 0.9]);
      const poseA: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const poseB: Placement = {
        position: add(poseA.position, scale(1.6, draw.inSphere())),
        orientation: draw.rotation(),
      };
      const expected = leastOverlap(a, b, poseA, poseB);
      const points = pointsOf(routeOf(solidOf(a), solidOf(b)), poseA, poseB);
      expect(points.length > 0).toBe(expected.depth > 0);
      if (points.length === 0) continue;
      overlapping++;
      pose.set(posesOf(poseA, poseB), 0, 1);
      const supports = [new CornerSupport(a.vertices), new CornerSupport(b.vertices)] as const;
      expansion.run(supports[0], supports[1], pose.rotation_AB, pose.position_AB, 0);
      expect(Math.abs(expansion.depth - expected.depth)).toBeLessThan(1e-13);
      const normal = rotate(poseA.orientation, vec(expansion.normal, 0));
      expect(Math.abs(overlapAlong(normal, a, b, poseA, poseB) - expected.depth)).toBeLessThan(1e-12);

      // the route's normal is a mean of directions at most a tenth deeper, or one drawn to a face by less than a twentieth of a radian
      const along = overlapAlong(points[0].normal, a, b, poseA, poseB);
      expect(along).toBeLessThan(1.1 * expected.depth + 0.05 * 2);
      for (const { depth } of points) expect(depth).toBeLessThan(along + 1e-12);
      expect(points.reduce((sum, { depth }) => sum + depth, 0)).toBeGreaterThan(expected.depth * (1 - 1e-8));
    }
    expect(overlapping).toBeGreaterThan(20);
  });

  test('of boxes: exactly the axis of least overlap where no other is near', () => {
    const draw = random('boxes');
    const route = routeOf(block, block);
    let exact = 0;
    for (let i = 0; i < 300; i++) {
      const pose: Placement = { position: scale(1.25, draw.unitVector()), orientation: draw.rotation() };
      const points = pointsOf(route, HERE, pose);
      const expected = leastOverlap(block.mesh, block.mesh, HERE, pose);
      expect(points.length > 0).toBe(expected.depth > 0);
      if (points.length === 0) continue;
      expect(points.reduce((sum, { depth }) => sum + depth, 0)).toBeGreaterThan(expected.depth * (1 - 1e-8));
      if (expected.rivals.some((d) => d > expected.depth + 1e-9)) continue; // the normal is then a mean
      const faceOn = Math.max(
        ...expected.axis.map(Math.abs),
        ...rotate(conjugate(pose.orientation), expected.axis).map(Math.abs),
      );
      // across two edges, and within 0.1 rad of a face: drawn to it
      if (faceOn > Math.cos(0.1) && faceOn < 1 - 1e-14) continue;
      exact++;
      expect(norm(sub(points[0].normal, expected.axis))).toBeLessThan(1e-13);
      expect(Math.max(...points.map((p) => p.depth))).toBeLessThan(expected.depth + 1e-14);
    }
    expect(exact).toBeGreaterThan(40);
  });

  test('of spheres and capsules: closed forms', () => {
    const draw = random('spheres');
    for (let i = 0; i < 50; i++) {
      const gap = draw.uniformBetween(-0.2, 0.05);
      const direction = draw.unitVector();
      const points = pointsOf(routeOf(sphere(0.5), sphere(0.3)), HERE, {
        position: scale(0.8 + gap, direction),
        orientation: draw.rotation(),
      });
      expect(points.length).toBe(gap < 0 ? 1 : 0);
      if (gap >= 0) continue;
      expect(Math.abs(points[0].depth + gap)).toBeLessThan(1e-15);
      expect(norm(sub(points[0].normal, direction))).toBeLessThan(1e-15);
      expect(norm(sub(points[0].at, scale(0.5 + 0.5 * gap, direction)))).toBeLessThan(1e-15);
    }
    const crossed = pointsOf(
      routeOf(capsule({ radius: 0.1, height: 1 }), capsule({ radius: 0.2, height: 1 })),
      HERE,
      at(0.29, 0.1, 0.2, turned([1, 0, 0], Math.PI / 2)),
    );
    expect(crossed.reduce((s, p) => s + p.depth, 0)).toBeCloseTo(0.01, 12);
    expect(norm(sub(crossed[0].normal, [1, 0, 0]))).toBeLessThan(1e-12);
    // a sphere on the face, the edge and the corner of a box
    const ball = routeOf(block, sphere(0.5));
    expect(pointsOf(ball, HERE, at(0.1, 0.2, 0.95))).toMatchObject([{ normal: [0, 0, 1] }]);
    const edge = pointsOf(ball, HERE, at(0.1, 0.5 + 0.27, 0.5 + 0.36));
    expect(edge[0].depth).toBeCloseTo(0.05, 14);
    expect(norm(sub(edge[0].normal, [0, 0.6, 0.8]))).toBeLessThan(1e-14);
    const corner = pointsOf(ball, HERE, at(0.5 + 0.1, 0.5 + 0.2, 0.5 + 0.2));
    expect(corner[0].depth).toBeCloseTo(0.2, 14);
    // the centre inside the box: out through the nearest face
    expect(pointsOf(ball, HERE, at(0.1, 0.2, 0.4))[0].depth).toBeCloseTo(0.6, 14);
  });

  test('of cylinders and cones: closed forms', () => {
    const log = cylinder({ radius: 0.5, height: 2 });
    // side by side, crossed at a right angle: 2 r − distance
    const quarter = turned([1, 0, 0], Math.PI / 2);
    const crossed = pointsOf(routeOf(log, log), HERE, at(0.97, 0.1, 0.2, quarter));
    expect(crossed.reduce((s, p) => s + p.depth, 0)).toBeCloseTo(0.03, 12);
    expect(norm(sub(crossed[0].normal, [1, 0, 0]))).toBeLessThan(1e-12);
    // a log across the edge of a box stood on its edge: edge line and axis are crossed
    const edge = pointsOf(
      routeOf(block, log),
      at(0, 0, 0, turned([1, 0, 0], Math.PI / 4)),
      at(0.1, 0.2, Math.SQRT1_2 + 0.49, multiply(quarter, turned([0, 0, 1], 0.3))),
    );
    expect(edge.reduce((s, p) => s + p.depth, 0)).toBeCloseTo(0.01, 12);
    expect(norm(sub(edge[0].normal, [0, 0, 1]))).toBeLessThan(1e-11);
    // a cone with its tip down
    const tip = pointsOf(
      routeOf(table, cone({ radius: 0.5, height: 1 })),
      HERE,
      at(0.3, 0.1, 0.98, turned([1, 0, 0], Math.PI)),
    );
    expect(tip).toHaveLength(1);
    expect(tip[0].depth).toBeCloseTo(0.02, 14);
    expect(norm(sub(tip[0].at, [0.3, 0.1, 0.49]))).toBeLessThan(1e-14);
    // a wheel leaning by 20°: its lowest point
    const lean = (20 * Math.PI) / 180;
    const height = 0.5 * Math.cos(lean) + 1 * Math.sin(lean);
    const rim = pointsOf(
      routeOf(table, log),
      HERE,
      at(0, 0, 0.5 + height - 0.01, turned([1, 0, 0], Math.PI / 2 - lean)),
    );
    expect(rim).toHaveLength(1);
    expect(rim[0].depth).toBeCloseTo(0.01, 13);
  });

  test('of solids that just touch, by a hair, by rounding', () => {
    const route = routeOf(block, block);
    for (const depth of [1e-3, 1e-6, 1e-9, 1e-12]) {
      for (const pose of [at(0.2, 0.1, 1 - depth), at(0.2, 0.1, 1 - depth, turned([0, 0, 1], 0.3))]) {
        const points = pointsOf(route, HERE, pose);
        expect(points).toHaveLength(4);
        for (const point of points) {
          expect(Math.abs(point.depth - depth)).toBeLessThan(4e-16);
          expect(norm(sub(point.normal, [0, 0, 1]))).toBeLessThan(1e-15);
        }
      }
    }
    for (const pose of [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(0, 0, 1 + 1e-15)])
      for (const { depth } of pointsOf(route, HERE, pose)) expect(depth).toBeLessThan(1e-15);
  });

  test('of solids wholly inside each other, centre on centre', () => {
    for (const solid of [
      block,
      sphere(0.5),
      capsule({ radius: 0.2, height: 1 }),
      cylinder({ radius: 0.5, height: 1 }),
      cone({ radius: 0.5, height: 1 }),
    ]) {
      const points = pointsOf(routeOf(solid, solid), HERE, HERE, true);
      expect(points.length).toBeGreaterThan(0);
      for (const { depth, normal, gradient } of points) {
        expect(depth).toBeGreaterThan(0);
        expect(Math.abs(norm(normal) - 1)).toBeLessThan(1e-14);
        for (const g of gradient) expect(Number.isFinite(g)).toBe(true);
      }
    }
  });

  test.each([1e-6, 1e-3, 100])('parts of %d m', (size) => {
    const part = box([size, size, size]);
    const points = pointsOf(routeOf(part, part), at(3, 3, 3), at(3 + 0.2 * size, 3, 3 + 0.999 * size));
    expect(points).toHaveLength(4);
    // positions near 3 m are rounded to 4e-16 m
    for (const { depth } of points) expect(Math.abs(depth - 1e-3 * size)).toBeLessThan(2e-15 + 1e-15 * size);
    const wheel = cylinder({ radius: size, height: size });
    const crossed = pointsOf(routeOf(wheel, wheel), HERE, at(1.999 * size, 0, 0, turned([1, 0, 0], Math.PI / 2)));
    expect(crossed.reduce((s, p) => s + p.depth, 0) / size).toBeCloseTo(1e-3, 10);
  });
});

describe('several points', () => {
  test('a box that lies on a table has four, symmetric, flush and turned, whichever comes first', () => {
    for (const angle of [0, 1e-12, 0.3, Math.PI / 4, Math.PI / 2])
      for (const swap of [false, true]) {
        const pose = at(0, 0, 0.99, turned([0, 0, 1], angle));
        const points = swap ? pointsOf(routeOf(block, table), pose, HERE) : pointsOf(routeOf(table, block), HERE, pose);
        expect(points).toHaveLength(4);
        let sum: Vec3 = [0, 0, 0];
        for (const point of points) {
          expect(Math.abs(point.depth - 0.01)).toBeLessThan(1e-15);
          expect(Math.abs(norm([point.at[0], point.at[1], 0]) - Math.SQRT1_2)).toBeLessThan(1e-12);
          sum = add(sum, point.at);
        }
        expect(norm(sub(sum, [0, 0, 4 * 0.495]))).toBeLessThan(1e-12);
        expect(new Set(points.map((p) => p.feature)).size).toBe(4);
      }
  });

  // Four springs of k under the corners of a square of side 1: force 4 k d, moment k ϑ about a middle line, since Σ y² = 1
  test('the wrench of a box tilted a little is that of four springs', () => {
    const k = 1e6;
    const tilt = 1e-3;
    const points = pointsOf(routeOf(table, block), HERE, at(0.2, 0.3, 0.99, turned([1, 0, 0], tilt)));
    let force: Vec3 = [0, 0, 0];
    let moment: Vec3 = [0, 0, 0];
    for (const point of points) {
      const f = scale(k * point.depth, point.normal);
      force = add(force, f);
      moment = add(moment, cross(sub(point.at, [0.2, 0.3, 0.5]), f));
    }
    // bottom corners at y = ±½ are ±½ sin ϑ higher, the bottom itself ½ cos ϑ below the centre
    expect(force[2]).toBeCloseTo(4 * k * (0.01 + 0.5 * (Math.cos(tilt) - 1)), 4);
    const lever = 0.5 * Math.cos(tilt); // y of the corners, less ½ sin ϑ for all
    expect(moment[0]).toBeCloseTo(k * (-4 * 0.5 * Math.sin(tilt) * lever + 0) + 0.5 * Math.sin(tilt) * force[2], -1);
  });

  test('a cylinder: four standing, two lying, the ends of its line (the case of a single point that jumps)', () => {
    const log = cylinder({ radius: 0.5, height: 2 });
    const route = routeOf(table, log);
    expect(pointsOf(route, HERE, at(0, 0, 1.49))).toHaveLength(4);
    for (const tilt of [-1e-3, -1e-9, 0, 1e-12, 1e-3]) {
      const lying = multiply(turned([0, 1, 0], tilt), turned([1, 0, 0], Math.PI / 2));
      const points = pointsOf(route, HERE, at(0, 0, 0.5 + 0.5 - 0.01, lying));
      expect(points).toHaveLength(2);
      expect(points.map((p) => Math.round(1e6 * p.at[1]) / 1e6).sort((p, q) => p - q)).toEqual([-1, 1]);
      for (const p of points) expect(Math.abs(p.depth - 0.01)).toBeLessThan(1e-6);
    }
    // hanging over the edge by half: two points still, one at the edge
    const over = pointsOf(route, HERE, at(0, 5, 0.99, turned([1, 0, 0], Math.PI / 2)));
    expect(over.map((p) => Math.round(1e9 * p.at[1]) / 1e9).sort((p, q) => p - q)).toEqual([4, 5]);
  });

  test('logs side by side and capsules on a box: two points', () => {
    const log = cylinder({ radius: 0.5, height: 2 });
    for (const tilt of [0, 1e-9, 1e-4]) {
      const points = pointsOf(routeOf(log, log), HERE, at(0.99, 0, 0.5, turned([1, 0, 0], tilt)));
      expect(points.filter((p) => p.depth > 1e-3)).toHaveLength(2);
      expect(norm(sub(points[0].normal, [1, 0, 0]))).toBeLessThan(1e-3);
    }
    const points = pointsOf(
      routeOf(table, capsule({ radius: 0.1, height: 1 })),
      HERE,
      at(0, 0, 0.59, turned([1, 0, 0], Math.PI / 2)),
    );
    expect(points).toHaveLength(2);
    for (const { depth } of points) expect(depth).toBeCloseTo(0.01, 14);
  });

  test('names stay while a box slides over the edge of a table and turns', () => {
    const route = routeOf(table, block);
    const names = new Set<string>();
    for (let x = 0; x <= 5.4; x += 0.05)
      for (const { feature } of pointsOf(route, HERE, at(x, 0.1, 0.999, turned([0, 0, 1], x)))) names.add(feature);
    expect(names.size).toBe(4);
  });

  test('against a half-space: corners, rims, balls', () => {
    const ground = halfSpace();
    const down = (solid: Solid, pose: Placement) => pointsOf(routeOf(solid, ground), pose, HERE);
    expect(down(block, at(0, 0, 0.49))).toHaveLength(4);
    expect(down(block, at(0, 0, 0.49))[0]).toMatchObject({ normal: [0, 0, 1] });
    expect(down(block, at(0, 0, -3))).toHaveLength(8);
    expect(down(block, at(0, 0, 0.51))).toHaveLength(0);
    expect(down(sphere(0.5), at(1, 2, 0.49))[0].depth).toBeCloseTo(0.01, 14);
    expect(down(capsule({ radius: 0.1, height: 1 }), at(0, 0, 0.09, turned([0, 1, 0], Math.PI / 2)))).toHaveLength(2);
    const wheel = cylinder({ radius: 0.5, height: 0.2 });
    expect(down(wheel, at(0, 0, 0.09))).toHaveLength(4);
    // rolling: two points, both rims, the same depth whatever the turn
    for (let turn = 0; turn < 7; turn += 0.1) {
      const points = down(wheel, at(0, 0, 0.49, multiply(turned([1, 0, 0], Math.PI / 2), turned([0, 0, 1], turn))));
      expect(points).toHaveLength(2);
      for (const { depth, at: place } of points) {
        expect(depth).toBeCloseTo(0.01, 13);
        expect(Math.abs(place[0])).toBeLessThan(1e-13);
      }
    }
  });
});

describe('gradients', () => {
  const shapes: [string, Solid][] = [
    ['box', box([1, 0.8, 1.2])],
    ['hull', solidOf(randomHull(random('a stone'), 14))],
    ['sphere', sphere(0.6)],
    ['capsule', capsule({ radius: 0.3, height: 0.8 })],
    ['cylinder', cylinder({ radius: 0.5, height: 1 })],
    ['frustum', frustum({ bottomRadius: 0.6, topRadius: 0.3, height: 1 })],
    ['cone', cone({ radius: 0.6, height: 1 })],
  ];
  const pairs = shapes.flatMap(([a, solidA], i) =>
    shapes.slice(i).map(([b, solidB]) => [a, b, solidA, solidB] as const),
  );
  test.each(pairs)('%s and %s against central differences', (a, b, solidA, solidB) => {
    const draw = random(`${a} ${b}`);
    const route = routeOf(solidA, solidB);
    const errors: number[] = [];
    for (let i = 0; errors.length < 12 && i < 200; i++) {
      // bring B in along a random direction until it is a little inside A
      const direction = draw.unitVector();
      const poseA: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const orientation = draw.rotation();
      const separation = new Separation();
      const far: Placement = { position: add(poseA.position, scale(4, direction)), orientation };
      let reach = 4;
      for (let k = 0; k < 60; k++) {
        route.separate(posesOf(poseA, { ...far, position: add(poseA.position, scale(reach, direction)) }), separation);
        if (separation.distance < 1e-9) break;
        reach -= separation.distance;
      }
      const pose: Placement = {
        orientation,
        position: add(poseA.position, scale(reach - draw.uniformBetween(0.005, 0.05), direction)),
      };
      const error = gradientError(route, poseA, pose);
      if (Number.isNaN(error)) continue; // a point that comes or goes within the step
      errors.push(error);
    }
    errors.sort((p, q) => p - q);
    expect(errors.length).toBeGreaterThan(8);
    // central differences with a step of 1e-6 leave about 1e-10/1e-6 of rounding in solved normals, and curvature; the last may straddle a kink
    expect(errors[errors.length - 2]).toBeLessThan(2e-6);
  });

  test('resting flush, tipped on an edge, on a half-space', () => {
    const tilt = turned([0.3, 0.2, 0.1], 0.01);
    expect(gradientError(routeOf(table, block), HERE, at(0.2, 0.3, 0.98, tilt))).toBeLessThan(1e-8);
    expect(gradientError(routeOf(block, table), at(0.2, 0.3, 0.98, tilt), HERE)).toBeLessThan(1e-8);
    const log = cylinder({ radius: 0.5, height: 1 });
    expect(gradientError(routeOf(table, log), HERE, at(0.2, 0.3, 0.98, tilt))).toBeLessThan(1e-7);
    for (const orientation of [tilt, turned([1, 0.2, 0], 1), turned([1, 0.2, 0.3], 2)])
      for (const solid of [
        block,
        log,
        sphere(0.5),
        capsule({ radius: 0.4, height: 0.3 }),
        cone({ radius: 0.5, height: 1 }),
      ]) {
        const route = routeOf(solid, halfSpace());
        const separation = new Separation();
        route.separate(posesOf(at(0.1, 0.2, 3, orientation), HERE), separation);
        expect(gradientError(route, at(0.1, 0.2, 3 - separation.distance - 0.02, orientation), HERE)).toBeLessThan(
          1e-7,
        );
      }
  });
});

describe('continuity', () => {
  const stiffness = 1; // so that forces are depths
  const force = (points: readonly Point[]): Vec3 =>
    points.reduce<Vec3>((sum, { depth, normal }) => add(sum, scale(stiffness * depth, normal)), [0, 0, 0]);
  /** The largest change of the force between neighbours on a path of n poses. */
  const largestJump = (route: Route, pose: (t: number) => Placement, n: number): number => {
    let last = force(pointsOf(route, HERE, pose(0)));
    let worst = 0;
    for (let i = 1; i <= n; i++) {
      const next = force(pointsOf(route, HERE, pose(i / n)));
      worst = Math.max(worst, norm(sub(next, last)));
      last = next;
    }
    return worst;
  };
  test('a box whose edge hangs over the rim of a table is carried along the normal of the table', () => {
    // across the two edges the normal would lean by 0.03 rad; the box's own faces are far from it
    const leaning = multiply(turned([0, 1, 0], 0.03), turned([1, 0, 0], 0.5));
    const points = pointsOf(routeOf(table, block), HERE, at(5.1, 0.2, 1.165, leaning));
    expect(points.length).toBeGreaterThan(0);
    expect(points[0].normal[2]).toBeGreaterThan(Math.cos(0.01));
  });
  test.each<[string, Solid, Solid, (t: number) => Placement]>([
    ['a box slides over the edge of a table', table, block, (t) => at(4 + 1.48 * t, 0.1, 0.99, turned([0, 0, 1], 0.4))],
    ['a box slides over the corner', table, block, (t) => at(4.3 + t, 4.4 + 0.9 * t, 0.99, turned([0, 0, 1], 0.2))],
    ['the least way out changes from up to sideways', table, block, (t) => at(5.48 + 0.015 * t, 0.1, 0.99)],
    ['a box tips over on a table', table, block, (t) => tipped(0.02 + 0.7 * t)],
    ['a box turns about its lower edge', table, block, (t) => tipped(Math.PI * t)],
    ['a cylinder tips over', table, cylinder({ radius: 0.5, height: 1 }), (t) => rolled(1.6 * t)],
    [
      'a box tilts over the edge of a table',
      table,
      block,
      (t) => at(5.1, 0.2, 0.99 - 0.1 * t, turned([0, 1, 0.02], 0.3 * t)),
    ],
  ])('%s', (_, a, b, pose) => {
    const route = routeOf(a, b);
    // what changes smoothly halves with the step; a jump does not
    const coarse = largestJump(route, pose, 250);
    const fine = largestJump(route, pose, 2000);
    expect(fine).toBeLessThan(0.3 * coarse + 1e-9);
  });
  test.each([1, 2, 3, 4])('stone %d of many small faces rolls', (seed) => {
    const draw = random(seed);
    const stone = solidOf(randomHull(draw, 100));
    const { vertices } = stone.mesh;
    const axis = draw.unitVector();
    const rolling = (t: number): Placement => {
      const orientation = turned(axis, 1.5 * t);
      let lowest = 0;
      for (let i = 0; i < vertices.length / 3; i++) lowest = Math.min(lowest, rotate(orientation, vec(vertices, i))[2]);
      return at(0.1, 0.2, 0.5 - lowest - 0.01, orientation);
    };
    const route = routeOf(table, stone);
    expect(largestJump(route, rolling, 2000)).toBeLessThan(0.3 * largestJump(route, rolling, 250));
  });
  /** On the table with the lowest corners 0.01 deep. */
  function tipped(angle: number): Placement {
    const orientation = turned([1, 0, 0], angle);
    const lowest = Math.min(
      ...Array.from({ length: 8 }, (_, i) => rotate(orientation, vec(block.mesh.vertices, i))[2]),
    );
    return at(0.1, 0.2, 0.5 - lowest - 0.01, orientation);
  }
  function rolled(angle: number): Placement {
    const reach = 0.5 * Math.abs(Math.cos(angle)) + 0.5 * Math.abs(Math.sin(angle));
    return at(0.1, 0.2, 0.5 + reach - 0.01, turned([1, 0, 0], angle));
  }
});

describe('the guard', () => {
  test('distances of all kinds of solids, never too large', () => {
    const s = new Separation();
    const route = routeOf(cylinder({ radius: 0.5, height: 1 }), cone({ radius: 0.5, height: 1 }));
    route.separate(posesOf(HERE, at(0, 0, 1.25)), s);
    expect(s.distance).toBeCloseTo(0.25, 12);
    expect(s.distance).toBeLessThanOrEqual(0.25 + 1e-15);
    routeOf(halfSpace(), block).separate(posesOf(HERE, at(1, 2, 1, turned([1, 0, 0], Math.PI / 4))), s);
    expect(s.distance).toBeCloseTo(1 - Math.SQRT1_2, 14);
    expect([...s.direction]).toEqual([0, 0, 1]);
    expect(s.pointA[2]).toBeCloseTo(0, 14);
  });
  test('the same bits whatever was asked before', () => {
    const route = routeOf(cylinder({ radius: 0.5, height: 1 }), block);
    const pose = at(0.6, 0.3, 0.7, turned([0.3, 0.4, 0.5], 1));
    const before = pointsOf(route, HERE, pose, true);
    for (let i = 0; i < 5; i++) pointsOf(route, HERE, at(0.1 * i, 0.2, 0.9), i % 2 === 0);
    expect(pointsOf(route, HERE, pose, true)).toEqual(before);
  });
});
