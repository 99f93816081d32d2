/** Which recording is meant: a file, a folder that a run left, or the name under which it is in out/. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError, suggestion } from '../errors.js';

export interface FoundRecording {
  /** Path of the .h5 or .csv file */
  readonly file: string;
  /** Of the run: the folder's name */
  readonly name: string;
}

/** @throws FileError that says what to do if there is none */
export function findRecording(typed: string): FoundRecording {
  for (const path of [typed, join('out', typed)]) {
    if (!existsSync(path)) continue;
    if (!statSync(path).isDirectory()) return { file: path, name: basename(dirname(resolve(path))) };
    const file = join(path, 'recording.h5');
    if (existsSync(file)) return { file, name: basename(resolve(path)) };
    throw new FileError(path, '', 'has no recording.h5; "tippetop run <model>" leaves one in out/<name>');
  }
  const runs = existsSync('out') ? readdirSync('out') : [];
  throw new FileError(
    typed,
    '',
    `there is no such file or folder, nor out/${typed}${suggestion(typed, runs) || '; "tippetop run <model>" leaves a recording in out/<name>'}`,
  );
}
