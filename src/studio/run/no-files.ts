/** In place of `tippetop/node`: an example that asks for a file gets a sentence. */
import { ModelError } from '../../errors.js';

export function readCadFile(path: string): never {
  throw new ModelError('file', `"${path}" cannot be read in a browser; run this with "tippetop run"`);
}
