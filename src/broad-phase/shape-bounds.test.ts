// Boxes of posed shapes against the posed vertices of their meshes: nothing sticks out, and nothing is to spare.
import { describe, expect, test } from 'vitest';
import { involuteGear } from '../assets/machine-elements/gear.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { convexHull } from '../geometry/hull.js';
import { box, capsule, cylinder, ellipsoid, frustum, sphere, torus } from '../geometry/primitives.js';
import type { Pose, Solid } from '../geometry/solid.js';
import { rotate as rotateSolid, translate } from '../geometry/transform.js';
import { triangleMesh } from '../geometry/triangle-mesh.js';
import { fromAxisAngle, rotate } from '../math/quaternion.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { BroadPhase } from './broad-phase.js';
import { OutermostPoints } from './outermost-points.js';
import { type BodyShape, ShapeBounds, solidBounds } from './shape-bounds.js';

/** Bounds of the mesh's vertices at a pose, computed with quaternions instead of matrices. */
function vertexBounds(
  { mesh: { vertices } }: Solid,
  { position, orientation }: Pose,
): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i += 3) {
    const v = rotate(orientation, [vertices[i], vertices[i + 1], vertices[i + 2]]);
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], position[k] + v[k]);
      max[k] = Math.max(max[k], position[k] + v[k]);
    }
  }
  return { min, max };
}

const SEGMENTS = 256;
/** Of a circle drawn as a polygon: how far the arc stands out from its sides, as a part of the radius. */
const SAGITTA = 1 - Math.cos(Math.PI / SEGMENTS);
const lumps = random('lumps');
const stone = convexHull(Array.from({ length: 400 }, () => lumps.unitVector()));

// Solids, the length that polygons may fall short of the exact form, m
const SOLIDS: Record<string, [solid: Solid, short: number]> = {
  // longest edge 1.18 · 63°/32 = 0.041 rad, so the sphere stands out by up to 0.041²/6 radii; the capsule's are shorter
  sphere: [sphere(0.3, { subdivision: 32 }), 0.3 * 4e-4],
  // the same of its longest half axis, stretched by up to 0.9/0.1 of that
  ellipsoid: [ellipsoid([0.9, 0.3, 0.1], { subdivision: 32 }), 0.9 * 4e-4],
  box: [box([1, 0.2, 3]), 0],
  cylinder: [cylinder({ radius: 0.5, height: 2, segments: SEGMENTS }), 0.5 * SAGITTA],
  disc: [cylinder({ radius: 2, height: 1e-3, segments: SEGMENTS }), 2 * SAGITTA],
  capsule: [capsule({ radius: 0.2, height: 1, segments: SEGMENTS }), 0.2 * 3e-4],
  frustum: [frustum({ bottomRadius: 1, topRadius: 0.25, height: 0.5, segments: SEGMENTS }), SAGITTA],
  cone: [frustum({ bottomRadius: 0, topRadius: 0.3, height: 4, segments: SEGMENTS }), 0.3 * SAGITTA],
  extrusion: [
    extrude(
      [
        [0, 0],
        [3, 0],
        [3, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ],
      0.5,
    ),
    0,
  ],
  gear: [extrude(involuteGear({ teeth: 17, module: 2e-3 }), 5e-3), 0],
  mesh: [torus({ majorRadius: 1, minorRadius: 0.2, segments: 24, minorSegments: 12 }), 0],
  'mesh with many corners': [{ mesh: stone, form: { kind: 'mesh' }, pose: box(1).pose }, 0],
};
// A plane triangle has no hull
SOLIDS['flat mesh'] = [
  {
    mesh: triangleMesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [[0, 1, 2]],
    ),
    form: { kind: 'mesh' },
    pose: box(1).pose,
  },
  0,
];
// Forms whose frame is not the solid's frame
SOLIDS['moved cylinder'] = [
  translate([3, -2, 1], rotateSolid({ axis: [1, 2, 3], angle: 0.7 }, SOLIDS.cylinder[0])),
  SOLIDS.cylinder[1],
];
SOLIDS['moved gear'] = [translate([0.1, 0, 0], rotateSolid({ axis: [1, 0, 1], angle: 2 }, SOLIDS.gear[0])), 0];

