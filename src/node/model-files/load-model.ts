/** From what the user typed (a file, a folder, the name of an example) to the function a model file exports. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { FileError, ModelError, suggestion } from '../../errors.js';
import type { Solid } from '../../geometry/solid.js';
import { modelFromJsonText } from '../../model/json.js';
import type { Model } from '../../model/model.js';
import type { ModelFunction } from '../../model/parameters.js';
import { readBytes, readCadFile } from '../cad-files.js';
import { onFileRead } from '../files-read.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { requirePlainFile } from '../plain-file.js';

const ENDINGS = ['.model.ts', '.model.mts', '.model.js', '.model.mjs', '.model.json'];

/** Names of the examples that come with the package. */
export function exampleNames(): string[] {
  const folder = join(PACKAGE_ROOT, 'examples');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => modelIn(join(folder, name)) !== undefined)
        .sort()
    : [];
}

/**
 * Finds the model file for `examples/geneva-wheel`, `geneva-wheel` or `parts/my.model.ts`.
 * What the pages write, `examples/geneva-wheel`, is the package's own where the user has no such folder.
 */
export function findModel(typed: string): string {
  const named = typed.replace(/^(?:\.[\\/])?examples[\\/]/, '');
  for (const candidate of [resolve(typed), join(PACKAGE_ROOT, 'examples', named)]) {
    if (!existsSync(candidate)) continue;
    requirePlainFile(candidate);
    if (!statSync(candidate).isDirectory()) return candidate;
    const model = modelIn(candidate);
    if (model) return model;
    throw new FileError(
      typed,
      '',
      `the folder holds no model; expected ${basename(candidate)}.model.ts or .model.js in it`,
    );
  }
  const names = exampleNames();
  throw new FileError(
    typed,
    '',
    `there is no such model file, folder or example${suggestion(basename(typed), names)}\n  examples: ${names.join(', ')}`,
  );
}

function modelIn(folder: string): string | undefined {
  return ENDINGS.map((ending) => join(folder, basename(folder) + ending)).find((path) => existsSync(path));
}

/** `parts/swing.model.ts` and `swing.json` are both "swing". */
export const modelName = (file: string): string => basename(file).replace(/(?:\.model)?\.(?:m?[jt]s|json)$/, '');

/** Paths of the modules that a model file imports, as the loader's thread meets them */
let modules: MessagePort | undefined;

/** What modules were imported since it was asked last, without those of the package and of what is installed. */
function importedFiles(): string[] {
  const files: string[] = [];
  for (let next = modules && receiveMessageOnPort(modules); next; next = modules && receiveMessageOnPort(modules))
    files.push(next.message as string);
  return files.filter((file) => !isOurs(file));
}

/** Files of the package and of what it depends on; its examples are a user's as any model is. */
export const isOurs = (file: string): boolean =>
  file.startsWith(join(PACKAGE_ROOT, 'dist')) || /[\\/]node_modules[\\/]/.test(file) || file.startsWith('node:');

/** Told of every file that a model is made of: what it imports, and the parts that it reads. */
let partOfModel: (file: string) => void = () => undefined;

export function onModelFile(told: (file: string) => void): void {
  partOfModel = told;
  onFileRead((path) => told(resolve(path)));
}

/** Loads a model file and gives the function it exports by default (`name` for another export). */
export async function loadModel(file: string, name = 'default'): Promise<ModelFunction> {
  if (/\.json$/i.test(file)) return loadJson(file, name);
  if (!modules) {
    const { port1, port2 } = new MessageChannel();
    modules = port1;
    register('./typescript-loader.js', import.meta.url, { data: port2, transferList: [port2] });
  }
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } finally {
    for (const imported of importedFiles()) partOfModel(imported);
  }
  const build = exported[name];
  if (typeof build === 'function') return build as ModelFunction;
  if (typeof build === 'object' && build !== null) return () => build;
  const others = Object.keys(exported);
  throw new ModelError(
    file,
    `expected ${name === 'default' ? 'a default export' : `an export "${name}"`} that is a model or a function giving one, got ${typeof build}` +
      `${others.length > 0 ? `; it exports ${others.join(', ')}` : ''}`,
  );
}

/** A JSON model has no parameters; CAD files it names lie beside it. */
async function loadJson(file: string, name: string): Promise<ModelFunction> {
  if (name !== 'default') throw new ModelError('--model', `a JSON file holds one model, got "${name}"; leave it out`);
  const text = new TextDecoder().decode(await readBytes(file));
  const built = await modelFromJsonText(text, file, {
    readPart: async (part, unit) => (await readCadFile(resolve(dirname(file), part), { ...(unit && { unit }) })).parts,
  });
  return () => built;
}

/** A model file that gives solids only is told apart from one that gives a model. */
export function requireModel(built: unknown, file: string): Model {
  if (typeof built === 'object' && built !== null && 'kind' in built && built.kind === 'model') return built as Model;
  const solids =
    typeof built === 'object' &&
    built !== null &&
    Object.values(built).some((value) => typeof value === 'object' && value !== null && 'mesh' in value);
  throw new ModelError(
    file,
    solids ? 'gives solids, not a model: "tippetop build" builds them' : 'expected it to give model({ bodies, … })',
  );
}

/** A model file of solids gives one solid or a record of named ones. */
export function requireSolids(built: unknown, file: string): [string, Solid][] {
  const isSolid = (value: unknown): value is Solid =>
    typeof value === 'object' && value !== null && 'mesh' in value && 'form' in value;
  if (isSolid(built)) return [['solid', built]];
  const entries = Object.entries((built ?? {}) as Record<string, unknown>);
  const wrong = entries.find(([, value]) => !isSolid(value));
  if (wrong) throw new ModelError(`${file}: ${wrong[0]}`, `expected a solid, got ${describe(wrong[1])}`);
  if (entries.length === 0)
    throw new ModelError(file, `expected the model to give named solids, got ${describe(built)}`);
  return entries as [string, Solid][];
}

const describe = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? `an array of ${value.length}`
      : typeof value === 'object'
        ? `an object with keys ${Object.keys(value).join(', ') || '(none)'}`
        : String(value);
