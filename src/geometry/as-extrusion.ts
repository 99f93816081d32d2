/** Boxes and cylinders are straight extrusions of their figure, too. */
import { rotate } from '../math/quaternion.js';
import { add } from '../math/vec3.js';
import { circle } from './circle-outline.js';
import type { Profile } from './profile.js';
import { noted, recipeOf } from './recipe.js';
import type { Form, Solid } from './solid.js';

/** The same solid with the form of an extrusion along its z: itself if it has that form, or one that is no extrusion. */
export function asExtrusion(solid: Solid): Solid {
  const { form, pose, mesh } = solid;
  if (form.kind !== 'box' && form.kind !== 'cylinder') return solid;
  const height = form.kind === 'box' ? form.size[2] : form.height;
  const extruded: Form = { kind: 'extrusion', profile: figureOf(form), height };
  const position = add(pose.position, rotate(pose.orientation, [0, 0, -height / 2]));
  // Its own mesh beside its own form: what is written down of the first one stays with that
  const made: Solid = { ...solid, mesh: { ...mesh }, form: extruded, pose: { ...pose, position } };
  const recipe = recipeOf(solid);
  return recipe ? noted(made, recipe) : made;
}

function figureOf(form: Extract<Form, { kind: 'box' | 'cylinder' }>): Profile {
  if (form.kind === 'cylinder') return { outer: circle(form.radius), holes: [] };
  const [x, y] = [form.size[0] / 2, form.size[1] / 2];
  return {
    outer: [
      [-x, -y],
      [x, -y],
      [x, y],
      [-x, y],
    ],
    holes: [],
  };
}
