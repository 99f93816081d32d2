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
import { countOf, indexOf, type JsonObject, numbersOf, objectOf, objectsOf, textOf } from './gltf-read-json.js';
import { placesOf } from './gltf-read-scene.js';
import { GrowingUint32 } from './growing.js';
import { type Affine, chain, PlacementBudget, pathName, placeMesh } from './placement.js';
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

/**
 * @throws FileError naming the element, e.g. `accessors[3]`
 * @example await readGltf(bytes, { fileName: 'part.gltf', companion: (name) => files.get(name) })
 */
export async function readGltf(bytes: Uint8Array, options: GltfReadOptions): Promise<CadDocument> {
  const { fileName: file } = options;
  const notes = new Set<string>();
  // Before the buffers are looked for: those of compressed files need not be there.
  const container = openGltf(bytes, file, options.companion, (json) => checkExtensions(json, file, notes));
  const { json } = container;
  const meshes = objectsOf(json, 'meshes', file);
  const places = placesOf(json, meshes.length, file, notes);

  // Which accessors the meshes in the scene use
  const uses = new Map<number, AccessorUse>();
  const used = [...new Set(places.map((place) => place.mesh))].sort((a, b) => a - b);
  const primitives = new Map(used.map((mesh) => [mesh, primitivesOf(json, meshes[mesh], mesh, file, notes, uses)]));
  const accessors = readAccessors(container, uses, file);

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
