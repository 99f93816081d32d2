/** A lesson: steps that are done and not read. Each says what to do and where, and is over when a test of the document, the run or the play holds, whichever way it came about. */
import type { AssetStore } from '../document/assets.js';
import type { StudioDocument } from '../document/document.js';

/** What a step looks at */
export interface LessonView {
  readonly document: StudioDocument;
  readonly activity: string;
  /** Of the run that is shown; undefined: none */
  readonly run:
    | {
        readonly isPlay: boolean;
        readonly ended: boolean;
        readonly duration: number;
        /** How far a signal went from first to last; undefined: there is none of this name */
        change(signal: string): number | undefined;
      }
    | undefined;
  /** Body the hand holds */
  readonly holds: boolean;
  /** Runs begun since the lesson was, of the model, not of Play */
  readonly runs: number;
  readonly selected: readonly string[];
}

export interface LessonStep {
  readonly say: string;
  /** Selectors of what is pointed at: the first that is to be seen, as the way to it may lead over another */
  readonly at?: readonly string[];
  until(view: LessonView): boolean;
}

export interface Lesson {
  readonly name: string;
  readonly title: string;
  /** What it begins with: an example by name, or a document */
  readonly begin:
    | { readonly example: string }
    | { readonly document: (assets: AssetStore) => StudioDocument | Promise<StudioDocument> };
  readonly steps: readonly LessonStep[];
}

const models = ({ document }: LessonView): Readonly<Record<string, unknown>> =>
  document.source.kind === 'scene' ? document.source.model.bodies : {};

export const has = (pattern: RegExp) => (view: LessonView) =>
  Object.keys(models(view)).some((name) => pattern.test(name));
export const changedParameter = ({ document }: LessonView): boolean =>
  document.source.kind === 'code' && Object.keys(document.source.parameters).length > 0;
export const ran = ({ run }: LessonView): boolean => run !== undefined && !run.isPlay && run.ended;
export const runsAtLeast = (count: number) => (view: LessonView) => ran(view) && view.runs >= count;
export const plays = ({ run }: LessonView): boolean => run?.isPlay === true;
export const holds = ({ holds: held }: LessonView): boolean => held;
