/**
 * Node's module hooks for model files: TypeScript runs directly, and `tippetop` means the package that is running.
 *
 * Types are blanked out, not compiled away, so every line and column of an error is the one in the user's file.
 * Registered with `module.register` by load-model.ts; runs on Node's loader thread.
 */
import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

/** Where this package's own modules are resolved from. */
const HERE = import.meta.url;

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  if (/^tippetop(\/|$)/.test(specifier)) return nextResolve(specifier, { ...context, parentURL: HERE });
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    // TypeScript files import each other as ./part.js; the file itself is ./part.ts.
    if (!/^\.{1,2}\/.*\.js$/.test(specifier)) throw error;
    try {
      return await nextResolve(specifier.replace(/\.js$/, '.ts'), context);
    } catch {
      throw error; // the name as the user wrote it
    }
  }
};

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!/^file:.*\.m?ts$/.test(url)) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const source = await readFile(file, 'utf8');
  try {
    const { code } = transformSync(source, { mode: 'strip-only', module: true, filename: file });
    return { format: 'module', source: `${code}\n//# sourceURL=${url}`, shortCircuit: true };
  } catch (error) {
    const { message, startLine, startColumn } = error as { message: string; startLine?: number; startColumn?: number };
    throw new SyntaxError(`${file}${startLine ? `:${startLine}:${(startColumn ?? 0) + 1}` : ''}: ${message}`);
  }
};
