/**
 * A solid: the triangle mesh of its surface, and beside it the exact form where there is one, so that a sphere stays
 * a sphere for mass properties and contact however coarsely it is drawn.
 */
import { IDENTITY, type Quaternion } from '../math/quaternion.js';
import { type Vec3, ZERO } from '../math/vec3.js';
import type { Profile } from './profile.js';
import type { SolidMesh } from './solid-mesh.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Exact description in the form's own frame. Lengths in m; axes along z; centred on the origin unless said. */
export type Form =
  | { readonly kind: 'sphere'; readonly radius: number }
  /** Half axes along x, y, z */
  | { readonly kind: 'ellipsoid'; readonly radii: Vec3 }
  | { readonly kind: 'box'; readonly size: Vec3 }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly height: number }
  /** `height` is the distance between the centres of the two half spheres. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly height: number }
  /** A cone has topRadius 0. z runs from −height/2 to height/2. */
  | { readonly kind: 'frustum'; readonly bottomRadius: number; readonly topRadius: number; readonly height: number }
  /** z runs from 0 to height. `segments`: pieces of a full circle as which meshes have the arcs of the profile; default 64 */
  | { readonly kind: 'extrusion'; readonly profile: Profile; readonly height: number; readonly segments?: number }
  /** Everything with z ≤ 0; the mesh is only what is drawn of it. */
  | { readonly kind: 'halfSpace' }
  /** Nothing exact is known: the mesh is the solid. */
  | { readonly kind: 'mesh' };

/** A figure drawn along z from `bottom` to `top`, m. `segments` as of an extrusion */
export interface Prism {
  readonly profile: Profile;
  readonly bottom: number;
  readonly top: number;
  readonly segments?: number;
}

/** Where a frame is: its origin in m and its orientation, both seen from the outer frame. */
export interface Pose {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}
export const ORIGIN: Pose = { position: ZERO, orientation: IDENTITY };

/** Red, green, blue, opacity, each from 0 to 1, sRGB. */
export type Colour = readonly [number, number, number, number];

export interface Solid {
  readonly mesh: TriangleMesh;
  readonly form: Form;
  /** Pose of the form's frame in the solid's frame (the mesh is already in the solid's frame). */
  readonly pose: Pose;
  readonly colour?: Colour;
  /** What fills it where somebody has meshed its inside, in the form's frame: such a solid can be flexible. Stretching loses it. */
  readonly tetrahedra?: SolidMesh;
  /**
   * Prisms of which it consists where it is made of several, in the form's frame; they touch, but share no volume. What only turns about their axis and moves
   * across it touches by them. Stretching loses them.
   */
  readonly prisms?: readonly Prism[];
  /** A colour for each triangle of the mesh, 3 per triangle, sRGB 0…255 */
  readonly triangleColours?: Uint8Array;
  /** A colour for each vertex of the mesh, interpolated over triangles, 3 per vertex, sRGB 0…255 */
  readonly vertexColours?: Uint8Array;
}
