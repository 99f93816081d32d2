/**
 * Shapes of a scene, each once: solids that were made again and again with the same measures have the same vertices, bit by bit, and
 * share one place. So 5050 balls have one shape, however they were written.
 */
import { outlineHasArcs } from '../../geometry/outline.js';
import type { Form, Solid } from '../../geometry/solid.js';
import type { ExactForm, SceneShape } from '../scene.js';

export class ShapeList {
  readonly list: SceneShape[] = [];
  readonly #known = new Map<Solid['mesh'], { readonly form: Solid['form']; readonly place: number }>();
  readonly #alike = new Map<string, number[]>();

  /** The place of a solid's shape among all, where it is added if it is new. */
  place(solid: Solid): number {
    const { mesh, form } = solid;
    const coloured = solid.triangleColours !== undefined || solid.vertexColours !== undefined;
    const known = this.#known.get(mesh);
    if (known && known.form === form && !coloured) return known.place;
    const shape: SceneShape = {
      vertices: mesh.vertices,
      triangles: mesh.triangles,
      form: form.kind,
      ...(form.kind === 'sphere' && { radius: form.radius }),
      ...(isExact(form) && { exact: { form, pose: solid.pose } }),
      ...(solid.triangleColours && { triangleColours: solid.triangleColours }),
      ...(solid.vertexColours && { vertexColours: solid.vertexColours }),
    };
    const key = sketch(shape);
    let alike = this.#alike.get(key);
    if (!alike) this.#alike.set(key, (alike = []));
    let place = alike.find((other) => isSame(this.list[other], shape));
    if (place === undefined) {
      place = this.list.push(shape) - 1;
      alike.push(place);
    }
    if (!coloured) this.#known.set(mesh, { form, place });
    return place;
  }
}

const EXACT: ReadonlySet<string> = new Set<ExactForm['kind']>([
  'sphere',
  'ellipsoid',
  'cylinder',
  'capsule',
  'frustum',
  'halfSpace',
]);
const isExact = (form: Form): form is ExactForm =>
  form.kind === 'extrusion' ? [form.profile.outer, ...form.profile.holes].some(outlineHasArcs) : EXACT.has(form.kind);

/** Enough of a shape to tell most from each other. */
function sketch({ vertices, triangles, form, exact }: SceneShape): string {
  const n = vertices.length;
  const some = [0, 1, 2, n >> 2, (n >> 2) + 1, n >> 1, (n >> 1) + 1, n - 3, n - 2, n - 1].map((i) => vertices[i]);
  return [form, JSON.stringify(exact?.form), n, triangles.length, ...some].join();
}

const isSame = (a: SceneShape, b: SceneShape): boolean =>
  a.form === b.form &&
  JSON.stringify(a.exact) === JSON.stringify(b.exact) &&
  equalNumbers(a.vertices, b.vertices) &&
  equalPlaces(a.triangles, b.triangles) &&
  equalColours(a.triangleColours, b.triangleColours) &&
  equalColours(a.vertexColours, b.vertexColours);

// One loop for each type of array: a loop that sees several types is ten times slower.
function equalNumbers(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

function equalPlaces(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

const equalColours = (a?: Uint8Array, b?: Uint8Array): boolean =>
  a === b || (a?.length === b?.length && (a?.every((x, i) => x === b?.[i]) ?? false));
