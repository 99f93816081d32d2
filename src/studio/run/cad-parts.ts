/** Parts of the files that a scene brings along, read once for equal bytes. */
import { FileError } from '../../errors.js';
import type { CadPart, LengthUnit } from '../../geometry/files/cad-document.js';
import { readCad } from '../../geometry/files/index.js';

export async function readCadParts(
  file: string,
  unit: LengthUnit | undefined,
  files: Readonly<Record<string, Uint8Array>>,
  kept: Map<string, readonly CadPart[]>,
): Promise<readonly CadPart[]> {
  const bytes = Object.hasOwn(files, file) ? files[file] : undefined;
  if (!bytes) throw new FileError(file, '', 'is not among the files of this document; drop it on the page again');
  const key = `${file} ${bytes.length} ${unit ?? ''}`;
  const known = kept.get(key);
  if (known) return known;
  const companion = (name: string): Uint8Array | undefined => (Object.hasOwn(files, name) ? files[name] : undefined);
  const { parts } = await readCad(bytes, { fileName: file, companion, ...(unit && { unit }) });
  kept.set(key, parts);
  return parts;
}
