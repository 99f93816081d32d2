/** Grains as bodies of the engine. */
import { rotate } from '../../math/quaternion.js';
import { sub } from '../../math/vec3.js';
import type { NewGrain } from '../bed.js';
import { type GrainForms, scaledShape } from '../shapes/grain-forms.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import type { GrainBody } from './grain-arrays.js';

/** @param forms of each species; shapes of one size are made once */
export function bodiesFor(forms: readonly GrainForms[]): (grain: NewGrain) => GrainBody {
  const shapes = new Map<string, GrainShape>();
  return ({ kind, form = 0, radius, density, position, orientation, velocity, spin }) => {
    const key = `${kind} ${form} ${radius}`;
    let shape = shapes.get(key);
    if (!shape) shapes.set(key, (shape = scaledShape(forms[kind].shapes[form], radius)));
    const turn = orientation ?? [1, 0, 0, 0];
    return {
      shape,
      species: kind,
      density,
      position: sub(position, rotate(turn, shape.centre)),
      orientation: turn,
      ...(velocity && { velocity }),
      ...(spin && { angularVelocity: spin }),
    };
  };
}
