// Public names with their declarations and comments, read from the .d.ts files that the build leaves. tsc writes them in one regular form:
// declarations at column 0, each behind its comment.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** name → { name, kind, signature, comment, file } for everything that a module exports, also through other modules. */
export function exportsOf(file, seen = new Map()) {
  if (seen.has(file)) return seen.get(file);
  const found = new Map();
  seen.set(file, found);
  const text = readFileSync(file, 'utf8');
  for (const declaration of declarationsIn(text, file))
    if (!found.has(declaration.name)) found.set(declaration.name, declaration);
  // `export { a };` of what was imported is the same as exporting it from there.
  const imported = new Map();
  for (const [, names, path] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm))
    for (const name of names.split(',')) imported.set(name.replace(/type /, '').trim(), path);
  const from = (path) => exportsOf(join(dirname(file), path.replace(/\.js$/, '.d.ts')), seen);
  for (const [, whole, named, path] of text.matchAll(
    /^export (?:type )?(?:(\*(?: as \w+)?)|\{([^}]*)\}) from '(\.[^']+)';/gm,
  )) {
    if (!existsSync(join(dirname(file), path.replace(/\.js$/, '.d.ts')))) continue;
    if (whole === '*') for (const [name, declaration] of from(path)) found.set(name, declaration);
    for (const word of (named ?? '').split(',')) {
      const [, own, other] = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(word) ?? [];
      const declaration = own && from(path).get(own);
      if (declaration) found.set(other ?? own, { ...declaration, name: other ?? own });
    }
  }
  for (const [, names] of text.matchAll(/^export (?:type )?\{([^}]*)\};/gm))
    for (const name of names.split(',').map((word) => word.replace(/type /, '').trim())) {
      const declaration = imported.has(name) && from(imported.get(name)).get(name);
      if (declaration) found.set(name, declaration);
    }
  return found;
}

function* declarationsIn(text, file) {
  const lines = text.split('\n');
  let comment = '';
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].startsWith('/**')) {
      const start = i;
      while (!lines[i].includes('*/')) i++;
      comment = lines.slice(start, i + 1).join('\n');
      continue;
    }
    const head = /^export (?:declare )?(?:abstract )?(function|const|class|interface|type|enum) (\w+)/.exec(lines[i]);
    if (head) {
      const start = i;
      // A declaration goes on until the line that closes what its first line opened.
      let depth = balance(lines[i]);
      while ((depth > 0 || !/[;}]\s*$/.test(lines[i])) && i + 1 < lines.length) depth += balance(lines[++i]);
      yield {
        name: head[2],
        kind: head[1] === 'const' || head[1] === 'function' ? 'value' : head[1],
        signature: lines
          .slice(start, i + 1)
          .join('\n')
          .replace(/^export (?:declare )?/, ''),
        comment: plain(comment),
        file,
      };
    }
    if (lines[i].trim() !== '') comment = '';
  }
}

const balance = (line) => {
  if (/^\s*\/?\*/.test(line) && !line.includes('*/')) return 0; // inside a comment
  const code = line.replace(/\/\*.*?\*\/|\/\/.*$|'[^']*'|=>/g, '');
  return (code.match(/[{([<]/g) ?? []).length - (code.match(/[})\]>]/g) ?? []).length;
};

/** The comment without its frame, with tags as Markdown. */
function plain(comment) {
  const lines = comment
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
  const text = lines.join('\n').trim();
  const cut = text.search(/^@\w/m);
  if (cut < 0) return { text, tags: [] };
  const tags = text
    .slice(cut)
    .split(/^@/m)
    .filter(Boolean)
    .map((tag) => ({ tag: /^\w+/.exec(tag)[0], text: tag.replace(/^\w+\s*/, '').trim() }));
  return { text: text.slice(0, cut).trim(), tags };
}
