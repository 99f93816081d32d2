/** One part of several: united, the later cut from the first, or what they share. The others go, with what hangs on them. */
import { ModelError } from '../../errors.js';
import { conjugate, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { sub } from '../../math/vec3.js';
import { type Data, type DataRecord, type StudioDocument, sceneModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { elementsOf, isRecord, vectorAt, withElement } from './elements.js';
import { type Pose, poseOf } from './move.js';
import { remove } from './remove.js';

export const combine: Command<{
  readonly bodies: readonly string[];
  readonly kind: 'union' | 'subtract' | 'intersect';
}> = {
  name: 'combine',
  label: ({ bodies, kind }) =>
    `${{ union: 'Unite', subtract: 'Cut', intersect: 'Intersect' }[kind]} ${bodies.join(', ')}`,
  apply: (document, { bodies, kind }) => {
    const model = sceneModel(document);
    if (!model) return document;
    const [first, ...others] = bodies.map((name) => {
      const body = elementsOf(model, 'bodies')[name];
      if (!isRecord(body) || body.shape === undefined)
        throw new ModelError(`bodies.${name}`, 'has no shape to be combined');
      return { name, body };
    });
    const base = poseOf(first.body);
    const shapes = [first, ...others].flatMap(({ body, name }) =>
      [body.shape as Data].flat().map((shape) => seenFrom(shape as Data, poseOf(body), base, `bodies.${name}.shape`)),
    );
    const made: StudioDocument = withModel(document, (given) =>
      withElement(given, 'bodies', first.name, { ...first.body, shape: { [kind]: shapes } }),
    );
    return remove.apply(made, { paths: others.map(({ name }) => `bodies.${name}`) });
  },
};

/** A shape of one body in the frame of another: x' = B⁻¹ A x, with the turn and shift that it has already. */
function seenFrom(shape: Data, from: Pose, to: Pose, path: string): DataRecord {
  if (!isRecord(shape)) throw new ModelError(path, 'expected a shape');
  const back = conjugate(to.orientation);
  const turn = multiply(back, from.orientation);
  const shift = rotate(back, sub(from.position, to.position));
  const isHere = Math.hypot(...shift) < 1e-15 && Math.hypot(turn[1], turn[2], turn[3]) < 1e-15;
  if (isHere) return shape;
  const { rotate: own, translate: moved, ...rest } = shape;
  if (Array.isArray(rest.moves)) return { ...shape, moves: [...rest.moves, { rotate: turn }, { translate: shift }] };
  const ownTurn = poseOf({
    orientation: typeof own === 'number' ? { axis: [0, 0, 1], angle: own } : (own ?? null),
  }).orientation;
  const at = rotate(turn, vectorAt(moved));
  const q: Quaternion = multiply(turn, ownTurn);
  return { ...rest, rotate: q, translate: [at[0] + shift[0], at[1] + shift[1], at[2] + shift[2]] };
}
