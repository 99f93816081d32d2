/** Whether a path leads to something with an end: a pipe waits for a writer for ever, and a device like /dev/zero never ends. */
import { statSync } from 'node:fs';
import { FileError } from '../errors.js';

/**
 * Nothing happens where there is no such path or a folder: reading tells of those by itself.
 *
 * @throws FileError if the path is a pipe, a socket or a device
 */
export function requirePlainFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile() || found.isDirectory()) return;
  const kind = found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
  throw new FileError(path, '', `expected a file, but this is ${kind}; save what it gives to a file and name that`);
}
