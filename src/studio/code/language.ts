/** What the page asks the worker that knows TypeScript, and what it is told. */

export interface CodeMistake {
  /** Characters */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** It runs nevertheless: types are taken out */
  readonly isWarning?: boolean;
}

export interface Stripped {
  readonly script: string;
  readonly mistakes: readonly CodeMistake[];
}

export interface LanguageQuestion {
  readonly kind: 'strip' | 'declarations' | 'mistakes' | 'completions' | 'tell';
  readonly text: string;
  /** Characters */
  readonly at?: number;
  readonly declarations?: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly label: string;
  /** `function`, `property`, … as the editor has icons for */
  readonly kind: string;
  /** Those that are rarely meant come last */
  readonly isFarther: boolean;
  /** What it is, beside the name */
  readonly detail?: string;
  /** What is written, where that is not the name */
  readonly insert?: string;
}

export interface Completions {
  /** Characters: what is typed already begins here */
  readonly from: number;
  /** and ends here, where it is not the cursor */
  readonly to?: number;
  readonly names: readonly Completion[];
}

/** What is told of a name: its type, and what its declaration says */
export interface Told {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly text: string;
}
