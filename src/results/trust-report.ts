/** How far a run can be trusted, in its own figures: printed in short at the end of a run and kept in its recording. */

/** What JSON can hold. Numbers that are not finite become the texts "NaN", "Infinity", "-Infinity" in a file. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where the energy is and went, J. `error` is what the sum at the end has more than at the start and was put in. */
export type EnergyLedger = {
  readonly kinetic: number;
  readonly potential: number;
  readonly elastic: number;
  readonly dissipated: number;
  readonly putIn: number;
  readonly error: number;
  /** What the length of the steps of a time-stepping run made or lost, first order in it; not in `error` */
  readonly step?: number;
  /** `error` against the largest energy that moved, 1. */
  readonly relativeError: number;
};

/** How far momentum has drifted that no force accounts for, and against the largest there was. */
export type MomentumDrift = {
  readonly linear: number; // kg m/s
  readonly angular: number; // kg m²/s
  readonly relative: number; // 1
};

/** Largest violation of the joints that close loops, after projection. */
export type ConstraintDrift = {
  readonly position: number; // m or rad
  readonly velocity: number; // m/s or rad/s
};

/** Estimate of what the attitude of free bodies is wrong by at the end, whose invariants are kept by projection; to an order of magnitude. */
export type AttitudeError = {
  readonly largest: number; // rad
  readonly body: string;
};

export type StepCount = {
  readonly accepted: number;
  readonly rejected: number;
  readonly smallest: number; // s
  /** When the smallest step was taken, s. */
  readonly smallestAt?: number;
  /** Which element forced it: a contact, joint or force by name. */
  readonly smallestCausedBy?: string;
};

/** The report in one word. */
export const VERDICTS = ['trusted', 'doubtful', 'not to be trusted'] as const;

export type Verdict = {
  readonly word: (typeof VERDICTS)[number];
  /** Why, the weightiest first, each with what to do about it; of a run that is trusted, what it stands on. */
  readonly reasons: readonly { readonly reason: string; readonly remedy?: string }[];
};

/** Deepest contact of a run against what its law allows. */
export type DeepestContact = {
  readonly pair: string;
  readonly depth: number; // m
  readonly time: number; // s
  /** Deeper is doubtful, and deeper still wrong, m; Infinity where nothing is said of it */
  readonly doubtful: number;
  readonly most: number;
};

/** Known entries; a stage may add its own. */
export type TrustReport = {
  readonly verdict?: Verdict;
  readonly energy?: EnergyLedger;
  readonly momentum?: MomentumDrift;
  readonly constraints?: ConstraintDrift;
  readonly attitude?: AttitudeError;
  readonly steps?: StepCount;
  readonly notes?: readonly string[];
  readonly [more: string]: Json | undefined;
};

/** JSON text of a value; what JSON has no number for goes in as text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'number' && !Number.isFinite(part) ? String(part) : part));
