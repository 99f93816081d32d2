/** Copies of bodies: one beside the other, in a row or a circle, or mirrored. Joints among them and to the ground are copied with them. */
import { ModelError } from '../../errors.js';
import { fromAxisAngle, IDENTITY, multiply, rotate } from '../../math/quaternion.js';
import { add, scale, sub } from '../../math/vec3.js';
import { type DataRecord, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { elementsOf, freeName, GROUND, isRecord, type Vector, withElement } from './elements.js';
import { type MirrorPlane, mirroredBody, mirroredJoint } from './mirror-image.js';
import { carried, type Pose, placed, poseOf } from './move.js';
import { bodyOf } from './remove.js';

export const duplicate: Command<{ readonly bodies: readonly string[]; readonly shift: Vector }> = {
  name: 'duplicate',
  label: ({ bodies }) => `Duplicate ${bodies.join(', ')}`,
  apply: (document, { bodies, shift }) =>
    withModel(document, (model) => copied(model, bodies, 1, () => rigid({ position: shift, orientation: IDENTITY }))),
};

export interface Copies {
  readonly bodies: readonly string[];
  /** How many in all */
  readonly count: number;
  /** m from one to the next, */
  readonly shift?: Vector;
  /** or a circle about an axis through a point: rad from one to the next */
  readonly about?: { readonly point: Vector; readonly axis: Vector; readonly angle: number };
}

const MOST_COPIES = 1000;

export const array: Command<Copies> = {
  name: 'array',
  label: ({ bodies, count }) => `Array of ${count} × ${bodies.join(', ')}`,
  apply: (document, { bodies, count, shift = [0, 0, 0], about }) => {
    if (!(Number.isInteger(count) && count >= 2 && count <= MOST_COPIES))
      throw new ModelError('array.count', `expected a whole number from 2 to ${MOST_COPIES}, got ${count}`);
    return withModel(document, (model) =>
      copied(model, bodies, count - 1, (i) => {
        if (!about) return rigid({ position: scale(i, shift), orientation: IDENTITY });
        const orientation = fromAxisAngle(about.axis, i * about.angle);
        return rigid({ position: sub(about.point, rotate(orientation, about.point)), orientation });
      }),
    );
  },
};

/** At the other side of a plane across x, y or z */
export const mirror: Command<{ readonly bodies: readonly string[] } & MirrorPlane> = {
  name: 'mirror',
  label: ({ bodies }) => `Mirror ${bodies.join(', ')}`,
  apply: (document, { bodies, axis, at }) =>
    withModel(document, (model) =>
      copied(model, bodies, 1, () => ({
        body: (body) => mirroredBody(body, { axis, at }),
        joint: (joint) => mirroredJoint(joint, { axis, at }),
      })),
    ),
};

/** What a copy is made by */
interface Copying {
  body(body: DataRecord): DataRecord;
  /** Undefined: it has none */
  joint(joint: DataRecord): DataRecord | undefined;
}

/** Everything moved as one: x' = r + R x */
const rigid = (by: Pose): Copying => ({
  body: (body) => {
    const pose = poseOf(body);
    return placed(body, {
      position: add(by.position, rotate(by.orientation, pose.position)),
      orientation: multiply(by.orientation, pose.orientation),
    });
  },
  joint: (joint) => carried(joint, { position: [0, 0, 0], orientation: IDENTITY }, by),
});

/** `count` copies of each body, the i-th as `make` has it, under free names; and of joints that join them to each other or to the ground. */
function copied(given: JsonModel, bodies: readonly string[], count: number, make: (i: number) => Copying): JsonModel {
  const own = elementsOf(given, 'bodies');
  for (const name of bodies)
    if (!isRecord(own[name])) throw new ModelError(`bodies.${name}`, 'there is no body of that name');
  const isOurs = (reference: unknown): boolean => typeof reference === 'string' && bodies.includes(bodyOf(reference));
  const isGround = (reference: unknown): boolean => reference === undefined || reference === GROUND;
  const joints = Object.entries(elementsOf(given, 'joints')).filter(
    (entry): entry is [string, DataRecord] =>
      isRecord(entry[1]) && isOurs(entry[1].body) && (isOurs(entry[1].to) || isGround(entry[1].to)),
  );
  let model = given;
  for (let i = 1; i <= count; i++) {
    const { body, joint } = make(i);
    const names = new Map<string, string>();
    for (const name of bodies) {
      const free = freeName(model, 'bodies', name);
      names.set(name, free);
      model = withElement(model, 'bodies', free, body(own[name] as DataRecord));
    }
    /** `arm.tip` of the copy */
    const renamed = (reference: unknown): string | undefined =>
      typeof reference === 'string' && names.has(bodyOf(reference))
        ? names.get(bodyOf(reference))! + reference.slice(bodyOf(reference).length)
        : undefined;
    for (const [name, value] of joints) {
      const made = joint(value);
      if (!made) continue;
      const spoken = Object.fromEntries(
        ['body', 'to', 'at'].flatMap((key) => {
          const text = renamed(made[key]);
          return text === undefined ? [] : [[key, text] as const];
        }),
      );
      model = withElement(model, 'joints', freeName(model, 'joints', name), { ...made, ...spoken });
    }
  }
  return model;
}
