/**
 * What a recording shows: the shapes of its bodies, where joints, springs and frames are, which plots the author chose. Kept in
 * the recording itself, so that one file can be looked at, sent and exported without the model that made it.
 *
 * Shapes are in double precision and in their body's frame: from them and the recorded poses an overlap of a nanometre can be
 * computed again. Bodies of one shape share it.
 */
import type { Colour, Form, Pose } from '../geometry/solid.js';
import type { Vec3 } from '../math/vec3.js';

export interface Scene {
  readonly title: string;
  /** Unit vector against gravity; +z where there is none. */
  readonly up: Vec3;
  /** There is no gravity, and `up` says nothing */
  readonly weightless?: true;
  readonly shapes: readonly SceneShape[];
  readonly bodies: readonly SceneBody[];
  readonly joints: readonly SceneJoint[];
  readonly springs: readonly SceneSpring[];
  /** Surfaces that are only drawn, and may move in time: their vertices are in the table `surfaces`. */
  readonly surfaces: readonly SceneSurface[];
  /** Grains, if there are any; where they are is in the table `grains`. */
  readonly grains?: SceneGrains;
  /** The author's plots: signals or globs by title. */
  readonly plots: Readonly<Record<string, readonly string[]>>;
}

/** A triangle mesh in its body's frame, with the colours it brought along. */
export interface SceneShape {
  /** 3 per vertex, m */
  readonly vertices: Float64Array;
  /** 3 per triangle */
  readonly triangles: Uint32Array;
  /** The exact form behind the mesh: `sphere`, `extrusion`, … `mesh` if none. A half-space is drawn as far as its mesh goes. */
  readonly form: string;
  /** Of the sphere, m; where it is: centre in the body's frame is that of the vertices. Lets a viewer draw it smooth. */
  readonly radius?: number;
  /** Of round forms, outlines with arcs, and half-spaces: their measures, and where the form's frame is in the body's. The mesh has only chords of them. */
  readonly exact?: { readonly form: ExactForm; readonly pose: Pose };
  /** One colour for each triangle, 3 per triangle, sRGB 0…255 */
  readonly triangleColours?: Uint8Array;
  /** One colour for each vertex, interpolated over triangles, 3 per vertex, sRGB 0…255 */
  readonly vertexColours?: Uint8Array;
}

/** Forms of which the mesh does not tell all */
export type ExactForm = Extract<
  Form,
  { readonly kind: 'sphere' | 'ellipsoid' | 'cylinder' | 'capsule' | 'frustum' | 'halfSpace' | 'extrusion' }
>;

export interface SceneBody {
  /** As in the signals: `<name>.position.x`, `<name>.orientation.w`, … */
  readonly name: string;
  /** kg; 0 if fixed, NaN if neither given nor told by the shape */
  readonly mass: number;
  /** In the body's frame, m */
  readonly centreOfMass: Vec3;
  readonly fixed: boolean;
  /** Where it stands when there is no recording of it. */
  readonly pose: Pose;
  /** `material` is its name, for how it looks */
  readonly parts: readonly { readonly shape: number; readonly colour?: Colour; readonly material?: string }[];
  /** Named places on the body, in its frame */
  readonly frames: readonly { readonly name: string; readonly pose: Pose }[];
}

/** A place on a body; body −1 is the ground, and its frame the world's. */
export interface ScenePoint {
  readonly body: number;
  readonly position: Vec3;
}

export interface SceneJoint {
  readonly name: string;
  /** `revolute`, `prismatic`, … */
  readonly kind: string;
  /** On the moving body */
  readonly at: ScenePoint;
  /** On what it moves against */
  readonly to: number;
  /** Unit vectors of the joint's axes in the moving body's frame: none for a ball joint, two for a universal joint */
  readonly axes: readonly Vec3[];
  /** Of a universal joint, whose first axis stays with `to`: that axis in the frame of `to`. */
  readonly axisOnTo?: Vec3;
  /** It has a motor, or its motion is prescribed. */
  readonly driven?: true;
}

/** A force along a line between two points, a spring if it has a free length. */
export interface SceneSpring {
  readonly name: string;
  /** `spring`, `lineForce`, `bushing`; `rod` for a rigid one without mass */
  readonly kind: string;
  readonly from: ScenePoint;
  readonly to: ScenePoint;
  /** m */
  readonly freeLength?: number;
}

/** What a grain looks like that is no ball, of size 1 about its centre of mass, in the frame its orientation is of */
export interface SceneForm {
  readonly mesh?: { readonly vertices: Float64Array; readonly triangles: Uint32Array };
  /** 4 per ball: centre, radius */
  readonly balls?: Float64Array;
}

export interface SceneGrains {
  readonly species: readonly {
    readonly name: string;
    readonly colour?: Colour;
    /** Where grains have shapes */
    readonly forms?: readonly SceneForm[];
  }[];
  /** Around them at the start, world, m */
  readonly low: Vec3;
  readonly high: Vec3;
}

export interface SceneSurface {
  readonly name: string;
  readonly vertexCount: number;
  readonly triangles: Uint32Array;
  /** Where its vertices are at the start, 3 each, world, m */
  readonly vertices: Float64Array;
  readonly colour?: Colour;
  /** What the value at each vertex is, for the legend; empty if it has none. */
  readonly quantity: string;
  readonly unit: string;
  /** Of a body that deforms: its vertices follow from recorded coordinates, and are in no table. */
  readonly modes?: SurfaceModes;
}

/**
 * A part that deforms; the value at each vertex is the von Mises stress. Of a part of constant thickness that deforms in its plane the vertices are
 * the nodes of its mesh on the lower face, then the same on the upper one; of a solid the nodes of its surface.
 */
export interface SurfaceModes {
  /** Whose `….position.x` and `….orientation.w` carry it */
  readonly frame: string;
  /** Of a piece behind the first of a part in several: the frame of the first, which carries what the whole would be undeformed */
  readonly whole?: string;
  /** Names of the signals of its coordinates */
  readonly coordinates: readonly string[];
  /** Of the undeformed part in that frame: origin, then the unit vectors along x, y and z (of a plane its normal), 3 each, m */
  readonly plane: Float64Array;
  /** m along the normal: of the lower and of the upper face; a solid has none */
  readonly faces?: readonly [number, number];
  /** 2 per node, in the plane, of a solid 3, m */
  readonly rest: Float64Array;
  /** Displacement per unit of each coordinate, 2 per node (3), one coordinate after the other */
  readonly shapes: Float64Array;
  /** Stress σx, σy, τxy per unit of each coordinate, 3 per node, of a solid σx, σy, σz, τxy, τyz, τzx, Pa */
  readonly stresses: Float64Array;
  /** Poisson's ratio in plane strain, 0 in plane stress */
  readonly acrossRatio: number;
}
