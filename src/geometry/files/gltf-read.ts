/**
 * Reads glTF 2.0, .glb or .gltf. Every node with a mesh becomes a part, at its place in the scene, named by the nodes
 * above it; vertices at the same place are joined, since glTF repeats them along sharp edges.
 *
 * glTF is in metres with y up; ours is z up as in mechanical CAD. So (x, y, z) of the file becomes (x, −z, y), and a
 * part that stands in a glTF viewer stands here. The writer does the reverse, so round trips change nothing.
 *
 * Khronos, glTF 2.0 specification.
 */
import { FileError } from '../../errors.js';
import type { Colour } from '../solid.js';
import { joinMeshes, type TriangleMesh } from '../triangle-mesh.js';
import { weldMesh } from '../weld.js';
import { type CadDocument, type CadPart, chooseUnit, type ReadOptions } from './cad-document.js';
import { type Accessors, type AccessorUse, readAccessors } from './gltf-read-accessors.js';
import { type Companion, openGltf } from './gltf-read-container.js';
import {
  countOf,
  indexOf,
  indicesOf,
  type JsonObject,
  numbersOf,
  objectOf,
  objectsOf,
  textOf,
} from './gltf-read-json.js';
import { GrowingUint32 } from './growing.js';
import { type Affine, chain, IDENTITY_AFFINE, PlacementBudget, pathName, placeMesh } from './placement.js';
import { linearToSrgb } from './srgb.js';
import { UsedVertices } from './used-vertices.js';

export type GltfReadOptions = ReadOptions & {
  /** Gives the bytes of a file that the .gltf names, e.g. `part.bin`. */
  readonly companion?: Companion;
};

/** Extensions that change where vertices are, in a way we cannot follow. */
const COMPRESSION = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'];
/** Required extensions that are no obstacle: quantised positions are read, materials and textures are not needed. */
const HARMLESS =
  /^KHR_(mesh_quantization|accessor_float64|materials_\w+|texture_\w+|lights_punctual)$|^EXT_texture_\w+$/;
const DEEPEST_SCENE = 500;

/**
 * @throws FileError naming the element, e.g. `accessors[3]`
 * @example await readGltf(bytes, { fileName: 'part.gltf', companion: (name) => files.get(name) })
 */
export async function readGltf(bytes: Uint8Array, options: GltfReadOptions): Promise<CadDocument> {
  const { fileName: file } = options;
  const container = openGltf(bytes, file, options.companion);
  const { json } = container;
  const notes = new Set<string>();
  checkExtensions(json, file, notes);
  const meshes = objectsOf(json, 'meshes', file);
  const places = placesOf(json, meshes.length, file, notes);

  // Which accessors the meshes in the scene use
  const uses = new Map<number, AccessorUse>();
  const used = [...new Set(places.map((place) => place.mesh))].sort((a, b) => a - b);
  const primitives = new Map(used.map((mesh) => [mesh, primitivesOf(json, meshes[mesh], mesh, file, notes, uses)]));
  const accessors = await readAccessors(container, uses, file);

  const { unit, unitFrom, scale } = chooseUnit(options, 'm');
  const budget = new PlacementBudget(file);
  const local = new Map<number, { mesh: TriangleMesh; colour: Colour | undefined }>();
  const parts: CadPart[] = [];
  for (const place of places) {
    let shape = local.get(place.mesh);
    if (!shape) {
      const list = primitives.get(place.mesh)!;
      const mesh = meshOfPrimitives(list, accessors, file, budget);
      shape = { mesh, colour: colourOf(list, json, `meshes[${place.mesh}]`, accessors, file, notes) };
      local.set(place.mesh, shape);
    }
    budget.spend(shape.mesh.triangles.length / 3, place.where);
    if (shape.mesh.triangles.length === 0) continue;
    const name = pathName([...place.path, place.name || meshName(meshes[place.mesh], file)], `mesh ${place.mesh}`);
    // z up: x′ = x, y′ = −z, z′ = y
    const upright: Affine = [scale, 0, 0, 0, 0, 0, -scale, 0, 0, scale, 0, 0];
    const mesh = withoutNegativeZero(placeMesh(chain(upright, place.transform), shape.mesh, file, place.where));
    parts.push(shape.colour ? { name, mesh, colour: shape.colour } : { name, mesh });
  }
  return { format: container.format, unit, unitFrom, parts, profiles: [], notes: [...notes] };
}

