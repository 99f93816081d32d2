/**
 * What page and worker tell each other. The worker builds a model, runs it in slices and holds its recording; the page sees rows as they come. The same words serve the
 * house worker, which runs scenes and our own examples, and the sandbox, which runs the user's programs.
 */
import type { Vec3 } from '../../math/vec3.js';
import type { Lost } from '../../model/json-write.js';
import type { ParameterValue } from '../../model/parameters.js';
import type { RecordColumn, RecordValues } from '../../results/record-table.js';
import type { RecordedEvent, RunState, SignalDescription } from '../../results/recording.js';
import type { TrustReport } from '../../results/trust-report.js';
import type { HandNote } from '../../simulation/hand.js';
import type { CreasedMesh } from '../../viewer/stage/creases.js';
import type { JsonModel } from '../document/document.js';

export type ModelSource =
  /** Files that shapes name, by that name */
  | { readonly kind: 'scene'; readonly model: JsonModel; readonly files: Readonly<Record<string, SourceFile>> }
  /** One of ours, by the name of its folder */
  | {
      readonly kind: 'example';
      readonly name: string;
      readonly parameters: Readonly<Record<string, ParameterValue>>;
    }
  /** Of the user; only the sandbox takes it */
  | {
      readonly kind: 'code';
      readonly text: string;
      readonly parameters: Readonly<Record<string, ParameterValue>>;
    };

/** A worker keeps the bytes of a file under their hash; they are posted to it once. */
export interface SourceFile {
  readonly hash: string;
  readonly bytes?: Uint8Array;
}

/** Every answer has the number of its question; late ones are dropped by it. */
export type Request =
  | { readonly kind: 'build'; readonly number: number; readonly source: ModelSource }
  | {
      readonly kind: 'run';
      readonly number: number;
      readonly source: ModelSource;
      /** s; the model's own unless said */
      readonly stopTime?: number;
      /** Waits before the first step */
      readonly paused?: boolean;
    }
  | { readonly kind: 'play'; readonly number: number; readonly source: ModelSource; readonly play: PlaySettings }
  | { readonly kind: 'pause' | 'resume' | 'step' | 'stop' }
  /** Time that may be computed, s; and what the hand does from now on */
  | { readonly kind: 'until'; readonly time: number }
  | { readonly kind: 'hand'; readonly note: HandAct }
  | { readonly kind: 'ask'; readonly number: number; readonly what: Asked }
  /** Whether it can be built; the answer is empty, or path and text as JSON */
  | { readonly kind: 'check'; readonly number: number; readonly source: ModelSource }
  /** What the source builds, as data */
  | { readonly kind: 'write'; readonly number: number; readonly source: ModelSource };

/** Told as text of an answer to `write` */
export interface WrittenScene {
  readonly model: JsonModel;
  /** What data cannot hold, by path */
  readonly lost: readonly Lost[];
}

export type Asked = 'recording' | 'csv' | 'film' | 'explain' | 'notes';

export interface PlaySettings {
  /** s */
  readonly step: number;
  /** Of an earlier play, to be done again */
  readonly notes?: readonly HandNote[];
  /** s at which a replay ends */
  readonly stopTime?: number;
  /** s up to which the notes are done again before it goes on live */
  readonly liveFrom?: number;
}

/** Steps between two rows of a play */
export const STEPS_PER_ROW = 4;

/** What the hand does now */
export type HandAct = Omit<HandNote, 't'>;

export type Answer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'scene';
      readonly number: number;
      /** results/scene/scene-bytes.ts */
      readonly scene: Uint8Array;
      /** How each shape of it looks (viewer/stage/creases.ts), found here so that the page need not; undefined for those that are drawn without */
      readonly creases: readonly (CreasedMesh | undefined)[];
      readonly parameters: readonly ParameterText[];
      /** Of a run; a model that is only drawn has none. */
      readonly run?: RunHead;
    }
  | { readonly kind: 'rows'; readonly number: number; readonly rows: Rows }
  | { readonly kind: 'end'; readonly number: number; readonly end: RunEnd }
  | { readonly kind: 'failed'; readonly number: number; readonly path: string; readonly text: string }
  | { readonly kind: 'answer'; readonly number: number; readonly bytes?: Uint8Array; readonly text?: string };

/** As model/parameters.ts reads them */
export interface ParameterText {
  readonly name: string;
  readonly default: ParameterValue | undefined;
  readonly defaultText: string;
  readonly comment: string;
}

export interface RunHead {
  readonly title: string;
  readonly stopTime: number;
  readonly signals: readonly Required<SignalDescription>[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly Required<RecordColumn>[] }[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** m/s², where it is uniform; joints whose speed can be set while time runs, rad/s or m/s */
  readonly gravity?: Vec3;
  readonly motors?: readonly { readonly joint: string; readonly speed: number }[];
}

/** How the hand pulls: N now and at most, and where, world, m */
export interface Pull {
  readonly force: number;
  readonly most: number;
  readonly point: Vec3;
}

export interface Rows {
  readonly times: Float64Array;
  /** Row after row */
  readonly values: Float64Array;
  readonly tables: readonly TableRows[];
  readonly events: readonly RecordedEvent[];
  /** s on the clock per simulated second of late; and the step */
  readonly pace: number;
  readonly step: number;
  readonly pull?: Pull;
}

export interface TableRows {
  /** Rows of each instant */
  readonly counts: Int32Array;
  readonly values: readonly RecordValues[];
  /** Those that are new */
  readonly labels: readonly string[];
}

export interface RunEnd {
  readonly state: RunState;
  readonly hash: string;
  readonly trust: TrustReport;
  readonly events: readonly RecordedEvent[];
  /** Why it ended before its time */
  readonly why?: string;
}
