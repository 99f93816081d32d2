/**
 * Convex solids as contact by deepest points sees them: a core, given by its farthest points, rounded off by a ball.
 *
 *   sphere            a point, rounded off by its radius
 *   capsule           a segment, rounded off
 *   box, hull, convex mesh or extrusion    a polyhedron with its faces and edges
 *   cylinder, cone, frustum                two discs: curved, with two flat caps
 *   half-space        one face without an end
 */
import type { Form, Solid } from '../../geometry/solid.js';
import { fromQuaternion } from '../../math/mat3.js';
import { CornerSupport, type Support } from '../distance/index.js';
import { Polyhedron } from './polyhedron.js';

export interface ConvexShape {
  readonly kind: Form['kind'];
  readonly support: Support;
  /** of the ball that rounds the core off, m */
  readonly radius: number;
  /** points, edges and faces of the core; no faces for a point or a segment; undefined for discs */
  readonly polyhedron?: Polyhedron;
  readonly discs?: Discs;
  /** bound on the distance of the solid's points from the origin of its frame, m */
  readonly size: number;
}

/** Two discs across the z axis at −half and half and all between them: x² + y² ≤ (middle + slope z)². */
export class Discs implements Support {
  /** m: half of the height, radius halfway up */
  readonly middle: number;
  /** change of the radius with z */
  readonly slope: number;

  constructor(
    readonly bottom: number,
    readonly top: number,
    readonly half: number,
  ) {
    this.middle = 0.5 * (bottom + top);
    this.slope = (top - bottom) / (2 * half);
  }

  /** The farthest point of the two circles; on a generator the lower one, so that the answer is one. */
  support(dx: number, dy: number, dz: number, out: Float64Array, at: number): number {
    const across = Math.sqrt(dx * dx + dy * dy);
    const upper = dz * this.half + across * this.top > across * this.bottom - dz * this.half;
    const radius = upper ? this.top : this.bottom;
    const scale = across > 0 ? radius / across : 0;
    out[at] = across > 0 ? dx * scale : radius;
    out[at + 1] = dy * scale;
    out[at + 2] = upper ? this.half : -this.half;
    return -1;
  }
}

/** The solid for contact by deepest points, undefined if it is not convex or has no inside. Half-spaces are not among them. */
export function convexShape(solid: Solid): ConvexShape | undefined {
  const { form } = solid;
  switch (form.kind) {
    case 'sphere':
      return ofPoints(form.kind, Float64Array.of(0, 0, 0), form.radius);
    case 'capsule':
      return ofPoints(form.kind, Float64Array.of(0, 0, -form.height / 2, 0, 0, form.height / 2), form.radius);
    case 'cylinder':
      return ofDiscs(form.kind, new Discs(form.radius, form.radius, form.height / 2));
    case 'frustum':
      return ofDiscs(form.kind, new Discs(form.bottomRadius, form.topRadius, form.height / 2));
    case 'halfSpace':
      return undefined;
    default: {
      const polyhedron = Polyhedron.fromMesh({ vertices: inFormFrame(solid), triangles: solid.mesh.triangles });
      return polyhedron && ofPolyhedron(form.kind, polyhedron);
    }
  }
}

function ofPoints(kind: Form['kind'], points: Float64Array, radius: number): ConvexShape {
  const core = ofPolyhedron(kind, new Polyhedron(points, [], points.length > 3 ? [[0, 1]] : []));
  return { ...core, radius, size: core.size + radius };
}

function ofPolyhedron(kind: Form['kind'], polyhedron: Polyhedron): ConvexShape {
  const { corners } = polyhedron;
  let size = 0;
  for (let p = 0; p < corners.length; p += 3)
    size = Math.max(size, Math.abs(corners[p]) + Math.abs(corners[p + 1]) + Math.abs(corners[p + 2]));
  return { kind, support: new CornerSupport(corners), radius: 0, polyhedron, size };
}

const ofDiscs = (kind: Form['kind'], discs: Discs): ConvexShape => ({
  kind,
  support: discs,
  radius: 0,
  discs,
  size: Math.max(discs.bottom, discs.top) + discs.half,
});

/** Vertices of the mesh in the frame of the form; for a mesh without a form that is the solid's. */
function inFormFrame({ mesh, form, pose }: Solid): Float64Array {
  if (form.kind === 'mesh') return mesh.vertices;
  const r = fromQuaternion(pose.orientation);
  const out = new Float64Array(mesh.vertices.length);
  for (let i = 0; i < out.length; i += 3) {
    const x = mesh.vertices[i] - pose.position[0];
    const y = mesh.vertices[i + 1] - pose.position[1];
    const z = mesh.vertices[i + 2] - pose.position[2];
    for (let k = 0; k < 3; k++) out[i + k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
  }
  return out;
}
