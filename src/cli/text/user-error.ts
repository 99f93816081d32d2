/** Mistakes in a user's own file: told with the user's line, not with ours. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOurs } from '../../node/model-files/load-model.js';
import { missingExport, placeOfImport } from './missing-export.js';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * `swing.model.ts:2:59: Cannot read properties of undefined (reading 'foo')`, the line and a mark under the column. Undefined if nothing
 * of the user's took part: then the mistake is ours.
 */
export async function userError(error: unknown, modelFile?: string): Promise<string | undefined> {
  if (!(error instanceof Error)) return modelFile && `${shown(modelFile)}: threw ${String(error)}`;
  let place = placeIn(error);
  if (place) {
    const missing = await missingExport(error);
    if (missing) place = { ...place, ...placeOfImport(place.file, missing.name) };
    return [
      `${shown(place.file)}:${place.line}:${place.column}: ${missing?.text ?? plain(error)}`,
      ...excerpt(place),
    ].join('\n');
  }
  // A module that is not there has no frame of the user's; Node's message names both files.
  const missing = /Cannot find (?:module|package) '([^']+)' imported from \x27?([^'\n]+)/.exec(error.message);
  if (!missing || isOurs(missing[2])) return undefined;
  const [, module, file] = missing;
  const found = placeOfModule(file, module);
  const words = `imports "${shown(module)}", which is not there`;
  return found
    ? [`${shown(file)}:${found.line}:${found.column}: ${words}`, ...excerpt(found)].join('\n')
    : `${shown(file)}: ${words}`;
}

/** Where a file names a module: by its last part, since Node tells of the file it looked for. */
function placeOfModule(file: string, module: string): Place | undefined {
  if (!existsSync(file)) return undefined;
  const name = basename(module).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`(?:from|import)\\s*\\(?\\s*(['"])(?:[^'"\\n]*/)?${name}\\1`);
  for (const [i, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    const found = named.exec(text);
    if (found) return { file, line: i + 1, column: found.index + found[0].search(/['"]/) + 1 };
  }
  return undefined;
}

/** The message without what the place says already. */
function plain(error: Error): string {
  const [first] = error.message.split('\n');
  const words = first.replace(/^\S+?:\d+:\d+: /, '');
  return error.name === 'Error' || error.name === 'ModelError' ? words : `${error.name}: ${words}`;
}

/** Where in the user's files it happened: told by the message of a syntax error, else the innermost frame that is not ours. */
function placeIn(error: Error): Place | undefined {
  const told = /^(\/\S+?|[A-Za-z]:\\\S+?):(\d+):(\d+): /.exec(error.message);
  if (told) return { file: told[1], line: Number(told[2]), column: Number(told[3]) };
  for (const frame of (error.stack ?? '').split('\n')) {
    const found = /(?:^|[\s(])(file:\/\/[^\s()]+?|(?:\/|[A-Za-z]:\\)[^\s():]+):(\d+)(?::(\d+))?\)?$/.exec(frame);
    if (!found) continue;
    const file = found[1].startsWith('file:') ? fileURLToPath(found[1].replace(/\?.*$/, '')) : found[1];
    if (!isOurs(file)) return { file, line: Number(found[2]), column: Number(found[3] ?? 1) };
  }
  return undefined;
}

function excerpt({ file, line, column }: Place): string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8').split('\n')[line - 1];
  if (text === undefined || text.length > 400) return [];
  return [`  ${text}`, `  ${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`];
}

/** Relative to where the user is, unless it lies elsewhere. */
function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || path === '' ? file : path;
}
