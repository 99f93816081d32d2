/**
 * Solids one names by a few lengths: closed meshes, counter-clockwise seen from outside, centred on the origin, axis z.
 * Round ones carry their exact `form` beside the mesh; their polygons have all corners on the true circle.
 */
import { ModelError } from '../errors.js';
import type { Vec2, Vec3 } from '../math/vec3.js';
import { circlePoint } from './circle.js';
import { circle } from './circle-outline.js';
import { addAnnulus, addBand, addDisc, addRing, type Growing } from './disc-mesh.js';
import { reversed } from './outline.js';
import type { Outline, Polygon } from './profile.js';
import { madeBy } from './recipe.js';
import { requireCount, requireLength, requireLengthOrZero, requireSize } from './require.js';
import { type Form, ORIGIN, type Pose, type Solid } from './solid.js';

export { capsule, ellipsoid, sphere } from './sphere.js';

/** Corners of a circle unless the caller says otherwise: the polygon's area is 0.16 % short of the circle's. */
const SEGMENTS = 64;
const HALF_SQRT = Math.sqrt(0.5);

/**
 * Box centred on the origin.
 *
 * @param size edge lengths along x, y, z, or one number for a cube, m
 * @example box([20e-3, 10e-3, 2e-3])
 */
export function box(size: Vec3 | number, ...more: never[]): Solid {
  // box(1, 2, 3) would be a cube of 1 m, and a model file is run without its types
  if (more.length > 0)
    throw new ModelError('box.size', `expected one list of edge lengths in m, box([${[size, ...more].join(', ')}])`);
  const edges: Vec3 = typeof size === 'number' ? [size, size, size] : requireSize('box', size);
  for (let k = 0; k < 3; k++) requireLength(typeof size === 'number' ? 'box.size' : `box.size.${'xyz'[k]}`, edges[k]);
  const [x, y, z] = [edges[0] / 2, edges[1] / 2, edges[2] / 2];
  const base: Outline = [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
  return madeBy('box', { size }, prismSolid(base, -z, z, { kind: 'box', size: edges }, ORIGIN));
}

/**
 * Box with a slanted +x side: at the bottom it is `size[0]` long, at the top `top`, flush at −x.
 *
 * @param size edge lengths of the box around it along x, y, z, m
 * @param top  length along x of the top face, 0 ≤ top; 0 (the default) leaves an edge, so that the wedge is a ramp
 * @example wedge({ size: [30e-3, 10e-3, 5e-3] })
 */
export function wedge(lengths: { size: Vec3; top?: number }): Solid {
  const { size, top = 0 } = requireSize('wedge', lengths);
  for (let k = 0; k < 3; k++) requireLength(`wedge.size.${'xyz'[k]}`, size?.[k]);
  requireLengthOrZero('wedge.top', top);
  const [x, y, z] = [size[0] / 2, size[1] / 2, size[2] / 2];
  const outer: Outline = [[-x, -z], [x, -z], ...(top > 0 ? [[top - x, z] as Vec2] : []), [-x, z]];
  const form: Form = { kind: 'extrusion', profile: { outer, holes: [] }, height: size[1] };
  // A quarter turn about x takes the drawing plane (x, y) to (x, z) and the extrusion's +z to −y
  const pose: Pose = { position: [0, y, 0], orientation: [HALF_SQRT, HALF_SQRT, 0, 0] };
  const flat = prismSolid(outer, -y, y, form, pose);
  const vertices = new Float64Array(flat.mesh.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    vertices[i] = flat.mesh.vertices[i];
    vertices[i + 1] = 0 - flat.mesh.vertices[i + 2];
    vertices[i + 2] = flat.mesh.vertices[i + 1];
  }
  return madeBy('wedge', { size, top }, { ...flat, mesh: { vertices, triangles: flat.mesh.triangles } });
}

/**
 * Prism on a regular polygon, a corner on +x.
 *
 * @param radius of the circle through the corners, m
 * @example regularPrism({ sides: 6, radius: 5e-3, height: 4e-3 }) // a nut without its hole
 */
export function regularPrism(lengths: { sides: number; radius: number; height: number }): Solid {
  const { sides, radius, height } = requireSize('regularPrism', lengths);
  requireCount('regularPrism.sides', sides, 3);
  requireLength('regularPrism.radius', radius);
  requireLength('regularPrism.height', height);
  const into: Growing = { vertices: [], triangles: [] };
  addCylinder(into, sides, radius, radius, height);
  const outer = circleOutline(sides, radius);
  const form: Form = { kind: 'extrusion', profile: { outer, holes: [] }, height };
  return madeBy('prism', { sides, radius, height }, finish(into, form, below(height)));
}

/**
 * Cylinder along z, centred on the origin.
 *
 * @param segments corners of its polygon, at least 3
 * @example cylinder({ radius: 2e-3, height: 10e-3 })
 */
export function cylinder(lengths: CylinderSize): Solid {
  const { radius, height, segments = SEGMENTS } = requireSize('cylinder', lengths);
  requireLength('cylinder.radius', radius);
  requireLength('cylinder.height', height);
  requireCount('cylinder.segments', segments, 3);
  const into: Growing = { vertices: [], triangles: [] };
  addCylinder(into, segments, radius, radius, height);
  return madeBy('cylinder', { radius, height, segments }, finish(into, { kind: 'cylinder', radius, height }));
}

/** A flat cylinder: the same thing by the name one uses for wheels and washers. */
export const disc: (size: CylinderSize) => Solid = cylinder;

export interface CylinderSize {
  /** m */
  readonly radius: number;
  /** m */
  readonly height: number;
  /** corners of the polygon that stands for the circle */
  readonly segments?: number;
}

/**
 * Cylinder with a round hole along its axis.
 *
 * @example tube({ outerRadius: 5e-3, innerRadius: 4e-3, height: 20e-3 })
 */
export function tube(lengths: TubeSize): Solid {
  const { outerRadius, innerRadius, height, segments = SEGMENTS } = requireSize('tube', lengths);
  requireLength('tube.outerRadius', outerRadius);
  requireLength('tube.innerRadius', innerRadius);
  requireLength('tube.height', height);
  requireCount('tube.segments', segments, 3);
  if (!(innerRadius < outerRadius))
    throw new ModelError(
      'tube.innerRadius',
      `expected less than outerRadius = ${outerRadius} m, got ${innerRadius}; the wall needs a thickness`,
    );
  const into: Growing = { vertices: [], triangles: [] };
  const z = height / 2;
  const outerBottom = addRing(into, segments, outerRadius, -z);
  const outerTop = addRing(into, segments, outerRadius, z);
  const innerBottom = addRing(into, segments, innerRadius, -z);
  const innerTop = addRing(into, segments, innerRadius, z);
  addBand(into, segments, outerBottom, outerTop);
  addBand(into, segments, innerTop, innerBottom);
  addAnnulus(into, segments, outerTop, outerRadius, innerTop, innerRadius, z, true);
  addAnnulus(into, segments, outerBottom, outerRadius, innerBottom, innerRadius, -z, false);
  const profile = { outer: circle(outerRadius), holes: [reversed(circle(innerRadius))] };
  const form: Form = { kind: 'extrusion', profile, height, ...(segments !== SEGMENTS && { segments }) };
  return madeBy('tube', { outerRadius, innerRadius, height, segments }, finish(into, form, below(height)));
}

export interface TubeSize {
  /** m */
  readonly outerRadius: number;
  /** m */
  readonly innerRadius: number;
  /** m */
  readonly height: number;
  readonly segments?: number;
}

/**
 * Cone along z, its base at −height/2, its tip at height/2.
 *
 * @example cone({ radius: 5e-3, height: 10e-3 })
 */
export function cone(lengths: CylinderSize): Solid {
  const { radius, height, segments = SEGMENTS } = requireSize('cone', lengths);
  requireLength('cone.radius', radius);
  requireLength('cone.height', height);
  requireCount('cone.segments', segments, 3);
  const into: Growing = { vertices: [], triangles: [] };
  addCylinder(into, segments, radius, 0, height);
  const form: Form = { kind: 'frustum', bottomRadius: radius, topRadius: 0, height };
  return madeBy('cone', { radius, height, segments }, finish(into, form));
}

/**
 * Cone with its tip cut off: round ends of different radii. One of them may be 0.
 *
 * @example frustum({ bottomRadius: 5e-3, topRadius: 3e-3, height: 10e-3 })
 */
export function frustum(lengths: FrustumSize): Solid {
  const { bottomRadius, topRadius, height, segments = SEGMENTS } = requireSize('frustum', lengths);
  requireLengthOrZero('frustum.bottomRadius', bottomRadius);
  requireLengthOrZero('frustum.topRadius', topRadius);
  requireLength('frustum.height', height);
  requireCount('frustum.segments', segments, 3);
  if (!(bottomRadius + topRadius > 0))
    throw new ModelError('frustum', 'expected bottomRadius or topRadius > 0 m, got 0 for both');
  const into: Growing = { vertices: [], triangles: [] };
  addCylinder(into, segments, bottomRadius, topRadius, height);
  const form: Form = { kind: 'frustum', bottomRadius, topRadius, height };
  return madeBy('frustum', { bottomRadius, topRadius, height, segments }, finish(into, form));
}

export interface FrustumSize {
  /** m, at z = −height/2 */
  readonly bottomRadius: number;
  /** m, at z = height/2 */
  readonly topRadius: number;
  /** m */
  readonly height: number;
  readonly segments?: number;
}

/**
 * Ring of round cross-section about z, centred on the origin.
 *
 * @param majorRadius   from the axis to the middle of the cross-section, m
 * @param minorRadius   of the cross-section, m, less than majorRadius
 * @param segments      corners around the axis
 * @param minorSegments corners of the cross-section; by default such that the triangles are about as high as wide
 * @example torus({ majorRadius: 10e-3, minorRadius: 1.5e-3 }) // an O-ring
 */
export function torus(lengths: TorusSize): Solid {
  const { majorRadius, minorRadius, segments = SEGMENTS, minorSegments } = requireSize('torus', lengths);
  requireLength('torus.majorRadius', majorRadius);
  requireLength('torus.minorRadius', minorRadius);
  requireCount('torus.segments', segments, 3);
  if (!(minorRadius < majorRadius))
    throw new ModelError(
      'torus.minorRadius',
      `expected less than majorRadius = ${majorRadius} m, got ${minorRadius}; the ring would run through itself`,
    );
  const sides = minorSegments ?? Math.max(8, 4 * Math.round((segments * minorRadius) / (4 * majorRadius)));
  requireCount('torus.minorSegments', sides, 3);
  const into: Growing = { vertices: [], triangles: [] };
  const rings: number[] = [];
  for (let j = 0; j < sides; j++) {
    const [c, s] = circlePoint(j, sides);
    rings.push(addRing(into, segments, majorRadius + minorRadius * c, minorRadius * s));
  }
  for (let j = 0; j < sides; j++) addBand(into, segments, rings[j], rings[(j + 1) % sides]);
  const size = { majorRadius, minorRadius, segments, minorSegments: sides };
  return madeBy('torus', size, finish(into, { kind: 'mesh' }));
}

export interface TorusSize {
  /** m */
  readonly majorRadius: number;
  /** m */
  readonly minorRadius: number;
  readonly segments?: number;
  readonly minorSegments?: number;
}

/** Corners of a circle about the origin, counter-clockwise from +x. */
export const circleOutline = (segments: number, radius: number): Polygon =>
  Array.from({ length: segments }, (_, i): Vec2 => {
    const [c, s] = circlePoint(i, segments);
    return [radius * c, radius * s];
  });

/** Pose of an extrusion that starts at z = −height/2 instead of 0. */
const below = (height: number): Pose => ({ position: [0, 0, -height / 2], orientation: ORIGIN.orientation });

const finish = ({ vertices, triangles }: Growing, form: Form, pose: Pose = ORIGIN): Solid => ({
  mesh: { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) },
  form,
  pose,
});

