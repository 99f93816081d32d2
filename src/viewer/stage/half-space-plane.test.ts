import { expect, test } from 'vitest';
import { halfSpace } from '../../geometry/half-space.js';
import { box } from '../../geometry/primitives.js';
import type { Solid } from '../../geometry/solid.js';
import { rotate, translate } from '../../geometry/transform.js';
import { fromAxisAngle, rotate as turned } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import { halfSpacePlane } from './half-space-plane.js';

const planeOf = (solid: Solid, up: Vec3 = [0, 0, 1]) =>
  halfSpacePlane({ vertices: solid.mesh.vertices, triangles: solid.mesh.triangles, form: solid.form.kind }, up)!;
const expectClose = (a: Vec3, b: Vec3) => {
  for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 12);
};

test('the top of a half-space, however it is turned', () => {
  const flat = planeOf(halfSpace({ extent: 4 }));
  expectClose(flat.normal, [0, 0, 1]);
  expectClose(flat.point, [0, 0, 0]);
  expect(flat.extent).toBeCloseTo(2, 12);

  // A wall and a ceiling: the mesh still knows which side is out
  for (const [axis, angle] of [
    [[0, 1, 0], Math.PI / 2] as const,
    [[1, 0, 0], Math.PI] as const,
    [[1, 2, 3], 1.2] as const,
  ]) {
    const q = fromAxisAngle(axis, angle);
    const plane = planeOf(translate([1, 2, 3], rotate(q, halfSpace({ extent: 6 }))));
    expectClose(plane.normal, turned(q, [0, 0, 1]));
    expectClose(plane.point, [1, 2, 3]);
    expect(plane.extent).toBeCloseTo(3, 12);
  }
});

test('of another mesh the face that looks up', () => {
  const slab = planeOf({ ...box([3, 3, 1]), form: { kind: 'halfSpace' } }, [0, 1, 0]);
  // a box has the triangles of a slab, so its +z side is taken for the ground
  expectClose(slab.normal, [0, 0, 1]);
  const tetrahedron = halfSpacePlane(
    {
      vertices: new Float64Array([0, 0, 0, 1, 0, 0, 0, 0, -1, 0, -1, 0]),
      triangles: new Uint32Array([0, 3, 1, 0, 1, 2, 1, 3, 2, 2, 3, 0]),
      form: 'halfSpace',
    },
    [0, 1, 0],
  )!;
  expectClose(tetrahedron.normal, [0, 1, 0]);
});
