/**
 * What a process that works on a model file tells the one that watches the file (live.ts): the files the model is made of, what went
 * wrong, and a scene. A process that nobody watches tells nobody.
 */
import type { DrawnModel } from '../../node/view-server.js';

export type Message =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'scene'; readonly model: DrawnModel };

/** Set by the parent; another program that starts us with a channel of its own does not know our messages. */
export const WATCHED = 'TIPPETOP_WATCHED';

export const isWatched = (): boolean => process.env[WATCHED] !== undefined && process.send !== undefined;

export function reportToParent(message: Message): void {
  if (isWatched()) process.send?.(message);
}

/** On the terminal, and where a parent watches, to it. @param ours a mistake that is not the user's: the terminal shows where it is from */
export function complain(text: string, ours?: unknown): void {
  console.error(ours === undefined ? `error: ${text}` : ours instanceof Error ? (ours.stack ?? ours.message) : ours);
  reportToParent({ kind: 'error', text });
}
