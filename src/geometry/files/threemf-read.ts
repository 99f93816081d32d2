/**
 * Reads 3MF: a zip package with an XML model. Each mesh that the build section uses becomes a part, once for every
 * place it is used; meshes below an assembly are named `assembly/mesh`. Units come from the file, mm where it is silent
 * as the specification says. Lengths in mm, cm, m and µm are rounded once, see decimal-shift.ts.
 *
 * 3D Manufacturing Format, Core Specification 1.3; Open Packaging Conventions, ISO/IEC 29500-2.
 */
import { FileError } from '../../errors.js';
import type { CadDocument, CadPart, ReadOptions } from './cad-document.js';
import {
  type Affine,
  chain,
  DEEPEST_ASSEMBLY,
  IDENTITY_AFFINE,
  PlacementBudget,
  pathName,
  placeMesh,
} from './placement.js';
import { readModelPart, type ThreeMfModel, type ThreeMfObject, type ThreeMfPlace } from './threemf-read-model.js';
import { XmlScanner } from './threemf-read-xml.js';
import { openZip, type ZipArchive } from './threemf-read-zip.js';

/** @throws FileError naming the entry of the package and the line in it */
export function readThreeMf(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const { fileName } = options;
  const archive = openZip(bytes, fileName);
  const models = new Map<string, ThreeMfModel>();
  const notes = new Set<string>();
  const modelAt = (entry: string): ThreeMfModel => {
    let model = models.get(entry);
    if (!model) {
      model = readModelPart(archive.read(entry), entry, options);
      models.set(entry, model);
      for (const note of model.notes) notes.add(note);
    }
    return model;
  };

  const rootEntry = findRootModel(archive, fileName);
  const root = modelAt(rootEntry);
  const parts: CadPart[] = [];
  const budget = new PlacementBudget(fileName);

  /** Adds what one place holds, and everything below it. `open` lists the objects being placed, against cycles. */
  const place = (at: ThreeMfPlace, entry: string, outer: Affine, path: readonly string[], open: readonly string[]) => {
    const target = at.path === undefined ? entry : archive.find(at.path);
    if (target === undefined)
      throw new FileError(fileName, at.where, `the package has no entry "${at.path?.slice(0, 200)}"`);
    const object = modelAt(target).objects.get(at.objectId);
    if (!object)
      throw new FileError(
        fileName,
        at.where,
        `there is no object ${at.objectId.slice(0, 40)} in ${target.slice(0, 200)}`,
      );
    const key = `${target} ${at.objectId}`;
    if (open.includes(key))
      throw new FileError(fileName, at.where, `object ${at.objectId.slice(0, 40)} contains itself`);
    if (open.length >= DEEPEST_ASSEMBLY)
      throw new FileError(fileName, at.where, `components are nested deeper than ${DEEPEST_ASSEMBLY} levels`);
    budget.spend((object.mesh?.triangles.length ?? 0) / 3, at.where);
    if (object.type === 'support' || object.type === 'solidsupport') {
      notes.add('support structures for printing were skipped');
      return;
    }
    const transform = chain(outer, at.transform);
    const names = [...path, object.name ?? at.partNumber ?? ''];
    if (object.mesh) {
      const mesh = placeMesh(transform, object.mesh, fileName, at.where);
      const name = pathName(names, `object ${at.objectId}`);
      parts.push(object.colour ? { name, mesh, colour: object.colour } : { name, mesh });
    }
    for (const component of object.components) place(component, target, transform, names, [...open, key]);
  };
  const items = root.items.length > 0 ? root.items : wholeModel(root, rootEntry, notes);
  for (const item of items) place(item, rootEntry, IDENTITY_AFFINE, [], []);
  return { format: '3mf', unit: root.unit, unitFrom: root.unitFrom, parts, profiles: [], notes: [...notes] };
}

/** Without a build section: every object that no other uses, where it is. */
function wholeModel(model: ThreeMfModel, entry: string, notes: Set<string>): ThreeMfPlace[] {
  const used = new Set(
    [...model.objects.values()].flatMap((object: ThreeMfObject) =>
      object.components.filter((component) => component.path === undefined).map((component) => component.objectId),
    ),
  );
  const free = [...model.objects.keys()].filter((id) => !used.has(id));
  if (free.length > 0) notes.add('the build section is empty; all objects were taken where they are');
  return free.map((objectId) => ({
    objectId,
    path: undefined,
    transform: IDENTITY_AFFINE,
    partNumber: undefined,
    where: `${entry}, object ${objectId}`,
  }));
}

const MODEL_RELATIONSHIP = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';

/** The entry that the package's relationships name as the model, else the usual place. */
function findRootModel(archive: ZipArchive, fileName: string): string {
  const relationships = archive.find('_rels/.rels');
  if (relationships) {
    const scanner = new XmlScanner(archive.read(relationships), fileName, relationships);
    while (scanner.next()) {
      if (!scanner.opens || !scanner.is('Relationship') || scanner.text('Type') !== MODEL_RELATIONSHIP) continue;
      const target = scanner.text('Target') ?? '';
      const entry = archive.find(target);
      if (entry === undefined)
        throw scanner.error(`the package has no entry "${target.slice(0, 200)}", named as its model`);
      return entry;
    }
  }
  const usual = archive.find('3D/3dmodel.model') ?? archive.names.find((name) => /\.model$/i.test(name));
  if (usual === undefined)
    throw new FileError(fileName, '', 'expected a 3MF package, got a zip archive without a 3D model');
  return usual;
}
