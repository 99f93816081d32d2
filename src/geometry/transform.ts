/**
 * Moving, turning, scaling and mirroring of solids, meshes, outlines and profiles. Nothing is changed in place.
 *
 * A solid keeps its exact form where the image has one: always under rigid motions, mirroring and uniform scaling; under
 * uneven scaling if the form's own axes are stretched without shear and the stretches suit it (a box by any, a cylinder
 * if both radii stay equal, an extrusion by any, a sphere only evenly). Otherwise the image is known by its mesh alone.
 * Arcs of outlines stay arcs; an uneven scaling makes ellipses of them, which arcs are fitted to within 1e-5 of half the size.
 */
import { ModelError } from '../errors.js';
import { multiply, type Quaternion, rotate as rotateVector } from '../math/quaternion.js';
import { add, norm, type Vec2, type Vec3, ZERO } from '../math/vec3.js';
import { cosSin } from './circle.js';
import { type Figure, mapFigure, mapWinding, stretchFigure } from './figure-transform.js';
import { type Affine, apply, mapForm, unit } from './form-transform.js';

export type { Affine };

import type { Outline, Polygon, PolygonProfile, Profile } from './profile.js';
import { type Move, movedBy } from './recipe.js';
import { requireFinite } from './require.js';
import type { Solid } from './solid.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A turn about z by an angle in rad, about any axis through the origin, or by a quaternion [w, x, y, z]. */
export type Rotation = number | { readonly axis: Vec3; readonly angle: number } | Quaternion;

/**
 * Moves a thing by a vector in m.
 *
 * @example translate([0, 0, 5e-3], cylinder({ radius: 1e-3, height: 4e-3 }))
 */
export function translate(vector: Vec3, thing: Solid): Solid;
export function translate(vector: Vec3, thing: TriangleMesh): TriangleMesh;
export function translate(vector: Vec2, thing: PolygonProfile): PolygonProfile;
export function translate(vector: Vec2, thing: Profile): Profile;
export function translate(vector: Vec2, thing: Polygon): Polygon;
export function translate(vector: Vec2, thing: Outline): Outline;
export function translate(vector: readonly number[], thing: Thing): Thing {
  requireNumbers('translate.vector', vector, isFigure(thing) ? 2 : 3, 'm');
  const [x, y, z = 0] = vector;
  if (isFigure(thing)) return mapFigure(thing, ([u, v]) => [u + x, v + y]);
  if (!('mesh' in thing)) return moved(thing, x, y, z);
  const { position, orientation } = thing.pose;
  const pose = { position: add(position, [x, y, z]), orientation };
  return movedBy({ translate: vector }, thing, { ...thing, mesh: moved(thing.mesh, x, y, z), pose });
}

/**
 * Turns a thing about an axis through the origin, or through `centre` (m). Quarter turns by a number are exact.
 *
 * @param rotation angle about z in rad, counter-clockwise seen from +z; or { axis, angle }; or a quaternion [w, x, y, z]
 * @example rotate(Math.PI / 6, tooth)
 * @example rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, pin, [0, 0, 5e-3])
 */
export function rotate(rotation: Rotation, thing: Solid, centre?: Vec3): Solid;
export function rotate(rotation: Rotation, thing: TriangleMesh, centre?: Vec3): TriangleMesh;
export function rotate(angle: number, thing: PolygonProfile, centre?: Vec2): PolygonProfile;
export function rotate(angle: number, thing: Profile, centre?: Vec2): Profile;
export function rotate(angle: number, thing: Polygon, centre?: Vec2): Polygon;
export function rotate(angle: number, thing: Outline, centre?: Vec2): Outline;
export function rotate(rotation: Rotation, thing: Thing, centre?: readonly number[]): Thing {
  if (centre) requireNumbers('rotate.centre', centre, isFigure(thing) ? 2 : 3, 'm');
  if (isFigure(thing)) {
    if (typeof rotation !== 'number')
      throw new ModelError(
        'rotate.angle',
        `expected an angle in rad for a plane figure, got ${JSON.stringify(rotation)}`,
      );
    const [c, s] = cosSin(requireFinite('rotate.angle', rotation, 'rad'));
    const [x0, y0] = centre ?? ZERO;
    return mapFigure(thing, ([x, y]) => [x0 + (c * (x - x0) - s * (y - y0)), y0 + (s * (x - x0) + c * (y - y0))]);
  }
  const about = (centre ?? ZERO) as Vec3;
  const { matrix, quaternion } = rotationOf(rotation);
  if (!('mesh' in thing)) return mapMesh(thing, matrix, about, false);
  const { position, orientation } = thing.pose;
  const offset: Vec3 = [position[0] - about[0], position[1] - about[1], position[2] - about[2]];
  return movedBy({ rotate: rotation, ...(centre && { centre }) }, thing, {
    ...thing,
    mesh: mapMesh(thing.mesh, matrix, about, false),
    pose: { position: add(about, apply(matrix, offset)), orientation: unit(multiply(quaternion, orientation)) },
  });
}

