/** What the server of `tippetop view` tells its page, at `content.json`. Addresses are relative to the page. */
import type { Json } from '../results/trust-report.js';

export interface ViewContent {
  /** What the page is about: the folder, file or model that was named on the command line; empty if none was. */
  readonly title: string;
  /** Recordings that can be opened, the one to open first in front. */
  readonly recordings: readonly ListedRecording[];
  /** A model that has not been run: where the bytes of its scene are (results/scene), and its parameters. */
  readonly model?: {
    readonly title: string;
    readonly scene: string;
    readonly parameters: { readonly [name: string]: Json };
  };
  /** A file that is being edited: where events tell of it, each with a LiveState in JSON, and the version of what stands here */
  readonly live?: { readonly address: string; readonly version: number };
}

/** What has become of a model whose file is being edited. */
export interface LiveState {
  /** Grows with every result that can be shown. */
  readonly version: number;
  /** At work on what was saved last */
  readonly running: boolean;
  /** Why there is nothing new to show, in the words of the command line */
  readonly error?: string;
}

export interface ListedRecording {
  /** As a person knows it: `newtons-cradle/recording.h5` */
  readonly name: string;
  readonly address: string;
  /** bytes */
  readonly size: number;
  /** ms since 1970 */
  readonly modified: number;
}
