/**
 * The mirror image of a body or joint as data, across a plane x = at, y = at or z = at of the world, M = diag(−1, 1, 1) for x.
 *
 *   a point of the body        M x = M r + (M R M)(M p)       the frame turns to M R M, and what stands in it is mirrored across its own axis
 *   inertia                    M J M                          the products with the mirrored axis change their sign, moments do not
 *   velocity, angular velocity M v, −M ω                      an axis of turning is mirrored as ω is
 */
import type { Quaternion } from '../../math/quaternion.js';
import type { Data, DataRecord } from '../document/document.js';
import { isRecord, type Vector, vectorAt } from './elements.js';
import { placed, poseOf, tidy } from './move.js';

export interface MirrorPlane {
  readonly axis: 0 | 1 | 2;
  /** m */
  readonly at: number;
}

/** Of a vector: M v; of an axis of turning: −M ω. */
const flipped = (v: Vector, axis: number): Vector => v.map((x, k) => (k === axis ? tidy(-x) : x)) as unknown as Vector;
const flippedTurn = (v: Vector, axis: number): Vector =>
  v.map((x, k) => (k === axis ? x : tidy(-x))) as unknown as Vector;

/** The mirror image of a turn (w, x, y, z) across x is (w, x, −y, −z). */
const turnedBack = ([w, ...turn]: Quaternion, axis: number): Quaternion =>
  [w, ...flippedTurn(turn as unknown as Vector, axis)] as unknown as Quaternion;

export function mirroredBody(body: DataRecord, { axis, at }: MirrorPlane): DataRecord {
  const { position, orientation } = poseOf(body);
  const there = position.map((x, k) => (k === axis ? 2 * at - x : x)) as unknown as Vector;
  const out: Record<string, Data> = {
    ...placed(body, { position: there, orientation: turnedBack(orientation, axis) }),
  };
  if (out.shape !== undefined) out.shape = mirroredShape(out.shape, 'xyz'[axis] as 'x' | 'y' | 'z');
  for (const key of ['centreOfMass', 'velocity'])
    if (Array.isArray(out[key])) out[key] = flipped(vectorAt(out[key]), axis);
  if (Array.isArray(out.angularVelocity)) out.angularVelocity = flippedTurn(vectorAt(out.angularVelocity), axis);
  if (Array.isArray(out.inertia) && out.inertia.length === 9)
    out.inertia = (out.inertia as readonly number[]).map((value, i) =>
      (Math.floor(i / 3) === axis) === (i % 3 === axis) ? value : tidy(-value),
    );
  if (isRecord(out.frames))
    out.frames = Object.fromEntries(
      Object.entries(out.frames).map(([name, frame]) => {
        if (!isRecord(frame)) return [name, frame];
        const pose = poseOf(frame);
        return [
          name,
          placed(frame, { position: flipped(pose.position, axis), orientation: turnedBack(pose.orientation, axis) }),
        ];
      }),
    );
  if (isRecord(out.flexible) && isRecord(out.flexible.gauges))
    out.flexible = {
      ...out.flexible,
      gauges: Object.fromEntries(
        Object.entries(out.flexible.gauges).map(([name, gauge]) => [
          name,
          isRecord(gauge) && Array.isArray(gauge.at)
            ? { ...gauge, at: (gauge.at as readonly number[]).map((x, k) => (k === axis ? -x : x)) }
            : gauge,
        ]),
      ),
    };
  return out;
}

/** Kinds whose image is a joint of the same kind: coordinates keep their meaning and sign. A screw's would need the other hand. */
const MIRRORED_JOINTS: readonly unknown[] = ['fixed', 'revolute', 'prismatic', 'spherical'];

/** Undefined where there is none of its kind */
export function mirroredJoint(joint: DataRecord, { axis, at }: MirrorPlane): DataRecord | undefined {
  if (!MIRRORED_JOINTS.includes(joint.kind) || joint.initialOrientation !== undefined) return undefined;
  const out: Record<string, Data> = { ...joint };
  if (Array.isArray(joint.at))
    out.at = vectorAt(joint.at).map((x, k) => (k === axis ? tidy(2 * at - x) : x)) as unknown as Vector;
  if (Array.isArray(joint.axis)) {
    const own = vectorAt(joint.axis);
    out.axis = joint.kind === 'prismatic' ? flipped(own, axis) : flippedTurn(own, axis);
  }
  if (Array.isArray(joint.initialAngularVelocity))
    out.initialAngularVelocity = flippedTurn(vectorAt(joint.initialAngularVelocity), axis);
  return out;
}

/** Shapes that look the same in a mirror through their middle, across any of their axes */
const EVEN = ['sphere', 'ellipsoid', 'box', 'cylinder', 'tube', 'capsule', 'torus'];

/** The last of its moves; twice is not at all. */
function mirroredShape(shape: Data, axis: 'x' | 'y' | 'z'): Data {
  if (Array.isArray(shape)) return shape.map((item: Data) => mirroredShape(item, axis));
  if (!isRecord(shape)) return shape;
  const { moves, ...own } = shape;
  const before = Array.isArray(moves) ? (moves as readonly Data[]) : [];
  if (Object.keys(shape).length === 1 && EVEN.includes(Object.keys(shape)[0])) return shape;
  const last = before.at(-1);
  const isUndone = isRecord(last) && last.mirror === axis;
  const after = isUndone ? before.slice(0, -1) : [...before, { mirror: axis }];
  return after.length > 0 ? { ...own, moves: after } : own;
}
