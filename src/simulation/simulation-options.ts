/** What a user may say of a run beside the model; each wins over what the model says. */

import { ModelError, suggestion } from '../errors.js';
import type { Team } from '../grains/team.js';
import type { IntegratorName } from '../integration/method-name.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { Origin, Recording } from '../results/recording.js';
import type { HandNote } from './hand.js';
import type { RunLimits } from './run-limits.js';

export interface SimulationOptions extends RunLimits {
  /** 'told': pairs that are drawn too deep into each other are in `system.contacts.told` and not refused. To look at a model; a run of it would be violent */
  readonly overlaps?: 'refused' | 'told';
  /** s; the model's own, or 10 s, unless said */
  readonly stopTime?: number;
  /** s between recorded rows; 1/500 of the run unless said */
  readonly interval?: number;
  /** Relative tolerance, 1e-6 unless said */
  readonly rtol?: number;
  readonly integrator?: IntegratorName | 'automatic';
  /** Step of fixed-step integrators and of 'time-stepping', s */
  readonly step?: number;
  /** In place of the step of 'time-stepping', m: how far a step may be from two of half its length */
  readonly accuracy?: number;
  /** κ of 'time-stepping': depth at rest h² g/κ under a body's own weight; 1000, of islands of more than 50 bodies 100, unless said */
  readonly rigidity?: number;
  /** False: 'time-stepping' goes on solving for bodies that have come to rest */
  readonly resting?: boolean;
  /** Notes of a hand that dragged bodies in another 'time-stepping' run (`simulation.hand.notes`), to be done again */
  readonly handling?: readonly HandNote[];
  /** No step of the other integrators is longer, s; no limit unless said */
  readonly longestStep?: number;
  /**
   * Whether mechanisms that touch nothing in common make steps of their own: 'per island', as error-controlled integrators do unless said, or all
   * together, as fixed-step ones do
   */
  readonly steps?: StepsOf;
  /** Who computes the grains: one thread unless said; in a page `await pageWorkers()` (grains/page-workers.ts). Changes no bit. */
  readonly team?: Team;
  /** Hears what is made before the first step where that may take seconds, as dense packings and modes of fine meshes do, again and again while it is */
  readonly preparing?: (what: string) => void;
  /**
   * s between instants from which the run can be gone on with, bit for bit (`simulation.marks`). At these it forgets what it knows beyond its state and the memory of its
   * contacts, so that it makes a few other steps than without; errors stay within the tolerance. With 'time-stepping' steps are the same.
   */
  readonly restartable?: number;
  /** Goes on with a run that was stopped: where it was, and its recording so far */
  readonly restart?: Restart;
  /** For the recording. */
  readonly origin?: Origin;
}

export interface Restart {
  readonly checkpoint: Checkpoint;
  readonly recording: Recording;
}

export const STEPS = ['per island', 'one for all'] as const;
export type StepsOf = (typeof STEPS)[number];
export const DEFAULT_STEPS: StepsOf = 'per island';

export const DEFAULT_STOP_TIME = 10;
export const DEFAULT_TOLERANCE = 1e-6;
export const DEFAULT_ROWS = 500;

/** A text is told from the number it looks like. */
export const quoted = (value: unknown): string => (typeof value === 'string' ? `the text "${value}"` : String(value));

/** @throws ModelError unless it is a number above zero */
export function positive(value: number, path: string, unit: string): number {
  if (!(typeof value === 'number' && value > 0 && value < Infinity))
    throw new ModelError(path, `expected a number > 0${unit && ` ${unit}`}, got ${quoted(value)}`);
  return value;
}

/** Every option; the compiler asks for the one that is forgotten. */
const OPTIONS: Readonly<Record<keyof SimulationOptions, true>> = {
  overlaps: true,
  stopTime: true,
  interval: true,
  rtol: true,
  integrator: true,
  step: true,
  accuracy: true,
  rigidity: true,
  resting: true,
  handling: true,
  longestStep: true,
  steps: true,
  team: true,
  preparing: true,
  restartable: true,
  restart: true,
  origin: true,
  maxSteps: true,
  maxTime: true,
};

/** @throws ModelError naming an option that there is not, or what is no object of options */
export function refuseUnknownOptions(options: SimulationOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new ModelError('options', `expected { stopTime: 3 } or the like, got ${String(options)}`);
  const known = Object.keys(OPTIONS);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new ModelError(
        `options.${key}`,
        `there is no such option${key === 'stop' ? '; did you mean "stopTime"?' : suggestion(key, known)}`,
      );
}
