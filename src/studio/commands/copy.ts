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
 * the mirror image of a turn (w, x, y, z) across x is (w, x, −y, −z). Shapes without one are handed, and are refused.
 */
export const mirror: Command<{ readonly bodies: readonly string[]; readonly axis: 0 | 1 | 2; readonly at: number }> = {
  name: 'mirror',
  label: ({ bodies }) => `Mirror ${bodies.join(', ')}`,
  apply: (document, { bodies, axis, at }) =>
    withModel(document, (model) =>
      copied(model, bodies, 1, (body, _, name) => {
        const { position, orientation } = poseOf(body);
        const there = position.map((x, k) => (k === axis ? 2 * at - x : x)) as unknown as Vector;
        const [w, ...turn] = orientation;
        const turned = turn.map((q, k) => (k === axis ? q : -q));
        const out = placed(body, { position: there, orientation: [w, ...turned] as unknown as Quaternion });
        return out.shape === undefined ? out : { ...out, shape: mirrored(out.shape, axis, `bodies.${name}.shape`) };
      }),
    ),
};

/** Shapes that look the same in a mirror through their middle, across any of their axes */
const EVEN = ['sphere', 'ellipsoid', 'box', 'cylinder', 'tube', 'capsule', 'torus'];
/** Shapes that do across x and y only */
const UPRIGHT = ['cone', 'frustum'];

function mirrored(shape: Data, axis: 0 | 1 | 2, path: string): Data {
  if (Array.isArray(shape)) return shape.map((item: Data, i) => mirrored(item, axis, `${path}[${i}]`));
  if (!isRecord(shape)) return shape;
  const { rotate: turn, translate: shift, ...own } = shape;
  const [kind] = Object.keys(own);
  const flip = (v: Data | undefined): Data =>
    Array.isArray(v) ? v.map((x, k) => (k === axis ? -(x as number) : x)) : 0;
  const placing = {
    ...(shift !== undefined && { translate: flip(shift) }),
    ...(turn !== undefined && { rotate: mirroredTurn(turn, axis) }),
  };
  if (kind === 'extrude' && axis !== 2 && isRecord(own.extrude))
    return { extrude: mirroredOutline(own.extrude, axis), ...placing };
  if (EVEN.includes(kind) || (UPRIGHT.includes(kind) && axis !== 2)) return { ...own, ...placing };
  throw new ModelError(
    path,
    `a ${kind} has no mirror image that is the same shape across ${'xyz'[axis]}; mirror its sketch, or across another axis`,
  );
}

function mirroredTurn(turn: Data, axis: 0 | 1 | 2): Data {
  if (typeof turn === 'number') return axis === 2 ? turn : -turn;
  if (Array.isArray(turn) && turn.length === 4) {
    const [w, ...v] = turn as number[];
    return [w, ...v.map((q, k) => (k === axis ? q : -q))];
  }
  if (isRecord(turn) && Array.isArray(turn.axis))
    return { ...turn, axis: (turn.axis as number[]).map((q, k) => (k === axis ? q : -q)) };
  return turn;
}

/** Corners the other way round, so that they stay counter-clockwise; the bulge of an edge goes to its other end and keeps its side. */
function mirroredOutline(extrude: DataRecord, axis: 0 | 1): DataRecord {
  const flip = (corners: Data): Data => {
    if (!Array.isArray(corners)) return corners;
    const list = corners as unknown as readonly (readonly number[])[];
    return list.map((_, i) => {
      const at = list.length - 1 - i;
      const [x, y] = list[at];
      const bulge = list[(at + list.length - 1) % list.length][2];
      const point = axis === 0 ? [-x, y] : [x, -y];
      return bulge === undefined || bulge === 0 ? point : [...point, bulge];
    });
  };
  const { outline, holes } = extrude;
  return {
    ...extrude,
    ...(outline !== undefined && { outline: flip(outline) }),
    ...(Array.isArray(holes) && { holes: holes.map(flip) }),
  };
}

/** `count` copies of each body, the i-th as `make` has it, under free names. */
function copied(
  given: JsonModel,
  bodies: readonly string[],
  count: number,
  make: (body: DataRecord, i: number, name: string) => DataRecord,
): JsonModel {
  let model = given;
  for (let i = 1; i <= count; i++)
    for (const name of bodies) {
      const body = elementsOf(given, 'bodies')[name];
      if (!isRecord(body)) throw new ModelError(`bodies.${name}`, 'there is no body of that name');
      model = withElement(model, 'bodies', freeName(model, 'bodies', name), make(body, i, name));
    }
  return model;
}
