import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the package, found upwards from this file, which runs as compiled code some folders deeper. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'tippetop') return folder;
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json of tippetop above ${import.meta.url}`);
    folder = parent;
  }
}
