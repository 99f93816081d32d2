/**
 * Reads STEP (AP203, AP214, AP242) and IGES by meshing their exact surfaces with Open CASCADE. Every solid becomes a
 * part, named `assembly/part` as the file's structure says, with its colour. The faces of a solid are meshed one by
 * one; joining their vertices, exactly and within 1e-9 of the part's size, closes it.
 *
 * The chord error is a distance; unless one is given it is 1/1000 of each curve's radius r, which an angle says for
 * all radii at once: a chord over the angle θ lies r (1 − cos θ/2) off its arc, so θ = 2 acos(1 − 1/1000).
 */
import { FileError, ModelError } from '../../errors.js';
import { acos } from '../../math/elementary.js';
import type { Colour } from '../solid.js';
import { openEdges } from '../topology.js';
import { meshBounds, type TriangleMesh, vertexAt } from '../triangle-mesh.js';
import { weldMesh } from '../weld.js';
import {
  type CadDocument,
  type CadPart,
  LENGTH_UNITS,
  type LengthUnit,
  type ReadOptions,
  unitNotes,
} from './cad-document.js';
import { GrowingUint32 } from './growing.js';
import { pathName } from './placement.js';
import { notOfFormat, openingText } from './recognise.js';
import { linearToSrgb } from './srgb.js';
import { checkIges } from './step-read-iges.js';
import { type OcctMesh, type OcctNode, type OcctRun, type OcctSource, runOcct } from './step-read-occt.js';
import { checkStep } from './step-read-structure.js';

export type StepReadOptions = ReadOptions & {
  /** Open CASCADE for a page, or what reads elsewhere; in Node it is found by itself. */
  readonly occt?: OcctSource | OcctRun;
};

/**
 * @throws FileError naming the entity or line, or the package to install
 * @example const { parts } = await readStep(bytes, { fileName: 'bracket.step', chordError: 20e-6 });
 */
export async function readStep(bytes: Uint8Array, options: StepReadOptions): Promise<CadDocument> {
  const { fileName: file, chordError } = options;
  if (chordError !== undefined && !(chordError >= LEAST_CHORD_ERROR))
    throw new ModelError('chordError', `expected a length ≥ ${LEAST_CHORD_ERROR} m, got ${chordError}`);
  const format = recognise(bytes, file);
  const notes = new Set<string>();
  const { unit, unitFrom, factor, otherFiles } = unitOf(bytes, format, options, notes);

  // Open CASCADE works with absolute tolerances of 1e-7, made for mm; so it gets mm, and always is told so.
  const result = await runOcct(
    bytes,
    format,
    chordError === undefined
      ? {
          linearUnit: 'millimeter',
          linearDeflectionType: 'bounding_box_ratio',
          linearDeflection: 1e-2,
          angularDeflection: 2 * acos(1 - 1e-3),
        }
      : {
          linearUnit: 'millimeter',
          linearDeflectionType: 'absolute_value',
          linearDeflection: (1000 * chordError) / factor,
          angularDeflection: 0.5,
        },
    options.occt,
    file,
  );
  if (!result.success) throw new FileError(file, '', noShape(otherFiles, 'shape in it; is it a drawing, or damaged?'));

  const parts: CadPart[] = [];
  const visit = (node: OcctNode, path: readonly string[]): void => {
    const names = [...path, node.name];
    for (const index of node.meshes) {
      const mesh = result.meshes[index];
      const name = pathName([...names, mesh.name], `solid ${parts.length + 1}`);
      const triangles = closeMesh(mesh, factor, file, name);
      if (triangles.triangles.length === 0) {
        notes.add(`"${name.slice(0, 100)}" has no surface and was skipped`);
        continue;
      }
      const [open] = openEdges(triangles, 1);
      if (open)
        notes.add(
          `"${name.slice(0, 100)}" is not closed, e.g. between (${vertexAt(triangles, open.from).join(', ')}) m and (${vertexAt(triangles, open.to).join(', ')}) m`,
        );
      const colour = colourOf(mesh, name, notes);
      parts.push(colour ? { name, mesh: triangles, colour } : { name, mesh: triangles });
    }
    for (const child of node.children) visit(child, names);
  };
  visit(result.root, []);
  if (parts.length === 0) throw new FileError(file, '', noShape(otherFiles, 'surface in it; is it a drawing?'));
  if (otherFiles.length > 0) notes.add(`parts in other files were not read: ${listed(otherFiles)}`);
  return { format, unit, unitFrom, parts, profiles: [], notes: [...notes] };
}

const noShape = (otherFiles: readonly string[], otherwise: string): string =>
  otherFiles.length > 0
    ? `is an assembly whose parts are in other files: ${listed(otherFiles)}; read those, or export it as one file`
    : `Open CASCADE finds no ${otherwise}`;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => `"${name.slice(0, 80)}"`)
    .join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');

