/**
 * How a solid was made, kept beside it: a cylinder of these lengths, turned, moved, cut from another. What made it once makes it again, to the bit, so that a program's
 * solids can be written down as data (model/json-write.ts) without becoming meshes.
 *
 * A recipe belongs to a mesh together with the form and pose it was made with. Who takes a solid apart and puts another form beside its mesh has a solid that nobody made.
 */
import type { Affine } from './form-transform.js';
import type { Outline, Profile } from './profile.js';
import type { Form, Pose, Solid } from './solid.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A motion or stretch of a solid, with the words of transform.ts. */
export type Move =
  | { readonly translate: readonly number[] }
  | { readonly rotate: unknown; readonly centre?: readonly number[] }
  | { readonly scale: number | readonly number[] }
  | { readonly mirror: string | readonly number[] }
  | { readonly transform: Affine };

export type Recipe =
  /** By a function of these lengths */
  | { readonly kind: 'made'; readonly by: string; readonly size: Readonly<Record<string, unknown>> }
  | { readonly kind: 'combined'; readonly by: 'union' | 'subtract' | 'intersect'; readonly of: readonly Recipe[] }
  | { readonly kind: 'moved'; readonly what: Recipe; readonly by: Move }
  /** Nothing is known of how it was made */
  | { readonly kind: 'mesh'; readonly mesh: TriangleMesh };

const RECIPES = new WeakMap<TriangleMesh, { readonly recipe: Recipe; readonly form: Form; readonly pose: Pose }>();

/** The solid, of which it is known from now on how it was made. */
export function noted(solid: Solid, recipe: Recipe): Solid {
  RECIPES.set(solid.mesh, { recipe, form: solid.form, pose: solid.pose });
  return solid;
}

export const madeBy = (by: string, size: Readonly<Record<string, unknown>>, solid: Solid): Solid =>
  noted(solid, { kind: 'made', by, size });

export function movedBy(by: Move, from: Solid, solid: Solid): Solid {
  const what = recipeOf(from);
  return what ? noted(solid, { kind: 'moved', what, by }) : solid;
}

/** Undefined where an exact form is known, but not how to get it. */
export function recipeOf({ mesh, form, pose }: Solid): Recipe | undefined {
  const found = RECIPES.get(mesh);
  if (found?.form === form && found.pose === pose) return found.recipe;
  return form.kind === 'mesh' ? { kind: 'mesh', mesh } : undefined;
}

/** A plane figure as sizes of what is made of it. */
export const figureSize = (figure: Outline | Profile): { outline: Outline; holes?: readonly Outline[] } =>
  'outer' in figure ? { outline: figure.outer, holes: figure.holes } : { outline: figure };
