/**
 * Constructive solid geometry: solids joined, cut and intersected, many at once.
 *
 * The result is closed and oriented, whatever touches whatever. A vertex of the result that is a vertex of an operand
 * has exactly its coordinates; where surfaces cross, new vertices are right to about 1e-15 of the size of all
 * operands together. Edges shorter than 1e-12 of that size are collapsed. Elmqvist et al. (2015), §2.4.
 */
import { ModelError } from '../../errors.js';
import { noted, type Recipe, recipeOf } from '../recipe.js';
import { ORIGIN, type Solid } from '../solid.js';
import { meshBounds, type TriangleMesh } from '../triangle-mesh.js';
import { fromManifold, toManifold } from './double-precision.js';
import { fromLocal, localFrame, toLocal } from './local-frame.js';
import { type BooleanOperation, withManifold } from './manifold.js';
import { checkOperand, meshOf, type Operand } from './operand.js';
import { asPrism, commonPrism } from './prism.js';
import { piecesOf, profileWithArcs, stackOf } from './prisms.js';

/**
 * All that is in any of the solids.
 *
 * @param solids closed and oriented; they may touch, overlap, or be apart
 * @throws ModelError if one is open or inside out, saying which and where
 * @example const dumbbell = union(box([0.2, 0.02, 0.02]), translate([0.1, 0, 0], sphere(0.03)), translate([-0.1, 0, 0], sphere(0.03)));
 */
export const union = (...solids: readonly Operand[]): Solid => combine('Union', 'union', solids);

/**
 * All of `solid` that is in none of the tools. Let a tool that cuts through reach beyond the surface: where its face
 * lies in a face of the solid, rounding decides whether a film of no thickness stays.
 *
 * @throws ModelError if one is open or inside out, saying which and where; operand 1 is `solid`
 * @example const washer = subtract(cylinder(0.01, 0.002), cylinder(0.005, 0.003));
 */
export const subtract = (solid: Operand, ...tools: readonly Operand[]): Solid =>
  combine('Difference', 'subtract', [solid, ...tools]);

/**
 * All that is in every one of the solids. If they have nothing in common, the result has no triangles and volume 0.
 *
 * @throws ModelError if one is open or inside out, saying which and where
 * @example const overlap = intersect(gear, rack);
 */
export const intersect = (...solids: readonly Operand[]): Solid => combine('Intersection', 'intersect', solids);

function combine(
  operation: BooleanOperation,
  name: 'union' | 'subtract' | 'intersect',
  operands: readonly Operand[],
): Solid {
  if (operands.length === 0) throw new ModelError(name, 'expected at least one solid, got none');
  const path = (i: number) => `${name}, operand ${i + 1} of ${operands.length}`;

  for (const [i, operand] of operands.entries()) checkOperand(operand, path(i));
  const first = operands[0];
  if (operands.length === 1) return 'mesh' in first ? first : { mesh: first, form: { kind: 'mesh' }, pose: ORIGIN };
  const mesh = operate(operation, name, operands.map(meshOf), path);
  const colour = 'mesh' in first && first.colour ? { colour: first.colour } : {};
  const solid: Solid = { ...(prismatic(operation, name, operands, mesh) ?? meshOnly(mesh)), ...colour };
  const recipes = operands.map((operand) => ('mesh' in operand ? recipeOf(operand) : fromMesh(operand)));
  return recipes.every((recipe) => recipe !== undefined)
    ? noted(solid, { kind: 'combined', by: name, of: recipes })
    : solid;
}

/** The operation on meshes, in a frame in which nothing is far away. */
function operate(
  operation: BooleanOperation,
  name: string,
  meshes: readonly TriangleMesh[],
  path: (i: number) => string,
): TriangleMesh {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const mesh of meshes) {
    const bounds = meshBounds(mesh);
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], bounds.min[k]);
      max[k] = Math.max(max[k], bounds.max[k]);
    }
  }
  const frame = localFrame(min, max);
  return withManifold(name, (module, keep) => {
    const solids = keep(new module.Vector_manifold());
    meshes.forEach(({ vertices, triangles }, i) => {
      solids.push_back(keep(toManifold(module, toLocal(frame, vertices), triangles, path(i))));
    });
    const { vertices, triangles } = fromManifold(keep(module[`_manifold${operation}N`](solids)), name);
    return { vertices: fromLocal(frame, vertices), triangles };
  });
}

const meshOnly = (mesh: TriangleMesh): Solid => ({ mesh, form: { kind: 'mesh' }, pose: ORIGIN });

/** What is known of the result where all operands are prisms along z: one prism with its outline, or those it consists of. */
function prismatic(
  operation: BooleanOperation,
  name: string,
  operands: readonly Operand[],
  mesh: TriangleMesh,
): Solid | undefined {
  const pieces = piecesOf(operands);
  if (!pieces || mesh.triangles.length === 0) return undefined;
  const range = commonPrism(operation, operands);
  const prism = range && asPrism(mesh, range);
  if (prism?.form.kind === 'extrusion') {
    const profile = profileWithArcs(prism.form.profile, pieces);
    return profile === prism.form.profile ? prism : { ...prism, form: { ...prism.form, profile } };
  }
  const prisms = stackOf(operation, pieces, (meshes) => operate(operation, name, meshes, (i) => `${name}, layer ${i}`));
  return prisms && prisms.length > 0 ? { ...meshOnly(mesh), prisms } : undefined;
}

const fromMesh = (mesh: TriangleMesh): Recipe => ({ kind: 'mesh', mesh });