/** m. Finer than Open CASCADE's own tolerance it cannot mesh. */
const LEAST_CHORD_ERROR = 1e-8;

function recognise(bytes: Uint8Array, file: string): 'step' | 'iges' {
  if (openingText(bytes).startsWith('ISO-10303-21')) return 'step';
  if (bytes.length > 72 && /[SGDPTCB]/.test(String.fromCharCode(bytes[72])) && !bytes.subarray(0, 72).some(isBreak))
    return 'iges';
  throw notOfFormat(bytes, file, 'STEP or IGES', '"ISO-10303-21;" or an IGES start record');
}

const isBreak = (c: number): boolean => c === 0x0a || c === 0x0d;

/** The unit of the file; `factor` multiplies lengths if the user says the file is wrong about it. */
function unitOf(
  bytes: Uint8Array,
  format: 'step' | 'iges',
  options: ReadOptions,
  notes: Set<string>,
): { unit: LengthUnit; unitFrom: CadDocument['unitFrom']; factor: number; otherFiles: readonly string[] } {
  let said: LengthUnit | undefined;
  let otherFiles: readonly string[] = [];
  if (format === 'step') {
    const { units, otherFiles: named } = checkStep(bytes, options.fileName);
    otherFiles = named;
    said = units[0];
    if (units.length > 1) notes.add(`the file uses several units: ${units.join(', ')}; each was respected`);
    if (units.length > 1 && options.unit)
      throw new FileError(
        options.fileName,
        '',
        `uses several units (${units.join(', ')}), so that one cannot be set for all`,
      );
  } else {
    const iges = checkIges(bytes, options.fileName);
    said = iges.unit;
    if (!said) notes.add(`lengths in the file are in ${iges.unitName.slice(0, 40)}`);
  }
  if (options.unit) {
    if (!said)
      throw new FileError(options.fileName, '', `has a unit of its own that is not known, so that none can be set`);
    for (const note of unitNotes(options, said)) notes.add(note);
    return {
      unit: options.unit,
      unitFrom: 'option',
      factor: LENGTH_UNITS[options.unit] / LENGTH_UNITS[said],
      otherFiles,
    };
  }
  if (said) return { unit: said, unitFrom: 'file', factor: 1, otherFiles };
  if (format === 'step')
    notes.add('the file names no unit of length that is known; Open CASCADE decided, mm where nothing is said');
  return { unit: 'mm', unitFrom: 'assumed', factor: 1, otherFiles };
}

/** Joins the separately meshed faces; mm → m. */
function closeMesh(mesh: OcctMesh, factor: number, file: string, name: string): TriangleMesh {
  const given = mesh.attributes.position.array;
  const vertices = new Float64Array(given.length);
  for (let i = 0; i < given.length; i++) {
    vertices[i] = (given[i] / 1000) * factor; // a division by 1000 is rounded once, a product with 0.001 twice
    if (!Number.isFinite(vertices[i]))
      throw new FileError(
        file,
        `"${name.slice(0, 100)}"`,
        `expected finite coordinates, got ${given[i]} from Open CASCADE`,
      );
  }
  const count = vertices.length / 3;
  const triangles = Uint32Array.from(mesh.index.array);
  if (triangles.some((corner) => corner >= count))
    throw new FileError(file, `"${name.slice(0, 100)}"`, 'Open CASCADE gave a triangle without vertices');
  const { min, max } = meshBounds({ vertices, triangles });
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const welded = weldMesh({ vertices, triangles }, count > 0 ? 1e-9 * size : 0);
  // At seams and poles triangles collapse to lines.
  const kept = new GrowingUint32(triangles.length);
  for (let t = 0; t < welded.triangles.length; t += 3) {
    const [a, b, c] = welded.triangles.subarray(t, t + 3);
    if (a !== b && b !== c && c !== a) kept.push3(a, b, c);
  }
  return { vertices: welded.vertices, triangles: kept.toArray() };
}

/** Colour of the solid, else of its faces if they agree. */
function colourOf(mesh: OcctMesh, name: string, notes: Set<string>): Colour | undefined {
  const faces = new Set(mesh.brep_faces.map((face) => face.color?.join(' ') ?? ''));
  if (faces.size > 1) notes.add(`"${name.slice(0, 100)}" has faces of several colours; one was kept`);
  const linear = mesh.color ?? mesh.brep_faces.find((face) => face.color)?.color;
  if (!linear) return undefined;
  return [linearToSrgb(linear[0]), linearToSrgb(linear[1]), linearToSrgb(linear[2]), 1];
}
