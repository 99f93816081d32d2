/** Looks at a CAD file before it becomes a part, where nobody waits for the page. */
import { type CadFound, lookAtCad } from './look-at-cad.js';

export interface CadRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
}
export type CadAnswer = { readonly found: CadFound } | { readonly why: string };

self.onmessage = async ({ data }: MessageEvent<CadRequest>) => {
  let answer: CadAnswer;
  try {
    answer = { found: await lookAtCad(data.bytes, data.name) };
  } catch (error) {
    answer = { why: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
};
