/** What a CAD file holds once it is read: parts as meshes and outlines as polygons, in metres. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import type { Profile } from '../profile.js';
import type { Colour } from '../solid.js';
import type { SolidMesh } from '../solid-mesh.js';
import type { TriangleMesh } from '../triangle-mesh.js';

/** Metres per unit. */
export const LENGTH_UNITS = { m: 1, cm: 1e-2, mm: 1e-3, um: 1e-6, km: 1e3, in: 0.0254, ft: 0.3048 } as const;
export type LengthUnit = keyof typeof LENGTH_UNITS;

export interface CadPart {
  readonly name: string;
  /** m; as the file has it: not welded beyond what the reader says, perhaps open */
  readonly mesh: TriangleMesh;
  readonly colour?: Colour;
  /** Where colours vary: as in a Solid */
  readonly triangleColours?: Uint8Array;
  readonly vertexColours?: Uint8Array;
  /** Of files that mesh the inside, too */
  readonly tetrahedra?: SolidMesh;
}

export interface CadProfile {
  /** Layer or path the outline was on. */
  readonly name: string;
  /** m */
  readonly profile: Profile;
}

export type CadFormat =
  | 'stl'
  | 'obj'
  | 'ply'
  | '3mf'
  | 'gltf'
  | 'glb'
  | 'vrml'
  | 'step'
  | 'iges'
  | 'dxf'
  | 'svg'
  | 'msh'
  | 'inp';

export interface CadDocument {
  readonly format: CadFormat;
  /** Unit of the numbers in the file. */
  readonly unit: LengthUnit;
  /** `file`: the file says so or its format fixes it; `option`: the user said so; `assumed`: neither, taken as m. */
  readonly unitFrom: 'file' | 'option' | 'assumed';
  readonly parts: readonly CadPart[];
  readonly profiles: readonly CadProfile[];
  /** What was skipped or guessed, for the user to read. */
  readonly notes: readonly string[];
  /** Those of the notes that tell of closed outlines that were left out, because they cross or touch */
  readonly crossing?: readonly string[];
}

export interface ReadOptions {
  /** Name for error messages. */
  readonly fileName: string;
  /** Overrides what the file says. */
  readonly unit?: LengthUnit;
  /** Greatest distance between a curve and its polygon or mesh, m; default 1/1000 of the curve's radius. */
  readonly chordError?: number;
}

export interface WriteOptions {
  /** Unit of the numbers written; default m, in 3MF mm. The file says which where its format has a place for it. */
  readonly unit?: LengthUnit;
}

/** Decides the unit of a file: the user's word, then the file's, then m. */
export function chooseUnit(
  options: ReadOptions,
  said: LengthUnit | undefined,
): { unit: LengthUnit; unitFrom: CadDocument['unitFrom']; scale: number } {
  const unit = options.unit === undefined ? (said ?? 'm') : parseUnit(options.unit);
  const unitFrom = options.unit ? 'option' : said ? 'file' : 'assumed';
  return { unit, unitFrom, scale: LENGTH_UNITS[unit] };
}

/** What to tell where the user's unit is another than the file's: the same part a thousand times as large, or what was meant. No note where they agree or the file says none */
export const unitNotes = ({ unit }: ReadOptions, said: LengthUnit | undefined): string[] =>
  unit !== undefined && said !== undefined && unit !== said
    ? [`the file says that its unit is ${said}; numbers are taken as ${unit}, as asked for`]
    : [];

/** @throws ModelError naming the known units */
export function parseUnit(text: string, path = 'unit'): LengthUnit {
  if (Object.hasOwn(LENGTH_UNITS, text)) return text as LengthUnit;
  const known = Object.keys(LENGTH_UNITS);
  throw new ModelError(path, `expected one of ${known.join(', ')}, got "${text}"${suggestion(text, known)}`);
}

/** Refuses a coordinate that is not a finite number. `where` is e.g. `line 12` or `vertex 3`. */
export function finiteCoordinate(value: number, file: string, where: string): number {
  if (!Number.isFinite(value)) throw new FileError(file, where, `expected a finite coordinate, got ${value}`);
  return value;
}
