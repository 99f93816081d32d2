/** From what the user typed to a study: a `.study.ts`, `.study.js` or `.study.json` file, a folder with one, or the name of an example that has one. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError, ModelError, suggestion } from '../../errors.js';
import { parseJson } from '../../model/json-text.js';
import { type Study, type StudyOptions, study } from '../../model/study.js';
import { findModel, loadModel } from '../../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../../node/package-root.js';

const ENDING = /\.study\.(?:m?[jt]s|json)$/;

export const isStudyFile = (path: string): boolean => ENDING.test(path);
export const studyName = (file: string): string =>
  basename(file)
    .replace(ENDING, '')
    .replace(/\.json$/, '');

/** Studies that come with the package, by name */
export function exampleStudies(): string[] {
  const folder = join(PACKAGE_ROOT, 'examples');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => (statSync(join(folder, name)).isDirectory() ? studiesIn(join(folder, name)) : []))
    .sort();
}

const studiesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(isStudyFile)
    .map((file) => join(folder, file));

export function findStudy(typed: string): string {
  const path = resolve(typed);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) {
      if (isStudyFile(path)) return path;
      throw new FileError(typed, '', 'expected a study: a file whose name ends in .study.ts, .study.js or .study.json');
    }
    return only(studiesIn(path), typed);
  }
  const examples = exampleStudies();
  const named = examples.filter((file) => studyName(file) === typed);
  if (named.length > 0) return named[0];
  const folder = join(PACKAGE_ROOT, 'examples', typed);
  if (existsSync(folder)) return only(studiesIn(folder), typed);
  const names = examples.map(studyName);
  throw new FileError(
    typed,
    '',
    `there is no such study file, folder or example${suggestion(basename(typed), names)}\n  studies of the examples: ${names.join(', ')}`,
  );
}

function only(found: readonly string[], typed: string): string {
  if (found.length === 1) return found[0];
  throw new FileError(
    typed,
    '',
    found.length === 0
      ? 'the folder holds no study; expected a file such as friction.study.ts in it'
      : `the folder holds several studies; name one of ${found.map((file) => basename(file)).join(', ')}`,
  );
}

/** @throws ModelError where the file holds none */
export async function loadStudy(file: string): Promise<Study> {
  if (/\.json$/.test(file)) {
    const value = parseJson(readFileSync(file, 'utf8'), file);
    if (typeof value !== 'object' || value === null)
      throw new ModelError(file, 'expected an object { "model": …, "parameters": … }');
    const { $schema: _, ...options } = value as { $schema?: string };
    return study(options as unknown as StudyOptions);
  }
  const made = await (await loadModel(file))();
  if (typeof made === 'object' && made !== null && 'kind' in made && made.kind === 'study') return made as Study;
  if (typeof made === 'object' && made !== null && 'kind' in made && made.kind === 'model')
    throw new ModelError(
      file,
      'gives a model, not a study: "tippetop run" runs it, "tippetop sweep" varies its parameters',
    );
  return study(made as StudyOptions);
}

/** The model of a study: a file beside it, or an example */
export function modelOfStudy({ model }: Study, file: string): string {
  const beside = resolve(dirname(file), model);
  return existsSync(beside) ? findModel(beside) : findModel(model);
}
