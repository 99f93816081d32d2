/** Parts of the files that a scene brings along, read once for equal bytes. */
import { FileError } from '../../errors.js';
import type { CadPart, LengthUnit } from '../../geometry/files/cad-document.js';
import { readCad } from '../../geometry/files/index.js';
import type { OcctSource } from '../../geometry/files/step-read-occt.js';
import { NEEDS_OCCT, OCCT_WASM } from '../document/occt.js';
import type { SourceFile } from './messages.js';

/** Bytes of the files of scenes by their hash, as the page posted them, and the parts that were read of them. */
export class FileShelf {
  readonly #bytes = new Map<string, Uint8Array>();
  readonly parts = new Map<string, readonly CadPart[]>();

  /** Takes what came along. */
  keep(files: Readonly<Record<string, SourceFile>>): void {
    for (const { hash, bytes } of Object.values(files)) if (bytes) this.#bytes.set(hash, bytes);
  }

  bytes(hash: string): Uint8Array | undefined {
    return this.#bytes.get(hash);
  }
}

/** Formats that speak of other files: what those hold counts too */
const WITH_COMPANIONS = /\.(gltf|obj|wrl|vrml)$/i;

/** The page's own copy, a script beside this one */
async function occtOf(wasmBinary: Uint8Array): Promise<OcctSource> {
  const script = new URL('worker-occt.js', globalThis.location.href).href;
  const { default: factory } = (await import(/* @vite-ignore */ script)) as { readonly default: OcctSource['factory'] };
  return { factory, wasmBinary };
}

export async function readCadParts(
  file: string,
  unit: LengthUnit | undefined,
  files: Readonly<Record<string, SourceFile>>,
  shelf: FileShelf,
): Promise<readonly CadPart[]> {
  const bytesOf = (name: string): Uint8Array | undefined =>
    Object.hasOwn(files, name) ? shelf.bytes(files[name].hash) : undefined;
  const bytes = bytesOf(file);
  if (!bytes) throw new FileError(file, '', 'is not among the files of this document; drop it on the page again');
  const hashes = WITH_COMPANIONS.test(file) ? Object.values(files).map(({ hash }) => hash) : [files[file].hash];
  const key = `${file} ${unit ?? ''} ${hashes.join(' ')}`;
  const known = shelf.parts.get(key);
  if (known) return known;
  const program = NEEDS_OCCT.test(file) ? bytesOf(OCCT_WASM) : undefined;
  const occt = program && (await occtOf(program));
  const { parts } = await readCad(bytes, {
    fileName: file,
    companion: bytesOf,
    ...(unit && { unit }),
    ...(occt && { occt }),
  });
  shelf.parts.set(key, parts);
  return parts;
}
