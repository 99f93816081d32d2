/** Parts of the files that a scene brings along, read once for equal bytes. */
import { FileError } from '../../errors.js';
import type { CadPart, LengthUnit } from '../../geometry/files/cad-document.js';
import { readCad } from '../../geometry/files/index.js';
import type { OcctSource } from '../../geometry/files/step-read-occt.js';
import { NEEDS_OCCT, OCCT_WASM } from '../document/occt.js';

/** The page's own copy, a script beside this one */
async function occtOf(wasmBinary: Uint8Array): Promise<OcctSource> {
  const script = new URL('worker-occt.js', globalThis.location.href).href;
  const { default: factory } = (await import(/* @vite-ignore */ script)) as { readonly default: OcctSource['factory'] };
  return { factory, wasmBinary };
}

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
  const occt = NEEDS_OCCT.test(file) && files[OCCT_WASM] ? await occtOf(files[OCCT_WASM]) : undefined;
  const { parts } = await readCad(bytes, { fileName: file, companion, ...(unit && { unit }), ...(occt && { occt }) });
  kept.set(key, parts);
  return parts;
}
