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

export type StepCount = {
  readonly accepted: number;
  readonly rejected: number;
  readonly smallest: number; // s
  /** When the smallest step was taken, s. */
  readonly smallestAt?: number;
  /** Which element forced it: a contact, joint or force by name. */
  readonly smallestCausedBy?: string;
};

/** Known entries; a stage may add its own. */
export type TrustReport = {
  readonly energy?: EnergyLedger;
  readonly momentum?: MomentumDrift;
  readonly constraints?: ConstraintDrift;
  readonly steps?: StepCount;
  readonly notes?: readonly string[];
  readonly [more: string]: Json | undefined;
};

/** JSON text of a value; what JSON has no number for goes in as text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'number' && !Number.isFinite(part) ? String(part) : part));
