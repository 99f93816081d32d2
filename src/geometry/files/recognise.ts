/** What a file looks like, by its first bytes: for errors that say what came instead of what was expected. */
import { FileError } from '../../errors.js';
import { asciiText } from './number-parser.js';

/** `an HTML page`, `a zip archive`…, or undefined if it looks like nothing known. */
export function describeContent(bytes: Uint8Array): string | undefined {
  for (const [magic, what] of MAGIC_BYTES) if (startsWith(bytes, magic)) return what;
  const text = openingText(bytes);
  for (const [pattern, what] of OPENINGS) if (pattern.test(text)) return what;
  return undefined;
}

/**
 * An error for bytes that are not of a format: says what they look like, if known.
 *
 * @param expected completes "expected …", e.g. `"solid" or 84 + 50 n bytes`
 */
export function notOfFormat(bytes: Uint8Array, file: string, format: string, expected: string): FileError {
  const what = describeContent(bytes);
  return new FileError(
    file,
    'byte 0',
    what ? `is ${what}, not ${format}` : `is not ${format}: expected ${expected}, got ${opening(bytes)}`,
  );
}

/** @throws FileError if there are no bytes */
export function refuseEmpty(bytes: Uint8Array, file: string, format: string): void {
  if (bytes.length === 0) throw new FileError(file, '', `expected ${format}, got an empty file (0 bytes)`);
}

/** The first bytes as text if that is what they are, else in hexadecimal. */
function opening(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 24);
  if (head.every((b) => (b >= 0x20 && b < 0x7f) || b === 0x0a || b === 0x0d || b === 0x09))
    return JSON.stringify(asciiText(head, 0, head.length));
  return `bytes ${Array.from(head.subarray(0, 12), (b) => b.toString(16).padStart(2, '0')).join(' ')}`;
}

/** Up to 512 characters from the first that is not a blank, without a byte order mark. */
export function openingText(bytes: Uint8Array): string {
  let i = startsWith(bytes, [0xef, 0xbb, 0xbf]) ? 3 : 0;
  const last = Math.min(bytes.length, i + 4096);
  while (i < last && (bytes[i] === 0x20 || (bytes[i] >= 0x09 && bytes[i] <= 0x0d))) i++;
  return asciiText(bytes, i, Math.min(bytes.length, i + 512));
}

export function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[i] !== magic[i]) return false;
  return true;
}

const MAGIC_BYTES: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive (3MF is one; otherwise unpack it first)'],
  [[0x50, 0x4b, 0x05, 0x06], 'an empty zip archive'],
  [[0x1f, 0x8b], 'compressed by gzip (unpack it first)'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive (unpack it first)'],
  [[0x52, 0x61, 0x72, 0x21], 'a RAR archive (unpack it first)'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG picture'],
  [[0xff, 0xd8, 0xff], 'a JPEG picture'],
  [[0x67, 0x6c, 0x54, 0x46], 'a GLB file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'a document of SolidWorks, Inventor or old Office (export it as STEP or STL)'],
  [[0x41, 0x43, 0x31, 0x30], 'a DWG drawing (save it as DXF)'],
  [[0x42, 0x4c, 0x45, 0x4e, 0x44, 0x45, 0x52], 'a Blender file (export it as STL, OBJ, PLY or glTF)'],
];

const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^version https:\/\/git-lfs/, 'a Git LFS pointer in place of the file (run "git lfs pull")'],
  [/^(<!doctype html|<html)/i, 'an HTML page (perhaps an error page of the server it was loaded from)'],
  [/^<\?xml[^>]*>\s*<svg|^<svg/i, 'an SVG drawing'],
  [/^<\?xml/i, 'an XML file'],
  [/^ISO-10303-21\s*;/i, 'a STEP file'],
  [/^#VRML V/i, 'a VRML file'],
  [/^ply[\r\n]/, 'a PLY file'],
  [/^solid\b[^\n]*\r?\n\s*facet\b/i, 'an ASCII STL file'],
  [/^OFF\b/, 'an OFF file'],
  [/^999\r?\n|^0\r?\nSECTION\r?\n/, 'a DXF file'],
  [/^AutoCAD Binary DXF/, 'a binary DXF file'],
  [/^\{\s*"/, 'JSON text'],
];
