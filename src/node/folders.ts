/** Folders made for files that are about to be written. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the folder and those above it, level by level: Node's own recursive mkdir never returns where the system answers ENOENT for a folder that exists, as under /proc. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
