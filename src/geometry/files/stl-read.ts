/**
 * Reads STL, the triangle list of 3D printing, in both its forms: text, and binary records of 50 bytes.
 *
 * Which form a file has is told by its size: a binary file of n triangles has 84 + 50 n bytes. The word "solid" at the
 * start says nothing, many binary files have it too; and text cannot pass for binary, as any four characters in the
 * place of the count make it larger than 150 million.
 *
 * 3D Systems, Stereolithography Interface Specification (1988), §6.5.
 */
import { FileError } from '../../errors.js';
import type { CadDocument, ReadOptions } from './cad-document.js';
import { notOfFormat, openingText, refuseEmpty } from './recognise.js';
import { readAsciiStl } from './stl-read-ascii.js';
import { FACET, HEADER, readBinaryStl } from './stl-read-binary.js';

/**
 * Reads an STL file. Corners with the same coordinates become one vertex; each solid of a text file becomes a part.
 * STL has no unit: the text `UNITS=mm` in the header or after a solid's name is honoured, otherwise m is assumed.
 *
 * @throws FileError naming the line or triangle and the defect
 * @example readStl(bytes, { fileName: 'wheel.stl', unit: 'mm' }).parts[0].mesh
 */
export function readStl(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const file = options.fileName;
  refuseEmpty(bytes, file, 'an STL file');
  const declared = declaredTriangles(bytes);
  const room = Math.floor((bytes.length - HEADER) / FACET);
  if (bytes.length >= HEADER && bytes.length === HEADER + FACET * declared)
    return readBinaryStl(bytes, declared, options, []);

  const text = openingText(bytes);
  if (/^solid\b/i.test(text) && (!looksBinary(bytes) || /^solid\b[^\n]*\n\s*facet\b/i.test(text)))
    return readAsciiStl(bytes, options);
  if (bytes.length < HEADER || !looksBinary(bytes))
    throw notOfFormat(bytes, file, 'an STL file', '"solid" or a binary header of 84 bytes');

  // Binary, but the size does not fit the count: missing triangles are refused, bytes too many are not.
  if (declared > room)
    throw new FileError(
      file,
      `byte ${bytes.length}`,
      `expected ${declared} triangles (${HEADER + FACET * declared} bytes), got ${bytes.length} bytes, enough for ` +
        `${room}: the file is cut short or no STL file`,
    );
  if (declared === 0)
    return readBinaryStl(bytes, room, options, [
      `the header counts 0 triangles; read the ${room} the file has room for`,
    ]);
  const extra = bytes.length - HEADER - FACET * declared;
  return readBinaryStl(bytes, declared, options, [`ignored ${extra} bytes after the last of ${declared} triangles`]);
}

function declaredTriangles(bytes: Uint8Array): number {
  if (bytes.length < HEADER) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(HEADER - 4, true);
}

/** Text has no bytes below a tab; a binary header and count nearly always do, or its first records. */
function looksBinary(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, 1024);
  for (let i = 0; i < end; i++) if (bytes[i] < 0x09) return true;
  return false;
}
