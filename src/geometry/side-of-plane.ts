/**
 * On which side of a plane a point lies, with the exact sign: −, 0 or + as real arithmetic on the given doubles would
 * find it. A floating-point filter answers nearly always; only near zero the expansion arithmetic of Shewchuk (1997),
 * doi 10.1007/PL00009321, is asked. Exact as long as no product of three coordinate differences under- or overflows,
 * that is for lengths from about 1e-90 m to 1e90 m.
 *
 * Vertices are given as the array of coordinates and the place of x in it, 3 × the vertex index.
 */
import { orient2d, orient3d } from 'robust-predicates';

/**
 * > 0 if p lies in front of the plane through a, b, c, where they run counter-clockwise; 0 if in it. The value is about
 * six times the volume of the tetrahedron.
 */
export const sideOfPlane = (v: Float64Array, a: number, b: number, c: number, p: number): number =>
  sideOfPoint(v, a, b, c, v[p], v[p + 1], v[p + 2]);

/** `sideOfPlane` of a point that is not a vertex. */
export const sideOfPoint = (
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
): number => 0 - orient3d(v[a], v[a + 1], v[a + 2], v[b], v[b + 1], v[b + 2], v[c], v[c + 1], v[c + 2], x, y, z);

/**
 * > 0 if the three vertices run counter-clockwise looked at against the axis, 0 if they are seen on one line.
 * Axis 0 shows the yz plane, 1 the zx plane, 2 the xy plane.
 */
export function turnAlong(v: Float64Array, axis: number, a: number, b: number, c: number): number {
  const i = axis === 2 ? 0 : axis + 1;
  const j = axis === 0 ? 2 : axis - 1;
  return 0 - orient2d(v[a + i], v[a + j], v[b + i], v[b + j], v[c + i], v[c + j]);
}

/** An axis along which the three vertices are not seen on one line, or −1 if they lie on one line in space. */
export function axisShowing(v: Float64Array, a: number, b: number, c: number): number {
  for (let axis = 2; axis >= 0; axis--) if (turnAlong(v, axis, a, b, c) !== 0) return axis;
  return -1;
}