/** Walls and ends of a cylinder, frustum or cone from −height/2 to height/2; one radius may be 0. */
function addCylinder(into: Growing, corners: number, bottomRadius: number, topRadius: number, height: number): void {
  const z = height / 2;
  const end = (radius: number, at: number): number => {
    if (radius > 0) return addRing(into, corners, radius, at);
    into.vertices.push(0, 0, at);
    return into.vertices.length / 3 - 1;
  };
  const bottom = end(bottomRadius, -z);
  const top = end(topRadius, z);
  if (bottomRadius > 0 && topRadius > 0) addBand(into, corners, bottom, top);
  else
    for (let i = 0; i < corners; i++) {
      const j = (i + 1) % corners;
      if (bottomRadius > 0) into.triangles.push(bottom + i, bottom + j, top);
      else into.triangles.push(top + j, top + i, bottom);
    }
  if (bottomRadius > 0) addDisc(into, corners, bottom, bottomRadius, -z, false);
  if (topRadius > 0) addDisc(into, corners, top, topRadius, z, true);
}

/** Prism on a triangle or a convex quadrilateral, its ends cut along one diagonal. */
function prismSolid(outline: Outline, bottom: number, top: number, form: Form, pose: Pose): Solid {
  const n = outline.length;
  const into: Growing = { vertices: [], triangles: [] };
  for (const z of [bottom, top]) for (const [x, y] of outline) into.vertices.push(x, y, z);
  addBand(into, n, 0, n);
  for (let i = 2; i < n; i++) into.triangles.push(0, i, i - 1, n, n + i - 1, n + i);
  return finish(into, form, pose);
}
