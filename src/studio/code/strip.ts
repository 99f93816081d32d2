/** The page's side of the worker that knows TypeScript; it is loaded when the first program is looked at, and our declarations when one is edited. */
import type { CodeMistake, Completions, LanguageQuestion, Stripped, Told } from './language.js';
import StripWorker from './strip-worker.ts?worker';

let worker: Worker | undefined;
let next = 0;
const waiting = new Map<number, (answer: never) => void>();

function ask<Answer>(question: LanguageQuestion): Promise<Answer> {
  if (!worker) {
    worker = new StripWorker();
    worker.onmessage = ({ data }: MessageEvent<{ readonly id: number; readonly answer: never }>) => {
      waiting.get(data.id)?.(data.answer);
      waiting.delete(data.id);
    };
  }
  const id = next++;
  worker.postMessage({ id, ...question });
  return new Promise((resolve) => waiting.set(id, resolve));
}

export const strip = (text: string): Promise<Stripped> => ask({ kind: 'strip', text });

let declared: Promise<boolean> | undefined;
/** The worker asks the network for nothing: the page hands it our declarations. @returns whether they could be had */
const declare = (): Promise<boolean> =>
  (declared ??= fetch('types.json').then(
    async (answer) => {
      if (!answer.ok) return false;
      await ask({ kind: 'declarations', text: '', declarations: (await answer.json()) as Record<string, string> });
      return true;
    },
    () => false,
  ));

export const typeMistakes = async (text: string): Promise<readonly CodeMistake[]> =>
  (await declare()) ? ask({ kind: 'mistakes', text }) : [];
export const completionsAt = async (text: string, at: number): Promise<Completions | undefined> =>
  (await declare()) ? ask({ kind: 'completions', text, at }) : undefined;
export const toldAt = async (text: string, at: number): Promise<Told | undefined> =>
  (await declare()) ? ask({ kind: 'tell', text, at }) : undefined;

/** 1, 2, … */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
