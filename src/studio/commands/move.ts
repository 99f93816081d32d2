/** Moves and turns bodies; joints to the ground and forces at fixed points of the drawing go along, for they are drawn in place. */
import {
  conjugate,
  fromAxisAngle,
  IDENTITY,
  multiply,
  normalize,
  type Quaternion,
  rotate,
} from '../../math/quaternion.js';
import { add, sub } from '../../math/vec3.js';
import { type Data, type DataRecord, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { elementsOf, isRecord, type Vector, vectorAt, withElement } from './elements.js';

export interface Pose {
  readonly position: Vector;
  /** w, x, y, z */
  readonly orientation: Quaternion;
}

export const move: Command<{ readonly poses: Readonly<Record<string, Pose>> }> = {
  name: 'move',
  label: ({ poses }) => {
    const names = Object.keys(poses);
    return `Move ${names.length === 1 ? names[0] : `${names.length} parts`}`;
  },
  apply: (document, { poses }) =>
    withModel(document, (given) => {
      let model = given;
      const bodies = elementsOf(given, 'bodies');
      for (const [name, pose] of Object.entries(poses)) {
        const body = bodies[name];
        if (!isRecord(body)) continue;
        model = withElement(model, 'bodies', name, placed(body, pose));
        const before = poseOf(body);
        for (const [joint, value] of Object.entries(elementsOf(model, 'joints')))
          if (isRecord(value) && value.body === name && (value.to === undefined || value.to === 'ground'))
            model = withElement(model, 'joints', joint, carried(value, before, pose));
      }
      return model;
    }),
};

/** Where a body is drawn: orientation as a quaternion, or an axis and an angle */
export function poseOf(body: DataRecord): Pose {
  return { position: vectorAt(body.position), orientation: orientationOf(body.orientation) };
}

function orientationOf(given: Data | undefined): Quaternion {
  if (Array.isArray(given) && given.length === 4) return normalize(given as unknown as Quaternion);
  if (isRecord(given) && typeof given.angle === 'number') return fromAxisAngle(vectorAt(given.axis), given.angle);
  return IDENTITY;
}

/** The body there; what is as if nothing had been said is not said. */
export function placed(body: DataRecord, { position, orientation }: Pose): DataRecord {
  const { position: _, orientation: __, ...rest } = body;
  const turned = Math.hypot(orientation[1], orientation[2], orientation[3]) > 1e-12;
  return {
    ...rest,
    ...(position.some((x) => x !== 0) && { position: position.map(tidy) as unknown as Vector }),
    ...(turned && { orientation: orientation.map(tidy) as unknown as Quaternion }),
  };
}

/** Without the dust of a drag: 12 digits, and nothing below 1e-12 m */
export const tidy = (x: number): number => (Math.abs(x) < 1e-12 ? 0 : Number(x.toPrecision(12)));

/** A joint that goes along with what moves from one place to another */
export function carried(joint: DataRecord, from: Pose, to: Pose): DataRecord {
  const turn = multiply(to.orientation, conjugate(from.orientation));
  const point = (p: Vector): Vector =>
    add(to.position, rotate(turn, sub(p, from.position))).map(tidy) as unknown as Vector;
  const direction = (p: Vector): Vector => rotate(turn, p).map(tidy) as unknown as Vector;
  const out: Record<string, Data> = { ...joint };
  if (Array.isArray(joint.at)) out.at = point(vectorAt(joint.at));
  for (const key of ['axis', 'secondAxis', 'normal'])
    if (Array.isArray(joint[key])) out[key] = direction(vectorAt(joint[key]));
  return out;
}
