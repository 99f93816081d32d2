/**
 * What runs in the sandbox: the library as one module, which the user's program imports, and the runner of the studio beside it. Built as one text, that the page posts into a frame
 * without network, storage or origin.
 */
export * from 'tippetop';

import { ModelError } from '../../errors.js';
import { explain, explanationText } from '../../explain/index.js';
import type { Model } from '../../model/model.js';
import { type ModelFunction, parametersOf } from '../../model/parameters.js';
import type { Answer, ModelSource, Request } from '../run/messages.js';
import { type BuiltModel, Runner } from '../run/runner.js';

declare const STUDIO_VERSION: string;

const IMPORT = /^(\s*(?:import|export)\b[^'"]*?\bfrom\s*)(['"])([^'"]+)\2/gm;

/** @param port to the page @param library address of this module, as programs import it */
export function startInSandbox(port: MessagePort, library: string): void {
  let address = '';
  const build = async (source: ModelSource): Promise<BuiltModel> => {
    if (source.kind !== 'code') throw new ModelError('sandbox', 'only programs run here');
    const text = source.text.replace(IMPORT, (_, head: string, quote: string, from: string) => {
      if (from !== 'tippetop')
        throw new ModelError('program', `"${from}" cannot be had in the studio; expected 'tippetop'`);
      return `${head}${quote}${library}${quote}`;
    });
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    try {
      const construct = ((await import(/* @vite-ignore */ address)) as { readonly default?: ModelFunction }).default;
      if (typeof construct !== 'function')
        throw new ModelError('program', 'expected "export default ({ … } = {}) => model({ … })"');
      const parameters = parametersOf(construct);
      const model = (await construct({ ...source.parameters })) as Model;
      if (model?.kind !== 'model') throw new ModelError('program', 'builds no model that could be run');
      return { model, parameters };
    } catch (error) {
      throw placed(error, address);
    }
  };
  const runner = new Runner({
    build,
    explain: (model) => explanationText(explain(model.title, model, {}), []).join('\n'),
    versions: { tippetop: STUDIO_VERSION, browser: navigator.userAgent.match(/Chrome\/[\d.]+/)?.[0] ?? 'unknown' },
    post: (answer: Answer, transfer) => port.postMessage(answer, transfer),
  });
  port.onmessage = ({ data }: MessageEvent<Request>) => void runner.receive(data);
  port.postMessage({ kind: 'ready' } satisfies Answer);
}

/** With the line of the program it came from: types were blanked, so that places are those of the text. */
function placed(error: unknown, address: string): unknown {
  if (!(error instanceof Error)) return error;
  const at = error.stack?.split(address)[1]?.match(/^:(\d+)(?::\d+)?/);
  if (!at) return error;
  return new ModelError(`line ${at[1]}`, error.message);
}