/**
 * Scales a thing about the origin by one factor, or by one per axis. A negative factor mirrors.
 *
 * @example scale(1e-3, partDrawnInMillimetres)
 */
export function scale(factor: number | Vec3, thing: Solid): Solid;
export function scale(factor: number | Vec3, thing: TriangleMesh): TriangleMesh;
export function scale(factor: number | Vec2, thing: PolygonProfile): PolygonProfile;
export function scale(factor: number | Vec2, thing: Profile): Profile;
export function scale(factor: number | Vec2, thing: Polygon): Polygon;
export function scale(factor: number | Vec2, thing: Outline): Outline;
export function scale(factor: number | readonly number[], thing: Thing): Thing {
  const flat = isFigure(thing);
  const factors = typeof factor === 'number' ? Array(flat ? 2 : 3).fill(factor) : factor;
  requireNumbers('scale.factor', factors, flat ? 2 : 3, '1');
  if (factors.some((f) => f === 0))
    throw new ModelError('scale.factor', `expected factors other than 0, got ${JSON.stringify(factor)}`);
  const [x, y, z] = factors;
  if (flat) return stretchFigure(thing, x, y);
  return mapped(
    thing,
    [
      [x, 0, 0, 0],
      [0, y, 0, 0],
      [0, 0, z, 0],
    ],
    { scale: factor },
  );
}

/**
 * Mirrors a thing in the plane (for figures: line) through the origin with this normal. Outside stays outside.
 *
 * @param normal 'x' turns x into −x, and so on; or any vector, its length does not matter
 * @example mirror('x', leftHand)
 */
export function mirror(normal: Vec3 | 'x' | 'y' | 'z', thing: Solid): Solid;
export function mirror(normal: Vec3 | 'x' | 'y' | 'z', thing: TriangleMesh): TriangleMesh;
export function mirror(normal: Vec2 | 'x' | 'y', thing: PolygonProfile): PolygonProfile;
export function mirror(normal: Vec2 | 'x' | 'y', thing: Profile): Profile;
export function mirror(normal: Vec2 | 'x' | 'y', thing: Polygon): Polygon;
export function mirror(normal: Vec2 | 'x' | 'y', thing: Outline): Outline;
export function mirror(normal: readonly number[] | 'x' | 'y' | 'z', thing: Thing): Thing {
  const flat = isFigure(thing);
  const known = flat ? 'xy' : 'xyz';
  if (typeof normal === 'string' && !(normal.length === 1 && known.includes(normal)))
    throw new ModelError('mirror.normal', `expected one of ${[...known].join(', ')} or a vector, got "${normal}"`);
  const n = typeof normal === 'string' ? [...known].map((axis) => (axis === normal ? 1 : 0)) : normal;
  requireNumbers('mirror.normal', n, flat ? 2 : 3, '1');
  const [x, y, z = 0] = n;
  const length = norm([x, y, z]);
  if (!(length > 0)) throw new ModelError('mirror.normal', 'expected a vector longer than 0, got the zero vector');
  // Householder: I − 2 n nᵀ. Dividing before multiplying keeps ±1 exact along the axes and tiny normals from underflow.
  const u: Vec3 = [x / length, y / length, z / length];
  const h = (i: number, j: number): number => (i === j ? 1 : 0) - 2 * u[i] * u[j];
  if (flat)
    return mapWinding(thing, true, ([a, b]) => [0 + (h(0, 0) * a + h(0, 1) * b), 0 + (h(1, 0) * a + h(1, 1) * b)]);
  return mapped(
    thing,
    [
      [h(0, 0), h(0, 1), h(0, 2), 0],
      [h(1, 0), h(1, 1), h(1, 2), 0],
      [h(2, 0), h(2, 1), h(2, 2), 0],
    ],
    { mirror: normal },
  );
}

/**
 * Applies any affine map p ↦ A p + t with det A ≠ 0; a mirroring one turns the triangles, so that outside stays outside.
 *
 * @example transform([[1, 0.2, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5e-3]], part) // sheared along x, lifted by 5 mm
 */
export function transform(affine: Affine, thing: Solid): Solid;
export function transform(affine: Affine, thing: TriangleMesh): TriangleMesh;
export function transform(affine: Affine, thing: Solid | TriangleMesh): Solid | TriangleMesh {
  if (affine.length !== 3) throw new ModelError('transform.affine', `expected 3 rows, got ${affine.length}`);
  for (let i = 0; i < 3; i++) requireNumbers(`transform.affine[${i}]`, affine[i], 4, '1 (last one m)');
  return mapped(thing, affine, { transform: affine });
}

type Thing = Solid | TriangleMesh | Figure;
const isFigure = (thing: Thing): thing is Figure => Array.isArray(thing) || 'outer' in thing;

