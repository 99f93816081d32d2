// The declarations that a program in the studio reaches, as one table { path: text }: those of this package behind `import … from 'tippetop'`, and of the
// language itself without the browser's. The editor's worker completes names and tells mistakes by them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(root, 'dist');
const LIBRARY = join(root, 'node_modules/typescript6/lib');
const FROM = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
const REFERENCE = /\/\/\/\s*<reference lib="([^"]+)"/g;

/** @returns {Record<string, string>} `/tippetop/index.d.ts`, `/lib/lib.es2022.d.ts`, … */
export function studioTypes() {
  const texts = {};
  const follow = (file) => {
    const path = `/tippetop/${relative(PACKAGE, file).replaceAll('\\', '/')}`;
    if (path in texts) return;
    const text = readFileSync(file, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
    texts[path] = text;
    for (const [, from] of text.matchAll(FROM)) {
      const found = from.startsWith('.') && declarationOf(resolve(dirname(file), from));
      if (found) follow(found);
    }
  };
  follow(join(PACKAGE, 'index.d.ts'));
  const library = (name) => {
    const path = `/lib/lib.${name}.d.ts`;
    if (path in texts) return;
    texts[path] = readFileSync(join(LIBRARY, `lib.${name}.d.ts`), 'utf8');
    for (const [, other] of texts[path].matchAll(REFERENCE)) library(other);
  };
  library('es2023');
  return texts;
}

const declarationOf = (path) =>
  [path.replace(/\.js$/, '.d.ts'), `${path}.d.ts`, join(path, 'index.d.ts')].find((file) => existsSync(file));
