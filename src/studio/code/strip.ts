/** The page's side of the worker that knows TypeScript; it is loaded when the first program is looked at. */
import StripWorker from './strip-worker.ts?worker';

export interface CodeMistake {
  /** Characters */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Stripped {
  readonly script: string;
  readonly mistakes: readonly CodeMistake[];
}

let worker: Worker | undefined;
let next = 0;
const waiting = new Map<number, (stripped: Stripped) => void>();

export function strip(text: string): Promise<Stripped> {
  if (!worker) {
    worker = new StripWorker();
    worker.onmessage = ({ data }: MessageEvent<Stripped & { readonly id: number }>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    };
  }
  const id = next++;
  worker.postMessage({ id, text });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** 1, 2, … */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
