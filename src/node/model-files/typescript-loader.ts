/**
 * Node's module hooks for model files: TypeScript runs directly, and `tippetop` means the package that is running.
 *
 * Types are blanked out, not compiled away, so every line and column of an error is the one in the user's file.
 * Registered with `module.register` by load-model.ts; runs on Node's loader thread.
 */
import { readFile } from 'node:fs/promises';
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { transformSync } from '@swc/wasm-typescript';

/** Where this package's own modules are resolved from. */
const HERE = import.meta.url;
/** The command line runs as one bundle with the package's entries beside this file (scripts/build-command.mjs); a model must get the same modules. */
const BUNDLED = /\/dist\/command\/[^/]+$/.test(HERE);

/** Where the paths of modules go, those that are not there included; nobody may want them. */
let modules: MessagePort | undefined;

export const initialize: InitializeHook<MessagePort | undefined> = (port) => {
  modules = port;
};

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const entry = /^tippetop(?:\/([a-z-]+))?$/.exec(specifier);
  if (entry && BUNDLED) return nextResolve(new URL(`./${entry[1] ?? 'index'}.js`, HERE).href, context);
  if (/^tippetop(\/|$)/.test(specifier)) return nextResolve(specifier, { ...context, parentURL: HERE });
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    // TypeScript files import each other as ./part.js; the file itself is ./part.ts.
    const typed = /^\.{1,2}\//.test(specifier) ? specifier.replace(/\.js$/, '.ts') : specifier;
    try {
      if (typed !== specifier) return await nextResolve(typed, context);
    } catch {
      // the error tells the name as the user wrote it
    }
    if (/^\.{1,2}\//.test(specifier)) modules?.postMessage(fileURLToPath(new URL(typed, context.parentURL)));
    throw error;
  }
};

export const load: LoadHook = async (url, context, nextLoad) => {
  if (url.startsWith('file:')) modules?.postMessage(fileURLToPath(url));
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
