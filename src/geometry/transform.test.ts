import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conjugate, rotate as rotateVector } from '../math/quaternion.js';
import { add, sub, type Vec3 } from '../math/vec3.js';
import { extrude } from './extrude.js';
import { meshMassProperties } from './mass-properties.js';
import { planeMoments, signedArea } from './polygon.js';
import { box, capsule, cone, cylinder, sphere, tube } from './primitives.js';
import type { Outline } from './profile.js';
import type { Solid } from './solid.js';
import { type Affine, mirror, rotate, scale, transform, translate } from './transform.js';
import { type TriangleMesh, triangleMesh, vertexAt, vertexCount } from './triangle-mesh.js';

// An L with a hole: no symmetry, so a wrong turn or mirror cannot hide
const bracket = extrude(
  {
    outer: [
      [0, 0],
      [4, 0],
      [4, 1],
      [1, 1],
      [1, 3],
      [0, 3],
    ],
    holes: [
      [
        [0.3, 0.3],
        [0.3, 0.6],
        [0.8, 0.6],
        [0.8, 0.3],
      ],
    ],
  },
  0.7,
);

/** The solid built anew from its form and pose alone. */
function meshOfForm({ form, pose }: Solid): TriangleMesh {
  if (form.kind !== 'box' && form.kind !== 'extrusion') throw new Error(`no polyhedron: ${form.kind}`);
  const { mesh } = form.kind === 'box' ? box(form.size) : extrude(form.profile, form.height);
  const vertices = Array.from({ length: vertexCount(mesh) }, (_, i) =>
    add(pose.position, rotateVector(pose.orientation, vertexAt(mesh, i))),
  );
  return triangleMesh(vertices, mesh.triangles);
}

/** What form and pose say must be what the mesh is, to rounding. */
function expectFormFits(solid: Solid): void {
  const [mesh, form] = [meshMassProperties(solid.mesh), meshMassProperties(meshOfForm(solid))];
  expect(Math.abs(form.volume / mesh.volume - 1)).toBeLessThan(1e-12);
  const size = Math.cbrt(mesh.volume);
  const far = Math.hypot(...mesh.centroid) + size;
  for (let k = 0; k < 3; k++) expect(Math.abs(form.centroid[k] - mesh.centroid[k])).toBeLessThan(1e-12 * far);
  const largest = Math.max(...mesh.principalMoments);
  for (let k = 0; k < 9; k++) expect(Math.abs(form.inertia[k] - mesh.inertia[k])).toBeLessThan(1e-11 * largest);
}

const seed = { seed: 20150906, numRuns: 60 };
const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
const vector = fc.tuple(coordinate, coordinate, coordinate);
const axis = vector.filter((v) => Math.hypot(...v) > 0.1);
const factor = fc.double({ min: 0.2, max: 5, noNaN: true });

describe('the form of an extrusion and of a box follows', () => {
  const things = [bracket, box([1, 2, 3])];
  test.each(things)('rigid motions and mirroring %#', (thing) => {
    fc.assert(
      fc.property(
        axis,
        fc.double({ min: -7, max: 7, noNaN: true }),
        vector,
        vector,
        axis,
        (u, angle, centre, v, normal) => {
          const turned = rotate({ axis: u, angle }, thing, centre);
          expect(turned.form).toBe(thing.form);
          expectFormFits(turned);
          const moved = translate(v, turned);
          expectFormFits(moved);
          const mirrored = mirror(normal, moved);
          expect(mirrored.form.kind).toBe(thing.form.kind);
          expectFormFits(mirrored);
        },
      ),
      seed,
    );
  });

  test.each(things)('uneven scaling along its own axes, and even scaling after a turn %#', (thing) => {
    fc.assert(
      fc.property(factor, factor, factor, axis, (x, y, z, u) => {
        const stretched = scale([x, -y, z], thing);
        expect(stretched.form.kind).toBe(thing.form.kind);
        expectFormFits(stretched);
        const turned = scale(-x, rotate({ axis: u, angle: 1 }, stretched));
        expect(turned.form.kind).toBe(thing.form.kind);
        expectFormFits(turned);
      }),
      seed,
    );
  });

  test('nothing else: a shear or an uneven scaling after a turn leaves the mesh alone', () => {
    const skewed = scale([1, 2, 1], rotate(0.3, bracket));
    expect(skewed.form.kind).toBe('mesh');
    expect(meshMassProperties(skewed.mesh).volume / meshMassProperties(bracket.mesh).volume).toBeCloseTo(2, 12);
    const shear: Affine = [
      [1, 0.2, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 5],
    ];
    const sheared = transform(shear, box(1));
    expect(sheared.form.kind).toBe('mesh');
    expect(meshMassProperties(sheared.mesh).volume).toBeCloseTo(1, 13);
    expect(meshMassProperties(sheared.mesh).centroid[2]).toBeCloseTo(5, 13);
  });
});

