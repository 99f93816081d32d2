/** Every joint as a chain of elementary nodes from `to` to `body`, and as the constraint rows it becomes when it is cut. */
import { PI } from '../math/elementary.js';
import { conjugate, IDENTITY, type Quaternion, rotate } from '../math/quaternion.js';
import { cross, dot, normalize, scale, type Vec3, ZERO } from '../math/vec3.js';
import type { Joint } from '../model/joints.js';
import { quaternionOf } from './places.js';
import { type Anchor, type ConstraintRow, NODE } from './system.js';

/** One elementary node; axes in world coordinates of the drawing. */
export interface ChainNode {
  readonly kind: number;
  readonly axis: Vec3;
  /** m/rad */
  readonly pitch: number;
  /** Start of the coordinate: a number, or a quaternion for spherical nodes. */
  readonly q: number | Quaternion;
  /** Start of its rate; a vector in the child's frame for spherical nodes. */
  readonly v: number | Vec3;
  readonly qGiven: boolean;
  readonly vGiven: boolean;
}

/** Two unit vectors that make a right-handed set with the unit vector n. */
export function perpendiculars(n: Vec3): [Vec3, Vec3] {
  const helper: Vec3 = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const first = normalize(cross(helper, n));
  return [first, cross(n, first)];
}

const scalar = (kind: number, axis: Vec3, q: number | undefined, v: number | undefined, pitch = 0): ChainNode => ({
  kind,
  axis: normalize(axis),
  pitch,
  q: q ?? 0,
  v: v ?? 0,
  qGiven: q !== undefined,
  vGiven: v !== undefined,
});

const ball = (orientation: Quaternion | undefined, angularVelocity: Vec3 | undefined): ChainNode => {
  const q = orientation ?? IDENTITY;
  return {
    kind: NODE.spherical,
    axis: [0, 0, 1],
    pitch: 0,
    q,
    // The user gives it in world axes; the state has it in the child's.
    v: angularVelocity ? rotate(conjugate(q), angularVelocity) : ZERO,
    qGiven: orientation !== undefined,
    vGiven: angularVelocity !== undefined,
  };
};

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

/** Three slides and a ball: six degrees of freedom, no singular position. */
export const freeChain = (velocity?: Vec3, angularVelocity?: Vec3): ChainNode[] => [
  scalar(NODE.prismatic, X, undefined, velocity?.[0]),
  scalar(NODE.prismatic, Y, undefined, velocity?.[1]),
  scalar(NODE.prismatic, Z, undefined, velocity?.[2]),
  ball(undefined, angularVelocity),
];

export function chainOf(joint: Joint): ChainNode[] {
  switch (joint.kind) {
    case 'fixed':
      return [scalar(NODE.fixed, Z, undefined, undefined)];
    case 'revolute':
      return [scalar(NODE.revolute, joint.axis, joint.initialAngle, joint.initialSpeed)];
    case 'prismatic':
      return [scalar(NODE.prismatic, joint.axis, joint.initialPosition, joint.initialSpeed)];
    case 'screw':
      return [scalar(NODE.screw, joint.axis, joint.initialAngle, joint.initialSpeed, joint.pitch / (2 * PI))];
    case 'cylindrical':
      return [
        scalar(NODE.prismatic, joint.axis, joint.initialPosition, joint.initialSpeed),
        scalar(NODE.revolute, joint.axis, joint.initialAngle, joint.initialSpin),
      ];
    case 'universal':
      return [
        scalar(NODE.revolute, joint.axis, joint.initialAngles?.[0], joint.initialSpeeds?.[0]),
        scalar(NODE.revolute, joint.secondAxis, joint.initialAngles?.[1], joint.initialSpeeds?.[1]),
      ];
    case 'spherical':
      return [ball(joint.initialOrientation && quaternionOf(joint.initialOrientation), joint.initialAngularVelocity)];
    case 'planar': {
      const normal = normalize(joint.normal);
      const [first, second] = perpendiculars(normal);
      const velocity = joint.initialVelocity;
      return [
        scalar(NODE.prismatic, first, undefined, velocity && dot(first, velocity)),
        scalar(NODE.prismatic, second, undefined, velocity && dot(second, velocity)),
        scalar(NODE.revolute, normal, undefined, joint.initialSpin),
      ];
    }
    case 'free':
      return freeChain(joint.initialVelocity, joint.initialAngularVelocity);
  }
}

/** The same motion seen from the other end: nodes in reverse order, each undoing its own. */
export function reversedChain(chain: readonly ChainNode[]): ChainNode[] {
  return [...chain].reverse().map((node) => {
    if (node.kind !== NODE.spherical) return { ...node, axis: scale(-1, node.axis) };
    const q = node.q as Quaternion;
    return { ...node, q: conjugate(q), v: scale(-1, rotate(q, node.v as Vec3)) };
  });
}

/** Rows that hold two frames together as the joint does; a on `to`, b on `body`, both with world axes as drawn and at one point. */
export function cutRows(joint: Joint, a: Anchor, b: Anchor): ConstraintRow[] {
  const point = (direction: Vec3): ConstraintRow => ({
    kind: 'point',
    a,
    b,
    direction: inCarrier(a, direction),
    offset: 0,
  });
  const across = (u: Vec3, w: Vec3): ConstraintRow => ({
    kind: 'direction',
    a,
    b,
    u: inCarrier(a, u),
    w: inCarrier(b, w),
    cosine: dot(u, w),
  });
  const points = [point(X), point(Y), point(Z)];
  switch (joint.kind) {
    case 'free':
      return [];
    case 'fixed':
      return [...points, across(X, Y), across(Y, Z), across(Z, X)];
    case 'spherical':
      return points;
    case 'universal':
      return [...points, across(normalize(joint.axis), normalize(joint.secondAxis))];
    case 'planar': {
      const normal = normalize(joint.normal);
      const [first, second] = perpendiculars(normal);
      return [point(normal), across(first, normal), across(second, normal)];
    }
    case 'revolute':
    case 'prismatic':
    case 'cylindrical':
    case 'screw': {
      const axis = normalize(joint.axis);
      const [first, second] = perpendiculars(axis);
      const parallel = [across(first, axis), across(second, axis)];
      if (joint.kind === 'revolute') return [...points, ...parallel];
      if (joint.kind === 'cylindrical') return [point(first), point(second), ...parallel];
      return [point(first), point(second), ...parallel, across(first, second)];
    }
  }
}

/** Number of rows a joint needs when cut. */
export const ROWS_IF_CUT: Readonly<Record<Joint['kind'], number>> = {
  fixed: 6,
  revolute: 5,
  prismatic: 5,
  screw: 5,
  cylindrical: 4,
  universal: 4,
  spherical: 3,
  planar: 3,
  free: 0,
};

/** A world direction of the drawing in the axes of the anchor's carrier. Nodes have world axes as drawn; free bodies have their own. */
const inCarrier = (anchor: Anchor, direction: Vec3): Vec3 => rotate(anchor.orientation, direction);