function requireNumbers(path: string, values: readonly number[], count: number, unit: string): void {
  if (values.length !== count)
    throw new ModelError(path, `expected ${count} numbers, got ${values.length}: ${JSON.stringify(values)}`);
  for (let i = 0; i < count; i++) requireFinite(`${path}[${i}]`, values[i], unit);
}

function moved({ vertices, triangles }: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
  const image = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    image[i] = vertices[i] + x;
    image[i + 1] = vertices[i + 1] + y;
    image[i + 2] = vertices[i + 2] + z;
  }
  return { vertices: image, triangles };
}

/** c + A (p − c) + t for every vertex; `flip` turns every triangle round. */
function mapMesh({ vertices, triangles }: TriangleMesh, a: Affine, centre: Vec3, flip: boolean): TriangleMesh {
  const [[a00, a01, a02, tx], [a10, a11, a12, ty], [a20, a21, a22, tz]] = a;
  const [cx, cy, cz] = centre;
  const [ox, oy, oz] = [tx + cx, ty + cy, tz + cz];
  const image = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    const x = vertices[i] - cx;
    const y = vertices[i + 1] - cy;
    const z = vertices[i + 2] - cz;
    image[i] = a00 * x + a01 * y + a02 * z + ox;
    image[i + 1] = a10 * x + a11 * y + a12 * z + oy;
    image[i + 2] = a20 * x + a21 * y + a22 * z + oz;
  }
  if (!flip) return { vertices: image, triangles };
  const turnedTriangles = triangles.slice();
  for (let i = 0; i < triangles.length; i += 3) {
    turnedTriangles[i + 1] = triangles[i + 2];
    turnedTriangles[i + 2] = triangles[i + 1];
  }
  return { vertices: image, triangles: turnedTriangles };
}

function mapped(thing: Solid | TriangleMesh, affine: Affine, by: Move): Solid | TriangleMesh {
  const [[a, b, c], [d, e, f], [g, h, i]] = affine;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  // Relative to the lengths of the rows, so that a scaling by 1e-6 is as good as one by 1
  const scaleOfRows = norm([a, b, c]) * norm([d, e, f]) * norm([g, h, i]);
  if (!(Math.abs(determinant) > 1e-12 * scaleOfRows))
    throw new ModelError(
      'transform.affine',
      `expected a determinant other than 0, got ${determinant}; the image would be flat`,
    );
  const mirrors = determinant < 0;
  if (!('mesh' in thing)) return mapMesh(thing, affine, ZERO, mirrors);
  const { tetrahedra: _lost, prisms: _gone, ...kept } = thing;
  const mesh = mapMesh(thing.mesh, affine, ZERO, mirrors);
  return movedBy(by, thing, { ...kept, mesh, ...mapForm(thing.form, thing.pose, affine) });
}

/** Matrix and quaternion of a rotation as the user wrote it. */
function rotationOf(rotation: Rotation): { matrix: Affine; quaternion: Quaternion } {
  if (typeof rotation !== 'number' && 'length' in rotation) {
    requireNumbers('rotate.quaternion', rotation, 4, '1');
    const length = Math.sqrt(rotation.reduce((sum, x) => sum + x * x, 0));
    if (!(length > 0.9 && length < 1.1))
      throw new ModelError('rotate.quaternion', `expected a unit quaternion [w, x, y, z], got one of length ${length}`);
    return rotationOfQuaternion(unit(rotation));
  }
  const { axis, angle } = typeof rotation === 'number' ? { axis: [0, 0, 1] as Vec3, angle: rotation } : rotation;
  requireFinite('rotate.angle', angle, 'rad');
  requireNumbers('rotate.axis', axis, 3, '1');
  const length = norm(axis);
  if (!(length > 0)) throw new ModelError('rotate.axis', 'expected a vector longer than 0, got the zero vector');
  const [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
  const [c, s] = cosSin(angle);
  const [halfC, halfS] = cosSin(angle / 2);
  const t = 1 - c;
  // Rodrigues: cos φ I + sin φ [u]ₓ + (1 − cos φ) u uᵀ
  const matrix: Affine = [
    [c + t * x * x, t * x * y - s * z, t * x * z + s * y, 0],
    [t * x * y + s * z, c + t * y * y, t * y * z - s * x, 0],
    [t * x * z - s * y, t * y * z + s * x, c + t * z * z, 0],
  ];
  return { matrix, quaternion: [halfC, halfS * x, halfS * y, halfS * z] };
}

function rotationOfQuaternion(q: Quaternion): { matrix: Affine; quaternion: Quaternion } {
  const [x, y, z] = [rotateVector(q, [1, 0, 0]), rotateVector(q, [0, 1, 0]), rotateVector(q, [0, 0, 1])];
  return {
    matrix: [
      [x[0], y[0], z[0], 0],
      [x[1], y[1], z[1], 0],
      [x[2], y[2], z[2], 0],
    ],
    quaternion: q,
  };
}