describe('round forms follow', () => {
  /** Vertices in the form's own frame. */
  const local = ({ mesh, pose }: Solid): Vec3[] =>
    Array.from({ length: vertexCount(mesh) }, (_, i) =>
      rotateVector(conjugate(pose.orientation), sub(vertexAt(mesh, i), pose.position)),
    );

  test.each([
    sphere(1, { subdivision: 3 }),
    cylinder({ radius: 1, height: 3 }),
    cone({ radius: 1, height: 2 }),
    capsule({ radius: 0.5, height: 1, segments: 16 }),
  ])('even scalings, turns and mirroring %#', (thing) => {
    const original = local(thing);
    const image = mirror([1, 2, -1], scale(-2.5, translate([1, 2, 3], rotate({ axis: [1, 1, 0], angle: 0.8 }, thing))));
    expect(image.form.kind).toBe(thing.form.kind);
    const form = image.form as unknown as Record<string, number>;
    const before = thing.form as unknown as Record<string, number>;
    for (const name of ['radius', 'height', 'bottomRadius', 'topRadius'])
      if (name in before) expect(form[name]).toBeCloseTo(2.5 * before[name], 13);
    // The image is the original scaled by 2.5 in the form's frame, up to mirroring there: compare height and radius
    for (const [i, [x, y, z]] of local(image).entries()) {
      const [u, v, w] = original[i];
      if (thing.form.kind === 'sphere') expect(Math.hypot(x, y, z)).toBeCloseTo(2.5, 12);
      else {
        expect(z).toBeCloseTo(2.5 * w, 12);
        expect(Math.hypot(x, y)).toBeCloseTo(2.5 * Math.hypot(u, v), 12);
      }
    }
    expect(meshMassProperties(image.mesh).volume / meshMassProperties(thing.mesh).volume).toBeCloseTo(2.5 ** 3, 11);
  });

  test('a sphere stretched unevenly is an ellipsoid', () => {
    expect(scale([1, 1, 2], sphere(1)).form).toEqual({ kind: 'ellipsoid', radii: [1, 1, 2] });
    expect(scale([2, 2, 2], sphere(1)).form).toEqual({ kind: 'sphere', radius: 2 });
    expect(scale([1, 3, 1], scale([1, 1, 2], sphere(1))).form).toEqual({ kind: 'ellipsoid', radii: [1, 3, 2] });
  });

  test('a cylinder stretched along its axis or evenly across it stays one, across it unevenly does not', () => {
    const rod = cylinder({ radius: 1, height: 2 });
    expect(scale([2, 2, 5], rod).form).toEqual({ kind: 'cylinder', radius: 2, height: 10 });
    expect(scale([2, 3, 5], rod).form).toEqual({ kind: 'mesh' });
    expect(scale([1, 1, 2], capsule({ radius: 1, height: 1 })).form).toEqual({ kind: 'mesh' });
    // Lying along x it is the x factor that lengthens it
    const lying = scale([5, 2, 2], rotate({ axis: [0, 1, 0], angle: Math.PI / 2 }, rod)).form;
    expect(lying).toMatchObject({ kind: 'cylinder' });
    expect((lying as { height: number }).height).toBeCloseTo(10, 14);
  });
});

