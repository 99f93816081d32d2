/** CAD files in and out. Readers and writers are loaded when first used, so that a page pays only for its formats. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import {
  type CadDocument,
  type CadFormat,
  type CadPart,
  type CadProfile,
  parseUnit,
  type WriteOptions,
} from './cad-document.js';
import type { DxfReadOptions } from './dxf-read.js';
import { describeContent } from './recognise.js';
import { extensionOf, READ_EXTENSIONS, sniffFormat } from './sniff-format.js';
import type { StepReadOptions } from './step-read.js';

/** Options of all readers; each takes what concerns its format. */
export interface CadReadOptions extends DxfReadOptions, StepReadOptions {
  /** Gives the bytes of a file named in this one, such as an .mtl of colours or a .bin of glTF. */
  readonly companion?: (name: string) => Uint8Array | undefined;
}

export interface CadWriteOptions extends WriteOptions {
  /** STL and PLY as text instead of binary. */
  readonly ascii?: boolean;
}

/**
 * Reads a CAD file of any format we know. The content decides which; the extension only where it does not tell.
 *
 * @throws FileError naming the file, the place and the defect
 * @example const { parts } = await readCad(bytes, { fileName: 'wheel.stl', unit: 'mm' });
 */
export async function readCad(bytes: Uint8Array, options: CadReadOptions): Promise<CadDocument> {
  const { fileName } = options;
  if (options.unit !== undefined) parseUnit(options.unit);
  const extension = extensionOf(fileName);
  const named = Object.hasOwn(READ_EXTENSIONS, extension) ? READ_EXTENSIONS[extension] : undefined;
  if (bytes.length === 0) throw new FileError(fileName, '', 'expected a CAD file, got an empty file (0 bytes)');
  const found = sniffFormat(bytes);
  const format = found ?? named;
  if (!format) {
    const known = Object.keys(READ_EXTENSIONS).join(', ');
    const what = describeContent(bytes);
    throw new FileError(
      fileName,
      '',
      `expected a CAD file (${known}), ${what ? `but it is ${what}` : 'and this is none of them'}`,
    );
  }
  const document = await readAs(format, bytes, options);
  return named && named !== document.format
    ? { ...document, notes: [...document.notes, `is called .${extension}, but holds ${document.format.toUpperCase()}`] }
    : document;
}

async function readAs(format: CadFormat, bytes: Uint8Array, options: CadReadOptions): Promise<CadDocument> {
  switch (format) {
    case 'stl':
      return (await import('./stl-read.js')).readStl(bytes, options);
    case 'obj':
      return (await import('./obj-read.js')).readObj(bytes, options);
    case 'ply':
      return (await import('./ply-read.js')).readPly(bytes, options);
    case '3mf':
      return (await import('./threemf-read.js')).readThreeMf(bytes, options);
    case 'gltf':
    case 'glb':
      return (await import('./gltf-read.js')).readGltf(bytes, options);
    case 'vrml':
      return (await import('./vrml-read.js')).readVrml(bytes, options);
    case 'step':
    case 'iges':
      return (await import('./step-read.js')).readStep(bytes, options);
    case 'dxf':
      return (await import('./dxf-read.js')).readDxf(bytes, options);
    case 'msh':
    case 'inp':
      return (await import('./tetrahedra-read.js')).readTetrahedra(bytes, options, format);
    case 'svg':
      throw new FileError(options.fileName, '', 'SVG drawings are written, not read; save the outline as DXF');
  }
}

/** Formats we write: those of solids and those of outlines. */
const WRITTEN_SOLIDS: readonly CadFormat[] = ['stl', 'obj', 'ply', '3mf', 'glb'];
const WRITTEN_OUTLINES: readonly CadFormat[] = ['dxf', 'svg'];

/**
 * Writes parts, or profiles in the formats of drawings.
 *
 * @throws ModelError if we do not write the format or there is nothing in it for the format
 * @example const bytes = await writeCad('stl', [{ name: 'wheel', mesh }], [], { unit: 'mm' });
 */
export async function writeCad(
  format: CadFormat,
  parts: readonly CadPart[],
  profiles: readonly CadProfile[],
  options: CadWriteOptions = {},
): Promise<Uint8Array> {
  if (WRITTEN_SOLIDS.includes(format) && parts.length === 0)
    throw new ModelError(
      'writeCad.parts',
      `${format} holds solids, got none${profiles.length > 0 ? ' but outlines; extrude them first' : ''}`,
    );
  if (WRITTEN_OUTLINES.includes(format) && profiles.length === 0)
    throw new ModelError(
      'writeCad.profiles',
      `${format} holds outlines, got none${parts.length > 0 ? ' but solids' : ''}`,
    );
  switch (format) {
    case 'stl':
      return (await import('./stl-write.js')).writeStl(parts, options);
    case 'obj':
      return (await import('./obj-write.js')).writeObj(parts, options);
    case 'ply':
      return (await import('./ply-write.js')).writePly(parts, options);
    case '3mf':
      return (await import('./threemf-write.js')).writeThreeMf(parts, options);
    case 'glb':
      return (await import('./gltf-write.js')).writeGlb(parts, options);
    case 'dxf':
      return (await import('./dxf-write.js')).writeDxf(profiles, options);
    case 'svg':
      return (await import('./svg-write.js')).writeSvg(profiles, options);
    default: {
      const known = [...WRITTEN_SOLIDS, ...WRITTEN_OUTLINES];
      throw new ModelError(
        'writeCad.format',
        `expected one of ${known.join(', ')}, got "${format}"${suggestion(format, known)}`,
      );
    }
  }
}