describe.each(Object.keys(SOLIDS))('%s', (name) => {
  const [solid, short] = SOLIDS[name];
  test('is inside its box, and the box is no larger', () => {
    const draw = random(name);
    for (let run = 0; run < 60; run++) {
      const far = run % 3 === 2 ? 1e6 : 2;
      const pose: Pose = {
        position: [far * draw.normal(), far * draw.normal(), far * draw.normal()],
        orientation: run === 0 ? [1, 0, 0, 0] : draw.rotation(),
      };
      const bounds = solidBounds(solid, pose);
      const vertices = vertexBounds(solid, pose);
      for (let k = 0; k < 3; k++) {
        // Rounding of the vertices themselves: half a bit of the coordinate for each of a few operations
        const rounding = 1e-15 * (Math.abs(pose.position[k]) + 8);
        expect(bounds.min[k]).toBeLessThanOrEqual(vertices.min[k]);
        expect(bounds.max[k]).toBeGreaterThanOrEqual(vertices.max[k]);
        expect(vertices.min[k] - bounds.min[k]).toBeLessThanOrEqual(short + 4 * rounding);
        expect(bounds.max[k] - vertices.max[k]).toBeLessThanOrEqual(short + 4 * rounding);
      }
    }
  });
});

// A disc of radius r whose axis makes the angle φ with x reaches r sin φ along x, a cylinder of height h beside that h/2 cos φ.
test('a tilted cylinder has the box of the formula', () => {
  for (const angle of [0, 0.3, 1, Math.PI / 2, 2.5]) {
    const { min, max } = solidBounds(cylinder({ radius: 0.5, height: 2 }), {
      position: [1, 2, 3],
      orientation: fromAxisAngle([0, 1, 0], angle),
    });
    const reach = 0.5 * Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle));
    // Two or three roundings of numbers near 3, and the enlargement of about 1e-14
    expect(max[0] - 1).toBeCloseTo(reach, 13);
    expect(1 - min[0]).toBeCloseTo(reach, 13);
    expect(max[1] - 2).toBeCloseTo(0.5, 13);
  }
});

test('shapes follow their bodies, those of the ground stay', () => {
  const turned = fromAxisAngle([0, 0, 1], Math.PI / 2);
  const shapes: BodyShape[] = [
    { solid: box([2, 4, 6]), body: 1 },
    { solid: sphere(1), body: 1, pose: { position: [5, 0, 0], orientation: [1, 0, 0, 0] } },
    { solid: box([2, 4, 6]), body: 0, pose: { position: [0, 0, 0], orientation: turned } },
    { solid: box([2, 4, 6]), body: -1, pose: { position: [0, 0, -3], orientation: [1, 0, 0, 0] } },
  ];
  const boxes = new Float64Array(24);
  // body 1 is turned by 90° about z and stands at (10, 20, 30)
  const rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 0, 0, 1];
  new ShapeBounds(shapes).update(Float64Array.of(0, 0, 0, 10, 20, 30), Float64Array.from(rotation), boxes);
  const wanted = [
    [8, 19, 27, 12, 21, 33],
    [9, 24, 29, 11, 26, 31],
    [-2, -1, -3, 2, 1, 3],
    [-1, -2, -6, 1, 2, 0],
  ];
  wanted.flat().forEach((x, i) => {
    expect(boxes[i]).toBeCloseTo(x, 12);
  });
});

test('a thousand touching balls of any radius in any direction make 999 pairs', () => {
  const draw = random('line');
  for (const radius of [0.1, 0.05715 / 2, 1 / 3, 1e-7, 1e5]) {
    const directions: Vec3[] = [[1, 0, 0], [0, 0, -1], draw.unitVector(), draw.unitVector()];
    for (const [x, y, z] of directions) {
      const ball = sphere(radius, { subdivision: 1 });
      const bounds = new ShapeBounds(Array.from({ length: 1000 }, (_, body) => ({ solid: ball, body })));
      const position = Float64Array.from({ length: 3000 }, (_, i) => 2 * radius * Math.floor(i / 3) * [x, y, z][i % 3]);
      const rotation = Float64Array.from({ length: 9000 }, (_, i) => ((i % 9) % 4 === 0 ? 1 : 0));
      const boxes = new Float64Array(6000);
      bounds.update(position, rotation, boxes);
      for (const method of ['brute-force', 'morton', 'tree'] as const) {
        const phase = new BroadPhase({ rules: { body: Array.from({ length: 1000 }, (_, i) => i) }, method });
        expect(phase.update(boxes).count).toBe(999);
      }
    }
  }
});

