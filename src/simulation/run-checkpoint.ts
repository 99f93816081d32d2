/**
 * What is written of a run at an instant, so that it can be gone on with from there, and who may go on with it. There are two kinds: of a machine among grains, written when it is asked
 * for, and of a run without grains, at marks (`restartable`).
 */
import { ModelError } from '../errors.js';
import type { Statistics } from '../integration/statistics.js';
import { Tape } from '../math/tape.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import type { GrainRun } from './grain-run.js';
import type { MachineSteps } from './machine-steps.js';
import { partsOf } from './past-rows.js';
import { type RunMemory, type RunParts, writeRun } from './run-parts.js';

/** What runs are called whose checkpoints can be told apart */
const WITH_GRAINS = 'machine and grains';
const MARKED = 'machine';

/** What is told of a run beside its parts */
export interface CheckpointedRun {
  readonly model: Model;
  readonly recording: Recording;
  readonly statistics: Statistics;
  /** s, so far, between rows, and at the end */
  readonly time: number;
  readonly interval: number;
  readonly stopTime: number;
  readonly rtol: number;
}

const commonFacts = ({ recording, interval, stopTime, rtol, statistics }: CheckpointedRun, { events }: RunParts) => ({
  parameters: recording.parameters,
  interval,
  stop: stopTime,
  rtol,
  rows: recording.rows,
  events: events.snapshot(),
  statistics: { ...statistics, switches: statistics.switches.map((change) => ({ ...change })) },
});

/** A machine among grains, between rows or steps of the grains */
export function checkpointWithGrains(
  run: CheckpointedRun,
  parts: RunParts,
  steps: MachineSteps,
  grains: GrainRun,
): Checkpoint {
  return {
    time: run.time,
    facts: { run: WITH_GRAINS, ...commonFacts(run, parts), grains: grains.facts },
    arrays: { ...steps.snapshot(), ...grains.snapshot() },
  };
}

/** A run without grains. @param every s between marks */
export function checkpointAtMark(run: CheckpointedRun, parts: RunParts, every: number): Checkpoint {
  const tape = new Tape();
  writeRun(tape, parts);
  return {
    time: run.time,
    facts: { run: MARKED, ...commonFacts(run, parts), every, parts: partsOf(run.model) },
    arrays: { memory: tape.values },
  };
}

/** What was written of a run at a mark; undefined where the checkpoint is of another kind */
export const memoryOf = ({ facts, arrays }: Checkpoint): Omit<RunMemory, 'recording'> | undefined =>
  facts.run === MARKED
    ? { tape: new Tape(arrays.memory), events: facts.events as unknown as RunMemory['events'] }
    : undefined;

/** What was counted until a checkpoint; a copy, for it is counted on. */
export function countFrom(statistics: Statistics, { facts }: Checkpoint): void {
  const counted = facts.statistics as unknown as Statistics;
  Object.assign(statistics, counted, { switches: [...counted.switches] });
}

/** @throws ModelError if a run cannot go on from a checkpoint. @param markable it could have left marks */
export function refuseOtherRun(
  { time, facts }: Checkpoint,
  { interval, stopTime }: CheckpointedRun,
  withGrains: boolean,
  markable: boolean,
): void {
  if (facts.run !== (withGrains ? WITH_GRAINS : MARKED) || !(withGrains || markable))
    throw new ModelError('restart', `expected the checkpoint of a run like this one, got one of ${facts.run}`);
  if (withGrains && facts.interval !== interval)
    throw new ModelError(
      'interval',
      `expected ${facts.interval} s, as in the run that is gone on with, got ${interval}`,
    );
  if (!(time <= stopTime))
    throw new ModelError('stop', `the run is gone on with from ${time} s: expected a later end, got ${stopTime} s`);
}
