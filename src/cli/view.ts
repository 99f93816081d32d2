/** `tippetop view`: shows a recording, the recordings of a folder, or a model that has not been run, in the browser. Ctrl-C ends it. */
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command } from 'commander';
import { FileError, ModelError } from '../errors.js';
import { parametersOf } from '../model/parameters.js';
import {
  exampleNames,
  findModel,
  loadModel,
  modelName,
  onModelFile,
  requireModel,
} from '../node/model-files/load-model.js';
import { openRecordingFile } from '../node/recording-files.js';
import { ServedFolder } from '../node/served-folder.js';
import type { DrawnModel } from '../node/view-server.js';
import { sceneBytes } from '../results/scene/scene-bytes.js';
import { sceneOf } from '../results/scene/scene-of.js';
import type { Json } from '../results/trust-report.js';
import { live } from './live/live.js';
import { isWatched, reportToParent } from './live/report-to-parent.js';
import { modelArguments } from './model-files/model-arguments.js';
import { openView, type Served, type ServeOptions, serveView } from './serve-view.js';

export interface ViewOptions extends ServeOptions {
  readonly drawn?: boolean;
  readonly model?: string;
  readonly set?: string[];
}

export function viewCommand(): Command {
  return new Command('view')
    .description('look at a recording or a model in the browser')
    .argument(
      '[what]',
      'a folder of results such as out/pendulum, a recording.h5, a model file or an example (default: out)',
    )
    .argument('[parameters...]', 'parameters of the model, such as --length 2')
    .option('--port <number>', 'port to listen at (default: one that is free)')
    .option('--host <address>', 'address to listen at; 0.0.0.0 lets others on the network in (default: 127.0.0.1)')
    .option('--no-open', 'print the address, open no browser')
    .option('--drawn', 'show the model as it is drawn, also if it has been run')
    .option('--model <export>', 'which model of a file that exports several')
    .option('--set <name=value>', 'set a parameter; may be repeated', (value, all: string[]) => [...all, value], [])
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nThe page and the files are served to this machine only, until Ctrl-C. Recordings can also be dropped on the page.' +
        '\nA model is watched: when its file or one that it uses is saved, it is drawn, or run, again, and the page follows.' +
        '\n\nExamples:\n  tippetop view out/pendulum\n  tippetop view geneva-mechanism --slots 8\n  tippetop view results.h5 --port 8080 --no-open',
    )
    .action(async (typed: string | undefined, words: string[], options: ViewOptions) => {
      // Options that are not ours belong to the model, and so does one that stands in its place.
      const isOption = typed?.startsWith('--') === true;
      if (isOption) words.unshift(typed);
      const what = await shown(isOption ? undefined : typed, words, options);
      if (isWatched()) reportToParent({ kind: 'scene', model: what.model as DrawnModel });
      else if (what.rerun) await follow(what, what.rerun, options);
      else await serveView(what, options);
    });
}

/** Shows it, and works on the model again when it is saved. */
async function follow(what: Served, { files, words }: Rerun, options: ViewOptions): Promise<void> {
  const server = await openView({ ...what, live: true }, options);
  await live({ files, words: () => words, atOnce: false, server });
}

/** How what is shown is made anew when a file of the model is saved. */
interface Rerun {
  readonly files: readonly string[];
  /** Of a process of its own */
  readonly words: readonly string[];
}

/** What was typed: results if there are some, else a model. */
async function shown(
  typed: string | undefined,
  words: readonly string[],
  options: ViewOptions,
): Promise<Served & { readonly rerun?: Rerun }> {
  const isOfModel = words.length > 0 || (options.set ?? []).length > 0 || options.model !== undefined || options.drawn;
  if (typed === undefined) {
    if (isOfModel) throw new ModelError('view', `expected a model before ${words[0] ?? 'these options'}, got none`);
    return existsSync('out') ? { title: 'out', path: 'out' } : {};
  }
  if (!isOfModel) {
    const results = await resultsOf(typed);
    if (results) return results;
  }
  const file = findModel(typed);
  if (!/\.(?:m?[jt]s|json)$/i.test(file))
    throw new FileError(
      typed,
      '',
      'expected a folder of results, a recording (.h5) or a model file (.model.ts, .js, .json)',
    );
  const files = isWatched() ? [] : filesOf();
  const construct = await loadModel(file, options.model);
  const parameters = parametersOf(construct);
  const given = modelArguments(parameters, words, options.set ?? []);
  const model = requireModel(await construct(given), file);
  const title = model.title || modelName(file);
  const values: Record<string, Json> = {};
  for (const { name, default: usual, defaultText } of parameters)
    values[name] = given[name] ?? usual ?? defaultText ?? null;
  const drawn = { title, scene: sceneBytes(sceneOf(model)), parameters: values };
  return { title, model: drawn, rerun: { files: [file, ...files], words: [...process.argv.slice(2), '--drawn'] } };
}

/** Collects the files of the model that is loaded next. */
function filesOf(): string[] {
  const files: string[] = [];
  onModelFile((file) => files.push(file));
  return files;
}

/** Results in a folder or file of that name, or those that `run` left for that model; undefined if there are none. */
async function resultsOf(
  typed: string,
): Promise<(Pick<Served, 'title' | 'path'> & { readonly rerun?: Rerun }) | undefined> {
  const isFolder = existsSync(typed) && statSync(typed).isDirectory();
  if (isFolder && (await (await ServedFolder.open(typed)).recordings()).length > 0)
    return { title: typed, path: typed };
  if (!isFolder && existsSync(typed) && /\.h(?:df)?5$/i.test(typed)) return { title: typed, path: typed };
  let file: string;
  try {
    file = findModel(typed);
  } catch (error) {
    const name = basename(resolve(typed));
    const isExample = exampleNames().includes(name);
    if (!isFolder && !(isExample && name !== typed)) throw error;
    throw new FileError(
      typed,
      '',
      `${isFolder ? 'the folder holds no recording (recording.h5) and no model' : 'there is no such folder'}; "tippetop run ${isExample ? name : '<model>'}" leaves a recording in out/${isExample ? name : '<name>'}`,
    );
  }
  const left = join('out', modelName(file));
  if (!existsSync(join(left, 'recording.h5'))) return undefined;
  console.log(`showing the results in ${left}; with --drawn the model as it is drawn`);
  return { title: left, path: left, rerun: await rerunOf(typed, file, left) };
}

/** A run with the parameters of the one that left these results; what is wrong with the model now is told when it is run. */
async function rerunOf(typed: string, file: string, folder: string): Promise<Rerun> {
  const files = filesOf();
  const settings: string[] = [];
  try {
    const parameters = parametersOf(await loadModel(file));
    const recording = await openRecordingFile(join(folder, 'recording.h5'));
    for (const { name, default: usual, defaultText } of parameters) {
      const had = recording.reader.parameters[name];
      if (had !== undefined && had !== null && had !== (usual ?? defaultText)) settings.push('--set', `${name}=${had}`);
    }
    await recording.close();
  } catch {
    // The results are shown all the same.
  }
  return { files: [file, ...files], words: ['run', typed, '--out', folder, ...settings] };
}
