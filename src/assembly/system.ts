/**
 * The System: what `assembly` compiles a Model into, once. Constant from then on, flat typed arrays, no user objects in it but
 * the user's functions. All that changes is in the state y.
 *
 * State y = [ q | v | s ]:
 *   q  nq coordinates: the tree's nodes in order (1 for revolute, prismatic, screw; 4, a unit quaternion w x y z, for spherical),
 *      then 7 per free body: position of its centre of mass (world, m), unit quaternion of its principal frame
 *   v  nv velocities: the tree's nodes in order (1, or 3: angular velocity in the child's frame, rad/s),
 *      then 6 per free body: velocity of the centre of mass (world, m/s), angular velocity in the body's principal frame (rad/s)
 *   s  ns states of force elements (bristles of joint friction, states of the user's own elements)
 */
import type { RigidShape } from '../flexible-bodies/contact/rigid-outline.js';
import type { RigidForm } from '../flexible-bodies/contact/solid/rigid-solid.js';
import type { Touching } from '../flexible-bodies/contact/touching.js';
import type { FlexiblePart } from '../flexible-bodies/flexible-part.js';
import type { ShapeIntegrals } from '../flexible-bodies/shape-integrals.js';
import type { Solid } from '../geometry/solid.js';
import type { Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import type { ContactElementPlan } from '../model/contact-element.js';
import type { PairOptions, Surface } from '../model/contacts.js';
import type { JointKind } from '../model/joints.js';
import type { Material } from '../model/materials.js';

/** What a node of the tree may do against its parent. Everything else is a chain of these with massless nodes between. */
export const NODE = { fixed: 0, revolute: 1, prismatic: 2, screw: 3, spherical: 4 } as const;

/**
 * The joint tree. Node i hangs on `parent[i]` < i (−1: ground). Its joint frame is placed in the parent's frame by `position` and
 * `rotation`; the node's own frame is the joint frame moved by the joint: turned about `axis` (revolute), shifted along `axis`
 * (prismatic), both (screw: shift = pitch · angle), or turned by the quaternion (spherical). At q = 0 (quaternion 1) they coincide.
 */
export interface Tree {
  readonly count: number;
  readonly parent: Int32Array;
  /** NODE */
  readonly kind: Uint8Array;
  /** First coordinate in q, −1 for fixed and prescribed nodes */
  readonly q: Int32Array;
  /** First velocity in v (0 … nv − 1), −1 for fixed and prescribed nodes */
  readonly v: Int32Array;
  /** Index into `motions` of the prescribed motion that moves this node (scalar joints only), −1: none */
  readonly motion: Int32Array;
  /** 3 per node: unit vector in the joint frame */
  readonly axis: Float64Array;
  /** m/rad, for screws */
  readonly pitch: Float64Array;
  /** 3 per node: origin of the joint frame in the parent's frame, m */
  readonly position: Float64Array;
  /** 9 per node, row-major: axes of the joint frame in the parent's frame, v_parent = R v_joint */
  readonly rotation: Float64Array;
  /** kg; 0 for massless nodes */
  readonly mass: Float64Array;
  /** 3 per node: centre of mass in the node's frame, m */
  readonly centre: Float64Array;
  /** 6 per node: xx yy zz xy xz yz of the inertia tensor (matrix entries, so xy = −∫xy dm) about the centre, node axes, kg m² */
  readonly inertia: Float64Array;
  /** In a part of a system (restrict.ts), 1 per node of trees that every part has: they move by prescription and have no mass here */
  readonly shared?: Uint8Array;
}

/**
 * A body that deforms: a frame on `node`, and coordinates q_k that are those of other nodes below it. Each interface but the one the frame
 * is clamped to is a chain of massless slides and turns, whose coordinates are the motion of the interface; a mode that moves no interface
 * has a slide that carries nothing. Integrals in the node's axes, about its origin.
 */
export interface FlexibleNode {
  /** `bodies.rod`; of substructures behind the first `bodies.rod[1]` … */
  readonly name: string;
  /** Name of the body it is part of, and where that body's frame would be if all of it moved with this node */
  readonly body: string;
  readonly anchor: Anchor;
  readonly node: number;
  /** Of the part's own axes (those of its outline, or of its mesh), in the node's frame */
  readonly plane: { readonly position: Vec3; readonly orientation: Quaternion };
  /** One per coordinate, in the order of the shapes */
  readonly nodes: Int32Array;
  /** So many of them move interfaces; the others are modes, which carry nothing */
  readonly carrying: number;
  readonly integrals: ShapeIntegrals;
  /** n × n, row-major: kg, N/m, N s/m (of slides) */
  readonly mass: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Of slender members, per span between neighbouring interfaces: the elongation Σ along_k q_k of stiffness k_a becomes Σ along_k q_k + ½ q Gm q */
  readonly spans: readonly {
    readonly along: Float64Array;
    /** Coordinates that lengthen this span alone by 1 */
    readonly shift: Float64Array;
    /** N/m */
    readonly stiffness: number;
    /** Gm, n × n, 1/m (of slides) */
    readonly matrix: Float64Array;
  }[];
  /** Natural frequencies with the frame held, rad/s, ascending */
  readonly frequencies: Float64Array;
  /** Nodes of the mesh whose stress is recorded */
  readonly gauges: readonly { readonly name: string; readonly node: number }[];
  /** What is drawn and what carries stress; shapes are by coordinate */
  readonly part: FlexiblePart;
}

/** Bodies without joints: as many as one likes, 6 degrees of freedom each, outside the tree. */
export interface FreeBodies {
  readonly count: number;
  /** kg */
  readonly mass: Float64Array;
  /** 3 per body: principal moments, kg m² */
  readonly inertia: Float64Array;
}

/** A coordinate that follows time: value, first and second derivative, and the third where `out` has room for four. */
export type Motion = ((t: number, out: Float64Array /* 3 or 4 */) => void) & {
  /** What a function of the user's itself gives: the value, or all three; rates it does not give are 0. Missing at constant speed. */
  readonly given?: (t: number, out: Float64Array /* 3 */) => void;
};

/** A point or frame carried by a node (`node` ≥ 0), a free body (`node` = −2 − index) or the ground (−1). */
export interface Anchor {
  readonly node: number;
  /** m, in the carrier's frame (free body: principal frame at the centre of mass) */
  readonly position: Vec3;
  readonly orientation: Quaternion;
}

/** One row of a constraint that closes a loop. Position rows g(q, t) = 0; rolling rows act on velocities only. */
export type ConstraintRow =
  /** direction (fixed in A's carrier, given in its frame) · (P_B − P_A) = offset */
  | {
      readonly kind: 'point';
      readonly a: Anchor;
      readonly b: Anchor;
      readonly direction: Vec3;
      readonly offset: number;
    }
  /** u (in A's carrier frame) · w (in B's carrier frame) = cosine */
  | {
      readonly kind: 'direction';
      readonly a: Anchor;
      readonly b: Anchor;
      readonly u: Vec3;
      readonly w: Vec3;
      readonly cosine: number;
    }
  /** |P_B − P_A| = length */
  | { readonly kind: 'distance'; readonly a: Anchor; readonly b: Anchor; readonly length: number }
  /** Σ ratio · q[coordinate] = offset, scalar joint coordinates only (gears, couplers) */
  | {
      readonly kind: 'coupler';
      readonly coordinates: readonly number[];
      readonly ratios: readonly number[];
      readonly offset: number;
    }
  /**
   * Ideal rolling: the material point of B touching A's plane has no velocity along `direction` against A (non-holonomic).
   * The wheel is a circle of `radius` about B's anchor with the spin axis `axis` (B's carrier frame); the plane is A's anchor point with
   * `normal` (A's carrier frame). Contact point: lowest point of the circle. `along`: 'rolling' (in the wheel's plane) or 'lateral'.
   * The accompanying holonomic row (the wheel touches the plane) is kind 'wheel'.
   */
  | {
      readonly kind: 'roll';
      readonly a: Anchor;
      readonly b: Anchor;
      readonly radius: number;
      readonly axis: Vec3;
      readonly normal: Vec3;
      readonly along: 'rolling' | 'lateral';
    }
  | {
      readonly kind: 'wheel';
      readonly a: Anchor;
      readonly b: Anchor;
      readonly radius: number;
      readonly axis: Vec3;
      readonly normal: Vec3;
    };

/** A named group of rows: one cut joint or one constraint of the user's. Constraint rows act on tree nodes and the ground only. */
export interface Constraint {
  readonly name: string;
  readonly rows: readonly ConstraintRow[];
  /** False for a joint that takes hold only at an event. */
  readonly activeAtStart: boolean;
}

/** Gravitational acceleration at a point: uniform, or a field with its potential and gradient. */
export type Gravity =
  | { readonly kind: 'uniform'; readonly acceleration: Vec3 }
  /** −mu r/|r|³ about `centre`; mu in m³/s² */
  | { readonly kind: 'point'; readonly mu: number; readonly centre: Vec3 }
  /** User's own; acceleration of a body is the field at its centre of mass. */
  | { readonly kind: 'field'; readonly field: (position: Vec3) => Vec3 };

/** A user's body in the results: where its frame is carried. */
export interface BodyPlace {
  readonly name: string;
  readonly anchor: Anchor;
  readonly mass: number;
  /** Greatest distance of a point of the body from its frame's origin, m: turns angular errors into lengths. */
  readonly size: number;
  /** Part of the ground */
  readonly fixed?: boolean;
}

/** A user's joint in the results. */
export interface JointPlace {
  readonly name: string;
  readonly kind: JointKind;
  /** Nodes of the chain, from the side of `to` to that of `body`; empty if the joint is a loop cut. */
  readonly nodes: readonly number[];
  /** The tree runs from `body` to `to` here, so the wrench on the last node is the one on `to`. */
  readonly reversed: boolean;
  /** Index of its Constraint if it is a loop cut, −1 otherwise. */
  readonly constraint: number;
}

export interface System {
  readonly nq: number;
  readonly nv: number;
  readonly ns: number;
  readonly tree: Tree;
  readonly free: FreeBodies;
  /** Bodies that deform; undefined where there are none */
  readonly flexible?: readonly FlexibleNode[];
  readonly motions: readonly Motion[];
  readonly constraints: readonly Constraint[];
  readonly gravity: Gravity;
  readonly bodies: readonly BodyPlace[];
  readonly joints: readonly JointPlace[];
  readonly elements: readonly ElementPlan[];
  /** Undefined where nothing can touch anything */
  readonly contacts?: ContactPlan | undefined;
  /** y at the start, before consistent initialisation */
  readonly initial: Float64Array;
  /** One per entry of q and v: 1 where the user fixed the value and initialisation must keep it if it can */
  readonly fixedInitially: Uint8Array;
}

/** Shapes that may touch, and what is known of their pairs. */
export interface ContactPlan {
  readonly shapes: readonly ContactShape[];
  /** Who may touch whom; see broad-phase/allowed-pairs.ts. Indices of shapes and of `System.bodies`. */
  readonly rules: {
    /** One per shape: index of its body in `System.bodies`, −1 for all that is fixed */
    readonly body: Int32Array;
    readonly group: Int32Array;
    readonly mask: Int32Array;
    /** 2 per pair of bodies */
    readonly excludedBodies: Int32Array;
    /** 2 per pair of shapes */
    readonly excludedShapes: Int32Array;
  };
  readonly broadPhase: 'automatic' | 'brute-force' | 'morton' | 'tree';
  /** τ: tolerance of depths relative to a depth of reference; by the run's own tolerance unless given */
  readonly tolerance: number | undefined;
  readonly records: boolean;
  /** Free bodies that overlap are moved apart before the start. */
  readonly resolve: boolean;
  /** Where it is given, pairs that are drawn too deep into each other are told here and not refused: to look at a model, not to run it */
  readonly told?: string[];
  /** Pairs of bodies (indices of `System.bodies`) with signals of their own */
  readonly sensors: readonly (readonly [number, number])[];
  /** What the user wrote for two bodies, by their indices */
  pairOptions(a: number, b: number): PairOptions;
}

export interface ContactShape {
  /** `ball`, or `ball[1]` for the second shape of several */
  readonly name: string;
  /** Index in `System.bodies` */
  readonly body: number;
  /** Undefined only where there is a surface */
  readonly solid: Solid | undefined;
  /** An idealized surface in place of the solid */
  readonly surface?: Surface;
  /** The law acts along the axes of the surface in place of the normal. */
  readonly perAxis?: boolean;
  /** Of the layer behind the surface, m; what is deeper does not touch. */
  readonly thickness?: number;
  /** Spheres and points touch the edges of the surface. */
  readonly edges?: boolean;
  /** Pose of the form's frame (mesh: of the solid's) on its carrier */
  readonly anchor: Anchor;
  readonly material: Material | undefined;
  /** Axis of an extrusion, box or cylinder, world as drawn, about which alone its body can turn and across which it moves; undefined where it can tilt. */
  readonly planeNormal?: Vec3;
}

/** What a force element is; `dynamics` makes it act. All user functions must be pure. */
export type ElementPlan =
  /** Force along scalar coordinate: −k (q − q0) − d v + stops + friction + motor; see src/dynamics/elements/joint-forces.ts */
  | {
      readonly kind: 'coordinate';
      readonly name: string;
      readonly q: number;
      readonly v: number;
      readonly stiffness: number;
      readonly rest: number;
      readonly damping: number;
      readonly stops?: {
        readonly lower: number;
        readonly upper: number;
        readonly stiffness: number;
        readonly restitution: number;
      };
      /** Dry friction: greatest force or torque; a bristle holds at rest. `state` = index into s. */
      readonly friction?: { readonly limit: number; readonly stiffness: number; readonly state: number };
      /** PD control, limited to ± limit */
      readonly motor?: {
        readonly target: (t: number) => number;
        readonly speed: (t: number) => number;
        readonly kp: number;
        readonly kd: number;
        readonly limit: number;
      };
      /** User's own force or torque */
      readonly force?: (t: number, q: number, v: number) => number;
    }
  /** Along the line between two points: −k (L − rest) − d L′, or the user's law(L, L′, t) (positive pushes apart) */
  | {
      readonly kind: 'line';
      readonly name: string;
      readonly a: Anchor;
      readonly b: Anchor;
      readonly stiffness: number;
      readonly damping: number;
      readonly rest: number;
      readonly law?: (length: number, speed: number, t: number) => number;
    }
  /** 6 springs and dampers between two frames, in A's axes: forces from the offset, torques from the rotation vector */
  | {
      readonly kind: 'bushing';
      readonly name: string;
      readonly a: Anchor;
      readonly b: Anchor;
      readonly stiffness: readonly number[];
      readonly damping: readonly number[];
    }
  /** Force and torque on b (reaction on a), in world axes or in b's; functions of time only, or of time and motion */
  | {
      readonly kind: 'applied';
      readonly name: string;
      readonly b: Anchor;
      readonly a?: Anchor;
      readonly axes: 'world' | 'body';
      /** out: fx fy fz tx ty tz; sees the anchor's position, velocity (world), orientation (w x y z) and angular velocity (world) */
      readonly wrench: (t: number, motion: AnchorMotion, out: Float64Array) => void;
      /** Nothing but time is read by `wrench`: no derivative needed beyond the frame's. */
      readonly onlyTime: boolean;
      /** Not even time is read. */
      readonly steady?: boolean;
    }
  /** A contact element of the user's own between the frames of two bodies; `state` = index into s of the first of its states */
  | {
      readonly kind: 'own';
      readonly name: string;
      readonly a: Anchor;
      readonly b: Anchor;
      readonly carrierNames: readonly [string, string];
      readonly states: readonly OwnState[];
      readonly state: number;
      readonly signals: readonly { readonly name: string; readonly unit: string; readonly description: string }[];
      readonly dependsOnTime: boolean;
      /** History that others have, too: with these it is one mechanism. */
      readonly shares?: string | undefined;
      readonly create: ContactElementPlan['create'];
    }
  /** Contact of a flexible body (a) with another, of a planar one in its plane; `state` = index into s of the first of `states` bristles */
  | {
      readonly kind: 'flexibleContact';
      readonly name: string;
      readonly touching: Touching;
      /** Its frame's node, with place and axes of the plane of its outline; of the other body the same, axes as drawn parallel to it */
      readonly a: Anchor;
      readonly b: Anchor;
      /** As they are told, in the order of the model */
      readonly carrierNames: readonly [string, string];
      /** Names of the two; the second may touch by one of several shapes or pieces */
      readonly bodies: readonly [string, string];
      /** Names among `System.flexible`; the other body's where it deforms, too */
      readonly flexible: readonly [string, string | undefined];
      /** Its name and force are told the other way round: the other body is the first of the two in the model */
      readonly turned?: boolean;
      /** Of a rigid other body, in the axes of b: in the plane, or where a is a solid */
      readonly shape?: RigidShape;
      readonly form?: RigidForm;
      readonly friction: number;
      /** Not even both materials say it */
      readonly frictionGuessed?: boolean;
      /** Of the pair itself, where the model gives it */
      readonly restitution?: number;
      /** How its force comes to the nodes: by the shape functions of the sides unless said */
      readonly nodalForces?: 'consistent' | 'elmqvist';
      readonly state: number;
      readonly states: number;
      /** At which forces act in the plane, along its normal from a, m */
      readonly height: number;
    };

export interface OwnState {
  readonly name: string;
  readonly unit: string;
  readonly initial: number;
  /** What counts as one for errors */
  readonly scale: number;
}

export interface AnchorMotion {
  readonly position: Vec3;
  readonly velocity: Vec3;
  readonly orientation: Quaternion;
  readonly angularVelocity: Vec3;
}