const meshName = (mesh: JsonObject, file: string): string => textOf(mesh, 'name', 'meshes', file) ?? '';

function checkExtensions(json: JsonObject, file: string, notes: Set<string>): void {
  const names = (key: string): string[] =>
    Array.isArray(json[key]) ? json[key].filter((x) => typeof x === 'string') : [];
  for (const name of names('extensionsRequired')) {
    if (COMPRESSION.includes(name))
      throw new FileError(
        file,
        'extensionsRequired',
        `is compressed by ${name}, which is not read; export it uncompressed`,
      );
    if (!HARMLESS.test(name))
      throw new FileError(
        file,
        'extensionsRequired',
        `needs ${name.slice(0, 60)}, which is not read; export it without`,
      );
  }
  if (names('extensionsUsed').includes('EXT_mesh_gpu_instancing'))
    notes.add('instances by EXT_mesh_gpu_instancing were skipped; one of each was read');
}

/** A mesh somewhere in the scene. */
interface ScenePlace {
  readonly mesh: number;
  readonly name: string;
  readonly path: readonly string[];
  readonly transform: Affine;
  readonly where: string;
}

/** Nodes with meshes in the scene to be shown, in the order of the file's tree. */
function placesOf(json: JsonObject, meshCount: number, file: string, notes: Set<string>): ScenePlace[] {
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

/** The triangles of one material. */
interface Primitive {
  readonly where: string;
  readonly position: number;
  readonly indices: number | undefined;
  /** 4 triangles, 5 strip, 6 fan */
  readonly mode: number;
  readonly material: number | undefined;
}

/** Primitives of a mesh that have triangles; notes in `uses` what they need. */
function primitivesOf(
  json: JsonObject,
  mesh: JsonObject,
  meshIndex: number,
  file: string,
  notes: Set<string>,
  uses: Map<number, AccessorUse>,
): Primitive[] {
  const accessors = objectsOf(json, 'accessors', file);
  const materialCount = objectsOf(json, 'materials', file).length;
  const list: Primitive[] = [];
  objectsOf(mesh, 'primitives', file, `meshes[${meshIndex}]`).forEach((primitive, i) => {
    const where = `meshes[${meshIndex}].primitives[${i}]`;
    const mode = countOf(primitive, 'mode', where, file) ?? 4;
    if (mode > 6) throw new FileError(file, `${where}.mode`, `expected 0 to 6, got ${mode}`);
    if (mode < 4) {
      notes.add('points and lines were skipped');
      return;
    }
    const attributes = objectOf(primitive, 'attributes', where, file) ?? {};
    const position = indexOf(attributes, 'POSITION', accessors.length, `${where}.attributes`, file);
    const indices = indexOf(primitive, 'indices', accessors.length, where, file);
    const extensions = objectOf(primitive, 'extensions', where, file) ?? {};
    const compressed = COMPRESSION.find((name) => Object.hasOwn(extensions, name));
    if (compressed && (position === undefined || accessors[position].bufferView === undefined))
      throw new FileError(file, where, `is compressed by ${compressed}, which is not read; export it uncompressed`);
    if (position === undefined) return; // the specification has such a primitive ignored
    if (primitive.targets !== undefined) notes.add(`${where}: morph targets were skipped`);
    if (attributes.COLOR_0 !== undefined) notes.add('colours of single vertices were skipped');
    note(uses, position, 'POSITION', file);
    if (indices !== undefined) note(uses, indices, 'indices', file);
    list.push({ where, position, indices, mode, material: indexOf(primitive, 'material', materialCount, where, file) });
  });
  return list;
}

function note(uses: Map<number, AccessorUse>, index: number, use: AccessorUse, file: string): void {
  if ((uses.get(index) ?? use) !== use)
    throw new FileError(file, `accessors[${index}]`, 'is used for positions and for indices');
  uses.set(index, use);
}

/** All primitives of a mesh as one, vertices at the same place joined. Those that share an accessor share its vertices. */
function meshOfPrimitives(
  list: readonly Primitive[],
  accessors: Accessors,
  file: string,
  budget: PlacementBudget,
): TriangleMesh {
  const groups = new Map<number, Primitive[]>();
  for (const primitive of list) {
    const group = groups.get(primitive.position);
    if (group) group.push(primitive);
    else groups.set(primitive.position, [primitive]);
  }
  const meshes = Array.from(groups, ([position, group]) => {
    const vertices = new Float64Array(accessors(position));
    budget.spend(vertices.length / 3, group[0].where);
    for (let i = 0; i < vertices.length; i++)
      if (!Number.isFinite(vertices[i]))
        throw new FileError(
          file,
          `accessors[${position}], vertex ${Math.floor(i / 3)}`,
          `expected a finite coordinate, got ${vertices[i]}`,
        );
    const triangles = new GrowingUint32();
    for (const primitive of group) addTriangles(primitive, vertices.length / 3, accessors, triangles, file, budget);
    return new UsedVertices(vertices).mesh(triangles.toArray());
  });
  return weldMesh(joinMeshes(meshes));
}

function addTriangles(
  { where, indices, mode }: Primitive,
  vertexCount: number,
  accessors: Accessors,
  triangles: GrowingUint32,
  file: string,
  budget: PlacementBudget,
): void {
  const given = indices === undefined ? undefined : accessors(indices);
  const n = given ? given.length : vertexCount;
  budget.spend(mode === 4 ? n / 3 : n, where);
  const corner = (i: number): number => {
    const index = given ? given[i] : i;
    if (!(index < vertexCount))
      throw new FileError(
        file,
        `${where}.indices, number ${i}`,
        `expected a vertex below ${vertexCount}, got ${index}`,
      );
    return index;
  };
  if (mode === 4) {
    if (n % 3 !== 0) throw new FileError(file, where, `expected three corners for each triangle, got ${n} in all`);
    for (let i = 0; i < n; i += 3) triangles.push3(corner(i), corner(i + 1), corner(i + 2));
  } else
    for (let i = 0; i + 2 < n; i++) {
      // §3.7.2.1: a strip turns every other triangle round, a fan keeps the first corner
      if (mode === 6) triangles.push3(corner(i + 1), corner(i + 2), corner(0));
      else triangles.push3(corner(i), corner(i + 1 + (i % 2)), corner(i + 2 - (i % 2)));
    }
}

/** A part has one colour: that of the material with most triangles. */
function colourOf(
  list: readonly Primitive[],
  json: JsonObject,
  where: string,
  accessors: Accessors,
  file: string,
  notes: Set<string>,
): Colour | undefined {
  const count = (p: Primitive) =>
    p.indices === undefined ? accessors(p.position).length / 3 : accessors(p.indices).length;
  const largest = list.reduce<Primitive | undefined>((a, b) => (a && count(a) >= count(b) ? a : b), undefined);
  if (new Set(list.map((primitive) => primitive.material)).size > 1)
    notes.add(`${where}: of several materials the colour of the largest was kept`);
  if (largest?.material === undefined) return undefined;
  const at = `materials[${largest.material}]`;
  const material = objectsOf(json, 'materials', file)[largest.material];
  const metallic = objectOf(material, 'pbrMetallicRoughness', at, file) ?? {};
  if (metallic.baseColorTexture !== undefined) notes.add('textures were skipped');
  const factor = numbersOf(metallic, 'baseColorFactor', 4, `${at}.pbrMetallicRoughness`, file) ?? [1, 1, 1, 1];
  const isOpaque = (textOf(material, 'alphaMode', at, file) ?? 'OPAQUE') === 'OPAQUE';
  const opacity = isOpaque ? 1 : Math.min(1, Math.max(0, factor[3]));
  return [linearToSrgb(factor[0]), linearToSrgb(factor[1]), linearToSrgb(factor[2]), opacity];
}

/** −0 becomes 0: turning the axes makes one of every 0. */
function withoutNegativeZero(mesh: TriangleMesh): TriangleMesh {
  const { vertices } = mesh;
  for (let i = 0; i < vertices.length; i++) vertices[i] += 0;
  return mesh;
}
