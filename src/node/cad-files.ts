/** CAD files by path. In a browser, use `readCad` and `writeCad` on bytes. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import { FileError, ModelError, suggestion } from '../errors.js';
import type {
  CadDocument,
  CadFormat,
  CadPart,
  CadProfile,
  ReadOptions,
  WriteOptions,
} from '../geometry/files/cad-document.js';
import { readCad, writeCad } from '../geometry/files/index.js';
import { fileRead } from './files-read.js';
import { isFolder, makeFolder } from './folders.js';
import { occtInWorker, type ReadLimits } from './occt-worker.js';
import { requirePlainFile } from './plain-file.js';
import { systemError } from './system-error.js';

/** Extensions we write, and the format of each. */
const WRITTEN: Readonly<Record<string, CadFormat>> = {
  '.stl': 'stl',
  '.obj': 'obj',
  '.ply': 'ply',
  '.3mf': '3mf',
  '.glb': 'glb',
  '.dxf': 'dxf',
  '.svg': 'svg',
};

/**
 * Reads a CAD file: STL, OBJ, PLY, 3MF, glTF, VRML, DXF, and STEP or IGES where `occt-import-js` is installed.
 *
 * STEP and IGES are read in a thread of their own, which `signal` and `timeLimit` (s) stop.
 *
 * @throws FileError naming the file, the place in it and the defect
 * @example const { parts } = await readCadFile('bracket.step');
 */
export async function readCadFile(
  path: string,
  { signal, timeLimit, ...options }: Omit<ReadOptions, 'fileName'> & ReadLimits = {},
): Promise<CadDocument> {
  const limits = { ...(signal && { signal }), ...(timeLimit !== undefined && { timeLimit }) };
  const bytes = await readBytes(path);
  return readCad(bytes, {
    ...options,
    fileName: path,
    companion: companionsOf(path),
    occt: occtInWorker(path, limits),
  });
}

/** Companions (.mtl, .bin) are read only from the file's own folder and those below it, links that lead elsewhere left out; only plain files. */
function companionsOf(path: string): (name: string) => Uint8Array | undefined {
  const folder = dirname(path);
  return (name) => {
    const beside = join(folder, name);
    if (!existsSync(beside)) return undefined;
    const way = relative(realpathSync(folder), realpathSync(beside));
    if (way === '' || way.startsWith('..') || isAbsolute(way) || !statSync(beside).isFile()) return undefined;
    fileRead(beside);
    return readFileSync(beside);
  };
}

/** Writes parts and profiles in the format of the path's extension. An unfinished file never takes the name. */
export async function writeCadFile(
  path: string,
  content: { readonly parts?: readonly CadPart[]; readonly profiles?: readonly CadProfile[] },
  options: WriteOptions & { readonly ascii?: boolean } = {},
): Promise<number> {
  const bytes = await writeCad(writtenFormat(path), content.parts ?? [], content.profiles ?? [], options);
  await writeBytes(path, bytes);
  return bytes.length;
}

/** @throws FileError listing the extensions we write */
export function writtenFormat(path: string): CadFormat {
  const extension = extname(path).toLowerCase();
  const format = WRITTEN[extension];
  if (format) return format;
  const known = Object.keys(WRITTEN);
  throw new FileError(
    path,
    '',
    `expected an extension of ${known.join(', ')}, got "${extension}"${suggestion(extension, known)}`,
  );
}

export async function readBytes(path: string): Promise<Uint8Array> {
  fileRead(path);
  try {
    requirePlainFile(path);
    return await readFile(path);
  } catch (error) {
    throw systemError(path, error, 'read');
  }
}

/** Of this process, so that two writers of one path do not share an unfinished file */
let writes = 0;

/** Writes whole or piece by piece, beside the target, and renames: a full disk or a crash leaves what was there before. */
export async function writeBytes(
  path: string,
  bytes: Uint8Array | string | Iterable<Uint8Array> | Iterable<string> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.${++writes}.part`);
  try {
    makeFolder(dirname(path));
    if (isFolder(path)) throw Object.assign(new Error(), { code: 'EISDIR' });
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error instanceof ModelError ? error : systemError(path, error, 'write');
  }
}