test('quarter turns are exact, and four of them are none', () => {
  const turned = rotate(Math.PI / 2, bracket);
  expect(vertexAt(turned.mesh, 1)).toEqual([0, 4, 0]);
  let four = bracket;
  for (let i = 0; i < 4; i++) four = rotate(Math.PI / 2, four);
  expect(four.mesh.vertices).toEqual(bracket.mesh.vertices);
});

test('a quaternion, an axis with angle, and a number mean the same turn', () => {
  const [byNumber, byAxis, byQuaternion] = [
    rotate(0.7, bracket),
    rotate({ axis: [0, 0, 9], angle: 0.7 }, bracket),
    rotate([Math.cos(0.35), 0, 0, Math.sin(0.35)], bracket),
  ];
  for (let i = 0; i < bracket.mesh.vertices.length; i++) {
    expect(byAxis.mesh.vertices[i]).toBe(byNumber.mesh.vertices[i]);
    expect(byQuaternion.mesh.vertices[i]).toBeCloseTo(byNumber.mesh.vertices[i], 14);
  }
});

test('a mesh is transformed like the mesh of a solid, triangles turned only by mirroring', () => {
  const { mesh } = tube({ outerRadius: 2, innerRadius: 1, height: 1, segments: 12 });
  const image: TriangleMesh = mirror('y', translate([1, 2, 3], mesh));
  expect(image.vertices[1]).toBe(-(mesh.vertices[1] + 2));
  expect(meshMassProperties(image).volume).toBeCloseTo(meshMassProperties(mesh).volume, 12);
  expect(translate([1, 0, 0], mesh).triangles).toBe(mesh.triangles);
  expect(scale(-1, scale(-1, mesh)).triangles).toEqual(mesh.triangles);
});

test('outlines and profiles keep their winding', () => {
  const outline: Outline = [
    [0, 0],
    [3, 0],
    [0, 1],
  ];
  expect(translate([1, 2], outline)[1]).toEqual([4, 2]);
  expect(rotate(Math.PI / 2, outline)[1]).toEqual([0, 3]);
  expect(rotate(Math.PI / 2, outline, [3, 0])[0]).toEqual([3, -3]);
  expect(signedArea(mirror('x', outline))).toBe(1.5);
  expect(signedArea(mirror([1, 1], outline))).toBeCloseTo(1.5, 14);
  expect(signedArea(scale(-2, outline))).toBe(6);
  expect(signedArea(scale([-2, 1], outline))).toBe(3);
  if (bracket.form.kind !== 'extrusion') throw new Error('an extrusion has its form');
  const { profile } = bracket.form;
  const image = scale([-2, 3], rotate(0.4, translate([1, 1], profile)));
  expect(signedArea(image.outer)).toBeGreaterThan(0);
  expect(signedArea(image.holes[0])).toBeLessThan(0);
  expect(planeMoments(image).area).toBeCloseTo(6 * planeMoments(profile).area, 12);
});

describe('refuses', () => {
  const thing = box(1);
  test.each([
    [() => translate([1, Number.NaN, 0], thing), 'translate.vector[1]: expected a finite number in m, got NaN'],
    [() => translate([1, 2] as unknown as Vec3, thing), 'translate.vector: expected 3 numbers, got 2'],
    [() => rotate({ axis: [0, 0, 0], angle: 1 }, thing), 'rotate.axis: expected a vector longer than 0'],
    [() => rotate([0, 0, 0, 0], thing), 'rotate.quaternion: expected a unit quaternion'],
    [() => scale(0, thing), 'scale.factor: expected factors other than 0'],
    [() => mirror([0, 0, 0], thing), 'mirror.normal'],
    [() => mirror('w' as 'x', thing), 'mirror.normal: expected one of x, y, z or a vector, got "w"'],
    [
      () =>
        transform(
          [
            [1, 2, 3, 0],
            [2, 4, 6, 0],
            [0, 0, 1, 0],
          ],
          thing,
        ),
      'transform.affine: expected a determinant other than 0',
    ],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