test('outermost points are those a look at all points finds', () => {
  const draw = random('outermost');
  const CLOUDS: (() => Vec3)[] = [
    () => draw.unitVector(),
    () => draw.inSphere(),
    () => [draw.integer(5), draw.integer(5), draw.integer(5)], // many in the same plane, many twice
    () => [draw.normal(), 0, 1], // on a line
    () => [1e6 + draw.uniform(), 1e-6 * draw.uniform(), draw.uniform()],
    () => [7, -3, 0.1], // one place
  ];
  for (const cloud of CLOUDS)
    for (const count of [1, 2, 30, 1000]) {
      const points = Float64Array.from(Array.from({ length: count }, cloud).flat());
      const outermost = new OutermostPoints(points);
      for (let run = 0; run < 300; run++) {
        // any direction, and those on borders of squares: multiples of 1/8
        const d = run % 2 === 0 ? draw.unitVector() : [0, 1, 2].map(() => (draw.integer(17) - 8) / 8);
        if (d.every((x) => x === 0)) continue;
        let best = -Infinity;
        for (let i = 0; i < points.length; i += 3)
          best = Math.max(best, d[0] * points[i] + d[1] * points[i + 1] + d[2] * points[i + 2]);
        // A point struck off because another is just as far out may, by rounding, come out a little farther
        const rounding = 4e-16 * (Math.abs(d[0]) * 1e6 + 10);
        expect(Math.abs(outermost.reach(d[0], d[1], d[2]) - best)).toBeLessThanOrEqual(rounding);
      }
    }
});

test('a pose that is not a number does not pass unnoticed', () => {
  for (const name of ['sphere', 'box', 'cylinder', 'gear', 'mesh with many corners']) {
    const bounds = new ShapeBounds([{ solid: SOLIDS[name][0], body: 0 }]);
    const phase = new BroadPhase({ rules: { body: [0] } });
    const boxes = new Float64Array(6);
    const upright = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    bounds.update(Float64Array.of(0, Number.NaN, 0), Float64Array.from(upright), boxes);
    expect(() => phase.update(boxes), name).toThrow('broadPhase.boxes[0]');
    bounds.update(new Float64Array(3), Float64Array.from(upright).fill(Number.NaN), boxes);
    expect(() => phase.update(boxes), name).toThrow('broadPhase.boxes[0]');
  }
});

test('a half-space is bounded where it is level, and a candidate for everything where it is tilted', () => {
  const level = solidBounds(halfSpace(), { position: [1, 2, 3], orientation: [1, 0, 0, 0] });
  expect(level.min).toEqual([-Infinity, -Infinity, -Infinity]);
  expect(level.max.slice(0, 2)).toEqual([Infinity, Infinity]);
  expect(level.max[2]).toBeCloseTo(3, 13);
  const upsideDown = solidBounds(halfSpace(), { position: [1, 2, 3], orientation: [0, 1, 0, 0] });
  expect(upsideDown.min[2]).toBeCloseTo(3, 13);
  expect(upsideDown.max[2]).toBe(Infinity);
  const tilted = solidBounds(halfSpace(), { position: [1, 2, 3], orientation: fromAxisAngle([1, 0, 0], 0.1) });
  expect([...tilted.min, ...tilted.max]).toEqual([...Array(3).fill(-Infinity), ...Array(3).fill(Infinity)]);

  // 60 balls over and under a floor, moving: all methods find the same pairs
  const draw = random('balls on a floor');
  const shapes: BodyShape[] = Array.from({ length: 61 }, (_, body) => ({
    solid: body === 0 ? halfSpace() : sphere(0.1),
    body,
  }));
  for (const tilt of [0, 0.1]) {
    const bounds = new ShapeBounds(shapes);
    const rules = { body: shapes.map(({ body }) => body) };
    const phases = (['brute-force', 'morton', 'tree'] as const).map((method) => new BroadPhase({ rules, method }));
    const rotation = new Float64Array(9 * 61);
    for (let i = 0; i < 61; i++) rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * i);
    rotation.set([1, 0, 0, 0, Math.cos(tilt), -Math.sin(tilt), 0, Math.sin(tilt), Math.cos(tilt)], 0);
    const position = Float64Array.from({ length: 183 }, (_, k) => (k < 3 ? 0 : draw.uniform() - 0.5));
    const boxes = new Float64Array(6 * 61);
    for (let run = 0; run < 20; run++) {
      for (let k = 3; k < 183; k++) position[k] += 0.02 * draw.normal();
      bounds.update(position, rotation, boxes);
      const [one, two, three] = phases.map((phase) => {
        const { count, a, b } = phase.update(boxes);
        return Array.from({ length: count }, (_, i) => [a[i], b[i]]);
      });
      expect(two).toEqual(one);
      expect(three).toEqual(one);
      const dipping = Array.from({ length: 60 }, (_, i) => i + 1).filter((i) => position[3 * i + 2] <= 0.1);
      const onFloor = one.filter(([a]) => a === 0).map(([, b]) => b);
      expect(onFloor).toEqual(tilt === 0 ? dipping : Array.from({ length: 60 }, (_, i) => i + 1));
    }
  }
});

test('a solid that is nothing is refused', () => {
  const nothing: Solid = { mesh: triangleMesh([], []), form: { kind: 'mesh' }, pose: box(1).pose };
  expect(() => new ShapeBounds([{ solid: nothing, body: 0 }])).toThrow('shapeBounds[0].solid.mesh: expected at least');
});
