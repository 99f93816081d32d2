/** What becomes of the exact form and pose of a solid under an affine map. */
import { type Quaternion, rotate as rotateVector } from '../math/quaternion.js';
import { add, cross, dot, norm, normalize, type Vec3 } from '../math/vec3.js';
import { stretchFigure } from './figure-transform.js';
import type { Profile } from './profile.js';
import type { Form, Pose } from './solid.js';

/** Rows of a 3×4 matrix: p ↦ (row₁, row₂, row₃) with rowᵢ = aᵢ₁ x + aᵢ₂ y + aᵢ₃ z + aᵢ₄; the last column in m. */
export type Affine = readonly [
  readonly [number, number, number, number],
  readonly [number, number, number, number],
  readonly [number, number, number, number],
];

const MESH_ONLY = { kind: 'mesh' } as const;

/** Form and pose of the image: A R = R′ S with R′ a rotation and S a stretch along the form's own axes, if there is one. */
export function mapForm(form: Form, { position, orientation }: Pose, affine: Affine): { form: Form; pose: Pose } {
  const columns = ([0, 1, 2] as const).map((k) => {
    const axis: Vec3 = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
    return applyLinear(affine, rotateVector(orientation, axis));
  });
  let stretch: Vec3 = [norm(columns[0]), norm(columns[1]), norm(columns[2])];
  const sheared = (i: 0 | 1 | 2, j: 0 | 1 | 2) =>
    Math.abs(dot(columns[i], columns[j])) > 1e-12 * stretch[i] * stretch[j];
  const image: Vec3 = apply(affine, position);
  if (form.kind === 'halfSpace') {
    // Any affine map leaves it one: its plane is spanned by the images of x and y
    const normal = normalize(cross(columns[0], columns[1]));
    const side = dot(normal, columns[2]) < 0 ? -1 : 1;
    const up: Vec3 = [0 + side * normal[0], 0 + side * normal[1], 0 + side * normal[2]];
    const along = normalize(columns[0]);
    return { form, pose: { position: image, orientation: quaternionOf(along, cross(up, along), up) } };
  }
  if (form.kind === 'mesh' || sheared(0, 1) || sheared(1, 2) || sheared(2, 0))
    return { form: MESH_ONLY, pose: { position: image, orientation } };
  const same = (p: number, q: number) => Math.abs(p - q) <= 1e-12 * Math.max(p, q);
  // A diagonal matrix is its own stretch: take it exactly rather than through norms of turned axes
  const diagonal = ([0, 1, 2] as const).map((k) => Math.abs(affine[k][k]));
  const isDiagonal = affine.every((row, i) => [0, 1, 2].every((j) => i === j || row[j] === 0));
  if (isDiagonal && diagonal[0] === diagonal[1] && diagonal[1] === diagonal[2])
    stretch = [diagonal[0], diagonal[0], diagonal[0]];
  // R′ = A R S⁻¹; if that mirrors, its first axis is turned round and the form mirrored in x instead
  const [x, y, z] = columns.map(normalize);
  const mirrors = dot(x, cross(y, z)) < 0;
  const first: Vec3 = mirrors ? [0 - x[0], 0 - x[1], 0 - x[2]] : x;
  const stretched = stretchForm(form, stretch, mirrors, same);
  return { form: stretched, pose: { position: image, orientation: quaternionOf(first, y, z) } };
}

/** Form stretched along its own axes, and mirrored in its own x if asked. */
function stretchForm(form: Form, [x, y, z]: Vec3, mirrors: boolean, same: (p: number, q: number) => boolean): Form {
  switch (form.kind) {
    case 'sphere':
      return same(x, y) && same(y, z)
        ? { kind: 'sphere', radius: form.radius * x }
        : { kind: 'ellipsoid', radii: [form.radius * x, form.radius * y, form.radius * z] };
    case 'ellipsoid':
      return { kind: 'ellipsoid', radii: [form.radii[0] * x, form.radii[1] * y, form.radii[2] * z] };
    case 'box':
      return { kind: 'box', size: [form.size[0] * x, form.size[1] * y, form.size[2] * z] };
    case 'cylinder':
      return same(x, y) ? { kind: 'cylinder', radius: form.radius * x, height: form.height * z } : MESH_ONLY;
    case 'capsule':
      return same(x, y) && same(y, z)
        ? { kind: 'capsule', radius: form.radius * x, height: form.height * z }
        : MESH_ONLY;
    case 'frustum':
      return same(x, y)
        ? {
            kind: 'frustum',
            bottomRadius: form.bottomRadius * x,
            topRadius: form.topRadius * x,
            height: form.height * z,
          }
        : MESH_ONLY;
    case 'extrusion':
      return {
        ...form,
        profile: stretchFigure(form.profile, mirrors ? -x : x, y) as Profile,
        height: form.height * z,
      };
    case 'halfSpace':
    case 'mesh':
      return form;
  }
}

const applyLinear = (a: Affine, v: Vec3): Vec3 => [
  a[0][0] * v[0] + a[0][1] * v[1] + a[0][2] * v[2],
  a[1][0] * v[0] + a[1][1] * v[1] + a[1][2] * v[2],
  a[2][0] * v[0] + a[2][1] * v[1] + a[2][2] * v[2],
];
export const apply = (a: Affine, v: Vec3): Vec3 => add(applyLinear(a, v), [a[0][3], a[1][3], a[2][3]]);

export const unit = (q: Quaternion): Quaternion => {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
};

/** Quaternion of the rotation with these columns; Shepperd's choice of the largest component avoids cancellation. */
function quaternionOf(x: Vec3, y: Vec3, z: Vec3): Quaternion {
  const squares = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]];
  const largest = squares.indexOf(Math.max(...squares));
  const [xy, yz, zx] = [x[1] + y[0], y[2] + z[1], z[0] + x[2]];
  const [wx, wy, wz] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
  const rows: readonly Quaternion[] = [
    [squares[0], wx, wy, wz],
    [wx, squares[1], xy, zx],
    [wy, xy, squares[2], yz],
    [wz, zx, yz, squares[3]],
  ];
  return unit(rows[largest]);
}
