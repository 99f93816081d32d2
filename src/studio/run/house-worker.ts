/** The worker of the house: builds and runs scenes, which are data, and our own examples. Nothing of the user's ever runs in it. */
import { ModelError } from '../../errors.js';
import { explain, explanationText } from '../../explain/index.js';
import { modelFromJson } from '../../model/json.js';
import type { Model } from '../../model/model.js';
import { type ModelFunction, parametersOf } from '../../model/parameters.js';
import { FileShelf, readCadParts } from './cad-parts.js';
import type { Answer, ModelSource, ParameterText, Request } from './messages.js';
import { type BuiltModel, Runner } from './runner.js';

/** Told by the build: parameters as read from the text of each example, for a bundle has no comments */
declare const STUDIO_VERSION: string;
declare const STUDIO_PARAMETERS: Readonly<Record<string, readonly ParameterText[]>>;

/** By the name of their folder */
const EXAMPLES = Object.fromEntries(
  Object.entries(import.meta.glob<{ readonly default: ModelFunction }>('../../../examples/*/*.model.ts')).map(
    ([path, load]) => [path.split('/').at(-2), load],
  ),
);

const shelf = new FileShelf();

async function build(source: ModelSource): Promise<BuiltModel> {
  if (source.kind === 'code') throw new ModelError('code', 'programs run in the sandbox');
  if (source.kind === 'scene') {
    shelf.keep(source.files);
    const model = await modelFromJson(source.model, {
      readPart: (file, unit) => readCadParts(file, unit, source.files, shelf),
    });
    return { model, parameters: [] };
  }
  const load = EXAMPLES[source.name];
  if (!load) throw new ModelError('example', `there is no example "${source.name}"`);
  const construct = (await load()).default;
  const parameters = STUDIO_PARAMETERS[source.name] ?? parametersOf(construct);
  const model = (await construct({ ...source.parameters })) as Model;
  if (model?.kind !== 'model') throw new ModelError(source.name, 'builds no model that could be run');
  return { model, parameters };
}

const runner = new Runner({
  build,
  explain: (model) => explanationText(explain(model.title, model, {}), []).join('\n'),
  versions: {
    tippetop: STUDIO_VERSION,
    browser: navigator.userAgent.match(/(?:Firefox|Chrome|Version)\/[\d.]+/)?.[0] ?? 'unknown',
  },
  post: (answer: Answer, transfer) => self.postMessage(answer, { transfer }),
});
self.onmessage = ({ data }: MessageEvent<Request>) => void runner.receive(data);
self.postMessage({ kind: 'ready' } satisfies Answer);
