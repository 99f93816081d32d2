/** The folder that pictures and tables are left in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../node/folders.js';
import { systemError } from '../../node/system-error.js';

/** Makes it, so that what cannot be written is told before the computing. @returns writes a file into it @throws FileError if it cannot be made */
export function resultFolder(folder: string): (name: string, text: string) => void {
  const guarded = (path: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      throw systemError(path, error, 'write');
    }
  };
  guarded(folder, () => makeFolder(folder));
  return (name, text) => guarded(join(folder, name), () => writeFileSync(join(folder, name), text));
}
