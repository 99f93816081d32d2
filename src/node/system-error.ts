/** What the operating system says of a file, in words that help. */
import { FileError } from '../errors.js';

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'expected a file, but this is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full; what was written before is safe, free some space and try again',
  EDQUOT: 'the disk quota is used up; nothing was changed',
  ERR_FS_FILE_TOO_LARGE: 'the file is larger than 2 GiB, which is more than this reader takes',
};

export function systemError(path: string, error: unknown, action: 'read' | 'write'): FileError {
  if (error instanceof FileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT' && action === 'write') return new FileError(path, '', 'its folder cannot be made there');
  return new FileError(path, '', CAUSES[code] ?? `cannot ${action} it: ${(error as Error).message}`);
}
