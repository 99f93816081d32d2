/**
 * The scene of a glTF file: which mesh is where.
 *
 * Khronos, glTF 2.0 specification, §3.5.
 */
import { FileError } from '../../errors.js';
import { indexOf, indicesOf, type JsonObject, numbersOf, objectsOf, textOf } from './gltf-read-json.js';
import { type Affine, chain, IDENTITY_AFFINE } from './placement.js';

const DEEPEST_SCENE = 500;

/** A mesh somewhere in the scene. */
export interface ScenePlace {
  readonly mesh: number;
  readonly name: string;
  readonly path: readonly string[];
  readonly transform: Affine;
  readonly where: string;
}

/** Nodes with meshes in the scene to be shown, in the order of the file's tree. */
export function placesOf(json: JsonObject, meshCount: number, file: string, notes: Set<string>): ScenePlace[] {
  const nodes = objectsOf(json, 'nodes', file);
  const scenes = objectsOf(json, 'scenes', file);
  const shown = indexOf(json, 'scene', scenes.length, 'scene', file) ?? 0;
  if (scenes.length > 1) notes.add(`scene ${shown} of ${scenes.length} was read`);
  let roots: readonly number[];
  if (scenes.length > 0) roots = indicesOf(scenes[shown], 'nodes', nodes.length, `scenes[${shown}]`, file);
  else {
    const children = new Set(
      nodes.flatMap((node, i) => indicesOf(node, 'children', nodes.length, `nodes[${i}]`, file)),
    );
    roots = nodes.map((_, i) => i).filter((i) => !children.has(i));
  }
  if (objectsOf(json, 'animations', file).length > 0) notes.add('animations were skipped');

  const places: ScenePlace[] = [];
  const seen = new Set<number>(); // nodes form a tree: one seen twice has two parents or is its own ancestor
  const visit = (index: number, outer: Affine, path: readonly string[], depth: number): void => {
    const where = `nodes[${index}]`;
    if (seen.has(index)) throw new FileError(file, where, 'is used twice in the scene, or contains itself');
    seen.add(index);
    if (depth > DEEPEST_SCENE) throw new FileError(file, where, `nodes are nested deeper than ${DEEPEST_SCENE} levels`);
    const node = nodes[index];
    const name = textOf(node, 'name', where, file) ?? '';
    const transform = chain(outer, transformOf(node, where, file));
    const mesh = indexOf(node, 'mesh', meshCount, where, file);
    if (mesh !== undefined) {
      if (node.skin !== undefined) notes.add(`${where}: the skin was skipped; the mesh is as modelled`);
      places.push({ mesh, name, path, transform, where });
    }
    const inner = [...path, name];
    for (const child of indicesOf(node, 'children', nodes.length, where, file))
      visit(child, transform, inner, depth + 1);
  };
  for (const root of roots) visit(root, IDENTITY_AFFINE, [], 0);
  return places;
}

/** T R S or a matrix in columns (§3.5.3). */
function transformOf(node: JsonObject, where: string, file: string): Affine {
  const m = numbersOf(node, 'matrix', 16, where, file);
  if (m) return [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]];
  const t = numbersOf(node, 'translation', 3, where, file);
  const q = numbersOf(node, 'rotation', 4, where, file);
  const s = numbersOf(node, 'scale', 3, where, file);
  if (!t && !q && !s) return IDENTITY_AFFINE;
  const [sx, sy, sz] = s ?? [1, 1, 1];
  const [tx, ty, tz] = t ?? [0, 0, 0];
  const [qx, qy, qz, qw] = q ?? [0, 0, 0, 1];
  const length = Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  if (!(length > 0.5 && length < 2))
    throw new FileError(file, `${where}.rotation`, `expected a unit quaternion, got length ${length}`);
  const [x, y, z, w] = [qx / length, qy / length, qz / length, qw / length];
  return [
    ...[(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy, 2 * (x * z + y * w) * sz, tx],
    ...[2 * (x * y + z * w) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - x * w) * sz, ty],
    ...[2 * (x * z - y * w) * sx, 2 * (y * z + x * w) * sy, (1 - 2 * (x * x + y * y)) * sz, tz],
  ];
}
