/** Copies of bodies: one beside the other, in a row or a circle, or mirrored. */
import { ModelError } from '../../errors.js';
import { fromAxisAngle, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { add, scale, sub } from '../../math/vec3.js';
import { type Data, type DataRecord, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { elementsOf, freeName, isRecord, type Vector, withElement } from './elements.js';
import { placed, poseOf } from './move.js';

export const duplicate: Command<{ readonly bodies: readonly string[]; readonly shift: Vector }> = {
  name: 'duplicate',
  label: ({ bodies }) => `Duplicate ${bodies.join(', ')}`,
  apply: (document, { bodies, shift }) =>
    withModel(document, (model) =>
      copied(model, bodies, 1, (body) => {
        const pose = poseOf(body);
        return placed(body, { ...pose, position: add(pose.position, shift) });
      }),
    ),
};

export interface Array_ {
  readonly bodies: readonly string[];
  /** How many in all */
  readonly count: number;
  /** m from one to the next, */
  readonly shift?: Vector;
  /** or a circle about an axis through a point: rad from one to the next */
  readonly about?: { readonly point: Vector; readonly axis: Vector; readonly angle: number };
}

const MOST_COPIES = 1000;

export const array: Command<Array_> = {
  name: 'array',
  label: ({ bodies, count }) => `Array of ${count} × ${bodies.join(', ')}`,
  apply: (document, { bodies, count, shift = [0, 0, 0], about }) => {
    if (!(Number.isInteger(count) && count >= 2 && count <= MOST_COPIES))
      throw new ModelError('array.count', `expected a whole number from 2 to ${MOST_COPIES}, got ${count}`);
    return withModel(document, (model) =>
      copied(model, bodies, count - 1, (body, i) => {
        const pose = poseOf(body);
        if (!about) return placed(body, { ...pose, position: add(pose.position, scale(i, shift)) });
        const turn = fromAxisAngle(about.axis, i * about.angle);
        return placed(body, {
          position: add(about.point, rotate(turn, sub(pose.position, about.point))),
          orientation: multiply(turn, pose.orientation),
        });
      }),
    );
  },
};

/**
 * At the other side of a plane across x, y or z. The copy's frame is turned so that every shape that has a plane of symmetry across that axis of its own stands right:
 * the mirror image of a turn (w, x, y, z) across x is (w, x, −y, −z). Others are mirrored in their own frame.
 */
export const mirror: Command<{ readonly bodies: readonly string[]; readonly axis: 0 | 1 | 2; readonly at: number }> = {
  name: 'mirror',
  label: ({ bodies }) => `Mirror ${bodies.join(', ')}`,
  apply: (document, { bodies, axis, at }) =>
    withModel(document, (model) =>
      copied(model, bodies, 1, (body) => {
        const { position, orientation } = poseOf(body);
        const there = position.map((x, k) => (k === axis ? 2 * at - x : x)) as unknown as Vector;
        const [w, ...turn] = orientation;
        const turned = turn.map((q, k) => (k === axis ? q : -q));
        const out = placed(body, { position: there, orientation: [w, ...turned] as unknown as Quaternion });
        return out.shape === undefined ? out : { ...out, shape: mirrored(out.shape, 'xyz'[axis] as 'x' | 'y' | 'z') };
      }),
    ),
};

/** Shapes that look the same in a mirror through their middle, across any of their axes */
const EVEN = ['sphere', 'ellipsoid', 'box', 'cylinder', 'tube', 'capsule', 'torus'];

/** The last of its moves; twice is not at all. */
function mirrored(shape: Data, axis: 'x' | 'y' | 'z'): Data {
  if (Array.isArray(shape)) return shape.map((item: Data) => mirrored(item, axis));
  if (!isRecord(shape)) return shape;
  const { moves, ...own } = shape;
  const before = Array.isArray(moves) ? (moves as readonly Data[]) : [];
  if (Object.keys(shape).length === 1 && EVEN.includes(Object.keys(shape)[0])) return shape;
  const last = before.at(-1);
  const isUndone = isRecord(last) && last.mirror === axis;
  const after = isUndone ? before.slice(0, -1) : [...before, { mirror: axis }];
  return after.length > 0 ? { ...own, moves: after } : own;
}

/** `count` copies of each body, the i-th as `make` has it, under free names. */
function copied(
  given: JsonModel,
  bodies: readonly string[],
  count: number,
  make: (body: DataRecord, i: number) => DataRecord,
): JsonModel {
  let model = given;
  for (let i = 1; i <= count; i++)
    for (const name of bodies) {
      const body = elementsOf(given, 'bodies')[name];
      if (!isRecord(body)) throw new ModelError(`bodies.${name}`, 'there is no body of that name');
      model = withElement(model, 'bodies', freeName(model, 'bodies', name), make(body, i));
    }
  return model;
}
