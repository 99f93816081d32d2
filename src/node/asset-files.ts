/**
 * A folder of generated assets: `<kind>_<id>.obj` with the parameters beside it in `<kind>_<id>.json`. What is there is not made again. Several
 * processes may write into one folder at a time: each file appears whole or not at all, and two that make the same asset write the same bytes.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetBytes } from '../assets/obj.js';
import { type Asset, canonicalText } from '../assets/parameters.js';
import { FileError } from '../errors.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { hashBytes } from '../math/hash.js';
import { writeBytes } from './cad-files.js';

export interface KeptAsset {
  readonly obj: string;
  readonly json: string;
  /** False where it was there already */
  readonly made: boolean;
}

/**
 * Keeps an asset in a folder, unless it is there.
 *
 * @param parts makes the meshes; asked only where there is something to write
 * @param facts mass properties and what else belongs beside the parameters
 * @throws FileError if what is there has the asset's name and other parameters
 */
export async function keepAsset(
  folder: string,
  { kind, name, id, parameters }: Asset,
  parts: () => readonly { readonly name: string; readonly mesh: TriangleMesh }[],
  facts: () => Readonly<Record<string, unknown>> = () => ({}),
): Promise<KeptAsset> {
  const [obj, json] = [join(folder, `${name}.obj`), join(folder, `${name}.json`)];
  if (existsSync(obj) && existsSync(json)) {
    const known = JSON.parse(await readFile(json, 'utf8')) as { parameters?: unknown };
    if (canonicalText(known.parameters) !== canonicalText(parameters))
      throw new FileError(
        json,
        '',
        'has the name of this asset and other parameters; remove it, or choose another folder',
      );
    return { obj, json, made: false };
  }
  const bytes = assetBytes(parts());
  await writeBytes(obj, bytes);
  await writeBytes(json, `${JSON.stringify({ kind, id, hash: hashBytes(bytes), ...facts(), parameters }, null, 2)}\n`);
  return { obj, json, made: true };
}

/** Whether the OBJ file has the bytes that were written. */
export async function verifyAsset(json: string): Promise<boolean> {
  const { hash } = JSON.parse(await readFile(json, 'utf8')) as { hash: string };
  return hashBytes(await readFile(json.replace(/\.json$/, '.obj'))) === hash;
}
