/**
 * Who makes the steps of a run. There are three: all bodies in one step of an integrator, with grains or without (machine-steps.ts); each island in steps
 * of its own (island-steps.ts); steps of known length in which contact is a convex problem (convex-steps.ts). The simulation's loop sees this of them.
 */
import type { LocatedCrossing } from '../integration/crossings.js';
import type { IntegratorName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Tape } from '../math/tape.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';
import type { GrainRun } from './grain-run.js';
import type { Hand } from './hand.js';
import type { MovingSystem } from './moving-system.js';
import type { TrustLedger } from './run-ledger.js';

export interface RunSteps {
  /** Up to here all is known, s */
  readonly time: number;
  /** At `time`; for looking at */
  readonly state: Float64Array;
  readonly method: IntegratorName;
  readonly ledger: TrustLedger;
  /** With what is no part of the machine, such as grains; for the trust report */
  readonly wholeLedger?: TrustLedger;
  /** Conditions of the user's that came true at the end of the last step */
  readonly located: readonly LocatedCrossing[];
  /** s: rows from here on see what is behind a jump of a user's function */
  readonly jumpsTo: number;
  /** What made the last step, with its error; undefined where there is none yet, and where steps have a known length */
  readonly last: MovingSystem | undefined;
  /** Where steps have a known length and contact is a convex problem, and what dragged bodies so far */
  readonly stepping?: TimeStepping;
  readonly hand?: Hand;
  /** Grains beside the machine, before the first step; absent where there can be none */
  setGrains?(grains: GrainRun): void;
  /** Before the first step. @param crossings conditions of the user's */
  watch(crossings: readonly ZeroCrossing[]): void;
  /**
   * Goes on by an accepted step, at most to the next event, and gives the time up to which all is known then. Rows up to there are told before `commit`.
   *
   * @param end         s, end of the run
   * @param shouldPause asked between the steps of grains, which may be many to one of the machine; they are `underWay` then, and another call goes on
   */
  step(end: number, events: readonly ComingEvent[], shouldPause?: () => boolean): number;
  /** Grains have paused ahead of the machine: the step is not made yet. */
  readonly underWay?: boolean;
  /** Has the machine follow grains that are under way, to where they are: for a run that is stopped there. */
  catchUp?(): void;
  /** After the rows of a step: histories go on, regions are named and handed on. */
  commit(): void;
  /** State at a time within the last step; overwritten by the next call. */
  stateAt(t: number): Float64Array;
  /** Events have happened at `time`: lets go of joints or takes hold of them, and starts anew from there. */
  switchJoints(switched: readonly JointSwitch[]): void;
  /** Writes all that its next steps follow from, beside what belongs to the whole (run-parts.ts). */
  write(tape: Tape): void;
  /** At the end of the run */
  close(): void;
}

/** An event that has not happened yet */
export interface ComingEvent {
  /** s, where it has a time */
  readonly at: number | undefined;
  /** What it switches */
  readonly constraints: readonly number[];
}

export interface JointSwitch {
  readonly constraint: number;
  readonly active: boolean;
}

/** s: a step from t must not go beyond the next event, nor the end. */
export function nextLimit(end: number, events: readonly ComingEvent[]): number {
  let limit = end;
  for (const { at } of events) if (at !== undefined && at < limit) limit = at;
  return limit;
}
