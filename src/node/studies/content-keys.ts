/**
 * What a result depends on, as a fingerprint: the files of the model, the parameters, the options, the version and the engine itself. Equal key, equal bits; so nothing
 * is computed twice, nothing is doubled, and a study that was stopped only fills its gaps.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { canonicalJson } from '../../studies/outcome-text.js';
import { PACKAGE_ROOT } from '../package-root.js';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

export const contentKey = (...parts: readonly unknown[]): string => sha256(parts.map(canonicalJson).join('\n'));

/** Folders of ours that make no numbers */
const NO_NUMBERS = new Set(['cli', 'command', 'viewer', 'studio', 'node']);
let engine: string | undefined;

/** Fingerprint of all our code that makes numbers; the same on every platform */
export function engineHash(): string {
  if (engine) return engine;
  const root = join(PACKAGE_ROOT, 'dist');
  const hash = createHash('sha256');
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!(folder === root && NO_NUMBERS.has(entry.name))) walk(path);
      } else if (/\.[jt]s$|\.wasm$/.test(entry.name) && !/\.d\.ts$|\.test\.ts$/.test(entry.name))
        hash.update(relative(root, path).replaceAll('\\', '/')).update(readFileSync(path));
    }
  };
  walk(root);
  engine = hash.digest('hex').slice(0, 16);
  return engine;
}

/**
 * Fingerprint of a file and of all that it imports by relative paths, and of other files it has read. Where the folder lies does not count, only how the files lie to each
 * other.
 */
export function filesHash(file: string, read: Iterable<string> = []): string {
  const root = dirname(resolve(file));
  const files = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path) || !existsSync(path)) return;
    files.add(path);
    if (!/\.[cm]?[jt]s$/.test(path)) return;
    for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
      /\b(?:from\s+|import\s*\(?\s*)['"](\.{1,2}\/[^'"\n]+)['"]/g,
    )) {
      const target = resolve(dirname(path), specifier);
      visit(existsSync(target) ? target : target.replace(/\.js$/, '.ts'));
    }
  };
  visit(resolve(file));
  for (const path of read) visit(resolve(path));
  const list = [...files].map((path) => [relative(root, path).replaceAll('\\', '/'), sha256(readFileSync(path))]);
  return sha256(canonicalJson(list.sort(([a], [b]) => (a < b ? -1 : 1))));
}
