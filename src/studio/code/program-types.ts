/**
 * TypeScript's language service over one program and the declarations it can reach: names that may stand at a place, and what does not fit together. Knows no DOM; runs in a worker.
 */
import ts from 'typescript6';
import type { CodeMistake, Completions, Told } from './language.js';

const PROGRAM = '/model.ts';
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noImplicitAny: false,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2023.d.ts'],
};

export class ProgramTypes {
  readonly #service: ts.LanguageService;
  #text = '';
  #version = 0;

  /** @param declarations `/tippetop/index.d.ts`, `/lib/…` and their text */
  constructor(declarations: Readonly<Record<string, string>>) {
    const has = (path: string): boolean => path === PROGRAM || Object.hasOwn(declarations, path);
    const read = (path: string): string | undefined => (path === PROGRAM ? this.#text : declarations[path]);
    const resolved = (name: string, from: string): ts.ResolvedModuleFull | undefined => {
      const path = name.startsWith('.') ? joined(from, name) : `/${name}`;
      const found = [path.replace(/\.js$/, '.d.ts'), `${path}.d.ts`, `${path}/index.d.ts`].find(has);
      return found === undefined ? undefined : { resolvedFileName: found, extension: ts.Extension.Dts };
    };
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => [PROGRAM],
      getScriptVersion: (path) => (path === PROGRAM ? String(this.#version) : '0'),
      getScriptSnapshot: (path) => {
        const text = read(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
      fileExists: has,
      readFile: read,
      resolveModuleNameLiterals: (names, from) => names.map(({ text }) => ({ resolvedModule: resolved(text, from) })),
    };
    this.#service = ts.createLanguageService(host);
  }

  #set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#version++;
  }

  mistakes(text: string): CodeMistake[] {
    this.#set(text);
    return this.#service
      .getSemanticDiagnostics(PROGRAM)
      .filter(({ category }) => category === ts.DiagnosticCategory.Error)
      .map(({ start = 0, length = 1, messageText }) => ({
        from: start,
        to: start + length,
        text: firstLines(ts.flattenDiagnosticMessageText(messageText, '\n')),
        isWarning: true,
      }));
  }

  completions(text: string, at: number): Completions {
    this.#set(text);
    const from = at - (/[\p{ID_Continue}$]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
    const found = this.#service.getCompletionsAtPosition(PROGRAM, at, {
      includeCompletionsWithInsertText: false,
      includeCompletionsForModuleExports: false,
    });
    const names = (found?.entries ?? []).map(({ name, kind, sortText }) => ({
      label: name,
      kind: KINDS[kind] ?? 'text',
      isFarther: sortText > '12' || isLanguage(kind),
    }));
    return { from, names };
  }

  tell(text: string, at: number): Told | undefined {
    this.#set(text);
    const found = this.#service.getQuickInfoAtPosition(PROGRAM, at);
    if (!found) return undefined;
    return {
      from: found.textSpan.start,
      to: found.textSpan.start + found.textSpan.length,
      type: ts.displayPartsToString(found.displayParts),
      text: ts.displayPartsToString(found.documentation),
    };
  }
}

const KINDS: Readonly<Record<string, string>> = {
  function: 'function',
  'local function': 'function',
  method: 'method',
  property: 'property',
  const: 'constant',
  let: 'variable',
  var: 'variable',
  'local var': 'variable',
  parameter: 'variable',
  alias: 'function',
  class: 'class',
  interface: 'interface',
  type: 'type',
  keyword: 'keyword',
  string: 'text',
};

const isLanguage = (kind: string): boolean => kind === 'keyword' || kind === 'var' || kind === 'module';

/** Where a mistake in a deep type is told through many floors, the last ones say it. */
function firstLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.length <= 2 ? lines.join(' ') : `${lines[0]} … ${lines.at(-1)}`;
}

function joined(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of name.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  return parts.join('/');
}
