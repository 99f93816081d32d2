/** Files below a folder that a web page may read, and nothing beside it: no way up, no link out, no hidden file, no device. */
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { systemError } from './system-error.js';

/** A recording below the folder. */
export interface FoundRecording {
  /** From the folder, with `/` between the parts */
  readonly path: string;
  /** bytes */
  readonly size: number;
  /** ms since 1970 */
  readonly modified: number;
}

const DEPTH = 3; // `view out` finds out/<study>/<run>/recording.h5
const MOST_FOUND = 1000;

export class ServedFolder {
  /** Without links */
  readonly #root: string;
  /** The one file that is served, if a file was named and not a folder. */
  readonly #only: string | undefined;

  /** @param path a folder, or one file: then nothing beside it is served */
  static async open(path: string): Promise<ServedFolder> {
    try {
      const real = await realpath(path);
      const single = (await stat(real)).isFile();
      return new ServedFolder(single ? dirname(real) : real, single ? basename(real) : undefined);
    } catch (error) {
      throw systemError(path, error, 'read');
    }
  }

  private constructor(root: string, only: string | undefined) {
    this.#root = root;
    this.#only = only;
  }

  /** Recordings of the folder, those that were written last in front. */
  async recordings(): Promise<FoundRecording[]> {
    const found: FoundRecording[] = [];
    const look = async (path: string, depth: number): Promise<void> => {
      const entries = await readdir(join(this.#root, path), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (found.length >= MOST_FOUND || entry.name.startsWith('.')) continue;
        const inner = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.isFile() && /\.h5$/i.test(entry.name)) await this.#describe(inner, found);
        else if (entry.isDirectory() && depth < DEPTH && entry.name !== 'node_modules') await look(inner, depth + 1);
      }
    };
    if (this.#only !== undefined) await this.#describe(this.#only, found);
    else await look('', 0);
    return found.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
  }

  async #describe(path: string, found: FoundRecording[]): Promise<void> {
    const { size, mtimeMs } = await stat(join(this.#root, path)).catch(() => ({ size: -1, mtimeMs: 0 }));
    if (size >= 0) found.push({ path, size, modified: mtimeMs });
  }

  /**
   * Opens a file for reading; undefined if there is none that may be read.
   *
   * @param encoded the path as it stands in an address, percent-encoded
   */
  async file(encoded: string): Promise<FileHandle | undefined> {
    const parts = pathParts(encoded);
    if (!parts || (this.#only !== undefined && (parts.length !== 1 || parts[0] !== this.#only))) return undefined;
    try {
      // Where it really lies, links followed, must be below the folder, and not hidden there.
      const real = await realpath(join(this.#root, ...parts));
      const inside = this.#root.endsWith(sep) ? this.#root : this.#root + sep;
      if (!real.startsWith(inside) || real.slice(inside.length - 1).includes(`${sep}.`)) return undefined;
      // A pipe would block the opening of it; a link that has just taken the file's place is not followed.
      const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
      if ((await file.stat()).isFile()) return file;
      await file.close();
    } catch {
      // not there, not readable, or a name that the system refuses: all the same to who asks
    }
    return undefined;
  }
}

/**
 * The names along a path, decoded once; undefined if one of them is not a plain name. What is still encoded after that is taken
 * as it stands, so `%252e%252e` asks for a file called `%2e%2e`.
 */
export function pathParts(encoded: string): string[] | undefined {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const parts = path.split('/');
  // Hidden names include . and ..; a backslash parts names and a colon names a drive or a stream on Windows.
  const plain = parts.every((part) => part !== '' && !part.startsWith('.') && !FORBIDDEN.test(part));
  return plain ? parts : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are what it is to find
const FORBIDDEN = /[\u0000-\u001f\u007f\\:]/;
